//! Hulls that touch each other, land, shoals or the edge of the map.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::scratch::{Hit, Scratch};
use crate::setup::Setup;
use crate::state::{Cause, NOBODY, Ships, State};

/// More than any current or push moves a hull in a tick, metres.
const MARGIN: f32 = 15.0;

fn speed(ships: &Ships, ship: usize) -> f32 {
    ships.surge[ship].abs() + ships.sway[ship].abs()
}

/// Pairs that could touch before the tick ends; only those are looked at in every substep.
pub fn find_pairs(setup: &Setup, state: &State, scratch: &mut Scratch) {
    let Scratch { grid, pairs, .. } = scratch;
    pairs.clear();
    let ships = &state.ships;
    for ship in 0..ships.len() {
        if !ships.afloat(ship) {
            continue;
        }
        let (x, y) = (ships.x[ship], ships.y[ship]);
        let own = setup.hulls[ship].radius_m + speed(ships, ship) + 2.0 * MARGIN;
        let reach = own + setup.radius_max + setup.speed_max;
        let first = pairs.len();
        grid.ships.near(x, y, reach, |other| {
            if other <= ship || ships.places(ship) & ships.places(other) & 0b111 == 0 {
                return;
            }
            let gap = own + setup.hulls[other].radius_m + speed(ships, other);
            let (dx, dy) = (ships.x[other] - x, ships.y[other] - y);
            if dx * dx + dy * dy < gap * gap {
                pairs.push((ship as u32, other as u32, 0));
            }
        });
        pairs[first..].sort_unstable();
    }
}

/// Ships so near land, shoals or an edge that every substep has to look.
pub fn find_coast(setup: &Setup, state: &State, scratch: &mut Scratch) {
    scratch.coasting.clear();
    let ships = &state.ships;
    let edge = setup.tables.motion.edge.push_back_m;
    for ship in 0..ships.len() {
        if !ships.afloat(ship) {
            continue;
        }
        let (x, y) = (ships.x[ship], ships.y[ship]);
        let reach = setup.hulls[ship].radius_m + speed(ships, ship) + MARGIN;
        let near_land = setup.terrain.solids.iter().any(|solid| {
            let (middle, radius) = solid.bound();
            let (dx, dy) = (x - middle.0, y - middle.1);
            let far = radius + reach;
            dx * dx + dy * dy < far * far
        });
        let shoals = setup.shoals;
        if near_land || shoals || setup.terrain.edge_distance(x, y) < edge + reach {
            scratch.coasting.push(ship as u32);
        }
    }
}

/// Push apart hulls that overlap, and count what it does to them.
pub fn resolve_pairs(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
) {
    for at in 0..scratch.pairs.len() {
        let (one, other, _) = scratch.pairs[at];
        let (one, other) = (one as usize, other as usize);
        let ships = &state.ships;
        let (dx, dy) = (ships.x[other] - ships.x[one], ships.y[other] - ships.y[one]);
        let reach = setup.hulls[one].radius_m + setup.hulls[other].radius_m;
        let square = dx * dx + dy * dy;
        if square < reach * reach {
            touch(setup, state, scratch, journal, at, (dx, dy));
        }
    }
}

fn touch(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    pair: usize,
    (dx, dy): (f32, f32),
) {
    let (one, other, known) = scratch.pairs[pair];
    let (one, other) = (one as usize, other as usize);
    let figures = &setup.tables.motion.contact;
    let apart = (dx * dx + dy * dy).sqrt();
    let normal = if apart > 0.0 { (dx / apart, dy / apart) } else { (1.0, 0.0) };
    let masses = (setup.hulls[one].mass_t, setup.hulls[other].mass_t);
    let total = masses.0 + masses.1;
    let moored = |ship: usize| setup.hulls[ship].speed_max[0] <= 0.0;
    let shares = match (moored(one), moored(other)) {
        (true, true) => (0.0, 0.0),
        (true, false) => (0.0, 1.0),
        (false, true) => (1.0, 0.0),
        _ => (masses.1 / total, masses.0 / total),
    };
    let overlap = setup.hulls[one].radius_m + setup.hulls[other].radius_m - apart;
    shift(&mut state.ships, one, normal, -overlap * shares.0);
    shift(&mut state.ships, other, normal, overlap * shares.1);
    let along = |ship: usize, state: &State| {
        let (bow, ships) = (state.ships.bow[ship], &state.ships);
        let vx = bow.0 * ships.surge[ship] - bow.1 * ships.sway[ship];
        let vy = bow.1 * ships.surge[ship] + bow.0 * ships.sway[ship];
        vx * normal.0 + vy * normal.1
    };
    let (to, fro) = (along(one, state), -along(other, state));
    let closing = to + fro;
    if closing <= 0.0 {
        return;
    }
    let change = (1.0 + figures.restitution) * closing;
    shove(state, one, normal, -change * shares.0);
    shove(state, other, normal, change * shares.1);
    let reduced = masses.0 * masses.1 / total;
    let energy = figures.damage * reduced * closing * closing;
    // Hulls that grind along each other collide once, however many substeps it takes.
    let (rams, rammed) = if fro > to { (other, one) } else { (one, other) };
    let order = state.ships.order_event[rams];
    let mut event = known;
    if known == 0 {
        state.tally.collisions += 1;
        let place = (state.ships.x[rams], state.ships.y[rams]);
        let (kind, plugin) = (Kind::Collided, Plugin::Helm);
        let (source, target) = (rams as u32, rammed as u32);
        event = tell(state, journal, kind, source, target, order, order, place, closing, plugin);
        scratch.pairs[pair].2 = event;
    }
    let trace = if order == 0 { event } else { order };
    for (hurt, by, share) in [(one, other, masses.1 / total), (other, one, masses.0 / total)] {
        scratch.hits.push(Hit {
            target: hurt as u32,
            amount: energy * share,
            cause: Cause::Collision,
            source: by as u32,
            cause_event: event,
            trace,
            underwater: false,
            direct: true,
        });
    }
}

fn shift(ships: &mut Ships, ship: usize, normal: (f32, f32), by: f32) {
    ships.x[ship] += normal.0 * by;
    ships.y[ship] += normal.1 * by;
}

/// Change a hull's velocity along a direction of the map.
fn shove(state: &mut State, ship: usize, normal: (f32, f32), by: f32) {
    let bow = state.ships.bow[ship];
    state.ships.surge[ship] += by * (normal.0 * bow.0 + normal.1 * bow.1);
    state.ships.sway[ship] += by * (normal.1 * bow.0 - normal.0 * bow.1);
}

/// Land and shoals stop hulls; the edge of the map pushes them back.
pub fn resolve_coast(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
) {
    for at in 0..scratch.coasting.len() {
        let ship = scratch.coasting[at] as usize;
        let radius = setup.hulls[ship].radius_m;
        for solid in &setup.terrain.solids {
            let (gap, normal) = solid.outside(state.ships.x[ship], state.ships.y[ship]);
            if gap < radius {
                shift(&mut state.ships, ship, normal, radius - gap);
                ground(setup, state, scratch, journal, ship, normal);
            }
        }
        if setup.shoals {
            keep_afloat(setup, state, scratch, journal, ship);
        }
        push_back(setup, state, ship);
    }
}

/// Too little water for the hull's layer ahead: it stops where it was.
fn keep_afloat(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
) {
    let needed = setup.depth_needed(&state.ships, ship);
    let (x, y) = (state.ships.x[ship], state.ships.y[ship]);
    if setup.terrain.depth_at(x, y) >= needed {
        return;
    }
    let bow = state.ships.bow[ship];
    let (surge, sway) = (state.ships.surge[ship], state.ships.sway[ship]);
    let velocity = (bow.0 * surge - bow.1 * sway, bow.1 * surge + bow.0 * sway);
    let fast = (velocity.0 * velocity.0 + velocity.1 * velocity.1).sqrt();
    if fast > 0.0 {
        let back = (-velocity.0 / fast, -velocity.1 / fast);
        shift(&mut state.ships, ship, back, fast * setup.dt);
        ground(setup, state, scratch, journal, ship, back);
    }
}

/// The velocity into the ground is lost, and above a safe speed it hurts.
fn ground(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
    normal: (f32, f32),
) {
    let figures = &setup.tables.motion.ground;
    let bow = state.ships.bow[ship];
    let (surge, sway) = (state.ships.surge[ship], state.ships.sway[ship]);
    let velocity = (bow.0 * surge - bow.1 * sway, bow.1 * surge + bow.0 * sway);
    let into = -(velocity.0 * normal.0 + velocity.1 * normal.1);
    if into <= 0.0 {
        return;
    }
    shove(state, ship, normal, into);
    let excess = into - figures.speed_safe;
    if excess <= 0.0 {
        return;
    }
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let id = ship as u32;
    let (kind, order) = (Kind::Grounded, state.ships.order_event[ship]);
    let event = tell(state, journal, kind, NOBODY, id, order, order, place, into, Plugin::Helm);
    scratch.hits.push(Hit {
        target: id,
        amount: excess * figures.hp_share_per_speed * setup.hulls[ship].hp,
        cause: Cause::Terrain,
        source: NOBODY,
        cause_event: event,
        trace: if order == 0 { event } else { order },
        underwater: true,
        direct: true,
    });
}

fn push_back(setup: &Setup, state: &mut State, ship: usize) {
    if state.ships.may_exit(ship) {
        return;
    }
    let belt = setup.tables.motion.edge.push_back_m;
    let top = setup.hulls[ship].speed_max[usize::from(state.ships.layer[ship])];
    // As strong as the hull's engines at the very edge, nothing at the inner rim of the belt.
    let push = |inside: f32| top * (1.0 - inside / belt).clamp(0.0, 1.0) * setup.dt;
    let (min, max) = (setup.terrain.min, setup.terrain.max);
    let (x, y) = (state.ships.x[ship], state.ships.y[ship]);
    state.ships.x[ship] = (x + push(x - min.0) - push(max.0 - x)).clamp(min.0, max.0);
    state.ships.y[ship] = (y + push(y - min.1) - push(max.1 - y)).clamp(min.1, max.1);
}
