"""Blocks of a town that its state alone cannot tell: what a step paid and what it changed.

`world.block` tells a town as it is. What is told here follows from the arrays of a step, from its
happenings, and from the ties there were before, so no town has to keep any of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from astrarium.worlds.native import NativeVectorWorld

BLOCKS: Final = ("relationship_updates", "reward_breakdown", "social_events")
SOCIAL_KEPT: Final = 60
"""Social events that are told at once."""
SOCIAL_KINDS: Final = frozenset(
    (
        "chat_success",
        "chat_failure",
        "shared_meal",
        "queue_interaction",
        "queue_conflict",
        "rivalry_avoidance",
        "employment_helped_when_late",
        "employment_took_my_shift",
        "public_argument",
    )
)
"""Events between two people."""
_SOCIAL_TERMS: Final = ("social_bonus", "social_penalty", "social_avoidance")
GUARDRAIL: Final = "guardrail"
"""The event of a step in which what would have pleased is withheld close to an exit."""
_DIGITS: Final = 6
"""Ties are counted in millionths."""

Ties = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By owner and by whom they know, as the block `relationships` tells them."""


class Panels:
    """Looks at one watched town after every step."""

    def __init__(self, world: NativeVectorWorld, index: int = 0) -> None:
        self._world: Final = world
        self._index: Final = index
        self._episode = self._present()
        self._ties: Ties = world.block(index, "relationships")
        self._seats = seats_of(world, index)
        self._social: Final[deque[dict[str, Any]]] = deque(maxlen=SOCIAL_KEPT)

    def observe(self) -> dict[str, Any]:
        """The blocks of the last step, by name; once after each.

        Where that step ended an episode and began the next one, its rewards are those of the people
        of the ended one, and between the ties of two episodes there is no difference to tell.
        """
        world, index = self._world, self._index
        before, self._ties = self._ties, world.block(index, "relationships")
        were, self._seats = self._seats, seats_of(world, index)
        last, self._episode = self._episode, self._present()
        anew = last != self._episode
        happened = world.happenings(index)
        self._social.extend(one for one in happened if one["event"] in SOCIAL_KINDS)
        told = (
            {} if anew else relationship_updates(before, self._ties),
            _breakdowns(world, index, were if anew and self._has_ended() else self._seats),
            list(reversed(self._social)),
        )
        return dict(zip(BLOCKS, told, strict=True))

    def _present(self) -> tuple[int, int]:
        """Which episode goes on."""
        world, index = self._world, self._index
        return int(world.episode[index]), int(world.episode_seed[index])

    def _has_ended(self) -> bool:
        """Whether the last step is one that ended an episode."""
        ended = self._world.terminated[self._index] | self._world.truncated[self._index]
        return self._world.autoreset == "same_step" and bool(ended.any())


def relationship_updates(before: Ties, after: Ties) -> dict[str, dict[str, dict[str, float]]]:
    """How much the ties of those who are still there changed; one that was lost falls to 0."""
    updates: dict[str, dict[str, dict[str, float]]] = {}
    for owner, now in after.items():
        old = before.get(owner, {})
        changed = {
            other: delta
            for other in dict.fromkeys((*old, *now))
            if any((delta := _delta(old.get(other, {}), now.get(other, {}))).values())
        }
        if changed:
            updates[owner] = changed
    return updates


def _delta(old: Mapping[str, float], now: Mapping[str, float]) -> dict[str, float]:
    return {
        name: round(now.get(name, 0.0) - old.get(name, 0.0), _DIGITS)
        for name in dict.fromkeys((*old, *now))
    }


def seats_of(world: NativeVectorWorld, index: int) -> dict[str, int]:
    """Where everybody in play sits."""
    portrait = world.portrait(index)
    assert portrait is not None
    return {name: one["seat"] for name, one in portrait["agents"].items()}


def reward_breakdown(world: NativeVectorWorld, index: int) -> dict[str, dict[str, float | bool]]:
    """What the last step paid everybody in play, term by term; no episode ended in it."""
    return _breakdowns(world, index, seats_of(world, index))


def _breakdowns(
    world: NativeVectorWorld, index: int, seats: Mapping[str, int]
) -> dict[str, dict[str, float | bool]]:
    names, rows = world.layout.terms, world.terms[index]
    guarded = world.events[index] >> world.layout.events.index(GUARDRAIL) & 1
    return {
        name: breakdown(
            dict(zip(names, rows[seat].tolist(), strict=True)), guardrail=bool(guarded[seat])
        )
        for name, seat in seats.items()
    }


def breakdown(terms: Mapping[str, float], *, guardrail: bool) -> dict[str, float | bool]:
    """The terms of one reward, their sums, and what took something of it.

    `guardrail` is whether the event of that name fired: nothing pleased whoever is about to leave.
    Then nothing is left for the limits of a tick and of a life to cut.
    """
    return {
        **terms,
        "social": sum(terms[name] for name in _SOCIAL_TERMS),
        "total": sum(terms.values()),
        "clipped": bool(terms["clip_adjustment"]) and not guardrail,
        "guardrail_active": guardrail,
    }
