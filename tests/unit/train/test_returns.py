"""Advantages by hand, and against a slow second opinion."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.train.returns import advantages, explained_variance


def gae(reward, value, *, cut=None, terminated=None, truncated=None, alive=None, gamma, lam):
    """`advantages` of one row, with nothing happening unless told."""
    steps = len(reward)
    flags = {
        "terminated": terminated or [0] * steps,
        "truncated": truncated or [0] * steps,
        "alive": alive or [1] * steps,
    }
    result = advantages(
        torch.tensor(reward).unsqueeze(1),
        torch.tensor(value).unsqueeze(1),
        torch.tensor(cut or [99.0] * steps).unsqueeze(1),
        **{name: torch.tensor(flag).bool().unsqueeze(1) for name, flag in flags.items()},
        gamma=gamma,
        gae_lambda=lam,
    )
    return result.squeeze(1).tolist()


def test_a_rollout_cut_in_the_middle_of_an_episode_looks_at_the_last_value() -> None:
    # gamma 0.5, lambda 0.5: what is passed back is a quarter.
    # d2 = 3 + 0.5 * 8 - 2 = 5        A2 = 5
    # d1 = 2 + 0.5 * 2 - 4 = -1       A1 = -1 + 5 / 4 = 0.25
    # d0 = 1 + 0.5 * 4 - 6 = -3       A0 = -3 + 0.25 / 4 = -2.9375
    found = gae([1.0, 2.0, 3.0], [6.0, 4.0, 2.0, 8.0], gamma=0.5, lam=0.5)
    assert found == [-2.9375, 0.25, 5.0]


def test_nothing_follows_a_termination() -> None:
    # d2 = 3 + 0.5 * 8 - 2 = 5        A2 = 5
    # d1 = 2 + 0 - 4 = -2             A1 = -2, nothing of A2: another episode
    # d0 = 1 + 0.5 * 4 - 6 = -3       A0 = -3 - 2 / 4 = -3.5
    found = gae([1.0, 2.0, 3.0], [6.0, 4.0, 2.0, 8.0], terminated=[0, 1, 0], gamma=0.5, lam=0.5)
    assert found == [-3.5, -2.0, 5.0]


def test_a_truncation_is_followed_by_the_value_of_its_last_sight() -> None:
    # The last sight is worth 10; the 2 of the next step belongs to the next episode.
    # d1 = 2 + 0.5 * 10 - 4 = 3       A1 = 3, nothing of A2
    # d0 = 1 + 0.5 * 4 - 6 = -3       A0 = -3 + 3 / 4 = -2.25
    found = gae(
        [1.0, 2.0, 3.0],
        [6.0, 4.0, 2.0, 8.0],
        cut=[99.0, 10.0, 99.0],
        truncated=[0, 1, 0],
        gamma=0.5,
        lam=0.5,
    )
    assert found == [-2.25, 3.0, 5.0]


def test_an_end_by_the_rules_wins_over_one_by_the_clock() -> None:
    # As terminated alone, whatever the last sight seemed worth.
    found = gae(
        [1.0, 2.0],
        [6.0, 4.0, 8.0],
        cut=[99.0, 10.0],
        terminated=[0, 1],
        truncated=[0, 1],
        gamma=0.5,
        lam=0.5,
    )
    assert found == [-3.5, -2.0]


def test_steps_without_an_agent_gain_nothing_and_pass_nothing_on() -> None:
    # Alive, alive and lost, gone (its numbers are noise), back again.
    # d3 = 4 + 0.5 * 8 - 6 = 2        A3 = 2
    #                                 A2 = 0
    # d1 = 2 + 0 - 4 = -2             A1 = -2
    # d0 = 1 + 0.5 * 4 - 6 = -3       A0 = -3 - 2 / 4 = -3.5
    found = gae(
        [1.0, 2.0, 77.0, 4.0],
        [6.0, 4.0, 55.0, 6.0, 8.0],
        terminated=[0, 1, 0, 0],
        alive=[1, 1, 0, 1],
        gamma=0.5,
        lam=0.5,
    )
    assert found == [-3.5, -2.0, 0.0, 2.0]


def test_the_two_extremes_of_lambda() -> None:
    # lambda 0: one step ahead. lambda 1: all rewards (here 1 + 2 + 4) less the first value.
    assert gae([1.0, 2.0], [3.0, 5.0, 4.0], gamma=1.0, lam=0.0) == [3.0, 1.0]
    assert gae([1.0, 2.0], [3.0, 5.0, 4.0], gamma=1.0, lam=1.0) == [4.0, 1.0]


def second_opinion(row, gamma, lam):
    """One row by the definition: a sum over what follows each step, cut at its episode's end."""
    reward, value, cut = row["reward"], row["value"], row["cut"]
    steps = len(reward)
    result = []
    for begin in range(steps):
        total, weight = 0.0, 1.0
        for t in range(begin, steps):
            if not row["alive"][t]:
                break
            after = value[t + 1]
            if row["terminated"][t]:
                after = 0.0
            elif row["truncated"][t]:
                after = cut[t]
            total += weight * (reward[t] + gamma * after - value[t])
            if row["terminated"][t] or row["truncated"][t]:
                break
            weight *= gamma * lam
        result.append(total)
    return result


@given(
    seed=st.integers(0, 2**32 - 1),
    steps=st.integers(1, 12),
    rows=st.integers(1, 5),
    gamma=st.floats(0.0, 1.0),
    lam=st.floats(0.0, 1.0),
)
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_definition(seed, steps, rows, gamma, lam) -> None:
    draw = np.random.default_rng(seed)
    alive = draw.random((steps, rows)) < 0.8
    parts = {
        "reward": draw.normal(size=(steps, rows)),
        "value": draw.normal(size=(steps + 1, rows)),
        "cut": draw.normal(size=(steps, rows)),
        "terminated": alive & (draw.random((steps, rows)) < 0.2),
        "truncated": alive & (draw.random((steps, rows)) < 0.2),
        "alive": alive,
    }
    # An agent that is gone in the next step was lost in this one.
    parts["terminated"][:-1] |= alive[:-1] & ~alive[1:]
    tensors = [torch.from_numpy(part) for part in parts.values()]
    found = advantages(*tensors, gamma=gamma, gae_lambda=lam)
    for row in range(rows):
        one = {name: part[:, row] for name, part in parts.items()}
        expected = second_opinion(one, gamma, lam)
        np.testing.assert_allclose(found[:, row].numpy(), expected, rtol=1e-5, atol=1e-5)


def test_explained_variance() -> None:
    returns = torch.tensor([1.0, 2.0, 3.0, 6.0])
    assert explained_variance(returns, returns) == 1.0
    # Off by a constant is not a fault of the variance; the mean explains none of it.
    assert explained_variance(returns + 5.0, returns) == pytest.approx(1.0)
    assert explained_variance(torch.full((4,), 3.0), returns) == pytest.approx(0.0)
    # Residuals 2, 0, -2, 0 have variance 2; the returns (mean 3) have 14 / 4 = 3.5.
    off = returns - torch.tensor([2.0, 0.0, -2.0, 0.0])
    assert explained_variance(off, returns) == pytest.approx(1.0 - 2.0 / 3.5)


def test_variance_that_is_not_there_cannot_be_explained() -> None:
    assert explained_variance(torch.zeros(3), torch.ones(3)) is None
    assert explained_variance(torch.zeros(0), torch.zeros(0)) is None
