"""Townlet: residents with needs, jobs, queues and rivals share a small town."""

from typing import Final

from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.entry import ENTRY
from astrarium.worlds.townlet.loading import LoadedTown, load, shipped_towns
from astrarium.worlds.townlet.reloading import Change, changes, config_id, reload_class

WORLDS: Final = (ENTRY,)

__all__ = [
    "WORLDS",
    "Change",
    "LoadedTown",
    "TownletConfig",
    "changes",
    "config_id",
    "load",
    "reload_class",
    "shipped_towns",
]
