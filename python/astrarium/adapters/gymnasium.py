"""Worlds of one agent as Gymnasium environments.

Importing this module registers them: `gymnasium.make("astrarium/Prospector-v2")`. Without an
import of it, name the module too:
`gymnasium.make("astrarium.adapters.gymnasium:astrarium/Prospector-v2")`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astrarium import worlds
from astrarium.adapters import drawing, making
from astrarium.adapters.errors import explain_missing, refuses_closed
from astrarium.errors import ConfigError, EpisodeOverError
from astrarium.worlds import arguments
from astrarium.worlds.vector import Floats

try:
    import gymnasium
except ModuleNotFoundError as error:
    explain_missing(error, "gym", "gymnasium")

from astrarium.adapters import infos, spaces
from astrarium.adapters.gymnasium_vector import WorldVectorEnv

__all__ = ["WorldEnv", "WorldVectorEnv", "gymnasium_id", "register_all"]


class WorldEnv(gymnasium.Env[Floats, Any]):
    """One world with one agent.

    `reset(seed=s)` plays the episode of exactly seed `s`; later resets without a seed play the
    episodes that follow from it. An environment never given a seed starts from one drawn from
    `np_random`. Whatever the episode, `info["episode_seed"]` is the seed that reruns it.

    `info` also has `action_mask` and, after a step, `reward_terms`, `events` and `stats` by name.
    An action that is illegal or out of range has the effect the world documents; one of the wrong
    shape or type is an `ActionError`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        world_id: str,
        *,
        render_mode: str | None = None,
        config: making.Config = None,
        **config_fields: Any,
    ) -> None:
        self.render_mode = making.render_mode(render_mode)
        self.world = making.make_world(world_id, 1, "disabled", config, config_fields)
        making.require_one_agent(self.world, "Gymnasium")
        self.observation_space = spaces.observation_space(self.world.layout)
        self.action_space = spaces.action_space(self.world.layout)
        self._has_lineage = False

    @refuses_closed
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode: that of `seed`, or the next one."""
        if options:
            raise ConfigError(f"unknown reset option {next(iter(options))!r} (known: none)")
        if seed is not None:
            seed = arguments.seed(seed)
        super().reset(seed=seed)
        if seed is not None:
            self.world.reset_with_seeds([seed])
        elif self._has_lineage:
            self.world.reset()
        else:
            self.world.reset(int(self.np_random.integers(2**63)))
        self._has_lineage = True
        return self._seen(), infos.info_of(self.world, 0, 0, stepped=False)

    @refuses_closed
    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Advance by one decision."""
        world, layout = self.world, self.world.layout
        try:
            world.step(*spaces.orders_of(layout, spaces.row_of(layout, action)))
        except EpisodeOverError:
            raise EpisodeOverError("the episode is over; begin the next with env.reset()") from None
        return (
            self._seen(),
            float(world.reward[0, 0]),
            bool(world.terminated[0, 0]),
            bool(world.truncated[0, 0]),
            infos.info_of(world, 0, 0, stepped=True),
        )

    def action_masks(self) -> infos.Bools:
        """(K,): the legal choices of all heads side by side, as sb3-contrib asks for them."""
        return self.world.mask[0, 0].astype(np.bool_)

    def render(self) -> str | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The observation as text in the mode `ansi`, else nothing."""
        return drawing.text_of(self.world, 0, 0) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Let go of the world."""
        self.world.close()

    def _seen(self) -> Floats:
        return self.world.obs[0, 0].copy()


def gymnasium_id(world_id: str) -> str:
    """The name Gymnasium knows a world by: `astrarium/Prospector-v2` for `prospector-v2`."""
    name, dash, version = world_id.rpartition("-v")
    if not (dash and version.isdigit()):
        name, dash, version = world_id, "", ""
    words = name.replace("_", "-").split("-")
    return "astrarium/" + "".join(word[:1].upper() + word[1:] for word in words) + dash + version


def register_all() -> tuple[str, ...]:
    """Make every known world of one agent known to Gymnasium; the ids of all of them.

    Called on import. Call it again after `astrarium.worlds.register`.
    """
    registered: list[str] = []
    for world_id in worlds.ids():
        if len(worlds.get(world_id).agent_names) != 1:
            continue
        name = gymnasium_id(world_id)
        if name not in gymnasium.registry:
            # Strings, so that a process Gymnasium spawns can find the classes by itself.
            gymnasium.register(  # pyright: ignore[reportUnknownMemberType] (its kwargs is a bare dict)
                id=name,
                entry_point=f"{__name__}:WorldEnv",
                vector_entry_point=f"{__name__}:WorldVectorEnv",
                kwargs={"world_id": world_id},
            )
        registered.append(name)
    return tuple(registered)


register_all()
