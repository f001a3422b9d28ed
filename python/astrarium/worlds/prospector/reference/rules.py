"""Every number of the dynamics, in one frozen value.

Numbers are kept as `np.float32` because the rules combine them in single precision; a Python
float slipped in through `dataclasses.replace` is rounded on the way. A test breaks one rule by
replacing one field and sees that the comparison with the native core notices.
"""

# ruff: noqa: RUF009  (a float32 is immutable, so calling it for a default shares nothing)

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from astrarium.worlds.prospector import layout

f32 = np.float32
Reals = tuple[np.float32, ...]


def _round_fields(record: ScanMode | MiningMode | FuelOffer | Rules) -> None:
    """Round what was given for every real-valued field, whatever Python number it came as."""
    for field in fields(record):
        value = getattr(record, field.name)
        if field.type == "np.float32":
            object.__setattr__(record, field.name, f32(value))
        elif field.type == "Reals":
            object.__setattr__(record, field.name, tuple(f32(item) for item in value))


@dataclass(frozen=True, slots=True)
class ScanMode:
    """How hard one kind of scan looks."""

    blend: np.float32
    gain: np.float32
    noise_mult: np.float32

    def __post_init__(self) -> None:
        _round_fields(self)


@dataclass(frozen=True, slots=True)
class MiningMode:
    """What one mining intensity yields and costs."""

    yield_mult: np.float32
    heat: np.float32
    wear: np.float32
    alert: np.float32
    yield_sd: np.float32
    fracture_bias: np.float32

    def __post_init__(self) -> None:
        _round_fields(self)


@dataclass(frozen=True, slots=True)
class FuelOffer:
    """One size of fuel purchase."""

    quantity: np.float32
    cost: np.float32

    def __post_init__(self) -> None:
        _round_fields(self)


@dataclass(frozen=True, slots=True)
class Rules:
    """The constants of Prospector v1. Grouped as the systems that read them."""

    # Limits of the ship.
    fuel_max: np.float32 = f32(layout.FUEL_MAX)
    hull_max: np.float32 = f32(layout.HULL_MAX)
    heat_max: np.float32 = f32(layout.HEAT_MAX)
    tool_max: np.float32 = f32(layout.TOOL_MAX)
    alert_max: np.float32 = f32(layout.ALERT_MAX)
    cargo_max: np.float32 = f32(layout.CARGO_MAX)
    supply_max: int = layout.SUPPLY_MAX
    credit_scale: np.float32 = f32(layout.CREDIT_SCALE)
    start_repair_kits: int = 3
    start_stabilizers: int = 2
    start_decoys: int = 1

    # World generation; integer ranges exclude their end.
    node_count_min: int = 8
    node_count_end: int = 33
    hazard_node_chance: np.float32 = f32(0.25)
    hazard_low: np.float32 = f32(0.05)
    hazard_high: np.float32 = f32(0.35)
    pirate_low: np.float32 = f32(0.05)
    pirate_high: np.float32 = f32(0.30)
    hazard_node_hazard: np.float32 = f32(0.25)
    hazard_node_pirate: np.float32 = f32(0.12)
    lane_ticks_min: int = 1
    lane_ticks_end: int = 9
    lane_fuel_low: np.float32 = f32(20.0)
    lane_fuel_high: np.float32 = f32(112.0)
    lane_threat_weight: np.float32 = f32(0.5)
    lane_threat_sd: np.float32 = f32(0.05)
    threat_est_start: np.float32 = f32(0.5)
    asteroids_min: int = 5
    asteroids_end: int = 17
    richness_mean: np.float32 = f32(-0.2)
    richness_sd: np.float32 = f32(0.65)
    richness_low: np.float32 = f32(0.2)
    richness_high: np.float32 = f32(4.0)
    scan_noise_low: np.float32 = f32(0.04)
    scan_noise_high: np.float32 = f32(0.22)
    stability_est_start: np.float32 = f32(0.5)
    confidence_start: np.float32 = f32(0.1)

    # Simple actions.
    cool_per_tick: np.float32 = f32(2.5)
    hold_alert_drop: np.float32 = f32(3.0)
    burn_fuel: np.float32 = f32(18.0)
    burn_alert: np.float32 = f32(10.0)
    burn_escape_ticks: int = 4
    listen_ticks: int = 2
    listen_sd: np.float32 = f32(0.08)
    listen_keep: np.float32 = f32(0.25)
    listen_blend: np.float32 = f32(0.75)
    stabilize_ticks: int = 2
    stabilize_timer_ticks: int = 6
    refine_ticks: int = 2
    refine_fuel: np.float32 = f32(4.0)
    refine_heat: np.float32 = f32(6.0)
    refine_alert: np.float32 = f32(3.0)
    refine_share: np.float32 = f32(0.15)
    refine_yield: np.float32 = f32(0.65)
    cooldown_ticks: int = 2
    cooldown_fuel: np.float32 = f32(2.0)
    cooldown_heat_drop: np.float32 = f32(20.0)
    cooldown_alert: np.float32 = f32(1.0)
    repair_ticks: int = 2
    tool_repair: np.float32 = f32(25.0)
    hull_repair: np.float32 = f32(20.0)
    jettison_alert_drop: np.float32 = f32(8.0)
    dock_alert_drop: np.float32 = f32(20.0)

    # Scanning: wide, focused, deep.
    scan_ticks: tuple[int, int, int] = (3, 2, 4)
    scan_fuel: Reals = (f32(5.0), f32(4.0), f32(8.0))
    scan_alert: Reals = (f32(4.0), f32(3.0), f32(6.0))
    scan_modes: tuple[ScanMode, ScanMode, ScanMode] = (
        ScanMode(f32(0.22), f32(0.10), f32(1.35)),
        ScanMode(f32(0.42), f32(0.20), f32(1.00)),
        ScanMode(f32(0.80), f32(0.45), f32(0.55)),
    )
    scan_noise_offset: np.float32 = f32(0.1)
    composition_floor: np.float32 = f32(1e-8)

    # Travel and what harms a ship away from the station.
    cargo_mass: np.float32 = f32(0.5)
    hazard_damage: np.float32 = f32(0.7)
    hazard_heat: np.float32 = f32(0.5)
    hazard_alert: np.float32 = f32(0.8)
    travel_damage_low: np.float32 = f32(0.85)
    travel_damage_high: np.float32 = f32(1.15)
    node_damage_low: np.float32 = f32(0.8)
    node_damage_high: np.float32 = f32(1.2)
    overheat_damage: np.float32 = f32(1.25)
    pirate_logit: np.float32 = f32(-4.0)
    pirate_logit_intensity: np.float32 = f32(3.0)
    pirate_logit_alert: np.float32 = f32(2.2)
    pirate_logit_value: np.float32 = f32(0.8)
    pirate_logit_escape: np.float32 = f32(2.8)
    pirate_loss_low: np.float32 = f32(0.08)
    pirate_loss_high: np.float32 = f32(0.20)
    decoy_chance: np.float32 = f32(0.6)
    decoy_loss_mult: np.float32 = f32(0.3)
    pirate_hull_low: np.float32 = f32(1.0)
    pirate_hull_high: np.float32 = f32(4.0)
    pirate_alert: np.float32 = f32(8.0)

    # Mining: conservative, standard, aggressive.
    mining_modes: tuple[MiningMode, MiningMode, MiningMode] = (
        MiningMode(f32(0.80), f32(2.0), f32(0.8), f32(1.2), f32(0.05), f32(-0.7)),
        MiningMode(f32(1.15), f32(4.0), f32(1.6), f32(2.2), f32(0.10), f32(0.0)),
        MiningMode(f32(1.55), f32(7.0), f32(2.8), f32(4.0), f32(0.16), f32(0.8)),
    )
    mining_tool_floor: np.float32 = f32(0.4)
    mining_tool_gain: np.float32 = f32(0.6)
    mining_heat_frac_max: np.float32 = f32(2.0)
    hot_heat_frac: np.float32 = f32(0.7)
    hot_heat_span: np.float32 = f32(0.3)
    hot_yield_floor: np.float32 = f32(0.1)
    depletion_per_unit: np.float32 = f32(0.01)
    fracture_logit: np.float32 = f32(-3.1)
    fracture_logit_instability: np.float32 = f32(2.5)
    fracture_logit_heat: np.float32 = f32(2.2)
    fracture_logit_wear: np.float32 = f32(1.5)
    fracture_logit_stabilized: np.float32 = f32(1.1)
    fracture_hull: np.float32 = f32(12.0)
    fracture_hull_low: np.float32 = f32(0.5)
    fracture_hull_high: np.float32 = f32(1.0)
    fracture_hazard: np.float32 = f32(0.1)

    # Station trade.
    sell_fractions: Reals = (f32(0.25), f32(0.50), f32(1.00))
    slip_linear: np.float32 = f32(0.25)
    slip_root: np.float32 = f32(0.2)
    slip_max: np.float32 = f32(0.70)
    fuel_offers: tuple[FuelOffer, FuelOffer, FuelOffer] = (
        FuelOffer(f32(120.0), f32(60.0)),
        FuelOffer(f32(260.0), f32(120.0)),
        FuelOffer(f32(480.0), f32(210.0)),
    )
    repair_kit_cost: np.float32 = f32(150.0)
    stabilizer_cost: np.float32 = f32(175.0)
    decoy_cost: np.float32 = f32(110.0)
    overhaul_cost: np.float32 = f32(280.0)
    overhaul_ticks: int = 3

    # Market.
    base_prices: Reals = tuple(f32(p) for p in layout.BASE_PRICES)
    min_prices: Reals = tuple(f32(p) for p in layout.MIN_PRICES)
    max_prices: Reals = tuple(f32(p) for p in layout.MAX_PRICES)
    inventory_low: np.float32 = f32(20.0)
    inventory_high: np.float32 = f32(120.0)
    period_low: np.float32 = f32(180.0)
    period_high: np.float32 = f32(380.0)
    amplitude_low: np.float32 = f32(0.10)
    amplitude_high: np.float32 = f32(0.30)
    price_sd: np.float32 = f32(0.03)
    price_per_inventory: np.float32 = f32(0.04)
    price_per_sale: np.float32 = f32(0.05)
    sales_decay_ticks: np.float32 = f32(14.0)
    inventory_keep: np.float32 = f32(0.998)

    # Reward.
    extract_weight: np.float32 = f32(0.02)
    fuel_weight: np.float32 = f32(-0.10)
    fuel_unit: np.float32 = f32(100.0)
    time_weight: np.float32 = f32(-0.001)
    wear_weight: np.float32 = f32(-0.05)
    wear_unit: np.float32 = f32(10.0)
    heat_weight: np.float32 = f32(-0.20)
    heat_free: np.float32 = f32(70.0)
    damage_weight: np.float32 = f32(-1.00)
    damage_unit: np.float32 = f32(10.0)
    scan_reward: np.float32 = f32(-0.005)
    pirate_weight: np.float32 = f32(-1.00)
    stranded_reward: np.float32 = f32(-50.0)
    destroyed_reward: np.float32 = f32(-100.0)
    credits_weight: np.float32 = f32(0.002)

    def __post_init__(self) -> None:
        _round_fields(self)


V1 = Rules()
