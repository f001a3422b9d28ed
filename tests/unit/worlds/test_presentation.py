"""What worlds say of themselves speaks of actions that exist."""

import dataclasses

import pytest

from astrarium import worlds
from astrarium.worlds.presentation import Presentation, presented
from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.reference.rules import V1


@pytest.mark.parametrize("world_id", worlds.ids())
def test_words_fit_the_actions_of_the_first_head(world_id: str) -> None:
    entry = worlds.get(world_id)
    told, count = presented(entry), len(entry.action_names[0]) if entry.action_names else 0
    assert len(told.labels) == len(set(told.labels)) == count
    assert len(told.hints) == count
    assert sorted(action for group in told.groups for action in group.actions) == list(range(count))
    assert set(told.hotkeys.values()) <= set(range(count))
    assert all(len(key) == 1 for key in told.hotkeys)


def test_a_world_that_says_nothing_is_called_by_its_names() -> None:
    entry = dataclasses.replace(worlds.get("prospector-v2"), presentation=Presentation())
    told = presented(entry)
    assert told.scene == "plain"
    assert told.labels[layout.HOLD] == "Hold drift"
    assert told.hints == (None,) * 69
    assert [group.title for group in told.groups] == ["Actions"]


def test_prospectors_hints_tell_what_its_rules_charge() -> None:
    """Numbers in words go stale unseen; those of version 1 have a table to be held against."""
    hints = presented(worlds.get("prospector-v1")).hints
    for action, mode in enumerate(V1.mining_modes, layout.MINE_CONSERVATIVE):
        words = f"heat +{mode.heat:g}, tool -{mode.wear:g}, alert +{mode.alert:g}"
        assert words in str(hints[action])
    for action, (ticks, fuel, alert) in enumerate(
        zip(V1.scan_ticks, V1.scan_fuel, V1.scan_alert, strict=True), layout.WIDE_SCAN
    ):
        assert f"{ticks} ticks; fuel -{fuel:g}, alert +{alert:g}" in str(hints[action])
    for action, offer in enumerate(V1.fuel_offers, layout.BUY_FUEL):
        assert f"{offer.quantity:g} fuel for {offer.cost:g} credits" in str(hints[action])
    assert f"{V1.overhaul_cost:g} credits" in str(hints[layout.OVERHAUL])
    assert f"fuel -{V1.burn_fuel:g}, alert +{V1.burn_alert:g}" in str(hints[layout.EMERGENCY_BURN])
