"""The sinks a config asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from astrarium.telemetry.parquet import ParquetSink
from astrarium.telemetry.ppo_log import PpoLogSink
from astrarium.telemetry.ppo_log_fields import Version
from astrarium.telemetry.sinks import FOLDER, Sink
from astrarium.telemetry.tensorboard import TensorBoardSink
from astrarium.telemetry.wandb import WandbSink

WandbMode = Literal["disabled", "offline", "online"]


def chosen_sinks(
    run_folder: Path,
    *,
    tensorboard: bool,
    wandb: WandbMode,
    wandb_project: str,
    parquet: bool,
    ppo_log: bool,
    ppo_log_version: Version,
    ppo_log_entries_max: int,
) -> list[Sink]:
    """Return the sinks of a run; raise where a library, a key or an option is missing.

    Nothing is written before a sink is handed something.
    """
    sinks: list[Sink] = []
    if tensorboard:
        sinks.append(TensorBoardSink(run_folder / FOLDER / "tensorboard"))
    if wandb != "disabled":
        own = run_folder / FOLDER
        sinks.append(WandbSink(run_folder, to=own, mode=wandb, project=wandb_project))
    if parquet:
        sinks.append(ParquetSink(run_folder))
    if ppo_log:
        own = run_folder / FOLDER
        sinks.append(PpoLogSink(own, version=ppo_log_version, entries_max=ppo_log_entries_max))
    return sinks
