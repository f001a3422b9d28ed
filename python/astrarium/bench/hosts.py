"""`astrarium bench hosts`: Esper's hosts trained on this machine, on its GPU where there is one.

Every ratio is taken within one run: work as it is beside recorded work, hosts with seeds beside the
same without, several hosts beside one.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from astrarium import machine
from astrarium.bench.report import Report

if TYPE_CHECKING:
    from astrarium.esper.episode import HostEpisode
    from astrarium.esper.phases import TaskData

CAPTURE_MS_MAX: Final = 100.0
OVERHEAD_MAX: Final = 1.5
"""Time that seeds add, over the multiply-accumulates they add."""
DECIDING_MAX: Final = 0.05
"""Share of a training that policy, rewards and observations may take."""
_BLUEPRINT: Final = "conv_light"
_WARM_UPS: Final = 3
"""Epochs until everything that comes again was recorded."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is trained."""

    device: str = "auto"
    tasks: tuple[str, ...] = ("noise", "digits_impaired")
    noise: tuple[int, int, int] = (12_800, 2_000, 10)
    """Samples of the task `noise`, whose host is that of `cifar_baseline`."""
    seeds: tuple[int, ...] = (0, 1, 2)
    epochs: int = 8
    """Timed ones of every row."""
    hosts: tuple[int, ...] = (1, 4, 8)


QUICK: Final = Plan("cpu", ("digits_impaired",), (64, 16, 1), (0, 1), 1, (1,))


def bench_hosts(plan: Plan, tell: Callable[[str], None]) -> Report:
    """Measure epochs of hosts, alone and together, and what deciding takes of a training."""
    import torch

    from astrarium.esper.launching import pick_device

    where, device = machine.facts(), pick_device(plan.device)
    epochs: list[dict[str, Any]] = []
    together: list[dict[str, Any]] = []
    deciding: list[dict[str, Any]] = []
    for name in plan.tasks:
        data = _data(plan, name, device)
        for seeds in plan.seeds:
            tell(f"{name}, {seeds} seeds")
            epochs.append(_epochs(plan, data, seeds))
        for count in plan.hosts:
            tell(f"{name}, {count} hosts")
            together.append(_together(plan, data, count))
        tell(f"{name}, a policy that learns")
        deciding.append(_deciding(plan, data))
    on_gpu = device.type == "cuda"
    return Report(
        kind="hosts",
        config=asdict(plan),
        machine=where,
        reasons=_reasons(epochs, deciding),
        results={
            "device": torch.cuda.get_device_name(device) if on_gpu else "cpu",
            "torch": torch.__version__,
            "epochs": epochs,
            "together": together,
            "deciding": deciding,
        },
    )


def _data(plan: Plan, name: str, device: Any) -> TaskData:
    from astrarium.esper.phases import TaskData
    from astrarium.esper.tasks import load, noise, task

    return TaskData(task(name), noise.load(*plan.noise) if name == "noise" else load(name), device)


def _epochs(plan: Plan, data: TaskData, seeds: int) -> dict[str, Any]:
    """Epochs of a host with so many seeds, as they are and recorded."""
    row: dict[str, Any] = {"task": data.spec.name, "seeds": seeds}
    for recorded in (False, True) if data.device.type == "cuda" else (False,):
        episode = _planted(data, seeds, recorded)
        times = _timed_epochs(episode, plan.epochs)
        row["macs"] = episode.network.macs
        row["recorded_ms" if recorded else "plain_ms"] = 1e3 * median(times)
        figures = episode.launcher.figures
        if recorded:
            row["captures_ms"] = figures.capture_ms
            row["replay_ms"] = figures.replay_ms / figures.replays
            row["staging_ms"] = figures.staging_ms / figures.replays
    return row


def _planted(data: TaskData, seeds: int, recorded: bool) -> HostEpisode:
    from astrarium.esper.episode import EpisodeRules, HostEpisode
    from astrarium.esper.launching import Graphs, Launcher
    from astrarium.esper.network import Planted

    graphs = Graphs(data.device)
    graphs.allowed = recorded
    planted = tuple(Planted(slot, _BLUEPRINT) for slot in data.spec.host.slot_ids[:seeds])
    rules = EpisodeRules(max_epochs=10_000, planted=planted)
    return HostEpisode(data, rules, 1, Launcher(data.device, graphs))


def _timed_epochs(episode: HostEpisode, count: int) -> list[float]:
    from astrarium.esper.contracts.actions import WAIT

    times: list[float] = []
    for _ in range(_WARM_UPS + count):
        began = time.perf_counter()
        episode.proceed()
        times.append(time.perf_counter() - began)
        episode.decide(WAIT)
    return times[_WARM_UPS:]


def _together(plan: Plan, data: TaskData, count: int) -> dict[str, Any]:
    """Epochs of a batch of hosts, each on a thread of its own while there are cores."""
    import numpy as np

    from astrarium.esper.entry import EsperConfig
    from astrarium.esper.world import EsperWorld

    threads = min(count, os.cpu_count() or 1)
    world = EsperWorld(data.spec.name, EsperConfig(epochs=10_000), count, threads, data=data)
    waiting = np.zeros_like(world.actions)
    times: list[float] = []
    for _ in range(_WARM_UPS + plan.epochs):
        began = time.perf_counter()
        world.step(waiting)
        times.append(time.perf_counter() - began)
    world.close()
    epoch_ms = 1e3 * median(times[_WARM_UPS:])
    return {"task": data.spec.name, "hosts": count, "threads": threads, "epoch_ms": epoch_ms}


def _deciding(plan: Plan, data: TaskData) -> dict[str, Any]:
    """How much of a training is not the hosts' own: policy, rewards, masks and observations."""
    from astrarium.esper.contracts.actions import WAIT
    from astrarium.esper.entry import EsperConfig
    from astrarium.esper.telling import write_sight
    from astrarium.esper.world import EsperWorld
    from astrarium.train.measure import time_updates

    stepping: list[float] = []

    class Timed(EsperWorld):
        def step(self, actions: Any = None, controls: Any = None) -> None:
            began = time.perf_counter()
            super().step(actions, controls)
            stepping.append(time.perf_counter() - began)

    hosts, steps = max(plan.hosts), 4
    world = Timed(data.spec.name, EsperConfig(epochs=10_000), hosts, 1, data=data)
    timings = time_updates(world, rollout_steps=steps, minibatches=1, updates=2)
    host = world.hosts[0]
    began = time.perf_counter()
    host.decide(WAIT)
    write_sight(host, world.obs[0, 0], world.mask[0, 0])
    rewarding = time.perf_counter() - began
    world.close()
    whole = sum(one.collect + one.learn for one in timings)
    stepped = sum(stepping[-len(timings) * steps :])
    share = (whole - stepped + rewarding * hosts * steps * len(timings)) / whole
    return {"task": data.spec.name, "hosts": hosts, "share": share}


def _overhead(row: dict[str, Any], bare: dict[str, Any], figure: str) -> float:
    return (row[figure] / bare[figure]) / (row["macs"] / bare["macs"])


def _bare(row: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    return next(one for one in rows if one["task"] == row["task"] and not one["seeds"])


def _reasons(epochs: list[dict[str, Any]], deciding: list[dict[str, Any]]) -> list[str]:
    reasons: list[str] = []
    for row in epochs:
        figure = "recorded_ms" if "recorded_ms" in row else "plain_ms"
        overhead = _overhead(row, _bare(row, epochs), figure)
        slowest = max(row.get("captures_ms", [0.0]))
        if overhead > OVERHEAD_MAX:
            reasons.append(f"{row['task']}: {row['seeds']} seeds cost {overhead:.2f} of their MACs")
        if slowest > CAPTURE_MS_MAX:
            reasons.append(f"{row['task']}: a capture took {slowest:.0f} ms")
    for row in deciding:
        if row["share"] > DECIDING_MAX:
            reasons.append(f"{row['task']}: deciding takes {row['share']:.1%} of a training")
    return reasons


def tables(report: Report) -> str:
    """The report in Markdown."""
    where, results = report.machine, report.results
    lines = [
        f"`{where.command}` at commit {where.commit}; {results['device']}, {where.cpu}, "
        f"{where.cores} cores, torch {results['torch']}.",
        "",
        "One host, an epoch with its validation, median; what seeds cost is time over MACs, each "
        "against the bare host:",
        "",
    ]
    lines += _epoch_table(results["epochs"])
    lines += ["", "| task | hosts | threads | epoch of all | of one |", "| --- |" + " ---: |" * 4]
    for row in results["together"]:
        one = row["epoch_ms"] / row["hosts"]
        lines.append(
            f"| {row['task']} | {row['hosts']} | {row['threads']} | {row['epoch_ms']:.1f} ms "
            f"| {one:.1f} ms |"
        )
    shares = ", ".join(
        f"{row['share']:.1%} on {row['task']} ({row['hosts']} hosts, one thread)"
        for row in results["deciding"]
    )
    lines += ["", f"Policy, rewards, masks and observations take of a training: {shares}."]
    return "\n".join(lines) + "\n"


def _epoch_table(rows: list[dict[str, Any]]) -> list[str]:
    recorded = "recorded_ms" in rows[0]
    names = ["task", "seeds", "MACs", "plain", "seeds cost"]
    if recorded:
        names += ["graphs", "faster", "seeds cost", "captures: first, median, worst"]
        names += ["launch", "staging"]
    lines = [f"| {' | '.join(names)} |", "| --- |" + " ---: |" * (len(names) - 1)]
    for row in rows:
        bare = _bare(row, rows)
        cells = [row["task"], str(row["seeds"]), f"{row['macs'] / bare['macs']:.2f}×"]
        cells += [f"{row['plain_ms']:.1f} ms", f"{_overhead(row, bare, 'plain_ms'):.2f}"]
        if recorded:
            captures: list[float] = row["captures_ms"]
            told = captures[0], median(captures), max(captures)
            cells += [f"{row['recorded_ms']:.1f} ms"]
            cells += [f"{row['plain_ms'] / row['recorded_ms']:.1f}×"]
            cells += [f"{_overhead(row, bare, 'recorded_ms'):.2f}"]
            cells += [", ".join(f"{one:.1f}" for one in told) + " ms"]
            cells += [f"{row['replay_ms']:.3f} ms", f"{row['staging_ms']:.3f} ms"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines
