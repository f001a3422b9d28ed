"""Hosts that grow, as a batch of worlds: a step is one decision and one epoch of every host.

Hosts know nothing of each other. Each runs on one thread, with numbers from its own episode's seed,
so neither threads nor company change what becomes of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final, NoReturn

import numpy as np
import numpy.typing as npt
import torch

from astrarium import _native
from astrarium.errors import (
    ClosedError,
    EpisodeOverError,
    SeedError,
    SnapshotError,
    UncopyableError,
)
from astrarium.esper import orders
from astrarium.esper.batch_snapshots import BatchDocument, opened, require_same, sealed
from astrarium.esper.contracts.actions import WAIT
from astrarium.esper.entry import EsperConfig, layout_of, world_id
from astrarium.esper.episode import HostEpisode
from astrarium.esper.episode_snapshots import pack, unpack
from astrarium.esper.host_arrays import HostArrays
from astrarium.esper.launching import Launcher, pick_device
from astrarium.esper.phases import TaskData
from astrarium.esper.rewards.ending import rollback_result
from astrarium.esper.tasks import load, task
from astrarium.esper.telling import events_of, write_sight, write_stats, write_terms
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
        """`data` may be shared between batches; without `begin`, hosts are placed by `fork`."""
        spec = task(task_name)
        n = arguments.count("num_worlds", num_worlds, _native.WORLDS_MAX)
        super().__init__(n, layout_of(spec.host.slot_ids))
        self.world_id: Final = world_id(task_name)
        self.config: Final = config
        self.threads: Final = arguments.count("threads", threads, _native.THREADS_MAX)
        self.autoreset: Final[Autoreset] = arguments.autoreset(autoreset)
        self._task: Final = task_name
        self.slots: Final = spec.host.slot_ids
        self._data = data or TaskData(
            spec, load(task_name, config.data), pick_device(config.device)
        )
        self._launchers = [Launcher(self._data.device, self._data.graphs, at) for at in range(n)]
        self._rules = config.rules(self._data)
        self._run_seed = [0] * n
        self._lane = list(range(n))
        self._over = np.zeros(n, np.bool_)
        self._action_shapes = arguments.shapes(self.actions)
        self._pool: ThreadPoolExecutor | None = ThreadPoolExecutor(
            self.threads, "host", _one_thread
        )
        self._hosts: dict[int, HostEpisode] = {}
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
        self._run_seed = [arguments.seed(seed)] * self.num_worlds
        self._lane = list(everyone)
        self.episode[:] = 0
        for at in everyone:
            self.episode_seed[at] = _native.episode_seed(self._run_seed[at], at, 0)
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
                self._next_episode(at)
        else:
            given = arguments.seeds(seeds)
            if len(given) != len(chosen):
                raise SeedError(f"{len(given)} seeds for {len(chosen)} hosts; give one for each")
            for at, one in zip(chosen, given.tolist(), strict=True):
                self._run_seed[at], self._lane[at] = one, 0
                self.episode[at], self.episode_seed[at] = 0, one
        self._begin(sorted(set(chosen)))

    def _next_episode(self, at: int) -> None:
        self.episode[at] += np.uint64(1)
        number = int(self.episode[at])
        self.episode_seed[at] = _native.episode_seed(self._run_seed[at], self._lane[at], number)

    def _begin(self, chosen: Sequence[int]) -> None:
        self.forget_the_last_step(list(chosen))
        self._each(self._begin_one, chosen)

    def _begin_one(self, at: int) -> None:
        host = HostEpisode(self._data, self._rules, int(self.episode_seed[at]), self._launchers[at])
        if host.proceed() is not None:
            raise EpisodeOverError(
                f"host {at} of {self.world_id} broke down in its first epoch; lower its rates"
            )
        self._hosts[at] = host
        self._over[at] = False
        write_sight(host, self.obs[at, 0], self.mask[at, 0])

    # Stepping

    def step(
        self, actions: npt.ArrayLike | None = None, controls: npt.ArrayLike | None = None
    ) -> None:
        """Carry out the orders, and train every host for an epoch."""
        self._open()
        if controls is not None:
            arguments.controls(controls, arguments.shapes(self.controls))
        given = None if actions is None else arguments.actions(actions, self._action_shapes)
        if self.autoreset == "disabled" and self._over.any():
            at = int(np.flatnonzero(self._over)[0])
            raise EpisodeOverError(
                f"the episode of host {at} is over; call reset_worlds([{at}]) before stepping"
            )
        if given is not None:
            self._action_shapes[given.shape][...] = given
        self._each(self._step_one, range(self.num_worlds))

    def _step_one(self, at: int) -> None:
        self.forget_the_last_step([at])
        if self._over[at]:
            self._next_episode(at)
            self._begin_one(at)
            return
        host = self._hosts[at]
        spec = orders.action_of(self.actions[at, 0], self.mask[at, 0], self.slots)
        ends = host.is_over
        outcome, earned = host.decide(WAIT if spec is None else spec, illegal=spec is None)
        rolled_back = not ends and host.proceed() is not None
        if rolled_back:
            earned = rollback_result()
        self.terminated[at], self.truncated[at] = rolled_back, ends
        self.reward[at, 0] = write_terms(earned, self.terms[at, 0])
        self.events[at, 0] = events_of(outcome, illegal=spec is None, rolled_back=rolled_back)
        write_sight(host, self.obs[at, 0], self.mask[at, 0])
        write_stats(host, self.stats[at])
        if ends or rolled_back:
            self._end(at)

    def _end(self, at: int) -> None:
        self.final_obs[at] = self.obs[at]
        self._over[at] = True
        if self.autoreset == "same_step":
            self._next_episode(at)
            self._begin_one(at)

    def reveal(self) -> Floats:
        """Nothing is hidden."""
        return np.zeros((self.num_worlds, 0), np.float32)

    @property
    def hosts(self) -> tuple[HostEpisode, ...]:
        """The episode of every host, for those who look beyond the arrays."""
        return tuple(self._hosts[at] for at in range(self.num_worlds))

    # Keeping

    def digests(self) -> Words:
        """A 64-bit digest of each host's whole state."""
        self._open()
        found = [
            hashlib.blake2b(pack(host) + bytes([over]), digest_size=8).digest()
            for host, over in zip(self.hosts, self._over.tolist(), strict=True)
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
        # All are unpacked before any is replaced: bytes that are refused change nothing.
        self._place(batch, self._unpacked(batch))

    def fork(self, indices: npt.ArrayLike, threads: int = 1) -> EsperWorld:
        """A new batch of copies of the chosen hosts, in that order."""
        self._open()
        chosen = [int(at) for at in arguments.indices(indices, self.num_worlds)]
        copy = EsperWorld(
            self._task, self.config, len(chosen), threads, self.autoreset, self._data, begin=False
        )
        batch = self._document().of(chosen)
        copy._place(batch, copy._unpacked(batch))
        return copy

    def _unpacked(self, batch: BatchDocument) -> list[HostEpisode]:
        return [
            unpack(one, self._data, self._rules, launcher)
            for one, launcher in zip(batch.hosts, self._launchers, strict=True)
        ]

    def _document(self) -> BatchDocument:
        return BatchDocument(
            world_id=self.world_id,
            config=self._settings(),
            run_seed=self._run_seed,
            lane=self._lane,
            episode=self.episode.tolist(),
            over=self._over.tolist(),
            hosts=[pack(host) for host in self.hosts],
        )

    def _settings(self) -> dict[str, object]:
        # Where the data lies says nothing about what was learnt from it.
        return self.config.model_dump(mode="json", exclude={"data"})

    def _place(self, batch: BatchDocument, hosts: list[HostEpisode]) -> None:
        self._hosts = dict(enumerate(hosts))
        self._run_seed, self._lane = list(batch.run_seed), list(batch.lane)
        self.episode[:] = batch.episode
        self.episode_seed[:] = [host.seed for host in hosts]
        self._over[:] = batch.over
        self.forget_the_last_step(list(range(self.num_worlds)))
        for at, host in enumerate(hosts):
            write_sight(host, self.obs[at, 0], self.mask[at, 0])

    def close(self) -> None:
        """Let go of the threads."""
        if self._pool is not None:
            self._pool.shutdown()
        self._pool = None

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled or copied: threads do not travel."""
        raise UncopyableError(
            f"a batch of {self.world_id} cannot be pickled or copied; use fork() in this process, "
            "or send snapshot() and restore it into a batch made there"
        )

    def _open(self) -> ThreadPoolExecutor:
        if self._pool is None:
            raise ClosedError(f"this batch of {self.world_id} was closed; make another")
        return self._pool

    def _each(self, work: Callable[[int], None], chosen: Sequence[int]) -> None:
        """`work` for the chosen hosts; when all are done, the first that failed is told of."""

        def alone(at: int) -> None:
            with self._launchers[at].alone():
                work(at)

        pending = [self._open().submit(alone, at) for at in chosen]
        wait(pending)
        for done in pending:
            done.result()


def _one_thread() -> None:
    # A setting of the thread: sums over several would come out differently.
    torch.set_num_threads(1)
