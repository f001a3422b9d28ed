"""`astrarium bench train`, `peers`, `gpu`, `hosts` and `soak`: trainers measured."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console
from rich.markup import escape

from astrarium.bench import gpu as gpu_bench
from astrarium.bench import hosts as hosts_bench
from astrarium.bench import soak as soak_bench
from astrarium.bench import train as train_bench
from astrarium.bench import train_page
from astrarium.bench.trainers import contenders, homes, ocean
from astrarium.cli.bench import Names, Numbers, Output, Page, check_places, least, positive, publish
from astrarium.errors import ConfigError, did_you_mean


def train(
    *,
    cores: Numbers | None = None,
    rounds: int | None = None,
    contenders: Names | None = None,
    page: Page | None = None,
    json: Output | None = None,
    quick: bool = False,
    enforce: bool = False,
) -> int:
    """Steps per second of our trainer beside others, in turns, on the same work.

    Parameters
    ----------
    cores
        How many cores each may use; 1 and 2 unless told.
    rounds
        Turns of each contender; 3 unless told.
    contenders
        Who takes part; everybody unless told.
    quick
        Tiny rollouts and one round: to see that it works, not to publish.
    enforce
        Exit with status 2 when ours is slower than a peer, or a contender fails.
    """
    plan = _plan(cores, rounds, contenders, quick)
    check_places(json, page, "train")
    console = Console(highlight=False)
    with console.status("starting") as status:
        report = train_bench.bench_train(plan, status.update)
    return publish(report, train_page.tables(report), console, page, json, failing=enforce)


def _plan(
    cores: list[int] | None, rounds: int | None, names: list[str] | None, quick: bool
) -> train_bench.Plan:
    plan = train_bench.Plan()
    if quick:
        plan = replace(plan, task=train_bench.QUICK, rounds=1)
    if cores:
        plan = replace(plan, cores=tuple(least(count, 1, "cores") for count in cores))
    if rounds is not None:
        plan = replace(plan, rounds=least(rounds, 1, "rounds"))
    if names:
        plan = replace(plan, contenders=contenders.chosen(names))
    return plan


def peers(names: Names | None = None) -> int:
    """Install the other trainers, each into a virtual environment; build PufferLib's C worlds.

    Parameters
    ----------
    names
        Which of pufferlib, rllib and sample_factory; all of them unless told.
    """
    for name in names or ():
        if name not in homes.NAMES:
            raise ConfigError(
                f"no trainer is called {name!r}{did_you_mean(name, homes.NAMES)} "
                f"(known: {', '.join(homes.NAMES)})"
            )
    console = Console(highlight=False)
    for name in names or homes.NAMES:
        with console.status(name) as status:
            reason = homes.install(name, status.update)
            with_worlds = name == ocean.HOME and reason is None
            failure = ocean.build(status.update) if with_worlds else None
        told = f"does not install: {reason}" if reason else "installed"
        console.print(f"{name}: {escape(told)}", soft_wrap=True)
        if failure:
            console.print(
                f"{name}: its C worlds cannot be built: {escape(failure)}", soft_wrap=True
            )
    return 0


def gpu(*, page: Page | None = None, json: Output | None = None, enforce: bool = False) -> int:
    """Steps per second of our trainer on a GPU, and of each part of the way alone.

    Parameters
    ----------
    enforce
        Exit with status 2 when it is slower than asked.
    """
    check_places(json, page, "gpu")
    console = Console(highlight=False)
    with console.status("starting") as status:
        report = gpu_bench.bench_gpu(gpu_bench.Plan(), status.update)
    return publish(report, gpu_bench.tables(report), console, page, json, failing=enforce)


def hosts(
    *,
    device: str | None = None,
    page: Page | None = None,
    json: Output | None = None,
    quick: bool = False,
    enforce: bool = False,
) -> int:
    """Time of an epoch of Esper's hosts: plain and recorded, with seeds, and side by side.

    Parameters
    ----------
    device
        `cpu`, `cuda` or, unless told, `auto`: a GPU where there is one.
    quick
        One epoch of one task: to see that it works, not to publish.
    enforce
        Exit with status 2 when seeds, captures or decisions cost more than asked.
    """
    plan = hosts_bench.QUICK if quick else hosts_bench.Plan()
    if device is not None:
        plan = replace(plan, device=device)
    check_places(json, page, "hosts")
    console = Console(highlight=False)
    with console.status("starting") as status:
        report = hosts_bench.bench_hosts(plan, status.update)
    return publish(report, hosts_bench.tables(report), console, page, json, failing=enforce)


def soak(
    *,
    minutes: float | None = None,
    threads: int | None = None,
    page: Page | None = None,
    json: Output | None = None,
    quick: bool = False,
    enforce: bool = False,
) -> int:
    """Train with 8,192 worlds for an hour; note memory and read the folder every ten seconds.

    Parameters
    ----------
    minutes
        How long; 60 unless told.
    threads
        Threads of the training; 2 unless told.
    quick
        A few seconds: to see that it works, not to publish.
    enforce
        Exit with status 2 when memory grew, a file could not be read, or the folder is too large.
    """
    plan = soak_bench.QUICK if quick else soak_bench.Plan()
    if minutes is not None:
        plan = replace(plan, seconds=60 * positive(minutes, "minutes"))
    if threads is not None:
        plan = replace(plan, threads=least(threads, 1, "threads"))
    check_places(json, page, "soak")
    console = Console(highlight=False)
    with console.status("starting") as status:
        report = soak_bench.bench_soak(plan, status.update)
    return publish(report, soak_bench.tables(report), console, page, json, failing=enforce)
