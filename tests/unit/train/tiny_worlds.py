"""Small worlds in plain NumPy, each made for one question about a trainer."""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.worlds import Layout


class TinyWorld:
    """n worlds with what a trainer looks at. A subclass says what happens in a step."""

    world_id = "tiny-v1"
    autoreset = "same_step"

    def __init__(
        self, worlds: int, *, agents=1, obs_dim=1, heads=(), controls=0, matters=()
    ) -> None:
        self.num_worlds = worlds
        self.layout = Layout(
            agents=agents,
            obs_dim=obs_dim,
            obs_low=-1.0,
            obs_high=1.0,
            heads=heads,
            controls=controls,
            terms=(),
            stats=(),
            events=(),
            matters=matters,
        )
        rows = (worlds, agents)
        self.obs = np.zeros((*rows, obs_dim), np.float32)
        self.final_obs = np.zeros((*rows, obs_dim), np.float32)
        self.mask = np.ones((*rows, sum(heads)), np.uint8)
        self.alive = np.ones(rows, np.uint8)
        self.actions = np.zeros((*rows, len(heads)), np.int32)
        self.controls = np.zeros((*rows, controls), np.float32)
        self.reward = np.zeros(rows, np.float32)
        self.terminated = np.zeros(rows, np.uint8)
        self.truncated = np.zeros(rows, np.uint8)
        self.episode = np.zeros(worlds, np.uint64)
        self.episode_seed = np.arange(worlds, dtype=np.uint64)
        self.time = 0

    def step(self, actions=None, controls=None) -> None:
        if actions is not None:
            self.actions[...] = actions
        if controls is not None:
            self.controls[...] = controls
        self.advance()
        self.time += 1

    def advance(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        pass


class Recall(TinyWorld):
    """A cue in the first step, asked for in the last: nothing in between shows it."""

    STEPS: Final = 4

    def __init__(self, worlds: int, seed: int = 0) -> None:
        super().__init__(worlds, obs_dim=3, heads=(2,))
        self._draw = np.random.default_rng(seed)
        self._show(0)

    def advance(self) -> None:
        t = self.time % self.STEPS
        right = self.actions[:, 0, 0] == self._cue
        asked = t == self.STEPS - 1
        self.reward[:, 0] = np.where(right, 1.0, -1.0) if asked else 0.0
        self.terminated[...] = asked
        self.episode += np.uint64(asked)
        self._show((t + 1) % self.STEPS)

    def _show(self, t: int) -> None:
        self.obs[...] = 0.0
        if t == 0:
            self._cue = self._draw.integers(0, 2, self.num_worlds)
            self.obs[:, 0, 0] = 2.0 * self._cue - 1.0
        self.obs[:, 0, 1] = t == self.STEPS - 1
        self.obs[:, 0, 2] = 1.0


class Knock(TinyWorld):
    """Knock at the right one of three doors, or wait, which pays a little and needs no door.

    The observation shows the door. A knock at a wrong one costs.
    """

    WAIT, KNOCK = 0, 1

    def __init__(self, worlds: int, seed: int = 0) -> None:
        super().__init__(worlds, obs_dim=3, heads=(2, 3), matters=((), (1,)))
        self._draw = np.random.default_rng(seed)
        self._show()

    def advance(self) -> None:
        knocked = self.actions[:, 0, 0] == self.KNOCK
        right = self.actions[:, 0, 1] == self.obs[:, 0].argmax(-1)
        self.reward[:, 0] = np.where(knocked, np.where(right, 1.0, -1.0), 0.1)
        self.terminated[...] = 1
        self._show()

    def _show(self) -> None:
        self.obs[...] = 0.0
        door = self._draw.integers(0, 3, self.num_worlds)
        self.obs[np.arange(self.num_worlds), 0, door] = 1.0


class Steer(TinyWorld):
    """Put the control where the first float of the observation says.

    With `heads`, the choice must also say whether that is left or right.
    """

    STEPS: Final = 3

    def __init__(self, worlds: int, heads: tuple[int, ...] = (), seed: int = 0) -> None:
        super().__init__(worlds, obs_dim=2, heads=heads, controls=1)
        self._draw = np.random.default_rng(seed)
        self._show()

    def advance(self) -> None:
        target = self.obs[:, 0, 0]
        assert np.isfinite(self.controls).all()
        assert (np.abs(self.controls) <= 1.0).all()
        self.reward[:, 0] = -((self.controls[:, 0, 0] - target) ** 2)
        if self.layout.heads:
            self.reward[:, 0] += self.actions[:, 0, 0] == (target > 0)
        over = self.time % self.STEPS == self.STEPS - 1
        self.truncated[...] = over
        self._show()
        self.final_obs[...] = self.obs

    def _show(self) -> None:
        self.obs[:, 0, 0] = self._draw.uniform(-0.8, 0.8, self.num_worlds)
        self.obs[:, 0, 1] = 1.0


class Scripted(TinyWorld):
    """Everything was decided before, whatever the orders: lives, deaths, returns, rewards.

    An agent's episode ends by the rules, by the clock or by both. Then its slot begins another at
    once, or is empty for a while and shows `noise`. Worlds never end.
    """

    def __init__(
        self, worlds: int, steps: int, *, agents=2, obs_dim=3, heads=(3,), controls=0, noise=0.0
    ) -> None:
        super().__init__(worlds, agents=agents, obs_dim=obs_dim, heads=heads, controls=controls)
        draw = np.random.default_rng(7)
        size = (steps + 1, worlds, agents)
        self.alives = np.ones(size, np.uint8)
        self.terminations = np.zeros(size, np.uint8)
        self.truncations = np.zeros(size, np.uint8)
        for t in range(steps):
            ends = (draw.random(size[1:]) < 0.25) & (self.alives[t] == 1)
            by_rules = draw.random(size[1:]) < 0.5
            both = draw.random(size[1:]) < 0.2
            self.terminations[t] = ends & (by_rules | both)
            self.truncations[t] = ends & (~by_rules | both)
            leaves = ends & (draw.random(size[1:]) < 0.6)
            returns = (self.alives[t] == 0) & (draw.random(size[1:]) < 0.5)
            self.alives[t + 1] = ((self.alives[t] == 1) & ~leaves) | returns
        self.rewards = draw.standard_normal(size).astype(np.float32) * self.alives
        self.sights = draw.standard_normal((*size, obs_dim)).astype(np.float32)
        self.last_sights = draw.standard_normal((*size, obs_dim)).astype(np.float32)
        self.sights[self.alives == 0] = noise
        self._show()

    def advance(self) -> None:
        t = self.time
        self.reward[...] = self.rewards[t]
        self.terminated[...], self.truncated[...] = self.terminations[t], self.truncations[t]
        ended = (self.terminations[t] | self.truncations[t]) != 0
        self.final_obs[ended] = self.last_sights[t][ended]
        self._show(1)

    def _show(self, after: int = 0) -> None:
        self.obs[...] = self.sights[self.time + after]
        self.alive[...] = self.alives[self.time + after]
