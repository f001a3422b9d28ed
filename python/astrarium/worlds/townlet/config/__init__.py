"""The configuration of a town: one file per group of nodes, and what must hold between them."""

from astrarium.worlds.townlet.config.tree import TownletConfig

__all__ = ["TownletConfig"]
