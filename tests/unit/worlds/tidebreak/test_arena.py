"""Single battles: what a seed given to `reset` makes of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from astrarium import _native
from astrarium.errors import ConfigError, DebugOnlyError
from astrarium.worlds.tidebreak import Arena

CAPTAINS = {"blue": "line", "red": "pursuer"}


def test_a_battle_under_another_seed_is_that_of_the_package_with_it() -> None:
    """The result names package and seed, and who checks it against them must find them so."""
    package = _native.tidebreak_package("duel", 5)
    arena = Arena(package)
    own = arena.simulate(CAPTAINS)
    arena.reset(77)
    arena.simulate(CAPTAINS)
    other = Arena(json.dumps(json.loads(package) | {"seed": 77}).encode())
    assert arena.result() == other.simulate(CAPTAINS)
    assert arena.result().seed == 77
    arena.reset()
    assert arena.simulate(CAPTAINS) == own


def test_no_battle_begins_under_a_seed_that_packages_cannot_have() -> None:
    arena = Arena(_native.tidebreak_package("duel", 5))
    arena.step()
    with pytest.raises(ConfigError, match="seed is 0"):
        arena.reset(0)
    assert arena.tick == 1


def test_an_ending_has_one_word_in_the_arena_and_in_the_result() -> None:
    words = set[str]()
    for scenario, seed in [("duel", 5), ("convoy_escort", 2), ("duel_fog", 1), ("uneven", 3)]:
        arena = Arena(_native.tidebreak_package(scenario, seed), debug=True)
        assert arena.outcome == (None, None)
        result = arena.simulate({"blue": "drifter", "red": "line"})
        assert arena.outcome == (result.ended_by, result.winner_team_id)
        told = arena.debug_truth()["outcome"]
        assert told["ended_by"] == result.ended_by
        words.add(result.ended_by)
    assert len(words) > 1


def test_a_winner_has_its_name_where_a_team_has_no_ships() -> None:
    """Teams are counted by the package, not by the ships that are there."""
    plain = json.loads(_native.tidebreak_package("duel", 5))
    plain["teams"].insert(0, plain["teams"][0] | {"team_id": "absent", "name": "Absent"})
    arena = Arena(json.dumps(plain).encode())
    assert arena.teams == ("absent", "blue", "red")
    result = arena.simulate(CAPTAINS)
    assert result.winner_team_id is not None
    assert arena.outcome[1] == result.winner_team_id


def test_fields_are_told_to_debuggers_and_as_a_copy() -> None:
    arena = Arena(_native.tidebreak_package("duel_islands", 5), debug=True)
    ahead = np.zeros((len(arena.ships), 11), np.int16)
    ahead[:, 0] = 127
    for _ in range(30):
        arena.step(ahead)
    before = arena.state_hash()
    fields = arena.fields
    assert fields.layers == 3
    assert fields.plane("noise").max() > fields.plane("noise").min()
    fields.explosion((0.0, 0.0), 400.0, 1.0)
    fields.step()
    assert arena.state_hash() == before
    assert arena.fields.state_hash() != fields.state_hash()
    with pytest.raises(DebugOnlyError, match="debug=True"):
        _ = Arena(_native.tidebreak_package("duel", 5)).fields
