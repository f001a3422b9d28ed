"""The memory of one rollout of one policy: allocated once, filled row by row.

Time is the first axis, so that a step of all worlds is one contiguous row: the native step writes
the next row of `obs` and `mask` itself.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from astrarium.train.loss import Samples
from astrarium.train.returns import advantages
from astrarium.worlds.vector import Flags, Floats, VectorWorld


@runtime_checkable
class StepsInto(Protocol):
    """A batch that can write what agents see next into somebody else's memory."""

    def step_into(self, obs: Floats, mask: Flags) -> None:
        """As `step`; the next `obs` and `mask` also land in these arrays."""
        ...


class Rollout:
    """T steps of `worlds` worlds, of the agent slots one policy plays.

    Rows of a step are worlds times slots, in that order. With `passing`, only the latest two steps
    of observations and masks are kept here, in memory a GPU can read by itself.
    """

    def __init__(
        self,
        world: VectorWorld,
        steps: int,
        slots: tuple[int, ...],
        *,
        passing: bool = False,
        limits_end: bool = False,
    ) -> None:
        layout = world.layout
        self.steps = steps
        self.limits_end = limits_end
        """Whether a cut is an ending: nothing is expected after it."""
        self.slots = slots
        self.whole = slots == tuple(range(layout.agents))
        """Whether these are all slots, so that rows of the world's arrays are rows of ours."""
        rows = self.rows = world.num_worlds * len(slots)
        kept, pinned = (2, torch.cuda.is_available()) if passing else (steps + 1, False)
        size = (kept, rows, layout.num_choices)
        self.obs = torch.zeros(kept, rows, layout.obs_dim, pin_memory=pinned)
        self.mask = torch.zeros(size, dtype=torch.uint8, pin_memory=pinned)
        self.alive = torch.zeros(steps + 1, rows, dtype=torch.bool)
        self.starts = torch.ones(steps + 1, rows, dtype=torch.bool)
        """Where an observation is the first of an episode."""
        self.own = torch.ones(steps, rows, dtype=torch.bool)
        """Where the policy's own choice was the order given, not a teacher's."""
        self.actions = torch.zeros(steps, rows, len(layout.heads), dtype=torch.int32)
        self.draws = torch.zeros(steps, rows, layout.controls)
        self.log_prob = torch.zeros(steps, rows)
        self.value = torch.zeros(steps + 1, rows)
        self.cut_value = torch.zeros(steps, rows)
        self.cuts: list[tuple[int, npt.NDArray[np.intp], Floats]] = []
        """Steps, rows and last sights of episodes that were cut off."""
        self.reward = torch.zeros(steps, rows)
        self.terminated = torch.zeros(steps, rows, dtype=torch.bool)
        self.truncated = torch.zeros(steps, rows, dtype=torch.bool)
        self.advantage = torch.zeros(steps, rows)
        self.returns = torch.zeros(steps, rows)

    def begin(self, world: VectorWorld) -> None:
        """Row 0 is what the agents see now; episodes go on from the last rollout."""
        self.cuts.clear()
        self.own.fill_(True)
        self.see(0, world)
        self.starts[0] = self.starts[self.steps]

    def step(self, t: int, world: VectorWorld) -> None:
        """Let the world take the orders of row `t`; what follows becomes row `t + 1`."""
        if self.whole and isinstance(world, StepsInto):
            at = (t + 1) % len(self.obs)
            obs = self.obs[at].numpy().reshape(world.obs.shape)
            world.step_into(obs, self.mask[at].numpy().reshape(world.mask.shape))
            self.alive.numpy()[t + 1] = world.alive.reshape(-1)
            self._blank(t + 1)
        else:
            world.step()
            self.see(t + 1, world)
        self.note(t, world)

    def note(self, t: int, world: VectorWorld) -> None:
        """What step `t` led to."""
        self.reward.numpy()[t] = self.mine(world.reward)
        self.terminated.numpy()[t] = self.mine(world.terminated)
        if self.limits_end:
            self.terminated.numpy()[t] |= self.mine(world.truncated) != 0
        else:
            self.truncated.numpy()[t] = self.mine(world.truncated)
        ended = self.terminated[t] | self.truncated[t]
        torch.logical_or(ended, ~self.alive[t] & self.alive[t + 1], out=self.starts[t + 1])
        cut = np.flatnonzero(self.truncated.numpy()[t])
        if len(cut):
            self.cuts.append((t, cut, self.mine(world.final_obs)[cut]))

    def mine(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """(n, m, ...) of the world as (rows, ...) of this policy's slots."""
        chosen = array if self.whole else array[:, list(self.slots)]
        return chosen.reshape(self.rows, *array.shape[2:])

    def finish(self, gamma: float, gae_lambda: float) -> None:
        """Advantages and returns, once rewards and values are all there."""
        self.advantage = advantages(
            self.reward,
            self.value,
            self.cut_value,
            self.terminated,
            self.truncated,
            self.alive[:-1],
            gamma=gamma,
            gae_lambda=gae_lambda,
        )
        torch.add(self.advantage, self.value[:-1], out=self.returns)

    def samples(self) -> Samples:
        """Flat over steps and rows."""
        return Samples(
            *(
                part.flatten(0, 1)
                for part in (
                    self.mask[:-1],
                    self.actions,
                    self.draws,
                    self.log_prob,
                    self.value[:-1],
                    self.advantage,
                    self.returns,
                )
            )
        )

    def flat_obs(self) -> Tensor:
        """(T * rows, D)."""
        return self.obs[:-1].flatten(0, 1)

    def counted(self) -> Tensor:
        """(T, rows): what can be learned from, where an agent followed its policy."""
        return self.alive[:-1] & self.own

    def played(self) -> npt.NDArray[np.int64]:
        """Indices, into the flat rows, of those that count."""
        return np.flatnonzero(self.counted().numpy())

    def see(self, t: int, world: VectorWorld) -> None:
        """Row `t` is what the agents see now."""
        self.obs.numpy()[t % len(self.obs)] = self.mine(world.obs)
        self.mask.numpy()[t % len(self.mask)] = self.mine(world.mask)
        self.alive.numpy()[t] = self.mine(world.alive)
        self._blank(t)

    def _blank(self, t: int) -> None:
        """What a slot without an agent shows means nothing, and might not even be finite."""
        alive = self.alive.numpy()[t]
        if not alive.all():
            self.obs.numpy()[t % len(self.obs)][~alive] = 0.0
