"""Seeds made ready on other threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch

from astrarium.errors import SnapshotError
from astrarium.esper.blueprints import find_blueprint, make_seed
from astrarium.esper.prefetch import Prefetcher


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_what_is_made_elsewhere_is_what_would_have_been_made_here() -> None:
    before = torch.get_rng_state()
    prefetcher = Prefetcher(concurrency=4)
    asked = [prefetcher.request("conv_light", "cnn", 8, rng(at)) for at in range(24)]
    for at, future in enumerate(asked):
        found = future.result(30.0)
        assert (found.status, found.reason) == ("ready", "")
        assert found.seed is not None
        here = make_seed(find_blueprint("conv_light", "cnn"), 8, rng(at))
        pairs = zip(found.seed.parameters(), here.parameters(), strict=True)
        assert all(torch.equal(one, other) for one, other in pairs)
    prefetcher.close()
    assert torch.equal(torch.get_rng_state(), before)
    metrics = prefetcher.metrics()
    assert metrics['kasmina.prefetch.requests_total{status="ready"}'] == 24.0
    assert metrics["kasmina.prefetch.inflight"] == 0.0


@pytest.mark.parametrize(
    ("blueprint", "words"), [("nothing", "no blueprint"), ("mlp", "does not fit a cnn")]
)
def test_what_cannot_be_made_is_told(blueprint: str, words: str) -> None:
    prefetcher = Prefetcher()
    found = prefetcher.request(blueprint, "cnn", 8, rng()).result(30.0)
    assert (found.status, found.seed) == ("error", None)
    assert words in found.reason
    prefetcher.close()


def test_a_fetch_that_fails_is_an_error() -> None:
    def broken(_: str) -> None:
        raise SnapshotError("the artifact is damaged")

    prefetcher = Prefetcher(fetch=broken)
    found = prefetcher.request("norm", "cnn", 8, rng()).result(30.0)
    assert (found.status, found.reason) == ("error", "the artifact is damaged")
    prefetcher.close()


def test_what_comes_too_late_is_thrown_away() -> None:
    clock = [0.0]

    def slow(_: str) -> None:
        clock[0] += 1.0

    prefetcher = Prefetcher(budget_ms=100.0, fetch=slow, now_s=lambda: clock[0])
    found = prefetcher.request("norm", "cnn", 8, rng()).result(30.0)
    assert (found.status, found.seed, found.latency_ms) == ("timeout", None, 1000.0)
    prefetcher.close()


def test_no_more_than_so_many_at_a_time_and_the_rest_can_be_canceled() -> None:
    begun, go = threading.Semaphore(0), threading.Event()

    def held(_: str) -> None:
        begun.release()
        assert go.wait(30.0)

    prefetcher = Prefetcher(concurrency=2, budget_ms=1e9, fetch=held)
    asked = [prefetcher.request("norm", "cnn", 8, rng()) for _ in range(5)]
    assert begun.acquire(timeout=30.0)
    assert begun.acquire(timeout=30.0)
    assert not begun.acquire(blocking=False)
    closing = threading.Thread(target=prefetcher.close)
    closing.start()
    while not asked[-1].cancelled():
        closing.join(0.01)
    go.set()
    closing.join()
    assert [future.cancelled() for future in asked] == [False, False, True, True, True]
    metrics = prefetcher.metrics()
    assert metrics['kasmina.prefetch.requests_total{status="canceled"}'] == 3.0
    assert metrics['kasmina.prefetch.requests_total{status="ready"}'] == 2.0
