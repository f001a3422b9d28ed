"""Single battles: what a seed given to `reset` makes of them."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from astrarium import _native
from astrarium.errors import ConfigError, DebugOnlyError, SnapshotError
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


def test_a_battle_that_goes_on_from_a_snapshot_has_the_result_and_replay_of_the_whole_one() -> None:
    whole, parted = (Arena(_native.tidebreak_package("duel", 5)) for _ in range(2))
    orders = np.zeros((2, 11), np.int16)
    orders[:, 0] = 100
    for _ in range(130):
        whole.step(orders)
    parted.restore(whole.snapshot())
    assert parted.simulate(CAPTAINS) == whole.simulate(CAPTAINS)
    assert parted.replay() == whole.replay()


def test_a_snapshot_that_was_changed_is_refused_and_changes_nothing() -> None:
    arena = Arena(_native.tidebreak_package("duel", 5))
    arena.step()
    kept = bytearray(arena.snapshot())
    kept[-1] ^= 1
    before = arena.state_hash()
    with pytest.raises(SnapshotError, match="damaged"):
        arena.restore(bytes(kept))
    assert arena.state_hash() == before


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


@pytest.mark.parametrize(
    "ask",
    [
        lambda arena: arena.events(),
        lambda arena: arena.explain(1),
        lambda arena: arena.fields,
        lambda arena: arena.debug_truth(),
        lambda arena: arena.result(),
    ],
)
def test_what_nobody_may_have_noticed_is_told_to_debuggers_only(
    ask: Callable[[Arena], object],
) -> None:
    for debug in (False, True):
        arena = Arena(_native.tidebreak_package("duel", 5), trace=1, debug=debug)
        arena.step(np.full((2, 11), 1, np.int16))
        before = arena.state_hash()
        if debug:
            ask(arena)
        else:
            with pytest.raises(DebugOnlyError, match="debug=True"):
                ask(arena)
        assert arena.state_hash() == before


def test_debuggers_are_told_the_chain_of_an_event() -> None:
    arena = Arena(_native.tidebreak_package("duel", 5), trace=1, debug=True)
    assert arena.result().ended_by == "running"
    arena.simulate(CAPTAINS)
    last = arena.events()[-1]
    assert arena.explain(int(last["id"]))[-1] == last


def test_a_battle_that_is_over_tells_everybody_its_result() -> None:
    arena = Arena(_native.tidebreak_package("duel", 5))
    told = arena.simulate(CAPTAINS)
    assert arena.result() == told
    assert told.ended_by != "running"


def test_fields_are_told_to_debuggers_and_as_a_copy() -> None:
    arena = Arena(_native.tidebreak_package("duel_islands", 5), debug=True)
    pings = np.zeros((len(arena.ships), 11), np.int16)
    pings[:, 9] = 2
    for _ in range(3):
        arena.step(pings)
    before = arena.state_hash()
    fields = arena.fields
    assert fields.layers == 3
    assert fields.plane("noise").max() > fields.plane("noise").min()
    fields.explosion((0.0, 0.0), 400.0, 1.0)
    fields.step()
    assert arena.state_hash() == before
    assert arena.fields.state_hash() != fields.state_hash()
