"""Hosts of a real task with little data: an epoch is one batch, so that a test can take many."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import torch

from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import Op, Tempo
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.entry import WORLDS, EsperConfig
from astrarium.esper.episode import HostEpisode
from astrarium.esper.phases import TaskData
from astrarium.esper.tasks import load, task
from astrarium.esper.tasks.dataset import Dataset, Part
from astrarium.esper.world import EsperWorld
from astrarium.worlds import WorldEntry
from astrarium.worlds.vector import Autoreset

TASK = "digits_impaired"


def few(part: Part, count: int) -> Part:
    return Part(part.inputs[:count].copy(), part.labels[:count].copy())


@cache
def little_data() -> TaskData:
    whole = load(TASK)
    parts = Dataset(few(whole.train, 48), few(whole.validation, 40), few(whole.test, 8))
    return TaskData(task(TASK), parts, torch.device("cpu"))


def make(
    config: EsperConfig, count: int, threads: int = 1, autoreset: Autoreset = "same_step"
) -> EsperWorld:
    return EsperWorld(TASK, config, count, threads, autoreset, little_data())


def little_world(
    count: int = 2, threads: int = 1, autoreset: Autoreset = "same_step", **settings: Any
) -> EsperWorld:
    return make(EsperConfig(**settings), count, threads, autoreset)


def little_entry() -> WorldEntry:
    """The registered world, on little data."""
    entry = next(one for one in WORLDS if one.id == "esper-digits-impaired-v1")
    return dataclasses.replace(entry, make=make)


def begun(seed: int = 3, **settings: Any) -> HostEpisode:
    """An episode after its first epoch."""
    episode = HostEpisode(little_data(), EsperConfig(**settings).rules(little_data()), seed)
    assert episode.proceed() is None
    return episode


def grow_next(episode: HostEpisode, blueprint: str = "conv_light") -> ActionSpec:
    """The next action of somebody who grows one seed after the other, as fast as it goes."""
    legal, slots = episode.masks(), episode.network.slot_ids
    for op in (Op.FOSSILIZE, Op.ADVANCE, Op.GERMINATE):
        for at, slot in enumerate(slots):
            if legal.allows(op, at) and (op is Op.GERMINATE or episode.network.would_move_on(slot)):
                chosen = blueprint if op is Op.GERMINATE else ""
                return ActionSpec(op, slot, blueprint=chosen, tempo=Tempo.FAST)
    return WAIT


def grown_until(stage: Stage, **settings: Any) -> HostEpisode:
    """An episode whose first seed has just got that far."""
    episode = begun(**settings)
    while episode.network.states()[0].stage is not stage:
        assert not episode.is_over, "the seed never got there"
        episode.decide(grow_next(episode))
        assert episode.proceed() is None
    return episode
