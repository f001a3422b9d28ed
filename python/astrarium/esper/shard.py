"""Some of the hosts of a batch, in the process that trains them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from astrarium import _native
from astrarium.errors import EpisodeOverError
from astrarium.esper import orders
from astrarium.esper.contracts.actions import WAIT
from astrarium.esper.episode import EpisodeRules, HostEpisode
from astrarium.esper.episode_snapshots import pack, unpack
from astrarium.esper.host_arrays import HostArrays
from astrarium.esper.launching import Launcher
from astrarium.esper.newsroom import packed_news
from astrarium.esper.phases import TaskData
from astrarium.esper.rewards.ending import rollback_result
from astrarium.esper.telling import events_of, write_sight, write_stats, write_terms


class Shard:
    """Does to one host at a time what is asked of a batch, and writes its rows of the arrays."""

    def __init__(
        self, arrays: HostArrays, data: TaskData, rules: EpisodeRules, *, begin_anew: bool
    ) -> None:
        """With `begin_anew`, an episode begins in the step that ended the one before."""
        self.arrays, self.data, self.rules = arrays, data, rules
        self.begin_anew = begin_anew
        self.slots = data.spec.host.slot_ids
        self.hosts: dict[int, HostEpisode] = {}
        self._offered: dict[int, HostEpisode] = {}
        self.work: Mapping[str, Callable[[int, bytes], bytes]] = {
            "begin": self._begin,
            "step": self._step,
            "pack": self._pack,
            "offer": self._offer,
            "accept": self._accept,
        }
        """What can be asked for: the index of a host and bytes in, bytes out."""
        self._launchers: dict[int, Launcher] = {}

    def do(self, work: str, at: int, given: bytes) -> bytes:
        """A piece of work, with the device as if no other host were there."""
        with self._launcher(at).alone():
            return self.work[work](at, given)

    def _launcher(self, at: int) -> Launcher:
        if at not in self._launchers:
            self._launchers[at] = Launcher(self.data.device, self.data.graphs, at)
        return self._launchers[at]

    def _begin(self, at: int, _: bytes) -> bytes:
        seed = int(self.arrays.episode_seed[at])
        host = HostEpisode(self.data, self.rules, seed, self._launcher(at))
        if host.proceed() is not None:
            raise EpisodeOverError(f"host {at} broke down in its first epoch; lower its rates")
        self.hosts[at] = host
        self.arrays.over[at] = False
        self._show(at)
        return b""

    def _begin_next(self, at: int) -> None:
        arrays = self.arrays
        arrays.episode[at] += 1
        arrays.episode_seed[at] = _native.episode_seed(
            int(arrays.run_seed[at]), int(arrays.lane[at]), int(arrays.episode[at])
        )
        self._begin(at, b"")

    def _step(self, at: int, _: bytes) -> bytes:
        """Carry out the order, and train for an epoch; what there is to tell."""
        arrays = self.arrays
        arrays.forget_the_last_step([at])
        if arrays.over[at]:
            self._begin_next(at)
            return b""
        host = self.hosts[at]
        spec = orders.action_of(arrays.actions[at, 0], arrays.mask[at, 0], self.slots)
        ends, spent = host.is_over, host.is_spent
        outcome, earned = host.decide(WAIT if spec is None else spec, illegal=spec is None)
        rolled_back = not ends and host.proceed() is not None
        if rolled_back:
            earned = rollback_result()
        # Where the compute is spent nothing can follow; a limit of epochs only cuts off.
        arrays.terminated[at], arrays.truncated[at] = rolled_back or spent, ends and not spent
        arrays.reward[at, 0] = write_terms(earned, arrays.terms[at, 0])
        arrays.events[at, 0] = events_of(outcome, illegal=spec is None, rolled_back=rolled_back)
        self._show(at)
        write_stats(host, arrays.stats[at])
        told = packed_news(host.take_news(), int(arrays.episode[at]))
        if ends or rolled_back:
            arrays.final_obs[at] = arrays.obs[at]
            arrays.over[at] = True
            if self.begin_anew:
                self._begin_next(at)
        return told

    def _show(self, at: int) -> None:
        write_sight(self.hosts[at], self.arrays.obs[at, 0], self.arrays.mask[at, 0])

    def _pack(self, at: int, _: bytes) -> bytes:
        return pack(self.hosts[at])

    def _offer(self, at: int, packed: bytes) -> bytes:
        """Look at a host that is to take the place of another."""
        self._offered[at] = unpack(packed, self.data, self.rules, self._launcher(at))
        return b""

    def _accept(self, at: int, _: bytes) -> bytes:
        """Let the host that was offered take its place."""
        self.hosts[at] = self._offered.pop(at)
        self.arrays.episode_seed[at] = self.hosts[at].seed
        self._show(at)
        return b""
