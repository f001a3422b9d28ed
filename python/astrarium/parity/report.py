"""A whole run: cases played, bundles kept, one report for machines."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from astrarium import atomic
from astrarium.parity.bundle import describe, save
from astrarium.parity.compare import Tolerances
from astrarium.parity.run import CaseResult, run_cases
from astrarium.parity.side import Pair
from astrarium.parity.suites import Case


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run, and what to do about failures."""

    pair: Pair
    cases: Sequence[Case]
    tolerances: Tolerances | None
    """None: to the bit."""
    out: Path
    """Where bundles go."""
    jobs: int = 1
    stop_at_first: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case's result and where its evidence lies."""

    result: CaseResult
    folder: Path | None


def execute(plan: Plan, on_outcome: Callable[[Outcome], None]) -> list[Outcome]:
    """Run the plan; `on_outcome` hears of every case as soon as its turn has come."""
    outcomes: list[Outcome] = []
    with closing(run_cases(plan.pair, plan.cases, plan.tolerances, plan.jobs)) as results:
        for result in results:
            now = datetime.now(UTC)
            folder = None if result.bundle is None else save(result.bundle, plan.out, now)
            outcomes.append(Outcome(result, folder))
            on_outcome(outcomes[-1])
            if plan.stop_at_first and not result.passed:
                break
    return outcomes


def summarise(plan: Plan, outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """The run as JSON."""
    failed = sum(not outcome.result.passed for outcome in outcomes)
    return {
        "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "world": plan.pair.world,
        "comparison": "exact" if plan.tolerances is None else asdict(plan.tolerances),
        "summary": {
            "pass": not failed,
            "cases_planned": len(plan.cases),
            "cases_run": len(outcomes),
            "cases_failed": failed,
            "steps": sum(outcome.result.steps for outcome in outcomes),
            "episodes": sum(outcome.result.episodes for outcome in outcomes),
            "seconds": round(seconds, 3),
        },
        "results": [_line(outcome) for outcome in outcomes],
    }


def _line(outcome: Outcome) -> dict[str, Any]:
    result, bundle = outcome.result, outcome.result.bundle
    return {
        **asdict(result.case),
        "pass": result.passed,
        "steps_equal": result.steps,
        "episodes": result.episodes,
        "seconds": round(result.seconds, 3),
        "mismatch": None if bundle is None else describe(bundle.mismatch, bundle.sides),
        "bundle": None if outcome.folder is None else str(outcome.folder),
    }


def write(report: dict[str, Any], path: Path) -> None:
    """Put a report in its place in one move, so that nobody reads half of it."""
    atomic.write_text(path, json.dumps(report, indent=2, allow_nan=False) + "\n")
