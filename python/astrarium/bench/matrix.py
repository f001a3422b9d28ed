"""`astrarium bench matrix`: every candidate, the best of each mode, and the floor it sets."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from rich.console import Console
from rich.markup import escape

from astrarium import machine
from astrarium.bench import tables
from astrarium.bench.candidates import TICKS, Candidate, Effort
from astrarium.bench.faces import SINGLY
from astrarium.bench.profile import MODES, Profile, profile
from astrarium.bench.report import Report, ReportError
from astrarium.bench.training_runs import BACKENDS
from astrarium.bench.training_runs import MODES as TRAINER_MODES

IMPLEMENTATIONS: Final = ("native", "reference")
SIZES: Final = (SINGLY, 1, 64, 1024)
TRAIN_SIZES: Final = (64, 256)
MINIBATCHES: Final = (4, 16)
EPOCHS: Final = (4,)
"""Fewer are faster at any setting, and learn less: to vary them by default would choose nothing."""
REQUIRED: Final = ("env_only", *BACKENDS)
"""Modes and backends that should have a working candidate."""
_TOP: Final = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """What to try, and what to hold it to."""

    world: str = "prospector-v1"
    implementations: tuple[str, ...] = IMPLEMENTATIONS
    sizes: tuple[int, ...] = SIZES
    threads: tuple[int, ...] = (1, 2)
    train_sizes: tuple[int, ...] = TRAIN_SIZES
    minibatches: tuple[int, ...] = MINIBATCHES
    epochs: tuple[int, ...] = EPOCHS
    modes: tuple[str, ...] = tuple(MODES)
    seconds: float = 2.0
    ticks: int = TICKS
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
        if mode not in TRAINER_MODES:
            stepping = itertools.product(self.implementations, self.sizes, self.threads)
            return (Candidate(mode, self.world, *settings) for settings in stepping)
        batches = (self.implementations, self.train_sizes, self.threads)
        training = itertools.product(*batches, BACKENDS, self.minibatches, self.epochs)
        return (Candidate(mode, self.world, *settings) for settings in training)

    @property
    def effort(self) -> Effort:
        """How long each candidate is tried."""
        return Effort(self.seconds, self.ticks, self.repeats)


def bench_matrix(plan: Plan, console: Console) -> Report:
    """Profile every candidate of every mode."""
    where = machine.facts()
    console.print(f"[dim]{where.words()}[/]\n", soft_wrap=True)
    profiles: list[Profile] = []
    with console.status("") as status:
        for mode in plan.modes:
            for candidate in plan.candidates(mode):
                status.update(f"{mode}: {candidate.name}")
                profiles.append(profile(candidate, plan.effort))
    modes = {mode: summary for mode in plan.modes if (summary := best_of(mode, profiles, plan))}
    worked = {*modes, *(one.candidate.backend for one in profiles if one.status == "ok")}
    gaps = [name for name in plan.required if name not in worked]
    _show(console, plan, profiles, modes)
    if gaps:
        console.print(f"[yellow]no candidate worked for {', '.join(gaps)}[/]")
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
        "recommended_floor": best.steps_per_cpu_second.min * plan.safety,
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
        found += [f"{name}: no candidate worked" for name in gaps]
    return found


def _show(
    console: Console, plan: Plan, profiles: list[Profile], modes: dict[str, dict[str, Any]]
) -> None:
    for mode in plan.modes:
        size = f"{plan.ticks:,} ticks" if mode in TRAINER_MODES else f"{plan.seconds:g} s"
        title = f"{plan.world}, {mode}: mean of {plan.repeats} samples of {size}"
        console.print(f"[bold]{title}[/]", soft_wrap=True)
        _show_mode(console, [one for one in profiles if one.candidate.mode == mode])
        best = modes.get(mode)
        if best is not None:
            console.print(
                f"{mode}: best is {best['best_candidate']['name']}; "
                f"floor {tables.quantity(best['recommended_floor'])} steps/s of processor time, "
                f"{best['mean'] / plan.target:.1f} times the target\n",
                soft_wrap=True,
            )


def _show_mode(console: Console, profiles: list[Profile]) -> None:
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
    tables.print_table(console, table)
    skipped = Counter(one.reason for one in profiles if one.status == "skipped")
    for reason, count in skipped.items():
        console.print(f"[dim]{count} skipped: {escape(reason)}[/]", soft_wrap=True)
