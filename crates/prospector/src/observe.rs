//! The view: 260 floats and 69 mask entries.
//!
//! [`write`] makes all of it. After a step [`refresh`] rewrites only what the step can have
//! changed; a property test holds the two equal, bit for bit.

use astrarium_kernel::{View, prefetch};

use crate::Prospector;
use crate::belt::{Kind, Lane};
use crate::edition::Edition;
use crate::float::{clamp, ln_1p, max};
use crate::params::{
    CARGO_MAX, COMMODITIES, FUEL_MAX, FUEL_OFFERS, LANES, OBS, OVERHAUL_COST, ROCKS_MAX, SCALE_MAX,
    SUPPLY_COST, SUPPLY_MAX,
};
use crate::rocks::Estimate;
use crate::rules::act::live_selection;
use crate::ship::{KITS, STABILIZERS};
use crate::turn::touched;

const CREDITS_AT: usize = 7;
const LANES_AT: usize = 24;
const LANE_WIDTH: usize = 7;
const ROCKS_AT: usize = 68;
const ROCK_WIDTH: usize = 11;
const SELECTED_AT: usize = ROCK_WIDTH - 1;
const MARKET_AT: usize = 244;

/// `ln(1 + 10^7)`: credits that read as 1.
const CREDITS_SCALE: f32 = f32::from_bits(0x4180_f1dc);
/// Commodities whose stock is shown.
const STOCK_SHOWN: [usize; 4] = [0, 2, 3, 4];

/// Write the whole view.
pub fn write<E: Edition>(world: &Prospector<E>, view: &mut View<'_>) {
    view.obs.fill(0.0);
    view.mask.fill(1);
    view.alive[0] = 1;
    refresh(world, touched::PLACE | touched::CREDITS, view);
}

/// Fetch the parts that every step rewrites.
#[inline]
pub fn warm(view: &View<'_>) {
    prefetch(&raw const view.obs[0], LANES_AT * size_of::<f32>());
    prefetch(&raw const view.obs[MARKET_AT], (OBS - MARKET_AT) * size_of::<f32>());
    prefetch(&raw const view.mask[0], view.mask.len());
}

/// Bring the view up to date after a step that touched `parts`.
pub fn refresh<E: Edition>(world: &Prospector<E>, parts: u8, view: &mut View<'_>) {
    let node = world.ship.node;
    if parts & touched::PLACE != 0 {
        lanes(world, view);
        rocks(world, view);
    }
    if parts & touched::LANES != 0 {
        for (slot, lane) in world.belt.nodes[usize::from(node)].lanes.iter().enumerate() {
            view.obs[LANES_AT + LANE_WIDTH * slot + 6] = unit(lane.threat_heard);
        }
    }
    if parts & touched::ROCKS != 0 {
        rocks(world, view);
    }
    if parts & touched::SELECTED != 0
        && let Some(slot) = world.ship.selected
    {
        rock(world.rocks.estimate(node, slot), slot, true, view);
    }
    if parts & touched::SELECTION != 0 {
        for slot in 0..world.rocks.count(node) {
            let at = ROCKS_AT + ROCK_WIDTH * usize::from(slot) + SELECTED_AT;
            view.obs[at] = flag(world.ship.selected == Some(slot));
        }
    }
    if parts & touched::CREDITS != 0 {
        view.obs[CREDITS_AT] = unit(ln_1p(max(0.0, world.ship.credits)) / CREDITS_SCALE);
    }
    ship(world, view);
    market(world, view);
}

#[inline]
fn unit(x: f32) -> f32 {
    clamp(x, 0.0, 1.0)
}

#[inline]
fn flag(yes: bool) -> f32 {
    if yes { 1.0 } else { 0.0 }
}

/// Indices 0..24 but credits, and the mask entries that hang on them.
fn ship<E: Edition>(world: &Prospector<E>, view: &mut View<'_>) {
    let ship = &world.ship;
    let node = &world.belt.nodes[usize::from(ship.node)];
    let live = live_selection(ship, &world.rocks).is_some();
    let obs = &mut view.obs[..LANES_AT];
    // Written as whole-array divisions so that they run on vectors.
    let (load, time_left) = (ship.load(), world.ledger.time_left);
    let gauges = [ship.fuel, ship.hull, ship.heat, ship.tool, load, ship.alert, time_left, 0.0];
    let full = [
        FUEL_MAX,
        SCALE_MAX,
        SCALE_MAX,
        SCALE_MAX,
        CARGO_MAX,
        SCALE_MAX,
        world.config.time_max,
        1.0,
    ];
    let gauges: [f32; 8] = std::array::from_fn(|index| unit(gauges[index] / full[index]));
    obs[..CREDITS_AT].copy_from_slice(&gauges[..CREDITS_AT]);
    obs[8..14].copy_from_slice(&ship.cargo.map(|units| unit(units / CARGO_MAX)));
    let supplies = ship.supplies.map(f32::from);
    obs[14..17].copy_from_slice(&supplies.map(|count| unit(count / f32::from(SUPPLY_MAX))));
    let is = |kind: Kind| flag(node.kind == kind);
    obs[17..22].copy_from_slice(&[
        flag(ship.docked()),
        flag(live),
        is(Kind::Station),
        is(Kind::Cluster),
        is(Kind::Hazard),
    ]);
    obs[22] = unit(f32::from(ship.node) * (1.0 / 31.0));
    obs[23] = unit(f32::from(node.hops) * (1.0 / 31.0));
    mask(world, live, view);
}

fn lanes<E: Edition>(world: &Prospector<E>, view: &mut View<'_>) {
    let node = &world.belt.nodes[usize::from(world.ship.node)];
    for (slot, lane) in node.lanes.iter().enumerate() {
        let out = &mut view.obs[LANES_AT + LANE_WIDTH * slot..][..LANE_WIDTH];
        out.fill(0.0);
        if lane.exists() {
            let kind = world.belt.nodes[usize::from(lane.to)].kind;
            write_lane(lane, kind as usize, out);
        }
        view.mask[slot] = u8::from(lane.exists());
    }
}

fn write_lane(lane: &Lane, kind: usize, out: &mut [f32]) {
    out[0] = 1.0;
    out[1 + kind] = 1.0;
    out[4] = unit(f32::from(lane.ticks) * (1.0 / 8.0));
    out[5] = unit(lane.fuel * (1.0 / 160.0));
    out[6] = unit(lane.threat_heard);
}

fn rocks<E: Edition>(world: &Prospector<E>, view: &mut View<'_>) {
    let estimates = world.rocks.estimates(world.ship.node);
    for (slot, estimate) in estimates.iter().enumerate() {
        let slot = slot as u8;
        rock(estimate, slot, world.ship.selected == Some(slot), view);
    }
    view.obs[ROCKS_AT + ROCK_WIDTH * estimates.len()..MARKET_AT].fill(0.0);
    view.mask[12 + estimates.len()..12 + ROCKS_MAX].fill(0);
}

fn rock(estimate: &Estimate, slot: u8, selected: bool, view: &mut View<'_>) {
    let slot = usize::from(slot);
    let out = &mut view.obs[ROCKS_AT + ROCK_WIDTH * slot..][..ROCK_WIDTH];
    let shares = estimate.composition.map(|share| if share < 1e-8 { 1e-8 } else { share });
    let inverse = 1.0 / shares.iter().fold(0.0, |sum, share| sum + share);
    out[0] = 1.0;
    for (c, share) in shares.iter().enumerate() {
        out[1 + c] = share * inverse;
    }
    out[7] = unit(estimate.stability);
    out[8] = unit(estimate.depletion);
    out[9] = unit(estimate.confidence);
    out[SELECTED_AT] = flag(selected);
    view.mask[12 + slot] = u8::from(estimate.depletion < 1.0);
}

fn market<E: Edition>(world: &Prospector<E>, view: &mut View<'_>) {
    let market = &world.market;
    let out = &mut view.obs[MARKET_AT..];
    let price: [f32; COMMODITIES] =
        std::array::from_fn(|c| unit(market.price[c] * (1.0 / E::PARAMS.goods[c].base)));
    let change: [f32; COMMODITIES] = std::array::from_fn(|c| {
        clamp((market.price[c] - market.price_before[c]) * (1.0 / 100.0), -1.0, 1.0)
    });
    out[..COMMODITIES].copy_from_slice(&price);
    out[COMMODITIES..2 * COMMODITIES].copy_from_slice(&change);
    let stock = STOCK_SHOWN.map(|c| unit(market.stock[c] * (1.0 / 500.0)));
    out[2 * COMMODITIES..].copy_from_slice(&stock);
}

/// The mask entries that can change in any step: all but the lanes, the selectable rocks and
/// the actions that are always legal.
fn mask<E: Edition>(world: &Prospector<E>, live: bool, view: &mut View<'_>) {
    let ship = &world.ship;
    let docked = ship.docked();
    let mask = &mut *view.mask;
    mask[9..11].fill(u8::from(live));
    mask[28..31].fill(u8::from(live));
    mask[31] = u8::from(live & (ship.supplies[STABILIZERS] > 0));
    mask[34..36].fill(u8::from(ship.supplies[KITS] > 0));
    mask[42..61].fill(u8::from(docked));
    for (index, (_, cost)) in FUEL_OFFERS.iter().enumerate() {
        mask[61 + index] = u8::from(docked & (ship.credits >= *cost));
    }
    for (index, cost) in SUPPLY_COST.iter().enumerate() {
        let room = ship.supplies[index] < SUPPLY_MAX;
        mask[64 + index] = u8::from(docked & room & (ship.credits >= *cost));
    }
    mask[67] = u8::from(docked & (ship.credits >= OVERHAUL_COST));
}

const _: () = assert!(LANES_AT + LANE_WIDTH * LANES + 2 == ROCKS_AT);
const _: () = assert!(ROCKS_AT + ROCK_WIDTH * ROCKS_MAX == MARKET_AT);
