"""Seeds made ready off the training thread: fetched, built, and their shape tried."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import nn

from astrarium.errors import AstrariumError
from astrarium.esper.blueprints import find_blueprint, make_seed
from astrarium.esper.contracts.seeds import Topology

Status = Literal["ready", "error", "timeout"]
Fetch = Callable[[str], None]
"""Brings what a blueprint needs here, if it is not here already."""


@dataclass(frozen=True, slots=True)
class Prefetched:
    """What became of a request."""

    blueprint: str
    status: Status
    seed: nn.Module | None
    """None unless it is ready."""
    reason: str
    latency_ms: float
    """From the request until it was ready."""
    build_ms: float
    """Of it making the seed and trying its shape, which the others wait for too."""


class Prefetcher:
    """Makes seeds, a few at a time. What takes longer than twice the budget is thrown away."""

    def __init__(
        self,
        concurrency: int = 4,
        budget_ms: float = 120.0,
        fetch: Fetch = lambda _: None,
        now_s: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.limit_ms = 2.0 * budget_ms
        self._fetch, self._now_s = fetch, now_s
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._last_ms = 0.0
        self._pool = ThreadPoolExecutor(concurrency, "prefetch", lambda: torch.set_num_threads(1))

    def request(
        self,
        blueprint: str,
        topology: Topology,
        width: int,
        generator: np.random.Generator,
        device: torch.device | None = None,
    ) -> Future[Prefetched]:
        """A seed for features of that width; nothing is waited for."""
        begun = self._now_s()

        def work() -> Prefetched:
            seed, reason, fetched = None, "", begun
            try:
                self._fetch(blueprint)
                fetched = self._now_s()
                found = find_blueprint(blueprint, topology)
                seed = make_seed(found, width, generator, device)
            except AstrariumError as error:
                reason = str(error)
            done = self._now_s()
            took = ((done - begun) * 1e3, (done - fetched) * 1e3)
            return self._done(blueprint, seed, reason, *took)

        self._count("inflight")
        future = self._pool.submit(work)
        future.add_done_callback(self._left)
        return future

    def _done(
        self,
        blueprint: str,
        seed: nn.Module | None,
        reason: str,
        latency_ms: float,
        build_ms: float,
    ) -> Prefetched:
        status: Status = "ready" if seed is not None else "error"
        if latency_ms > self.limit_ms:
            status, seed, reason = "timeout", None, f"took {latency_ms:.0f} ms"
        self._count(f'requests_total{{status="{status}"}}')
        self._last_ms = latency_ms
        return Prefetched(blueprint, status, seed, reason, latency_ms, build_ms)

    def _left(self, future: Future[Prefetched]) -> None:
        self._count("inflight", -1)
        if future.cancelled():
            self._count('requests_total{status="canceled"}')

    def _count(self, name: str, step: int = 1) -> None:
        with self._lock:
            self._counts[f"kasmina.prefetch.{name}"] += step

    def metrics(self) -> dict[str, float]:
        """Under their published names."""
        with self._lock:
            counts = {name: float(count) for name, count in self._counts.items()}
        return {**counts, "kasmina.prefetch.last_latency_ms": self._last_ms}

    def close(self) -> None:
        """Cancel what has not begun, and wait for what has."""
        self._pool.shutdown(cancel_futures=True)
