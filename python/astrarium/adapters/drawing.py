"""An observation as text."""

from __future__ import annotations

import textwrap

from astrarium import worlds
from astrarium.worlds import VectorWorld


def text_of(world: VectorWorld, index: int, agent: int) -> str:
    """What one agent sees: the named fields that are not zero, and whose episode it is."""
    entry = worlds.get(world.world_id)
    seen = world.obs[index, agent].tolist()
    fields = [
        f"{name}={value:.3g}" for name, value in zip(entry.obs_names, seen, strict=True) if value
    ]
    title = f"{world.world_id} {entry.agent_names[agent]}, episode {world.episode_seed[index]}"
    # A field is never broken over two lines, so that it can be searched for.
    lines = textwrap.wrap("  ".join(fields), 96, break_long_words=False, break_on_hyphens=False)
    return "\n".join([title, *lines])
