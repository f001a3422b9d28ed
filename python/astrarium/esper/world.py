"""Hosts that grow, as a batch of worlds: a step is one decision and one epoch of every host.

Hosts know nothing of each other. Each runs on one thread, with numbers from its own episode's seed,
so neither threads nor company change what becomes of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, NoReturn

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
from astrarium.esper.batch_snapshots import BatchDocument, opened, require_same, sealed
from astrarium.esper.entry import EsperConfig, layout_of, world_id
from astrarium.esper.episode import HostEpisode
from astrarium.esper.episode_snapshots import unpack
from astrarium.esper.host_arrays import HostArrays
from astrarium.esper.launching import pick_device
from astrarium.esper.newsroom import Newsroom
from astrarium.esper.phases import TaskData
from astrarium.esper.shard import Shard
from astrarium.esper.tasks import load, task
from astrarium.esper.workers import Processes, Threads, Workers, shared_memory
from astrarium.worlds import arguments
from astrarium.worlds.vector import Autoreset, Floats, Words


class EsperWorld(HostArrays):
    """n hosts; see `VectorWorld`.

    An order of which any choice is illegal or does not exist counts as waiting.
    """

    def __init__(
        self,
        task_name: str,
        config: EsperConfig,
        num_worlds: int = 1,
        threads: int = 1,
        autoreset: Autoreset = "same_step",
        data: TaskData | None = None,
        begin: bool = True,
    ) -> None:
        """`data` may be shared between batches; without `begin`, hosts are placed by `fork`.

        Several threads are that many processes, unless hosts are trained on a GPU.
        """
        spec = task(task_name) if data is None else data.spec
        n = arguments.count("num_worlds", num_worlds, _native.WORLDS_MAX)
        layout = layout_of(spec.host.slot_ids)
        self.threads: Final = arguments.count("threads", threads, _native.THREADS_MAX)
        device = pick_device(config.device) if data is None else data.device
        apart = min(self.threads, n) > 1 and device.type == "cpu"
        memory = shared_memory(n, layout) if apart else None
        super().__init__(n, layout, None if memory is None else memory.numpy())
        self.world_id: Final = world_id(task_name)
        self.config: Final = config
        self.autoreset: Final[Autoreset] = arguments.autoreset(autoreset)
        self._task: Final = task_name
        if data is None:
            data = TaskData(spec, load(task_name, config.data).thinned(config.every), device)
        self._data = data
        self._rules = config.rules(self._data)
        self._action_shapes = arguments.shapes(self.actions)
        begin_anew = autoreset == "same_step"
        self._shard: Shard | None = None
        self._workers: Workers | None
        if memory is not None:
            self._workers = Processes(
                min(self.threads, n), memory, (n, layout), self._data, self._rules, begin_anew
            )
        else:
            self._shard = Shard(self, self._data, self._rules, begin_anew=begin_anew)
            self._workers = Threads(self._shard, self.threads)
        self.newsroom: Final = Newsroom(self._data, self._rules, n)
        self.lane[:] = np.arange(n)
        if begin:
            self.reset(0)

    # Beginning

    def reset(self, seed: int | None = None) -> None:
        """Begin episode 0 of run `seed` everywhere; without a seed, every host's next episode."""
        self._open()
        everyone = range(self.num_worlds)
        if seed is None:
            self.reset_worlds(np.arange(self.num_worlds))
            return
        run_seed = arguments.seed(seed)
        self.run_seed[:], self.lane[:], self.episode[:] = run_seed, everyone, 0
        self.episode_seed[:] = [_native.episode_seed(run_seed, at, 0) for at in everyone]
        self._begin(everyone)

    def reset_with_seeds(self, seeds: npt.ArrayLike) -> None:
        """Begin the episode of exactly `seeds[i]` in host i."""
        self.reset_worlds(np.arange(self.num_worlds), seeds)

    def reset_worlds(self, indices: npt.ArrayLike, seeds: npt.ArrayLike | None = None) -> None:
        """Begin the next episode of the chosen hosts, or those of exactly `seeds`."""
        self._open()
        chosen = [int(at) for at in arguments.indices(indices, self.num_worlds)]
        if seeds is None:
            for at in chosen:
                self.episode[at] += 1
                self.episode_seed[at] = _native.episode_seed(
                    int(self.run_seed[at]), int(self.lane[at]), int(self.episode[at])
                )
        else:
            given = arguments.seeds(seeds)
            if len(given) != len(chosen):
                raise SeedError(f"{len(given)} seeds for {len(chosen)} hosts; give one for each")
            for at, one in zip(chosen, given.tolist(), strict=True):
                self.run_seed[at], self.lane[at] = one, 0
                self.episode[at], self.episode_seed[at] = 0, one
        self._begin(sorted(set(chosen)))

    def _begin(self, chosen: Sequence[int]) -> None:
        self.forget_the_last_step(list(chosen))
        self._each("begin", chosen)

    # Stepping

    def step(
        self, actions: npt.ArrayLike | None = None, controls: npt.ArrayLike | None = None
    ) -> None:
        """Carry out the orders, and train every host for an epoch."""
        self._open()
        if controls is not None:
            arguments.controls(controls, arguments.shapes(self.controls))
        given = None if actions is None else arguments.actions(actions, self._action_shapes)
        if self.autoreset == "disabled" and self.over.any():
            at = int(np.flatnonzero(self.over)[0])
            raise EpisodeOverError(
                f"the episode of host {at} is over; call reset_worlds([{at}]) before stepping"
            )
        if given is not None:
            self._action_shapes[given.shape][...] = given
        self.newsroom.hear(self._each("step", range(self.num_worlds)))

    def reveal(self) -> Floats:
        """Nothing is hidden."""
        return np.zeros((self.num_worlds, 0), np.float32)

    @property
    def hosts(self) -> tuple[HostEpisode, ...]:
        """The episode of every host, for those who look; copies if other processes train them."""
        everyone = range(self.num_worlds)
        if self._shard is not None:
            return tuple(self._shard.hosts[at] for at in everyone)
        return tuple(self._unpacked(one) for one in self._each("pack", everyone))

    # Keeping

    def digests(self) -> Words:
        """A 64-bit digest of each host's whole state."""
        packed = self._each("pack", range(self.num_worlds))
        found = [
            hashlib.blake2b(host + bytes([over]), digest_size=8).digest()
            for host, over in zip(packed, self.over.tolist(), strict=True)
        ]
        return np.array([int.from_bytes(one, "little") for one in found], np.uint64)

    def snapshot(self) -> bytes:
        """Every host's state, seeds and episode number."""
        self._open()
        return sealed(self._document())

    def restore(self, snapshot: bytes) -> None:
        """Continue from a snapshot of a batch of this world, config and size."""
        self._open()
        batch, own = opened(arguments.snapshot(snapshot), self.world_id), self._settings()
        require_same("world", batch.world_id, self.world_id)
        require_same("config", batch.config, own)
        require_same("number of hosts", len(batch.hosts), self.num_worlds)
        if self.autoreset == "same_step" and any(batch.over):
            raise SnapshotError(
                f"host {batch.over.index(True)} of the snapshot has ended, and this batch begins "
                "the next episode in the step that ends one; make it with autoreset 'next_step'"
            )
        self._place(batch)

    def fork(self, indices: npt.ArrayLike, threads: int = 1) -> EsperWorld:
        """A new batch of copies of the chosen hosts, in that order."""
        self._open()
        chosen = [int(at) for at in arguments.indices(indices, self.num_worlds)]
        copy = EsperWorld(
            self._task, self.config, len(chosen), threads, self.autoreset, self._data, begin=False
        )
        batch = self._document().of(chosen)
        copy._place(batch)
        return copy

    def _document(self) -> BatchDocument:
        return BatchDocument(
            world_id=self.world_id,
            config=self._settings(),
            run_seed=self.run_seed.tolist(),
            lane=self.lane.tolist(),
            episode=self.episode.tolist(),
            over=self.over.tolist(),
            hosts=self._each("pack", range(self.num_worlds)),
            rounds=self.newsroom.rounds,
        )

    def _settings(self) -> dict[str, object]:
        # Where the data lies says nothing about what was learnt from it.
        return self.config.model_dump(mode="json", exclude={"data"})

    def _place(self, batch: BatchDocument) -> None:
        everyone = range(self.num_worlds)
        # All are looked at before any is replaced: bytes that are refused change nothing.
        self._each("offer", everyone, batch.hosts)
        self.run_seed[:], self.lane[:] = batch.run_seed, batch.lane
        self.episode[:], self.over[:] = batch.episode, batch.over
        self.newsroom.go_on_from(batch.rounds)
        self.forget_the_last_step(list(everyone))
        self._each("accept", everyone)

    def _unpacked(self, packed: bytes) -> HostEpisode:
        return unpack(packed, self._data, self._rules)

    def close(self) -> None:
        """Let go of threads and processes."""
        if self._workers is not None:
            self._workers.close()
        self._workers = None

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled or copied: threads do not travel."""
        raise UncopyableError(
            f"a batch of {self.world_id} cannot be pickled or copied; use fork() in this process, "
            "or send snapshot() and restore it into a batch made there"
        )

    def _open(self) -> Workers:
        if self._workers is None:
            raise ClosedError(f"this batch of {self.world_id} was closed; make another")
        return self._workers

    def _each(
        self, work: str, chosen: Sequence[int], given: Sequence[bytes] | None = None
    ) -> list[bytes]:
        return self._open().each(work, list(zip(chosen, given or [b""] * len(chosen), strict=True)))
