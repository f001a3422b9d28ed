"""`astrarium bench battles`: what it asks of battles, and that it runs."""

from __future__ import annotations

import copy
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astrarium import machine
from astrarium.bench import battles_baseline as baseline
from astrarium.bench import battles_batch
from astrarium.bench.battles import BESIDES, CALLS, QUICK, RATES, Plan, checks, exponent, judged
from astrarium.bench.battles_page import tables
from astrarium.bench.report import ReportError

EXAMPLE = Path(__file__).parents[3] / "crates/tidebreak/examples/speed/main.rs"
Row = dict[str, Any]

CORE: Row = (
    {name: [2 * least, 1.5 * least] for name, (_, least) in RATES.items()}
    | {name: [0.5 * most, 0.6 * most] for name, (_, most) in CALLS.items()}
    | {name: [1e5, 2e5] for name in BESIDES}
    | {"whole_duel": [1e5, 9e4], "whole_fleet_action": [2e3, 1.9e3]}
    | {"crowd_256": [400.0, 390.0], "crowd_1024": [99.0, 90.0]}
    | {"asked_duel": [0.0, 0.0], "asked_fleet_action": [0.0, 0.0]}
)
BATCH: Row = {
    "share": {"duels": 64, "python": [98.0, 97.0], "rust": [100.0, 98.0], "same_work": True},
    "threads": {"duels": 256, "threads": 2, "one": [10.0], "all": [18.0], "same_work": True},
    "gymnasium": {"step_us": [40.0, 50.0]},
    "weights": [
        {"fidelity": "F0", "resident_bytes": 1e5},
        {"fidelity": "F1", "resident_bytes": 2e5},
    ],
    "growth": {"steps": 10**6, "before_bytes": 5e8, "after_bytes": 5e8},
}


def missed(core: Row, batch: Row) -> list[str]:
    return [check.name for check in checks(core, batch) if not check.passed]


def test_nothing_is_missed_where_all_is_well() -> None:
    report = judged(QUICK, CORE, BATCH, machine.facts())
    assert report.passed, report.reasons


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (lambda core, _: core.update(duel_f0=[59e3]), "duel, both observed, F0"),
        (lambda core, _: core.update(fleet_action_f1_unseen=[3999.0]), "fleet_action, simulation"),
        (lambda core, _: core.update(crowd_256=[299.0]), "256 ships and 512 rounds"),
        (lambda core, _: core.update(whole_duel=[99.0]), "slowest scenario (duel)"),
        (lambda core, _: core.update(reset_us=[51.0]), "beginning a duel anew"),
        (lambda core, _: core.update(observe_f1_us=[31.0]), "observing one ship, F1"),
        (lambda core, _: core.update(asked_duel=[0.0, 1.0]), "heap allocations of a steady duel"),
        (lambda core, _: core.update(crowd_1024=[60.0]), "growth exponent"),
        (lambda _, batch: batch["threads"].update(all=[16.9]), "256 duels, 2 threads"),
        (lambda _, batch: batch["share"].update(python=[94.0, 90.0]), "Python's share of a step"),
        (lambda _, batch: batch["gymnasium"].update(step_us=[61.0]), "Gymnasium step()"),
        (lambda _, batch: batch["weights"][0].update(resident_bytes=3e5), "memory of a duel, F0"),
        (lambda _, batch: batch["growth"].update(after_bytes=5.02e8), "resident memory gained"),
    ],
)
def test_each_thing_asked_can_be_missed(spoil: Any, name: str) -> None:
    core, batch = copy.deepcopy(CORE), copy.deepcopy(BATCH)
    spoil(core, batch)
    assert any(found.startswith(name) for found in missed(core, batch))


def test_a_row_that_got_slower_is_named_and_a_slow_machine_is_not_blamed(tmp_path: Path) -> None:
    before = judged(QUICK, CORE, BATCH, machine.facts())
    kept = baseline.save(tmp_path / "kept.json", before, baseline.costs(before, 800.0))
    then = baseline.read(kept, asdict(QUICK))
    assert then.keys() >= {words for words, _ in (*RATES.values(), *CALLS.values())}
    core = copy.deepcopy(CORE)
    core["duel_f1"] = [rate / 1.2 for rate in core["duel_f1"]]
    core["duel_f0"] = [rate / 1.1 for rate in core["duel_f0"]]
    core["reset_us"] = [1.3 * time for time in core["reset_us"]]
    now = judged(QUICK, core, BATCH, machine.facts())
    assert baseline.slower(baseline.costs(now, 800.0), then) == [
        "duel, both observed, F1: 20% slower",
        "beginning a duel anew: 30% slower",
    ]
    half = {name: [rate / 2 for rate in rates] for name, rates in CORE.items()}
    half |= {name: [2 * time for time in CORE[name]] for name in CALLS}
    slow_day = judged(QUICK, half, {**BATCH, "gymnasium": {"step_us": [80.0]}}, machine.facts())
    assert baseline.slower(baseline.costs(slow_day, 400.0), then) == []
    assert len(baseline.slower(baseline.costs(slow_day, 800.0), then)) == len(then)


def test_a_baseline_of_another_plan_or_of_nothing_is_refused(tmp_path: Path) -> None:
    report = judged(QUICK, CORE, BATCH, machine.facts())
    kept = baseline.save(tmp_path / "kept.json", report, baseline.costs(report, 800.0))
    with pytest.raises(ReportError, match="measured otherwise"):
        baseline.read(kept, asdict(Plan()))
    kept.write_text("[]")
    with pytest.raises(ReportError, match="is no baseline"):
        baseline.read(kept, asdict(QUICK))
    assert baseline.yardstick() > 0


def test_other_states_from_the_same_orders_are_told() -> None:
    batch = copy.deepcopy(BATCH)
    batch["threads"]["same_work"] = False
    reasons = judged(QUICK, CORE, batch, machine.facts()).reasons
    assert reasons == ["threads: the same orders came to other states"]


def test_the_exponent_is_that_of_the_time() -> None:
    rates = {f"crowd_{ships}": [1e6 / ships**1.3] for ships in (64, 128, 256)}
    assert exponent(rates, max) == pytest.approx(1.3)


def test_the_page_tells_every_figure_and_what_was_not_measured() -> None:
    batch = copy.deepcopy(BATCH)
    batch["share"]["rust"] = []
    page = tables(judged(QUICK, CORE, batch, machine.facts()))
    assert (
        "| duel, both observed, F0 | ≥ 60 k ticks/s | 120 k ticks/s | 105 k ticks/s | yes |" in page
    )
    assert "| Python's share of a step, 64 duels | ≤ 0.05 |  |  | not measured |" in page
    assert "| 1,024 | 99 | 94.5 | 101 k |" in page
    assert all(words in page for words in BESIDES.values())


def test_the_example_measures_what_is_asked() -> None:
    named = set(
        re.findall(r'"((?:duel|convoy|fleet|observe|reset|asked)_\w+)"', EXAMPLE.read_text())
    )
    sizes = {f"crowd_{size}" for size in (256, 1024)}
    assert (
        named - {"fleet_action", "convoy_escort"}
        == {name for name in CORE if not name.startswith("whole_")} - sizes
    )


def test_a_short_measurement_from_python_has_every_figure() -> None:
    found = battles_batch.measured(QUICK, None, lambda _: None)
    assert found["threads"]["same_work"] is True
    assert len(found["gymnasium"]["step_us"]) == QUICK.repeats
    assert [row["fidelity"] for row in found["weights"]] == ["F0", "F1"]
    assert found["growth"]["steps"] == QUICK.growth_steps
    assert missed(CORE, BATCH | {"share": found["share"]}) == ["Python's share of a step, 2 duels"]


def test_nobody_scuttles() -> None:
    """A batch that is sunk at once would measure resets."""
    actions = battles_batch.drawn(200, 3, (5, 5, 17, 2, 2, 2, 2, 4, 4, 6, 4))
    assert actions.shape == (200, 3, 2, 11)
    assert np.unique(actions[..., -2]).tolist() == [0, 1, 2, 3, 4]
