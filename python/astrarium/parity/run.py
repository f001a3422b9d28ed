"""Stepping two sides through a case, and cases through a pool of processes."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from astrarium.parity.bundle import Bundle, Mismatch
from astrarium.parity.compare import Difference, Tolerances, first_difference, observations
from astrarium.parity.side import Pair, Side, StepRecord
from astrarium.parity.suites import SEED_END, Case, Player
from astrarium.parity.trace import Recorder
from astrarium.worlds.vector import Floats


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one case."""

    case: Case
    steps: int
    """Steps on which both sides agreed."""
    episodes: int
    """Episodes begun."""
    seconds: float
    bundle: Bundle | None = None
    """The evidence, where the sides differed."""

    @property
    def passed(self) -> bool:
        """Whether the sides agreed to the end."""
        return self.bundle is None


class _Contest:
    """Two sides in the same episode, and what each has done so far."""

    def __init__(self, pair: Pair, case: Case, tolerances: Tolerances | None) -> None:
        self._pair, self._case, self._tolerances = pair, case, tolerances
        self._left: Side = pair.left(case.time_max)
        self._right: Side = pair.right(case.time_max)
        names = (self._left.name, self._right.name)
        if names[0] == names[1] or self._left.metric_names != self._right.metric_names:
            raise ValueError(f"sides {names} need two names and the same metrics to be compared")
        self._recorders = tuple(Recorder(self._left.metric_names) for _ in names)
        self._generators: tuple[int | None, int | None] = (None, None)
        self._actions: list[int] = []
        self.episodes = 0
        self.obs: Floats = np.zeros(0, dtype=np.float32)

    @property
    def _seed(self) -> int:
        return (self._case.seed + self.episodes - 1) % SEED_END

    def begin(self) -> Difference | None:
        """Reset both sides with the next seed: the case's, then one more each time."""
        self.episodes += 1
        left, self.obs = self._left.reset(self._seed), self._right.reset(self._seed)
        self._recorders[0].reset(left)
        self._recorders[1].reset(self.obs)
        self._generators = self._left.generator, self._right.generator
        apart = observations(left, self.obs, self._tolerances, field="reset.obs")
        if apart is None and self._tolerances is None and None not in self._generators:
            first, second = self._generators
            if first != second:
                return Difference("reset.generator", first or 0, second or 0)
        return apart

    def step(self, player: Player) -> tuple[StepRecord, Difference | None]:
        """Play one action on both sides."""
        action = player(len(self._actions), self.obs)
        self._actions.append(action)
        left, right = self._left.step(action), self._right.step(action)
        self._recorders[0].step(left)
        self._recorders[1].step(right)
        apart = first_difference(left, right, self._left.metric_names, self._tolerances)
        if apart is None:
            # Kept on a difference: the bundle tells where they stood before the step.
            self._generators = left.generator, right.generator
        self.obs = right.obs
        return right, apart

    def bundle(self, step: int, difference: Difference) -> Bundle:
        """The evidence so far."""
        first, second = (recorder.trace(len(self.obs)) for recorder in self._recorders)
        return Bundle(
            world=self._pair.world,
            config_hash=self._pair.config_hash(self._case.time_max),
            case=self._case,
            tolerances=self._tolerances,
            sides=(self._left.name, self._right.name),
            mismatch=Mismatch(step, self.episodes - 1, self._seed, difference, self._generators),
            actions=np.array(self._actions, dtype=np.int64),
            traces=(first, second),
        )


def run_case(
    pair: Pair,
    case: Case,
    tolerances: Tolerances | None = None,
    player: Player | None = None,
) -> CaseResult:
    """Step both sides with the same actions until they differ or the case is done.

    Without tolerances they must agree to the bit. The right side's observations drive the player.
    """
    started = time.perf_counter()
    contest = _Contest(pair, case, tolerances)
    player = player or case.player()
    over, bundle, steps = True, None, 0
    while steps < case.steps and bundle is None:
        apart = contest.begin() if over else None
        if apart is None:
            record, apart = contest.step(player)
            over = record.over
        if apart is not None:
            bundle = contest.bundle(steps, apart)
        else:
            steps += 1
    return CaseResult(case, steps, contest.episodes, time.perf_counter() - started, bundle)


def replay(pair: Pair, bundle: Bundle) -> Mismatch | None:
    """Play a bundle's actions again; what differs now, or None where nothing does any more."""
    again = rerun(pair, bundle)
    return None if again is None else again.mismatch


def rerun(pair: Pair, bundle: Bundle) -> Bundle | None:
    """Play a bundle's actions again; the new evidence, or None where nothing differs any more."""
    actions = bundle.actions.tolist()

    def player(step: int, obs: Floats) -> int:
        # One action is missing where a reset differed: nothing was played after it.
        return actions[step] if step < len(actions) else 0

    case = replace(bundle.case, steps=bundle.mismatch.step + 1)
    return run_case(pair, case, bundle.tolerances, player).bundle


def run_cases(
    pair: Pair, cases: Sequence[Case], tolerances: Tolerances | None = None, jobs: int = 1
) -> Generator[CaseResult]:
    """Results in the order of the cases, whichever process finishes first.

    Closing the iterator drops the cases that have not begun.
    """
    if jobs == 1 or len(cases) == 1:
        yield from (run_case(pair, case, tolerances) for case in cases)
        return
    # Spawned, not forked: a fork copies the locks of threads that do not exist in the copy.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(cases)), mp_context=context) as pool:
        try:
            waiting = [pool.submit(run_case, pair, case, tolerances) for case in cases]
            for future in waiting:
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
