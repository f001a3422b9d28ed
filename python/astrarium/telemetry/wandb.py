"""Weights & Biases: one log call a window, models and replays as artifacts.

The library takes the key from `WANDB_API_KEY`; it is in no file and no message of ours. Besides
what is logged here W&B is told the host's name, the program and the packages installed, never code.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from astrarium.errors import ConfigError, did_you_mean
from astrarium.extras import require_extra
from astrarium.runs import RunFolder, names
from astrarium.runs.checkpoints import MANIFEST, POLICY
from astrarium.telemetry.events import (
    CheckpointWritten,
    Event,
    ReplayRecorded,
    RunFailed,
    UpdateFinished,
)
from astrarium.telemetry.sinks import update_figures

if TYPE_CHECKING:
    import wandb

KEY: Final = "WANDB_API_KEY"

Mode = Literal["offline", "online"]
"""`offline` writes a folder that `wandb sync` can send later. Disabled is no sink at all."""

FINISH_SECONDS: Final = 45.0
"""How long a run that has ended may go on uploading."""

_MODEL_FILES: Final = (POLICY, MANIFEST)
_NAME_LENGTH_MAX: Final = 128
_PROJECT_REFUSED: Final = "/\\#?%:"
"""What W&B allows in no name of a project."""


class WandbSink:
    """A run at W&B, under the id it has here, drawn over ticks (`env_steps_total`).

    Steps that W&B already has are ignored there, so what is told again after a resumption counts
    once. Offline, each process that works on a run leaves a folder of its own.
    """

    name = "wandb"

    def __init__(self, run_folder: Path, *, to: Path, mode: Mode, project: str) -> None:
        """`to` is where the library keeps its files, in a folder of its own."""
        if mode not in get_args(Mode):
            raise ConfigError(
                f"wandb mode is {mode!r}{did_you_mean(str(mode), get_args(Mode))} "
                f"(allowed: {', '.join(get_args(Mode))})"
            )
        if mode == "online" and not os.environ.get(KEY):
            raise ConfigError(
                f"wandb mode 'online' needs your key in the environment: set {KEY}, or use "
                "'offline' and send the run later with `wandb sync`"
            )
        if not 0 < len(project) <= _NAME_LENGTH_MAX or set(project) & set(_PROJECT_REFUSED):
            raise ConfigError(
                f"wandb project is {project!r}; give 1 to {_NAME_LENGTH_MAX} characters other "
                f"than {' '.join(_PROJECT_REFUSED)}"
            )
        require_extra("wandb", "track")
        self._folder = run_folder
        self._to = to
        self._mode: Mode = mode
        self._project = project
        self._run: wandb.Run | None = None
        self._update: dict[str, float] = {}
        self._exit_code = 0

    @property
    def url(self) -> str | None:
        """Where to look at the run: None offline, and until W&B has answered."""
        return None if self._run is None else self._run.url

    def window(self, row: Mapping[str, Any]) -> None:
        """Log a row with the newest update's figures beside it; nulls are left out."""
        known = {name: value for name, value in row.items() if value is not None}
        self._started().log({**known, **self._update}, step=int(row["env_steps_total"]))

    def event(self, event: Event) -> None:
        """Keep the figures of an update for the next row; log a checkpoint or a replay."""
        match event:
            case UpdateFinished():
                for name, value in update_figures(event).items():
                    self._update[f"update/{name}"] = value
            case CheckpointWritten(path=path, window_id=window_id):
                folder = names.inside(self._folder, path)
                files = [folder / name for name in _MODEL_FILES]
                self._log_artifact("model", "", files, [f"window-{window_id}"])
            case ReplayRecorded(window_id=window_id, replay_id=replay_id, tags=tags):
                file = self._folder / names.replay_path(names.check_replay_id(replay_id))
                aliases = [f"window-{window_id}", *map(_alias, tags)]
                self._log_artifact("replay", f"-{window_id:06d}-{replay_id}", [file], aliases)
            case RunFailed():
                self._exit_code = 1
            case _:
                pass

    def close(self) -> None:
        """Finish the run at W&B; raises when the upload takes too long."""
        if self._run is not None:
            self._run.finish(exit_code=self._exit_code)

    def _started(self) -> wandb.Run:
        if self._run is None:
            import wandb

            self._to.mkdir(parents=True, exist_ok=True)
            # Told twice: what is told to `init` alone comes too late to keep the library from
            # printing where it found the key, and from reporting on its own use while offline.
            wandb.setup(wandb.Settings(silent=True, mode=self._mode))
            self._run = wandb.init(
                id=self._folder.resolve().name,
                project=self._project,
                config=RunFolder.open(self._folder).config(),
                mode=self._mode,
                dir=self._to,
                resume="allow" if self._mode == "online" else None,
                reinit="create_new",
                settings=wandb.Settings(
                    silent=True,
                    console="off",
                    save_code=False,
                    disable_code=True,
                    disable_git=True,
                    finish_timeout=FINISH_SECONDS,
                    finish_timeout_raises=True,
                ),
            )
        return self._run

    def _log_artifact(
        self, kind: str, ending: str, files: Iterable[Path], aliases: Iterable[str]
    ) -> None:
        import wandb

        present = [file for file in files if file.is_file()]
        if not present:
            return  # taken away again by a resumption before this thread came to it
        run = self._started()
        artifact = wandb.Artifact(_artifact_name(kind, run.id, ending), type=kind)
        for file in present:
            artifact.add_file(str(file), name=file.name)
        run.log_artifact(artifact, aliases=list(dict.fromkeys(["latest", *aliases])))


def _alias(tag: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", tag)


def _artifact_name(kind: str, run_id: str, ending: str) -> str:
    """`kind-run_id` and an ending; a run id too long for W&B is cut and told apart by a hash."""
    room = _NAME_LENGTH_MAX - len(f"{kind}-{ending}")
    if len(run_id) > room:
        digest = hashlib.sha256(run_id.encode()).hexdigest()[:8]
        run_id = f"{run_id[: room - 9]}-{digest}"
    return f"{kind}-{run_id}{ending}"
