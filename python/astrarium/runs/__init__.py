"""The run folder: its only writer, its readers and its file formats."""

from __future__ import annotations

from astrarium.runs.checkpoints import Checkpoint
from astrarium.runs.errors import (
    CheckpointError,
    ConfigChangedError,
    DamagedRunError,
    NoCheckpointError,
    ReplayError,
    RunBusyError,
    RunError,
    RunExistsError,
    RunNameError,
    RunNotFoundError,
    RunOrderError,
)
from astrarium.runs.metadata import MILESTONES, RunFacts, Status
from astrarium.runs.reading import CheckpointPlace, RunFolder, RunSummary, list_runs
from astrarium.runs.replay_index import ReplayEntry, ReplayIndex
from astrarium.runs.replays import Frame, Header, Replay
from astrarium.runs.windows import TIMING_FIELDS, WindowMeter
from astrarium.runs.writing import RunWriter

__all__ = [
    "MILESTONES",
    "TIMING_FIELDS",
    "Checkpoint",
    "CheckpointError",
    "CheckpointPlace",
    "ConfigChangedError",
    "DamagedRunError",
    "Frame",
    "Header",
    "NoCheckpointError",
    "Replay",
    "ReplayEntry",
    "ReplayError",
    "ReplayIndex",
    "RunBusyError",
    "RunError",
    "RunExistsError",
    "RunFacts",
    "RunFolder",
    "RunNameError",
    "RunNotFoundError",
    "RunOrderError",
    "RunSummary",
    "RunWriter",
    "Status",
    "WindowMeter",
    "list_runs",
]
