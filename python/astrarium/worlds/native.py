"""A `VectorWorld` over the native kernel: checks what comes in, copies it, and calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from astrarium import _native
from astrarium.errors import ClosedError, UncopyableError
from astrarium.worlds import arguments
from astrarium.worlds.config import WorldConfig
from astrarium.worlds.vector import Autoreset, Flags, Floats, Layout, Words


class NativeVectorWorld:
    """n worlds of one native kind. See `VectorWorld` for what each member means.

    The arrays are plain attributes: reading one costs nothing.
    """

    def __init__(self, batch: _native.Batch, config: WorldConfig, autoreset: Autoreset) -> None:
        self._batch: _native.Batch | None = batch
        self._step: Callable[[], None] = batch.step
        self.world_id: Final = batch.world_id
        self.config: Final = config
        self.layout: Final = _layout(batch.layout)
        self.num_worlds: Final = batch.num_worlds
        self.threads: Final = batch.threads
        self.autoreset: Final = autoreset
        arrays = batch.arrays
        self.obs: Final = arrays.obs
        self.final_obs: Final = arrays.final_obs
        self.mask: Final = arrays.mask
        self.alive: Final = arrays.alive
        self.actions: Final = arrays.actions
        self.controls: Final = arrays.controls
        self.reward: Final = arrays.reward
        self.terms: Final = arrays.terms
        self.terminated: Final = arrays.terminated
        self.truncated: Final = arrays.truncated
        self.events: Final = arrays.events
        self.stats: Final = arrays.stats
        self.episode_seed: Final = arrays.episode_seed
        self.episode: Final = arrays.episode
        self._action_shapes: Final = arguments.shapes(self.actions)
        self._control_shapes: Final = arguments.shapes(self.controls)

    @classmethod
    def make(
        cls,
        world_id: str,
        config: WorldConfig,
        num_worlds: int = 1,
        threads: int = 1,
        autoreset: Autoreset = "same_step",
    ) -> NativeVectorWorld:
        """A batch of the native world called `world_id`, at episode 0 of run 0."""
        num_worlds = arguments.count("num_worlds", num_worlds, _native.WORLDS_MAX)
        threads = arguments.count("threads", threads, _native.THREADS_MAX)
        mode: Autoreset = arguments.autoreset(autoreset)
        batch = _native.Batch(world_id, config.model_dump_json(), num_worlds, threads, mode)
        return cls(batch, config, mode)

    def reset(self, seed: int | None = None) -> None:
        """Begin episode 0 of run `seed` everywhere; without a seed, every world's next episode."""
        if seed is None:
            self._open().reset_worlds(np.arange(self.num_worlds, dtype=np.uint32), None)
        else:
            self._open().reset(arguments.seed(seed))

    def reset_with_seeds(self, seeds: npt.ArrayLike) -> None:
        """Begin the episode of exactly `seeds[i]` in world i."""
        self._open().reset_with_seeds(arguments.seeds(seeds))

    def reset_worlds(self, indices: npt.ArrayLike, seeds: npt.ArrayLike | None = None) -> None:
        """Begin the next episode of the chosen worlds, or those of exactly `seeds`."""
        chosen = arguments.indices(indices, self.num_worlds)
        self._open().reset_worlds(chosen, None if seeds is None else arguments.seeds(seeds))

    def step(
        self, actions: npt.ArrayLike | None = None, controls: npt.ArrayLike | None = None
    ) -> None:
        """Advance every world by one decision."""
        # Both are checked before either is written: a refused call changes no order.
        if controls is not None:
            orders = arguments.controls(controls, self._control_shapes)
            if actions is not None:
                self._take(actions)
            self._control_shapes[orders.shape][...] = orders
        elif actions is not None:
            self._take(actions)
        self._step()

    def step_into(self, obs: Floats, mask: Flags) -> None:
        """As `step`; what the agents see next also lands in the caller's own `obs` and `mask`."""
        self._open().step_into(obs, mask)

    def digests(self) -> Words:
        """A 64-bit digest of each world's whole state."""
        return self._open().digests()

    def reveal(self) -> Floats:
        """What agents cannot see, one row per world."""
        return self._open().reveal()

    def snapshot(self) -> bytes:
        """Every world's state, seeds and episode number."""
        return self._open().snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Continue from a snapshot of a batch of this world, config and size."""
        self._open().restore(arguments.snapshot(snapshot))

    def watch(self, index: int, on: bool = True) -> None:
        """Begin or stop keeping what happens in world `index`; costs nothing to the others."""
        self._open().watch(index, on)

    def happenings(self, index: int) -> list[dict[str, Any]]:
        """What happened in world `index` in the last step, each once; empty if not watched.

        Where that step ended an episode and began the next one, what ended comes first.
        """
        return json.loads(self._open().happenings(index))

    def portrait(self, index: int) -> dict[str, Any] | None:
        """World `index` in words and numbers, for drawing, where it has such a view."""
        return json.loads(self._open().portrait(index))

    @property
    def blocks(self) -> tuple[str, ...]:
        """Names of what `block` tells."""
        return self._open().blocks

    def block(self, index: int, name: str) -> dict[str, Any]:
        """A part of world `index` that its portrait leaves out, worked out for whoever asks."""
        return json.loads(self._open().block(index, name))

    def command(self, index: int, name: str, **arguments: Any) -> int:
        """Queue a command in world `index`; it is applied when the rules next look.

        Returns its number among those of the episode, from 1: its outcome is told under it.
        """
        return self._open().command(index, json.dumps({name: arguments}))

    def fork(self, indices: npt.ArrayLike, threads: int = 1) -> NativeVectorWorld:
        """A new batch of copies of the chosen worlds, in that order."""
        chosen = arguments.indices(indices, self.num_worlds)
        batch = self._open().fork(chosen, arguments.count("threads", threads, _native.THREADS_MAX))
        return NativeVectorWorld(batch, self.config, self.autoreset)

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled or copied: threads and shared memory do not travel."""
        raise UncopyableError(
            f"a batch of {self.world_id} cannot be pickled or copied; use fork() in this process, "
            "or send snapshot() and restore it into a batch made there"
        )

    def close(self) -> None:
        """Let go of the batch. Its arrays stay readable; its threads end with the last of them."""
        self._batch = None
        self._step = self._refuse

    def _take(self, actions: npt.ArrayLike) -> None:
        orders = arguments.actions(actions, self._action_shapes)
        self._action_shapes[orders.shape][...] = orders

    def _open(self) -> _native.Batch:
        return self._batch if self._batch is not None else self._refuse()

    def _refuse(self) -> NoReturn:
        raise ClosedError(f"this batch of {self.world_id} was closed; make another with make_vec")


def _layout(native: _native.Layout) -> Layout:
    low, high = native.obs_range
    return Layout(
        agents=native.agents,
        obs_dim=native.obs_dim,
        obs_low=low,
        obs_high=high,
        heads=native.heads,
        controls=native.controls,
        terms=native.terms,
        stats=native.stats,
        events=native.events,
        hidden=native.hidden,
    )
