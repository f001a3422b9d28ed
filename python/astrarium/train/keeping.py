"""The best episode of a checkpoint's policy, kept as a replay."""

from __future__ import annotations

from astrarium import worlds
from astrarium.runs import ReplayEntry, RunFolder, RunWriter
from astrarium.train.config import TrainConfig
from astrarium.train.player import player_of
from astrarium.train.recording import record, window_seed
from astrarium.worlds.ladder import Policy, Rules
from astrarium.worlds.random_legal import random_legal
from astrarium.worlds.vector import VectorWorld


def keep_best_episode(
    writer: RunWriter, config: TrainConfig, world: VectorWorld, window_id: int
) -> ReplayEntry:
    """Play the episodes of a window with its checkpoint, and record the best.

    The policy is the one on the disk: what a replay names is what played. A run without one plays
    at random.
    """
    run, entry = config.run, worlds.get(config.world.id).implemented(config.world.implementation)
    name = f"{writer.run_id}@{window_id}"
    player: Policy = random_legal
    if config.algorithm == "ppo":
        player = player_of(
            RunFolder.open(writer.folder).load_checkpoint(window_id),
            config,
            world.layout,
            name,
            greedy=run.eval_greedy,
            seed=run.seed,
            thinking=True,
        )
    rules = Rules(
        episodes=run.eval_episodes,
        seed=window_seed(run.seed, run.eval_seed_offset, window_id),
        steps_max=run.eval_steps_max,
    )
    recording = record(
        entry,
        name,
        player,
        rules,
        world.config,
        about={
            "run_id": writer.run_id,
            "window_id": window_id,
            "greedy": run.eval_greedy and config.algorithm == "ppo",
        },
        commit=writer.metadata["commit"],
    )
    best = recording.kept[0]
    episode = best.episode
    profit = episode.get(entry.outcomes.get("profit_mean", ""))
    survival = episode.get(entry.outcomes.get("survival_rate", ""))
    return writer.add_replay(
        best.replay,
        return_total=float(episode["return_total"]),
        steps=int(episode["steps"]),
        profit=None if profit is None else float(profit),
        survival=None if survival is None else float(survival),
        terminated=bool(episode["terminated"]),
        truncated=bool(episode["truncated"]),
    )
