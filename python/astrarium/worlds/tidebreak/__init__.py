"""Tidebreak: naval battles over three depth layers."""

from typing import Final

from astrarium.worlds.tidebreak.arena import Arena, simulate
from astrarium.worlds.tidebreak.config import TidebreakConfig
from astrarium.worlds.tidebreak.entry import ENTRY
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.tidebreak.result import BattleResult

WORLDS: Final = (ENTRY,)

__all__ = ["WORLDS", "Arena", "BattlePackage", "BattleResult", "TidebreakConfig", "simulate"]
