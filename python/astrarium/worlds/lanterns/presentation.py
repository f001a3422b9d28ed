"""The keepers' orders in words."""

from __future__ import annotations

from typing import Final

from astrarium.worlds.presentation import ActionGroup, Presentation

PRESENTATION: Final = Presentation(
    groups=(ActionGroup("Walk", (0, 1, 2)),),
    labels=("Walk left", "Stay", "Walk right"),
    hints=("1 oil", "1 oil", "1 oil"),
    hotkeys={"a": 0, "s": 1, "d": 2},
    guidance=(
        "Every tick burns 1 oil, and lighting a lamp 2 more; the depot at cell 0 fills the can.",
        "The wind blows out lamps: light the dark ones, and turn home before the oil is gone.",
    ),
)
