"""What an apprenticeship is: who teaches, what is learned in which stages, and who judges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from astrarium.errors import ConfigError
from astrarium.train.config import TrainConfig, merged
from astrarium.train.correcting import Correction
from astrarium.train.teaching import Lesson
from astrarium.worlds import ladder
from astrarium.worlds.config import parse_config

CLONE: Final = "clone"
JUDGED: Final = ladder.Rules(episodes=64, seed=7)
"""Episodes that nobody learned from: see `train.evaluate`."""
OWN: Final = ("rewards", "employment")
"""What of a world's settings a stage may have for itself: how its players are paid, and by whom."""


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
    teacher: str
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
    def settings(self) -> dict[str, Any]:
        """Of the world that is captured and judged in: as the stages', but with pay of its own."""
        return _shared(self.stages[0].config)

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
    first = plan.stages[0].config
    for stage in plan.stages:
        if _shared(stage.config) != _shared(first):
            raise ConfigError(
                f"{stage.name} and {names[0]} differ in world.settings; stages may differ in "
                f"{_listed(OWN)} alone"
            )
        if stage.config.policy != first.policy:
            raise ConfigError(
                f"{stage.name} has another policy than {names[0]}; a stage goes on with the "
                "policy before it, so give all the same [policy]"
            )
        if stage.config.ppo.normalise_observations != first.ppo.normalise_observations:
            raise ConfigError(
                f"{stage.name} and {names[0]} differ in ppo.normalise_observations; "
                "give all stages the same"
            )


def _shared(config: TrainConfig) -> dict[str, Any]:
    return {key: value for key, value in config.world.settings.items() if key not in OWN}


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
