"""`astrarium bench floor`: is this machine and build still as fast as a matrix promised?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import pydantic
from rich.console import Console

from astrarium import machine
from astrarium.bench import tables
from astrarium.bench.candidates import Candidate, Effort
from astrarium.bench.profile import MODES, profile
from astrarium.bench.report import Report, ReportError, read_json


class _Stored(pydantic.BaseModel):
    """What the gate needs of a matrix report; the rest is not its business."""

    model_config = pydantic.ConfigDict(extra="ignore")


class _StoredCandidate(_Stored):
    mode: str
    world: str
    implementation: str
    num_worlds: int
    threads: int
    backend: str
    minibatches: int
    epochs: int


class _StoredMode(_Stored):
    best_candidate: _StoredCandidate | None = None
    status: str = ""
    recommended_floor: float = 0.0
    target: float = 0.0


class _StoredConfig(_Stored):
    modes: tuple[str, ...] = pydantic.Field(min_length=1)
    seconds: float = pydantic.Field(gt=0)
    ticks: int = pydantic.Field(ge=1)
    repeats: int = pydantic.Field(ge=1)


class _StoredResults(_Stored):
    modes: dict[str, _StoredMode]


class _Matrix(_Stored):
    kind: Literal["matrix"]
    run_id: str
    config: _StoredConfig
    results: _StoredResults


@dataclass(frozen=True, slots=True)
class Gate:
    """One mode held to its floor."""

    mode: str
    status: Literal["pass", "fail", "error"]
    reason: str = ""
    candidate: str = ""
    floor: float = 0.0
    mean: float = 0.0
    """Steps per second of processor time, as the floor."""
    target_distance: float = 0.0
    """Steps per second of wall time less the target: below 0 where it is not reached."""


def read_matrix(path: Path) -> _Matrix:
    """A matrix report, or an error that says what is wrong with it."""
    try:
        return _Matrix.model_validate(read_json(path))
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ReportError(
            f"{path} is no matrix report: {where}: {first['msg']}; "
            "make one with astrarium bench matrix"
        ) from None


def bench_floor(path: Path, modes: Sequence[str], console: Console) -> Report:
    """Rerun the best candidate of each mode with the settings of the report.

    Without any `modes`, those that the matrix was asked for.
    """
    stored = read_matrix(path)
    modes = modes or stored.config.modes
    where = machine.facts()
    console.print(f"[dim]{where.words()}[/]\n", soft_wrap=True)
    with console.status("rerunning the best candidates"):
        gates = [hold_to_floor(mode, stored) for mode in modes]
    console.print(f"[bold]Floors of {stored.run_id}[/]", soft_wrap=True)
    table = tables.new_table("mode", "floor", "mean", "held")
    for gate in gates:
        figures = (tables.quantity(gate.floor), tables.quantity(gate.mean))
        table.add_row(gate.mode, *figures, tables.mark(gate.status == "pass"))
    tables.print_table(console, table)
    return Report(
        kind="floor",
        config={"matrix": str(path), **stored.config.model_dump(), "modes": list(modes)},
        machine=where,
        reasons=[f"{gate.mode}: {gate.reason}" for gate in gates if gate.status != "pass"],
        results={"modes": {gate.mode: asdict(gate) for gate in gates}},
        artifacts={"matrix": str(path)},
    )


def hold_to_floor(mode: str, stored: _Matrix) -> Gate:
    """Rerun one mode's best candidate and compare its mean with the floor."""
    best = stored.results.modes.get(mode)
    if best is None:
        return Gate(mode, "error", "the matrix has no such mode")
    if best.best_candidate is None or best.status != "ok":
        return Gate(mode, "error", "the matrix has no candidate that worked")
    if best.recommended_floor <= 0:
        return Gate(mode, "error", f"a floor of {best.recommended_floor:g} holds nothing")
    if best.best_candidate.mode not in MODES:
        return Gate(mode, "error", "this build has no such mode")
    candidate = Candidate(**best.best_candidate.model_dump())
    settings = stored.config
    run = profile(candidate, Effort(settings.seconds, settings.ticks, settings.repeats))
    if run.status != "ok":
        return Gate(mode, "error", f"{candidate.name}: {run.reason}", candidate.name)
    # Processor time: what else runs on the machine must not fail a gate.
    mean, floor = run.steps_per_cpu_second.mean, best.recommended_floor
    return Gate(
        mode,
        "pass" if mean >= floor else "fail",
        ""
        if mean >= floor
        else f"{mean:,.0f} steps per second of processor time, below the floor of {floor:,.0f}",
        candidate.name,
        floor,
        mean,
        run.steps_per_second.mean - best.target,
    )
