"""The folder of a war: a day's lines are added each evening, the state is kept now and then.

A war that was stopped or killed goes on from the last state that was kept; the lines after it are
dropped and, since nothing in a war depends on when it is fought, written again as they were.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from astrarium.atomic import write_bytes, write_text
from astrarium.campaign import chronicle, shapes
from astrarium.campaign.day import Battle, Evening
from astrarium.campaign.plan import Plan, load
from astrarium.campaign.shapes import Format, Summary, WarFolderError
from astrarium.campaign.state import War
from astrarium.campaign.today import Record
from astrarium.errors import ConfigError

KEPT_DAYS: Final = 10
"""Days from one state that is kept to the next: waiting for the disk takes longer than living."""


class Saved(msgspec.Struct):
    """`state.json`: a war, and how long its two growing files were at that moment."""

    days_planned: int
    log_bytes: int
    days_bytes: int
    war: War


class WarFolder:
    """A war's folder and the war in it."""

    def __init__(self, path: Path, plan: Plan, days: int, war: War, shown: list[Record]) -> None:
        self.path = path
        self.plan = plan
        self.days = days
        self.war = war
        self.shown = shown

    @classmethod
    def begin(cls, path: Path, plan: Plan, days: int, war: War) -> Self:
        """A new folder. Refuses one that already holds a war."""
        if (path / "state.json").exists():
            raise WarFolderError(f"{path} holds a war already; resume it, or give another folder")
        folder = cls(path, plan, days, war, [])
        (path / "battles").mkdir(parents=True, exist_ok=True)
        write_text(path / "plan.json", plan.model_dump_json(indent=1))
        write_bytes(path / "log.jsonl", b"")
        write_bytes(path / "days.jsonl", b"")
        folder.keep()
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        """A war as it was after its last whole day; what was being written then is dropped."""
        saved = read_state(path)
        plan = read_plan(path)
        for name, length in (("log.jsonl", saved.log_bytes), ("days.jsonl", saved.days_bytes)):
            if not (path / name).is_file():
                raise WarFolderError(f"{path} holds no war: {name} is missing")
            if (path / name).stat().st_size < length:
                raise WarFolderError(f"{path / name} is shorter than its war; it was cut off")
            os.truncate(path / name, length)
        shown = shapes.read_days(path / "days.jsonl")
        return cls(path, plan, saved.days_planned, saved.war, shown)

    def add(self, evening: Evening) -> None:
        """Write a day: battles and lines first, then, on some days, the state that counts them."""
        lines = chronicle.log_lines(evening.war, evening.records)
        evening.war.log_hash = chronicle.chained(evening.war.log_hash, lines)
        for battle in evening.battles:
            write_text(self.path / "battles" / f"{battle.id}.json", _battle(battle))
        names = [battle.id for battle in evening.battles]
        shown = chronicle.day_line(self.plan, evening.war, evening.records, names)
        _append(self.path / "log.jsonl", lines)
        _append(self.path / "days.jsonl", chronicle.line(shown))
        self.war = evening.war
        self.shown.append(shown)
        if self.war.day % KEPT_DAYS == 0:
            self.keep()

    def write_summary(self) -> None:
        """Write `war.json` as of now."""
        document = chronicle.summary(self.plan, self.war, self.days, self.shown)
        write_bytes(self.path / "war.json", chronicle.line(document))

    def keep(self) -> None:
        """Put everything so far on the disk for good."""
        for name in ("log.jsonl", "days.jsonl"):
            with (self.path / name).open("rb") as file:
                os.fsync(file.fileno())
        self._save()
        self.write_summary()

    def _save(self) -> None:
        saved = Saved(
            self.days,
            (self.path / "log.jsonl").stat().st_size,
            (self.path / "days.jsonl").stat().st_size,
            self.war,
        )
        write_bytes(self.path / "state.json", msgspec.json.encode(saved))


def read_state(path: Path) -> Saved:
    """The state of a war's folder."""
    return shapes.read(path / "state.json", Saved)


def read_plan(path: Path) -> Plan:
    """The plan that a war's folder was begun with."""
    given = shapes.read(path / "plan.json", dict[str, Any])
    try:
        return load(given)
    except ConfigError as error:
        raise WarFolderError(f"{path / 'plan.json'} is not as it was written: {error}") from None


def read_summary(path: Path) -> dict[str, Any]:
    """`war.json` of a war's folder, with everything that its form says."""
    place = path / "war.json"
    if shapes.read(place, Format).format != chronicle.FORMAT:
        raise WarFolderError(f"{place} is of another format than {chronicle.FORMAT}")
    summary = shapes.read(place, Summary)
    for fault in summary.faults():
        raise WarFolderError(f"{place} is not as it was written: {fault}")
    return msgspec.to_builtins(summary)


def _battle(battle: Battle) -> str:
    return json.dumps(
        {
            "id": battle.id,
            "controllers": battle.controllers,
            "package": battle.package.model_dump(mode="json"),
            "result": battle.result.model_dump(mode="json"),
        },
        allow_nan=False,
    )


def _append(path: Path, lines: bytes) -> None:
    with path.open("ab") as file:
        file.write(lines)
