"""`astrarium bench towns`: what it asks of towns, and that it runs."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from astrarium.bench import towns
from astrarium.bench.report import Report
from astrarium.bench.towns import QUICK, bench_towns, checks, random_legal
from astrarium.bench.towns_page import tables


@pytest.fixture(scope="module")
def report() -> Report:
    return bench_towns(QUICK, lambda _: None)


def test_a_short_measurement_has_every_figure(report: Report) -> None:
    results = report.results
    assert [(row["agents"], row["player"]) for row in results["sizes"]] == [
        (2, "citizens"),
        (4, "citizens"),
        (2, "random"),
        (4, "random"),
    ]
    assert [(row["towns"], row["threads"]) for row in results["batches"]] == [
        (1, 1),
        (4, 1),
        (4, 2),
    ]
    assert all(row["same_work"] for row in (*results["sizes"], *results["batches"]))
    assert all(0 < row["lived"] <= 1 for row in results["sizes"])
    assert results["growth"]["stats"]["ticks"] == QUICK.growth_ticks + QUICK.growth_warm_ticks
    for row in results["weights"]:
        assert row["document_bytes"] > row["snapshot_bytes"]
        assert row["document_s"]["min"] > 0
    assert results["weights"][1]["snapshot_bytes"] > results["weights"][0]["snapshot_bytes"] > 1000


def test_the_page_shows_them_beside_the_system_before(report: Report) -> None:
    page = tables(report)
    assert "*the system before* | 210" in page
    assert "load" in page
    assert "One town of citizens, after 500 ticks: 2 in play" in page
    assert "until it is on the disk" in page
    assert "| ms a document, 4 agents | ≤ 5 |" in page
    assert page.count("\n| ") > 15


@pytest.mark.parametrize(
    ("spoil", "missed"),
    [
        (lambda r: r["sizes"][0]["cpu"].update(max=299e3), "agent-steps/s per core, 2 agents"),
        (lambda r: r["sizes"][3]["cpu"].update(max=1.0), "rate per agent, 4 agents over 2, random"),
        (lambda r: r["weights"][1].update(resident_bytes=2.1e6), "MB a town, 4 agents"),
        (lambda r: r["weights"][0]["snapshot_s"].update(min=0.006), "ms a snapshot, 2 agents"),
        (lambda r: r["weights"][1]["document_s"].update(min=0.006), "ms a document, 4 agents"),
        (lambda r: r["growth"]["after"].update(resident_bytes=1e12), "MB gained in a long life"),
        (lambda r: r["growth"]["after"].update(snapshot_bytes=1e12), "MB its snapshot gained"),
    ],
)
def test_each_thing_asked_can_be_missed(report: Report, spoil, missed: str) -> None:
    results = copy.deepcopy(dict(report.results))
    for row in results["sizes"]:
        row["cpu"]["max"] = 1e6
    for row in results["weights"]:
        row["snapshot_s"]["min"] = row["document_s"]["min"] = 1e-3
        row["resident_bytes"] = 1e5
    results["growth"]["after"] = dict(results["growth"]["before"])
    assert all(check.passed for check in checks(results))
    spoil(results)
    names = [check.name for check in checks(results) if not check.passed]
    assert any(name.startswith(missed) for name in names)


def test_other_states_from_the_same_orders_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure for other work must not pass as one for the same."""
    plain = towns.NativeVectorWorld.digests
    count = iter(range(10**6))
    monkeypatch.setattr(
        towns.NativeVectorWorld,
        "digests",
        lambda self: plain(self) + np.uint64(next(count)),
    )
    reasons = bench_towns(QUICK, lambda _: None).reasons
    assert any("came to other states" in reason for reason in reasons)


def test_random_players_keep_to_the_mask() -> None:
    mask = np.array([[[1, 0, 0, 1], [1, 0, 0, 0]]], np.uint8)
    play, obs = random_legal(3), np.zeros((1, 2, 5), np.float32)
    seen = {tuple(play(obs, mask).ravel().tolist()) for _ in range(50)}
    assert seen == {(0, 0), (3, 0)}
