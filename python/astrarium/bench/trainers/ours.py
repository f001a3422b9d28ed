"""Astrarium's own trainer, asked as everybody else is."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, Final

from astrarium import worlds
from astrarium.bench.report import percentile
from astrarium.bench.trainers.contract import Task, Timed

AS_PUFFERLIB: Final = "as-pufferlib"
"""The variant with the epochs, horizon and minibatches that PufferLib ships."""
_MINIBATCH: Final = 8192


def measure(task: Task) -> tuple[Timed, dict[str, Any]]:
    """Steps per second of each iteration."""
    from astrarium.train.measure import time_updates

    if task.variant == AS_PUFFERLIB:
        task = replace(task, epochs=1, rollout_steps=64)
        task = replace(task, minibatches=max(1, task.batch_size // _MINIBATCH))

    world = worlds.make_vec(task.world, task.num_worlds, threads=task.threads, seed=task.seed)
    cpu_s = time.process_time()
    timings = time_updates(
        world,
        rollout_steps=task.rollout_steps,
        epochs=task.epochs,
        minibatches=task.minibatches,
        hidden=task.hidden,
        threads=task.threads,
        updates=task.iterations,
    )
    cpu_s = time.process_time() - cpu_s
    # Updates are timed one by one by the wall alone. The processor's time is that of all of them,
    # warm-up and construction included: one figure, and rather too low than too high.
    steps = (len(timings) + 1) * task.batch_size
    collecting = [one.collect / (one.collect + one.learn) for one in timings]
    settings = {"mask": "applied", "share_collecting": percentile(collecting, 50)}
    return Timed([one.steps_per_second for one in timings], [steps / cpu_s]), settings
