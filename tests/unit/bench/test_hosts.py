"""`astrarium bench hosts`: that it measures, and what it asks."""

from __future__ import annotations

from typing import Any

from astrarium.bench.hosts import QUICK, _reasons, bench_hosts, tables


def row(seeds: int, milliseconds: float, macs: int, captures: list[float]) -> dict[str, Any]:
    return {
        "task": "noise",
        "seeds": seeds,
        "macs": macs,
        "plain_ms": 10 * milliseconds,
        "recorded_ms": milliseconds,
        "captures_ms": captures,
        "replay_ms": 0.03,
        "staging_ms": 0.01,
    }


def test_each_thing_asked_can_be_missed() -> None:
    bare = row(0, 10.0, 100, [90.0])
    assert _reasons([bare, row(1, 18.0, 130, [20.0])], [{"task": "noise", "share": 0.05}]) == []
    (dear,) = _reasons([bare, row(1, 20.0, 130, [20.0])], [])
    (slow,) = _reasons([row(0, 10.0, 100, [20.0, 101.0])], [])
    (busy,) = _reasons([bare], [{"task": "noise", "share": 0.06}])
    assert "1 seeds cost 1.54 of their MACs" in dear
    assert "a capture took 101 ms" in slow
    assert "deciding takes 6.0%" in busy


def test_hosts_are_measured_without_a_gpu() -> None:
    told: list[str] = []
    report = bench_hosts(QUICK, told.append)
    assert report.results["device"] == "cpu"
    assert [one["seeds"] for one in report.results["epochs"]] == [0, 1]
    assert report.results["epochs"][1]["macs"] > report.results["epochs"][0]["macs"]
    assert 0.0 < report.results["deciding"][0]["share"] < 1.0
    assert len(told) == 4
    text = tables(report)
    assert "graphs" not in text
    assert text.count("| digits_impaired |") == 3


def test_a_table_of_a_gpu_tells_what_recording_costs() -> None:
    report = bench_hosts(QUICK, lambda _: None)
    rows = [row(0, 10.0, 100, [90.0, 10.0, 20.0]), row(1, 18.0, 130, [20.0])]
    object.__setattr__(report, "results", {**report.results, "epochs": rows})
    assert "| 10.0× | 1.38 | 20.0, 20.0, 20.0 ms | 0.030 ms | 0.010 ms |" in tables(report)
    assert "90.0, 20.0, 90.0 ms" in tables(report)
