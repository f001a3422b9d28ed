"""What is asked of the shipped war, held against wars that the arena fights."""

from __future__ import annotations

import pytest

from astrarium.campaign.balance import YEAR, is_eventful, weigh
from astrarium.campaign.plan import Plan
from astrarium.campaign.warring import rehearse


@pytest.mark.long
def test_nobody_wins_most_wars_and_nearly_every_war_is_fought(plan: Plan) -> None:
    """On the seeds that docs/campaign.md publishes."""
    # What a war takes is the bench's to judge.
    weighed = weigh(plan, range(1, 21), YEAR, clock=lambda: 0.0)
    assert weighed.faults() == []
    assert sum(not is_eventful(war) for war in weighed.wars) <= 1
    assert {war.winner for war in weighed.wars} >= {"accord", "dominion"}, "either can win"


def test_a_war_of_a_year_has_battles_and_a_convoy_raid(plan: Plan) -> None:
    war = rehearse(plan, 2, YEAR)
    assert is_eventful(war), [(battle.id, battle.kind) for battle in war.battles]
    assert war.ended_by
