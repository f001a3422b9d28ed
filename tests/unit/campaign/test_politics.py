"""Governments, treaties and choices."""

import pytest

from astrarium.campaign import choices, decisions, governance, relations
from astrarium.campaign.book import PEOPLE
from astrarium.campaign.state import Decision
from astrarium.campaign.today import Today


@pytest.mark.parametrize(
    ("form", "least", "most"), [("autocracy", 0, 1), ("corporate", 2, 5), ("representative", 5, 15)]
)
def test_decisions_wait_as_long_as_the_government_is_slow(
    today: Today, form: str, least: int, most: int
) -> None:
    faction = today.war.factions["accord"]
    faction.government = form  # type: ignore[assignment]
    waits = {governance.latency(today, faction, str(i)) for i in range(300)}
    assert waits == set(range(least, most + 1))


def test_legitimacy_drifts_follows_prosperity_and_falls_with_shortage(today: Today) -> None:
    accord, dominion = today.war.factions.values()
    accord.legitimacy, accord.prosperity, accord.short = 0.5, 1.0, []
    dominion.legitimacy, dominion.prosperity, dominion.short = 0.5, 0.0, ["food"]
    governance.govern(today)
    assert accord.legitimacy == pytest.approx(0.5 + 0.01 * 0.15 + 0.004)
    assert dominion.legitimacy == pytest.approx(0.5 - 0.02)


def test_fortune_counts_more_for_an_autocrat(today: Today) -> None:
    accord, dominion = today.war.factions.values()
    accord.legitimacy = dominion.legitimacy = 0.5
    governance.fortune(today, accord, 1)
    governance.fortune(today, dominion, -1)
    assert (accord.legitimacy, dominion.legitimacy) == pytest.approx((0.55, 0.425))


def test_a_government_nobody_believes_in_changes_within_ten_days(today: Today) -> None:
    faction = today.war.factions["dominion"]
    for _ in range(11):
        faction.legitimacy, faction.short = min(faction.legitimacy, 0.1), ["food"]
        governance.govern(today)
        today.war.day += 1
        if faction.government != "autocracy":
            return
    raise AssertionError("it is still there")


def test_blocs_remember_what_was_decided(today: Today) -> None:
    faction = today.war.factions["accord"]
    governance.hear_blocs(today, faction, "invade")
    moods = {name: (b.satisfaction, b.radicalisation) for name, b in faction.blocs.items()}
    assert moods["militarist"] == pytest.approx((0.55, 0.18))
    assert moods["trader"] == pytest.approx((0.45, 0.22))
    assert moods["technocrat"] == pytest.approx((0.48, 0.21))


def test_content_blocs_carry_a_government_and_bitter_ones_wear_it_down(today: Today) -> None:
    accord, dominion = today.war.factions.values()
    for faction, mood in ((accord, 1.0), (dominion, 0.0)):
        faction.legitimacy, faction.prosperity, faction.short = 0.5, 0.0, []
        for bloc in faction.blocs.values():
            bloc.satisfaction = mood
    governance.govern(today)
    assert accord.legitimacy == pytest.approx(0.5 + 0.01 * (0.65 + 0.2 * 0.5 - 0.5))
    assert dominion.legitimacy == pytest.approx(0.5 + 0.01 * (0.5 - 0.2 * 0.5 - 0.5))


def test_an_attack_breaks_treaties_and_is_not_forgotten(today: Today) -> None:
    today.war.relations.treaties = {"trade": 1, "non_aggression": 1}
    today.war.relations.disposition = 0.9
    relations.attack(today, "dominion", "r0-r1", "a raid")
    assert today.war.relations.treaties == {}
    assert -0.2 <= today.war.relations.disposition <= 0.1 + 1e-9


def test_friends_sign_whatever_is_offered(today: Today) -> None:
    offer = Decision("diplomacy", "non_aggression", "dominion", "", 1, 1)
    relations_now, other = today.war.relations, today.war.factions["dominion"]
    other.supply_days = dict.fromkeys(other.supply_days, 900.0)
    relations_now.disposition = today.plan.relations.hostile + 0.01
    assert not decisions._accepts(today, offer)
    relations_now.disposition = today.plan.relations.friendly + 0.01
    assert decisions._accepts(today, offer)
    relations_now.at_war = True
    assert not decisions._accepts(today, offer)


def test_war_comes_when_nothing_is_left_to_say_unless_guns_are_to_be_silent(today: Today) -> None:
    state = today.war.relations
    state.disposition, state.treaties = -0.8, {"ceasefire": today.war.day}
    relations.drift(today)
    assert not state.at_war
    state.treaties = {}
    relations.drift(today)
    assert state.at_war


def test_a_ceasefire_sends_prisoners_home(today: Today) -> None:
    today.war.relations.at_war = True
    ship = today.war.ships["D001"]
    today.book.enter(PEOPLE, 40, "ship D001", "cells r0")
    ship.fit -= 40
    today.war.nodes["r0"].prisoners["dominion"] = 40
    before = today.war.nodes["r4"].population
    relations.agree(today, "ceasefire")
    assert today.war.nodes["r4"].population == before + 40
    assert not today.war.relations.at_war
    today.book.reconcile()


def test_the_best_affordable_action_is_taken_and_paid_for(today: Today) -> None:
    faction = today.war.factions["dominion"]
    faction.points = 60.0
    wanted = choices.best(today, faction)
    assert wanted is not None
    assert wanted.score == max(
        option.score * governance.pull(today, faction, option.action)
        for option in choices.options(today, faction)
    )
    choices.choose(today)
    assert faction.points == 60.0 - today.plan.actions[wanted.action]
    assert [d.action for d in faction.queue] == [wanted.action]


def test_nobody_invades_before_its_day(today: Today) -> None:
    faction = today.war.factions["dominion"]
    faction.points, today.war.relations.at_war = 60.0, True
    today.war.nodes["r1"].siege = None
    for ship in today.war.ships.values():
        if ship.hull == "platform":
            ship.marines = 0
    today.war.day = 89
    assert not any(o.action == "invade" for o in choices.options(today, faction))
    today.war.day = 90
    assert any(o.action == "invade" for o in choices.options(today, faction))


def test_offices_that_nobody_obeys_lose_a_quarter_of_what_is_decided(today: Today) -> None:
    faction = today.war.factions["accord"]
    faction.legitimacy = 0.3
    faction.queue = [
        Decision("covert", "sabotage", "r4", "", day, today.war.day) for day in range(400)
    ]
    failed = 0
    for decision in faction.queue:
        faction.queue = [decision]
        decision.kind = f"sabotage {decision.decided}"
        before = len(today.records)
        decisions.carry_out(today)
        failed += any(record["kind"] == "failed" for record in today.records[before:])
    assert 70 <= failed <= 130
