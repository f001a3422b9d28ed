"""What to build when a faction invests: whatever mends most of what it lacks, piece by piece."""

from __future__ import annotations

from collections import Counter
from typing import Final

from astrarium.campaign.economy import efficiency
from astrarium.campaign.state import Faction, Node
from astrarium.campaign.supplies import balances
from astrarium.campaign.today import Today

PLENTY_DAYS: Final = 80.0
"""With stores for so long nobody builds works."""
_MARGIN: Final = 0.1
"""A faction wants to make so much more than it uses."""
_KINDS: Final = ("desalination", "kelp", "refinery")


def wanted(today: Today, faction: Faction, seat: Node) -> dict[str, int]:
    """The works one decision would pay for, by kind; none while all is well."""
    if min(faction.supply_days.values()) > PLENTY_DAYS:
        return {}
    well = efficiency(today, faction, seat)
    chosen: Counter[str] = Counter()
    for _ in range(today.plan.investment.facilities):
        lacks = {kind: _lack(today, faction, well, chosen + Counter([kind])) for kind in _KINDS}
        best = min(lacks, key=lambda kind: (lacks[kind], kind))
        if lacks[best] >= _lack(today, faction, well, chosen):
            break
        chosen[best] += 1
    return dict(chosen)


def _lack(today: Today, faction: Faction, well: float, more: Counter[str]) -> float:
    """How far a faction is from making what it uses; squared, so that the worst counts most."""
    left = balances(today, faction.id, well, more).values()
    return sum(max(0.0, _MARGIN - share) ** 2 for share in left)
