"""What a sweep searches: a TOML file of settings to start from and settings to vary."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

import pydantic
from pydantic import Field

from astrarium import worlds
from astrarium.errors import ConfigError, did_you_mean
from astrarium.train.config import (
    Positive,
    Section,
    TrainConfig,
    layered,
    merged,
    preset,
    read_file,
)
from astrarium.worlds.config import parse_config

if TYPE_CHECKING:
    from optuna.trial import Trial

OWN_SETTINGS: Final[Mapping[str, Any]] = {"run": {"threads": 1, "eval_episodes": 0}}
"""Trials share a machine, and nobody looks at the replays of most of them."""
_FIXED: Final = ("run.root", "run.id", "run.seed")
"""The sweep itself decides these."""


def _number(given: Any) -> int | float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise ValueError("give a finite number")
    return given


Number = Annotated[int | float, pydantic.PlainValidator(_number)]


class Range(Section):
    """Numbers between two bounds, both included; whole numbers where both bounds are."""

    low: Number
    high: Number
    log: bool = False
    """Search the logarithm: for settings whose order of magnitude is the question."""

    @pydantic.model_validator(mode="after")
    def _has_an_inside(self) -> Self:
        if not self.low < self.high:
            raise ValueError(f"low is {self.low} and high {self.high}; low must be less")
        if self.log and self.low <= 0:
            raise ValueError(f"low is {self.low}, which has no logarithm; give one above 0")
        return self


Choices = Annotated[tuple[Any, ...], Field(min_length=2)]


def _way_to_vary(given: Any) -> str:
    return "range" if isinstance(given, Mapping | Range) else "choices"


# Told apart by what is written, so that an error speaks of that and of nothing else.
Parameter = Annotated[
    Annotated[Range, pydantic.Tag("range")] | Annotated[Choices, pydantic.Tag("choices")],
    pydantic.Discriminator(_way_to_vary),
]


class Objective(Section):
    """What makes one trial better than another: always a mean return."""

    kind: Literal["evaluation", "last_window"] = "evaluation"
    """Of the final policy on held-out episodes, or of training in the last whole window."""
    episodes: Annotated[int, Field(ge=1, le=100_000)] = 512
    seed: Annotated[int, Field(ge=0, lt=1 << 62)] = 50_000
    """Of the first episode. Neither the seeds that `astrarium evaluate` judges by, nor those a
    run looks at its own checkpoints with."""
    greedy: bool = False
    """Take the likeliest action instead of drawing one."""


class Pruning(Section):
    """When a trial is given up: below the median of those before it, after as many windows."""

    metric: Literal["return_mean", "profit_mean", "none"] = "return_mean"
    startup_trials: Positive = 8
    """Trials that are never given up."""
    warmup_windows: Positive = 1
    """Windows before a trial can be given up."""


class Space(Section):
    """A whole sweep."""

    preset: str | None = None
    base: dict[str, Any] = Field(default={})
    """Settings on top of the preset's."""
    objective: Objective = Objective()
    pruning: Pruning = Pruning()
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 0
    """Of the search; a trial trains with run.seed plus its own number."""
    trials: Positive = 50
    parameters: Annotated[dict[str, Parameter], Field(min_length=1)]
    """What varies, by its dotted name."""

    def suggest(self, trial: Trial) -> dict[str, Any]:
        """A value for every parameter; those that a trial has already stay."""
        return {key: _suggest(trial, key, one) for key, one in self.parameters.items()}

    def config(
        self, values: Mapping[str, Any], root: Path, number: int, run_id: str
    ) -> TrainConfig:
        """The training of one trial.

        Each has a seed of its own: with a shared one the search would settle on whatever suits
        that seed, and never see that the same settings fail with others.
        """
        seed = self.base_config().run.seed + number
        own = {"run": {"root": root, "id": run_id, "seed": seed}}
        return layered(*self._layers(), nested(values), own)

    def decoded(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters as the config has them, from what a study keeps of them."""
        return {
            key: json.loads(value) if _written_as_json(self.parameters.get(key)) else value
            for key, value in values.items()
        }

    def base_config(self) -> TrainConfig:
        """What every trial has in common; what varies has its value in the preset."""
        return layered(*self._layers())

    def check(self) -> None:
        """Try the ends of every range and every choice, so that no trial fails on one of them."""
        _check(self.base_config())
        for key, one in self.parameters.items():
            if key in _FIXED:
                raise ConfigError(
                    f"parameters.{key}: the sweep gives each run its own; leave it out"
                )
            values = (one.low, one.high) if isinstance(one, Range) else one
            for value in values:
                try:
                    _check(layered(*self._layers(), nested({key: value})))
                except ConfigError as error:
                    raise ConfigError(f"parameters: {error}") from None

    def _layers(self) -> tuple[Mapping[str, Any], ...]:
        below = preset(self.preset) if self.preset is not None else {}
        return below, OWN_SETTINGS, self.base


def _check(config: TrainConfig) -> None:
    """What the tree itself does not know: the settings of its world."""
    entry = worlds.get(config.world.id)
    parse_config(entry.config, config.world.settings, where=entry.id)


def _suggest(trial: Trial, key: str, one: Range | tuple[Any, ...]) -> Any:
    if not isinstance(one, Range):
        if _written_as_json(one):
            return json.loads(trial.suggest_categorical(key, [json.dumps(each) for each in one]))
        return trial.suggest_categorical(key, list(one))
    if isinstance(one.low, int) and isinstance(one.high, int):
        return trial.suggest_int(key, one.low, one.high, log=one.log)
    return trial.suggest_float(key, one.low, one.high, log=one.log)


def _written_as_json(one: Range | tuple[Any, ...] | None) -> bool:
    """Whether choices are more than plain values, which is all that a study can keep."""
    return isinstance(one, tuple) and not all(
        isinstance(each, bool | int | float | str) for each in one
    )


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """`{"ppo.clip": 0.1}` as `{"ppo": {"clip": 0.1}}`."""
    tree: dict[str, Any] = {}
    for key, value in values.items():
        branch = tree
        *above, last = key.split(".")
        for part in above:
            branch = branch.setdefault(part, {})
        branch[last] = value
    return tree


_SHIPPED: Final = resources.files("astrarium.train") / "spaces"


def space_names() -> tuple[str, ...]:
    """Every space that ships; a world's own is called as the world."""
    names = (file.name for file in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def read_space(given: str, settings: Mapping[str, Any]) -> Space:
    """A space by the path of its file, or by name if it ships, with some settings on its base.

    Refused if no trial could be trained with it.
    """
    known = space_names()
    if given in known:
        with resources.as_file(_SHIPPED / f"{given}.toml") as path:
            written = read_file(path)
    elif given.endswith(".toml"):
        written = read_file(Path(given))
    else:
        raise ConfigError(
            f"no space is called {given!r}{did_you_mean(given, known)} "
            f"(known: {', '.join(known)}); give one of these or the path of a .toml file"
        )
    space = parse_config(Space, written, where=f"space {given}")
    space = space.model_copy(update={"base": merged(space.base, settings)})
    try:
        space.check()
    except ConfigError as error:
        raise ConfigError(f"space {given}: {error}") from None
    return space
