"""Is the war fair? Many wars, who won them, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from astrarium.campaign.day import Fight
from astrarium.campaign.plan import Plan
from astrarium.campaign.state import War
from astrarium.campaign.warring import arena, rehearse

WINS_MAX: Final = 0.8
"""No faction shall win more of the wars than this."""


@dataclass(frozen=True)
class Balance:
    """What came of many wars."""

    wars: tuple[War, ...]
    days: int

    def share(self, faction: str) -> float:
        """The share of wars a faction won."""
        return sum(war.winner == faction for war in self.wars) / len(self.wars)

    @property
    def is_fair(self) -> bool:
        """Whether nobody wins too often."""
        return all(self.share(name) <= WINS_MAX for name in self.wars[0].factions)


def weigh(
    plan: Plan,
    seeds: range,
    days: int,
    fight: Fight = arena,
    told: Callable[[War], None] = lambda war: None,
) -> Balance:
    """Wage a war for each seed."""
    wars: list[War] = []
    for seed in seeds:
        wars.append(rehearse(plan, seed, days, fight))
        told(wars[-1])
    return Balance(tuple(wars), days)


def table(plan: Plan, balance: Balance) -> str:
    """The wars as Markdown: a line each, then who won how many."""
    names = {faction.id: faction.name for faction in plan.factions}
    lines = [
        "| Seed | Days | Winner | How | Battles | of them convoy raids | Ships lost | Dead | Log |",
        "| ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for war in balance.wars:
        raids = sum(battle.kind == "convoy" for battle in war.battles)
        lines.append(
            f"| {war.seed} | {war.day} | {names.get(war.winner or '', 'nobody')} | "
            f"{war.ended_by.replace('_', ' ')} | {len(war.battles)} | {raids} | "
            f"{war.hulls_lost} | {war.dead:,} | `{war.log_hash[:8]}` |"
        )
    won = Counter(war.winner for war in balance.wars)
    shares = [f"{names[name]} {won[name]}" for name in names]
    lines += ["", f"Won: {', '.join(shares)}, nobody {won[None]}, of {len(balance.wars)}."]
    return "\n".join(lines)
