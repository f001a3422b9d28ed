"""`astrarium bench gpu`: the trainer on a GPU, and each part of the way measured alone.

The parts say what stands between the whole and its limits: worlds on the CPU, the way to the GPU,
the network there, and the accounting of a run.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from astrarium import machine, worlds
from astrarium.bench.report import Report, Spread
from astrarium.bench.tables import quantity
from astrarium.errors import ConfigError

STEPS_PER_SECOND_MIN: Final = 3e6
_REPEATS: Final = 100


@dataclass(frozen=True, slots=True)
class Plan:
    """What is trained."""

    world: str = "prospector-v2"
    num_worlds: int = 16_384
    rollout_steps: int = 64
    hidden: tuple[int, ...] = (128, 128)
    minibatches: int = 4
    updates: int = 8


def bench_gpu(plan: Plan, tell: Callable[[str], None]) -> Report:
    """Measure whole updates and their parts."""
    import torch

    if not torch.cuda.is_available():
        raise ConfigError("torch sees no GPU here; run this on a machine that has one")
    where = machine.facts()
    whole: list[dict[str, Any]] = []
    for epochs in (4, 1):
        for exact in (True, False):
            tell(f"{epochs} epochs, {'exact' if exact else 'fast'} arithmetic")
            whole.append(_whole(plan, epochs, exact))
    tell("parts")
    parts = _parts(plan)
    best = max(row["steps_per_second"]["p50"] for row in whole if row["epochs"] == 4)
    reasons = []
    if best < STEPS_PER_SECOND_MIN:
        reasons.append(
            f"{quantity(best)} steps/s with 4 epochs, below {quantity(STEPS_PER_SECOND_MIN)}"
        )
    return Report(
        kind="gpu",
        config=asdict(plan),
        machine=where,
        reasons=reasons,
        results={
            "gpu": torch.cuda.get_device_name(0),
            "torch": torch.__version__,
            "threads": os.cpu_count() or 1,
            "whole": whole,
            "parts": parts,
        },
    )


def _whole(plan: Plan, epochs: int, exact: bool) -> dict[str, Any]:
    """Updates from the first step to the last weight."""
    from astrarium.train.measure import time_updates

    threads = os.cpu_count() or 1
    world = worlds.make_vec(plan.world, plan.num_worlds, threads=threads)
    timings = time_updates(
        world,
        rollout_steps=plan.rollout_steps,
        epochs=epochs,
        minibatches=plan.minibatches,
        hidden=plan.hidden,
        threads=threads,
        device="cuda",
        deterministic=exact,
        updates=plan.updates,
    )
    world.close()
    return {
        "epochs": epochs,
        "exact": exact,
        "steps_per_second": asdict(Spread.of([one.steps_per_second for one in timings])),
        "collected_per_second": asdict(Spread.of([one.collected_per_second for one in timings])),
        "samples_learned_per_second": asdict(
            Spread.of([epochs * one.steps / one.learn for one in timings])
        ),
    }


def _parts(plan: Plan) -> dict[str, float]:
    """Steps per second each part alone would allow."""
    import numpy as np
    import torch

    from astrarium.runs import WindowMeter
    from astrarium.worlds.native import NativeVectorWorld
    from astrarium.worlds.random_legal import random_legal

    world = worlds.make_vec(plan.world, plan.num_worlds, threads=os.cpu_count() or 1)
    assert isinstance(world, NativeVectorWorld)
    size = world.obs.shape
    here = torch.zeros(size, pin_memory=True)
    mask = torch.zeros(world.mask.shape, dtype=torch.uint8, pin_memory=True)
    there = torch.zeros(size, device="cuda")
    meter = WindowMeter("parts", world.layout, world.num_worlds, 1 << 40, {})
    for number in range(_REPEATS):
        world.step(random_legal(world, number))
    orders = random_legal(world, _REPEATS)

    def step() -> None:
        np.copyto(world.actions, orders)
        world.step_into(here.numpy(), mask.numpy())

    def carry() -> None:
        there.copy_(here, non_blocking=True)
        torch.cuda.synchronize()

    def account() -> None:
        meter.note(world)

    parts = {
        "worlds stepped by the CPU, into pinned memory": step,
        "observations brought to the GPU": carry,
        "accounting of windows": account,
    }
    return {name: plan.num_worlds / _seconds(part) for name, part in parts.items()}


def _seconds(work: Callable[[], None]) -> float:
    """Median time of one call."""
    work()
    times: list[float] = []
    for _ in range(_REPEATS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return sorted(times)[len(times) // 2]


def tables(report: Report) -> str:
    """The report in Markdown."""
    where, results, config = report.machine, report.results, report.config
    lines = [
        f"`{where.command}` at commit {where.commit}; {results['gpu']}, {where.cpu}, "
        f"{where.cores} cores, torch {results['torch']}.",
        "",
        f"{config['num_worlds']:,} worlds of {config['world']}, rollouts of "
        f"{config['rollout_steps']} steps, {config['minibatches']} minibatches, network "
        f"{'-'.join(map(str, config['hidden']))}. Steps per second, median of "
        f"{config['updates']} updates:",
        "",
        "| epochs | arithmetic | whole update | collecting alone | samples learned |",
        "| ---: | --- | ---: | ---: | ---: |",
    ]
    for row in results["whole"]:
        figures = (
            row[name]["p50"]
            for name in ("steps_per_second", "collected_per_second", "samples_learned_per_second")
        )
        cells = " | ".join(quantity(figure) for figure in figures)
        lines.append(f"| {row['epochs']} | {'exact' if row['exact'] else 'TF32'} | {cells} |")
    lines += ["", "| part alone | steps per second | the whole is |", "| --- | ---: | ---: |"]
    best = max(row["steps_per_second"]["p50"] for row in results["whole"] if row["epochs"] == 4)
    for name, rate in results["parts"].items():
        lines.append(f"| {name} | {quantity(rate)} | {best / rate:.0%} of it |")
    return "\n".join(lines) + "\n"
