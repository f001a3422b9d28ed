"""One agent of a world as a Gymnasium environment.

With `import astrarium`, Gymnasium knows every world: `gymnasium.make("astrarium/Prospector-v2")`.
A program that imports nothing can name the module too:
`gymnasium.make("astrarium.adapters.gymnasium:astrarium/Prospector-v2")`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astrarium import worlds
from astrarium.adapters import drawing, making
from astrarium.adapters.errors import UnknownAgentError, explain_missing, refuses_closed
from astrarium.adapters.registration import gymnasium_id, register_all
from astrarium.adapters.scripted import ScriptedAgents, place
from astrarium.errors import ConfigError, EpisodeOverError, did_you_mean
from astrarium.worlds import arguments
from astrarium.worlds.vector import Floats

try:
    import gymnasium
except ModuleNotFoundError as error:
    explain_missing(error, "gym", "gymnasium")

from astrarium.adapters import infos, spaces
from astrarium.adapters.gymnasium_vector import WorldVectorEnv
from astrarium.adapters.resets import require_reset

Answer = tuple[Any, float, bool, bool, dict[str, Any]]
"""What a step returns: observation, reward, terminated, truncated, info."""

__all__ = ["WorldEnv", "WorldVectorEnv", "gymnasium_id", "register_all"]


class WorldEnv(making.PicklableEnv, gymnasium.Env[Floats, Any]):
    """One agent of one world.

    In a world of several agents, `agent` names the one that is controlled: the first in play unless
    given. A scripted player of the world, named by `others`, acts for the rest. Without a name that
    is the player trained policies learn from, else the world's first bot, else chance. When the
    agent leaves, the episode is over.

    `reset(seed=s)` plays the episode of exactly seed `s`; later resets without a seed play the
    episodes that follow from it. An environment never given a seed starts from one drawn from
    `np_random`. Whatever the episode, `info["episode_seed"]` is the seed that reruns it.

    `info` also has `action_mask` and, after a step, `reward_terms`, `events` and `stats` by name.
    An action that is illegal or out of range has the effect the world documents; one of the wrong
    shape or type is an `ActionError`.
    """

    metadata = {"render_modes": [*making.RENDER_MODES], "render_fps": 10}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        world_id: str,
        *,
        agent: str | None = None,
        others: str | None = None,
        render_mode: str | None = None,
        config: making.Config = None,
        **config_fields: Any,
    ) -> None:
        self.render_mode = making.render_mode(render_mode)
        self.world = making.make_world(world_id, 1, "disabled", config, config_fields)
        self.observation_space = spaces.observation_space(self.world.layout)
        self.action_space = spaces.action_space(self.world.layout)
        names = worlds.get(world_id).under(self.world.config).agent_names
        if agent is not None and agent not in names:
            raise UnknownAgentError(
                f"{world_id} has no agent {agent!r}{did_you_mean(agent, names)} "
                f"(known: {', '.join(names)})"
            )
        self._named_slot = None if agent is None else names.index(agent)
        self._slot = self._named_slot or 0
        if others is not None and len(names) == 1:
            raise ConfigError(f"others is {others!r}, but {world_id} has one agent; leave it out")
        self._others = ScriptedAgents(world_id, others) if len(names) > 1 else None
        self._was_reset = False
        self._is_over = False

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
        elif self._was_reset:
            self.world.reset()
        else:
            self.world.reset(int(self.np_random.integers(2**63)))
        self._was_reset, self._is_over = True, False
        if self._others is not None:
            self._others.begin()
            self._take_seat()
        return self._seen(), infos.info_of(self.world, 0, self._slot, stepped=False)

    @refuses_closed
    def step(self, action: Any) -> Answer:
        """Advance by one decision."""
        return self._advance(*self._all_orders(action))

    def action_masks(self) -> infos.Bools:
        """(K,): the legal choices of all heads side by side, as sb3-contrib asks for them."""
        return self.world.mask[0, self._slot].astype(np.bool_)

    def render(self) -> Any:
        """Return a picture in the mode `rgb_array`, text in the mode `ansi`, else nothing."""
        return drawing.drawn(self.render_mode, self.world, 0, [self._slot])

    def close(self) -> None:
        """Let go of the world."""
        self.world.close()

    def _advance(self, actions: Any, controls: Any) -> Answer:
        """Step the world with the orders of all its agents."""
        world, slot = self.world, self._slot
        require_reset(self._was_reset, world)
        try:
            if self._is_over:
                raise EpisodeOverError
            world.step(actions, controls)
        except EpisodeOverError:
            raise EpisodeOverError("the episode is over; begin the next with env.reset()") from None
        terminated, truncated = bool(world.terminated[0, slot]), bool(world.truncated[0, slot])
        self._is_over = terminated or truncated
        info = infos.info_of(world, 0, slot, stepped=True)
        return self._seen(), float(world.reward[0, slot]), terminated, truncated, info

    def _all_orders(self, action: Any) -> tuple[Any, Any]:
        """Return `action` as an order of the world, with the scripted agents' beside it."""
        layout = self.world.layout
        if self._others is None:
            return spaces.orders_of(layout, spaces.row_of(layout, action))
        choice, control = spaces.orders_of(layout, action)
        require_reset(self._was_reset, self.world)
        actions, controls = self._others.orders(self.world)
        place(actions[0, self._slot], choice, "the agent", "iu")
        place(controls[0, self._slot], control, "the agent", "f")
        return actions if layout.heads else None, controls if layout.controls else None

    def _take_seat(self) -> None:
        """Find the agent's slot in the episode that begins."""
        present = np.flatnonzero(self.world.alive[0]).tolist()
        slot = present[0] if self._named_slot is None else self._named_slot
        if slot not in present:
            names = worlds.get(self.world.world_id).under(self.world.config).agent_names
            raise ConfigError(
                f"agent is {names[slot]!r}, which is not in play when this episode begins "
                f"(in play: {', '.join(names[at] for at in present)})"
            )
        self._slot = slot

    def _seen(self) -> Any:
        return self.world.obs[0, self._slot].copy()


register_all()
