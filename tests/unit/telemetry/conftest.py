"""A run to follow, written by hand: to the letter of the format, with cuts and torn lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from astrarium.runs import documents
from astrarium.runs.seals import START, seal_line, seal_of
from astrarium.telemetry import events
from astrarium.telemetry.events import Event, UpdateFinished, WindowClosed


def append_sealed(path: Path, body: bytes) -> None:
    """Append a line to a journal, chained to the last one."""
    before = path.read_bytes().splitlines(keepends=True)[-1:]
    line, _ = seal_line(body, str(seal_of(before[0])) if before else START)
    with path.open("ab") as file:
        file.write(line)


class HandWrittenRun:
    """The journals of a run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.windows = folder / "metrics" / "windows.jsonl"
        self.events = folder / "events.jsonl"
        self.windows.parent.mkdir(parents=True)
        self.windows.touch()
        self.events.touch()
        config = {"ppo": {"gamma": 0.99}}
        state = {"format": 2, "run_id": folder.name, "status": "running", "journals": {}}
        state["config_hash"] = documents.hash_of(config)
        documents.write(folder / "run_metadata.json", state)
        documents.write(folder / "config.json", config)

    def window(self, window_id: int, **fields: Any) -> dict[str, Any]:
        """Append a row and the event that tells of it."""
        row: dict[str, Any] = {
            "run_id": self.folder.name,
            "window_id": window_id,
            "window_complete": True,
            "env_steps_total": 1000 * (window_id + 1),
            "return_mean": 0.5 * window_id,
            "profit_mean": None,
            **fields,
        }
        self.append(self.windows, row)
        self.event(WindowClosed(window_id, row["env_steps_total"]))
        return row

    def update(self, number: int, env_steps_total: int, **figures: Any) -> Event:
        """Append an update."""
        return self.event(UpdateFinished(number, env_steps_total, env_steps_total, **figures))

    def event(self, event: Event) -> Event:
        """Append an event."""
        self.append(self.events, events.encode(event))
        return event

    @staticmethod
    def append(path: Path, row: Mapping[str, Any]) -> None:
        append_sealed(path, json.dumps(row).encode())

    def sizes(self) -> tuple[int, int]:
        """What a checkpoint's manifest would remember."""
        return self.windows.stat().st_size, self.events.stat().st_size

    def cut(self, sizes: tuple[int, int]) -> None:
        """Go back to a checkpoint."""
        for path, size in zip((self.windows, self.events), sizes, strict=True):
            with path.open("r+") as file:
                file.truncate(size)


@pytest.fixture(scope="session")
def new_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], HandWrittenRun]:
    """Another run at every call, for tests that need many."""
    return lambda: HandWrittenRun(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture
def run(tmp_path: Path) -> HandWrittenRun:
    return HandWrittenRun(tmp_path / "runs" / "run-1")
