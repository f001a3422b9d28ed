"""A world that costs nothing, so that only the trainer is measured.

Shaped like Prospector: 260 floats seen, one head of 69 choices, all of them legal. What is seen
stays the same for a whole episode and no action has any effect; a step counts ticks and, now and
then, ends an episode. It keeps the promises of every world nevertheless: seeds, digests,
snapshots and endings mean what they should, so any trainer can run on it.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium import worlds
from astrarium.errors import (
    ClosedError,
    EpisodeOverError,
    SeedError,
    SnapshotError,
    UnknownWorldError,
)
from astrarium.worlds import Layout, WorldConfig, WorldEntry, arguments
from astrarium.worlds.vector import Actions, Autoreset, Events, Flags, Floats, Words

WORLD: Final = "dummy-v1"
OBS_DIM: Final = 260
CHOICES: Final = 69
BEAT: Final = 16
LENGTHS_BEATS: Final = range(8, 16)
"""Episodes last whole beats: endings cost a little, so most steps shall have none."""

_MAGIC: Final = b"DUMMY1"
_STATE: Final = np.dtype(
    [
        ("root", "<u8"),
        ("lane", "<u8"),
        ("episode", "<u8"),
        ("seed", "<u8"),
        ("tick", "<u4"),
        ("explicit", "<u2"),
        ("over", "<u2"),
    ]
)
_ROWS: Final = 1024
_SIGHTS: Final[Floats] = (
    np.random.Generator(np.random.PCG64(0)).uniform(-1.0, 1.0, (_ROWS, OBS_DIM)).astype(np.float32)
)
"""What an episode may show; its seed picks the row."""


class DummyConfig(WorldConfig):
    """The world has no settings."""


LAYOUT: Final = Layout(
    agents=1,
    obs_dim=OBS_DIM,
    obs_low=-1.0,
    obs_high=1.0,
    heads=(CHOICES,),
    controls=0,
    terms=("given",),
    stats=("ticks",),
    events=(),
)


def _mixed(words: Words) -> Words:
    """Each word scrambled by SplitMix64's finaliser."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _hashed(*parts: npt.NDArray[Any]) -> Words:
    """One word for each row of equally long columns; their order counts."""
    total = np.zeros(len(parts[0]), np.uint64)
    for part in parts:
        total = _mixed(total + np.uint64(0x9E3779B97F4A7C15) + part.astype(np.uint64))
    return total


class DummyWorld:
    """n dummies. An out of range action does what every action does: nothing."""

    def __init__(
        self,
        config: DummyConfig,
        num_worlds: int = 1,
        threads: int = 1,
        autoreset: Autoreset = "same_step",
    ) -> None:
        self.world_id: Final = WORLD
        self.layout: Final = LAYOUT
        self.config: Final = config
        self.num_worlds: Final = arguments.count("num_worlds", num_worlds)
        arguments.count("threads", threads)
        self.autoreset: Final = arguments.autoreset(autoreset)
        n = self.num_worlds
        self.obs: Final[Floats] = np.zeros((n, 1, OBS_DIM), np.float32)
        self.final_obs: Final[Floats] = np.zeros((n, 1, OBS_DIM), np.float32)
        self.mask: Final[Flags] = np.ones((n, 1, CHOICES), np.uint8)
        self.alive: Final[Flags] = np.ones((n, 1), np.uint8)
        self.actions: Final[Actions] = np.zeros((n, 1, 1), np.int32)
        self.controls: Final[Floats] = np.zeros((n, 1, 0), np.float32)
        self.reward: Final[Floats] = np.zeros((n, 1), np.float32)
        self.terms: Final[Floats] = np.zeros((n, 1, 1), np.float32)
        self.terminated: Final[Flags] = np.zeros((n, 1), np.uint8)
        self.truncated: Final[Flags] = np.zeros((n, 1), np.uint8)
        self.events: Final[Events] = np.zeros((n, 1), np.uint32)
        self.stats: Final[Floats] = np.zeros((n, 1), np.float32)
        self.episode_seed: Final[Words] = np.zeros(n, np.uint64)
        self.episode: Final[Words] = np.zeros(n, np.uint64)
        self._state = np.zeros(n, _STATE)
        # Derived from the seed where an episode begins, so that a step has nothing to work out.
        self._length: Final = np.zeros(n, np.uint32)
        self._pay: Final[Floats] = np.zeros((n, 1), np.float32)
        self._shapes: Final = arguments.shapes(self.actions)
        self._closed = False
        self.reset(0)

    def reset(self, seed: int | None = None) -> None:
        """Begin episode 0 of run `seed` everywhere; without a seed, every world's next episode."""
        self._refuse_closed()
        everywhere = np.arange(self.num_worlds)
        if seed is None:
            self.reset_worlds(everywhere)
            return
        root = arguments.seed(seed)
        self._state[:] = np.zeros(1, _STATE)
        self._state["root"] = root
        self._state["lane"] = everywhere
        self._begin_quietly(everywhere)

    def reset_with_seeds(self, seeds: npt.ArrayLike) -> None:
        """Begin the episode of exactly `seeds[i]` in world i, as episode 0 of that world."""
        self._refuse_closed()
        self.reset_worlds(np.arange(self.num_worlds), seeds)

    def reset_worlds(self, indices: npt.ArrayLike, seeds: npt.ArrayLike | None = None) -> None:
        """Begin the next episode of the chosen worlds, or those of exactly `seeds`."""
        self._refuse_closed()
        at = arguments.indices(indices, self.num_worlds)
        if seeds is None:
            # Even where one is named twice, as if it were named in two calls.
            np.add.at(self._state["episode"], at, 1)
            self._state["over"][at] = False
        else:
            roots = arguments.seeds(seeds)
            if len(roots) != len(at):
                raise SeedError(f"seeds has {len(roots)} entries; give {len(at)}, one per world")
            self._state[at] = np.zeros(1, _STATE)
            self._state["root"][at] = roots
            self._state["explicit"][at] = True
        self._begin_quietly(at)

    def step(
        self, actions: npt.ArrayLike | None = None, controls: npt.ArrayLike | None = None
    ) -> None:
        """Count a tick everywhere, and end the episodes whose time is up."""
        self._refuse_closed()
        orders = None if actions is None else arguments.actions(actions, self._shapes)
        if controls is not None:
            arguments.controls(controls, {shape.shape: shape for shape in (self.controls,)})
        state, over = self._state, self._state["over"]
        rested = np.flatnonzero(over) if self.autoreset != "same_step" else None
        if rested is not None and rested.size and self.autoreset == "disabled":
            raise EpisodeOverError(f"world {rested[0]} has ended; reset it before stepping")
        if orders is not None:
            self._shapes[orders.shape][...] = orders
        state["tick"] += np.uint32(1)
        ended = state["tick"] >= self._length
        self.reward[...] = self._pay
        self.terms[:, 0] = self._pay
        self.stats[:, 0] = state["tick"]
        self.terminated.fill(0)
        self.truncated.fill(0)
        if rested is not None and rested.size:
            ended[rested] = False
            state["episode"][rested] += np.uint64(1)
            over[rested] = False
            self._begin_quietly(rested)
        if ended.any():
            self._end(np.flatnonzero(ended))

    def _end(self, at: npt.NDArray[np.intp]) -> None:
        """Every other episode ends by the rules, the rest are cut off."""
        self.terminated[at, 0] = self._length[at] // BEAT % 2
        self.truncated[at, 0] = 1 - self.terminated[at, 0]
        self.final_obs[at] = self.obs[at]
        if self.autoreset == "same_step":
            self._state["episode"][at] += np.uint64(1)
            self._begin(at)
        else:
            self._state["over"][at] = True

    def _begin_quietly(self, at: npt.NDArray[Any]) -> None:
        """Begin episodes outside a step: nothing was produced there."""
        for produced in (self.reward, self.terms, self.terminated, self.truncated, self.stats):
            produced[at] = 0
        self._begin(at)

    def _begin(self, at: npt.NDArray[Any]) -> None:
        state = self._state[at]
        derived = _hashed(state["root"], state["lane"], state["episode"])
        given = (state["explicit"] != 0) & (state["episode"] == 0)
        self._state["seed"][at] = np.where(given, state["root"], derived)
        self._state["tick"][at] = 0
        self._show(at)

    def _show(self, at: npt.NDArray[Any]) -> None:
        """Everything that follows from the states."""
        state = self._state[at]
        lots = _hashed(state["seed"])
        self.obs[at, 0] = _SIGHTS[(lots % np.uint64(_ROWS)).astype(np.intp)]
        self._pay[at] = self.obs[at, :, 0]
        beats = LENGTHS_BEATS.start + (lots >> np.uint64(32)) % np.uint64(len(LENGTHS_BEATS))
        self._length[at] = beats * np.uint64(BEAT)
        self.episode_seed[at] = state["seed"]
        self.episode[at] = state["episode"]

    def digests(self) -> Words:
        """(n,): a digest of each world's state."""
        self._refuse_closed()
        state = self._state
        return _hashed(state["seed"], state["tick"], state["over"])

    def reveal(self) -> Floats:
        """(n, 0): nothing is hidden."""
        self._refuse_closed()
        return np.zeros((self.num_worlds, 0), np.float32)

    def snapshot(self) -> bytes:
        """Every world's state, with a checksum."""
        self._refuse_closed()
        body = _MAGIC + self._state.tobytes()
        return body + zlib.crc32(body).to_bytes(4, "little")

    def restore(self, snapshot: bytes) -> None:
        """Continue from a snapshot of a batch of this size."""
        self._refuse_closed()
        given = arguments.snapshot(snapshot)
        body, check = given[:-4], given[-4:]
        if not body.startswith(_MAGIC) or zlib.crc32(body).to_bytes(4, "little") != check:
            raise SnapshotError("these bytes are no snapshot of a dummy, or damaged; take it again")
        size = len(_MAGIC) + self._state.nbytes
        if len(body) != size:
            raise SnapshotError(f"the snapshot is not of {self.num_worlds} worlds")
        self._place(np.frombuffer(body[len(_MAGIC) :], _STATE))

    def fork(self, indices: npt.ArrayLike, threads: int = 1) -> DummyWorld:
        """A new batch of copies of the chosen worlds."""
        self._refuse_closed()
        at = arguments.indices(indices, self.num_worlds)
        copy = DummyWorld(self.config, len(at), threads, self.autoreset)
        copy._place(self._state[at])
        return copy

    def _place(self, state: npt.NDArray[Any]) -> None:
        self._state[:] = state
        for produced in (self.reward, self.terms, self.terminated, self.truncated, self.stats):
            produced[...] = 0
        self._show(np.arange(self.num_worlds))

    def close(self) -> None:
        """Nothing is held; every other call after it is a `ClosedError`."""
        self._closed = True

    def _refuse_closed(self) -> None:
        if self._closed:
            raise ClosedError(f"this batch of {WORLD} was closed; make a new one")


ENTRY: Final = WorldEntry(
    id=WORLD,
    title="Dummy",
    summary="Costs nothing: for measuring what runs on top of a world.",
    config=DummyConfig,
    make=DummyWorld,
    action_names=(tuple(f"choice_{at}" for at in range(CHOICES)),),
    obs_names=tuple(f"sight_{at}" for at in range(OBS_DIM)),
    agent_names=("dummy",),
)


def register() -> None:
    """Make the dummy known to this process. It is in no list: nobody else has a use for it."""
    try:
        worlds.get(WORLD)
    except UnknownWorldError:
        worlds.register(ENTRY)
