"""A batch for an adapter: its settings, its library's limits, and how it is pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import pydantic

from astrarium import worlds
from astrarium.adapters.errors import UnsupportedWorldError, refuses_closed
from astrarium.errors import ConfigError
from astrarium.worlds import Autoreset, VectorWorld, WorldConfig
from astrarium.worlds.config import config_with_fields

Config = Mapping[str, Any] | pydantic.BaseModel | None
"""Settings as `make_vec` takes them."""

RENDER_MODES = ("ansi", "rgb_array")
"""The ways an adapter draws: text, or a picture of `rendering`."""


def make_world(
    world_id: str,
    num_worlds: int,
    autoreset: Autoreset,
    config: Config,
    fields: Mapping[str, Any],
    threads: int = 1,
) -> VectorWorld:
    """Make a batch at run 0. All of `fields` are settings: a name no setting has is refused."""
    model = worlds.get(world_id).config
    # Not passed on as keywords: `seed` or `threads` among them would not reach the config.
    settings = config_with_fields(model, config, fields, where=world_id)
    return worlds.make_vec(
        world_id, num_worlds, threads=threads, seed=None, autoreset=autoreset, config=settings
    )


def require_one_agent(world: VectorWorld, library: str) -> None:
    """Refuse a world of several agents for a library that knows one."""
    if world.layout.agents != 1:
        names = ", ".join(worlds.get(world.world_id).under(world.config).agent_names)
        raise UnsupportedWorldError(
            f"{world.world_id} has {world.layout.agents} agents ({names}) and a {library} has one; "
            "use astrarium.adapters.gymnasium.WorldEnv for one agent among scripted others, or "
            "astrarium.adapters.pettingzoo.WorldParallelEnv for all of them"
        )


def render_mode(given: str | None) -> str | None:
    """Return a way of drawing that adapters have, or None; refuse any other."""
    if given is not None and given not in RENDER_MODES:
        allowed = ", ".join(map(repr, (None, *RENDER_MODES)))
        raise ConfigError(f"render_mode is {given!r} (allowed: {allowed})")
    return given


@dataclass(frozen=True, slots=True)
class _PackedWorld:
    """A batch as it is pickled: what it was made with, and a snapshot."""

    world_id: str
    config: WorldConfig
    num_worlds: int
    autoreset: Autoreset
    snapshot: bytes

    @classmethod
    def of(cls, world: VectorWorld) -> Self:
        return cls(
            world.world_id, world.config, world.num_worlds, world.autoreset, world.snapshot()
        )

    def unpacked(self) -> VectorWorld:
        world = worlds.make_vec(
            self.world_id,
            self.num_worlds,
            seed=None,
            autoreset=self.autoreset,
            config=self.config,
        )
        world.restore(self.snapshot)
        return world


class PicklableEnv:
    """Let an environment be pickled and copied at any moment of an episode.

    The batch itself cannot be: it owns threads and memory of the native core. What travels is what
    it was made with and its snapshot. The copy then plays on as the original does.
    """

    world: VectorWorld

    @refuses_closed
    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "world": _PackedWorld.of(self.world)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, world=state["world"].unpacked())
