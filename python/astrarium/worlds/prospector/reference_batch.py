"""The readable reference of Prospector v1 as a batch: trainable, slow, equal to the native core."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from astrarium import _native
from astrarium.errors import (
    ClosedError,
    EpisodeOverError,
    SeedError,
    SnapshotError,
    UncopyableError,
)
from astrarium.worlds import arguments
from astrarium.worlds.config import WorldConfig
from astrarium.worlds.prospector import hidden, layout
from astrarium.worlds.prospector.reference import V1, ReferenceProspector, StepResult
from astrarium.worlds.prospector.reference.legal import legal_actions
from astrarium.worlds.prospector.reference.observe import observe
from astrarium.worlds.prospector.reference.state import State
from astrarium.worlds.prospector.reference.storing import plain, restored
from astrarium.worlds.vector import Autoreset, Floats, Layout, Words

WORLD_ID: Final = "prospector-v1"
LAYOUT: Final = Layout(
    agents=1,
    obs_dim=layout.OBS_DIM,
    obs_low=-1.0,
    obs_high=1.0,
    heads=(layout.N_ACTIONS,),
    controls=0,
    terms=layout.REWARD_TERMS,
    stats=(*layout.INFO_METRICS, "dt"),
    events=layout.EVENTS,
    hidden=hidden.HIDDEN_DIM,
)
_FORMAT: Final = "prospector-reference-1"
_SEAL_BYTES: Final = 16


class ReferenceBatch:
    """n worlds of the reference; see `VectorWorld`. Threads are accepted and not used.

    Steps, rewards, observations, masks and statistics equal the native batch's to the bit.
    Snapshots and digests are its own: they describe another program's state.
    """

    def __init__(
        self,
        config: WorldConfig,
        num_worlds: int = 1,
        threads: int = 1,
        autoreset: Autoreset = "same_step",
    ) -> None:
        n = arguments.count("num_worlds", num_worlds, _native.WORLDS_MAX)
        self.world_id: Final = WORLD_ID
        self.config: Final = config
        self.layout: Final = LAYOUT
        self.num_worlds: Final = n
        self.threads: Final = arguments.count("threads", threads, _native.THREADS_MAX)
        self.autoreset: Final[Autoreset] = arguments.autoreset(autoreset)
        self.obs: Final = np.zeros((n, 1, LAYOUT.obs_dim), np.float32)
        self.final_obs: Final = np.zeros((n, 1, LAYOUT.obs_dim), np.float32)
        self.mask: Final = np.zeros((n, 1, LAYOUT.num_choices), np.uint8)
        self.alive: Final = np.ones((n, 1), np.uint8)
        self.actions: Final = np.zeros((n, 1, 1), np.int32)
        self.controls: Final = np.zeros((n, 1, 0), np.float32)
        self.reward: Final = np.zeros((n, 1), np.float32)
        self.terms: Final = np.zeros((n, 1, len(LAYOUT.terms)), np.float32)
        self.terminated: Final = np.zeros((n, 1), np.uint8)
        self.truncated: Final = np.zeros((n, 1), np.uint8)
        self.events: Final = np.zeros((n, 1), np.uint32)
        self.stats: Final = np.zeros((n, len(LAYOUT.stats)), np.float32)
        self.episode_seed: Final = np.zeros(n, np.uint64)
        self.episode: Final = np.zeros(n, np.uint64)
        self._root = [0] * n
        self._lane = list(range(n))
        self._explicit = [False] * n
        """Whether episode 0 has the root itself for a seed."""
        self._over = [False] * n
        self._worlds = [_world(config) for _ in range(n)]
        self._shapes = arguments.shapes(self.actions)
        self._closed = False
        self.reset(0)

    def reset(self, seed: int | None = None) -> None:
        """Begin episode 0 of run `seed` everywhere; without a seed, every world's next episode."""
        self._check_open()
        if seed is None:
            self.reset_worlds(np.arange(self.num_worlds))
            return
        root = arguments.seed(seed)
        for at in range(self.num_worlds):
            self._root[at], self._lane[at], self._explicit[at] = root, at, False
            self._begin(at, 0)
            self._clear(at)
            self.final_obs[at] = 0

    def reset_with_seeds(self, seeds: npt.ArrayLike) -> None:
        """Begin the episode of exactly `seeds[i]` in world i."""
        self.reset_worlds(np.arange(self.num_worlds), seeds)

    def reset_worlds(self, indices: npt.ArrayLike, seeds: npt.ArrayLike | None = None) -> None:
        """Begin the next episode of the chosen worlds, or those of exactly `seeds`."""
        self._check_open()
        chosen = arguments.indices(indices, self.num_worlds).tolist()
        given: Sequence[int | None] = [None] * len(chosen)
        if seeds is not None:
            given = arguments.seeds(seeds).tolist()
            if len(given) != len(chosen):
                raise SeedError(f"{len(given)} seeds for {len(chosen)} worlds; give one for each")
        for at, root in zip(chosen, given, strict=True):
            number = int(self.episode[at]) + 1
            if root is not None:
                self._root[at], self._lane[at], self._explicit[at], number = root, 0, True, 0
            self._begin(at, number)
            self._clear(at)

    def step(
        self, actions: npt.ArrayLike | None = None, controls: npt.ArrayLike | None = None
    ) -> None:
        """Advance every world by one decision."""
        self._check_open()
        if controls is not None:
            arguments.controls(controls, arguments.shapes(self.controls))
        given = None if actions is None else arguments.actions(actions, self._shapes)
        if self.autoreset == "disabled" and any(self._over):
            at = self._over.index(True)
            raise EpisodeOverError(
                f"the episode of world {at} is over; call reset_worlds([{at}]) before stepping"
            )
        if given is not None:
            self._shapes[given.shape][...] = given
        for at in range(self.num_worlds):
            if self._over[at]:
                self._clear(at)
                self._begin(at, int(self.episode[at]) + 1)
            else:
                self._advance(at)

    def _advance(self, at: int) -> None:
        result = self._worlds[at].step(int(self.actions[at, 0, 0]))
        self._write(at, result)
        self._show(at, result.obs)
        if result.terminated or result.truncated:
            self.final_obs[at, 0] = result.obs
            if self.autoreset == "same_step":
                self._begin(at, int(self.episode[at]) + 1)
            else:
                self._over[at] = True

    def _write(self, at: int, result: StepResult) -> None:
        self.reward[at] = result.reward
        self.terms[at, 0] = result.terms
        self.terminated[at], self.truncated[at] = result.terminated, result.truncated
        self.events[at] = sum(1 << layout.EVENTS.index(name) for name in result.events)
        self.stats[at, :-1] = [result.metrics[name] for name in layout.INFO_METRICS]
        self.stats[at, -1] = result.dt

    def _begin(self, at: int, number: int) -> None:
        own = self._explicit[at] and number == 0
        root, lane = self._root[at], self._lane[at]
        seed = root if own else _native.episode_seed(root, lane, number)
        self.episode[at], self.episode_seed[at], self._over[at] = number, seed, False
        self._show(at, self._worlds[at].reset(seed))

    def _show(self, at: int, obs: Floats) -> None:
        self.obs[at, 0] = obs
        self.mask[at, 0] = legal_actions(self._worlds[at].state)

    def _clear(self, at: int) -> None:
        """Let a world show nothing that a step produced."""
        for array in (self.reward, self.terms, self.terminated, self.truncated, self.events):
            array[at] = 0
        self.stats[at] = 0

    def digests(self) -> Words:
        """A 64-bit digest of each world's whole state."""
        self._check_open()
        packed = [json.dumps(plain(world.state)).encode() for world in self._worlds]
        found = [hashlib.blake2b(one, digest_size=8).digest() for one in packed]
        return np.array([int.from_bytes(one, "little") for one in found], np.uint64)

    def reveal(self) -> Floats:
        """What agents cannot see, one row per world, in the order of `hidden`."""
        self._check_open()
        return np.stack([_hidden_row(world.state) for world in self._worlds])

    def snapshot(self) -> bytes:
        """Every world's state, seeds and episode number."""
        self._check_open()
        document = {
            "format": _FORMAT,
            "config": self.config.model_dump(mode="json"),
            "worlds": [self._document(at) for at in range(self.num_worlds)],
        }
        content = json.dumps(document, separators=(",", ":")).encode()
        return hashlib.blake2b(content, digest_size=_SEAL_BYTES).digest() + content

    def _document(self, at: int) -> dict[str, Any]:
        return {
            "root": self._root[at],
            "lane": self._lane[at],
            "explicit": self._explicit[at],
            "over": self._over[at],
            "episode": int(self.episode[at]),
            "seed": int(self.episode_seed[at]),
            "state": plain(self._worlds[at].state),
        }

    def restore(self, snapshot: bytes) -> None:
        """Continue from a snapshot of a batch of this world, config and size."""
        self._check_open()
        documents = self._opened(arguments.snapshot(snapshot))
        try:
            states = [restored(one["state"], V1) for one in documents]
        except ValueError as error:
            raise SnapshotError(f"the snapshot {error}; take another one") from error
        for at, (document, state) in enumerate(zip(documents, states, strict=True)):
            self._place(at, document, state)

    def _opened(self, snapshot: bytes) -> list[dict[str, Any]]:
        """The worlds of a snapshot that fits this batch."""
        seal, content = snapshot[:_SEAL_BYTES], snapshot[_SEAL_BYTES:]
        if hashlib.blake2b(content, digest_size=_SEAL_BYTES).digest() != seal:
            raise SnapshotError(
                f"the bytes are no snapshot of the reference of {WORLD_ID}, or are damaged; a "
                "native batch's snapshot is restored into a native batch"
            )
        document = json.loads(content)
        if document["format"] != _FORMAT:
            raise SnapshotError(f"the snapshot has format {document['format']}, not {_FORMAT}")
        if document["config"] != self.config.model_dump(mode="json"):
            raise SnapshotError(
                "the snapshot was taken under other settings; make a batch of those"
            )
        if len(document["worlds"]) != self.num_worlds:
            raise SnapshotError(
                f"the snapshot has {len(document['worlds'])} worlds and this batch "
                f"{self.num_worlds}; make a batch of that size"
            )
        return document["worlds"]

    def _place(self, at: int, document: dict[str, Any], state: State) -> None:
        self._root[at], self._lane[at] = document["root"], document["lane"]
        self._explicit[at], self._over[at] = document["explicit"], document["over"]
        self.episode[at], self.episode_seed[at] = document["episode"], document["seed"]
        self._worlds[at].continue_from(state)
        self._show(at, observe(state))
        self._clear(at)

    def fork(self, indices: npt.ArrayLike, threads: int = 1) -> ReferenceBatch:
        """A new batch of copies of the chosen worlds, in that order."""
        self._check_open()
        chosen = arguments.indices(indices, self.num_worlds).tolist()
        copy = ReferenceBatch(self.config, len(chosen), threads, self.autoreset)
        for at, source in enumerate(chosen):
            document = self._document(source)
            copy._place(at, document, restored(document["state"], V1))
        return copy

    def close(self) -> None:
        """Let go of the worlds; every other call after it is a `ClosedError`."""
        self._closed = True
        self._worlds = []

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled, as native batches do."""
        raise UncopyableError(
            f"a batch of {WORLD_ID} cannot be pickled or copied; use fork() in this process, "
            "or send snapshot() and restore it into a batch made there"
        )

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError(f"this batch of {WORLD_ID} was closed; make another with make_vec")


def _world(config: WorldConfig) -> ReferenceProspector:
    settings = config.model_dump()
    return ReferenceProspector(settings["time_max"], settings["invalid_action_penalty"])


def _hidden_row(state: State) -> Floats:
    row = np.zeros((1, hidden.HIDDEN_DIM), np.float32)
    row[0, : hidden.GENERATOR_WIDTH] = [
        state.draws.state >> shift & 0xFFFF for shift in (48, 32, 16, 0)
    ]
    parts = hidden.parse(row)
    nodes, lanes, rocks = parts.nodes[0], parts.lanes[0], parts.rocks[0]
    nodes[:, hidden.NODE_KIND], nodes[:, hidden.NODE_HOPS] = -1, layout.HOPS_MAX
    lanes[..., hidden.LANE_TO] = -1
    for at, node in enumerate(state.nodes):
        nodes[at] = node.kind, node.hazard, node.pirate, node.hops
        for slot, lane in enumerate(node.lanes):
            lanes[at, slot] = lane.to, lane.ticks, lane.fuel, lane.threat
        for slot, rock in enumerate(node.asteroids):
            rocks[at, slot, hidden.ROCK_PRESENT] = 1
            rocks[at, slot, hidden.ROCK_COMPOSITION] = rock.composition
            rocks[at, slot, hidden.ROCK_RICHNESS] = rock.richness
            rocks[at, slot, hidden.ROCK_STABILITY] = rock.stability
            rocks[at, slot, hidden.ROCK_DEPLETION] = rock.depletion
    return row[0]
