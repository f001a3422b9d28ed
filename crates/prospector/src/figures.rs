//! The published figures of an episode, in their frozen order.

use crate::Prospector;
use crate::edition::Edition;
use crate::float::{clamp, max};
use crate::params::{FUEL_MAX, SCALE_MAX};
use crate::turn::Turn;

/// Names of the figures: fourteen metrics, then the ticks the last step took.
pub const FIGURES: &[&str] = &[
    "credits",
    "net_profit",
    "profit_per_tick",
    "survival",
    "overheat_ticks",
    "pirate_encounters",
    "value_lost_to_pirates",
    "fuel_used",
    "hull_damage",
    "tool_wear",
    "scan_count",
    "mining_ticks",
    "cargo_utilization_avg",
    "time_remaining",
    "dt",
];

/// The figures after `turn`.
#[inline]
pub fn figures<E: Edition>(world: &Prospector<E>, turn: &Turn) -> [f32; FIGURES.len()] {
    let (ship, ledger) = (&world.ship, &world.ledger);
    let net_profit = E::net_profit(ship, ledger, turn.survival);
    let ticks = max(1.0, ledger.ticks as f32);
    [
        ship.credits,
        net_profit,
        net_profit / ticks,
        turn.survival,
        ledger.overheat_ticks as f32,
        ledger.encounters as f32,
        ledger.value_lost,
        max(0.0, FUEL_MAX - ship.fuel),
        max(0.0, SCALE_MAX - ship.hull),
        max(0.0, SCALE_MAX - ship.tool),
        ledger.scans as f32,
        ledger.mining_ticks as f32,
        clamp(ledger.load_ticks / ticks, 0.0, 1.0),
        ledger.time_left,
        f32::from(turn.dt),
    ]
}
