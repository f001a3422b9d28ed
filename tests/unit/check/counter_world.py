"""A correct world in plain Python: the one the faulty worlds are made from.

A counter from 0 to 9 must reach a goal while a breeze moves it; a control leaves a drift behind
that costs a little. One agent, one head, one control, everything a `VectorWorld` has.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import astuple, dataclass, replace
from typing import Final

import numpy as np
import pydantic

from astrarium.errors import ActionError, ClosedError, EpisodeOverError, SeedError, SnapshotError
from astrarium.worlds import Layout, WorldConfig, WorldEntry, arguments

TOP: Final = 9
IGNORED_ORDER: Final = 1 << 0
REACHED: Final = 1 << 1
LAYOUT: Final = Layout(
    agents=1,
    obs_dim=4,
    obs_low=-1.0,
    obs_high=1.0,
    heads=(3,),
    controls=1,
    terms=("reached", "tick", "drift"),
    stats=("ticks", "value"),
    events=("ignored_order", "reached"),
)


class CounterConfig(WorldConfig):
    """Settings of the counter."""

    ticks_max: int = pydantic.Field(default=40, ge=1, le=1000)


@dataclass(frozen=True)
class Counter:
    """One world: the episode it is in, then the state of its rules."""

    root: int = 0
    lane: int = 0
    explicit: bool = False
    over: bool = False
    episode: int = 0
    seed: int = 0
    tick: int = 0
    value: int = 0
    goal: int = 0
    drift: float = 0.0

    FORM = struct.Struct("<QI??QQIiid")

    def pack(self) -> bytes:
        return self.FORM.pack(*astuple(self))


def draw(*key: int) -> int:
    """64 random bits, the same for the same key."""
    data = b"".join(word.to_bytes(9, "little", signed=True) for word in key)
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


class CounterWorld:
    """n counters. Every rule is a small method, so that a faulty world can replace one."""

    world_id = "counter-v1"
    layout = LAYOUT

    def __init__(self, num_worlds=1, threads=1, autoreset="same_step", config=None):
        self.num_worlds = n = arguments.count("num_worlds", num_worlds)
        self.threads = arguments.count("threads", threads)
        self.autoreset = arguments.autoreset(autoreset)
        self.config = config or CounterConfig()
        self.obs = np.zeros((n, 1, 4), np.float32)
        self.final_obs = np.zeros((n, 1, 4), np.float32)
        self.mask = np.zeros((n, 1, 3), np.uint8)
        self.alive = np.ones((n, 1), np.uint8)
        self.actions = np.zeros((n, 1, 1), np.int32)
        self.controls = np.zeros((n, 1, 1), np.float32)
        self.reward = np.zeros((n, 1), np.float32)
        self.terms = np.zeros((n, 1, 3), np.float32)
        self.terminated = np.zeros((n, 1), np.uint8)
        self.truncated = np.zeros((n, 1), np.uint8)
        self.events = np.zeros((n, 1), np.uint32)
        self.stats = np.zeros((n, 2), np.float32)
        self.episode_seed = np.zeros(n, np.uint64)
        self.episode = np.zeros(n, np.uint64)
        self.counters = [Counter()] * n
        self.closed = False
        self.reset(0)

    def seed_of(self, root, lane, episode):
        return draw(root, lane, episode)

    def begin(self, index, lineage):
        seed = lineage.root
        if not (lineage.explicit and lineage.episode == 0):
            seed = self.seed_of(lineage.root, lineage.lane, lineage.episode)
        value, goal = draw(seed, 1) % (TOP + 1), draw(seed, 2) % (TOP + 1)
        goal = goal if goal != value else (goal + 5) % (TOP + 1)
        self.counters[index] = replace(
            lineage, seed=seed, tick=0, value=value, goal=goal, drift=0.0, over=False
        )
        self.show(index)

    def legal(self, counter):
        return (counter.value > 0, True, counter.value < TOP)

    def accepted(self, counter, action):
        return 0 <= action < 3 and 0 <= counter.value + action - 1 <= TOP

    def breeze(self, counter, index):
        lot = draw(counter.seed, 3, counter.tick) % 16
        return {0: -1, 1: 1}.get(lot, 0)

    def show(self, index):
        counter = self.counters[index]
        left = 1 - counter.tick / self.config.ticks_max
        self.obs[index, 0] = (counter.value / TOP, counter.goal / TOP, left, counter.drift)
        self.mask[index, 0] = self.legal(counter)
        self.episode_seed[index] = counter.seed
        self.episode[index] = counter.episode

    def advance(self, index):
        counter = self.counters[index]
        self.clear(index)
        if counter.over:
            self.stats[index] = 0
            self.begin(index, replace(counter, episode=counter.episode + 1))
            return
        action = int(self.actions[index, 0, 0])
        move = action - 1 if self.accepted(counter, action) else 0
        self.events[index] = 0 if self.accepted(counter, action) else IGNORED_ORDER
        value = counter.value + move
        value = min(TOP, max(0, value + self.breeze(counter, index)))
        drift = np.float32(0.9 * counter.drift + 0.1 * np.clip(self.controls[index, 0, 0], -1, 1))
        counter = replace(counter, tick=counter.tick + 1, value=value, drift=float(drift))
        self.counters[index] = counter
        self.judge(index, counter)

    def judge(self, index, counter):
        reached = counter.value == counter.goal
        late = not reached and counter.tick >= self.config.ticks_max
        self.pay(index, counter, reached)
        self.events[index] |= REACHED if reached else 0
        self.terminated[index], self.truncated[index] = reached, late
        self.stats[index] = (counter.tick, counter.value)
        self.show(index)
        if reached or late:
            self.final_obs[index] = self.obs[index]
            if self.autoreset == "same_step":
                self.begin(index, replace(counter, episode=counter.episode + 1))
            else:
                self.counters[index] = replace(counter, over=True)

    def pay(self, index, counter, reached):
        terms = self.terms[index, 0]
        terms[:] = (float(reached), -0.01, -0.1 * abs(counter.drift))
        self.reward[index, 0] = terms[0] + terms[1] + terms[2]

    def clear(self, index):
        for array in (self.reward, self.terms, self.terminated, self.truncated, self.events):
            array[index] = 0

    def reset(self, seed=None):
        self.open()
        if seed is None:
            self.reset_worlds(range(self.num_worlds))
            return
        root = arguments.seed(seed)
        for lane in range(self.num_worlds):
            self.begin_anew(lane, Counter(root=root, lane=lane))

    def reset_with_seeds(self, seeds):
        self.open()
        roots = arguments.seeds(seeds)
        if len(roots) != self.num_worlds:
            raise SeedError(f"seeds has {len(roots)} entries; give one per world")
        for index, root in enumerate(roots):
            self.begin_anew(index, Counter(root=int(root), explicit=True))

    def reset_worlds(self, indices, seeds=None):
        self.open()
        chosen = arguments.indices(list(indices), self.num_worlds)
        roots = None if seeds is None else arguments.seeds(seeds)
        if roots is not None and len(roots) != len(chosen):
            raise SeedError(f"seeds has {len(roots)} entries; give one per index")
        for at, index in enumerate(chosen):
            now = self.counters[index]
            begun = replace(now, episode=now.episode + 1)
            self.begin_anew(
                index, begun if roots is None else Counter(root=int(roots[at]), explicit=True)
            )

    def begin_anew(self, index, lineage):
        self.clear(index)
        self.stats[index] = 0
        self.begin(index, lineage)

    def step(self, actions=None, controls=None):
        self.open()
        orders = None if actions is None else self.read_actions(actions)
        pushes = None if controls is None else self.read_controls(controls)
        if orders is not None:
            self.actions[...] = orders.reshape(self.actions.shape)
        if pushes is not None:
            self.controls[...] = pushes.reshape(self.controls.shape)
        self.check_before_step()
        for index in range(self.num_worlds):
            self.advance(index)

    def read_actions(self, given):
        return arguments.actions(given, arguments.shapes(self.actions))

    def read_controls(self, given):
        return arguments.controls(given, arguments.shapes(self.controls))

    def check_before_step(self):
        if not np.isfinite(self.controls).all():
            raise ActionError("controls holds a value that is not finite; replace it")
        over = [index for index, counter in enumerate(self.counters) if counter.over]
        if over and self.autoreset == "disabled":
            raise EpisodeOverError(f"world {over[0]} has ended; reset it first")

    def digests(self):
        self.open()
        rows = (counter.pack()[Counter.FORM.size - 28 :] for counter in self.counters)
        return np.array([draw(*row) for row in rows], np.uint64)

    def reveal(self):
        return np.zeros((self.num_worlds, 0), np.float32)

    def snapshot(self):
        self.open()
        head = struct.pack("<I", self.num_worlds) + self.config.model_dump_json().encode()
        body = b"".join(self.stored(counter).pack() for counter in self.counters)
        return self.seal(head, body)

    def stored(self, counter):
        return counter

    def seal(self, head, body):
        whole = b"COUNTER" + struct.pack("<I", len(head)) + head + body
        return whole + hashlib.blake2b(whole, digest_size=8).digest()

    def restore(self, snapshot):
        self.open()
        given = arguments.snapshot(snapshot)
        size = Counter.FORM.size * self.num_worlds
        body = given[-8 - size : -8]
        if given != self.seal(given[11 : -8 - size], body):
            raise SnapshotError("the snapshot is damaged or of another batch; take it again")
        if given[11:15] != struct.pack("<I", self.num_worlds):
            raise SnapshotError(f"the snapshot is not of {self.num_worlds} worlds")
        for index, fields in enumerate(Counter.FORM.iter_unpack(body)):
            self.place(index, Counter(*fields))

    def place(self, index, counter):
        self.counters[index] = counter
        self.clear(index)
        self.stats[index] = 0
        self.show(index)

    def fork(self, indices, threads=1):
        self.open()
        chosen = arguments.indices(indices, self.num_worlds)
        copy = type(self)(len(chosen), threads, self.autoreset, self.config)
        for to, index in enumerate(chosen):
            copy.place(to, self.counters[index])
        return copy

    def close(self):
        self.closed = True

    def open(self):
        if self.closed:
            raise ClosedError("this batch was closed; make another")


def entry_of(world: type[CounterWorld]) -> WorldEntry:
    """What a package of a user's would register."""
    return WorldEntry(
        id=world.world_id,
        title="Counter",
        summary="A counter in plain Python.",
        config=CounterConfig,
        make=lambda config, n, threads, autoreset: world(n, threads, autoreset, config),
        action_names=(("down", "stay", "up"),),
        obs_names=("value", "goal", "time_left", "drift"),
        agent_names=("counter",),
    )


COUNTER = entry_of(CounterWorld)
