"""The two implementations of Prospector v1 as sides: the readable reference, the native core."""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np

from astrarium.parity.side import Pair, StepRecord
from astrarium.worlds import make_vec
from astrarium.worlds.prospector import ProspectorV1Config, hidden, layout
from astrarium.worlds.prospector.reference import V1, ReferenceProspector, Rules
from astrarium.worlds.vector import Floats

WORLD: Final = "prospector-v1"
_INVALID: Final = 1 << layout.EVENTS.index("invalid_action")


class ReferenceSide:
    """The Python reference; other `rules` than v1's make a copy that is wrong on purpose."""

    def __init__(self, time_max: float, rules: Rules = V1) -> None:
        self.name: Final = "python"
        self.metric_names: Final = layout.PARITY_METRICS
        self._world = ReferenceProspector(time_max, rules=rules)

    @property
    def generator(self) -> int:
        """Where the generator stands."""
        return self._world.rng_state

    def reset(self, seed: int) -> Floats:
        """Begin the episode of `seed`."""
        return self._world.reset(seed)

    def step(self, action: int) -> StepRecord:
        """Take one action."""
        result = self._world.step(action)
        metrics = [result.metrics[name] for name in self.metric_names]
        return StepRecord(
            obs=result.obs,
            reward=result.reward,
            terminated=result.terminated,
            truncated=result.truncated,
            dt=result.dt,
            invalid_action=result.invalid_action,
            action=result.action,
            metrics=np.array(metrics, dtype=np.float32),
            generator=self.generator,
        )


class NativeSide:
    """The native core, reached as everyone reaches it: a batch, here of one world."""

    def __init__(self, time_max: float) -> None:
        self.name: Final = "native"
        self.metric_names: Final = layout.PARITY_METRICS
        self._world = make_vec(WORLD, 1, autoreset="disabled", time_max=time_max)
        stats = self._world.layout.stats
        self._metrics = [stats.index(name) for name in self.metric_names]
        self._dt = stats.index("dt")

    @property
    def generator(self) -> int:
        """Where the generator stands."""
        return int(hidden.parse(self._world.reveal()).generator[0])

    def reset(self, seed: int) -> Floats:
        """Begin the episode of `seed`."""
        self._world.reset_with_seeds([seed])
        return self._world.obs[0, 0].copy()

    def step(self, action: int) -> StepRecord:
        """Take one action."""
        world = self._world
        world.actions[0, 0, 0] = action
        world.step()
        return StepRecord(
            obs=world.obs[0, 0].copy(),
            reward=world.reward[0, 0],
            terminated=bool(world.terminated[0, 0]),
            truncated=bool(world.truncated[0, 0]),
            dt=int(world.stats[0, self._dt]),
            invalid_action=bool(int(world.events[0, 0]) & _INVALID),
            action=None,  # a batch knows what it was told, not what the rules made of it
            metrics=world.stats[0, self._metrics],
            generator=self.generator,
        )


def config_hash(time_max: float) -> str:
    """SHA-256 of world and settings: equal where two cases played the same game."""
    settings = ProspectorV1Config(time_max=time_max).model_dump_json()
    return hashlib.sha256(f"{WORLD} {settings}".encode()).hexdigest()


PAIR: Final = Pair(WORLD, ReferenceSide, NativeSide, config_hash)
