"""Who gives the orders of a scenario: a bot, chance, or a list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from astrarium.errors import ConfigError, did_you_mean
from astrarium.playthroughs.scenario import Order, Scenario
from astrarium.worlds import VectorWorld, WorldEntry
from astrarium.worlds.orders import placed
from astrarium.worlds.vector import Actions, Floats

Player = Callable[[int, VectorWorld], Actions]
"""Actions (1, m, H) for the step that begins at the given tick; controls go straight to the
world."""

_WORD: Final = 64


def player_of(entry: WorldEntry, scenario: Scenario) -> Player:
    """The one who plays a scenario."""
    if scenario.bot is not None:
        bot = entry.bots[scenario.bot]
        return lambda _, world: placed(world, bot(world.obs, world.mask))
    if scenario.random_legal is not None:
        # The raw words of PCG64 are promised to stay as they are; what NumPy's Generator makes
        # of them is not, and would rewrite transcripts with a new NumPy.
        return partial(_random_legal, np.random.PCG64(scenario.random_legal))
    rows = [_row(entry, scenario, at) for at in range(scenario.steps)]
    return lambda step, world: _listed(world, *rows[step])


def _random_legal(source: np.random.PCG64, _: int, world: VectorWorld) -> Actions:
    layout = world.layout
    actions = np.zeros(world.actions.shape, np.int32)
    for agent in range(layout.agents):
        first = 0
        for head, size in enumerate(layout.heads):
            legal = np.flatnonzero(world.mask[0, agent, first : first + size])
            first += size
            if legal.size:
                lot = int(source.random_raw())
                actions[0, agent, head] = legal[lot * legal.size >> _WORD]
        for control in range(layout.controls):
            world.controls[0, agent, control] = int(source.random_raw()) / 2.0 ** (_WORD - 1) - 1.0
    return actions


def _listed(world: VectorWorld, actions: Actions, controls: Floats) -> Actions:
    world.controls[..., : controls.shape[-1]] = controls
    return actions


def _row(entry: WorldEntry, scenario: Scenario, at: int) -> tuple[Actions, Floats]:
    assert scenario.orders is not None
    given = scenario.orders[at]
    row = given if isinstance(given, tuple) else (given,)
    heads, agents = len(entry.action_names), len(entry.agent_names)
    width = heads + len(entry.control_names)
    where = f"{scenario.name}: orders[{at}]"
    if len(row) != agents * width:
        raise ConfigError(
            f"{where} has {len(row)} choices; give {agents * width}, "
            f"{width} for each of {agents} agents"
        )
    actions = np.zeros((1, agents, heads), np.int32)
    controls = np.zeros((1, agents, width - heads), np.float32)
    for place, order in enumerate(row):
        agent, slot = divmod(place, width)
        if slot < heads:
            actions[0, agent, slot] = _index(entry.action_names[slot], order, where)
        else:
            controls[0, agent, slot - heads] = _position(order, where)
    return actions, controls


def _position(order: Order, where: str) -> float:
    if isinstance(order, str):
        raise ConfigError(f"{where}: {order!r} is no position of a control; give a number")
    return float(order)


def _index(names: tuple[str, ...], order: Order, where: str) -> int:
    if isinstance(order, float):
        raise ConfigError(f"{where}: {order} is no choice; give a name or a whole number")
    if isinstance(order, int):
        return order
    if order not in names:
        raise ConfigError(f"{where}: no choice is called {order!r}{did_you_mean(order, names)}")
    return names.index(order)
