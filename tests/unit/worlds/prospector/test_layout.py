"""The frozen interface: sizes, positions and names that others index by."""

from __future__ import annotations

import numpy as np
import pytest

from astrarium.worlds.prospector import layout


def test_every_observation_position_has_one_name() -> None:
    assert len(layout.OBSERVATION_NAMES) == layout.OBS_DIM == 260
    assert len(set(layout.OBSERVATION_NAMES)) == layout.OBS_DIM


@pytest.mark.parametrize(
    ("index", "name"),
    [
        (0, "fuel_frac"),
        (7, "credits_log_norm"),
        (8, "cargo_frac[iron]"),
        (13, "cargo_frac[volatiles]"),
        (16, "decoys_norm"),
        (18, "mining_active"),
        (21, "node_type[hazard]"),
        (23, "steps_to_station_norm"),
        (24, "neighbor[0].valid"),
        (44, "neighbor[2].threat_est"),
        (60, "neighbor[5].type[station]"),
        (65, "neighbor[5].threat_est"),
        (66, "reserved[66]"),
        (67, "reserved[67]"),
        (68, "asteroid[0].valid"),
        (127, "asteroid[5].comp_est[pge]"),
        (233, "asteroid[15].valid"),
        (243, "asteroid[15].selected"),
        (244, "price_norm[iron]"),
        (253, "price_delta_norm[pge]"),
        (256, "inventory_norm[iron]"),
        (257, "inventory_norm[water_ice]"),
        (258, "inventory_norm[pge]"),
        (259, "inventory_norm[rare_isotopes]"),
    ],
)
def test_observation_names_sit_where_the_interface_froze_them(index: int, name: str) -> None:
    assert layout.OBSERVATION_NAMES[index] == name


def test_blocks_start_where_the_interface_froze_them() -> None:
    neighbors = range(layout.NEIGHBORS.start, layout.NEIGHBORS.stop, layout.NEIGHBOR_STRIDE)
    asteroids = range(layout.ASTEROIDS.start, layout.ASTEROIDS.stop, layout.ASTEROID_STRIDE)
    assert list(neighbors) == [24, 31, 38, 45, 52, 59]
    assert list(asteroids) == [
        *(68, 79, 90, 101, 112, 123, 134, 145, 156, 167, 178, 189, 200, 211, 222, 233)
    ]
    assert (layout.NEIGHBORS.stop, layout.ASTEROIDS.stop) == (66, 244)
    assert (layout.RESERVED.start, layout.RESERVED.stop) == (66, 68)


@pytest.mark.parametrize(
    ("index", "name"),
    [
        (0, "TRAVEL_NEIGHBOR_0"),
        (5, "TRAVEL_NEIGHBOR_5"),
        (6, "HOLD_DRIFT"),
        (7, "EMERGENCY_BURN"),
        (8, "WIDE_SCAN"),
        (10, "DEEP_SCAN_SELECTED"),
        (11, "PASSIVE_THREAT_LISTEN"),
        (12, "SELECT_ASTEROID_0"),
        (27, "SELECT_ASTEROID_15"),
        (28, "MINE_CONSERVATIVE_SELECTED"),
        (30, "MINE_AGGRESSIVE_SELECTED"),
        (31, "STABILIZE_SELECTED"),
        (33, "ACTIVE_COOLDOWN"),
        (35, "HULL_PATCH"),
        (36, "JETTISON_COMMODITY_0"),
        (41, "JETTISON_COMMODITY_5"),
        (42, "DOCK"),
        (43, "SELL_COMMODITY_0_25PCT"),
        (53, "SELL_COMMODITY_3_50PCT"),
        (60, "SELL_COMMODITY_5_100PCT"),
        (63, "BUY_FUEL_LARGE"),
        (66, "BUY_DECOY"),
        (67, "FULL_REPAIR_OVERHAUL"),
        (68, "CASH_OUT_END_EPISODE"),
    ],
)
def test_action_names_sit_where_the_interface_froze_them(index: int, name: str) -> None:
    assert layout.ACTION_NAMES[index] == name


def test_action_names_are_69_and_distinct() -> None:
    assert len(set(layout.ACTION_NAMES)) == len(layout.ACTION_NAMES) == layout.N_ACTIONS == 69


def test_reported_keys_are_complete_and_ordered() -> None:
    assert len(layout.INFO_METRICS) == 14
    assert layout.PARITY_METRICS[0] == "credits"
    assert layout.PARITY_METRICS[-1] == "cargo_utilization_avg"
    assert layout.INFO_METRICS[-1] == "time_remaining"
    assert len(layout.REWARD_TERMS) == 11
    assert layout.REWARD_TERMS[-1] == "terminal"
    assert layout.EVENTS[-1] == "cash_out"


def test_every_commodity_has_a_price_band_around_its_base() -> None:
    bands = np.array([layout.MIN_PRICES, layout.BASE_PRICES, layout.MAX_PRICES])
    assert bands.shape == (3, layout.N_COMMODITIES) == (3, len(layout.COMMODITIES))
    assert (np.diff(bands, axis=0) > 0).all()
