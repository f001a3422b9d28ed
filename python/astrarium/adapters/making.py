"""A batch for an adapter: its settings, and whether the library has a form for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pydantic

from astrarium import worlds
from astrarium.adapters.errors import UnsupportedWorldError
from astrarium.errors import ConfigError
from astrarium.worlds import Autoreset, VectorWorld

Config = Mapping[str, Any] | pydantic.BaseModel | None
"""Settings as `make_vec` takes them."""


def make_world(
    world_id: str,
    num_worlds: int,
    autoreset: Autoreset,
    config: Config,
    fields: Mapping[str, Any],
    threads: int = 1,
) -> VectorWorld:
    """A batch at run 0. All of `fields` are settings: a name no setting has is refused."""
    model = worlds.get(world_id).config
    settings = worlds.parse_config(model, config, where=world_id)
    if fields:
        # Not passed on as keywords: `seed` or `threads` among them would not reach the config.
        merged = {**settings.model_dump(), **fields}
        settings = worlds.parse_config(model, merged, where=world_id)
    return worlds.make_vec(
        world_id, num_worlds, threads=threads, seed=None, autoreset=autoreset, config=settings
    )


def require_one_agent(world: VectorWorld, library: str) -> None:
    """Refuse a world of several agents for a library that knows one."""
    if world.layout.agents != 1:
        names = ", ".join(worlds.get(world.world_id).agent_names)
        raise UnsupportedWorldError(
            f"{world.world_id} has {world.layout.agents} agents ({names}) and {library} knows one; "
            "use astrarium.adapters.pettingzoo.WorldParallelEnv"
        )


def render_mode(given: str | None) -> str | None:
    """The one way an adapter draws, or none."""
    if given not in (None, "ansi"):
        raise ConfigError(f"render_mode is {given!r} (allowed: None, 'ansi')")
    return given
