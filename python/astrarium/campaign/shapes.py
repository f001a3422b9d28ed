"""What a war's files hold, as types: a file that was edited is refused by its name and field."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from astrarium.errors import AstrariumError
from astrarium.runs import DamagedRunError, RunNotFoundError, documents, journal
from astrarium.runs.journal import EMPTY, JournalEnd

T = TypeVar("T")


class WarFolderError(AstrariumError, ValueError):
    """A folder that is no war's, or is not as its writer left it."""


class Format(msgspec.Struct):
    """The first thing to know of a summary."""

    format: str


class SummaryFaction(msgspec.Struct):
    """A side, as readers name and draw it."""

    id: str
    name: str
    colour: str
    seat: str


class SummaryNode(msgspec.Struct):
    """A place on the map."""

    id: str
    name: str
    x: float
    y: float
    wreck: bool
    sea: str


class SummaryLink(msgspec.Struct):
    """A way between two places."""

    a: str
    b: str
    days: int


class SummarySide(msgspec.Struct):
    """What a battle cost one side."""

    ships: int
    lost: int
    captured: int
    killed: int


class SummaryBattle(msgspec.Struct):
    """A battle in one line."""

    id: str
    day: int
    node: str
    kind: str
    winner: str | None
    ended_by: str
    duration_s: float
    file: str
    sides: dict[str, SummarySide]
    fingerprint: str = ""


class Curves(msgspec.Struct):
    """A value a day of whatever goes up and down."""

    ships: list[float]
    value: list[float]
    legitimacy: list[float]
    prosperity: list[float]
    morale: list[float]
    people: list[float]
    nodes: list[float]
    stocks: dict[str, list[float]]


class Summary(msgspec.Struct):
    """`war.json`."""

    format: str
    seed: int
    days: int
    days_planned: int
    finished: bool
    winner: str | None
    ended_by: Literal["seat_fell", "score", "draw", "going_on"]
    log_hash: str
    doctrines: dict[str, str]
    factions: list[SummaryFaction]
    nodes: list[SummaryNode]
    links: list[SummaryLink]
    curves: dict[str, Curves | list[int]]
    battles: list[SummaryBattle]
    days_end: JournalEnd
    """Where `days.jsonl` ended when this was written."""

    def faults(self) -> list[str]:
        """What types cannot say: names that lead nowhere and curves of unequal length."""
        places, sides = {node.id for node in self.nodes}, {one.id for one in self.factions}
        days = self.curves.get("day")
        found = [] if isinstance(days, list) else ["`$.curves.day` is missing"]
        for name in sorted(sides):
            drawn = self.curves.get(name)
            if not isinstance(drawn, Curves):
                found.append(f"`$.curves.{name}` is missing")
                continue
            lines = msgspec.structs.asdict(drawn)
            lines |= {f"stocks.{name}": line for name, line in lines.pop("stocks").items()}
            found += [
                f"`$.curves.{name}.{key}` has {len(line)} values"
                for key, line in lines.items()
                if isinstance(days, list) and len(line) != len(days)
            ]
        for at, link in enumerate(self.links):
            if not {link.a, link.b} <= places:
                found.append(f"`$.links[{at}]` leads to an unknown place")
        for at, battle in enumerate(self.battles):
            if not set(battle.node.split("-")) <= places:
                found.append(f"`$.battles[{at}].node` is an unknown place")
            if not set(battle.sides) <= sides:
                found.append(f"`$.battles[{at}].sides` has an unknown faction")
        return found


class DayNode(msgspec.Struct):
    """As much of a place in the evening as the report draws."""

    holder: str | None


class DayFaction(msgspec.Struct):
    """As much of a side in the evening as the curves are drawn from."""

    ships: float
    value: float
    legitimacy: float
    prosperity: float
    morale: float
    people: float
    nodes: float
    stocks: dict[str, float]


class Day(msgspec.Struct):
    """As much of a line of `days.jsonl` as is read again."""

    day: int
    nodes: dict[str, DayNode]
    factions: dict[str, DayFaction]


class KeptBattle(msgspec.Struct):
    """A battle's file; package and result have readers of their own."""

    id: str
    controllers: dict[str, str]
    package: dict[str, Any]
    result: dict[str, Any]


def read(path: Path, form: type[T]) -> T:
    """A file of a war's folder. Raises a `WarFolderError` naming the file and the field."""
    try:
        return documents.read(path, form)
    except RunNotFoundError:
        raise WarFolderError(f"{path.parent} holds no war: {path.name} is missing") from None
    except DamagedRunError as error:
        raise WarFolderError(str(error)) from None


def read_days(path: Path, counted: JournalEnd = EMPTY) -> list[dict[str, Any]]:
    """Every whole day of `days.jsonl`, as it is shown; the last may still be in writing.

    A file without the days `counted` is a `WarFolderError`.
    """
    if not path.is_file():
        raise WarFolderError(f"{path.parent} holds no war: {path.name} is missing")
    try:
        days = journal.read(path, counted=counted)
    except DamagedRunError as error:
        raise WarFolderError(str(error)) from None
    for number, day in enumerate(days, 1):
        try:
            msgspec.convert(day, Day)
        except msgspec.ValidationError as error:
            raise WarFolderError(
                f"{path}, line {number}, is not as it was written: {error}"
            ) from None
    return days
