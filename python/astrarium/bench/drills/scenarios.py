"""The four drills: steady training, a rollback, a controller that hangs, a burst of prefetches.

All of them go through the code that trains: nothing is patched, and what a drill injects (a broken
weight, a controller that waits, a latency) is told apart from what the code takes.
"""

from __future__ import annotations

import math
import tempfile
import threading
import time
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import JsonValue

from astrarium.bench.drills.settings import (
    TIMEOUT_EPOCHS,
    DrillSettings,
    Measured,
    bench_jitter_ms,
    spread,
)
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.controllers import NoGrowth
from astrarium.esper.deadlines import Deadlines
from astrarium.esper.episode import EpisodeRules, HostEpisode
from astrarium.esper.host_view import Controller, HostView
from astrarium.esper.phases import TaskData
from astrarium.esper.prefetch import Prefetched, Prefetcher
from astrarium.esper.shapes import CnnShape
from astrarium.esper.supervised import SupervisedHost, SupervisionRules
from astrarium.esper.tasks import load, task
from astrarium.esper.tasks.dataset import Dataset, Part
from astrarium.train.streams import stream

if TYPE_CHECKING:
    import torch

SMALLEST: Final = CnnShape(base=1, blocks=1, kernel=1, pools=0, in_channels=1, rows=(0,))
"""One number for each pixel, a norm, an average and a linear classifier."""
MILLION: Final = CnnShape(base=52, blocks=4, kernel=3, pools=3, in_channels=1)
"""Of 1,028,310 parameters."""
SAMPLES: Final = 64
WARM_UP: Final = 5
RESTORES: Final = 10
FULL_RESTORES: Final = 3
SEED: Final = 7


def few_digits(shape: CnnShape, batch: int, device: torch.device) -> TaskData:
    """Sixty-four digits to train on and sixteen to validate, for a host of any shape."""
    whole, spec = load("digits_impaired"), task("digits_impaired")
    data = Dataset(_few(whole.train, SAMPLES), _few(whole.validation, 16), _few(whole.test, 16))
    training = replace(spec.training, batch=batch)
    return TaskData(replace(spec, host=shape, training=training), data, device)


def _few(part: Part, count: int) -> Part:
    return Part(part.inputs[:count].copy(), part.labels[:count].copy())


def _host(
    data: TaskData, folder: str, controller: Controller, deadlines: Deadlines | None = None
) -> SupervisedHost:
    episode = HostEpisode(data, EpisodeRules(max_epochs=10**6), SEED)
    rules = SupervisionRules(deadlines=deadlines or Deadlines())
    return SupervisedHost(episode, controller, Path(folder) / "full.snapshot", rules)


def _telemetry(host: SupervisedHost) -> dict[str, Any]:
    events = [asdict(event) for event in host.news.take_events()]
    return {"metrics": host.metrics(), "events": events}


def steady_train(settings: DrillSettings) -> Measured:
    """Whole epochs of the smallest host: train, validate, decide, commit, snapshot."""
    data = few_digits(SMALLEST, settings.batch_size, settings.device)
    epochs = settings.epochs or 100
    with tempfile.TemporaryDirectory() as folder:
        host = _host(data, folder, NoGrowth())
        whole: list[float] = []
        hooks: list[float] = []
        for _ in range(WARM_UP + epochs):
            begun = time.perf_counter()
            report = host.run_epoch()
            whole.append((time.perf_counter() - begun) * 1e3)
            hooks.append(report.took_ms["hook"])
        metrics = {
            **spread("epoch", whole[WARM_UP:]),
            **spread("hook", hooks[WARM_UP:]),
            "first_epoch_ms": whole[0],
            "epochs_failed": host.metrics().get("tolaria.epochs_failed_total", 0.0),
        }
        details = {
            "epochs": epochs,
            "warm_up": WARM_UP,
            "batch_size": settings.batch_size,
            "samples": SAMPLES,
            "host_parameters": SMALLEST.parameters,
        }
        return Measured("steady_train", metrics, _telemetry(host), details)


def rollback_deadline(settings: DrillSettings) -> Measured:
    """Weights of a million parameters are broken, and brought back from memory and from a file."""
    data = few_digits(MILLION, 16, settings.device)
    with tempfile.TemporaryDirectory() as folder:
        host = _host(data, folder, NoGrowth())
        host.run_epoch()
        fast = [_broken_epoch(host) for _ in range(RESTORES)]
        full = [_broken_epoch(host, in_memory=False) for _ in range(FULL_RESTORES)]
        strict = _host(data, folder, NoGrowth(), Deadlines(rollback_ms=settings.deadline_ms))
        strict.run_epoch()
        drill = _broken_epoch(strict, in_memory=False)
        missed = strict.metrics().get("tolaria.rollback.deadline_exceeded_total", 0.0)
        counts = host.metrics()
        metrics = {
            **spread("restore", fast),
            **spread("full_restore", full),
            "drill_restore_ms": drill,
            "drill_deadline_exceeded": missed,
            "fast_restores": counts["tolaria.rollback.fast_total"],
            "full_restores": counts["tolaria.rollback.full_total"],
        }
        details = {"host_parameters": MILLION.parameters, "drill_deadline_ms": settings.deadline_ms}
        return Measured("rollback_deadline", metrics, _telemetry(strict), details)


def _broken_epoch(host: SupervisedHost, *, in_memory: bool = True) -> float:
    """How long it took to return from an epoch with broken weights; a good one follows."""
    import torch

    if not in_memory:
        host.snapshots.fast.clear()
    with torch.no_grad():
        host.episode.network.host_descent.flat.fill_(math.nan)
    report = host.run_epoch()
    assert report.failure, "a host of broken weights must not pass"
    after = host.run_epoch()
    assert not after.failure, after.failure
    return report.took_ms["rollback"]


class _Hanging:
    """Waits to be let go in every so many epochs."""

    def __init__(self, every: int) -> None:
        self.every = every
        self.go = threading.Event()
        self.evaluations = 0

    def decide(self, view: HostView) -> ActionSpec:
        self.evaluations += 1
        if self.evaluations % self.every == 0:
            self.go.wait()
        return WAIT

    def snapshot(self) -> dict[str, JsonValue]:
        return {}

    def restore(self, state: Mapping[str, JsonValue]) -> None:
        del state


def tamiyo_timeout(settings: DrillSettings) -> Measured:
    """A controller that hangs; training goes on without it."""
    data = few_digits(SMALLEST, settings.batch_size, settings.device)
    epochs = settings.epochs or TIMEOUT_EPOCHS
    controller = _Hanging(settings.timeout_every)
    with tempfile.TemporaryDirectory() as folder:
        deadlines = Deadlines(controller_ms=settings.timeout_ms)
        host = _host(data, folder, controller, deadlines)
        waited: list[float] = []
        for _ in range(epochs):
            report = host.run_epoch()
            # Behind an open breaker the controller is not asked at all.
            asked = "controller" in report.took_ms
            if asked and controller.evaluations % settings.timeout_every == 0:
                waited.append(report.took_ms["controller"])
            # The answer comes after all, too late.
            controller.go.set()
            host.guard.asking.settle(30.0)
            controller.go.clear()
        found = host.metrics()
        metrics = {
            "evaluations": float(controller.evaluations),
            "timeouts_total": found.get("tolaria.timeout.tamiyo_total", 0.0),
            "grafting_failures": float(host.grafting.failures),
            "epochs_failed": found.get("tolaria.epochs_failed_total", 0.0),
            "simulated_wait_ms": settings.timeout_ms,
            "overhead_ms_max": max((one - settings.timeout_ms for one in waited), default=0.0),
        }
        details = {"epochs": epochs, "timeout_every": settings.timeout_every}
        return Measured("tamiyo_timeout", metrics, _telemetry(host), details)


def kasmina_prefetch_burst(settings: DrillSettings) -> Measured:
    """Many seeds asked for at once, each a simulated while away."""
    return prefetch(settings, "kasmina_prefetch_burst")


def kasmina_prefetch_bench(settings: DrillSettings) -> Measured:
    """The same for longer, and none as far away as the other."""
    jitter_ms = bench_jitter_ms(settings)
    asked = replace(settings, requests=300, concurrency=6, jitter_ms=jitter_ms)
    return prefetch(asked, "kasmina_prefetch_bench")


def prefetch(settings: DrillSettings, name: str) -> Measured:
    """Keep as many requests open as may be, until all are answered."""
    draws = stream(SEED, "esper.harness.prefetch").uniform(-1.0, 1.0, settings.requests)
    simulated: list[float] = (settings.ready_latency_ms + settings.jitter_ms * draws).tolist()
    # Its `pop` is one step of the interpreter, so that threads need no lock.
    away = simulated.copy()

    def fetch(_: str) -> None:
        time.sleep(away.pop() / 1e3)

    prefetcher = Prefetcher(settings.concurrency, 2.0 * settings.ready_latency_ms, fetch)
    open_now: set[Future[Prefetched]] = set()
    asked, answers = 0, list[Prefetched]()
    begun = time.perf_counter()
    while asked < settings.requests or open_now:
        while asked < settings.requests and len(open_now) < settings.concurrency:
            generator = stream(SEED, "esper.harness.seed", asked)
            open_now.add(prefetcher.request("conv_light", "cnn", 16, generator, settings.device))
            asked += 1
        done, open_now = wait(open_now, return_when=FIRST_COMPLETED)
        answers += [one.result() for one in done]
    wall_s = time.perf_counter() - begun
    prefetcher.close()
    latencies = [one.latency_ms for one in answers]
    metrics = {
        **spread("latency", latencies),
        "simulated_ms_mean": sum(simulated) / len(simulated),
        "overhead_ms_mean": (sum(latencies) - sum(simulated)) / len(latencies),
        "build_ms_mean": sum(one.build_ms for one in answers) / len(answers),
        "errors": float(sum(one.status != "ready" for one in answers)),
        "wall_s": wall_s,
    }
    details = {"requests": settings.requests, "concurrency": settings.concurrency}
    return Measured(name, metrics, {"metrics": prefetcher.metrics()}, details)
