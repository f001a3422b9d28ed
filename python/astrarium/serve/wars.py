"""Wars as `astrarium campaign` left them: a folder each, read and never written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium.runs import DamagedRunError, RunNameError, RunNotFoundError, names
from astrarium.runs.documents import DOCUMENT_BYTES_MAX, open_plain
from astrarium.runs.documents import read as read_document
from astrarium.runs.journal import JournalEnd
from astrarium.runs.seals import START, SealError, open_line, seal_of
from astrarium.serve.paths import plain_file
from astrarium.serve.problems import Problem

FORMAT: Final = "astrarium-war.v1"
SUMMARY: Final = "war.json"
DAYS: Final = "days.jsonl"
BATTLES: Final = "battles"
SHOWN_MAX: Final = 500
"""Wars in a list."""


class _Head(msgspec.Struct):
    """As much of a summary as the list of wars shows."""

    format: str
    seed: int
    days: int
    days_planned: int
    finished: bool
    ended_by: str
    factions: list[dict[str, Any]]
    battles: list[msgspec.Raw]
    winner: str | None = None


class _Counted(msgspec.Struct):
    """As much of a summary as says how many days were written when it was."""

    days_end: JournalEnd


class _BattleFile(msgspec.Struct):
    """As much of a battle's file as is sent: without its package, which is large."""

    id: str
    controllers: dict[str, str]
    result: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DaysPage:
    """Lines of a war's days, as they are stored."""

    lines: list[bytes]
    next_offset: int
    has_more: bool


class Wars:
    """The wars below one folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def rows(self) -> list[dict[str, Any]]:
        """Every war, last touched first; folders that are none are left out."""
        found: list[tuple[int, dict[str, Any]]] = []
        for place in self._folders():
            try:
                facts = plain_file(place, SUMMARY).lstat()
            except (OSError, RunNameError):
                continue
            row = _row(str(place), facts.st_mtime_ns, facts.st_size)
            if row is not None:
                found.append((facts.st_mtime_ns, row))
        found.sort(key=lambda one: (-one[0], one[1]["war_id"]))
        return [row for _, row in found[:SHOWN_MAX]]

    def summary(self, war_id: str) -> dict[str, Any]:
        """The whole summary of a war."""
        try:
            document = read_document(self._file(war_id, SUMMARY), dict[str, Any])
        except (RunNameError, RunNotFoundError):
            raise _missing(war_id) from None
        except DamagedRunError:
            raise Problem(500, f"{SUMMARY} of the war {war_id!r} is damaged") from None
        if document.get("format") != FORMAT:
            raise Problem(500, f"{SUMMARY} of the war {war_id!r} is of another format")
        return document

    def days(self, war_id: str, offset: int, limit: int, bytes_max: int) -> DaysPage:
        """Whole lines from the day numbered `offset`, counted from 0."""
        lines: list[bytes] = []
        size, number = 0, -1
        counted = self._days_counted(war_id)
        try:
            with open_plain(self._file(war_id, DAYS)) as file:
                for number, line in enumerate(_whole_lines(file)):
                    if number < offset:
                        continue
                    if len(lines) == limit or size + len(line) > bytes_max:
                        return DaysPage(lines, offset + len(lines), True)
                    lines.append(line)
                    size += len(line)
        except (RunNameError, FileNotFoundError):
            raise _missing(war_id) from None
        except OSError as error:
            raise Problem(500, f"{DAYS} of {war_id!r} cannot be read: {error.strerror}") from error
        except SealError as error:
            raise Problem(500, f"{DAYS} of {war_id!r} is damaged: {error}") from error
        # A war that was taken up again counts fewer days.
        if number + 1 < counted and counted == self._days_counted(war_id):
            words = f"it has {number + 1} of the {counted} days"
            raise Problem(500, f"{DAYS} of {war_id!r} is damaged: {words}")
        return DaysPage(lines, offset + len(lines), False)

    def _days_counted(self, war_id: str) -> int:
        """The days that the summary counts; 0 where there is none yet."""
        try:
            return read_document(self._file(war_id, SUMMARY), _Counted).days_end.rows
        except (DamagedRunError, RunNameError, RunNotFoundError):
            return 0

    def battle(self, war_id: str, battle_id: str) -> dict[str, Any]:
        """Who fought, and what came of it."""
        try:
            names.check_run_id(battle_id)
            kept = read_document(self._file(war_id, f"{BATTLES}/{battle_id}.json"), _BattleFile)
        except (RunNameError, RunNotFoundError):
            raise Problem(404, f"the war {war_id!r} has no battle {battle_id!r}") from None
        except DamagedRunError:
            raise Problem(500, f"the battle {battle_id!r} is damaged") from None
        return msgspec.to_builtins(kept)

    def _folders(self) -> Iterator[Path]:
        try:
            with os.scandir(self._root) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False) and names.is_run_id(entry.name):
                        yield Path(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            return

    def _file(self, war_id: str, name: str) -> Path:
        """A file of a war. Raises `RunNameError` where a link or something else is in its place."""
        return plain_file(self._root, f"{names.check_run_id(war_id)}/{name}")


def replay_name(war_id: str, battle: dict[str, Any]) -> str:
    """The run in which a battle of a summary lies, if it was recorded.

    By its fingerprint: under the same id an earlier war of this name may have fought another.
    """
    return f"{war_id}-{battle.get('id')}-{battle.get('fingerprint')}"


def _missing(war_id: str) -> Problem:
    return Problem(404, f"there is no war {war_id!r}")


def _whole_lines(file: Any) -> Iterator[bytes]:
    """Days whose lines have an end: a war that is being waged may be writing the next one.

    Raises `SealError` where a line is not as it was sealed.
    """
    before = START
    for number in count(1):
        line = file.readline(DOCUMENT_BYTES_MAX)
        if not line.endswith(b"\n"):
            return
        try:
            yield open_line(line, before)
        except SealError as error:
            raise SealError(f"line {number}: {error}") from error
        before = seal_of(line) or ""


@lru_cache(maxsize=SHOWN_MAX)
def _row(path: str, mtime_ns: int, size: int) -> dict[str, Any] | None:
    """A war in the list; None for a folder that holds none. Read again only when it changed."""
    del mtime_ns
    place = Path(path)
    if size > DOCUMENT_BYTES_MAX:
        return None
    try:
        head = read_document(place / SUMMARY, _Head)
    except (DamagedRunError, RunNotFoundError):
        return None
    if head.format != FORMAT:
        return None
    return {
        "war_id": place.name,
        "seed": head.seed,
        "days": head.days,
        "days_planned": head.days_planned,
        "finished": head.finished,
        "winner": head.winner,
        "ended_by": head.ended_by,
        "factions": head.factions,
        "battles": len(head.battles),
    }
