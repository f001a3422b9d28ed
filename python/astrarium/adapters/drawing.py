"""What an adapter's `render()` returns: text, or a picture."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from astrarium import worlds
from astrarium.adapters import rendering
from astrarium.worlds import VectorWorld


def drawn(mode: str | None, world: VectorWorld, index: int, agents: Sequence[int]) -> Any:
    """Return world `index` as text or as a picture, as the mode says; None without a mode."""
    if mode == "rgb_array":
        return rendering.picture(world, index, agents)
    if mode == "ansi":
        return "\n\n".join(text_of(world, index, agent) for agent in agents)
    return None


def text_of(world: VectorWorld, index: int, agent: int) -> str:
    """Return what one agent sees: the named fields that are not zero, and whose episode it is."""
    entry = worlds.get(world.world_id).under(world.config)
    seen = world.obs[index, agent].tolist()
    fields = [
        f"{name}={value:.3g}" for name, value in zip(entry.obs_names, seen, strict=True) if value
    ]
    title = f"{world.world_id} {entry.agent_names[agent]}, episode {world.episode_seed[index]}"
    # A field is never broken over two lines, so that it can be searched for.
    lines = textwrap.wrap("  ".join(fields), 96, break_long_words=False, break_on_hyphens=False)
    return "\n".join([title, *lines])
