"""What teachers did, kept in files: a capture for each trajectory, a manifest for all of them.

A trajectory is one agent from its first sight to its end. Its arrays are an NPZ, what is known of
it is a JSON beside it, and the manifest has the SHA-256 of both: a set that was changed since is
not learned from.
"""

from __future__ import annotations

import hashlib
import io
import math
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from astrarium import atomic
from astrarium.runs import documents
from astrarium.runs.errors import RunError
from astrarium.train.errors import CaptureError, DegenerateCapturesError

FORMAT: Final = 2
MANIFEST: Final = "manifest.json"
ONE_ACTION_MAX: Final = 0.95
"""A set in which one action has a larger share teaches that action and nothing else."""

Ending = Literal["terminated", "truncated", "open"]
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Steps:
    """The arrays of a trajectory of T decisions."""

    obs: Array
    """(T, D): a whole observation each, as the world gives it."""
    actions: Array
    """(T, H)."""
    action_mask: Array
    """(T, K)."""
    old_log_probs: Array
    """(T): how likely the teacher was to choose so; 0 for one that always does."""
    value_preds: Array
    """(T + 1): what the teacher expected, after the last step too; 0 where it expects nothing."""
    rewards: Array
    """(T)."""
    dones: Array
    """(T): 1 where the agent ended."""


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is known of a trajectory besides its steps."""

    agent_id: str
    trajectory_id: str
    feature_names: list[str]
    action_names: list[list[str]]
    timesteps: int
    tags: list[str]
    """What it covers: the world's events that happened in it, and words of whoever made it."""
    quality_metrics: dict[str, float]
    """What it earned, in all and by each term; in how many decisions there was a choice, what share
    of those were the same, and how many orders were illegal."""
    world: str
    """Its id."""
    config_id: str
    """The settings of the world, as the world calls them."""
    variant: str
    """What observations mean, where a world has several kinds; else the id of the world."""
    teacher: str
    episode_seed: int
    ending: Ending


@dataclass(frozen=True, slots=True)
class Capture:
    """One trajectory."""

    steps: Steps
    facts: Facts


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A capture as the manifest has it; files are named after the trajectory."""

    trajectory_id: str
    timesteps: int
    tags: list[str]
    npz_sha256: str
    json_sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of captures that belong together."""

    kind: Literal["captures"]
    format: int
    world: str
    variant: str
    config_ids: list[str]
    """Sorted: a part of a set may show hard times."""
    captures: list[Listed]

    def missing(self, required: Iterable[str]) -> list[str]:
        """Those of the required tags that no capture covers."""
        covered = {tag for one in self.captures for tag in one.tags}
        return sorted(set(required) - covered)


def check_covered(missing: Iterable[str], required: Mapping[str, str]) -> None:
    """Refuse a set without some of what its world requires to be shown."""
    told = [f"{tag} ({required[tag]})" for tag in missing]
    if told:
        raise CaptureError(f"no capture shows {'; nor '.join(told)}")


def write(folder: Path, captures: Sequence[Capture]) -> Manifest:
    """Write a set, whole or not at all, as a new folder."""
    if not captures:
        raise CaptureError("there is nothing to write: no trajectory was captured")
    first = captures[0].facts
    if folder.exists():
        raise CaptureError(f"{folder} is there already; choose another folder")
    listed: list[Listed] = []
    with atomic.new_folder(folder) as building:
        for one in captures:
            packed = {"npz": _packed(one.steps), "json": documents.encode(one.facts)}
            for kind, content in packed.items():
                (building / f"{one.facts.trajectory_id}.{kind}").write_bytes(content)
            shas = [hashlib.sha256(content).hexdigest() for content in packed.values()]
            facts = one.facts
            listed.append(Listed(facts.trajectory_id, facts.timesteps, facts.tags, *shas))
        ids = sorted({one.facts.config_id for one in captures})
        manifest = Manifest("captures", FORMAT, first.world, first.variant, ids, listed)
        documents.write(building / MANIFEST, manifest)
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """What a folder says it holds."""
    try:
        manifest = documents.read(folder / MANIFEST, Manifest)
    except RunError as error:
        raise CaptureError(f"{folder} holds no captures: {error}") from error
    if manifest.format != FORMAT:
        raise CaptureError(f"{folder} has format {manifest.format}; this version reads {FORMAT}")
    _check_distinct(folder, manifest)
    return manifest


def read(folder: Path, manifest: Manifest | None = None) -> list[Capture]:
    """Every capture of a folder, each checked against the manifest."""
    manifest = manifest or read_manifest(folder)
    return [_read_one(folder, manifest, listed) for listed in manifest.captures]


def had_choice(steps: Steps) -> npt.NDArray[np.bool_]:
    """(T): where some head had more than one legal action; elsewhere nothing was decided."""
    return steps.action_mask.astype(np.int64).sum(1) > steps.actions.shape[1]


def commonest(actions: Array) -> tuple[tuple[int, ...], float]:
    """The action that (N, H) choices have most often, and its share of them."""
    kinds, counts = np.unique(actions, axis=0, return_counts=True)
    often = tuple(int(one) for one in kinds[counts.argmax()])
    return often, float(counts.max()) / len(actions)


def check_varied(captures: Sequence[Capture]) -> None:
    """Refuse a set in which one action is nearly all that was ever chosen."""
    actions = np.concatenate([one.steps.actions[had_choice(one.steps)] for one in captures])
    if not len(actions):
        raise DegenerateCapturesError(
            "no decision of these captures had more than one legal action; capture situations in "
            "which the teacher can choose"
        )
    often, share = commonest(actions)
    if share > ONE_ACTION_MAX:
        raise DegenerateCapturesError(
            f"{share:.1%} of {len(actions):,} decisions are the action {often}, more than "
            f"{ONE_ACTION_MAX:.0%}; capture situations in which the teacher does something else"
        )


def baseline(captures: Sequence[Capture]) -> dict[str, float]:
    """What teachers earned, by trajectory and by step, under the names of a PPO log."""
    returns = [float(one.steps.rewards.sum(dtype=np.float64)) for one in captures]
    log_probs = np.concatenate([one.steps.old_log_probs for one in captures])
    total = math.fsum(returns)
    return {
        "baseline_sample_count": len(returns),
        "baseline_reward_mean": total / max(len(log_probs), 1),
        "baseline_reward_sum": total,
        "baseline_reward_sum_mean": total / len(returns),
        "baseline_log_prob_mean": float(log_probs.mean(dtype=np.float64)),
    }


def _check_distinct(folder: Path, manifest: Manifest) -> None:
    """Refuse what is there twice: one copy could be learned from and the other judged by."""
    for name in ("trajectory_id", "npz_sha256"):
        seen: dict[str, str] = {}
        for one in manifest.captures:
            key = getattr(one, name)
            if key in seen:
                raise CaptureError(
                    f"{folder}: {one.trajectory_id} and {seen[key]} have the same {name}; "
                    "keep one of them"
                )
            seen[key] = one.trajectory_id


def _read_one(folder: Path, manifest: Manifest, listed: Listed) -> Capture:
    place = folder / listed.trajectory_id
    if place.parent != folder or not listed.trajectory_id:
        raise CaptureError(f"{folder / MANIFEST} names {listed.trajectory_id!r}, which is no file")
    told = _checked(place.with_name(f"{place.name}.json"), listed.json_sha256)
    arrays = _checked(place.with_name(f"{place.name}.npz"), listed.npz_sha256)
    try:
        facts = msgspec.json.decode(told, type=Facts)
        steps = _unpacked(arrays)
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise CaptureError(f"{place} is damaged: {error}") from error
    same = (facts.world, facts.variant) == (manifest.world, manifest.variant)
    if not same or facts.config_id not in manifest.config_ids:
        raise CaptureError(
            f"{place} is of {facts.world} ({facts.variant}, {facts.config_id}), the set of "
            f"{manifest.world} ({manifest.variant}, {', '.join(manifest.config_ids)}); keep "
            "captures of one world and lesson together"
        )
    _check_shapes(place, steps, facts)
    return Capture(steps, facts)


def _check_shapes(place: Path, steps: Steps, facts: Facts) -> None:
    count = facts.timesteps
    heads = [len(names) for names in facts.action_names]
    expected: Mapping[str, tuple[int, ...]] = {
        "obs": (count, len(facts.feature_names)),
        "actions": (count, len(heads)),
        "action_mask": (count, sum(heads)),
        "old_log_probs": (count,),
        "value_preds": (count + 1,),
        "rewards": (count,),
        "dones": (count,),
    }
    for name, shape in expected.items():
        array = getattr(steps, name)
        if array.shape != shape:
            raise CaptureError(f"{place}: {name} has shape {array.shape}, not {shape}")
        if not np.isfinite(array).all():
            raise CaptureError(f"{place}: {name} is not finite")
    if ((steps.actions < 0) | (steps.actions >= np.array(heads))).any():
        raise CaptureError(f"{place}: actions outside their heads {heads}")


def _packed(steps: Steps) -> bytes:
    # NumPy gives every entry the same date, so equal arrays are equal bytes.
    content = io.BytesIO()
    arrays = {one.name: getattr(steps, one.name) for one in fields(steps)}
    np.savez_compressed(content, **arrays)
    return content.getvalue()


def _unpacked(content: bytes) -> Steps:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return Steps(**{one.name: arrays[one.name] for one in fields(Steps)})


def _checked(path: Path, sha256: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CaptureError(f"cannot read {path}: {error.strerror or error}") from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise CaptureError(
            f"{path} is not what its manifest says (its SHA-256 differs); capture it again"
        )
    return content
