//! Hulls move: substep by substep, all at once.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::resolvers::contact;
use crate::scratch::{Drive, Scratch};
use crate::setup::Setup;
use crate::state::{Fate, NOBODY, State};

/// Move every hull through the tick and note where it was after each substep.
pub fn resolve(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal) {
    begin(setup, state, scratch);
    contact::find_pairs(setup, state, scratch);
    contact::find_coast(setup, state, scratch);
    for substep in 1..=setup.substeps as usize {
        for ship in 0..state.ships.len() {
            if state.ships.afloat(ship) {
                step(setup, state, scratch, ship);
            }
        }
        contact::resolve_pairs(setup, state, scratch, journal);
        contact::resolve_coast(setup, state, scratch, journal);
        let stride = setup.substeps as usize + 1;
        for ship in 0..state.ships.len() {
            scratch.paths[ship * stride + substep] = (state.ships.x[ship], state.ships.y[ship]);
        }
    }
    state.substep += u64::from(setup.substeps);
    for ship in 0..state.ships.len() {
        if state.ships.afloat(ship) {
            straighten(state, ship);
            burn(setup, state, ship);
            leave(setup, state, journal, ship);
        }
    }
}

fn begin(setup: &Setup, state: &State, scratch: &mut Scratch) {
    let stride = setup.substeps as usize + 1;
    for ship in 0..state.ships.len() {
        let (x, y) = (state.ships.x[ship], state.ships.y[ship]);
        scratch.currents[ship] =
            if setup.hulls[ship].speed_max[0] > 0.0 { setup.current_at(x, y) } else { (0.0, 0.0) };
        scratch.paths[ship * stride] = (x, y);
    }
}

/// One hull through one substep: yaw, turn of the velocity, surge, place.
#[inline]
fn step(setup: &Setup, state: &mut State, scratch: &mut Scratch, ship: usize) {
    let Drive { speed, top, accel, turn, rudder } = scratch.drives[ship];
    let dt = setup.dt;
    let motion = &setup.tables.motion;
    let size = setup.hulls[ship].size as usize;
    let ships = &mut state.ships;
    let (mut surge, mut sway) = (ships.surge[ship], ships.sway[ship]);
    let mut yaw = ships.yaw_rate[ship];
    let bite = if top > 0.0 { (surge.abs() / (motion.steerage_share * top)).min(1.0) } else { 0.0 };
    yaw += (rudder * turn * bite - yaw) * setup.yaw_gain[size];
    let turned = yaw * dt;
    // Exact to the last bits for the few degrees a hull turns in a substep, and cheaper than two
    // calls of the library for each.
    let square = turned * turned;
    let cosine = 1.0 - square * (0.5 - square * (1.0 / 24.0));
    let sine = turned * (1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0)));
    // The hull turns under its way: what was ahead now goes partly to the side.
    (surge, sway) = (surge * cosine + sway * sine, sway * cosine - surge * sine);
    let slowed = if turn > 0.0 { (yaw.abs() / turn).min(1.0) } else { 0.0 };
    let wanted = speed * (1.0 - motion.turn_speed_loss * slowed);
    let faster = wanted.abs() > surge.abs() && wanted * surge >= 0.0;
    let most = if faster { accel } else { accel * motion.brake_factor } * dt;
    surge += (wanted - surge).clamp(-most, most);
    sway *= setup.sway_keep[size];
    let (bow_x, bow_y) = ships.bow[ship];
    let bow = (bow_x * cosine - bow_y * sine, bow_y * cosine + bow_x * sine);
    ships.bow[ship] = bow;
    let (flow_x, flow_y) = scratch.currents[ship];
    ships.x[ship] += (bow.0 * surge - bow.1 * sway + flow_x) * dt;
    ships.y[ship] += (bow.1 * surge + bow.0 * sway + flow_y) * dt;
    ships.surge[ship] = surge;
    ships.sway[ship] = sway;
    ships.yaw_rate[ship] = yaw;
}

/// Turning a pair of numbers many times makes it a little longer or shorter than 1.
fn straighten(state: &mut State, ship: usize) {
    let (x, y) = state.ships.bow[ship];
    let length = (x * x + y * y).sqrt();
    let bow = (x / length, y / length);
    state.ships.bow[ship] = bow;
    state.ships.heading[ship] = wrapped(libm::atan2f(bow.1, bow.0));
}

/// An angle in [-pi, pi).
#[inline]
#[must_use]
pub fn wrapped(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    if angle >= PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}

fn burn(setup: &Setup, state: &mut State, ship: usize) {
    let figures = &setup.tables.motion.fuel;
    let lever = state.ships.throttle[ship].abs();
    let share = figures.idle_share + (1.0 - figures.idle_share) * lever * lever * lever;
    let tonnes = f64::from(setup.hulls[ship].burn_kg_s * share * figures.battle_factor) / 1000.0;
    let burned = tonnes.min(state.ships.fuel[ship]);
    state.ships.fuel[ship] -= burned;
    state.ships.fuel_burned[ship] += burned;
}

fn leave(setup: &Setup, state: &mut State, journal: &mut Journal, ship: usize) {
    let (x, y) = (state.ships.x[ship], state.ships.y[ship]);
    if state.ships.may_exit(ship) && setup.terrain.edge_distance(x, y) < 0.0 {
        state.ships.fate[ship] = Fate::Exited as u8;
        let (kind, id, order) = (Kind::Exited, ship as u32, state.ships.order_event[ship]);
        tell(state, journal, kind, id, NOBODY, order, order, (x, y), 0.0, Plugin::Helm);
    }
}
