"""The one shape everything that learns or watches sees: a batch of worlds as arrays.

n is the number of worlds, m the agent slots of each; the other sizes are in `Layout`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from astrarium.worlds.config import WorldConfig

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.uint8]
Actions = npt.NDArray[np.int32]
Events = npt.NDArray[np.uint32]
Words = npt.NDArray[np.uint64]

Autoreset = Literal["same_step", "next_step", "disabled"]
"""When a world that ended begins its next episode.

`same_step`: in the step that ended it; `obs` is already the next episode's, `final_obs` the last.
`next_step`: in the following step, whose action is ignored and whose reward is 0.
`disabled`: when asked; stepping an ended world is an `EpisodeOverError`.
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes and names of a world's arrays, fixed for the life of a batch."""

    agents: int
    """Agent slots per world (m)."""
    obs_dim: int
    """Floats one agent sees (D)."""
    obs_low: float
    obs_high: float
    """Least and greatest value of any observation."""
    heads: tuple[int, ...]
    """Choices of each discrete action head (H heads)."""
    controls: int
    """Continuous controls per agent (C), each in -1..1."""
    terms: tuple[str, ...]
    """Names of the reward's terms, in the order they are added (R)."""
    stats: tuple[str, ...]
    """Names of the episode figures (S)."""
    events: tuple[str, ...]
    """Names of the event bits, lowest first; at most 32."""
    matters: tuple[tuple[int, ...], ...] = ()
    """For each choice of the first head, the heads besides it that matter then; empty where all
    heads always do."""
    hidden: int = 0
    """Floats of the state agents cannot see, as `VectorWorld.reveal` gives it."""

    @property
    def num_choices(self) -> int:
        """Entries of one agent's mask: the choices of all heads together (K)."""
        return sum(self.heads)


@runtime_checkable
class Arrays(Protocol):
    """The arrays of a batch of n worlds: all that a player of it sees."""

    @property
    def layout(self) -> Layout:
        """Sizes and names of the arrays."""
        ...

    @property
    def num_worlds(self) -> int:
        """Worlds in the batch (n)."""
        ...

    @property
    def obs(self) -> Floats:
        """(n, m, D): what each agent sees now; finite, from `obs_low` to `obs_high`."""
        ...

    @property
    def mask(self) -> Flags:
        """(n, m, K): 1 where a choice is legal now, head after head. Each head has at least one."""
        ...

    @property
    def alive(self) -> Flags:
        """(n, m): 1 where the slot holds an agent in play now. Orders to others are ignored."""
        ...

    @property
    def actions(self) -> Actions:
        """(n, m, H): one index per head, to be filled before `step()`.

        An index that is illegal or out of range has one effect, documented by the world; it is
        never an error.
        """
        ...

    @property
    def controls(self) -> Floats:
        """(n, m, C): continuous orders, to be filled before `step()`; finite."""
        ...

    @property
    def reward(self) -> Floats:
        """(n, m): rewards of the last step."""
        ...

    @property
    def terms(self) -> Floats:
        """(n, m, R): the same rewards by named term; added in order they give `reward`."""
        ...

    @property
    def terminated(self) -> Flags:
        """(n, m): 1 where the last step ended the agent's episode by the rules."""
        ...

    @property
    def truncated(self) -> Flags:
        """(n, m): 1 where the last step cut the agent's episode off; its future had value."""
        ...

    @property
    def events(self) -> Events:
        """(n, m): bits of what happened to each agent in the last step, named by the layout."""
        ...

    @property
    def stats(self) -> Floats:
        """(n, S): named figures of the episode as of the last step; final where it ended."""
        ...

    @property
    def final_obs(self) -> Floats:
        """(n, m, D): the last observation of each agent that ended in the last step.

        Rows of other agents hold what they held before: look only where an ending is set.
        """
        ...

    @property
    def episode_seed(self) -> Words:
        """(n,): the seed of the episode each world is in; `reset_with_seeds` reruns it alone."""
        ...

    @property
    def episode(self) -> Words:
        """(n,): the number of that episode in its world, from 0."""
        ...


@runtime_checkable
class VectorWorld(Arrays, Protocol):
    """n worlds stepped in one call.

    Arrays are allocated once and keep their address: every call below writes into the same
    memory, so copy what must outlive the next call. All but `actions` and `controls` are for
    reading. A batch belongs to one thread at a time.

    The same config, seeds and actions give the same digests after every step, for any number of
    threads, any batch size and any position in the batch. Bad input raises one of
    `astrarium.errors` and changes nothing.
    """

    @property
    def world_id(self) -> str:
        """The registered name, with its version."""
        ...

    @property
    def config(self) -> WorldConfig:
        """The settings the batch was made with."""
        ...

    @property
    def autoreset(self) -> Autoreset:
        """When an ended world begins again."""
        ...

    def reset(self, seed: int | None = None) -> None:
        """Begin episode 0 of run `seed` everywhere; without a seed, every world's next episode."""
        ...

    def reset_with_seeds(self, seeds: npt.ArrayLike) -> None:
        """Begin the episode of exactly `seeds[i]` in world i, as episode 0 of that world."""
        ...

    def reset_worlds(self, indices: npt.ArrayLike, seeds: npt.ArrayLike | None = None) -> None:
        """Begin the next episode of the chosen worlds, or those of exactly `seeds`."""
        ...

    def step(
        self, actions: npt.ArrayLike | None = None, controls: npt.ArrayLike | None = None
    ) -> None:
        """Advance every world by one decision.

        Orders given here are copied into `actions` and `controls` first; without them the step
        takes what those arrays hold. Sizes of 1 may be left out: with one agent and one head,
        actions of shape (n,) will do.
        """
        ...

    def digests(self) -> Words:
        """(n,): a 64-bit digest of each world's whole state, in a new array."""
        ...

    def reveal(self) -> Floats:
        """(n, hidden): what agents cannot see, in a new array; for planners and drawings."""
        ...

    def snapshot(self) -> bytes:
        """Every world's state, seeds and episode number."""
        ...

    def restore(self, snapshot: bytes) -> None:
        """Continue from a snapshot of a batch of this world, config and size.

        What the step before it produced (rewards, endings, events, stats) reads as zero until
        the next step.
        """
        ...

    def fork(self, indices: npt.ArrayLike, threads: int = 1) -> VectorWorld:
        """A new batch of copies of the chosen worlds, in that order; one may be chosen often."""
        ...

    def close(self) -> None:
        """Let go of threads and files; every other call after it is a `ClosedError`."""
        ...
