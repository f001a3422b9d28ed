"""Rounds in figures: what a policy learned from, and whether it goes up or down."""

from __future__ import annotations

import pytest

from astrarium.esper.contracts.happenings import kind_of
from astrarium.esper.contracts.host_happenings import EpisodeOutcome
from astrarium.esper.contracts.round_happenings import (
    BatchEpochCompleted,
    HeadEntropyCollapsed,
    PpoUpdateCompleted,
    ValueCollapseDetected,
)
from astrarium.esper.orders import HEAD_NAMES
from astrarium.esper.rounds import ENTROPY_MIN, RoundsSoFar, Tally, update_news


def ended(accuracy: float) -> EpisodeOutcome:
    return EpisodeOutcome(
        epoch=5,
        outcome_type="finished",
        episode_seed=1,
        final_accuracy=accuracy,
        committed_accuracy=accuracy,
        param_ratio=1.5,
        num_fossilized=1,
        num_contributing_fossilized=1,
        episode_reward=accuracy / 10,
        stability_score=1.0,
        reward_mode="shaped",
        spent_epochs=5.0,
        germinated=1,
        pruned=0,
        succeeded=accuracy >= 80.0,
    )


def rounds(*accuracies: float | None) -> tuple[list[str], RoundsSoFar]:
    """The kinds told before the tail of each round, and what is remembered in the end."""
    so_far, odd = RoundsSoFar(), list[str]()
    for accuracy in accuracies:
        tally = Tally()
        if accuracy is not None:
            tally.count(ended(accuracy))
        news, so_far = tally.close(so_far, "shared", {}, hosts=1)
        odd += [kind_of(one) for one in news[:-4]]
    return odd, so_far


@pytest.mark.parametrize(
    ("accuracies", "told"),
    [
        ((50.0,), []),
        ((50.0, 52.0), ["IMPROVEMENT_DETECTED"]),
        ((50.0, 48.0), ["DEGRADATION_DETECTED"]),
        ((50.0, 51.9), []),
        ((50.0, 50.1, 50.2), []),
        ((50.0, 50.1, 50.2, 50.1, 50.2), ["PLATEAU_DETECTED"]),
        ((50.0, None, 50.1, None, 50.2, 50.1), ["PLATEAU_DETECTED"]),
        ((50.0, 50.1, 50.2, 51.0, 50.4, 50.3), []),
    ],
)
def test_turns_and_plateaus_are_told(accuracies: tuple[float | None, ...], told: list[str]) -> None:
    assert rounds(*accuracies)[0] == told


def test_a_rolling_mean_is_of_the_last_ten_rounds() -> None:
    so_far = rounds(*map(float, range(12)))[1]
    assert (so_far.closed, so_far.episodes) == (12, 12)
    assert so_far.accuracies == tuple(map(float, range(2, 12)))


def test_a_round_without_an_ending_has_no_mean() -> None:
    news, _ = Tally().close(RoundsSoFar(), "shared", {}, hosts=3)
    (over,) = [one for one in news if isinstance(one, BatchEpochCompleted)]
    assert (over.avg_accuracy, over.rolling_accuracy, over.env_accuracies) == (None, None, ())


def test_a_value_that_is_far_off_is_told_before_its_update() -> None:
    figures = {"value_loss": 5.1, "entropy": float("nan"), "op_entropy": 0.5}
    collapse, update = update_news(3, "shared", figures)
    assert isinstance(collapse, ValueCollapseDetected)
    assert isinstance(update, PpoUpdateCompleted)
    assert (update.round, update.entropy, update.more) == (3, None, {"op_entropy": 0.5})
    assert len(update_news(3, "shared", {"value_loss": 5.0})) == 1


def closed_heads(*orders: float | None) -> list[int]:
    """The rounds in which the first head is told to have closed."""
    so_far, told = RoundsSoFar(), list[int]()
    for at, entropy in enumerate(orders):
        figures = {"head_entropies": [entropy, *[0.5] * 6]}
        news, so_far = Tally().close(so_far, "shared", figures, hosts=1)
        told += [at for one in news if isinstance(one, HeadEntropyCollapsed)]
    return told


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        ((0.07, 0.07), []),
        ((0.07, 0.07, 0.07, 0.07, 0.01), [2]),
        ((0.07, 0.07, 0.08, 0.07, 0.07), []),
        ((0.07, None, 0.07, None, 0.07), [4]),
        ((0.07, 0.07, 0.07, 0.11, 0.07, 0.07, 0.07), [2]),
        ((0.07, 0.07, 0.07, 0.12, 0.07, 0.07, 0.07), [2, 6]),
    ],
)
def test_a_head_that_hardly_chooses_is_told_once_until_it_opens(
    orders: tuple[float | None, ...], told: list[int]
) -> None:
    assert closed_heads(*orders) == told


def test_every_head_has_a_least_entropy_and_a_place_in_the_update() -> None:
    assert tuple(ENTROPY_MIN) == HEAD_NAMES
    (update,) = update_news(0, "shared", {"head_entropies": [0.5] * 6 + [None]})
    assert isinstance(update, PpoUpdateCompleted)
    assert update.head_entropies == {**dict.fromkeys(HEAD_NAMES, 0.5), "alpha_curve": None}
    assert update.more == {}
