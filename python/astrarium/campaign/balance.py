"""Is the war fair? Many wars, who won them, and how."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from astrarium.campaign.captains import arena
from astrarium.campaign.day import Fight
from astrarium.campaign.plan import Plan
from astrarium.campaign.state import War
from astrarium.campaign.warring import rehearse

WINS_MAX: Final = 0.8
"""No faction shall win more of the wars than this."""
YEAR: Final = 365
BATTLES_MIN: Final = 5
EVENTFUL_MIN: Final = 0.8
"""So many of the wars of a year shall have that many battles, a convoy raid among them."""
SECONDS_MAX: Final = 60
"""A war of a year shall take no longer on one core."""


@dataclass(frozen=True)
class Balance:
    """What came of many wars."""

    wars: tuple[War, ...]
    days: int
    seconds: tuple[float, ...]
    """What each war took."""

    def share(self, faction: str) -> float:
        """The share of wars a faction won."""
        return sum(war.winner == faction for war in self.wars) / len(self.wars)

    def faults(self) -> list[str]:
        """What is not as it should be; wars too short to be judged are not."""
        found = [
            f"{name} wins {self.share(name):.0%}, more than {WINS_MAX:.0%}"
            for name in self.wars[0].factions
            if self.share(name) > WINS_MAX
        ]
        if self.days < YEAR:
            return found
        eventful = sum(map(is_eventful, self.wars)) / len(self.wars)
        if eventful < EVENTFUL_MIN:
            found.append(
                f"{eventful:.0%} of the wars have {BATTLES_MIN} battles and a convoy raid, fewer "
                f"than {EVENTFUL_MIN:.0%}"
            )
        if max(self.seconds) > SECONDS_MAX * self.days / YEAR:
            found.append(f"a war took {max(self.seconds):.0f} s, a year more than {SECONDS_MAX} s")
        return found


def is_eventful(war: War) -> bool:
    """Whether enough was fought, a convoy raid among it."""
    raided = any(battle.kind == "convoy" for battle in war.battles)
    return raided and len(war.battles) >= BATTLES_MIN


def weigh(
    plan: Plan,
    seeds: range,
    days: int,
    fight: Fight = arena,
    told: Callable[[War], None] = lambda war: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Balance:
    """Wage a war for each seed."""
    wars, seconds = list[War](), list[float]()
    for seed in seeds:
        began = clock()
        wars.append(rehearse(plan, seed, days, fight))
        seconds.append(clock() - began)
        told(wars[-1])
    return Balance(tuple(wars), days, tuple(seconds))


def table(plan: Plan, balance: Balance) -> str:
    """The wars as Markdown: a line each, then who won how many."""
    names = {faction.id: faction.name for faction in plan.factions}
    lines = [
        "| Seed | Days | Winner | How | Battles | Raids | Ships lost | Dead | Seconds | Log |",
        "| ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for war, seconds in zip(balance.wars, balance.seconds, strict=True):
        raids = sum(battle.kind == "convoy" for battle in war.battles)
        lines.append(
            f"| {war.seed} | {war.day} | {names.get(war.winner or '', 'nobody')} | "
            f"{war.ended_by.replace('_', ' ')} | {len(war.battles)} | {raids} | "
            f"{war.hulls_lost} | {war.dead:,} | {seconds:.1f} | `{war.log_hash[:8]}` |"
        )
    won = Counter(war.winner for war in balance.wars)
    shares = [f"{names[name]} {won[name]}" for name in names]
    lines += ["", f"Won: {', '.join(shares)}, nobody {won[None]}, of {len(balance.wars)}."]
    eventful = sum(map(is_eventful, balance.wars))
    lines.append(
        f"At least {BATTLES_MIN} battles and a convoy raid: {eventful} of {len(balance.wars)} "
        f"wars. The longest took {max(balance.seconds):.1f} s on one core."
    )
    lines += [f"**Missed:** {fault}." for fault in balance.faults()]
    return "\n".join(lines)
