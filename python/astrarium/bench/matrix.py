"""`astrarium bench matrix`: every candidate, the best of each mode, and the floor it sets."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from rich.console import Console

from astrarium import machine
from astrarium.bench import tables
from astrarium.bench.faces import SINGLY
from astrarium.bench.profile import MODES, Candidate, Profile, profile
from astrarium.bench.report import Report, ReportError

IMPLEMENTATIONS: Final = ("native", "reference")
SIZES: Final = (SINGLY, 1, 64, 1024)
REQUIRED: Final = ("env_only",)
"""Modes that should have a working candidate."""
_TOP: Final = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """What to try, and what to hold it to."""

    world: str = "prospector-v1"
    implementations: tuple[str, ...] = IMPLEMENTATIONS
    sizes: tuple[int, ...] = SIZES
    threads: tuple[int, ...] = (1, 2)
    modes: tuple[str, ...] = tuple(MODES)
    seconds: float = 2.0
    repeats: int = 3
    safety: float = 0.90
    """Part of the best candidate's slowest sample that becomes the floor."""
    target: float = 100_000.0
    required: tuple[str, ...] = REQUIRED
    enforce_target: bool = False
    enforce_coverage: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.safety <= 1:
            raise ReportError(f"safety is {self.safety}; choose more than 0 and at most 1")
        for name in self.implementations:
            if name not in IMPLEMENTATIONS:
                known = ", ".join(IMPLEMENTATIONS)
                raise ReportError(f"no implementation is called {name!r}; choose from {known}")

    def candidates(self, mode: str) -> Iterable[Candidate]:
        """Every combination."""
        product = itertools.product(self.implementations, self.sizes, self.threads)
        return (Candidate(mode, self.world, *settings) for settings in product)


def bench_matrix(plan: Plan, console: Console) -> Report:
    """Profile every candidate of every mode."""
    where = machine.facts()
    console.print(f"[dim]{where.words()}[/]\n", soft_wrap=True)
    profiles: list[Profile] = []
    with console.status("") as status:
        for mode in plan.modes:
            for candidate in plan.candidates(mode):
                status.update(f"{mode}: {candidate.name}")
                profiles.append(profile(candidate, plan.seconds, plan.repeats))
    modes = {mode: summary for mode in plan.modes if (summary := best_of(mode, profiles, plan))}
    gaps = [mode for mode in plan.required if mode not in modes]
    _show(console, plan, profiles, modes)
    return Report(
        kind="matrix",
        config=asdict(plan),
        machine=where,
        reasons=misses(plan, profiles, modes, gaps),
        results={
            "candidates": [one.as_dict() for one in profiles],
            "modes": modes,
            "coverage": {"required": list(plan.required), "gaps": gaps},
        },
    )


def best_of(mode: str, profiles: Iterable[Profile], plan: Plan) -> dict[str, Any] | None:
    """The best candidate of a mode and the floor it sets; None where none worked."""
    worked = [one for one in profiles if one.candidate.mode == mode and one.status == "ok"]
    if not worked:
        return None
    worked.sort(key=lambda one: one.steps_per_second.mean, reverse=True)
    best = worked[0]
    return {
        "best_candidate": {**asdict(best.candidate), "name": best.candidate.name},
        "status": best.status,
        "mean": best.steps_per_second.mean,
        "recommended_floor": best.steps_per_second.min * plan.safety,
        "target": plan.target,
        "target_distance": best.steps_per_second.mean - plan.target,
        "top": [
            {"name": one.candidate.name, "mean": one.steps_per_second.mean} for one in worked[:_TOP]
        ],
    }


def misses(
    plan: Plan, profiles: Iterable[Profile], modes: dict[str, dict[str, Any]], gaps: list[str]
) -> list[str]:
    """Why the matrix did not pass."""
    found = [
        f"{one.candidate.mode}, {one.candidate.name}: {one.reason}"
        for one in profiles
        if one.status == "error"
    ]
    if plan.enforce_target:
        found += [
            f"{mode}: {best['mean']:,.0f} steps/s, {plan.target:,.0f} is asked"
            for mode, best in modes.items()
            if best["mean"] < plan.target
        ]
    if plan.enforce_coverage:
        found += [f"{mode}: no candidate worked" for mode in gaps]
    return found


def _show(
    console: Console, plan: Plan, profiles: Iterable[Profile], modes: dict[str, dict[str, Any]]
) -> None:
    title = f"{plan.world}: mean of {plan.repeats} samples of {plan.seconds:g} s"
    console.print(f"[bold]{title}[/]", soft_wrap=True)
    table = tables.new_table("candidate", "steps/s", "ticks/s", "slowest", "cpu use")
    for one in profiles:
        if one.status == "ok":
            speed, spreads = one.steps_per_second, one.spreads
            table.add_row(
                one.candidate.name,
                tables.quantity(speed.mean),
                tables.quantity(spreads["ticks_per_second"].mean),
                tables.quantity(speed.min),
                f"{spreads['cpu_use'].mean:.0%}",
            )
        elif one.status == "error":
            table.add_row(one.candidate.name, f"[red]{one.status}[/]")
    console.print(table)
    for mode, best in modes.items():
        console.print(
            f"{mode}: best is {best['best_candidate']['name']}; "
            f"floor {tables.quantity(best['recommended_floor'])} steps/s, "
            f"{best['mean'] / plan.target:.1f} times the target",
            soft_wrap=True,
        )
    skipped = sum(one.status == "skipped" for one in profiles)
    if skipped:
        console.print(f"[dim]{skipped} impossible candidates skipped; reasons are in the report[/]")
