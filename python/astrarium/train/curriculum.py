"""A curriculum: rungs of a ladder, and when a policy goes up or down one.

A round is a training on one rung and games that judge it. Rungs are for worlds of two sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Final

import pydantic
from pydantic import Field

from astrarium import worlds
from astrarium.errors import ConfigError, did_you_mean
from astrarium.train.config import Fraction, Positive, Section, TrainConfig, merged, read_file
from astrarium.worlds.config import WorldConfig, parse_config

SEED: Final = 400_000
"""Of the first battle that judges a round; reports, captures and runs' evaluations use others."""
STRIDE: Final = 1_000
"""Seeds between the battles of two rounds."""


class Rung(Section):
    """Where a round is fought, and against whom."""

    scenario: str
    opponent: str


class Rules(Section):
    """When a policy moves."""

    games: Annotated[int, Field(ge=2, le=2 * STRIDE, multiple_of=2)] = 200
    """That judge a round, half of them from either side."""
    promote: Fraction = 0.70
    """At this share of games won, or above, a rung up."""
    demote: Fraction = 0.40
    """Below this share, a rung down."""
    round_ticks: Positive = 3_000_000
    """Of training in a round, all worlds together."""
    rounds_max: Annotated[int, Field(ge=1, le=1000)] = 60
    """Rounds after which it is left at that."""

    @pydantic.model_validator(mode="after")
    def _ordered(self) -> Rules:
        if self.demote > self.promote:
            raise ValueError(f"demote is {self.demote}, above promote ({self.promote}); swap them")
        return self


class Curriculum(Rules):
    """A file of rungs."""

    preset: str
    """The training of every round, less its scenario, opponent and length."""
    rungs: Annotated[tuple[Rung, ...], Field(min_length=1)]


def next_rung(at: int, share: float, rules: Rules) -> int:
    """Where a policy that won this share of its games goes on; past the last rung it is done."""
    if share >= rules.promote:
        return at + 1
    return max(0, at - 1) if share < rules.demote else at


_SHIPPED: Final = resources.files("astrarium.train") / "curricula"


def shipped() -> tuple[str, ...]:
    """Worlds with a curriculum."""
    return tuple(sorted(one.name.removesuffix(".toml") for one in _SHIPPED.iterdir()))


def curriculum_of(world: str, file: Path | None) -> Curriculum:
    """A world's own curriculum, or the one in a file."""
    if file is not None:
        return parse_config(Curriculum, read_file(file), where=str(file))
    if world not in shipped():
        raise ConfigError(
            f"no curriculum ships for {world}{did_you_mean(world, shipped())} "
            f"(there are: {', '.join(shipped())}); name a file with --file"
        )
    with resources.as_file(_SHIPPED / f"{world}.toml") as place:
        return parse_config(Curriculum, read_file(place), where=world)


@dataclass(frozen=True, slots=True)
class Climb:
    """A curriculum about to be gone through, in a folder of its own."""

    curriculum: Curriculum
    config: TrainConfig
    """Of every round, less what its rung says."""
    root: Path

    @property
    def state(self) -> Path:
        """What came of every round so far."""
        return self.root / "curriculum.json"

    def run_of(self, number: int) -> Path:
        """Where a round is trained."""
        return self.root / f"round-{number:03d}"

    def config_of(self, number: int, at: int) -> TrainConfig:
        """The training of a round on a rung, from the policy of the round before."""
        rung, place = self.curriculum.rungs[at], self.run_of(number)
        own = {
            "seed": self.config.run.seed + number,
            "root": place.parent,
            "id": place.name,
            "init_from": self.run_of(number - 1) if number else self.config.run.init_from,
            "total_env_steps": self.curriculum.round_ticks,
            # A round is judged by its games; windows are for its curve.
            "window_env_steps": min(self.config.run.window_env_steps, self.curriculum.round_ticks),
            "eval_episodes": 0,
        }
        layers = (self.config.model_dump(), {"run": own, "world": {"settings": rung.model_dump()}})
        return parse_config(TrainConfig, merged(*layers))

    def games_of(self, at: int) -> WorldConfig:
        """The world in which a round on a rung is judged."""
        entry = worlds.get(self.config.world.id)
        settings = self.config_of(0, at).world.settings
        return parse_config(entry.config, settings, where=f"rung {at + 1}")

    def told(self) -> dict[str, Any]:
        """What a folder belongs to; neither threads nor places change what came of its rounds, nor
        does it when there may be more of them."""
        config = self.config.model_dump(mode="json")
        for name in ("threads", "root", "id"):
            del config["run"][name]
        curriculum = self.curriculum.model_dump(mode="json", exclude={"rounds_max"})
        return {"curriculum": curriculum, "config": config}


def check(climb: Climb) -> None:
    """Refuse what could only fail after some rounds."""
    entry = worlds.get(climb.config.world.id)
    if not entry.duels:
        raise ConfigError(f"{entry.id} is no world of two sides; a curriculum needs games to win")
    if climb.config.policy.groups:
        raise ConfigError(
            "rungs may have different numbers of agents; leave policy.groups out, so that one "
            "policy plays them all"
        )
    for at, rung in enumerate(climb.curriculum.rungs):
        if rung.opponent not in entry.oracles:
            known = list(entry.oracles)
            raise ConfigError(
                f"rung {at + 1}: opponent is {rung.opponent!r}, no player of {entry.id}"
                f"{did_you_mean(rung.opponent, known)} (known: {', '.join(known)})"
            )
        entry.make(climb.games_of(at), 1, 1, "same_step").close()


def known_rounds(content: Mapping[str, Any], climb: Climb) -> list[dict[str, Any]]:
    """The rounds a folder tells of; one of another climb is refused."""
    if content.get("climb") != climb.told():
        raise ConfigError(
            f"{climb.root} belongs to a climb with other rungs, rules or settings; take them "
            "again, or give another --root"
        )
    return content["rounds"]
