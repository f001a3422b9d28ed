"""A learnt policy as one who decides in a trial."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from astrarium.errors import ConfigError
from astrarium.esper import orders
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.entry import EsperConfig, layout_of, world_id
from astrarium.esper.episode import HostEpisode
from astrarium.esper.host_arrays import HostArrays
from astrarium.esper.tasks import task, task_names
from astrarium.runs import RunFolder
from astrarium.train.config import TrainConfig
from astrarium.worlds.config import parse_config


@dataclass(frozen=True, slots=True)
class Policy:
    """The latest checkpoint of a training run."""

    task: str
    folder: Path
    id: str
    """The run and the window of the checkpoint."""


def find_policy(folder: Path) -> Policy:
    """The policy of a run folder, and the task it was learnt on."""
    run = RunFolder.open(folder)
    config = parse_config(TrainConfig, run.config(), where=f"config of run {run.run_id}")
    names = {world_id(name): name for name in task_names()}
    if config.world.id not in names:
        raise ConfigError(f"policies has {folder}, a run of {config.world.id}, no world of Esper's")
    window = run.load_checkpoint("latest").window_id
    return Policy(names[config.world.id], folder, f"{run.run_id}@{window}")


class LearnedController:
    """Takes the likeliest choices of a policy, for as many epochs as it has learnt to look ahead.

    What it grew is trained on until the budget is spent.
    """

    def __init__(self, policy: Policy) -> None:
        from astrarium.train.player import player_of

        run = RunFolder.open(policy.folder)
        config = parse_config(TrainConfig, run.config(), where=f"config of run {run.run_id}")
        self.settings = parse_config(EsperConfig, config.world.settings, where=config.world.id)
        self.slots = task(policy.task).host.slot_ids
        layout = layout_of(self.slots)
        self.player = player_of(run.load_checkpoint("latest"), config, layout, policy.id)
        self.arrays = HostArrays(1, layout)

    def decide(self, episode: HostEpisode) -> ActionSpec:
        """The action of this epoch."""
        from astrarium.esper.telling import write_sight

        if episode.epoch > self.settings.epochs:
            return WAIT
        row, legal = self.arrays.obs[0, 0], self.arrays.mask[0, 0]
        write_sight(episode, row, legal, self.settings.epochs)
        choices = self.player(self.arrays, episode.epoch - 1)
        return orders.action_of(choices[0, 0], legal, self.slots) or WAIT
