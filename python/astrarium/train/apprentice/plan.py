"""What an apprenticeship is: who teaches, what is learned in which stages, and who judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.train.config import TrainConfig, merged
from astrarium.train.correcting import Correction
from astrarium.train.teaching import Lesson
from astrarium.worlds import ladder
from astrarium.worlds.config import parse_config
from astrarium.worlds.registry import Schooling

CLONE: Final = "clone"
JUDGED: Final = ladder.Rules(episodes=64, seed=7)
"""Episodes that nobody learned from: see `train.evaluate`."""
GAMES: Final = 200
"""Against each opponent in a world of two sides, half of them from either."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A training that goes on from the policy before it."""

    name: str
    config: TrainConfig
    """As for a run of its own; seed, folder, threads and the first policy are put in."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All of it; every seed is an apprentice of its own."""

    world: str
    schooling: Schooling
    stages: tuple[Stage, ...]
    seeds: tuple[int, ...]
    root: Path
    lesson: Lesson
    correction: Correction
    """Of the clones."""
    epochs: int = 2
    """Of the cloning, before it is corrected."""
    rules: ladder.Rules = JUDGED
    threads: int = 1
    """Of each apprentice; results do not depend on it."""

    @property
    def teacher(self) -> str:
        """Who is captured."""
        return self.schooling.teacher

    @property
    def settings(self) -> dict[str, Any]:
        """Of the world that everybody is judged in: the stages', less what each has for itself."""
        return self.shared(self.stages[0])

    @property
    def lesson_settings(self) -> dict[str, Any]:
        """Of the world in which the teacher is captured."""
        return merged(self.settings, self.schooling.lesson)

    def shared(self, stage: Stage) -> dict[str, Any]:
        """The settings of a stage's world that it may not have for itself."""
        settings = stage.config.world.settings
        for key in self.schooling.stage_settings:
            settings = _without(settings, key.split("."))
        return settings

    @property
    def captures(self) -> Path:
        """The one set that all apprentices learn from."""
        return self.root / "captures"

    def clone_of(self, seed: int) -> Path:
        """Where an apprentice's first policy is."""
        return self.root / f"{CLONE}-{seed}"

    def run_of(self, stage: Stage, seed: int) -> Path:
        """Where a stage of an apprentice is trained."""
        return self.root / "runs" / f"{stage.name}-{seed}"

    def judged(self, name: str) -> Path:
        """What came of a player's episodes."""
        return self.root / "judged" / f"{name}.json"

    def config_of(self, at: int, seed: int) -> TrainConfig:
        """The settings of a stage for one apprentice."""
        stage = self.stages[at]
        place = self.run_of(stage, seed)
        before = self.clone_of(seed) if at == 0 else self.run_of(self.stages[at - 1], seed)
        own = {"seed": seed, "root": place.parent, "id": place.name, "init_from": before}
        layers = [stage.config.model_dump(), {"run": {**own, "threads": self.threads}}]
        if any(one.bc_weight > 0 for one in stage.config.anneal.schedule):
            layers.append({"anneal": {"captures": self.captures}})
        return parse_config(TrainConfig, merged(*layers))


def check(plan: Plan) -> None:
    """Refuse what could only fail after hours."""
    names = [stage.name for stage in plan.stages]
    if not names or len(set(names)) != len(names):
        raise ConfigError(f"stages are {_listed(names)}; give at least one, and each once")
    if len(set(plan.seeds)) != len(plan.seeds):
        raise ConfigError(f"seeds are {_listed(map(str, plan.seeds))}; give each once")
    _check_seeds(plan)
    first = plan.stages[0]
    for stage in plan.stages:
        if plan.shared(stage) != plan.shared(first):
            own = _listed(plan.schooling.stage_settings)
            raise ConfigError(
                f"{stage.name} and {names[0]} differ in world.settings; stages of {plan.world} may "
                f"differ in {own} alone"
            )
        if stage.config.policy != first.config.policy:
            raise ConfigError(
                f"{stage.name} has another policy than {names[0]}; a stage goes on with the "
                "policy before it, so give all the same [policy]"
            )
        if stage.config.ppo.normalise_observations != first.config.ppo.normalise_observations:
            raise ConfigError(
                f"{stage.name} and {names[0]} differ in ppo.normalise_observations; "
                "give all stages the same"
            )
        if _shapes(stage) != _shapes(first):
            raise ConfigError(
                f"agents of {stage.name} see or choose from something else than those of "
                f"{names[0]}; give all stages the same observations and choices"
            )


def _check_seeds(plan: Plan) -> None:
    episodes = plan.rules.episodes
    if worlds.get(plan.world).duels:
        if episodes % 2:
            raise ConfigError(
                f"episodes is {episodes}; give an even number, for every seed is fought from both "
                "sides"
            )
        episodes //= 2
    judged = range(plan.rules.seed, plan.rules.seed + episodes)
    learned = range(plan.lesson.seed, plan.lesson.seed + plan.lesson.episodes)
    if judged.start < learned.stop and learned.start < judged.stop:
        raise ConfigError(
            f"judge_seed is {judged.start}, but the teacher is captured in the episodes from "
            f"{learned.start}; choose one after {learned.stop - 1}, or so low that it ends before"
        )


def _shapes(stage: Stage) -> tuple[int, tuple[int, ...], int]:
    """What agents see and choose from under a stage's settings, which are checked by the way."""
    entry = worlds.get(stage.config.world.id)
    settings = parse_config(entry.config, stage.config.world.settings, where=stage.name)
    world = entry.make(settings, 1, 1, "same_step")
    layout = world.layout
    world.close()
    return layout.obs_dim, tuple(layout.heads), layout.controls


def _without(settings: Mapping[str, Any], key: list[str]) -> dict[str, Any]:
    """A copy without one setting, and without tables that this leaves empty."""
    first, *rest = key
    kept = dict(settings)
    inner = kept.pop(first, None)
    if rest and isinstance(inner, Mapping):
        inner = _without(inner, rest)  # pyright: ignore[reportUnknownArgumentType]
        if inner:
            kept[first] = inner
    return kept


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
