"""Other forms of `TidebreakEnv`: flat observations, other actions, stacked frames, and SB3."""

from __future__ import annotations

from collections import deque
from typing import Any, Final, cast

import numpy as np

from astrarium.adapters import tidebreak
from astrarium.adapters.errors import UnsupportedWorldError, explain_missing
from astrarium.adapters.infos import Bools
from astrarium.adapters.tidebreak import TidebreakEnv
from astrarium.errors import CountError
from astrarium.worlds.vector import Floats

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    explain_missing(error, "gym", "gymnasium")

__all__ = [
    "DiscreteActions",
    "FlatBoxActions",
    "FlatObs",
    "FrameStack",
    "make_sb3_env",
    "make_sb3_vec_env",
]

_HELM_CHOICES: Final = 10

_Env = gymnasium.Env[Any, Any]


class FlatObs(gymnasium.ObservationWrapper[Floats, Any, Any]):
    """The parts of an observation in one row of 719 floats."""

    def __init__(self, env: _Env) -> None:
        super().__init__(env)
        seen: Any = env.observation_space
        if not isinstance(seen, spaces.Dict):
            raise UnsupportedWorldError("FlatObs flattens a dict; this environment has none")
        parts: dict[str, Any] = dict(cast("Any", seen).items())
        low = tidebreak.joined_blocks({name: part.low for name, part in parts.items()})
        high = tidebreak.joined_blocks({name: part.high for name, part in parts.items()})
        self.observation_space = spaces.Box(low, high)

    def observation(self, observation: Any) -> Floats:
        """All parts side by side."""
        return tidebreak.joined_blocks(observation)


class DiscreteActions(gymnasium.ActionWrapper[Any, Any, Any]):
    """Eleven heads instead of a helm and nine: what masked policies of SB3 take."""

    def __init__(self, env: _Env) -> None:
        super().__init__(env)
        _require_hybrid(env)
        self.action_space = tidebreak.discrete_space()

    def action(self, action: Any) -> dict[str, Any]:
        """The same as a helm and orders."""
        helm, orders = tidebreak.from_discrete(action)
        return {"helm": helm, "orders": orders}

    def action_masks(self) -> Bools:
        """The legal choices of the eleven heads side by side."""
        orders: Bools = self.env.get_wrapper_attr("action_masks")()
        return np.concatenate([np.ones(_HELM_CHOICES, np.bool_), orders])


class FlatBoxActions(gymnasium.ActionWrapper[Any, Any, Any]):
    """Eleven numbers in -1..1 instead of a helm and nine heads."""

    def __init__(self, env: _Env) -> None:
        super().__init__(env)
        _require_hybrid(env)
        self.action_space = tidebreak.flat_space()

    def action(self, action: Any) -> dict[str, Any]:
        """The same as a helm and orders."""
        helm, orders = tidebreak.from_flat(action)
        return {"helm": helm, "orders": orders}


class FrameStack(gymnasium.Wrapper[Floats, Any, Any, Any]):
    """The last `frames` flat observations, the oldest first; an episode begins with copies."""

    def __init__(self, env: _Env, frames: int = 4) -> None:
        super().__init__(env)
        if frames < 1:
            raise CountError(f"frames is {frames}; give at least 1")
        seen = env.observation_space
        if not isinstance(seen, spaces.Box) or len(seen.shape) != 1:
            raise UnsupportedWorldError("FrameStack stacks rows of floats; put FlatObs below it")
        ends: tuple[Floats, Floats] = cast("Any", seen).low, cast("Any", seen).high
        low, high = (np.stack([end] * frames) for end in ends)
        self.observation_space = spaces.Box(low, high)
        self._frames: Final[deque[Floats]] = deque(maxlen=frames)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode."""
        first, info = self.env.reset(seed=seed, options=options)
        for _ in range(self._frames.maxlen or 1):
            self._frames.append(first)
        return np.stack(self._frames), info

    def step(self, action: Any) -> tuple[Floats, Any, bool, bool, dict[str, Any]]:
        """Advance by one decision."""
        seen, reward, terminated, truncated, info = self.env.step(action)
        self._frames.append(seen)
        return np.stack(self._frames), reward, terminated, truncated, info


def _require_hybrid(env: _Env) -> None:
    if not isinstance(env.action_space, spaces.Dict):
        raise UnsupportedWorldError("this wraps hybrid actions; make the env with action='hybrid'")


def make_sb3_env(scenario: str = "duel", **options: Any) -> _Env:
    """A battle as SB3 takes it: a row of floats, eleven heads, `action_masks()`, a Monitor."""
    try:
        from stable_baselines3.common.monitor import Monitor
    except ModuleNotFoundError as error:
        explain_missing(error, "sb3", "stable_baselines3")
    forms: dict[str, Any] = {"action": "discrete", "obs": "flat", **options}
    return Monitor(TidebreakEnv(scenario, **forms))


def make_sb3_vec_env(
    num_envs: int = 1, scenario: str = "duel", *, threads: int = 1, **settings: Any
) -> Any:
    """Battles on one native batch as SB3's VecEnv; `settings` are those of `tidebreak-v1`."""
    from astrarium.adapters.sb3 import WorldVecEnv

    fields: dict[str, Any] = {"scenario": scenario, "ship": 0, **settings}
    return WorldVecEnv(tidebreak.WORLD_ID, num_envs, threads=threads, config=fields)
