"""Hosts that grow, as a batch of worlds: a step is one decision and one epoch of every host.

Hosts know nothing of each other. Each runs on one thread, with numbers from its own episode's seed,
so neither threads nor company change what becomes of it.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NoReturn

import msgspec
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
from astrarium.esper.contracts.actions import WAIT, ActionOutcome
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import TERMS, RewardResult
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.entry import EVENTS, STATS, EsperConfig, layout_of
from astrarium.esper.episode import HostEpisode
from astrarium.esper.episode_snapshots import pack, unpack
from astrarium.esper.masks import Budget
from astrarium.esper.observation import ObservationInputs, observe, width
from astrarium.esper.phases import TaskData
from astrarium.esper.rewards.ending import rollback_result
from astrarium.esper.tasks import load, task
from astrarium.worlds import arguments
from astrarium.worlds.vector import Autoreset, Floats, Layout, Words

_OBS_LIMIT: Final = 10.0
_DONE: Final = {
    Op.GERMINATE: "germinated",
    Op.ADVANCE: "advanced",
    Op.FOSSILIZE: "fossilized",
    Op.PRUNE: "pruned",
    Op.SET_ALPHA_TARGET: "retargeted",
}


class _Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    world_id: str
    config: dict[str, Any]
    run_seed: list[int]
    lane: list[int]
    episode: list[int]
    over: list[bool]
    hosts: list[bytes]


class EsperWorld:
    """n hosts; see `VectorWorld`."""

    def __init__(
        self,
        world_id: str,
        config: EsperConfig,
        num_worlds: int = 1,
        threads: int = 1,
        autoreset: Autoreset = "same_step",
        data: TaskData | None = None,
    ) -> None:
        n = num_worlds
        self.world_id: Final = world_id
        self.config: Final = config
        self.num_worlds: Final = n
        self.threads: Final = threads
        self.autoreset: Final = autoreset
        spec = task(config.task)
        self._data = data or TaskData(
            spec, load(config.task, config.data), torch.device(config.device)
        )
        self.slots: Final = spec.host.slot_ids
        self.layout: Final[Layout] = layout_of(self.slots)
        self._rules = config.rules(self._data)
        wide, choices = self.layout.obs_dim, self.layout.num_choices
        self.obs: Final = np.zeros((n, 1, wide), np.float32)
        self.final_obs: Final = np.zeros((n, 1, wide), np.float32)
        self.mask: Final = np.zeros((n, 1, choices), np.uint8)
        self.alive: Final = np.ones((n, 1), np.uint8)
        self.actions: Final = np.zeros((n, 1, len(self.layout.heads)), np.int32)
        self.controls: Final = np.zeros((n, 1, 0), np.float32)
        self.reward: Final = np.zeros((n, 1), np.float32)
        self.terms: Final = np.zeros((n, 1, len(TERMS)), np.float32)
        self.terminated: Final = np.zeros((n, 1), np.uint8)
        self.truncated: Final = np.zeros((n, 1), np.uint8)
        self.events: Final = np.zeros((n, 1), np.uint32)
        self.stats: Final = np.zeros((n, len(STATS)), np.float32)
        self.episode_seed: Final = np.zeros(n, np.uint64)
        self.episode: Final = np.zeros(n, np.uint64)
        self._run_seed = [0] * n
        self._lane = list(range(n))
        self._over = np.zeros(n, np.bool_)
        self._action_shapes = arguments.shapes(self.actions)
        self._pool: ThreadPoolExecutor | None = ThreadPoolExecutor(threads, "host", _one_thread)
        self.hosts: list[HostEpisode] = []
        self.reset(0)

    # Beginning

    def reset(self, seed: int | None = None) -> None:
        """Begin episode 0 of run `seed` everywhere; without a seed, every host's next episode."""
        everyone = range(self.num_worlds)
        if seed is None:
            self.reset_worlds(np.arange(self.num_worlds))
            return
        self._open()
        self._run_seed = [arguments.seed(seed)] * self.num_worlds
        self._lane = list(everyone)
        self.episode[:] = 0
        for at in everyone:
            self.episode_seed[at] = _native.episode_seed(self._run_seed[at], at, 0)
        self._begin(list(everyone))

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
        self._begin(chosen)

    def _next_episode(self, at: int) -> None:
        self.episode[at] += np.uint64(1)
        number = int(self.episode[at])
        self.episode_seed[at] = _native.episode_seed(self._run_seed[at], self._lane[at], number)

    def _begin(self, chosen: list[int]) -> None:
        if not self.hosts:
            self.hosts = [self._new_host(at) for at in range(self.num_worlds)]
        for array in (self.reward, self.terms, self.terminated, self.truncated, self.events):
            array[chosen] = 0
        self._each(self._begin_one, chosen)

    def _begin_one(self, at: int) -> None:
        self.hosts[at] = self._new_host(at)
        if self.hosts[at].proceed() is not None:
            raise EpisodeOverError(
                f"host {at} of {self.world_id} broke down in its first epoch; lower its rates"
            )
        self._over[at] = False
        self._show(at)
        self._count(at)

    def _new_host(self, at: int) -> HostEpisode:
        return HostEpisode(self._data, self._rules, int(self.episode_seed[at]))

    # Stepping

    def step(
        self, actions: npt.ArrayLike | None = None, controls: npt.ArrayLike | None = None
    ) -> None:
        """Carry out the orders, and train every host for an epoch."""
        self._open()
        if controls is not None:
            arguments.controls(controls, arguments.shapes(self.controls))
        if actions is not None:
            given = arguments.actions(actions, self._action_shapes)
            self._action_shapes[given.shape][...] = given
        if self.autoreset == "disabled" and self._over.any():
            at = int(np.flatnonzero(self._over)[0])
            raise EpisodeOverError(f"the episode of host {at} is over; reset it before stepping")
        self._each(self._step_one, list(range(self.num_worlds)))

    def _step_one(self, at: int) -> None:
        for array in (self.reward, self.terms, self.terminated, self.truncated, self.events):
            array[at] = 0
        if self._over[at]:
            self._next_episode(at)
            self._begin_one(at)
            return
        host = self.hosts[at]
        spec = orders.action_of(self.actions[at, 0], self.slots)
        ends = host.is_over
        outcome, earned = host.decide(WAIT if spec is None else spec)
        panic = None if ends else host.proceed()
        if panic is not None:
            earned = rollback_result()
            self.terminated[at] = 1
        self.truncated[at] = ends
        self._tell(at, outcome, earned, illegal=spec is None, rolled_back=panic is not None)
        if panic is None:
            self._show(at)
        self._count(at)
        if ends or panic is not None:
            self._end(at)

    def _end(self, at: int) -> None:
        self.final_obs[at] = self.obs[at]
        self._over[at] = True
        if self.autoreset == "same_step":
            kept = [array[at].copy() for array in self._told()]
            self._next_episode(at)
            self._begin_one(at)
            for array, was in zip(self._told(), kept, strict=True):
                array[at] = was

    def _told(self) -> tuple[npt.NDArray[Any], ...]:
        """What the step that ended an episode said of it."""
        return (self.stats,)

    def _tell(
        self,
        at: int,
        outcome: ActionOutcome,
        earned: RewardResult,
        *,
        illegal: bool,
        rolled_back: bool,
    ) -> None:
        terms = np.array([getattr(earned.components, name) for name in TERMS], np.float32)
        self.terms[at, 0] = terms
        self.reward[at, 0] = np.float32(sum(float(one) for one in terms))
        told: list[str] = []
        if outcome.action_success and outcome.effective_op in _DONE:
            told.append(_DONE[outcome.effective_op])
        if illegal or not outcome.action_success:
            told.append("invalid_action")
        if rolled_back:
            told.append("rolled_back")
        self.events[at, 0] = sum(1 << EVENTS.index(name) for name in told)

    # Looking

    def _show(self, at: int) -> None:
        host = self.hosts[at]
        row, figures = self.obs[at, 0], width(len(self.slots))
        blueprints = np.zeros(len(self.slots), np.int64)
        observe(
            ObservationInputs(
                signals=host.signals,
                epoch=host.epoch,
                max_epochs=self._rules.max_epochs,
                reports=host.reports(),
                last_op=host.last_op,
                last_success=host.last_success,
                gamma=self._rules.gamma,
            ),
            row[:figures],
            blueprints,
        )
        budget: Budget | None = host.budget()
        if budget is not None and self._rules.budget_macs:
            # Where compute is what runs out, it is what the clock shows.
            row[0] = 1.0 - budget.left_macs / self._rules.budget_macs
        kinds = row[figures:].reshape(len(self.slots), -1)
        kinds[:] = 0.0
        # An empty slot has a kind of its own, the first.
        kinds[np.arange(len(self.slots)), blueprints + 1] = 1.0
        np.clip(row, -_OBS_LIMIT, _OBS_LIMIT, out=row)
        orders.write_mask(host.masks(), self.mask[at, 0])

    def _count(self, at: int) -> None:
        host = self.hosts[at]
        found, network = host.attribution, host.network
        fossils = sum(state.stage is Stage.FOSSILIZED for state in network.states())
        figures = {
            "accuracy": found.accuracy,
            "committed_accuracy": found.committed_accuracy,
            "loss": host.signals.val_loss,
            "parameter_ratio": network.total_params / network.host_params,
            "fossils": fossils,
            "epochs": host.epoch,
            "macs_spent": host.spent_macs / host.data.epoch_macs(network.host_macs, 1),
        }
        self.stats[at] = [figures[name] for name in STATS]

    def reveal(self) -> Floats:
        """Nothing is hidden."""
        return np.zeros((self.num_worlds, 0), np.float32)

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
        batch = _Batch(
            world_id=self.world_id,
            config=self.config.model_dump(mode="json"),
            run_seed=self._run_seed,
            lane=self._lane,
            episode=self.episode.tolist(),
            over=self._over.tolist(),
            hosts=[pack(host) for host in self.hosts],
        )
        return msgspec.msgpack.encode(batch)

    def restore(self, snapshot: bytes) -> None:
        """Continue from a snapshot of a batch of this world, config and size."""
        self._open()
        batch = self._read(arguments.snapshot(snapshot))
        # All are unpacked before any is replaced: bytes that are refused change nothing.
        hosts = [unpack(one, self._data, self._rules) for one in batch.hosts]
        self._place(batch, hosts)

    def _read(self, snapshot: bytes) -> _Batch:
        try:
            batch = msgspec.msgpack.decode(snapshot, type=_Batch)
        except msgspec.MsgspecError as error:
            raise SnapshotError(
                f"these bytes are no snapshot of {self.world_id}: {error}"
            ) from error
        mine = (self.world_id, self.config.model_dump(mode="json"), self.num_worlds)
        theirs = (batch.world_id, batch.config, len(batch.hosts))
        for name, own, given in zip(
            ("world", "config", "number of hosts"), mine, theirs, strict=True
        ):
            if own != given:
                raise SnapshotError(
                    f"the snapshot is of another {name}: {given!r}, and this batch has {own!r}"
                )
        return batch

    def _place(self, batch: _Batch, hosts: list[HostEpisode]) -> None:
        self.hosts = hosts
        self._run_seed, self._lane = list(batch.run_seed), list(batch.lane)
        self.episode[:] = batch.episode
        self.episode_seed[:] = [host.seed for host in hosts]
        self._over[:] = batch.over
        for array in (self.reward, self.terms, self.terminated, self.truncated, self.events):
            array[...] = 0
        self.stats[...] = 0
        for at in range(self.num_worlds):
            self._show(at)

    def fork(self, indices: npt.ArrayLike, threads: int = 1) -> EsperWorld:
        """A new batch of copies of the chosen hosts, in that order."""
        self._open()
        chosen = [int(at) for at in arguments.indices(indices, self.num_worlds)]
        copy = EsperWorld(
            self.world_id, self.config, len(chosen), threads, self.autoreset, self._data
        )
        batch = self._read(self.snapshot())
        picked = _Batch(
            batch.world_id,
            batch.config,
            [batch.run_seed[at] for at in chosen],
            [batch.lane[at] for at in chosen],
            [batch.episode[at] for at in chosen],
            [batch.over[at] for at in chosen],
            [batch.hosts[at] for at in chosen],
        )
        copy._place(picked, [unpack(one, self._data, self._rules) for one in picked.hosts])
        return copy

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

    def _each(self, work: Any, chosen: list[int]) -> None:
        """`work` for each of the chosen hosts; the first that fails is told of."""
        for done in [self._open().submit(work, at) for at in chosen]:
            done.result()


def _one_thread() -> None:
    # A setting of the thread: sums over several would come out differently.
    torch.set_num_threads(1)
