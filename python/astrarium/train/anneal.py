"""The rules of an anneal, as functions of what was measured.

A cycle passes, is held, or fails; after some rehearsals a policy may be promoted or must be rolled
back. Nothing here acts: `annealing` and `rehearsals` do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Outcome = Literal["PASS", "HOLD", "FAIL"]

REHEARSALS: Final = 3
"""How many of the last ones a promotion looks at."""


def teacher_share(cycle: int, first: float, cycles: int, frozen: int = 0) -> float:
    """How much of the orders a teacher gives; cycles in which the share was frozen do not count."""
    return first * max(0.0, 1.0 - max(0, cycle - frozen) / cycles)


@dataclass(frozen=True, slots=True)
class Measured:
    """A cycle, or a rehearsal; None where the world has no such figure."""

    loss: float
    bc_accuracy: float | None = None
    queue_events: float | None = None
    queue_intensity: float | None = None
    late_help: float | None = None
    kl_divergence: float = 0.0
    grad_norm: float = 0.0
    entropy: float = 0.0


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is compared with; None where nothing is known."""

    loss: float | None = None
    queue_events: float | None = None
    queue_events_max: float | None = None
    queue_intensity: float | None = None
    queue_intensity_max: float | None = None
    entropy: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a cycle came to, and why."""

    outcome: Outcome
    loss_flag: bool = False
    queue_flag: bool = False
    intensity_flag: bool = False

    @property
    def rolled_back(self) -> bool:
        """Whether the policy is to be as it was before."""
        return self.outcome == "FAIL"


def judge(measured: Measured, baseline: Baseline, accuracy_min: float) -> Verdict:
    """FAIL below the accuracy; HOLD where loss or queues left the baseline; else PASS."""
    loss = abs(_drift(measured.loss, baseline.loss)) > 0.10
    queue = _drift(measured.queue_events, baseline.queue_events) < -0.15
    intensity = _drift(measured.queue_intensity, baseline.queue_intensity) < -0.15
    failed = measured.bc_accuracy is not None and measured.bc_accuracy < accuracy_min
    held = loss or queue or intensity
    return Verdict("FAIL" if failed else "HOLD" if held else "PASS", loss, queue, intensity)


def freezes(kpi: float, baseline: float, least: float = 0.0) -> bool:
    """Whether a figure fell so far that the teacher keeps its share: by a part of the baseline's
    size, or of `least` where that is more. Below a baseline of nothing, any fall is one."""
    size = max(abs(baseline), least)
    return baseline - kpi > 0.30 * size


def promotion_faults(rehearsals: Sequence[Measured], baseline: Baseline) -> list[str]:
    """What speaks against promoting the policy of the last rehearsals; nothing for one to take."""
    last = rehearsals[-REHEARSALS:]
    if len(last) < REHEARSALS:
        return [f"{len(last)} rehearsals of {REHEARSALS}"]
    accuracy = [one.bc_accuracy or 0.0 for one in last]
    losses = [one.loss for one in last]
    mean = math.fsum(losses) / len(losses)
    entropy = max(abs(_shift(one.entropy, baseline.entropy)) for one in last)
    rules = {
        "BC accuracy below 0.90 in the mean": math.fsum(accuracy) / len(accuracy) < 0.90,
        "BC accuracy below 0.85 once": min(accuracy) < 0.85,
        "loss off the baseline by more than 10 %": any(
            abs(_drift(one, baseline.loss)) > 0.10 for one in losses
        ),
        "variance of the loss above 0.05": (
            math.fsum((one - mean) ** 2 for one in losses) / len(losses) > 0.05
        ),
        "queue events off by more than 15 %": _off(
            [one.queue_events for one in last], baseline.queue_events, baseline.queue_events_max
        ),
        "queue intensity off by more than 15 %": _off(
            [one.queue_intensity for one in last],
            baseline.queue_intensity,
            baseline.queue_intensity_max,
        ),
        "late help below 0.5": any(
            one.late_help is not None and one.late_help < 0.5 for one in last
        ),
        "KL divergence above 0.05": max(one.kl_divergence for one in last) > 0.05,
        "gradient above 2.5": max(one.grad_norm for one in last) > 2.5,
        "entropy off by more than 0.1": entropy > 0.1,
    }
    return [words for words, broken in rules.items() if broken]


@dataclass(frozen=True, slots=True)
class Rollback:
    """Why a policy is to be taken back, if at all."""

    reasons: tuple[str, ...]
    halts: bool
    """Whether training stops too."""


def rollback(rehearsals: Sequence[Measured], baseline: Baseline, accuracy_min: float) -> Rollback:
    """Look at the latest rehearsals, at least one, the newest last.

    A clone that was good enough at first is not taken back for being as good as it was.
    """
    now, two = rehearsals[-1], rehearsals[-2:]
    twice = len(two) == 2
    shift = abs(_shift(now.entropy, baseline.entropy))
    halting = {
        "entropy shifted by more than 0.2": shift > 0.2,
        "gradient above 3.0": now.grad_norm > 3,
    }
    least = min(0.85, accuracy_min)
    rules = {
        f"BC accuracy below {least:.2f}": now.bc_accuracy is not None and now.bc_accuracy < least,
        "loss more than 15 % high twice": twice
        and all(_drift(one.loss, baseline.loss) > 0.15 for one in two),
        "KL divergence and gradient both over": now.kl_divergence > 0.05 and now.grad_norm > 2.5,
        "queue events outside 20 % twice": twice
        and all(abs(_drift(one.queue_events, baseline.queue_events)) > 0.20 for one in two),
        **halting,
    }
    reasons = tuple(words for words, broken in rules.items() if broken)
    return Rollback(reasons, halts=any(halting.values()))


def _drift(value: float | None, baseline: float | None) -> float:
    """The difference over the baseline's size; 0 where either is not known."""
    if value is None or baseline is None:
        return 0.0
    gap = value - baseline
    return gap / abs(baseline) if baseline else math.copysign(math.inf, gap) if gap else 0.0


def _shift(value: float, baseline: float | None) -> float:
    return 0.0 if baseline is None else value - baseline


def _off(values: Sequence[float | None], mean: float | None, most: float | None) -> bool:
    known = [one for one in values if one is not None]
    over = most is not None and any(one > most for one in known)
    return over or any(abs(_drift(one, mean)) > 0.15 for one in known)
