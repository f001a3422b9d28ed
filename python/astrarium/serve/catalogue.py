"""An index of the runs folder that is kept, not rebuilt.

Each run has a row that is ready to send. It is read again only when one of the run's two polled
files changed, so looking over thousands of runs costs a few `stat` calls each, and a list costs
none. Runs may appear, change, break and go at any moment.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from astrarium.runs import ReplayEntry, RunError, RunFolder, RunNotFoundError, lock, names
from astrarium.runs import replay_index as indexes
from astrarium.runs.documents import read as read_document
from astrarium.runs.metadata import Kind
from astrarium.serve.paths import is_plain_folder, plain_file

_REST_FACTOR: Final = 20
"""Between two looks there are at least this many times as many seconds as the last one took."""

Stamp = tuple[tuple[int, int, int] | None, ...]
"""Of each polled file: inode, time and size; and whether there are world events."""


class Row(msgspec.Struct, frozen=True):
    """A run in the list of runs."""

    run_id: str
    status: Literal["running", "completed", "failed", "interrupted", "killed", "broken"]
    kind: Kind | None = None
    trainer_backend: str | None = None
    env_steps_total: int | None = None
    windows_emitted: int | None = None
    checkpoints_written: int | None = None
    latest_checkpoint: dict[str, Any] | None = None
    latest_replay: dict[str, Any] | None = None
    replay_count: int = 0
    updated_at: str | None = None
    started_at: str | None = None
    finished_at: str | None = None
    world: str | None = None
    seed: int | None = None
    best_replay: ReplayEntry | None = None
    problem: str | None = None
    has_world_events: bool = False


class _Told(msgspec.Struct, frozen=True):
    """As much of a run's metadata as its row shows."""

    run_id: str
    status: Literal["running", "completed", "failed", "interrupted", "killed"]
    trainer_backend: str
    env_steps_total: int
    windows_emitted: int
    checkpoints_written: int
    updated_at: str
    started_at: str
    kind: Kind = "training"
    world: str | None = None
    latest_checkpoint: dict[str, Any] | None = None
    latest_replay: dict[str, Any] | None = None
    finished_at: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one run, as of its files' stamp."""

    folder: Path
    stamp: Stamp
    row: Row
    encoded: bytes
    entries: Sequence[ReplayEntry]
    by_id: Mapping[str, ReplayEntry]


@dataclass(frozen=True, slots=True)
class Changes:
    """What a look over the folder found, against the look before."""

    changed: Sequence[tuple[Known | None, Known]]
    """Runs that appeared or changed, each with what was known of it before."""
    gone: Sequence[str]


class Catalogue:
    """All runs below one folder; for any number of threads."""

    def __init__(self, root: Path, sweep_seconds: float) -> None:
        self.root = root
        self._sweep_seconds = sweep_seconds
        self._known: dict[str, Known] = {}
        self._ordered: list[Known] = []
        self._next_sweep = 0.0
        self._lock = threading.Lock()

    def sweep(self) -> Changes:
        """Look over the whole folder now."""
        with self._lock:
            return self._sweep()

    def runs(self) -> Sequence[Known]:
        """Every run, last updated first, broken ones at the end; looks only now and then."""
        if time.monotonic() >= self._next_sweep:
            with self._lock:
                if time.monotonic() >= self._next_sweep:
                    self._sweep()
        return self._ordered

    def find(self, run_id: str) -> Known:
        """One run as it is now. Raises `RunNotFoundError` where there is none."""
        names.check_run_id(run_id)
        folder = self.root / run_id
        earlier = self._known.get(run_id)
        now = _looked_at(folder, run_id, earlier)
        if now is None:
            raise RunNotFoundError(f"there is no run {run_id!r}")
        return now

    @property
    def rest_seconds(self) -> float:
        """How long the folder should be left alone after the last look; a large one longer."""
        return max(0.0, self._next_sweep - time.monotonic())

    def __len__(self) -> int:
        return len(self._ordered)

    def _sweep(self) -> Changes:
        began = time.monotonic()
        seen: dict[str, Known] = {}
        changed: list[tuple[Known | None, Known]] = []
        for run_id, folder in _folders(self.root):
            earlier = self._known.get(run_id)
            now = _looked_at(folder, run_id, earlier)
            if now is None:
                continue
            seen[run_id] = now
            if now is not earlier:
                changed.append((earlier, now))
        gone = [run_id for run_id in self._known if run_id not in seen]
        self._known = seen
        if changed or gone:
            # Newest first; a broken run has no time, so it comes last.
            self._ordered = sorted(
                seen.values(), key=lambda one: (one.row.updated_at or "", one.row.run_id)
            )[::-1]
        ended = time.monotonic()
        self._next_sweep = ended + max(self._sweep_seconds, _REST_FACTOR * (ended - began))
        return Changes(changed, gone)


def _folders(root: Path) -> Iterator[tuple[str, Path]]:
    """Folders that may be runs; a link may lead anywhere and is none."""
    try:
        with os.scandir(root) as found:
            for one in found:
                if names.is_run_id(one.name) and one.is_dir(follow_symlinks=False):
                    yield one.name, root / one.name
    except (FileNotFoundError, NotADirectoryError):
        return


def _stamp(folder: Path) -> Stamp:
    found: list[tuple[int, int, int] | None] = []
    for name in (names.METADATA, names.REPLAY_INDEX):
        try:
            facts = os.lstat(f"{folder}/{name}")
        except OSError:
            found.append(None)
        else:
            regular = stat.S_ISREG(facts.st_mode)
            found.append((facts.st_ino, facts.st_mtime_ns, facts.st_size) if regular else _LINK)
    # Grows all the time; the row shows only whether it is there.
    found.append((1, 0, 0) if world_events_bytes(folder) is not None else None)
    return tuple(found)


_LINK: Final = (0, 0, 0)


def world_events_bytes(folder: Path) -> int | None:
    """How long a run's file of world events is; None without one, or where it is a link."""
    try:
        facts = os.lstat(f"{folder}/{names.WORLD_EVENTS}")
    except OSError:
        return None
    return facts.st_size if stat.S_ISREG(facts.st_mode) else None


def _looked_at(folder: Path, run_id: str, earlier: Known | None) -> Known | None:
    """The run in a folder: as known where nothing changed, None where there is none."""
    stamp = _stamp(folder)
    if stamp[0] is None or not is_plain_folder(folder):
        return None
    if earlier is not None and earlier.stamp == stamp:
        # A run that was killed changes no file: only its lock tells.
        alive = earlier.row.status == "running"
        if not alive or _is_held(folder):
            return earlier
    try:
        row, entries = _read(folder, run_id, stamp)
    except RunNotFoundError:
        return None
    except (RunError, msgspec.ValidationError) as error:
        row, entries = Row(run_id, "broken", problem=_words(error, folder)), ()
    by_id = {entry.replay_id: entry for entry in entries}
    return Known(folder, stamp, row, msgspec.json.encode(row), entries, by_id)


def _is_held(folder: Path) -> bool:
    try:
        plain_file(folder, names.LOCK)
    except RunError:
        return False
    return lock.is_held(folder)


def _read(folder: Path, run_id: str, stamp: Stamp) -> tuple[Row, Sequence[ReplayEntry]]:
    for name in (names.METADATA, names.LOCK):
        plain_file(folder, name)
    run = RunFolder.open(folder)
    told = read_document(folder / names.METADATA, _Told)
    status = told.status
    if status == "running":
        status = run.status()
    problem: str | None = None
    entries: Sequence[ReplayEntry] = ()
    try:
        plain_file(folder, names.REPLAY_INDEX)
        entries = indexes.read(folder, told.run_id).entries
    except RunError as error:
        problem = _words(error, folder)
    row = Row(
        run_id=run_id,
        status=status,
        kind=told.kind,
        trainer_backend=told.trainer_backend,
        env_steps_total=told.env_steps_total,
        windows_emitted=told.windows_emitted,
        checkpoints_written=told.checkpoints_written,
        latest_checkpoint=told.latest_checkpoint,
        latest_replay=told.latest_replay,
        replay_count=len(entries),
        updated_at=told.updated_at,
        started_at=told.started_at,
        finished_at=told.finished_at,
        world=told.world,
        seed=_seed(run),
        best_replay=max(entries, key=lambda one: one.return_total, default=None),
        problem=problem,
        has_world_events=stamp[2] is not None,
    )
    return row, entries


def _seed(run: RunFolder) -> int | None:
    """The seed of a run, where its config says."""
    try:
        plain_file(run.folder, names.CONFIG)
        config = run.config()
    except RunError:
        return None
    section = config.get("run")
    seed = section.get("seed") if isinstance(section, dict) else config.get("seed")  # pyright: ignore
    return seed if type(seed) is int else None  # pyright: ignore[reportUnknownArgumentType]


def _words(error: Exception, folder: Path) -> str:
    """What is wrong, without where on this machine the runs lie."""
    return str(error).replace(str(folder.parent), "runs")
