"""Observations in the units of the world, held to the battle as it really is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from astrarium import _native
from astrarium.worlds.tidebreak import Arena
from astrarium.worlds.tidebreak.names import OBS_NAMES
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.tidebreak.units import RANGE_M, Units

CAPTAINS = {"blue": "line", "red": "pursuer"}
NAMED = {name: at for at, name in enumerate(OBS_NAMES)}


def fought(scenario: str, seconds: int) -> tuple[Arena, bytes]:
    """A battle some way in, every ship under way."""
    package = _native.tidebreak_package(scenario, 5)
    arena = Arena(package, debug=True)
    orders = np.zeros((len(arena.ships), 11), np.int16)
    orders[:, 0], orders[:, 1] = 127, 40
    for _ in range(seconds):
        arena.step(orders)
    return arena, package


def raw(arena: Arena, package: bytes, ship: int) -> dict[str, float]:
    told = Units.of(package, ship).raw(arena.observe(ship))
    return dict(zip(OBS_NAMES, told.tolist(), strict=True))


@pytest.mark.parametrize("scenario", ["duel_currents", "submarine_ambush", "convoy_escort"])
def test_a_ship_reads_its_own_figures_in_their_units(scenario: str) -> None:
    arena, package = fought(scenario, 40)
    truth: dict[str, Any] = arena.debug_truth()
    battle = BattlePackage.model_validate_json(package)
    for row, given in enumerate(battle.ships):
        seen, real = raw(arena, package, row), truth["ships"][str(row)]
        assert seen["self_x"] == pytest.approx(real["x"], abs=0.06)
        assert seen["self_y"] == pytest.approx(real["y"], abs=0.06)
        heading = math.atan2(seen["self_sin_heading"], seen["self_cos_heading"])
        assert heading == pytest.approx(real["heading"], abs=1e-3)
        assert seen["self_surge"] == pytest.approx(real["speed"], abs=0.06)
        # These begin whole and full, and the truth tells shares to the thousandth.
        assert seen["self_hp"] == pytest.approx(real["hp"] * given.initial_state.hp, rel=1e-3)
        assert seen["self_fuel"] == pytest.approx(real["fuel"] * given.fuel_t, rel=1e-3)
        assert seen["self_fit_crew"] == pytest.approx(real["crew"])
        assert seen["self_decoys"] == pytest.approx(real["decoys"])
        assert seen["self_own_level"] == pytest.approx(real["level_db"], abs=0.06)
        assert seen["env_time_left"] == pytest.approx(battle.time_limit_s - 40, abs=1e-3)


def test_contacts_lie_where_their_ships_are_within_what_is_not_known() -> None:
    arena, package = fought("duel", 60)
    truth = arena.debug_truth()["ships"]
    seen = raw(arena, package, 0)
    assert seen["contact_0_valid"] == 1.0
    distance = math.dist((truth["0"]["x"], truth["0"]["y"]), (truth["1"]["x"], truth["1"]["y"]))
    sigma = seen["contact_0_uncertainty"]
    assert 0.0 < sigma < 0.5 * distance
    assert seen["contact_0_range"] == pytest.approx(distance, abs=5.0 * sigma)
    assert seen["contact_0_quality"] in (0.0, 1.0, 2.0, 3.0)
    assert 0.0 <= seen["contact_0_age"] <= 90.0


def test_fields_are_told_in_kelvins_off_the_ambient_and_decibels() -> None:
    arena, package = fought("duel", 60)
    seen = raw(arena, package, 0)
    here = arena.debug_truth()["ships"]["0"]
    loudest = max(
        value
        for name, value in seen.items()
        if name.startswith("field_surface_near") and name.endswith("_noise")
    )
    noise = arena.fields.point("noise", (here["x"], here["y"]))
    assert loudest >= noise - 1.0
    assert loudest <= 200.0
    warm = [value for name, value in seen.items() if name.endswith("_temperature")]
    assert np.isfinite(warm).all()


def test_the_raw_form_keeps_to_its_bounds_and_tells_nothing_beyond_its_scale() -> None:
    _, package = fought("duel", 1)
    units = Units.of(package, 0)
    rng = np.random.default_rng(3)
    for _ in range(50):
        row = rng.choice(np.array([-1.0, -0.3, 0.0, 0.7, 1.0], np.float32), len(OBS_NAMES))
        told = units.raw(row)
        assert told.dtype == np.float32
        assert (told >= units.low).all()
        assert (told <= units.high).all()
    far = np.ones(len(OBS_NAMES), np.float32)
    assert units.raw(far)[NAMED["contact_0_range"]] == RANGE_M


def test_what_has_no_unit_stays() -> None:
    arena, package = fought("duel", 5)
    scaled, told = arena.observe(0), Units.of(package, 0).raw(arena.observe(0))
    for name in ("self_sin_heading", "self_morale", "self_throttle", "contact_0_iff", "ally_3_hp"):
        assert told[NAMED[name]] == scaled[NAMED[name]]
