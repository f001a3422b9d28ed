"""A world of any number of agents as a PettingZoo parallel environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from astrarium import worlds
from astrarium.adapters import drawing, making
from astrarium.adapters.errors import (
    UnknownAgentError,
    UnsupportedWorldError,
    explain_missing,
    refuses_closed,
)
from astrarium.adapters.scripted import ScriptedAgents, place
from astrarium.errors import ActionError, ConfigError, EpisodeOverError, did_you_mean
from astrarium.worlds import arguments
from astrarium.worlds.vector import Actions, Floats

try:
    from gymnasium.spaces import Box, Dict, Space
    from pettingzoo import ParallelEnv  # pyright: ignore[reportMissingTypeStubs]
except ModuleNotFoundError as error:
    explain_missing(error, "zoo", "pettingzoo", "gymnasium")

from astrarium.adapters import infos, spaces
from astrarium.adapters.resets import require_reset
from astrarium.adapters.seating import Seating

__all__ = ["WorldParallelEnv"]


Newcomers = Literal["agents", "scripted"]
"""Who acts for those that take over a slot within an episode: the library, or a script."""


class WorldParallelEnv(making.PicklableEnv, ParallelEnv[str, Any, Any]):
    """One world; its agents by the names the registry gives their slots, or the persons in them.

    `reset(seed=s)` plays the episode of exactly seed `s`; without a seed, the next episode of the
    last one, or of a random run at first. Options are ignored, as PettingZoo's own checks expect.

    An agent's last observation, reward and info come with the step that ends it; then it leaves
    `agents` until the next reset. Where slots change hands, the agents are those who begin the
    episode, and a scripted player acts for all who come later: most libraries want every agent in
    play at the reset. With `newcomers="agents"` a newcomer is a new agent under the next name of
    `possible_agents`; when none is left, everyone is truncated.

    The info of an agent has its `action_mask` (flat), its `episode_seed`, and the `reward_terms`,
    `events` and `stats` of the last step as arrays; `metadata` has their names in order. With
    `mask_in_obs` the observation is a dict of `observation` and `action_mask`.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        world_id: str,
        *,
        mask_in_obs: bool = False,
        newcomers: Newcomers = "scripted",
        render_mode: str | None = None,
        config: making.Config = None,
        **config_fields: Any,
    ) -> None:
        self.render_mode: Final = making.render_mode(render_mode)
        if newcomers not in ("agents", "scripted"):
            raise ConfigError(f"newcomers is {newcomers!r} (allowed: 'agents', 'scripted')")
        self.world = making.make_world(world_id, 1, "disabled", config, config_fields)
        layout = self.world.layout
        if mask_in_obs and not layout.heads:
            raise UnsupportedWorldError(f"{world_id} has no heads to mask; leave mask_in_obs out")
        self.mask_in_obs: Final = mask_in_obs
        self.metadata = {
            "name": world_id,
            "render_modes": [*making.RENDER_MODES],
            "render_fps": 10,
            "is_parallelizable": True,
            "reward_terms": layout.terms,
            "events": layout.events,
            "stats": layout.stats,
        }
        entry = worlds.get(world_id).under(self.world.config)
        self.possible_agents = list(entry.person_names or entry.agent_names)
        is_scripted = bool(entry.person_names) and newcomers == "scripted"
        self._newcomers: Final = ScriptedAgents(world_id, None) if is_scripted else None
        if is_scripted:
            self.possible_agents = self.possible_agents[: np.count_nonzero(self.world.alive[0])]
        self.agents: list[str] = []
        self._seating: Final = Seating(self.possible_agents, bool(entry.person_names))
        # One object per agent, so that each can be seeded by itself.
        self.observation_spaces = {name: self._observation_space() for name in self.possible_agents}
        self.action_spaces = {name: spaces.action_space(layout) for name in self.possible_agents}
        self.state_space = Box(-np.inf, np.inf, self.state().shape, np.float32)
        self._was_reset = False

    def observation_space(self, agent: str) -> Space[Any]:
        """What `agent` may see: the same object every time."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Space[Any]:
        """What `agent` may order: the same object every time."""
        return self.action_spaces[self._known(agent)]

    @refuses_closed
    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin an episode: that of `seed`, or the next one."""
        if seed is not None:
            self.world.reset_with_seeds([arguments.seed(seed)])
        elif self._was_reset:
            self.world.reset()
        else:
            self.world.reset(int(np.random.default_rng().integers(2**63)))
        self._was_reset = True
        if self._newcomers is not None:
            self._newcomers.begin()
        self._seating.clear()
        self.agents = self._seating.seat(self.world.alive[0] != 0)
        return self._seen(self.agents), self._told(self.agents, stepped=False)

    @refuses_closed
    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[
        dict[str, Any],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Advance by one decision of every agent in play."""
        world = self.world
        require_reset(self._was_reset, world)
        if not self.agents and not actions:
            return {}, {}, {}, {}, {}  # as PettingZoo's own environments do after the end
        orders = self._orders(actions)
        try:
            world.step(*orders)
        except EpisodeOverError:
            raise EpisodeOverError("the episode is over; begin the next with env.reset()") from None
        ended = {
            name: (bool(world.terminated[0, slot]), bool(world.truncated[0, slot]))
            for name, slot in self._seating.slots(self.agents)
        }
        before = self.agents
        self._seating.leave(name for name, (died, cut) in ended.items() if died or cut)
        self.agents = self._seating.seat(world.alive[0] != 0)
        if self._seating.is_full and self._newcomers is None:
            # Somebody came for whom there is no name.
            ended |= {name: (ended.get(name, (False,))[0], True) for name in self.agents}
            self._seating.leave(self.agents)
            self.agents = []
        # Those who ended hear of it now; those who came only begin.
        told = before + [name for name in self.agents if name not in before]
        return (
            self._seen(told),
            {name: float(world.reward[0, slot]) for name, slot in self._seating.slots(told)},
            {name: ended.get(name, (False, False))[0] for name in told},
            {name: ended.get(name, (False, False))[1] for name in told},
            self._told(told, stepped=True),
        )

    @refuses_closed
    def state(self) -> Floats:
        """Everything at once: what each slot sees, then what none of them can."""
        hidden = self.world.reveal() if self.world.layout.hidden else np.zeros(0, np.float32)
        return np.concatenate([self.world.obs.ravel(), hidden.ravel()])

    def render(self) -> Any:
        """Return a picture in the mode `rgb_array`, every agent's text in `ansi`, else nothing."""
        slots = [slot for _, slot in self._seating.slots(self.agents)]
        return drawing.drawn(self.render_mode, self.world, 0, slots)

    def close(self) -> None:
        """Let go of the world."""
        self.world.close()

    def _known(self, agent: str) -> str:
        if agent not in self.action_spaces:
            known = self.possible_agents
            shown = known if len(known) <= 16 else [*known[:2], "...", known[-1]]
            raise UnknownAgentError(
                f"no agent is called {agent!r}{did_you_mean(str(agent), known)} "
                f"(known: {', '.join(shown)})"
            )
        return agent

    def _observation_space(self) -> Space[Any]:
        seen = spaces.observation_space(self.world.layout)
        if not self.mask_in_obs:
            return seen
        return Dict({"observation": seen, "action_mask": spaces.mask_space(self.world.layout)})

    def _observation(self, slot: int) -> Any:
        """What the agent in `slot` sees."""
        world = self.world
        seen = world.obs[0, slot].copy()
        if not self.mask_in_obs:
            return seen
        return {
            "observation": seen,
            "action_mask": world.mask[0, slot].astype(np.int8),
        }

    def _info(self, name: str, slot: int, *, stepped: bool) -> dict[str, Any]:
        """What the agent called `name`, in `slot`, is told besides."""
        return infos.plain_info_of(self.world, 0, slot, stepped=stepped)

    def _seen(self, names: list[str]) -> dict[str, Any]:
        return {name: self._observation(slot) for name, slot in self._seating.slots(names)}

    def _told(self, names: list[str], *, stepped: bool) -> dict[str, dict[str, Any]]:
        return {
            name: self._info(name, slot, stepped=stepped)
            for name, slot in self._seating.slots(names)
        }

    def _orders(
        self, given: Mapping[str, Any]
    ) -> tuple[Actions | None, npt.NDArray[np.float64] | None]:
        """Return all actions as one batch; a slot without an agent gets the script's, or zeros."""
        layout = self.world.layout
        if given and not self.agents:
            raise EpisodeOverError("no agent is in play; begin an episode with env.reset()")
        for name in given.keys() - set(self.agents):
            hint = did_you_mean(str(name), self.agents)
            raise ActionError(f"no agent in play is called {name!r}{hint}")
        if self._newcomers is None:
            actions = np.zeros((1, layout.agents, len(layout.heads)), np.int32)
            controls = np.zeros((1, layout.agents, layout.controls), np.float64)
        else:
            actions, controls = self._newcomers.orders(self.world)
        for name, slot in self._seating.slots(self.agents):
            if name not in given:
                raise ActionError(f"no action for {name}; give one for each of {self.agents}")
            try:
                choice, control = spaces.orders_of(layout, given[name])
            except ActionError as error:
                raise ActionError(f"{name}: {error}") from None
            place(actions[0, slot], choice, name, "iu")
            place(controls[0, slot], control, name, "f")
        return actions if layout.heads else None, controls if layout.controls else None
