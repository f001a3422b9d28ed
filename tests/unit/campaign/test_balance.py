"""What is asked of many wars, and what is said where they miss it."""

import itertools

import pytest
import stand_in

from astrarium.campaign.balance import Balance, table, weigh
from astrarium.campaign.plan import Plan
from astrarium.campaign.state import Fought, War


def ended(war: War, winner: str | None, raids: int, fleets: int) -> War:
    war = war.copy()
    kinds = ["convoy"] * raids + ["fleet"] * fleets
    war.winner, war.day = winner, 365
    war.battles = [
        Fought(str(n), 1, "r0", kind, None, "time", 1.0, {}) for n, kind in enumerate(kinds)
    ]
    return war


def faults(war: War, *, winners: str = "adn-", raids: int = 1, fleets: int = 4, most: float = 9.0):
    named = {"a": "accord", "d": "dominion"}
    wars = tuple(ended(war, named.get(letter), raids, fleets) for letter in winners)
    return Balance(wars, 365, (most,) * len(wars)).faults()


def test_fair_and_eventful_wars_have_no_fault(war: War) -> None:
    assert faults(war) == []
    assert faults(war, winners="dddda") == [], "four of five is as much as is allowed"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"winners": "dddddda"}, "dominion wins 86%"),
        ({"winners": "aaaaaad"}, "accord wins 86%"),
        ({"raids": 0, "fleets": 9}, "0% of the wars have 5 battles and a convoy raid"),
        ({"raids": 1, "fleets": 3}, "0% of the wars have 5 battles and a convoy raid"),
        ({"most": 61.0}, "a war took 61 s"),
    ],
)
def test_whatever_is_missed_is_said(war: War, given: dict[str, object], words: str) -> None:
    (fault,) = faults(war, **given)  # type: ignore[arg-type]
    assert words in fault


def test_a_short_war_is_not_asked_for_battles(war: War) -> None:
    assert Balance((ended(war, None, 0, 0),), 20, (99.0,)).faults() == []


def test_the_table_has_a_line_and_the_seconds_of_every_war(plan: Plan) -> None:
    ticks = itertools.count()
    weighed = weigh(plan, range(1, 3), 5, stand_in.fight, clock=lambda: next(ticks) * 2.5)
    assert weighed.seconds == (2.5, 2.5)
    text = table(plan, weighed)
    for war in weighed.wars:
        assert f"| 2.5 | `{war.log_hash[:8]}` |" in text
    assert "0 of 2 wars. The longest took 2.5 s on one core." in text
