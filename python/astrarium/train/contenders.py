"""Trained policies taken from their runs, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.runs import DamagedRunError, NoCheckpointError, RunFolder
from astrarium.train.recording import WINDOW_STRIDE, window_seed
from astrarium.worlds import WorldConfig, WorldEntry, ladder, parse_config
from astrarium.worlds.random_legal import random_legal

Window = int | Literal["latest", "best"]
"""Which checkpoint: of a window, the newest, or that of the window with the highest mean return."""

_NO_SEEDS: Final = range(0)


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy to be evaluated, and where it comes from."""

    name: str
    policy: ladder.Policy
    entry: WorldEntry
    config: WorldConfig
    """The world as it was trained on."""
    facts: Mapping[str, Any]
    """What a report says of it."""
    is_baseline: bool = False
    """Whether it plays at random and was never trained."""
    seen: range = _NO_SEEDS
    """Seeds of episodes that may have had a say in choosing it, such as those of `best_so_far`."""

    def has_seen(self, first: int, episodes: int) -> bool:
        """Whether one of the episodes from this seed on may have had a say."""
        return bool(self.seen) and first < self.seen.stop and self.seen.start < first + episodes


def contender(
    run: RunFolder, window: Window = "latest", *, greedy: bool | None = None
) -> Contender:
    """The policy of one of a run's checkpoints, taking its likeliest actions or drawing them.

    Unless told, it does as in the run's own evaluations: what it was watched and tagged by.
    """
    chosen = window_of(run, window)
    entry, config = world_of(run)
    settings = _section(run, "run")
    greedy = settings.get("eval_greedy") is not False if greedy is None else greedy
    baseline = run.config().get("algorithm") == "random"
    return Contender(
        name=f"{run.run_id}@{chosen}",
        policy=random_legal if baseline else _trained(run, chosen, greedy=greedy),
        entry=entry,
        config=config,
        facts={
            "run_id": run.run_id,
            "window_id": chosen,
            "greedy": greedy and not baseline,
            "run_seed": settings.get("seed"),
            "status": run.status(),
            "commit": run.metadata().get("commit"),
        },
        is_baseline=baseline,
        seen=_seen(run, settings),
    )


def _trained(run: RunFolder, window: int, *, greedy: bool) -> ladder.Policy:
    # Not before it is needed: this brings torch, and nothing else here does.
    from astrarium.train.player import load_player

    return load_player(run, window, greedy=greedy)


def window_of(run: RunFolder, window: Window) -> int:
    """The window meant; one without a checkpoint is an error that lists those there are."""
    there = [place.window_id for place in run.checkpoints()]
    if not there:
        raise NoCheckpointError(f"{run.folder} has no checkpoint yet; let it train for a window")
    if window == "latest":
        return there[-1]
    if window == "best":
        return _best(run, there)
    if window not in there:
        raise NoCheckpointError(
            f"{run.folder} has no checkpoint of window {window} "
            f"(there are: {', '.join(map(str, there))})"
        )
    return window


def _best(run: RunFolder, there: Sequence[int]) -> int:
    """The latest whole window with the highest return in training; the newest if none has any."""
    returns = {
        row["window_id"]: row["return_mean"]
        for row in run.windows()
        if row["window_id"] in there
        and row.get("window_complete")
        and row.get("return_mean") is not None
    }
    return max(returns, key=lambda one: (returns[one], one), default=there[-1])


def world_of(run: RunFolder) -> tuple[WorldEntry, WorldConfig]:
    """The world a run learned in, with its settings."""
    section = _section(run, "world")
    if not isinstance(section.get("id"), str):
        raise DamagedRunError(
            f"{run.folder / 'config.json'} names no world; restore it from a copy"
        )
    entry = worlds.get(section["id"])
    where = f"run {run.run_id}: {entry.id}"
    return entry, parse_config(entry.config, section.get("settings"), where=where)


def _section(run: RunFolder, name: str) -> Mapping[str, Any]:
    section = run.config().get(name)
    return cast("Mapping[str, Any]", section) if isinstance(section, Mapping) else {}


def _seen(run: RunFolder, settings: Mapping[str, Any]) -> range:
    """Seeds the run's own evaluations used, window after window."""
    seed, offset = settings.get("seed"), settings.get("eval_seed_offset")
    episodes = settings.get("eval_episodes")
    windows = run.metadata().get("windows_emitted")
    numbers = (seed, offset, episodes, windows)
    if not all(isinstance(one, int) for one in numbers) or not (episodes and windows):
        return _NO_SEEDS
    first = window_seed(cast("int", seed), cast("int", offset), 0)
    return range(first, first + WINDOW_STRIDE * (cast("int", windows) - 1) + cast("int", episodes))


def check_comparable(contenders: Sequence[Contender]) -> None:
    """Refuse policies that cannot play the same episodes, or the same policy twice."""
    if not contenders:
        raise ConfigError("there is no policy to evaluate; name at least one run")
    first = contenders[0]
    names = set[str]()
    for one in contenders:
        if one.name in names:
            raise ConfigError(f"{one.name} is named twice; name each policy once")
        names.add(one.name)
        if one.entry.id != first.entry.id:
            raise ConfigError(
                f"{first.name} plays {first.entry.id}, {one.name} plays {one.entry.id}; compare "
                "runs of one world"
            )
        if one.config != first.config:
            raise ConfigError(
                f"{first.name} was trained on {first.entry.id} with {_words(first.config)}, "
                f"{one.name} with {_words(one.config)}; compare runs with the same settings"
            )


def _words(config: WorldConfig) -> str:
    return ", ".join(f"{key}={value}" for key, value in config)
