"""Worlds that each break one promise on purpose, in the way it is usually broken."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from counter_world import TOP, Counter, CounterWorld, draw


class UsesItsPosition(CounterWorld):
    """Promise 1: the breeze blows by the world's place in the batch."""

    def breeze(self, counter, index):
        return (-1, 0, 0, 1)[draw(counter.seed, 3, counter.tick, index) % 4]


class UsesAGlobalGenerator(CounterWorld):
    """Promise 1: the breeze comes from a generator that all worlds share."""

    shared = random.Random(0)

    def breeze(self, counter, index):
        return self.shared.choice((-1, 0, 0, 1))


class SplitsTheBatchByThreads(CounterWorld):
    """Promise 1: every thread but the first begins with other weather."""

    def breeze(self, counter, index):
        share = index * self.threads // self.num_worlds
        return (-1, 0, 0, 1)[draw(counter.seed, 3, counter.tick, share) % 4]


class AddsSeedsUp(CounterWorld):
    """Promise 2: neighbouring worlds, episodes and runs meet."""

    def seed_of(self, root, lane, episode):
        return root + 1000 * lane + episode


class ReportsAStaleSeed(CounterWorld):
    """Promise 2: after an autoreset the seed shown is that of the episode before."""

    def show(self, index):
        shown = int(self.episode_seed[index])
        super().show(index)
        if self.counters[index].episode and self.counters[index].tick == 0:
            self.episode_seed[index] = shown


class IgnoresTheSeed(CounterWorld):
    """Promise 2: every episode is the same."""

    def begin(self, index, lineage):
        super().begin(index, lineage)
        self.counters[index] = replace(self.counters[index], value=2, goal=7)
        self.show(index)

    def breeze(self, counter, index):
        return 0

    def digests(self):
        rows = ((c.value, c.goal, c.tick, int(c.drift * 2**20)) for c in self.counters)
        return np.array([draw(*row) for row in rows], np.uint64)


class ForgetsTheDrift(CounterWorld):
    """Promise 3: the snapshot leaves out a number that the rules read."""

    def stored(self, counter):
        return replace(counter, drift=0.0)


class SharesStateWithForks(CounterWorld):
    """Promise 3: a fork steps its parent."""

    def fork(self, indices, threads=1):
        copy = super().fork(indices, threads)
        copy.parent = self
        return copy

    def step(self, actions=None, controls=None):
        super().step(actions, controls)
        if hasattr(self, "parent"):
            self.parent.place(0, self.counters[-1])


class SaysTooMuchIsLegal(CounterWorld):
    """Promise 4: the mask allows counting past the top."""

    def legal(self, counter):
        return (counter.value > 0, True, True)


class SaysTooLittleIsLegal(CounterWorld):
    """Promise 4: the mask forbids what the rules carry out."""

    def legal(self, counter):
        return (counter.value > 0, True, counter.value < TOP - 1)


class MaskTellsTheSeed(CounterWorld):
    """Promise 4: legality hangs on something that is not observed."""

    def legal(self, counter):
        return (counter.value > 0, True, counter.value < TOP and counter.seed % 2 == 0)

    def accepted(self, counter, action):
        return super().accepted(counter, action) and bool(self.legal(counter)[action])

    def begin(self, index, lineage):
        # Few different views, so that two worlds soon look alike.
        super().begin(index, lineage)
        self.counters[index] = replace(self.counters[index], value=2, goal=7)
        self.show(index)


class LooksOutOfRange(CounterWorld):
    """Promise 4: the goal is shown without being scaled."""

    def show(self, index):
        super().show(index)
        self.obs[index, 0, 1] = self.counters[index].goal


class MovesItsArrays(CounterWorld):
    """Promise 4: a step replaces the reward array."""

    def step(self, actions=None, controls=None):
        super().step(actions, controls)
        self.reward = self.reward.copy()


class HidesAPenalty(CounterWorld):
    """Promise 5: part of the reward has no name."""

    def pay(self, index, counter, reached):
        super().pay(index, counter, reached)
        self.reward[index, 0] -= 0.001 * counter.value


class ChangedItsRules(CounterWorld):
    """Promise 6: the committed transcript tells of another breeze."""

    def breeze(self, counter, index):
        return (-1, 1)[draw(counter.seed, 3, counter.tick) % 2]


class TakesAnyNumber(CounterWorld):
    """Promise 7: fractions are cut off and NaN is let through."""

    def read_actions(self, given):
        return np.asarray(given).astype(np.int32)

    def read_controls(self, given):
        return np.asarray(given, np.float32)

    def check_before_step(self):
        pass


class NoticesTooLate(CounterWorld):
    """Promise 7: the first world has moved before the last one is looked at."""

    def read_controls(self, given):
        return np.asarray(given, np.float32)

    def check_before_step(self):
        self.advance(0)
        super().check_before_step()


class BelievesAnySnapshot(CounterWorld):
    """Promise 7: bytes are taken as they come."""

    def restore(self, snapshot):
        for index, fields in enumerate(Counter.FORM.iter_unpack(self._body(snapshot))):
            self.place(index, Counter(*fields))

    def _body(self, snapshot):
        return snapshot[-8 - Counter.FORM.size * self.num_worlds : -8]
