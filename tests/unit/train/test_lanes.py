"""Threads share the work and leave no trace in it."""

from __future__ import annotations

import threading
import time

import pytest
import torch

from astrarium.train.lanes import Lanes, spans


@pytest.fixture(autouse=True)
def _give_threads_back():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("count", "size", "expected"),
    [
        (0, 4, []),
        (3, 4, [(0, 3)]),
        (8, 4, [(0, 4), (4, 8)]),
        (9, 4, [(0, 4), (4, 8), (8, 9)]),
    ],
)
def test_spans_cover_everything_once(count, size, expected) -> None:
    assert [(span.start, span.stop) for span in spans(count, size)] == expected


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 12])
def test_answers_come_in_the_order_of_the_items(threads: int, count: int) -> None:
    lanes = Lanes(threads)

    def work(lane: int, item: int) -> int:
        time.sleep(0.0005 * ((item * 7) % 3))
        return item * item

    assert lanes.run(work, list(range(count))) == [item * item for item in range(count)]
    lanes.close()


def test_a_lane_is_one_thread_with_its_own_number() -> None:
    lanes = Lanes(3)
    seen: dict[int, set[int]] = {}

    def work(lane: int, item: int) -> None:
        seen.setdefault(lane, set()).add(threading.get_ident())
        time.sleep(0.01)

    lanes.run(work, list(range(9)))
    assert sorted(seen) == [0, 1, 2]
    assert all(len(threads) == 1 for threads in seen.values())
    assert seen[0] == {threading.get_ident()}
    assert len(set.union(*seen.values())) == 3
    lanes.close()


def test_lanes_neither_record_gradients_nor_start_threads_of_torchs_own() -> None:
    lanes = Lanes(2)
    weight = torch.ones(2, requires_grad=True)

    def work(lane: int, item: int) -> tuple[int, int, bool]:
        time.sleep(0.01)
        return lane, torch.get_num_threads(), (weight * item).requires_grad

    answers = lanes.run(work, [0, 1])
    assert (1, 1, False) in answers
    lanes.close()


@pytest.mark.parametrize("bad", [0, 1])
def test_an_error_in_any_lane_reaches_the_caller(bad: int) -> None:
    lanes = Lanes(2)

    def work(lane: int, item: int) -> None:
        if item == bad:
            raise ValueError(f"item {item}")

    with pytest.raises(ValueError, match=f"item {bad}"):
        lanes.run(work, [0, 1])
    # And the lanes can be used again.
    assert lanes.run(lambda lane, item: item, [5, 6]) == [5, 6]
    lanes.close()


def test_closing_ends_the_threads() -> None:
    before = threading.active_count()
    lanes = Lanes(3)
    lanes.run(lambda lane, item: time.sleep(0.005), [0, 1, 2])
    assert threading.active_count() == before + 2
    lanes.close()
    assert threading.active_count() == before
