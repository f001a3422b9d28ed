"""How a faction is ruled: capital, legitimacy, blocs, and governments that fall."""

from __future__ import annotations

import math

from astrarium.campaign.plan import Government
from astrarium.campaign.state import Faction
from astrarium.campaign.today import Today


def latency(today: Today, faction: Faction, purpose: str) -> int:
    """Days a decision waits, by the form of government."""
    least, most = today.plan.governments[faction.government].latency
    return today.draws.days(least, most, faction.id, f"latency {purpose}")


def hear_blocs(today: Today, faction: Faction, action: str) -> None:
    """What the blocs make of a decision."""
    rules = today.plan.governance
    for name, bloc in faction.blocs.items():
        wishes = today.plan.blocs[name]
        satisfaction, radicalisation = rules.ignored
        if action in wishes.supports:
            satisfaction, radicalisation = rules.supported
        elif action in wishes.opposes:
            satisfaction, radicalisation = (-change for change in rules.supported)
        bloc.satisfaction = _share(bloc.satisfaction + satisfaction)
        bloc.radicalisation = _share(bloc.radicalisation + radicalisation)


def pull(today: Today, faction: Faction, action: str) -> float:
    """How much more a faction wants an action because its blocs shout for or against it."""
    wish = 0.0
    for name, bloc in faction.blocs.items():
        wishes = today.plan.blocs[name]
        wish += bloc.radicalisation * ((action in wishes.supports) - (action in wishes.opposes))
    return 1.0 + today.plan.governance.bloc_pull * wish


def fortune(today: Today, faction: Faction, sign: int) -> None:
    """A victory or a defeat."""
    factor = today.plan.governments[faction.government].fortune_factor
    change = sign * today.plan.governance.fortune * factor
    faction.legitimacy = _share(faction.legitimacy + change)


def govern(today: Today) -> None:
    """The evening of governments: legitimacy, capital, morale, and whether they last."""
    rules = today.plan.governance
    for faction in today.war.factions.values():
        form = today.plan.governments[faction.government]
        change = rules.drift * (form.legitimacy + _content(today, faction) - faction.legitimacy)
        change += rules.prosperity * faction.prosperity
        change += rules.shortage if faction.short else 0.0
        faction.legitimacy = _share(faction.legitimacy + change)
        faction.capital = min(form.capital_cap, faction.capital + form.capital_regen)
        _last(today, faction)
        _take_heart(today, faction)


def _content(today: Today, faction: Faction) -> float:
    """How far a government stands above or below its kind in the eyes of its blocs."""
    moods = [bloc.satisfaction for bloc in faction.blocs.values()]
    return today.plan.governance.bloc_legitimacy * (math.fsum(moods) / len(moods) - 0.5)


def _last(today: Today, faction: Faction) -> None:
    rules = today.plan.governance
    if faction.legitimacy >= rules.falling:
        faction.change_due = 0
    elif not faction.change_due:
        wait = today.draws.days(1, rules.falling_days, faction.id, "fall")
        faction.change_due = today.war.day + wait
    elif today.war.day >= faction.change_due:
        others: list[Government] = [f for f in today.plan.governments if f != faction.government]
        drawn = today.draws.days(0, len(others) - 1, faction.id, "government")
        faction.government, faction.change_due = others[drawn], 0
        faction.legitimacy = rules.new_legitimacy
        faction.queue = []
        text = f"{today.name(faction.id)} changes its government: {faction.government}"
        today.tell("government", text, faction=faction.id)


def _take_heart(today: Today, faction: Faction) -> None:
    rules = today.plan.morale
    mood = rules.base + rules.prosperity * faction.prosperity
    mood += rules.legitimacy * (faction.legitimacy - 0.5) + faction.morale_bias
    faction.morale = _share(mood)
    faction.morale_bias *= rules.memory


def _share(value: float) -> float:
    return max(0.0, min(1.0, value))
