"""The native batch behind the face: memory, threads of the caller's, copies of orders."""

import gc
import multiprocessing
import threading
import weakref

import numpy as np
import pytest

from astrarium import (
    ActionError,
    ClosedError,
    ConcurrentUseError,
    ForkedProcessError,
    _native,
    make_vec,
)
from astrarium.worlds.native import NativeVectorWorld

ARRAYS = [name for name in dir(_native.Arrays) if not name.startswith("_")]


def test_a_view_is_one_object_at_one_address_for_life() -> None:
    world = make_vec("lanterns-v1", 4)
    assert isinstance(world, NativeVectorWorld)
    native = world._batch
    assert native is not None
    for name in ARRAYS:
        assert getattr(native.arrays, name) is getattr(world, name), name
    addresses = {name: getattr(world, name).ctypes.data for name in ARRAYS}
    saved = world.snapshot()
    world.step()
    world.reset(1)
    world.restore(saved)
    assert {name: getattr(world, name).ctypes.data for name in ARRAYS} == addresses


def test_only_orders_may_be_written() -> None:
    world = make_vec("lanterns-v1", 2)
    for name in ARRAYS:
        array = getattr(world, name)
        assert array.flags.writeable == (name in ("actions", "controls")), name
    with pytest.raises(ValueError, match="read-only"):
        world.obs[0] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        world.obs.flags.writeable = True


def test_a_view_outlives_its_batch() -> None:
    world = make_vec("lanterns-v1", 64, threads=2)
    obs, actions, expected = world.obs, world.actions, world.obs.copy()
    del world
    gc.collect()
    noise = [np.full((64, 2, 13), 7.0, np.float32) for _ in range(50)]
    np.testing.assert_array_equal(obs, expected)
    actions[...] = 1
    assert len(noise) == 50


def test_a_batch_without_readers_is_freed_at_once() -> None:
    """NumPy arrays take no part in cycle collection: a cycle through one is never freed."""
    world = make_vec("lanterns-v1", 4)
    gone = weakref.ref(world.obs)
    gc.disable()
    try:
        del world
        assert gone() is None
    finally:
        gc.enable()


def test_orders_written_in_place_equal_orders_passed() -> None:
    passed, written = make_vec("lanterns-v1", 3, seed=1), make_vec("lanterns-v1", 3, seed=1)
    orders = np.random.default_rng(0).integers(0, 2, (3, 2, 2))
    passed.step(orders)
    written.actions[...] = orders
    written.step()
    np.testing.assert_array_equal(passed.digests(), written.digests())
    np.testing.assert_array_equal(passed.actions, orders)


@pytest.mark.parametrize(
    "dtype",
    [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, ">i4"],
)
def test_any_integer_dtype_means_the_same(dtype: str) -> None:
    orders = np.random.default_rng(0).integers(0, 2, (3, 2, 2))
    expected, world = make_vec("lanterns-v1", 3, seed=1), make_vec("lanterns-v1", 3, seed=1)
    expected.step(orders)
    world.step(orders.astype(dtype))
    np.testing.assert_array_equal(world.digests(), expected.digests())


@pytest.mark.parametrize("wild", [2**32, 2**32 + 1, -(2**32), 2**62, np.uint64(2**63 + 1)])
def test_an_order_out_of_range_never_wraps_into_range(wild: int) -> None:
    """2**32 is 0 and 2**32 + 1 is 1 in the low bits: both would be legal orders."""
    world = make_vec("lanterns-v1", 1)
    world.step(np.full((1, 2, 2), wild))
    ignored = 1 << world.layout.events.index("ignored_order")
    assert (world.events & ignored).all()


def test_sizes_of_one_may_be_left_out() -> None:
    world = make_vec("prospector-v1", 3)
    for shape in ((3,), (3, 1), (3, 1, 1)):
        world.step(np.zeros(shape, np.int64))
    lanterns = make_vec("lanterns-v1", 3)
    for shape in ((3,), (3, 2), (3, 4), (3, 2, 1), (6, 2)):
        with pytest.raises(ActionError, match=r"takes \(3, 2, 2\)"):
            lanterns.step(np.zeros(shape, np.int64))


def test_an_array_that_is_not_contiguous_is_read_by_value() -> None:
    orders = np.random.default_rng(0).integers(0, 2, (2, 2, 6))[:, :, ::3]
    left, right = make_vec("lanterns-v1", 2), make_vec("lanterns-v1", 2)
    left.step(orders)
    right.step(orders.tolist())
    np.testing.assert_array_equal(left.digests(), right.digests())


def test_two_threads_on_one_batch_get_an_error_not_a_crash() -> None:
    """It also shows that a call gives the interpreter lock away: else no two could ever meet."""
    world = make_vec("lanterns-v1", 4096, threads=2)
    failures: list[Exception] = []
    start = threading.Barrier(3)

    def work() -> None:
        start.wait()
        for _ in range(300):
            try:
                world.step()
                world.digests()
                world.snapshot()
            except ConcurrentUseError as error:
                failures.append(error)

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures
    assert "another thread" in str(failures[0])
    world.reset(0)
    assert world.digests().tolist() == make_vec("lanterns-v1", 4096).digests().tolist()


def test_a_closed_batch_refuses_and_its_arrays_stay_readable() -> None:
    world = make_vec("lanterns-v1", 2)
    before = world.obs.copy()
    world.close()
    world.close()
    for call in (world.step, world.digests, world.snapshot, world.reset):
        with pytest.raises(ClosedError, match="make_vec"):
            call()
    np.testing.assert_array_equal(world.obs, before)


def use_after_fork(batches: list[NativeVectorWorld], answers: "multiprocessing.Queue[str]") -> None:
    single, double = batches
    single.step()
    answers.put("single stepped")
    try:
        double.step()
    except ForkedProcessError as error:
        answers.put(str(error))
    batches.clear()
    del single, double
    gc.collect()
    answers.put("freed")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork"
)
def test_a_forked_child_is_refused_the_threads_it_does_not_have() -> None:
    """Waiting for threads that stayed in the parent would hang, even when only freeing."""
    context = multiprocessing.get_context("fork")
    batches = [make_vec("lanterns-v1", 2), make_vec("lanterns-v1", 2, threads=2)]
    answers: multiprocessing.Queue[str] = context.Queue()
    child = context.Process(target=use_after_fork, args=(batches, answers))
    child.start()
    heard = [answers.get(timeout=30) for _ in range(3)]
    child.join(30)
    assert child.exitcode == 0
    assert heard[0] == "single stepped"
    assert "threads stayed behind" in heard[1]
    batches[1].step()


def test_the_header_of_a_snapshot_can_be_read_alone() -> None:
    saved = make_vec("lanterns-v1", 5).snapshot()
    world_id, version, config, count = _native.snapshot_header(saved)
    assert (world_id, version, count) == ("lanterns-v1", 1, 5)
    other = make_vec("lanterns-v1", 5, ticks_max=7).snapshot()
    assert _native.snapshot_header(other)[2] != config


def test_episode_seeds_are_the_published_ones() -> None:
    assert _native.episode_seed(0, 0, 0) == 0xB91682A0354C3002
    assert _native.episode_seed(7, 3, 11) == 0x40A49F1B38B14958
