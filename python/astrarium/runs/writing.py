"""The only writer of a run folder.

Each call leaves the folder whole: a process killed at any moment loses what had not returned yet,
and nothing else. A checkpoint is on the disk before older ones are thinned out, a replay before the
index names it, a row before the metadata counts it.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium import atomic
from astrarium.atomic import WriteError
from astrarium.runs import (
    checkpoints,
    documents,
    founding,
    metadata,
    names,
    replay_index,
    replays,
    resuming,
    run_config,
)
from astrarium.runs.checkpoints import Checkpoint, RunPosition
from astrarium.runs.errors import ReplayError, RunNotFoundError, RunOrderError
from astrarium.runs.journal import EMPTY, Journal, JournalEnd
from astrarium.runs.lock import RunLock
from astrarium.runs.metadata import Metadata, RunFacts, Status
from astrarium.runs.moments import Now, utc_now, written
from astrarium.runs.replay_index import ReplayEntry, ReplayIndex
from astrarium.runs.replays import Replay

KEEP: Final = 2
"""Checkpoints that can be resumed from: the newest, and one more should a disk spoil that."""
RESUMABLE_BYTES_MAX: Final = 16 << 20
"""What they may take together, the newest always: a second large batch is not worth its room."""

_NO_CHECKPOINT: Final[Mapping[str, Any]] = {"window_id": 0, "path": "", "env_steps_total": 0}
"""Stands where a replay names the checkpoint that played it."""

_NO_ENDS: Final[Mapping[str, JournalEnd]] = {}
"""Of a run whose journals are empty."""

_log: Final = logging.getLogger(__name__)


class RunWriter:
    """One run being written, by the process that holds its lock."""

    def __init__(
        self,
        folder: Path,
        lock: RunLock,
        state: Metadata,
        index: ReplayIndex,
        keep: int,
        now: Now,
        ends: Mapping[str, JournalEnd] = _NO_ENDS,
    ) -> None:
        """Use `create` or `resume`."""
        self._folder = folder
        self._lock = lock
        self._state: Metadata = state
        self._index = index
        self._keep = keep
        self._now = now
        self._windows = Journal(folder / names.WINDOWS, ends.get(names.WINDOWS, EMPTY))
        self._events = Journal(folder / names.EVENTS, ends.get(names.EVENTS, EMPTY))
        self._told: Journal | None = None
        """What the world tells; begun with its first line."""
        if (folder / names.WORLD_EVENTS).exists():
            told = ends.get(names.WORLD_EVENTS, EMPTY)
            self._told = Journal(folder / names.WORLD_EVENTS, told)
        self._resumable = [
            place for _, place in checkpoints.folders(folder) if checkpoints.is_resumable(place)
        ]
        self._open = True

    @classmethod
    def create(
        cls,
        root: Path,
        config: Mapping[str, Any],
        facts: RunFacts,
        run_id: str | None = None,
        *,
        keep: int = KEEP,
        now: Now = utc_now,
    ) -> RunWriter:
        """Begin a run below `root`, under its own folder; `config` is kept with it as it is.

        Without a `run_id`, the run is named after the moment and the commit, with a number where
        another run has that name already.
        """
        folder, lock, state = founding.found(root, config, facts, run_id, now())
        try:
            return cls(folder, lock, state, ReplayIndex(state["run_id"], ()), keep, now)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def resume(
        cls,
        folder: Path,
        *,
        keep: int = KEEP,
        now: Now = utc_now,
        allow_config_change: bool = False,
    ) -> tuple[RunWriter, Checkpoint]:
        """Go on with a run from its newest whole checkpoint, forgetting what came after it.

        The run stands where `save_checkpoint` returned: whatever followed that call (the
        evaluation of that checkpoint, its replay, its events) is to be done again.

        A config.json that is not the one the run was begun with is a `ConfigChangedError`; with
        `allow_config_change` it is taken as it is, and the metadata notes both hashes.
        """
        if not (folder / names.METADATA).is_file():
            raise RunNotFoundError(f"there is no run in {folder}: it has no {names.METADATA}")
        with contextlib.ExitStack() as on_failure:
            lock = RunLock(folder)
            on_failure.callback(lock.release)
            left = resuming.state_left(folder)
            point = resuming.newest(folder)
            manifest, at = point.manifest, written(now())
            before = _config_hash(manifest.metadata, left)
            config_hash = run_config.settle(folder, before, allow_change=allow_config_change)
            index = resuming.roll_back(folder, manifest, at)
            status = left.get("status")
            note = {
                "at": at,
                "window_id": manifest.window_id,
                "was": "killed" if status == "running" else status,
                "passed_over": point.passed_over,
            }
            if config_hash != before:
                note["config_hash_before"], note["config_hash_after"] = before, config_hash
            state = metadata.resumed(
                manifest.metadata, left.get("resumes", []), note, config_hash, manifest.journals
            )
            # First: what the metadata counts is there at every moment.
            documents.write(folder / names.METADATA, state)
            writer = cls(folder, lock, state, index, keep, now, manifest.journals)
            writer._thin_out()
            writer._write(state)
            on_failure.pop_all()
        return writer, point.checkpoint

    @property
    def folder(self) -> Path:
        """Where the run lies."""
        return self._folder

    @property
    def run_id(self) -> str:
        """The name of the run."""
        return self._state["run_id"]

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The state of the run as last written."""
        return self._state

    def append_window(self, row: Mapping[str, Any]) -> None:
        """Add the row of a window; it is on the disk when this returns."""
        self._check_open()
        expected = self._state["windows_emitted"]
        if row.get("window_id") != expected:
            raise RunOrderError(f"the next row is of window {expected}, not {row.get('window_id')}")
        try:
            state = metadata.after_window(self._state, row)
        except KeyError as error:
            raise RunOrderError(f"the row of window {expected} lacks {error}") from error
        # First, so that no row is there without the events before it.
        self._sync_events()
        self._windows.append_durably(row)
        self._write(state)

    def append_event(self, event: Mapping[str, Any] | msgspec.Struct) -> None:
        """Add an event; it is on the disk after the next window, checkpoint or end of the run."""
        self._check_open()
        self._events.append(event)

    def append_world_events(self, told: Sequence[Mapping[str, Any]]) -> None:
        """Add what the world told, with the present moment; kept like an event."""
        self._check_open()
        if told and self._told is None:
            self._told = Journal(self._folder / names.WORLD_EVENTS)
        at = written(self._now())
        for one in told:
            assert self._told is not None
            self._told.append({**one, "at": at})

    def save_checkpoint(self, checkpoint: Checkpoint) -> Path:
        """Write the checkpoint of the window just added; its folder."""
        self._check_open()
        window_id, latest = checkpoint.window_id, self._state["latest_checkpoint"]
        if window_id != self._state["windows_emitted"] - 1:
            raise RunOrderError(
                f"a checkpoint of window {window_id} after {self._state['windows_emitted']} "
                "windows; take it when its window is the last one added"
            )
        if latest is not None and latest["window_id"] == window_id:
            raise RunOrderError(f"window {window_id} has a checkpoint already")
        at = written(self._now())
        state = metadata.after_checkpoint(self._state, window_id, checkpoint.env_steps_total, at)
        self._sync_events()
        ends = self._ends()
        position = RunPosition(
            journals=ends,
            replay_entries=len(self._index.entries),
            metadata={**state, "journals": msgspec.to_builtins(ends)},
            created_at=at,
        )
        place = self._folder / names.checkpoint_path(window_id)
        checkpoints.save(place, checkpoint, position)
        self._resumable.append(place)
        self._thin_out()
        self._write(state)
        return place

    def add_replay(
        self,
        replay: Replay,
        *,
        return_total: float,
        steps: int,
        profit: float | None,
        survival: float | None,
        terminated: bool,
        truncated: bool,
        played_by: str | None = None,
    ) -> ReplayEntry:
        """Record an episode of the latest checkpoint's policy, or of whom `played_by` names.

        That is a tag of somebody without a checkpoint: `HUMAN` or `BOT`.
        """
        self._check_open()
        player = _NO_CHECKPOINT if played_by else self._state["latest_checkpoint"]
        if player is None:
            raise RunOrderError("a replay names the checkpoint that played; save one first")
        if not math.isfinite(return_total):
            raise ReplayError(f"return_total is {return_total}; an episode has a finite return")
        content = replays.encode(replay)
        replay_id = replays.new_replay_id(player["window_id"], content)
        if self._index.find(replay_id) is not None:
            raise ReplayError(f"{replay_id} is recorded already")
        packed = replays.compress(content)
        at = written(self._now())
        earned = replay_index.tags_for(
            self._index.entries, return_total, profit, survival, self._state["milestones"]
        )
        entry = ReplayEntry(
            run_id=self.run_id,
            window_id=player["window_id"],
            replay_id=replay_id,
            replay_path=names.replay_path(replay_id),
            checkpoint_path=player["path"],
            tags=[played_by, *earned] if played_by else earned,
            trainer_backend=self._state["trainer_backend"],
            return_total=return_total,
            steps=steps,
            profit=profit,
            survival=survival,
            terminated=terminated,
            truncated=truncated,
            checkpoint_env_steps_total=player["env_steps_total"],
            created_at=at,
            sha256=hashlib.sha256(packed).hexdigest(),
        )
        self._publish(entry, packed)
        self._write(metadata.after_replay(self._state, msgspec.to_builtins(entry)))
        return entry

    def update(self, **fields: Any) -> None:
        """Write fields of the trainer's own into the metadata."""
        self._check_open()
        self._write(metadata.with_fields(self._state, fields))

    def finish(self) -> None:
        """The run did all it was to do."""
        self._end("completed", None)

    def pause(self) -> None:
        """The run was asked to stop and can be resumed."""
        self._end("interrupted", None)

    def fail(self, error: BaseException) -> None:
        """The run broke. Never raises: the error that matters is the one given."""
        if not self._open:
            return
        try:
            self._end("failed", error)
        except WriteError as second:
            _log.warning("the failure of %s could not be noted: %s", self.run_id, second)
            self._close()

    def _end(self, status: Status, error: BaseException | None) -> None:
        self._check_open()
        self._sync_events()
        self._write(metadata.ended(self._state, status, written(self._now()), error))
        self._close()

    def _close(self) -> None:
        self._open = False
        self._windows.close()
        self._events.close()
        if self._told is not None:
            self._told.close()
        self._lock.release()

    def _sync_events(self) -> None:
        self._events.sync()
        if self._told is not None:
            self._told.sync()

    def _ends(self) -> dict[str, JournalEnd]:
        """Where each journal ends, as far as it is on the disk."""
        own = {} if self._told is None else {names.WORLD_EVENTS: self._told.committed}
        return {names.WINDOWS: self._windows.committed, names.EVENTS: self._events.committed, **own}

    def _check_open(self) -> None:
        if not self._open:
            raise RunOrderError(f"run {self.run_id} is {self._state['status']}; resume it to go on")

    def _write(self, state: Metadata) -> None:
        ends = msgspec.to_builtins(self._ends())
        self._state = {**state, "journals": ends, "updated_at": written(self._now())}
        documents.write(self._folder / names.METADATA, self._state)

    def _publish(self, entry: ReplayEntry, packed: bytes) -> None:
        """The file first: what an index names is there.

        Where the index cannot be written the file stays: an error may come after the new index
        is in its place, and a file that no index names goes with the next resume.
        """
        index = ReplayIndex(self.run_id, [*self._index.entries, entry])
        atomic.write_bytes(self._folder / entry.replay_path, packed)
        replay_index.write(self._folder, index, entry.created_at)
        self._index = index

    def _thin_out(self) -> None:
        """Leave older checkpoints their policies only."""
        total, kept = 0, list[Path]()
        for place in reversed(self._resumable):
            try:
                total += checkpoints.resumable_bytes(place)
                if not kept or (len(kept) < self._keep and total <= RESUMABLE_BYTES_MAX):
                    kept.append(place)
                else:
                    checkpoints.prune(place)
            except OSError as error:
                # The run is whole without this; it only takes more room.
                _log.warning("%s keeps more than its policy: %s", place, error)
        self._resumable = kept[::-1]


def _config_hash(then: Mapping[str, Any], left: Mapping[str, Any]) -> str:
    """Return the hash of the config a run last went on with; older checkpoints may have another."""
    found = left.get("config_hash", then.get("config_hash"))
    return found if isinstance(found, str) else ""
