"""The folder of a war: a day's lines are added each evening, the state is kept now and then.

A war that was stopped or killed goes on from the last state that was kept; the lines after it are
dropped and, since nothing in a war depends on when it is fought, written again as they were.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from astrarium.campaign import chronicle, shapes
from astrarium.campaign.day import Battle, Evening
from astrarium.campaign.plan import Plan, load
from astrarium.campaign.shapes import Format, Summary, WarFolderError
from astrarium.campaign.state import War
from astrarium.campaign.today import Record
from astrarium.errors import ConfigError
from astrarium.runs import DamagedRunError, documents, journal
from astrarium.runs.journal import EMPTY, Journal, JournalEnd
from astrarium.runs.lock import RunLock

STATE: Final = "state.json"
PLAN: Final = "plan.json"
SUMMARY: Final = "war.json"
LOG: Final = "log.jsonl"
DAYS: Final = "days.jsonl"
DAYS_END: Final = "days_end"
"""In the summary: where `days.jsonl` ended when it was written."""
KEPT_DAYS: Final = 10
"""Days from one state that is kept to the next: waiting for the disk takes longer than living."""


FORMAT: Final = 2
"""Of a war's folder. Since 2 its lines and documents carry seals."""


class Saved(msgspec.Struct, forbid_unknown_fields=True):
    """`state.json`: a war, and where its two growing files ended at that moment."""

    format: int
    days_planned: int
    plan_hash: str
    log: JournalEnd
    days: JournalEnd
    war: War


class WarFolder:
    """A war's folder and the war in it."""

    def __init__(
        self, path: Path, lock: RunLock, plan: Plan, saved: Saved, shown: list[Record]
    ) -> None:
        """Use `begin` or `open`."""
        self.path = path
        self.plan = plan
        self.days = saved.days_planned
        self.war = saved.war
        self.shown = shown
        self._plan_hash = saved.plan_hash
        self._log = Journal(path / LOG, saved.log)
        self._days = Journal(path / DAYS, saved.days)
        self._release = weakref.finalize(self, _let_go, lock, self._log, self._days)

    @classmethod
    def begin(cls, path: Path, plan: Plan, days: int, war: War) -> Self:
        """A new folder. Refuses one that already holds a war, or that another process writes."""
        path.mkdir(parents=True, exist_ok=True)
        with _locked(path) as lock:
            if (path / STATE).exists():
                raise WarFolderError(
                    f"{path} holds a war already; resume it, or give another folder"
                )
            (path / "battles").mkdir(exist_ok=True)
            told = plan.model_dump(mode="json")
            documents.write(path / PLAN, told)
            saved = Saved(FORMAT, days, documents.hash_of(told), EMPTY, EMPTY, war)
            folder = cls(path, lock, plan, saved, [])
        folder.keep()
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        """A war as it was after its last whole day; what was being written then is dropped.

        A file that is not as its writer left it is a `WarFolderError`; a war that another process
        is waging is a `RunBusyError`.
        """
        read_state(path)
        with _locked(path) as lock:
            # Once more: another process may have gone on with it before it let go of the lock.
            saved = read_state(path)
            plan = _plan_of(path, saved)
            for name, end in ((LOG, saved.log), (DAYS, saved.days)):
                if not (path / name).is_file():
                    raise WarFolderError(f"{path} holds no war: {name} is missing")
                try:
                    journal.check(path / name, end)
                except DamagedRunError as error:
                    raise WarFolderError(str(error)) from None
            shown = shapes.read_days(path / DAYS)[: saved.days.rows]
            return cls(path, lock, plan, saved, shown)

    def close(self) -> None:
        """Let others write the war. Nothing can be added after it."""
        self._release()

    def add(self, evening: Evening) -> None:
        """Write a day: battles and lines first, then, on some days, the state that counts them."""
        lines = chronicle.log_lines(evening.war, evening.records)
        evening.war.log_hash = chronicle.chained(evening.war.log_hash, lines)
        for battle in evening.battles:
            documents.write(
                self.path / "battles" / f"{battle.id}.json", _battle(battle), compact=True
            )
        names = [battle.id for battle in evening.battles]
        shown = chronicle.day_line(self.plan, evening.war, evening.records, names)
        for line in lines.splitlines():
            self._log.append_object(line)
        self._days.append_object(chronicle.line(shown).rstrip(b"\n"))
        self.war = evening.war
        self.shown.append(shown)
        if self.war.day % KEPT_DAYS == 0:
            self.keep()

    def write_summary(self) -> None:
        """Write `war.json` as of now."""
        document = chronicle.summary(self.plan, self.war, self.days, self.shown)
        end = msgspec.to_builtins(self._days.committed)
        documents.write(self.path / SUMMARY, {**document, DAYS_END: end}, compact=True)

    def keep(self) -> None:
        """Put everything so far on the disk for good."""
        self._log.sync()
        self._days.sync()
        saved = Saved(
            FORMAT,
            self.days,
            self._plan_hash,
            self._log.committed,
            self._days.committed,
            self.war,
        )
        documents.write(self.path / STATE, saved, compact=True)
        self.write_summary()


def read_state(path: Path) -> Saved:
    """The state of a war's folder."""
    place = path / STATE
    found = shapes.read(place, _Version).format
    if found != FORMAT:
        raise WarFolderError(
            f"{place} has format {found}; this build reads {FORMAT}: wage the war again, or use "
            "the version of Astrarium that wrote it"
        )
    return shapes.read(place, Saved)


class _Version(msgspec.Struct):
    """As much of a state as every format has."""

    format: int


def read_plan(path: Path) -> Plan:
    """The plan that a war's folder was begun with."""
    return _plan_of(path, read_state(path))


def _plan_of(path: Path, saved: Saved) -> Plan:
    place = path / PLAN
    given = shapes.read(place, dict[str, Any])
    found = documents.hash_of(given)
    if found != saved.plan_hash:
        raise WarFolderError(
            f"{place} has the hash {found}, and the war was begun with a plan of the hash "
            f"{saved.plan_hash}; restore it from a copy"
        )
    try:
        return load(given)
    except ConfigError as error:
        raise WarFolderError(f"{place} is not as it was written: {error}") from None


@contextlib.contextmanager
def _locked(path: Path) -> Generator[RunLock]:
    """The lock of a war, kept after the block unless that fails."""
    lock = RunLock(path)
    try:
        yield lock
    except BaseException:
        lock.release()
        raise


def _let_go(lock: RunLock, *journals: Journal) -> None:
    for one in journals:
        one.close()
    lock.release()


def read_summary(path: Path) -> dict[str, Any]:
    """`war.json` of a war's folder, with everything that its form says."""
    place = path / SUMMARY
    if shapes.read(place, Format).format != chronicle.FORMAT:
        raise WarFolderError(f"{place} is of another format than {chronicle.FORMAT}")
    summary = shapes.read(place, Summary)
    for fault in summary.faults():
        raise WarFolderError(f"{place} is not as it was written: {fault}")
    return msgspec.to_builtins(summary)


def _battle(battle: Battle) -> dict[str, Any]:
    return {
        "id": battle.id,
        "controllers": battle.controllers,
        "package": battle.package.model_dump(mode="json"),
        "result": battle.result.model_dump(mode="json"),
    }
