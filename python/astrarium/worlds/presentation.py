"""How a world introduces itself to people: which drawing to use, and words for its actions.

Everything here is optional. A world that says nothing is drawn plainly and its actions are called
by their names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from astrarium.worlds.registry import WorldEntry

PLAIN: Final = "plain"
"""The drawing that fits any world."""


def _no_hotkeys() -> dict[str, int]:
    return {}


@dataclass(frozen=True, slots=True)
class ActionGroup:
    """Actions of the first head that serve one intent."""

    title: str
    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """One of several heads, as a player sets it while the others stay as they are."""

    title: str
    labels: tuple[str, ...]
    lasting: bool = False
    """Whether a choice stays until another is made; else it holds for one step."""
    rest: int = 0
    """What is chosen while nobody has chosen."""
    hotkeys: Mapping[str, int] = field(default_factory=_no_hotkeys)
    """Keys of a keyboard and the choice each makes."""
    more: str | None = None
    """The key for the next possible choice."""
    less: str | None = None
    """The key for the one before."""


@dataclass(frozen=True, slots=True)
class Presentation:
    """Words and drawing of a world; lists by action speak of the first head."""

    scene: str = PLAIN
    """The name of the drawing module."""
    groups: tuple[ActionGroup, ...] = ()
    labels: tuple[str, ...] = ()
    """What people call each action."""
    hints: tuple[str | None, ...] = ()
    """What each action costs or does, where that is not plain."""
    hotkeys: Mapping[str, int] = field(default_factory=_no_hotkeys)
    """Keys of a keyboard and the action each takes."""
    heads: tuple[Head, ...] = ()
    """How each head is set, where there are several; without them nobody can play by hand."""
    guidance: tuple[str, ...] = ()
    """How to begin, a line each."""


def presented(entry: WorldEntry) -> Presentation:
    """What a world says of itself, with plain words wherever it says nothing."""
    told, names = entry.presentation, entry.action_names[0] if entry.action_names else ()
    return replace(
        told,
        groups=told.groups
        or ((ActionGroup("Actions", tuple(range(len(names)))),) if names else ()),
        labels=told.labels or tuple(map(readable, names)),
        hints=told.hints or (None,) * len(names),
    )


def readable(name: str) -> str:
    """An action's name as words: `HOLD_DRIFT` is `Hold drift`."""
    return name.replace("_", " ").strip().capitalize()
