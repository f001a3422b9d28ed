"""A batch of worlds with the native contract of PufferLib: flat agents, buffers in place.

PufferLib pins versions of NumPy and Gymnasium that Astrarium has left behind, so nothing here
imports it: `WorldPufferEnv` keeps its contract by itself, and `native_class()` makes it a
`pufferlib.PufferEnv` where PufferLib is installed.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from astrarium.adapters import making
from astrarium.adapters.errors import explain_missing, refuses_closed
from astrarium.errors import ActionError, ConfigError, MissingPackageError
from astrarium.worlds.vector import Floats

try:
    from gymnasium.spaces import Box
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    explain_missing(error, "gym", "gymnasium")

from astrarium.adapters import spaces
from astrarium.adapters.infos import Bools

__all__ = ["WorldPufferEnv", "native_class"]

_BUFFERS: Final = ("observations", "rewards", "terminals", "truncations", "masks", "actions")


class WorldPufferEnv:
    """n worlds of m agents as n × m agents, world after world.

    Every call writes into the buffers: those of `buf`, which PufferLib shares between processes,
    or its own. `masks` is True where a slot holds an agent in play. The next episode of a world
    begins in the step that ends its last; an info then tells of the ended one: `episode_return`
    (mean over agents), `episode_length` and the named stats.

    `seed` and `reset(seed)` name a run: world i gets the seed derived from (run, i).
    """

    # What PufferLib asks of an environment that is vectorised by itself and resets itself.
    emulated: Final = False
    done: Final = False

    observations: Floats
    rewards: Floats
    terminals: Bools
    truncations: Bools
    masks: Bools
    actions: npt.NDArray[Any]

    def __init__(
        self,
        world_id: str,
        num_worlds: int = 1,
        *,
        threads: int = 1,
        buf: Mapping[str, npt.NDArray[Any]] | None = None,
        seed: int | None = 0,
        config: making.Config = None,
        **config_fields: Any,
    ) -> None:
        self.world: Final = making.make_world(
            world_id, num_worlds, "same_step", config, config_fields, threads
        )
        layout = self.world.layout
        self._shape: Final = (self.world.num_worlds, layout.agents)
        self.num_agents: Final = self.world.num_worlds * layout.agents
        self.single_observation_space: Final = spaces.observation_space(layout)
        self.single_action_space: Final = spaces.flat_action_space(layout, "PufferLib")
        self._bind(buf)
        self.infos: list[dict[str, Any]] = []
        self._returns = np.zeros(self._shape, np.float64)
        self._lengths = np.zeros(self.world.num_worlds, np.int64)
        self.world.reset(int(np.random.default_rng().integers(2**63)) if seed is None else seed)
        self._is_fresh = True

    @property
    def driver_env(self) -> WorldPufferEnv:
        """The environment that stands for the others."""
        return self

    @property
    def agents_per_batch(self) -> int:
        """Agents in one answer: all of them."""
        return self.num_agents

    agent_per_batch = agents_per_batch

    @refuses_closed
    def reset(self, seed: int | None = None) -> tuple[Floats, list[dict[str, Any]]]:
        """Begin run `seed`; without one, the run it was made with, then next episodes."""
        if seed is not None or not self._is_fresh:
            self.world.reset(seed)
        self._is_fresh = False
        self._returns[:] = 0
        self._lengths[:] = 0
        self._publish()
        return self.observations, []

    @refuses_closed
    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Floats, Floats, Bools, Bools, list[dict[str, Any]]]:
        """Advance every world by one decision."""
        world, layout = self.world, self.world.layout
        orders = np.asarray(actions)
        if orders.shape != self.actions.shape:
            raise ActionError(
                f"actions has shape {orders.shape}; this environment takes {self.actions.shape}"
            )
        width = layout.controls or len(layout.heads)
        episodes = world.episode.copy()
        world.step(*spaces.orders_of(layout, orders.reshape(*self._shape, width)))
        self._is_fresh = False
        self.actions[...] = orders
        self._returns += world.reward
        self._lengths += 1
        over = world.episode != episodes
        infos = [self._ending(index) for index in np.flatnonzero(over).tolist()]
        self._returns[over] = 0
        self._lengths[over] = 0
        self._publish()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def action_masks(self) -> Bools:
        """(n × m, K): the legal choices of every agent, head after head."""
        return self.world.mask.reshape(self.num_agents, -1).astype(np.bool_)

    def async_reset(self, seed: int | None = None) -> None:
        """Reset; `recv` has the result."""
        _, self.infos = self.reset(seed)

    def send(self, actions: npt.ArrayLike) -> None:
        """Step; `recv` has the result."""
        self.infos = self.step(actions)[-1]

    def recv(self) -> tuple[Any, ...]:
        """The buffers, the infos, the agents' numbers and who of them is in play."""
        return (
            self.observations,
            self.rewards,
            self.terminals,
            self.truncations,
            self.infos,
            self.agent_ids,
            self.masks,
        )

    def close(self) -> None:
        """Let go of the batch."""
        self.world.close()

    def _bind(self, buf: Mapping[str, npt.NDArray[Any]] | None) -> None:
        own = _buffers(self.num_agents, self.single_observation_space, self.single_action_space)
        given_all = _mapping(own if buf is None else buf)
        for name in _BUFFERS:
            given = given_all.get(name)
            shape = cast("Any", given).shape if isinstance(given, np.ndarray) else None
            if shape != own[name].shape:
                raise ConfigError(f"buf[{name!r}] must be an array of shape {own[name].shape}")
            setattr(self, name, given)
        self.observation_space = batch_space(self.single_observation_space, self.num_agents)
        self.action_space = batch_space(self.single_action_space, self.num_agents)
        self.agent_ids = np.arange(self.num_agents)

    def _publish(self) -> None:
        """Copy what the batch holds into the buffers: one copy each, no work per agent."""
        world, agents = self.world, self.num_agents
        self.observations[...] = world.obs.reshape(self.observations.shape)
        self.rewards[...] = world.reward.reshape(agents)
        self.terminals[...] = world.terminated.reshape(agents)
        self.truncations[...] = world.truncated.reshape(agents)
        self.masks[...] = world.alive.reshape(agents)

    def _ending(self, index: int) -> dict[str, Any]:
        stats = self.world.stats[index].tolist()
        return {
            "episode_return": float(self._returns[index].mean()),
            "episode_length": int(self._lengths[index]),
            **dict(zip(self.world.layout.stats, stats, strict=True)),
        }


def _mapping(buf: object) -> Mapping[str, Any]:
    if not isinstance(buf, Mapping):
        raise ConfigError(
            f"buf is {buf!r}; give a dict of arrays ({', '.join(_BUFFERS)}), or leave it out"
        )
    return cast("Mapping[str, Any]", buf)


def _buffers(agents: int, seen: Any, orders: Any) -> dict[str, npt.NDArray[Any]]:
    """Buffers as PufferLib makes them: discrete actions are int32, whatever their space says."""
    dtype = np.float32 if isinstance(orders, Box) else np.int32
    return {
        "observations": np.zeros((agents, *seen.shape), np.float32),
        "rewards": np.zeros(agents, np.float32),
        "terminals": np.zeros(agents, np.bool_),
        "truncations": np.zeros(agents, np.bool_),
        "masks": np.ones(agents, np.bool_),
        "actions": np.zeros((agents, *orders.shape), dtype),
    }


def native_class() -> type[WorldPufferEnv]:
    """`WorldPufferEnv` as a subclass of `pufferlib.PufferEnv`, for `pufferlib.vector.make`."""
    try:
        base: Any = _import_pufferlib().PufferEnv
    except ModuleNotFoundError as error:
        # No extra brings it: its pins cannot be met beside Astrarium's own.
        raise MissingPackageError(
            "pufferlib is not installed: build it from source; WorldPufferEnv works without it"
        ) from error

    def bind(self: Any, buf: Any) -> None:
        base.__init__(self, buf)

    return type("WorldPufferEnv", (WorldPufferEnv, base), {"_bind": bind})


def _import_pufferlib() -> Any:
    """Import PufferLib without the link `resources` that it leaves in the current folder."""
    link = Path("resources")
    was_there = os.path.lexists(link)
    module = importlib.import_module("pufferlib")
    if not was_there and link.is_symlink():
        link.unlink()
    return module
