"""A learnt policy as one who decides in a trial."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from astrarium.errors import ConfigError
from astrarium.esper import orders
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.entry import EsperConfig, layout_of, world_id
from astrarium.esper.episode import HostEpisode
from astrarium.esper.host_arrays import HostArrays
from astrarium.esper.tasks import task, task_names
from astrarium.runs import Checkpoint, RunFolder
from astrarium.train.config import TrainConfig
from astrarium.worlds.config import parse_config


@dataclass(frozen=True, slots=True)
class Policy:
    """A checkpoint of a training run: the latest there was when an experiment began."""

    task: str
    folder: Path
    window: int
    id: str
    """The run, the window and a digest of the numbers, so that the trials of one policy are never
    taken for those of another that was trained under the same name."""


def find_policy(folder: Path) -> Policy:
    """The policy of a run folder, and the task it was learnt on."""
    run = RunFolder.open(folder)
    if not run.checkpoints():
        raise ConfigError(
            f"policies has {folder}, which holds no policy yet; give a run of `astrarium train` "
            "that has a checkpoint"
        )
    config = parse_config(TrainConfig, run.config(), where=f"config of run {run.run_id}")
    names = {world_id(name): name for name in task_names()}
    if config.world.id not in names:
        raise ConfigError(f"policies has {folder}, a run of {config.world.id}, no world of Esper's")
    latest = run.load_checkpoint("latest")
    name = f"{run.run_id}@{latest.window_id}-{_digest(latest)}"
    return Policy(names[config.world.id], folder, latest.window_id, name)


def _digest(checkpoint: Checkpoint) -> str:
    whole = hashlib.sha256()
    for name, array in sorted(checkpoint.policy.items()):
        whole.update(name.encode())
        whole.update(array.tobytes())
    return whole.hexdigest()[:8]


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
        # A run that still trains has a newer one by now, which is not what was asked for.
        checkpoint = run.load_checkpoint(policy.window)
        self.player = player_of(checkpoint, config, layout, policy.id)
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
