"""A run told call by call: what had returned when it was stopped, and whether it is all there."""

from __future__ import annotations

from pathlib import Path

from run_parts import (
    OUTCOME,
    after_checkpoint,
    checkpoint,
    new_run,
    replay,
    row,
    still,
    story_of,
    train,
)

from astrarium.runs import NoCheckpointError, RunFolder, RunWriter

WINDOWS = 3


class Told:
    """A run of a few windows, and what its writer has promised so far."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.writer: RunWriter | None = None
        self.rows = 0
        self.events: list[str] = []
        self.checkpoints = 0
        self.replays: list[str] = []

    def tell(self) -> None:
        """The whole run."""
        self.writer = writer = new_run(self.root, keep=1)
        for window_id in range(WINDOWS):
            self._event("update", window_id)
            writer.append_window(row(window_id))
            self.rows += 1
            writer.update(ppo_policy_updates=window_id)
            writer.save_checkpoint(checkpoint(window_id))
            self.checkpoints += 1
            self._event("checkpoint", window_id)
            outcome = OUTCOME | {"return_total": float(window_id % 3)}
            self.replays.append(writer.add_replay(replay(window_id), **outcome).replay_id)
        writer.finish()

    def _event(self, kind: str, window_id: int) -> None:
        assert self.writer is not None
        self.writer.append_event({"kind": kind, "window_id": window_id})
        self.events.append(kind)

    def check(self, folder: Path) -> None:
        """Everything that was promised is there; at most one more thing is; nothing is in part."""
        run = RunFolder.open(folder)
        rows = run.windows()
        assert rows == [row(window_id) for window_id in range(len(rows))]
        assert self.rows <= len(rows) <= self.rows + 1
        kinds = [event["kind"] for event in run.events()]
        assert kinds[: len(self.events)] == self.events
        assert len(kinds) <= len(self.events) + 1
        windows = [one.window_id for one in run.checkpoints()]
        assert windows == list(range(len(windows)))
        assert self.checkpoints <= len(windows) <= self.checkpoints + 1
        for window_id in windows:
            assert run.load_checkpoint(window_id).state == checkpoint(window_id).state
        if windows:
            assert run.load_checkpoint(resumable=True).worlds == checkpoint(windows[-1]).worlds
        entries = [entry.replay_id for entry in run.replay_index().entries]
        assert entries[: len(self.replays)] == self.replays
        assert len(entries) <= len(self.replays) + 1
        for window_id, replay_id in enumerate(entries):
            assert run.replay(replay_id) == replay(window_id)
        assert run.metadata()["windows_emitted"] <= len(rows)


def finish(folder: Path) -> dict[str, object] | None:
    """Resume a run and do the rest: its story, or None where it has nothing to resume from."""
    try:
        writer, point = RunWriter.resume(folder, keep=1, now=still)
    except NoCheckpointError:
        return None
    after_checkpoint(writer, point.window_id)
    train(writer, range(point.window_id + 1, WINDOWS))
    writer.finish()
    return story_of(folder)
