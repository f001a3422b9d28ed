"""Playthroughs: readable transcripts of episodes, committed and replayed line by line."""

from astrarium.playthroughs.scenario import Scenario, find, scenarios_of, scenarios_path
from astrarium.playthroughs.store import (
    Answer,
    committed_folder,
    mint,
    path_of,
    strays,
    verify,
    written,
)

__all__ = [
    "Answer",
    "Scenario",
    "committed_folder",
    "find",
    "mint",
    "path_of",
    "scenarios_of",
    "scenarios_path",
    "strays",
    "verify",
    "written",
]
