"""Worlds: the batch contract (`VectorWorld`), the registry, and one package per world."""

from astrarium.worlds.config import WorldConfig, parse_config
from astrarium.worlds.registry import Bot, WorldEntry, get, ids, make_vec, register
from astrarium.worlds.vector import Autoreset, Layout, VectorWorld

__all__ = [
    "Autoreset",
    "Bot",
    "Layout",
    "VectorWorld",
    "WorldConfig",
    "WorldEntry",
    "get",
    "ids",
    "make_vec",
    "parse_config",
    "register",
]
