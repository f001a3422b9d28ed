"""The day's book: every movement of resources, people and hulls, entered twice.

Whatever moves goes from one account to another. At the end of a day each account must hold what
it held in the morning and what the book says came and went; whatever changed a store behind the
book's back shows there, by account and item.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Final

from astrarium.campaign.state import War
from astrarium.errors import AstrariumError

PEOPLE: Final = "people"
HULLS: Final = "hulls"
TOLERANCE: Final = 1e-9
"""Of what passed through an account; people and hulls are counted to the unit."""
MADE, USED, SPOILED, SEA, DEAD = "made", "used", "spoiled", "sea", "dead"
"""Accounts outside the war: what comes into being and what is gone."""
OUTSIDE: Final = frozenset({MADE, USED, SPOILED, SEA, DEAD})

Account = tuple[str, str]
"""Whose and what: `("node r0", "food")`."""


class ReconciliationError(AstrariumError, ValueError):
    """The books of a day do not add up; the day is not applied."""


def holdings(war: War) -> dict[Account, float]:
    """What every account holds."""
    held: dict[Account, float] = {}
    hulls: dict[str, int] = defaultdict(int)
    for node in war.nodes.values():
        for resource, amount in node.stores.items():
            held[f"node {node.id}", resource] = amount
        held[f"node {node.id}", PEOPLE] = node.population
        held[f"cells {node.id}", PEOPLE] = sum(node.prisoners.values())
    for ship in war.ships.values():
        for resource, amount in ship.stores.items():
            held[f"ship {ship.id}", resource] = amount
        for resource, amount in ship.hold.items():
            held[f"hold {ship.id}", resource] = amount
        held[f"ship {ship.id}", PEOPLE] = ship.people
        hulls[ship.faction] += 1
    for faction in war.factions.values():
        in_work = [build.points for build in faction.builds]
        held[f"yards {faction.id}", "build points"] = math.fsum([faction.build_points, *in_work])
        held[f"faction {faction.id}", HULLS] = hulls[faction.id]
    held[DEAD, PEOPLE] = war.dead
    held[SEA, HULLS] = war.hulls_lost
    return held


class Book:
    """The movements of one day."""

    def __init__(self, war: War) -> None:
        self._war = war
        self._opening = holdings(war)
        self._entries: dict[Account, list[float]] = defaultdict(list)

    def enter(self, item: str, amount: float, source: str, target: str) -> None:
        """Write down a movement that the caller makes."""
        if not (math.isfinite(amount) and amount >= 0):
            raise ReconciliationError(f"{source} → {target}: {amount!r} {item} cannot move")
        if amount:
            self._entries[source, item].append(-amount)
            self._entries[target, item].append(amount)

    def move(self, item: str, amount: float, source: str, target: str) -> float:
        """Move a resource between stores, at most what there is; returns what moved."""
        stores = self._stores(source)
        if stores is not None:
            amount = min(amount, stores.get(item, 0.0))
        self.enter(item, amount, source, target)
        if stores is not None and amount:
            stores[item] = stores[item] - amount
        into = self._stores(target)
        if into is not None and amount:
            into[item] = into.get(item, 0.0) + amount
        return amount

    def reconcile(self) -> None:
        """Compare every account with the book. Raises a `ReconciliationError` naming the first."""
        closing = holdings(self._war)
        accounts = sorted({*self._opening, *closing, *self._entries})
        for account in accounts:
            entries = self._entries.get(account, [])
            before, after = self._opening.get(account, 0.0), closing.get(account, 0.0)
            name, item = account
            if name in OUTSIDE and account not in closing:
                continue
            expected = math.fsum([before, *entries])
            gross = math.fsum([abs(before), *map(abs, entries), 1.0])
            allowed = 0.0 if item in (PEOPLE, HULLS) else TOLERANCE * gross
            if not abs(after - expected) <= allowed:
                raise ReconciliationError(
                    f"day {self._war.day}: {name} holds {after!r} {item}, the book says "
                    f"{expected!r} ({before!r} in the morning)"
                )
        self._check_totals(closing)

    def _check_totals(self, closing: dict[Account, float]) -> None:
        """Nobody is born and nobody vanishes."""
        before = math.fsum(n for (_, item), n in self._opening.items() if item == PEOPLE)
        after = math.fsum(n for (_, item), n in closing.items() if item == PEOPLE)
        if before != after:
            raise ReconciliationError(
                f"day {self._war.day}: {after:.0f} people living and dead, {before:.0f} before"
            )
        negative = [account for account, amount in closing.items() if amount < 0]
        if negative:
            name, item = min(negative)
            raise ReconciliationError(f"day {self._war.day}: {name} holds less than no {item}")

    def _stores(self, account: str) -> dict[str, float] | None:
        """The stores behind an account; none for what lies outside the war."""
        kind, _, name = account.partition(" ")
        if kind == "node":
            return self._war.nodes[name].stores
        if kind == "ship":
            return self._war.ships[name].stores
        if kind == "hold":
            return self._war.ships[name].hold
        if account in OUTSIDE:
            return None
        raise ReconciliationError(f"there is no account {account!r}")
