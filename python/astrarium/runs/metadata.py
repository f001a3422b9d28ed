"""The live state of a run, `run_metadata.json`, as functions from one state to the next.

Paths in it are relative to the run folder. The writer alone keeps the fields named here; a trainer
adds its own through `RunFacts.extra` and `RunWriter.update`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec

from astrarium.errors import ConfigError
from astrarium.runs import documents, names
from astrarium.runs.errors import DamagedRunError, RunOrderError
from astrarium.runs.journal import EMPTY, JournalEnd

FORMAT: Final = 2
"""Of a run folder. Since 2 its lines and documents carry seals."""

Metadata = dict[str, Any]
Status = Literal["running", "completed", "failed", "interrupted", "killed"]
"""`interrupted` and `killed` runs can be resumed; a run is `killed` when it says that it is
running and no process holds its lock."""

Kind = Literal["training", "baseline", "growth", "battle", "bot", "human"]
"""What a run is a record of: a training, windows of random actions, hosts grown by a scripted
controller, a battle of a war, an episode of a scripted player, or a game played by hand."""

KIND_WORDS: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        "training": "a training run",
        "baseline": "a baseline of random actions",
        "growth": "a run of hosts grown by a scripted controller",
        "battle": "a recorded battle of a war",
        "bot": "a recorded episode of a scripted player",
        "human": "a game played by hand",
    }
)


def kind_of(state: Mapping[str, Any]) -> Kind:
    """Return what a run is a record of; a training where its metadata does not say."""
    for kind in KIND_WORDS:
        if kind == state.get("kind"):
            return kind
    return "training"


_COUNTS: Final = (
    *("env_steps_total", "target_env_steps", "window_env_steps", "episodes_total"),
    *("windows_emitted", "checkpoints_written"),
)
_WORDS: Final = ("run_id", "kind", "world", "trainer_backend", "started_at", "updated_at")


def fault_of(state: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the fields that readers rely on, where a run has them."""
    for fields, form, words in ((_COUNTS, int, "a whole number"), (_WORDS, str, "a text")):
        for name in fields:
            if name in state and type(state[name]) is not form:
                return f"{name} is {state[name]!r}, not {words}"
    return None


MILESTONES: Final[Mapping[str, Sequence[float]]] = MappingProxyType(
    {"profit": (100.0, 500.0, 1000.0), "return": (10.0, 25.0, 50.0), "survival": (1.0,)}
)
"""Figures of a replay and the values at which it earns a tag, unless a run says otherwise."""

_OPEN_FIELDS: Final = ("target_env_steps", "wandb_run_url", "constellation_url")
"""Known from the start, for the trainer to change: a resumed run may be asked to go further."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run before it begins."""

    trainer_backend: str
    target_env_steps: int
    window_env_steps: int
    world: str
    machine: Mapping[str, Any]
    commit: str
    info_metric_keys: Sequence[str]
    kind: Kind = "training"
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Fields of the trainer's own, such as `ppo_device`."""
    milestones: Mapping[str, Sequence[float]] = field(default_factory=lambda: MILESTONES)
    """By figure (profit, return, survival), the values that earn a replay a tag."""

    def __post_init__(self) -> None:
        for figure, thresholds in self.milestones.items():
            if figure not in MILESTONES:
                raise ConfigError(f"milestones of {figure!r}: use {', '.join(MILESTONES)}")
            if not all(math.isfinite(one) and one >= 0 for one in thresholds):
                raise ConfigError(
                    f"milestones of {figure} are {list(thresholds)}; give finite values from 0 up"
                )


def begin(run_id: str, facts: RunFacts, at: str, config_hash: str) -> Metadata:
    """The state of a run that has done nothing yet."""
    return with_fields(_kept_by_the_writer(run_id, facts, at, config_hash), facts.extra)


def _kept_by_the_writer(run_id: str, facts: RunFacts, at: str, config_hash: str) -> Metadata:
    return {
        "format": FORMAT,
        "run_id": run_id,
        "status": "running",
        "kind": facts.kind,
        "world": facts.world,
        "trainer_backend": facts.trainer_backend,
        "target_env_steps": facts.target_env_steps,
        "window_env_steps": facts.window_env_steps,
        "env_steps_total": 0,
        "episodes_total": 0,
        "windows_emitted": 0,
        "checkpoints_written": 0,
        "latest_window": None,
        "latest_checkpoint": None,
        "latest_replay": None,
        "metrics_windows_path": names.WINDOWS,
        "events_path": names.EVENTS,
        "checkpoints_dir": names.CHECKPOINTS,
        "replays_dir": names.REPLAYS,
        "replay_index_path": None,
        "config_path": names.CONFIG,
        "config_hash": config_hash,
        "journals": {},
        "wandb_run_url": None,
        "constellation_url": None,
        "info_metric_keys": list(facts.info_metric_keys),
        "milestones": {
            figure: sorted(set(map(float, facts.milestones.get(figure, ()))))
            for figure in MILESTONES
        },
        "machine": dict(facts.machine),
        "commit": facts.commit,
        "resumes": [],
        "error": None,
        "started_at": at,
        "updated_at": at,
        "finished_at": None,
    }


def with_fields(state: Metadata, fields: Mapping[str, Any]) -> Metadata:
    """With fields of the trainer's own; those the writer keeps are refused."""
    taken = sorted(_TAKEN & fields.keys())
    if taken:
        raise RunOrderError(f"{', '.join(taken)}: kept by the writer itself; use another name")
    return {**state, **fields}


_TAKEN: Final = frozenset(
    _kept_by_the_writer("", RunFacts("", 0, 0, "", {}, "", ()), "", "").keys() - set(_OPEN_FIELDS)
)


def after_window(state: Metadata, row: Mapping[str, Any]) -> Metadata:
    """After one more row of windows."""
    kept = ("window_id", "window_complete", "env_steps_start", "env_steps_end")
    kept += ("env_steps_in_window", "env_steps_total")
    return {
        **state,
        "env_steps_total": row["env_steps_total"],
        "episodes_total": state["episodes_total"] + row["episodes_completed"],
        "windows_emitted": state["windows_emitted"] + 1,
        "latest_window": {
            **{name: row[name] for name in kept},
            "metrics_row_path": names.WINDOWS,
        },
    }


def after_checkpoint(state: Metadata, window_id: int, env_steps_total: int, at: str) -> Metadata:
    """After one more checkpoint."""
    return {
        **state,
        "checkpoints_written": state["checkpoints_written"] + 1,
        "latest_checkpoint": {
            "window_id": window_id,
            "env_steps_total": env_steps_total,
            "path": names.checkpoint_path(window_id),
            "created_at": at,
        },
    }


def after_replay(state: Metadata, entry: Mapping[str, Any]) -> Metadata:
    """After one more replay in the index."""
    return {**state, "latest_replay": dict(entry), "replay_index_path": names.REPLAY_INDEX}


def read(folder: Path) -> Metadata:
    """Return the state of a run as its writer last put it."""
    place = folder / names.METADATA
    state = documents.read(place, dict[str, Any])
    found = state.get("format")
    if found != FORMAT:
        raise DamagedRunError(
            f"{place} has format {found!r}; this build reads {FORMAT}: use the version of "
            "Astrarium that wrote the run"
        )
    if (fault := fault_of(state)) is not None:
        raise DamagedRunError(f"{place} is damaged: {fault}; restore it from a copy")
    return state


def counted(state: Mapping[str, Any], path: str) -> JournalEnd:
    """Return where a journal ended when the metadata was written."""
    try:
        ends = msgspec.convert(state.get("journals"), dict[str, JournalEnd])
    except msgspec.ValidationError as error:
        raise DamagedRunError(
            f"journals of {names.METADATA} is not a table of journals: {error}; restore the file "
            "from a copy"
        ) from error
    return ends.get(path, EMPTY)


def resumed(
    then: Mapping[str, Any],
    history: Sequence[Any],
    note: Mapping[str, Any],
    config_hash: str,
    journals: Mapping[str, JournalEnd],
) -> Metadata:
    """As at a checkpoint, going on, with one more note on how it came to that."""
    return {
        **then,
        "config_hash": config_hash,
        "journals": msgspec.to_builtins(journals),
        "status": "running",
        "resumes": [*history, dict(note)],
        "error": None,
        "finished_at": None,
    }


def ended(state: Metadata, status: Status, at: str, error: BaseException | None) -> Metadata:
    """No longer running. One that was interrupted means to go on, so it has not finished."""
    return {
        **state,
        "status": status,
        "error": None if error is None else f"{type(error).__name__}: {error}",
        "finished_at": None if status == "interrupted" else at,
    }
