"""Hosts that grow under a scripted controller, in a run folder that can be watched meanwhile."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from astrarium import machine, worlds
from astrarium.esper import orders
from astrarium.esper.controllers import ControllerName, make_controller
from astrarium.esper.entry import STATS, EsperConfig, world_id
from astrarium.esper.host_view import Controller
from astrarium.esper.world import EsperWorld
from astrarium.runs import RunFacts, RunWriter, WindowMeter
from astrarium.telemetry import events
from astrarium.train.streams import stream
from astrarium.worlds.news import RunBeginning

WINDOW_EPOCHS: Final = 10
"""Epochs of every host that make a row of windows."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What is to be grown."""

    task: str
    controller: ControllerName
    hosts: int
    seed: int
    config: EsperConfig


@dataclass(frozen=True, slots=True)
class Grown:
    """Where the hosts stand after an epoch."""

    folder: Path
    epoch: int
    accuracies: tuple[float, ...]
    parameter_ratios: tuple[float, ...]


Tell = Callable[[Grown], None]
Status = Literal["completed", "interrupted"]


def grow(
    growth: Growth,
    root: Path,
    run_id: str | None = None,
    *,
    tell: Tell = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Status, Path]:
    """Train every host for its epochs, one episode each; how it ended, and where it lies.

    A host that the governor ended early begins another episode in its place.
    """
    world = EsperWorld(growth.task, growth.config, growth.hosts, autoreset="next_step", begin=False)
    with contextlib.closing(world):
        writer = RunWriter.create(root, _config(growth), _facts(growth), run_id)
        try:
            status = _grow(growth, world, writer, tell, stop)
        except KeyboardInterrupt:
            writer.pause()
            raise
        except BaseException as error:
            writer.fail(error)
            raise
    return status, writer.folder


def _grow(
    growth: Growth, world: EsperWorld, writer: RunWriter, tell: Tell, stop: Callable[[], bool]
) -> Status:
    window = WINDOW_EPOCHS * growth.hosts
    outcomes = worlds.get(world.world_id).outcomes
    meter = WindowMeter(writer.run_id, world.layout, growth.hosts, window, outcomes)
    config_hash = events.digest(_config(growth))
    writer.append_event(
        events.RunStarted(
            run_id=writer.run_id, world=world.world_id, seed=growth.seed, config_hash=config_hash
        )
    )
    world.newsroom.begin(RunBeginning(growth.controller, growth.seed))
    world.reset(growth.seed)
    controllers = [_controller(growth, world, at) for at in range(growth.hosts)]
    for epoch in range(1, growth.config.epochs + 1):
        if stop():
            writer.append_event(events.RunInterrupted(env_steps_total=meter.env_steps_total))
            writer.pause()
            return "interrupted"
        for at, host in enumerate(world.hosts):
            action = controllers[at].decide(host.view())
            world.actions[at, 0] = orders.choices_of(action, host.network.slot_ids)
        world.step()
        writer.append_world_events(world.newsroom.take())
        for row in meter.note(world):
            writer.append_window(row)
        tell(_standing(world, writer.folder, epoch))
    if (rest := meter.partial()) is not None:
        writer.append_window(rest)
    writer.append_event(events.RunCompleted(env_steps_total=meter.env_steps_total))
    writer.finish()
    return "completed"


def _controller(growth: Growth, world: EsperWorld, at: int) -> Controller:
    topology = world.hosts[at].data.spec.topology
    name = f"esper.grow.{growth.controller}.{at}"
    return make_controller(
        growth.controller, topology, lambda epoch: stream(growth.seed, name, epoch)
    )


def _standing(world: EsperWorld, folder: Path, epoch: int) -> Grown:
    def column(stat: str) -> tuple[float, ...]:
        return tuple(world.stats[:, STATS.index(stat)].tolist())

    return Grown(folder, epoch, column("accuracy"), column("parameter_ratio"))


def _config(growth: Growth) -> dict[str, Any]:
    settings = growth.config.model_dump(mode="json")
    return {
        "world": {"id": world_id(growth.task), "worlds": growth.hosts, "settings": settings},
        "controller": growth.controller,
        "seed": growth.seed,
    }


def _facts(growth: Growth) -> RunFacts:
    here = machine.facts()
    return RunFacts(
        trainer_backend=growth.controller,
        target_env_steps=growth.hosts * growth.config.epochs,
        window_env_steps=WINDOW_EPOCHS * growth.hosts,
        world=world_id(growth.task),
        machine=asdict(here),
        commit=here.commit,
        info_metric_keys=STATS,
    )
