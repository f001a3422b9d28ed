"""What growth is held to, and whether it reached it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from astrarium.esper.experiment.results import Figure, Results
from astrarium.train.intervals import Interval

RESCUE_POINTS: Final = 30.0
HARM_POINTS: Final = -1.0
COPY_NATS: Final = -0.5
GAP_POINTS: Final = -5.0
_IMPAIRED: Final = ("digits_impaired", "textures_impaired")
_BEATEN: Final = ("host_only", "random_growth")
"""What a learnt policy must leave behind."""
State = Literal["met", "not met", "not tried"]


@dataclass(frozen=True, slots=True)
class Check:
    """One criterion on one task, with the numbers behind it."""

    id: str
    task: str
    asked: str
    state: State
    seeds: int = 0
    difference: Interval | None = None
    told: str = ""
    """What there is to say where no difference says it."""

    def as_dict(self) -> dict[str, Any]:
        """As reports hold it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Criterion:
    """A difference of two arms, and how far it must reach."""

    id: str
    tasks: tuple[str, ...]
    ours: str
    theirs: str
    asked: str
    limit: float
    figure: Figure = "accuracy"
    strict: bool = False
    """Whether the limit itself is too little."""

    def judged(self, difference: Interval) -> bool:
        """Whether the interval, not only the mean, is where it should be."""
        if difference.low is None or difference.high is None:
            return False
        if self.figure == "loss":
            return difference.value <= self.limit and difference.high < 0.0
        return difference.low > self.limit if self.strict else difference.low >= self.limit


CRITERIA: Final = (
    Criterion(
        "A1",
        _IMPAIRED,
        "heuristic_probe",
        "host_only",
        "the interval begins at +30 points or more",
        RESCUE_POINTS,
    ),
    Criterion(
        "A2",
        _IMPAIRED,
        "heuristic_probe",
        "random_growth",
        "the interval begins above 0",
        0.0,
        strict=True,
    ),
    Criterion(
        "A3",
        ("digits_baseline",),
        "heuristic",
        "host_only",
        "the interval begins at -1 point or more",
        HARM_POINTS,
    ),
    Criterion(
        "A4",
        ("copy_lm",),
        "heuristic_probe",
        "host_only",
        "at least 0.5 nats less loss, the interval below 0",
        COPY_NATS,
        figure="loss",
    ),
    *(
        Criterion("A5", _IMPAIRED, "ppo", theirs, "the interval begins above 0", 0.0, strict=True)
        for theirs in ("host_only", "random_policy", "random_growth")
    ),
    Criterion(
        "goal",
        _IMPAIRED,
        "heuristic_probe",
        "static_final",
        "the interval begins at -5 points or more",
        GAP_POINTS,
    ),
)


def judge(results: Results) -> list[Check]:
    """Every criterion of the tasks that were run, those that were not tried among them."""
    checks = [check for one in CRITERIA for check in _judged(one, results)]
    apart = [_apart(task, theirs, results) for task in _IMPAIRED for theirs in _BEATEN]
    run = {one.task for one in results.tasks}
    return [*(one for one in (*checks, *apart) if one.task in run), _reproduced(results)]


def missed(checks: Sequence[Check]) -> list[str]:
    """In words, what was tried and not reached; goals are no promises."""
    return [
        f"{one.id} on {one.task}: {one.asked}"
        for one in checks
        if one.state == "not met" and one.id != "goal"
    ]


def _judged(criterion: Criterion, results: Results) -> Iterator[Check]:
    words = f"{criterion.ours} less {criterion.theirs}: {criterion.asked}"
    for task in criterion.tasks:
        found = results.task(task)
        if found is None or not {criterion.ours, criterion.theirs} <= set(found.arms):
            yield Check(criterion.id, task, words, "not tried")
            continue
        difference = found.difference(criterion.ours, criterion.theirs, criterion.figure)
        state: State = "met" if criterion.judged(difference) else "not met"
        seeds = len(found.arms[criterion.ours].outcomes)
        yield Check(criterion.id, task, words, state, seeds, difference)


def _apart(task: str, theirs: str, results: Results) -> Check:
    """Whether a learnt policy is better by more than both means are uncertain."""
    asked = f"the intervals of ppo and {theirs} do not overlap"
    found = results.task(task)
    if found is None or not {"ppo", theirs} <= set(found.arms):
        return Check("A5", task, asked, "not tried")
    own, other = (found.arms[name].interval("accuracy") for name in ("ppo", theirs))
    if own.low is None or other.high is None:
        return Check("A5", task, asked, "not met", len(found.arms["ppo"].outcomes), told="1 seed")
    state: State = "met" if own.low > other.high else "not met"
    told = f"{own.low:.1f} against {other.high:.1f}"
    return Check("A5", task, asked, state, len(found.arms["ppo"].outcomes), told=told)


def _reproduced(results: Results) -> Check:
    """Equal seeds, equal results, to the last bit."""
    asked = "a second run gives exactly the same"
    names = ", ".join(one.task for one in results.tasks)
    if not results.repeated:
        return Check("A6", names, asked, "not tried")
    seeds = max(len(arm.outcomes) for one in results.tasks for arm in one.arms.values())
    if results.changed:
        told = f"differs: {', '.join(results.changed)}"
        return Check("A6", names, asked, "not met", seeds, told=told)
    return Check("A6", names, asked, "met", seeds, told="equal")
