"""Hosts that grow under a scripted controller, in a run folder that can be watched meanwhile."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from astrarium import machine, worlds
from astrarium.errors import ConfigError
from astrarium.esper import orders
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.controllers import ControllerName, make_controller
from astrarium.esper.entry import STATS, EsperConfig, world_id
from astrarium.esper.host_view import Controller
from astrarium.esper.tasks import task, task_names
from astrarium.esper.world import EsperWorld
from astrarium.runs import (
    Checkpoint,
    CheckpointError,
    RunFacts,
    RunFolder,
    RunWriter,
    WindowMeter,
    names,
)
from astrarium.telemetry import events
from astrarium.train.streams import stream
from astrarium.worlds import arguments
from astrarium.worlds.config import parse_config
from astrarium.worlds.news import RunBeginning

WINDOW_EPOCHS: Final = 10
"""Epochs of every host that make a row of windows, and after which there is a checkpoint."""
SCRIPTED: Final = "scripted"
"""Stands in a checkpoint for the architecture of a policy: a scripted controller has none."""


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
    """Train every host for its epochs, one episode each; return how it ended and the run folder.

    A host that the governor ended early begins another episode in its place.
    """
    with contextlib.closing(_world(growth)) as world:
        writer = RunWriter.create(root, _config(growth), _facts(growth), run_id)
        with _closed_by_errors(writer):
            run = _Run(growth, world, writer)
            run.start()
            return run.advance(tell, stop), writer.folder


def resume(
    folder: Path,
    *,
    tell: Tell = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Status, Path]:
    """Continue a run that was killed, interrupted or failed, from its last checkpoint."""
    growth = growth_of(RunFolder.open(folder))
    with contextlib.closing(_world(growth)) as world:
        writer, checkpoint = RunWriter.resume(folder)
        with _closed_by_errors(writer):
            run = _Run(growth, world, writer)
            run.restore(checkpoint)
            return run.advance(tell, stop), writer.folder


def growth_of(run: RunFolder) -> Growth:
    """Return what a run folder grows, from its config."""
    config, where = run.config(), str(run.folder)
    controller: Any = config.get("controller")
    world: Any = config.get("world")
    if controller not in get_args(ControllerName) or not isinstance(world, dict):
        raise ConfigError(
            f"{where} is not a run of `astrarium esper grow`: its config.json names no scripted "
            "controller; a training is continued with `astrarium train --resume`"
        )
    settings = cast("dict[str, Any]", world)
    tasks = {world_id(name): name for name in task_names()}
    if settings.get("id") not in tasks:
        raise ConfigError(f"{where}: world.id is {settings.get('id')!r}; known are {list(tasks)}")
    return Growth(
        task=tasks[settings["id"]],
        controller=controller,
        hosts=arguments.count("world.worlds", settings.get("worlds", 0)),
        seed=arguments.seed(config.get("seed", -1)),
        config=parse_config(EsperConfig, settings.get("settings"), where=where),
    )


def _world(growth: Growth) -> EsperWorld:
    return EsperWorld(growth.task, growth.config, growth.hosts, autoreset="next_step", begin=False)


@contextlib.contextmanager
def _closed_by_errors(writer: RunWriter) -> Generator[None]:
    """Leave the run interrupted after Ctrl-C and failed after any other error."""
    try:
        yield
    except KeyboardInterrupt:
        writer.pause()
        raise
    except BaseException as error:
        writer.fail(error)
        raise


class _Run:
    """A run in progress."""

    def __init__(self, growth: Growth, world: EsperWorld, writer: RunWriter) -> None:
        self.growth, self.world, self.writer = growth, world, writer
        self.epoch = 0
        self.meter = WindowMeter(
            writer.run_id,
            world.layout,
            growth.hosts,
            WINDOW_EPOCHS * growth.hosts,
            worlds.get(world.world_id).outcomes,
        )
        topology = task(growth.task).topology
        self.controllers = [_controller(growth, topology, at) for at in range(growth.hosts)]

    def start(self) -> None:
        """Begin the first episode of every host."""
        growth, writer = self.growth, self.writer
        config_hash = writer.metadata["config_hash"]
        writer.append_event(
            events.RunStarted(
                run_id=writer.run_id,
                world=self.world.world_id,
                seed=growth.seed,
                config_hash=config_hash,
            )
        )
        self.world.newsroom.begin(RunBeginning(growth.controller, growth.seed))
        self.world.reset(growth.seed)

    def advance(self, tell: Tell, stop: Callable[[], bool]) -> Status:
        """Train epoch after epoch, to the end or until asked to stop."""
        world, writer = self.world, self.writer
        while self.epoch < self.growth.config.epochs:
            if stop():
                writer.append_event(events.RunInterrupted(env_steps_total=self.total))
                writer.pause()
                return "interrupted"
            for at, host in enumerate(world.hosts):
                action = self.controllers[at].decide(host.view())
                world.actions[at, 0] = orders.choices_of(action, host.network.slot_ids)
            world.step()
            self.epoch += 1
            writer.append_world_events(world.newsroom.take())
            for row in self.meter.note(world):
                writer.append_window(row)
                self._save(row["window_id"])
            tell(_standing(world, writer.folder, self.epoch))
        if (rest := self.meter.partial()) is not None:
            writer.append_window(rest)
        writer.append_event(events.RunCompleted(env_steps_total=self.total))
        writer.finish()
        return "completed"

    @property
    def total(self) -> int:
        """Epochs of all hosts so far."""
        return self.meter.env_steps_total

    def _save(self, window_id: int) -> None:
        """Write everything the rest of the run depends on."""
        layout = self.world.layout
        checkpoint = Checkpoint(
            window_id=window_id,
            env_steps_total=self.total,
            policy={},
            trainer=self.meter.state(),
            worlds=self.world.snapshot(),
            state={
                "policy_arch": SCRIPTED,
                "obs_shape": [layout.agents, layout.obs_dim],
                "heads": list(layout.heads),
                "epoch": self.epoch,
                "controllers": [one.snapshot() for one in self.controllers],
            },
        )
        self.writer.save_checkpoint(checkpoint)
        self._say_saved(window_id)

    def _say_saved(self, window_id: int) -> None:
        path = names.checkpoint_path(window_id)
        self.writer.append_event(events.CheckpointWritten(window_id=window_id, path=path))

    def restore(self, checkpoint: Checkpoint) -> None:
        """Return to where a checkpoint was taken."""
        state, hosts = checkpoint.state, self.growth.hosts
        epoch, controllers = state.get("epoch"), state.get("controllers")
        if not isinstance(epoch, int) or not isinstance(controllers, list):
            raise CheckpointError(
                f"the checkpoint of window {checkpoint.window_id} holds no epoch and controllers; "
                "it is not one of `astrarium esper grow`"
            )
        remembered = cast("list[Any]", controllers)
        if len(remembered) != hosts:
            raise CheckpointError(
                f"the checkpoint of window {checkpoint.window_id} holds {len(remembered)} "
                f"controllers for {hosts} hosts; resume with the config the run began with"
            )
        self.world.restore(checkpoint.worlds)
        self.meter.load(checkpoint.trainer)
        for controller, one in zip(self.controllers, remembered, strict=True):
            controller.restore(one)
        self.epoch = epoch
        self.writer.append_event(
            events.RunResumed(window_id=checkpoint.window_id, update=0, env_steps_total=self.total)
        )
        # The line after the checkpoint was cut off with everything that followed it.
        self._say_saved(checkpoint.window_id)


def _controller(growth: Growth, topology: Topology, at: int) -> Controller:
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
        kind="growth",
    )
