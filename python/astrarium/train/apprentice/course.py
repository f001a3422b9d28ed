"""One apprentice from the clone to the judges; what is finished is not done again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import torch

from astrarium import worlds
from astrarium.errors import AstrariumError
from astrarium.runs import RunFolder
from astrarium.runs.lock import is_held
from astrarium.runs.names import CHECKPOINTS
from astrarium.train import captures, training
from astrarium.train.apprentice.dueling import fight
from astrarium.train.apprentice.judging import is_judged, judge
from astrarium.train.apprentice.keeping import read_json, write_json
from astrarium.train.apprentice.plan import CLONE, Plan
from astrarium.train.beginning import checkpoint_at
from astrarium.train.cloning import clone
from astrarium.train.config import TrainConfig
from astrarium.train.imitation import Study
from astrarium.train.player import Player, player_of
from astrarium.train.teaching import capture, teacher_called
from astrarium.worlds import WorldEntry, ladder, parse_config

_BATCH_ROWS: Final = 256
"""Decisions learned from together: a million of them are gone through many times."""

Tell = Callable[[str, float], None]
"""Told what an apprentice is at, and how much of it is done."""


class ApprenticeError(AstrariumError, RuntimeError):
    """A teacher that could not be cloned well enough to go on from."""


def show(plan: Plan) -> None:
    """Let the teacher play, once for all apprentices."""
    entry = worlds.get(plan.world)
    if plan.captures.exists():
        required = entry.capturing.required
        captures.check_covered(captures.read_manifest(plan.captures).missing(required), required)
        return
    plan.root.mkdir(parents=True, exist_ok=True)
    teacher = teacher_called(entry, plan.teacher)
    shown = capture(entry, plan.teacher, teacher, plan.lesson, plan.lesson_settings)
    captures.write(plan.captures, shown)


def learn(plan: Plan, seed: int, tell: Tell) -> None:
    """Clone, train stage after stage, and be judged after each."""
    tell(CLONE, 0.0)
    _clone(plan, seed)
    _be_judged(plan, seed, 0, plan.clone_of(seed), CLONE)
    for at, stage in enumerate(plan.stages):
        config = plan.config_of(at, seed)
        place = plan.run_of(stage, seed)
        train_at(place, config, lambda share, name=stage.name: tell(name, share))
        _be_judged(plan, seed, at, place, stage.name)


def examine(plan: Plan, entry: WorldEntry, name: str, policy: ladder.Policy) -> None:
    """Judge a player in the way of its world, unless it was judged before."""
    if is_judged(plan, name):
        return
    if entry.duels:
        fight(plan, entry, name, policy)
    else:
        judge(plan, entry, name, policy)


def judgement_at(plan: Plan, seed: int) -> Path:
    """How well an apprentice's clone does what the teacher did."""
    return plan.judged(f"{CLONE}-{seed}-gate")


def _clone(plan: Plan, seed: int) -> None:
    place, gate = plan.clone_of(seed), judgement_at(plan, seed)
    if not (place.exists() and gate.exists()):
        if place.exists():
            raise ApprenticeError(f"{place} has no {gate} beside it; take it away to clone again")
        study = Study(
            epochs=plan.epochs,
            batch_rows=_BATCH_ROWS,
            accuracy_min=plan.schooling.accuracy_min,
            value_miss_max=plan.schooling.value_miss_max,
            value_explained_min=plan.schooling.value_explained_min,
        )
        config = plan.config_of(0, seed)
        found = clone(plan.captures, place, config, study, plan.correction)
        write_json(found.facts(), gate)
    told = read_json(gate)
    if not told["passed"]:
        raise ApprenticeError(
            f"seed {seed}: the clone is right in {told['accuracy']:.1%} of its choices and misses "
            f"values by {told['value_miss']:.3f}, of which they explain "
            f"{told['value_explained']:.2f}; at least {plan.schooling.accuracy_min:.0%}, at most "
            f"{plan.schooling.value_miss_max:g} and more than "
            f"{plan.schooling.value_explained_min:g} are asked. "
            "Capture more episodes or clone for more epochs, in another root"
        )


def train_at(place: Path, config: TrainConfig, tell: Callable[[float], None]) -> None:
    """A run from its beginning or from where it stands; nothing where it is complete."""

    def noticed(progress: training.Progress) -> None:
        tell(progress.env_steps_total / progress.target_env_steps)

    if place.exists() and not is_held(place) and not any((place / CHECKPOINTS).glob("*")):
        # It was killed before its first checkpoint, and there is nothing to go on from.
        shutil.rmtree(place)
    if not place.exists():
        training.start(config, tell=noticed)
    elif RunFolder.open(place).status() != "completed":
        training.resume(place, tell=noticed, threads=config.run.threads)


def _be_judged(plan: Plan, seed: int, at: int, place: Path, name: str) -> None:
    called = f"{name}-{seed}"
    # Before the policy is loaded, which takes longer.
    if not is_judged(plan, called):
        examine(plan, worlds.get(plan.world), called, player_at(place, plan.config_of(at, seed)))


def player_at(place: Path, config: TrainConfig) -> Player:
    """The newest policy of a run, or the one in a folder of its own, as it is judged."""
    entry = worlds.get(config.world.id)
    settings = parse_config(entry.config, config.world.settings, where=entry.id)
    layout = entry.make(settings, 1, 1, "same_step").layout
    # So small a network is slower when its rows are shared out among threads.
    torch.set_num_threads(1)
    return player_of(checkpoint_at(place), config, layout, place.name, greedy=True)
