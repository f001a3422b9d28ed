"""Scenarios: which episodes of a world are written down, and who plays them.

Each world declares its own in `scenarios.toml`, in the folder of the module that defines its
config; every table is `[world-id.scenario]`.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any, Final, Self, cast

import pydantic

from astrarium.errors import ConfigError, did_you_mean
from astrarium.worlds import WorldEntry, parse_config
from astrarium.worlds.arguments import SEED_MAX

FILE_NAME: Final = "scenarios.toml"
STEPS_MAX: Final = 500

Order = str | int | float
"""A choice by its name, or by its index, which may be one that does not exist; or the position of a
control."""


class Scenario(pydantic.BaseModel):
    """One episode to be written down."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    name: str = pydantic.Field(pattern=r"^[a-z][a-z0-9_]*$")
    about: str = pydantic.Field(min_length=1, max_length=90)
    """What the transcript shows, in one line."""
    seed: int = pydantic.Field(ge=0, le=SEED_MAX)
    """The episode's seed."""
    steps: int = pydantic.Field(ge=1, le=STEPS_MAX)
    """Decisions after which the transcript stops, if the episode has not ended before."""
    config: dict[str, Any] = {}
    """Settings other than the world's defaults."""
    bot: str | None = None
    """Played by the bot of this name..."""
    random_legal: int | None = pydantic.Field(default=None, ge=0, le=SEED_MAX)
    """...or by uniformly random legal choices drawn from this seed..."""
    orders: tuple[Order | tuple[Order, ...], ...] | None = None
    """...or by this list: a row per step, holding the choices of each head and then the positions
    of each control, agent after agent."""

    @pydantic.model_validator(mode="after")
    def _one_player(self) -> Self:
        given = [n for n in ("bot", "random_legal", "orders") if getattr(self, n) is not None]
        if len(given) != 1:
            found = " and ".join(given) or "none"
            raise ValueError(f"give exactly one of bot, random_legal and orders, not {found}")
        if self.orders is not None and len(self.orders) != self.steps:
            raise ValueError(f"steps is {self.steps}, but orders has {len(self.orders)} rows")
        return self

    @property
    def player(self) -> str:
        """Who plays, in words."""
        if self.bot is not None:
            return f"bot {self.bot}"
        if self.random_legal is not None:
            return f"random_legal seed {self.random_legal}"
        return "as listed"


def scenarios_path(entry: WorldEntry) -> Path:
    """Where a world's scenarios are declared."""
    module = sys.modules[entry.config.__module__]
    return Path(str(module.__file__)).parent / FILE_NAME


def scenarios_of(entry: WorldEntry) -> tuple[Scenario, ...]:
    """The scenarios of a world, in the order they are declared."""
    path = scenarios_path(entry)
    if not path.exists():
        return ()
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from error
    found: list[Scenario] = []
    for name, fields in tables.get(entry.id, {}).items():
        where = f"{path.name}: {entry.id}.{name}"
        if not isinstance(fields, dict):
            raise ConfigError(f"{where} is not a table; write [{entry.id}.{name}]")
        given = {"name": name, **cast("dict[str, Any]", fields)}
        scenario = parse_config(Scenario, given, where=where)
        _fits(entry, scenario, where)
        found.append(scenario)
    return tuple(found)


def find(entry: WorldEntry, name: str) -> Scenario:
    """One scenario by name."""
    known = scenarios_of(entry)
    for scenario in known:
        if scenario.name == name:
            return scenario
    names = [scenario.name for scenario in known]
    raise ConfigError(
        f"{entry.id} has no scenario {name!r}{did_you_mean(name, names)} "
        f"(known: {', '.join(names) or 'none'})"
    )


def _fits(entry: WorldEntry, scenario: Scenario, where: str) -> None:
    """What only the world can judge: its settings and the names of its bots."""
    parse_config(entry.config, scenario.config, where=f"{where}: config")
    bot = scenario.bot
    if bot is not None and bot not in entry.bots:
        raise ConfigError(
            f"{where}: {entry.id} has no bot {bot!r}{did_you_mean(bot, entry.bots)} "
            f"(known: {', '.join(entry.bots) or 'none'})"
        )
