"""`astrarium bench battles`: how fast battles of Tidebreak are, and what they take.

Battles themselves are timed by the crate's own example, built and run here: fought once by
doctrines and then again by the same orders, so that only stepping and, where it says so, observing
is timed, by the processor time of the thread, and their states must be equal at the end. What
Python adds, what threads gain and what memory a batch takes is measured from here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import median
from typing import Any, Final

from astrarium import machine
from astrarium.bench import battles_batch
from astrarium.bench.battles_batch import QUICK, Plan
from astrarium.bench.examples import told
from astrarium.bench.peers import rust_peer
from astrarium.bench.report import Report
from astrarium.bench.verdict import Check

__all__ = ["QUICK", "Plan", "bench_battles", "checks", "exponent", "judged"]

RATES: Final = {
    "duel_f0": ("duel, both observed, F0", 60_000.0),
    "duel_f1": ("duel, both observed, F1", 15_000.0),
    "convoy_escort_f1": ("convoy_escort, all observed, F1", 3_000.0),
    "fleet_action_f1": ("fleet_action, all observed, F1", 1_000.0),
    "fleet_action_f1_unseen": ("fleet_action, simulation only, F1", 4_000.0),
    "crowd_256": ("256 ships and 512 rounds, simulation only, F1", 300.0),
    "crowd_1024": ("1,024 ships and 2,048 rounds, simulation only, F1", 50.0),
}
"""Ticks per processor second: in words, and the least that is asked."""
REAL_TIME_MIN: Final = 100.0
REAL_TIME_TARGET: Final = 1_000.0
"""Ticks a second of any scenario; a tick is a second."""
SCALING_MIN: Final = 0.85
PYTHON_MAX: Final = 0.05
CALLS: Final = {
    "reset_us": ("beginning a duel anew", 50.0),
    "observe_f0_us": ("observing one ship, F0", 5.0),
    "observe_f1_us": ("observing one ship, F1", 30.0),
}
"""Microseconds: in words, and the most that is asked."""
GYMNASIUM_US_MAX: Final = 60.0
DUEL_BYTES_MAX: Final = {"F0": 256e3, "F1": 1.5e6}
GROWTH_EXPONENT_MAX: Final = 1.15
GROWTH_BYTES_MAX: Final = 1e6
BESIDES: Final = {
    "duel_f0_unseen": "duel, simulation only, F0",
    "duel_f1_unseen": "duel, simulation only, F1",
}
"""Rates that nothing is asked of."""

Tell = Callable[[str], None]
Row = dict[str, Any]
Samples = Mapping[str, Sequence[float]]


def bench_battles(plan: Plan, tell: Tell, *, quick: bool = False) -> Report:
    """Measure everything, and hold it to what is asked."""
    facts = machine.facts()
    tell("building, and fighting without Python")
    core: Samples = told("astrarium-tidebreak", "speed", *(["quick"] if quick else []))
    peer = rust_peer()
    return judged(plan, core, battles_batch.measured(plan, peer.program, tell), facts)


def judged(plan: Plan, core: Samples, batch: Row, facts: machine.Machine) -> Report:
    """The figures with what is asked of them."""
    found = checks(core, batch)
    reasons = [
        f"{check.name}: {check.value:.4g}{check.unit}" for check in found if check.passed is False
    ]
    reasons += [
        f"{name}: the same orders came to other states"
        for name in ("share", "threads")
        if batch[name]["same_work"] is False
    ]
    results = {
        "core": {name: list(samples) for name, samples in core.items()},
        "batch": batch,
        "exponent": exponent(core, max),
        "checks": [check.as_dict() for check in found],
    }
    return Report("battles", asdict(plan), facts, reasons, results)


def checks(core: Samples, batch: Row) -> list[Check]:
    """What is asked of battles, and what was measured."""
    return [
        *_rates(core),
        _floor(core),
        _scaling(batch["threads"]),
        _python(batch["share"]),
        *_calls(core),
        _gymnasium(batch["gymnasium"]),
        *_memory(core, batch),
        Check(
            "growth exponent, 64 to 1,024 ships as dense",
            exponent(core, max),
            GROWTH_EXPONENT_MAX,
            at_least=False,
            median=exponent(core, median),
        ),
    ]


def _rates(core: Samples) -> Iterator[Check]:
    for name, (words, least) in RATES.items():
        samples = core.get(name)
        yield Check(
            words,
            max(samples) if samples else None,
            least,
            at_least=True,
            unit=" ticks/s",
            median=median(samples) if samples else None,
        )


def scenarios(core: Samples) -> dict[str, Sequence[float]]:
    """Ticks a second of whole battles, doctrines and observations included, by scenario."""
    first = "whole_"
    return {name.removeprefix(first): core[name] for name in core if name.startswith(first)}


def _floor(core: Samples) -> Check:
    found = scenarios(core)
    slowest = min(found, key=lambda name: max(found[name]))
    return Check(
        f"slowest scenario ({slowest}), doctrines and all observed",
        max(found[slowest]),
        REAL_TIME_MIN,
        at_least=True,
        unit=" × real time",
        median=median(found[slowest]),
    )


def _scaling(row: Row) -> Check:
    threads = row["threads"]
    pairs = zip(row["one"], row["all"], strict=True)
    return Check(
        f"{row['duels']} duels, {threads} threads, part of {threads} times one",
        max(row["all"]) / max(row["one"]) / threads,
        SCALING_MIN,
        at_least=True,
        median=median(together / one for one, together in pairs) / threads,
    )


def _python(row: Row) -> Check:
    name = f"Python's share of a step, {row['duels']} duels"
    if not row["rust"]:
        return Check(name, None, PYTHON_MAX, at_least=False)
    pairs = zip(row["python"], row["rust"], strict=True)
    return Check(
        name,
        1 - max(row["python"]) / max(row["rust"]),
        PYTHON_MAX,
        at_least=False,
        median=median(1 - ours / theirs for ours, theirs in pairs),
    )


def _calls(core: Samples) -> Iterator[Check]:
    for name, (words, most) in CALLS.items():
        samples = core[name]
        middle = median(samples)
        yield Check(words, min(samples), most, at_least=False, unit=" µs", median=middle)


def _gymnasium(row: Row) -> Check:
    samples: list[float] = row["step_us"]
    return Check(
        "Gymnasium step() of a duel, F1",
        min(samples),
        GYMNASIUM_US_MAX,
        at_least=False,
        unit=" µs",
        median=median(samples),
    )


def _memory(core: Samples, batch: Row) -> Iterator[Check]:
    asked = {name: max(core[name]) for name in core if name.startswith("asked_")}
    for name, value in asked.items():
        scenario = name.removeprefix("asked_")
        yield Check(f"heap allocations of a steady {scenario}", value, 0.0, at_least=False)
    for row in batch["weights"]:
        fidelity = row["fidelity"]
        most = DUEL_BYTES_MAX[fidelity] / 1e6
        value = row["resident_bytes"] / 1e6
        yield Check(f"memory of a duel, {fidelity}", value, most, at_least=False, unit=" MB")
    grown = batch["growth"]
    gained = (grown["after_bytes"] - grown["before_bytes"]) / 1e6
    name = f"resident memory gained in {grown['steps']:,.0f} steps"
    yield Check(name, gained, GROWTH_BYTES_MAX / 1e6, at_least=False, unit=" MB")


def exponent(core: Samples, of: Callable[[Sequence[float]], float]) -> float:
    """By which power of their ships the time of a tick of the crowds grows: a least-squares fit."""
    first = "crowd_"
    sizes = {int(name.removeprefix(first)): core[name] for name in core if name.startswith(first)}
    points = [(math.log(ships), -math.log(of(rates))) for ships, rates in sizes.items()]
    middle = [sum(point[axis] for point in points) / len(points) for axis in (0, 1)]
    off = [(x - middle[0], y - middle[1]) for x, y in points]
    return sum(x * y for x, y in off) / sum(x * x for x, _ in off)
