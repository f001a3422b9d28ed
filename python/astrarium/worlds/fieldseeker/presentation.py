"""The boat in words."""

from __future__ import annotations

from typing import Final

from astrarium.worlds.presentation import Presentation

PRESENTATION: Final = Presentation(
    guidance=(
        "A fire burns somewhere on the sea; the boat feels the fields around it, nothing else.",
        "Turn towards the warmth and slow down as it becomes strong: within 150 m it is found.",
    ),
)
