"""TensorBoard: every figure of every window and update, as scalars over ticks.

Writes event files with TensorBoard's own writer, without TensorFlow and without torch.
"""

# TensorBoard has no types, and makes its records when it is imported.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportAttributeAccessIssue=false

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from astrarium.extras import require_extra
from astrarium.telemetry.events import Event, RunResumed, UpdateFinished
from astrarium.telemetry.sinks import STEP, figures, update_figures


class TensorBoardSink:
    """Scalars `window/<name>` and `update/<name>` in the event files of one folder."""

    name = "tensorboard"

    def __init__(self, folder: Path) -> None:
        require_extra("tensorboard", "track")
        self._folder = folder
        self._writer: Any = None
        self._resumed: RunResumed | None = None

    def window(self, row: Mapping[str, Any]) -> None:
        """Write the numbers of a row; a null has no point."""
        self._write("window", int(row[STEP]), figures(row))

    def event(self, event: Event) -> None:
        """Write the numbers of an update; note a resumption."""
        if isinstance(event, UpdateFinished):
            self._write("update", event.env_steps_total, update_figures(event))
        elif isinstance(event, RunResumed):
            self._resumed = event

    def close(self) -> None:
        """End the event file."""
        if self._writer is not None:
            self._writer.close()

    def _write(self, group: str, step: int, values: Mapping[str, float]) -> None:
        from tensorboard.compat.proto.event_pb2 import SessionLog
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        if self._writer is None:
            self._writer = EventFileWriter(str(self._folder))
        if self._resumed is not None:
            # Tells TensorBoard to forget the points that were cut off and come again.
            kept = self._resumed.env_steps_total
            restart = SessionLog(status=SessionLog.START)
            self._add(step if kept is None else kept + 1, session_log=restart)
            self._resumed = None
        points = [
            Summary.Value(tag=f"{group}/{name}", simple_value=value)
            for name, value in values.items()
            if not name.endswith(STEP)
        ]
        self._add(step, summary=Summary(value=points))
        # The bookmark says that this was delivered; a kill must not make that untrue.
        self._writer.flush()

    def _add(self, step: int, **content: Any) -> None:
        from tensorboard.compat.proto.event_pb2 import Event as Record

        self._writer.add_event(Record(wall_time=time.time(), step=step, **content))
