"""The scripted bots in the shape every world offers: views in, orders out."""

from __future__ import annotations

from functools import partial
from typing import Final

from astrarium.worlds.prospector import traders
from astrarium.worlds.prospector.bots import V1_BOTS
from astrarium.worlds.prospector.bots import Bot as ShipBot
from astrarium.worlds.prospector.planner import Planner
from astrarium.worlds.registry import Bot
from astrarium.worlds.vector import Actions, Flags, Floats, VectorWorld


def _play(bot: ShipBot, obs: Floats, mask: Flags) -> Actions:
    del mask  # these bots decide from the observation alone
    return bot(obs[:, 0])[:, None, None]


V1_PLAYERS: Final[dict[str, Bot]] = {name: partial(_play, bot) for name, bot in V1_BOTS.items()}
V2_PLAYERS: Final[dict[str, Bot]] = {
    **V1_PLAYERS,
    "short_trip": partial(_play, traders.short_trip),
    "hauler": partial(_play, traders.hauler),
}


def planner_for(world: VectorWorld) -> Bot:
    """The planner for the episodes `world` is in now."""
    return partial(_play, Planner(world).act)
