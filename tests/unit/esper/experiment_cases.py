"""Made-up outcomes of trials."""

from __future__ import annotations

from collections.abc import Sequence

from astrarium.esper.experiment.results import Results, gather
from astrarium.esper.experiment.trial import Outcome, Trial


def outcome(
    arm: str,
    seed: int,
    accuracy: float = 50.0,
    *,
    task: str = "digits_impaired",
    loss: float = 1.0,
    repeat: int = 0,
    wall_s: float = 1.0,
) -> Outcome:
    return Outcome(
        trial=Trial(task, arm, seed, 300, repeat),
        test_accuracy=accuracy,
        test_loss=loss,
        kept=(),
        host_params=100,
        params=150,
        epochs=2,
        budget_macs=10.0,
        spent_macs=9.0,
        curve_share=(0.5, 0.9),
        curve_accuracy=(20.0, accuracy),
        deeds=(),
        rolled_back="",
        wall_s=wall_s,
        commit="abc",
    )


def results(task: str, figures: dict[str, Sequence[float]], *, loss: bool = False) -> Results:
    """Arms with one figure for each of the seeds 0, 1, 2 and so on."""
    outcomes = [
        outcome(arm, seed, 50.0 if loss else one, task=task, loss=one if loss else 1.0)
        for arm, values in figures.items()
        for seed, one in enumerate(values)
    ]
    return gather(outcomes, list(figures))
