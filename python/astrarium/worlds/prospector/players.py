"""The scripted bots in the shape every world offers: views in, orders out."""

from __future__ import annotations

from functools import partial
from typing import Final

from astrarium.worlds.prospector.bots import V1_BOTS
from astrarium.worlds.prospector.bots import Bot as ShipBot
from astrarium.worlds.registry import Bot
from astrarium.worlds.vector import Actions, Flags, Floats


def _play(bot: ShipBot, obs: Floats, mask: Flags) -> Actions:
    del mask  # these bots decide from the observation alone
    return bot(obs[:, 0])[:, None, None]


V1_PLAYERS: Final[dict[str, Bot]] = {name: partial(_play, bot) for name, bot in V1_BOTS.items()}
