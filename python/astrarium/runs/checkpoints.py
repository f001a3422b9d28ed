"""Checkpoints: one folder each, whole or not there, and checked byte for byte when loaded.

`policy.safetensors` is what evaluation needs and stays. `trainer.safetensors` and `worlds.zst` are
what an exact resume needs besides; they are large, so only the newest checkpoints keep them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from astrarium import atomic
from astrarium.runs import documents, names, packing
from astrarium.runs.errors import (
    CheckpointError,
    DamagedRunError,
    RunNotFoundError,
)
from astrarium.runs.journal import JournalEnd
from astrarium.runs.packing import FILE_BYTES_MAX, Arrays

FORMAT: Final = 2
MANIFEST: Final = "manifest.json"
POLICY: Final = "policy.safetensors"
TRAINER: Final = "trainer.safetensors"
WORLDS: Final = "worlds.zst"
RESUMABLE_FILES: Final = (TRAINER, WORLDS)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment of a run between two windows."""

    window_id: int
    """The last window that had closed."""
    env_steps_total: int
    policy: Arrays
    trainer: Arrays
    """Optimiser, generators, counters; empty where only the policy was loaded."""
    worlds: bytes
    """The batch's snapshot; empty where only the policy was loaded."""
    state: Mapping[str, Any]
    """Plain values: at least `policy_arch`, `obs_shape` and `heads`."""


class FileFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of a checkpoint held when it was written."""

    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a checkpoint is, and where the run stood when it was taken."""

    kind: Literal["checkpoint"]
    format: int
    run_id: str
    window_id: int
    env_steps_total: int
    world: str
    trainer_backend: str
    created_at: str
    policy_arch: str
    obs_shape: list[int]
    heads: list[int]
    state: dict[str, Any]
    files: dict[str, FileFacts]
    worlds_bytes: int
    """Of the snapshot, unpacked."""
    journals: dict[str, JournalEnd]
    """Where each journal ended, by path: what comes later is forgotten on resume."""
    replay_entries: int
    """Entries of the replay index, likewise."""
    metadata: dict[str, Any]
    """The run's metadata, this checkpoint included."""


class _Kind(msgspec.Struct):
    """As much of a manifest as every format has."""

    kind: str
    format: int


@dataclass(frozen=True, slots=True)
class RunPosition:
    """Where a run stands when a checkpoint is taken."""

    journals: Mapping[str, JournalEnd]
    replay_entries: int
    metadata: Mapping[str, Any]
    created_at: str


def save(folder: Path, checkpoint: Checkpoint, position: RunPosition) -> None:
    """Write a checkpoint's folder, on the disk when this returns."""
    manifest, files = _packed(checkpoint, position)
    with atomic.new_folder(folder) as building:
        for name, content in files.items():
            (building / name).write_bytes(content)
        documents.write(building / MANIFEST, manifest)


def _packed(checkpoint: Checkpoint, position: RunPosition) -> tuple[Manifest, dict[str, bytes]]:
    state = dict(checkpoint.state)
    metadata = position.metadata
    try:
        shape = {name: state.pop(name) for name in ("policy_arch", "obs_shape", "heads")}
    except KeyError as error:
        raise CheckpointError(
            f"the state of a checkpoint lacks {error}: without it nobody can load the policy"
        ) from error
    files = {
        POLICY: packing.pack_arrays(checkpoint.policy),
        TRAINER: packing.pack_arrays(checkpoint.trainer),
        WORLDS: packing.pack_worlds(checkpoint.worlds),
    }
    manifest = Manifest(
        kind="checkpoint",
        format=FORMAT,
        run_id=metadata["run_id"],
        window_id=checkpoint.window_id,
        env_steps_total=checkpoint.env_steps_total,
        world=metadata["world"],
        trainer_backend=metadata["trainer_backend"],
        created_at=position.created_at,
        policy_arch=shape["policy_arch"],
        obs_shape=list(shape["obs_shape"]),
        heads=list(shape["heads"]),
        state=state,
        files={name: _facts(content) for name, content in files.items()},
        worlds_bytes=len(checkpoint.worlds),
        journals=dict(position.journals),
        replay_entries=position.replay_entries,
        metadata=dict(metadata),
    )
    return manifest, files


def _facts(content: bytes) -> FileFacts:
    return FileFacts(len(content), hashlib.sha256(content).hexdigest())


def load(folder: Path, *, resumable: bool) -> tuple[Checkpoint, Manifest]:
    """A checkpoint and its manifest; unless `resumable`, only the policy's part of it."""
    manifest = read_manifest(folder)
    policy = packing.unpack_arrays(folder / POLICY, _checked(folder, POLICY, manifest))
    trainer: Arrays = {}
    worlds = b""
    if resumable:
        trainer = packing.unpack_arrays(folder / TRAINER, _checked(folder, TRAINER, manifest))
        worlds = packing.unpack_worlds(
            folder / WORLDS, _checked(folder, WORLDS, manifest), manifest.worlds_bytes
        )
    checkpoint = Checkpoint(
        window_id=manifest.window_id,
        env_steps_total=manifest.env_steps_total,
        policy=policy,
        trainer=trainer,
        worlds=worlds,
        state={
            **manifest.state,
            "policy_arch": manifest.policy_arch,
            "obs_shape": manifest.obs_shape,
            "heads": manifest.heads,
        },
    )
    return checkpoint, manifest


def read_manifest(folder: Path) -> Manifest:
    """What a checkpoint says of itself."""
    place = folder / MANIFEST
    try:
        head = documents.read(place, _Kind)
        if head.kind != "checkpoint":
            raise CheckpointError(f"{folder} is not a checkpoint but a {head.kind!r}")
        if head.format != FORMAT:
            raise CheckpointError(
                f"{folder} has format {head.format}; this build reads {FORMAT}: "
                "load it with the version of Astrarium that wrote it"
            )
        return documents.read(place, Manifest)
    except RunNotFoundError as error:
        raise CheckpointError(f"{folder} is not a checkpoint: it has no {MANIFEST}") from error
    except DamagedRunError as error:
        raise CheckpointError(f"{error}; or load another checkpoint") from error


def is_resumable(folder: Path) -> bool:
    """Whether a checkpoint still has what a resume needs; nothing is read."""
    return all((folder / name).is_file() for name in RESUMABLE_FILES)


def resumable_bytes(folder: Path) -> int:
    """What the files needed only for a resume take."""
    return sum((folder / name).stat().st_size for name in RESUMABLE_FILES)


def folders(run: Path) -> list[tuple[int, Path]]:
    """The checkpoints of a run by window, oldest first; nothing in them is read."""
    try:
        found = list((run / names.CHECKPOINTS).iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    windows = ((names.window_of(folder.name), folder) for folder in found)
    return sorted((window, folder) for window, folder in windows if window is not None)


def prune(folder: Path) -> None:
    """Keep of a checkpoint what evaluation needs."""
    for name in RESUMABLE_FILES:
        atomic.remove_file(folder / name)


def _checked(folder: Path, name: str, manifest: Manifest) -> bytes:
    """The content of a file, if it is what the manifest says."""
    place = folder / name
    expected = manifest.files.get(name)
    if expected is None:
        raise CheckpointError(f"{folder / MANIFEST} does not list {name}; load another checkpoint")
    if not 0 <= expected.bytes <= FILE_BYTES_MAX:
        raise CheckpointError(f"{place} would have {expected.bytes} bytes; load another checkpoint")
    try:
        with place.open("rb") as file:
            content = file.read(expected.bytes + 1)
    except FileNotFoundError as error:
        why = " (older checkpoints keep only their policy)" if name in RESUMABLE_FILES else ""
        raise CheckpointError(f"{place} is missing{why}; load a newer checkpoint") from error
    except OSError as error:
        raise CheckpointError(f"cannot read {place}: {error.strerror or error}") from error
    if _facts(content) != expected:
        raise CheckpointError(
            f"{place} is not what was written there (its digest differs); load another checkpoint"
        )
    return content
