"""Single battles: what a seed given to `reset` makes of them."""

from __future__ import annotations

import json

import pytest

from astrarium import _native
from astrarium.errors import ConfigError
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
