"""A batch of one-agent worlds as one Stable-Baselines3 `VecEnv`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.adapters import drawing, making
from astrarium.adapters.errors import UnsupportedCallError, explain_missing, refuses_closed
from astrarium.errors import ConfigError
from astrarium.worlds import arguments
from astrarium.worlds.vector import Floats

try:
    import gymnasium
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    explain_missing(error, "sb3", "stable_baselines3", "gymnasium")

from astrarium.adapters import spaces
from astrarium.adapters.infos import Bools
from astrarium.adapters.resets import require_reset

__all__ = ["WorldVecEnv"]

Indices = int | Iterable[int] | None


class WorldVecEnv(VecEnv):
    """n worlds on one native batch; give it to PPO, or to sb3-contrib's MaskablePPO.

    `seed(s)` before a reset begins run `s`: world i gets the seed derived from (s, i).

    The infos of worlds that go on are empty, and the same objects every step. Where an episode
    ended, the info has `terminal_observation`, `TimeLimit.truncated`, `episode` (return `r`,
    length `l`, seconds since the environment was made `t`, as from SB3's own Monitor),
    `episode_seed` and the named `stats`.
    """

    def __init__(
        self,
        world_id: str,
        num_envs: int = 1,
        *,
        threads: int = 1,
        render_mode: str | None = None,
        config: making.Config = None,
        **config_fields: Any,
    ) -> None:
        self.world: Final = making.make_world(
            world_id, num_envs, "same_step", config, config_fields, threads
        )
        making.require_one_agent(self.world, "VecEnv")
        world, layout, n = self.world, self.world.layout, self.world.num_worlds
        self.spec: Final = None
        # SB3 asks for both while the base is being made.
        self.render_mode = making.render_mode(render_mode)
        self.metadata = {"render_modes": [*making.RENDER_MODES], "render_fps": 10}
        self._attributes: Final[dict[str, list[Any]]] = {}
        super().__init__(  # pyright: ignore[reportUnknownMemberType] (bare spaces)
            n,
            spaces.observation_space(layout),
            spaces.flat_action_space(layout, "Stable-Baselines3"),
        )
        self._obs: Final = world.obs.reshape(n, layout.obs_dim)
        self._mask: Final = world.mask.reshape(n, layout.num_choices)
        self._reward: Final = world.reward.reshape(n)
        self._terminated: Final = world.terminated.reshape(n).view(np.bool_)
        self._truncated: Final = world.truncated.reshape(n).view(np.bool_)
        self._returns = np.zeros(n, np.float64)
        self._lengths = np.zeros(n, np.int64)
        self._blank: Final[list[dict[str, Any]]] = [{} for _ in range(n)]
        self._orders: Any = None
        self._run_seed: int | None = None
        self._was_reset = False
        self._made_s: Final = time.monotonic()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Begin run `seed` at the next reset; without one, a random run."""
        drawn = int(np.random.default_rng().integers(2**63)) if seed is None else seed
        self._run_seed = arguments.seed(drawn)
        return [self._run_seed] * self.num_envs

    def set_options(self, options: Any = None) -> None:
        """Refuse options: a world has none."""
        if options:
            raise ConfigError(f"a world has no reset options; {options!r} would be lost")

    @refuses_closed
    def reset(self) -> Floats:  # pyright: ignore[reportIncompatibleMethodOverride] (never a dict)
        """Begin run `seed()` if it was called, else every world's next episode."""
        if self._run_seed is None and not self._was_reset:
            self.seed()
        self.world.reset(self._run_seed)
        self._run_seed, self._was_reset = None, True
        self._returns[:] = 0
        self._lengths[:] = 0
        return self._obs.copy()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Keep the actions for `step_wait`."""
        self._orders = actions

    @refuses_closed
    def step_wait(self) -> tuple[Floats, Floats, Bools, list[dict[str, Any]]]:  # pyright: ignore[reportIncompatibleMethodOverride] (never a dict)
        """Advance every world by one decision."""
        require_reset(self._was_reset, self.world)
        world, seeds = self.world, self.world.episode_seed.copy()
        world.step(*spaces.orders_of(world.layout, self._orders))
        rewards, dones = self._reward.copy(), self._terminated | self._truncated
        self._returns += rewards
        self._lengths += 1
        infos = self._blank.copy()
        for index in np.flatnonzero(dones).tolist():
            infos[index] = self._ending(index, int(seeds[index]))
        self._returns[dones] = 0
        self._lengths[dones] = 0
        return self._obs.copy(), rewards, dones, infos

    def get_images(self) -> list[Any]:
        """Return a picture of each world, for SB3 to tile and to film."""
        return [
            drawing.drawn("rgb_array", self.world, index, [0]) for index in range(self.num_envs)
        ]

    def action_masks(self) -> Bools:
        """(n, K): the legal choices of every world, head after head."""
        return self._mask.astype(np.bool_)

    def close(self) -> None:
        """Let go of the batch."""
        self.world.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """What `set_attr` gave each world, else the batch's own attribute for all of them."""
        at = self._positions(indices)
        if attr_name in self._attributes:
            return [self._attributes[attr_name][index] for index in at]
        return [getattr(self, attr_name)] * len(at)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Note a value for each chosen world. Nothing of the rules can be changed so."""
        rows = self._attributes.setdefault(attr_name, [None] * self.num_envs)
        for index in self._positions(indices):
            rows[index] = value

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` of the chosen worlds; nothing else can be asked of one world alone."""
        if method_name != "action_masks":
            raise UnsupportedCallError(
                f"worlds of a batch have no method {method_name!r} (known: action_masks)"
            )
        return list(self.action_masks()[self._positions(indices)])

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Indices = None
    ) -> list[bool]:
        """True for SB3's Monitor, whose work is done here; without it SB3 warns in evaluation."""
        return [wrapper_class is Monitor] * len(self._positions(indices))

    def _positions(self, indices: Indices) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)

    def _ending(self, index: int, episode_seed: int) -> dict[str, Any]:
        world = self.world
        return {
            "terminal_observation": world.final_obs[index, 0].copy(),
            "TimeLimit.truncated": not self._terminated[index],
            "episode": {
                "r": float(self._returns[index]),
                "l": int(self._lengths[index]),
                "t": round(time.monotonic() - self._made_s, 6),
            },
            "episode_seed": episode_seed,
            "stats": dict(zip(world.layout.stats, world.stats[index].tolist(), strict=True)),
        }
