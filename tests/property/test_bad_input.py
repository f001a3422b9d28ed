"""Whatever is thrown at a batch, it answers with its own errors and stays as it was."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import astrarium
from astrarium import AstrariumError, _native, make_vec
from astrarium.worlds import VectorWorld

# Those that step in microseconds: a step of an Esper world trains a network, and some need data
# that users bring. Their own tests keep them small.
WORLDS = _native.world_ids()

SHAPES = st.one_of(
    st.just((3, 2, 2)), st.just((3,)), hnp.array_shapes(min_dims=0, max_dims=4, max_side=4)
)
DTYPES = st.one_of(
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.floating_dtypes(endianness="?"),
    hnp.boolean_dtypes(),
    hnp.complex_number_dtypes(),
    hnp.datetime64_dtypes(max_period="D"),
    hnp.unicode_string_dtypes(max_len=3),
)
ARRAYS = hnp.arrays(DTYPES, SHAPES)
ANYTHING: st.SearchStrategy[Any] = st.one_of(
    ARRAYS,
    st.none(),
    st.integers(),
    st.floats(),
    st.text(max_size=4),
    st.binary(max_size=4),
    st.booleans(),
    st.recursive(
        st.integers() | st.floats() | st.none() | st.text(max_size=2),
        lambda inner: st.lists(inner, max_size=4),
        max_leaves=8,
    ),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
    st.just(object()),
)


@pytest.fixture(scope="module", params=WORLDS)
def world(request: pytest.FixtureRequest) -> VectorWorld:
    return make_vec(request.param, 3, seed=1)


def state_of(world: VectorWorld) -> tuple[bytes, bytes, bytes, bytes]:
    return (
        world.digests().tobytes(),
        world.obs.tobytes(),
        world.mask.tobytes(),
        world.episode_seed.tobytes(),
    )


@given(actions=ANYTHING, controls=ANYTHING)
@settings(max_examples=300, deadline=None)
def test_orders_are_taken_or_refused_whole(world: VectorWorld, actions: Any, controls: Any) -> None:
    before = state_of(world)
    written = world.actions.tobytes(), world.controls.tobytes()
    try:
        world.step(actions, controls)
    except AstrariumError:
        assert state_of(world) == before
        assert (world.actions.tobytes(), world.controls.tobytes()) == written
    else:
        assert np.isfinite(world.obs).all()


@given(
    orders=hnp.arrays(
        st.sampled_from([np.dtype(np.int64), np.dtype(np.uint64), np.dtype(np.int32)]), (3, 1, 1)
    )
)
@settings(max_examples=200, deadline=None)
def test_an_order_out_of_range_stays_out_of_range(world: VectorWorld, orders: np.ndarray) -> None:
    """A wide integer cut to its low bits could come out as a legal order."""
    world.step(np.broadcast_to(orders, world.actions.shape))
    taken, given_ = world.actions, np.broadcast_to(orders, world.actions.shape)
    fits = (given_ >= -(2**31)) & (given_ < 2**31)
    np.testing.assert_array_equal(taken[fits], given_[fits].astype(np.int32))
    assert np.isin(taken[~fits], [-(2**31), 2**31 - 1]).all()
    assert world.obs.min() >= world.layout.obs_low
    assert world.obs.max() <= world.layout.obs_high


@given(seeds=ANYTHING, indices=ANYTHING)
@settings(max_examples=300, deadline=None)
def test_resets_are_done_or_refused_whole(world: VectorWorld, seeds: Any, indices: Any) -> None:
    for call in (
        lambda: world.reset(seeds),
        lambda: world.reset_with_seeds(seeds),
        lambda: world.reset_worlds(indices, seeds),
        lambda: world.fork(indices),
    ):
        before = state_of(world)
        try:
            call()
        except AstrariumError:
            assert state_of(world) == before


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_damaged_snapshot_is_refused(world: VectorWorld, data: st.DataObject) -> None:
    before, good = state_of(world), world.snapshot()
    damaged = bytearray(good)
    kind = data.draw(st.sampled_from(["cut", "flip", "grow", "noise"]))
    if kind == "cut":
        damaged = damaged[: data.draw(st.integers(0, len(good) - 1))]
    elif kind == "flip":
        bit = data.draw(st.integers(0, 8 * len(good) - 1))
        damaged[bit // 8] ^= 1 << bit % 8
    elif kind == "grow":
        damaged += data.draw(st.binary(min_size=1, max_size=20))
    else:
        damaged = bytearray(data.draw(st.binary(max_size=200)))
    with pytest.raises(astrarium.SnapshotError):
        world.restore(bytes(damaged))
    assert state_of(world) == before


@given(name=st.text(max_size=12))
@settings(max_examples=100, deadline=None)
def test_unknown_names_are_refused(name: str) -> None:
    if name not in WORLDS:
        with pytest.raises(astrarium.UnknownWorldError):
            make_vec(name)
    with pytest.raises(astrarium.ConfigError):
        make_vec("lanterns-v1", config={name: 1})
