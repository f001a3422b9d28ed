//! The two editions of the game: same ship, same interface, other numbers and another reward.

use std::fmt::Debug;

use crate::config::Config;
use crate::float::max;
use crate::params::{COMMODITIES, OVERHAUL_COST, Params, SCALE_MAX, V1, V2};
use crate::rules::act::is_scan;
use crate::ship::{Ledger, Ship};
use crate::turn::{TERMS_MAX, Turn, event};

/// What the reward needs of the moment before a step.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    /// The ship as it was.
    pub ship: Ship,
    /// Value lost to pirates until then.
    pub value_lost: f32,
    /// Cargo at the prices of that moment.
    pub cargo_value: f32,
}

/// What the reward needs of the moment after.
#[derive(Clone, Copy, Debug)]
pub struct After<'a> {
    /// The ship as it is.
    pub ship: &'a Ship,
    /// The ledger as it is.
    pub ledger: &'a Ledger,
    /// Cargo at the prices of now.
    pub cargo_value: f32,
    /// The settings.
    pub config: &'a Config,
}

/// One edition of the rules.
pub trait Edition: Copy + Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Registered name.
    const ID: &'static str;
    /// Its numbers.
    const PARAMS: Params;
    /// Names of the reward terms.
    const TERMS: &'static [&'static str];

    /// The reward's terms; the reward is their sum in order.
    fn terms(before: &Before, after: &After<'_>, turn: &Turn) -> [f32; TERMS_MAX];

    /// Profit so far.
    fn net_profit(ship: &Ship, ledger: &Ledger, survival: f32) -> f32;
}

/// Version 1: frozen, defects and all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct One;

impl Edition for One {
    const ID: &'static str = "prospector-v1";
    const PARAMS: Params = V1;
    const TERMS: &'static [&'static str] = &[
        "sell", "extract", "fuel", "time", "wear", "heat", "damage", "scan", "invalid", "pirate",
        "terminal",
    ];

    fn terms(before: &Before, after: &After<'_>, turn: &Turn) -> [f32; TERMS_MAX] {
        let (was, is) = (&before.ship, after.ship);
        // Divided all at once: a division is the slowest thing here, and eight cost as much as one.
        let parts = [
            is.credits - was.credits,
            max(0.0, after.cargo_value - before.cargo_value),
            -0.10 * max(0.0, was.fuel - is.fuel),
            -0.05 * max(0.0, was.tool - is.tool),
            max(0.0, is.heat - 70.0),
            -max(0.0, was.hull - is.hull),
            max(0.0, after.ledger.value_lost - before.value_lost),
            is.credits,
        ];
        let scales = [1000.0, 1000.0, 100.0, 10.0, 100.0, 10.0, 1000.0, 1000.0];
        let [sell, gain, fuel, wear, over_hot, damage, taken, funds]: [f32; 8] =
            std::array::from_fn(|index| parts[index] / scales[index]);
        let stranded = turn.events & event::STRANDED != 0;
        let destroyed = turn.events & event::DESTROYED != 0;
        let mut terminal = 0.0;
        if stranded {
            terminal -= 50.0;
        }
        if destroyed {
            terminal -= 100.0;
        }
        if (turn.terminated || turn.truncated) && !stranded && !destroyed {
            terminal += 0.002 * funds;
        }
        [
            sell,
            0.02 * gain,
            fuel,
            -0.001 * f32::from(turn.dt),
            wear,
            -0.20 * over_hot * over_hot,
            damage,
            if is_scan(turn.action) { -0.005 } else { 0.0 },
            if turn.invalid { -after.config.invalid_action_penalty } else { 0.0 },
            -taken,
            terminal,
        ]
    }

    /// Counts spending twice: credits are already net of it.
    fn net_profit(ship: &Ship, ledger: &Ledger, _survival: f32) -> f32 {
        ship.credits - ledger.spent
    }
}

/// Version 2: the reward is the change of what ship and account are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Two;

/// Credits it costs to replace a lost ship.
const SHIP_PRICE: f32 = 2000.0;
/// Credits per unit of fuel, at the station's best offer.
const FUEL_WORTH: f32 = 210.0 / 480.0;
/// Credits per point of hull or tool: what an overhaul of both costs.
const POINT_WORTH: f32 = OVERHAUL_COST / (2.0 * SCALE_MAX);
/// Cargo is entered in the books at this share of its base price until it is sold.
const BOOK_SHARE: f32 = 0.5;

fn book_value(cargo: &[f32; COMMODITIES]) -> f32 {
    let goods = &V2.goods;
    cargo.iter().zip(goods).fold(0.0, |sum, (units, good)| sum + units * (BOOK_SHARE * good.base))
}

impl Edition for Two {
    const ID: &'static str = "prospector-v2";
    const PARAMS: Params = V2;
    const TERMS: &'static [&'static str] =
        &["trade", "cargo", "fuel", "tool", "hull", "invalid", "ship"];

    fn terms(before: &Before, after: &After<'_>, turn: &Turn) -> [f32; TERMS_MAX] {
        let (was, is) = (&before.ship, after.ship);
        // Goods still aboard at the end are worth nothing to anybody.
        let over = turn.terminated || turn.truncated;
        let book_left = if over { 0.0 } else { book_value(&is.cargo) };
        let lost = turn.events & (event::STRANDED | event::DESTROYED) != 0;
        let wreck = SHIP_PRICE + FUEL_WORTH * is.fuel + POINT_WORTH * (is.hull + is.tool);
        let mut terms = [0.0; TERMS_MAX];
        terms[0] = (is.credits - was.credits) / 1000.0;
        terms[1] = (book_left - book_value(&was.cargo)) / 1000.0;
        terms[2] = FUEL_WORTH * (is.fuel - was.fuel) / 1000.0;
        terms[3] = POINT_WORTH * (is.tool - was.tool) / 1000.0;
        terms[4] = POINT_WORTH * (is.hull - was.hull) / 1000.0;
        terms[5] = if turn.invalid { -after.config.invalid_action_penalty } else { 0.0 };
        terms[6] = if lost { -wreck / 1000.0 } else { 0.0 };
        terms
    }

    /// Cash earned, less the price of a lost ship.
    fn net_profit(ship: &Ship, _ledger: &Ledger, survival: f32) -> f32 {
        if survival > 0.0 { ship.credits } else { ship.credits - SHIP_PRICE }
    }
}
