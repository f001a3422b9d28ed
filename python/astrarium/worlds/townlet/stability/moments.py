"""One tick of a town, as much of it as stability is judged by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from astrarium.worlds.native import NativeVectorWorld


class Happening(NamedTuple):
    """Something that happened, to whom and with whom."""

    kind: str
    agent: str = ""
    other: str = ""
    intensity: float = 0.0
    """Of a conflict in a queue."""
    targets: tuple[str, ...] = ()
    """Whom a city event is about."""


class Tie(NamedTuple):
    """What somebody holds of somebody else."""

    other: str
    trust: float = 0.0
    familiarity: float = 0.0
    rivalry: float = 0.0


class Pay(NamedTuple):
    """The reward of a seat, and whether the life in it ended with it."""

    seat: int
    reward: float
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Citizen:
    """Somebody in town after the tick."""

    id: str
    seat: int = -1
    hunger: float = 1.0
    hygiene: float = 1.0
    energy: float = 1.0
    job: str | None = None
    attendance: float = 1.0
    lateness: int = 0
    absences: int = 0
    """Shifts missed in seven days."""
    exit_pending: bool = False
    ties: tuple[Tie, ...] = ()


class Totals(NamedTuple):
    """Counts since the town began."""

    decisions: int = 0
    switches: int = 0
    ghost_steps: int = 0
    rotations: int = 0
    forced_reuses: int = 0


NOTHING_YET: Final = Totals()


@dataclass(frozen=True, slots=True)
class Moment:
    """A tick: what happened in it, and how the town stood after it."""

    tick: int
    citizens: tuple[Citizen, ...] = ()
    happenings: tuple[Happening, ...] = ()
    pays: tuple[Pay, ...] = ()
    totals: Totals = NOTHING_YET
    persons: int = 0
    """Persons that had lived there by then, as far as the present ones tell."""


def moment_of(frame: Mapping[str, Any]) -> Moment:
    """The moment that a frame of a town shows, as a replay has it."""
    ended = [a or b for a, b in zip(frame["terminated"], frame["truncated"], strict=True)]
    town = frame["render_state"]
    return _moment(
        town, town["events"], list(zip(frame["reward"], ended, strict=True)), frame["info"]
    )


def look(world: NativeVectorWorld, index: int = 0) -> Moment:
    """The step that a town of a batch has just taken; it must be watched, and not have begun anew.

    Call it once after every step.
    """
    ended = (world.terminated[index] | world.truncated[index]).astype(bool)
    pays = list(zip(world.reward[index].tolist(), ended.tolist(), strict=True))
    stats = dict(zip(world.layout.stats, world.stats[index].tolist(), strict=True))
    return _moment(world.portrait(index) or {}, world.happenings(index), pays, stats)


def _moment(
    town: Mapping[str, Any],
    happenings: Sequence[Mapping[str, Any]],
    pays: Sequence[tuple[float, bool]],
    stats: Mapping[str, float],
) -> Moment:
    arrived = {one.get("seat") for one in happenings if one["event"] == "agent_spawned"}
    present = {one["seat"] for one in town["agents"].values()} - arrived
    return Moment(
        # The next tick has been opened when a step ends.
        tick=town["tick"] - 1,
        citizens=tuple(_citizen(name, one) for name, one in town["agents"].items()),
        happenings=tuple(map(_happening, happenings)),
        pays=tuple(
            Pay(seat, reward, end)
            for seat, (reward, end) in enumerate(pays)
            if end or seat in present
        ),
        totals=Totals(
            decisions=int(stats["decisions"]),
            switches=int(stats["option_switches"]),
            ghost_steps=int(stats["ghost_steps"]),
            rotations=int(stats["rotations"]),
            forced_reuses=int(stats["forced_slot_reuse"]),
        ),
        persons=max((one["serial"] + 1 for one in town["agents"].values()), default=0),
    )


def _happening(told: Mapping[str, Any]) -> Happening:
    return Happening(
        told["event"],
        told.get("agent_id", ""),
        told.get("other_id", ""),
        told.get("intensity", 0.0),
        tuple(told.get("targets", ())),
    )


def _citizen(name: str, told: Mapping[str, Any]) -> Citizen:
    work = told["job"]
    return Citizen(
        id=name,
        seat=told["seat"],
        **told["needs"],
        job=work.get("job_id"),
        attendance=work["attendance_ratio"],
        lateness=work["lateness_counter"],
        absences=work["absent_shifts_7d"],
        exit_pending=work["exit_pending"],
        ties=tuple(Tie(other, **tie) for other, tie in told["ties"].items()),
    )
