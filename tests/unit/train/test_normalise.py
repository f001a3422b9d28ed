"""Running scales against NumPy over everything at once."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from closeness import close
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.train.normalise import Moments, ObservationScale, RewardScale


@given(
    seed=st.integers(0, 2**32 - 1),
    cuts=st.lists(st.integers(0, 60), max_size=6),
    offset=st.sampled_from([0.0, 1e4]),
)
@settings(max_examples=60, deadline=None)
def test_moments_do_not_depend_on_how_rows_were_split(seed, cuts, offset) -> None:
    draw = np.random.default_rng(seed)
    rows = (offset + draw.standard_normal((60, 3)) * [1.0, 5.0, 0.0]).astype(np.float32)
    moments = Moments(3)
    for part in np.split(rows, sorted(cuts)):
        moments.add(part)
    exact = rows.astype(np.float64)
    assert moments.count[0] == 60
    # To a small part of a deviation, however far from zero the numbers lie.
    deviation = np.sqrt(exact.var(0) + 1e-8)
    assert (np.abs(moments.mean - exact.mean(0)) <= 1e-5 * deviation).all()
    np.testing.assert_allclose(moments.deviation(), deviation, rtol=1e-5)


def test_before_anything_was_seen_nothing_is_scaled() -> None:
    moments = Moments(2)
    assert moments.deviation().tolist() == [1.0, 1.0]
    moments.add(np.zeros((0, 2), np.float32))
    assert moments.deviation().tolist() == [1.0, 1.0]
    obs = torch.tensor([[0.5, -3.0]])
    assert torch.equal(ObservationScale(2).apply_(obs.clone()), obs)


def test_arrays_are_the_state_by_reference() -> None:
    moments, copy = Moments(2), Moments(2)
    moments.add(np.array([[1, 2], [3, 5]], np.float32))
    for name, array in copy.arrays().items():
        array[...] = moments.arrays()[name]
    copy.add(np.array([[7, 7]], np.float32))
    moments.add(np.array([[7, 7]], np.float32))
    for name, array in copy.arrays().items():
        np.testing.assert_array_equal(array, moments.arrays()[name])
    np.testing.assert_allclose(copy.mean, [11 / 3, 14 / 3])


def test_observations_are_scaled_by_what_is_in_force_only() -> None:
    scale = ObservationScale(2)
    scale.moments.add(np.array([[1, 1], [3, 5]], np.float32))
    obs = torch.tensor([[3.0, 1.0]])
    assert torch.equal(scale.apply_(obs.clone()), obs)
    scale.refresh()
    # Means 2 and 3, deviations 1 and 2.
    close(scale.apply_(obs.clone()), torch.tensor([[1.0, -1.0]]))
    far = torch.tensor([[1e6, -1e6]])
    assert scale.apply_(far).tolist() == [[5.0, -5.0]]


def test_a_column_that_never_changes_stays_finite() -> None:
    scale = ObservationScale(1)
    scale.moments.add(np.full((9, 1), 0.25, np.float32))
    scale.refresh()
    assert scale.apply_(torch.tensor([[0.25], [0.26]])).tolist() == [[0.0], [5.0]]


def alone(reward, ended, alive, gamma):
    """Discounted returns of each row as they grow, by a plain loop; only of agents there."""
    seen = []
    for column in range(reward.shape[1]):
        running = 0.0
        for t in range(len(reward)):
            if not alive[t, column]:
                continue
            running = running * gamma + reward[t, column]
            seen.append(running)
            if ended[t, column]:
                running = 0.0
    return np.array(seen)


@pytest.mark.parametrize("share_alive", [1.0, 0.6])
def test_rewards_are_scaled_by_the_deviation_of_their_returns(share_alive: float) -> None:
    draw = np.random.default_rng(3)
    reward = draw.normal(0.4, 2.0, (40, 5)).astype(np.float32)
    alive = np.ones((40, 5), np.bool_)
    ended = draw.random((40, 5)) < 0.15
    # Who is gone ended before, gets nothing, and comes back to a new episode.
    for column in range(5):
        for t in range(39):
            if share_alive < 1 and ended[t, column] and alive[t, column]:
                alive[t + 1 : t + 4, column] = False
    ended &= alive
    reward[~alive] = 0.0
    scale = RewardScale(5, 0.9)
    first = scale.scale_(reward[:25].copy(), ended[:25], alive[:25])
    second = scale.scale_(reward[25:].copy(), ended[25:], alive[25:])
    # The mean stays: only the size changes, by all that was seen so far.
    deviation = np.sqrt(alone(reward[:25], ended[:25], alive[:25], 0.9).var() + 1e-8)
    np.testing.assert_allclose(first, reward[:25] / deviation, rtol=1e-5)
    deviation = np.sqrt(alone(reward, ended, alive, 0.9).var() + 1e-8)
    np.testing.assert_allclose(second, reward[25:] / deviation, rtol=1e-5)
    assert (share_alive < 1) == (not alive.all())
