"""Whole training runs as candidates: `trainer`, and `trainer_eval` with a replay per window.

torch is loaded when the first of them runs, not before.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from typing import Any, Final

from astrarium.bench.candidates import Candidate, Effort, ImpossibleError, Sample
from astrarium.bench.faces import SINGLY
from astrarium.bench.loops import Slice
from astrarium.extras import require_extra

BACKENDS: Final = ("ppo",)
WINDOWS: Final = 4
"""Windows of a run, if not of less than a rollout; each has a checkpoint, and may have a replay."""


class TrainingRuns:
    """Runs of one candidate, the same each time, in folders that are gone afterwards."""

    def __init__(self, candidate: Candidate, rollout_steps: int, eval_episodes: int) -> None:
        self.candidate: Final = candidate
        self._rollout_steps = rollout_steps
        """Of all worlds together; shorter windows would close several at a time."""
        self._eval_episodes = eval_episodes

    def samples(self, effort: Effort) -> list[Sample]:
        """One run for each sample."""
        return [self._train(effort.ticks) for _ in range(effort.repeats)]

    def exercise(self) -> None:
        """A run of one update."""
        self._train(1)

    def settings(self, root: str, ticks: int) -> dict[str, Any]:
        """What the trainer is told; the rest are its defaults."""
        one = self.candidate
        return {
            "world": {"id": one.world, "worlds": one.num_worlds},
            "ppo": {"minibatches": one.minibatches, "epochs": one.epochs},
            "run": {
                "root": root,
                "total_env_steps": ticks,
                "window_env_steps": max(ticks // WINDOWS, self._rollout_steps),
                "eval_episodes": self._eval_episodes,
                # Who has learned little and always takes the likeliest action goes in circles.
                "eval_greedy": False,
                "threads": one.threads,
                # A GPU has a command of its own; threads would say nothing about it.
                "device": "cpu",
            },
        }

    def _train(self, ticks: int) -> Sample:
        from astrarium.train.config import layered
        from astrarium.train.training import Progress, start

        began: list[tuple[float, float]] = []
        reached: list[Progress] = []

        def tell(progress: Progress) -> None:
            # First told when all is made: from here on it trains.
            if not began:
                began.append((time.perf_counter(), time.process_time()))
            reached[:] = [progress]

        with tempfile.TemporaryDirectory() as root:
            start(layered(self.settings(root, ticks)), tell=tell)
            wall, cpu = began[0]
            steps = reached[0].calls_total
            one = Slice(steps, time.perf_counter() - wall, time.process_time() - cpu)
        return Sample.of(one, reached[0].env_steps_total)

    def close(self) -> None:
        """Nothing is held."""


def trainer(candidate: Candidate) -> TrainingRuns:
    """Training with its metrics and checkpoints, and no evaluation."""
    return _opened(candidate, eval_episodes=0)


def trainer_eval(candidate: Candidate) -> TrainingRuns:
    """Training, and an episode with each checkpoint, kept as a replay."""
    return _opened(candidate, eval_episodes=1)


MODES: Final[dict[str, Callable[[Candidate], TrainingRuns]]] = {
    "trainer": trainer,
    "trainer_eval": trainer_eval,
}


def _opened(candidate: Candidate, eval_episodes: int) -> TrainingRuns:
    if candidate.implementation != "native" or candidate.num_worlds == SINGLY:
        raise ImpossibleError("a trainer needs a native batch")
    candidate.check_threads()
    from astrarium.train.config import PPOSection

    require_extra("torch", "train")
    steps = PPOSection().rollout_steps * candidate.num_worlds
    if candidate.minibatches > steps:
        raise ImpossibleError(
            f"a rollout of {steps} steps makes no {candidate.minibatches} minibatches"
        )
    return TrainingRuns(candidate, steps, eval_episodes)
