"""The catalogue of a run's replays, `replay_index.json`, and the tags by which they are found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import msgspec

from astrarium.runs import documents, names
from astrarium.runs.errors import DamagedRunError, RunNotFoundError

SCHEMA_VERSION: Final = 2
EVERY_WINDOW: Final = "every_window"
BEST_SO_FAR: Final = "best_so_far"
HUMAN: Final = "human"
"""Played by hand, not by a policy."""
RANDOM: Final = "random"
"""Played by uniform legal actions: a baseline without a policy."""
BOT: Final = "bot"
"""Played by one of the world's scripted players."""


class ReplayEntry(msgspec.Struct, frozen=True):
    """One replay of a run."""

    run_id: str
    window_id: int
    replay_id: str
    replay_path: str
    """From the run folder."""
    checkpoint_path: str
    """Of the policy that played, from the run folder; empty where a person did."""
    tags: list[str]
    trainer_backend: str
    return_total: float
    steps: int
    profit: float | None
    """Final net profit; None where the world has none."""
    survival: float | None
    terminated: bool
    truncated: bool
    checkpoint_env_steps_total: int
    created_at: str
    sha256: str
    """Of the file at `replay_path`."""


class _IndexFile(msgspec.Struct, frozen=True):
    schema_version: Literal[2]
    run_id: str
    updated_at: str
    entries: list[ReplayEntry]


class _Version(msgspec.Struct, frozen=True):
    schema_version: int


@dataclass(frozen=True, slots=True)
class ReplayIndex:
    """Every replay of a run, in the order recorded."""

    run_id: str
    entries: Sequence[ReplayEntry]

    def find(self, replay_id: str) -> ReplayEntry | None:
        """The entry of a replay."""
        return next((one for one in self.entries if one.replay_id == replay_id), None)

    def select(
        self,
        *,
        tag: str | None = None,
        tags_any: Collection[str] = (),
        tags_all: Collection[str] = (),
        window_id: int | None = None,
        limit: int | None = None,
    ) -> list[ReplayEntry]:
        """The entries that meet every condition given, newest first, at most `limit` of them."""
        wanted = {*tags_all} if tag is None else {*tags_all, tag}
        found = [
            entry
            for entry in self.entries
            if wanted <= set(entry.tags)
            and (not tags_any or not set(tags_any).isdisjoint(entry.tags))
            and window_id in (None, entry.window_id)
        ]
        found.sort(key=lambda one: (one.window_id, one.created_at, one.replay_id), reverse=True)
        return found[:limit]


def read(folder: Path, run_id: str) -> ReplayIndex:
    """The index of a run; empty where there is no file."""
    place = folder / names.REPLAY_INDEX
    try:
        version = documents.read(place, _Version).schema_version
        if version != SCHEMA_VERSION:
            raise DamagedRunError(
                f"{place} has schema_version {version}; this build reads {SCHEMA_VERSION}: "
                "read it with the version of Astrarium that wrote it"
            )
        told = documents.read(place, _IndexFile)
    except RunNotFoundError:
        return ReplayIndex(run_id, ())
    if told.run_id != run_id:
        raise DamagedRunError(
            f"{place} is the index of run {told.run_id!r}, not of {run_id!r}; put it back there"
        )
    return ReplayIndex(run_id, told.entries)


def write(folder: Path, index: ReplayIndex, at: str) -> None:
    """Replace the index of a run."""
    told = _IndexFile(SCHEMA_VERSION, index.run_id, at, list(index.entries))
    documents.write(folder / names.REPLAY_INDEX, told)


def tags_for(
    earlier: Sequence[ReplayEntry],
    return_total: float,
    profit: float | None,
    survival: float | None,
    milestones: Mapping[str, Sequence[float]],
) -> list[str]:
    """The tags a new replay earns, in their order and without repeats."""
    tags = [EVERY_WINDOW]
    if all(return_total > entry.return_total for entry in earlier):
        tags.append(BEST_SO_FAR)
    reached = {"profit": profit, "return": return_total, "survival": survival}
    for figure, value in reached.items():
        if value is not None:
            thresholds = milestones.get(figure, ())
            tags += [f"milestone:{figure}:{_shown(x)}" for x in thresholds if value >= x]
    return list(dict.fromkeys(tags))


def _shown(threshold: float) -> str:
    return f"{threshold:.6f}".rstrip("0").rstrip(".")
