//! Where a hit lands in a hull, and what it breaks there.

use crate::condition::compartment;
use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::scratch::Hit;
use crate::setup::Setup;
use crate::state::{Cause, State};

/// Let one hit break something. `index` sets the draws of hits on one hull apart.
pub fn strike(setup: &Setup, state: &mut State, journal: &mut Journal, hit: &Hit, index: u32) {
    if matches!(hit.cause, Cause::FireAndFlooding | Cause::Weather) || hit.amount <= 0.0 {
        return;
    }
    match setup.hulls[hit.target as usize].damage_tier {
        0 => critical(setup, state, journal, hit, index),
        1 => component(setup, state, journal, hit, index),
        _ => hit_compartment(setup, state, journal, hit, index),
    }
}

fn drawn(state: &State, hit: &Hit, index: u32) -> f32 {
    Draws::of(state.seed).unit(Draw::Damage, hit.target, state.tick, index)
}

/// The place that a draw falls on, by weights.
fn chosen(weights: &[f32], drawn: f32) -> usize {
    let total: f32 = weights.iter().sum();
    let mut left = drawn * total;
    for (place, &weight) in weights.iter().enumerate() {
        if left < weight {
            return place;
        }
        left -= weight;
    }
    weights.len() - 1
}

fn chance(setup: &Setup, share: f32) -> f32 {
    let figures = &setup.tables.damage.critical;
    (figures.base + figures.per_share * share).clamp(0.0, figures.max)
}

/// A small hull: one roll decides whether something important breaks.
fn critical(setup: &Setup, state: &mut State, journal: &mut Journal, hit: &Hit, index: u32) {
    let ship = hit.target as usize;
    let share = hit.amount / setup.hulls[ship].hp;
    if drawn(state, hit, 4 * index) >= chance(setup, share) {
        return;
    }
    let figures = &setup.tables.damage.critical;
    let left = figures.out_of_action_health;
    match chosen(&figures.weights, drawn(state, hit, 4 * index + 1)) {
        0 => put_out(state, journal, hit, &[0], left),
        1 => put_out(state, journal, hit, &[3, 4], left),
        2 => put_out(state, journal, hit, &[2], left),
        3 => ignite(state, journal, hit, 0),
        _ => flood(state, journal, hit, 0),
    }
}

/// Leave parts no more than a rest of their health.
fn put_out(state: &mut State, journal: &mut Journal, hit: &Hit, places: &[usize], left: f32) {
    let ship = hit.target as usize;
    for &place in places {
        let health = &mut state.ships.parts[ship][place];
        *health = health.min(left);
    }
    tell_part(state, journal, hit, Kind::PartLost, places[0]);
}

fn component(setup: &Setup, state: &mut State, journal: &mut Journal, hit: &Hit, index: u32) {
    let figures = &setup.tables.damage.component;
    let weights =
        if hit.cause == Cause::Torpedo { &figures.torpedo_weights } else { &figures.weights };
    let place = chosen(weights, drawn(state, hit, 4 * index));
    let part = figures.hp_share * setup.hulls[hit.target as usize].hp;
    wear(state, journal, hit, place, figures.hit_share * hit.amount / part);
    begin_fire_or_flood(setup, state, journal, hit, (place, hit.amount / part), index);
}

fn hit_compartment(setup: &Setup, state: &mut State, journal: &mut Journal, hit: &Hit, index: u32) {
    let ship = hit.target as usize;
    let count = setup.tables.damage.compartment.count as usize;
    let from = (drawn(state, hit, 4 * index) * count as f32) as usize;
    // What is gone already cannot be struck again: the next along the hull is.
    let place = (from..from + count)
        .map(|at| at % count)
        .find(|&at| state.ships.parts[ship][at] > 0.0)
        .unwrap_or(from.min(count - 1));
    let part = setup.hulls[ship].hp / count as f32;
    wear(state, journal, hit, place, hit.amount / part);
    begin_fire_or_flood(setup, state, journal, hit, (place, hit.amount / part), index);
}

/// Take health from a part, and say so when it is gone for good.
fn wear(state: &mut State, journal: &mut Journal, hit: &Hit, place: usize, by: f32) {
    let health = &mut state.ships.parts[hit.target as usize][place];
    let before = *health;
    *health = (before - by).max(0.0);
    if before > 0.0 && *health <= 0.0 {
        tell_part(state, journal, hit, Kind::PartLost, place);
    }
}

fn begin_fire_or_flood(
    setup: &Setup,
    state: &mut State,
    journal: &mut Journal,
    hit: &Hit,
    (place, share): (usize, f32),
    index: u32,
) {
    if drawn(state, hit, 4 * index + 2) >= chance(setup, share) {
        return;
    }
    // Only large hulls burn compartment by compartment.
    let bit = if setup.hulls[hit.target as usize].damage_tier == 2 { place } else { 0 };
    if hit.underwater {
        flood(state, journal, hit, bit);
    } else {
        ignite(state, journal, hit, bit);
    }
}

fn ignite(state: &mut State, journal: &mut Journal, hit: &Hit, place: usize) {
    let burning = &mut state.ships.burning[hit.target as usize];
    if *burning >> place & 1 == 0 {
        *burning |= 1 << place;
        tell_part(state, journal, hit, Kind::FireStarted, place);
    }
}

fn flood(state: &mut State, journal: &mut Journal, hit: &Hit, place: usize) {
    let wet = &mut state.ships.wet[hit.target as usize];
    if *wet >> place & 1 == 0 {
        *wet |= 1 << place;
        tell_part(state, journal, hit, Kind::FloodingStarted, place);
    }
}

fn tell_part(state: &mut State, journal: &mut Journal, hit: &Hit, kind: Kind, place: usize) {
    let ship = hit.target as usize;
    let at = (state.ships.x[ship], state.ships.y[ship]);
    let (source, target) = (hit.source, hit.target);
    let (cause, trace) = (hit.cause_event, hit.trace);
    let plugin = Plugin::DamageControl;
    tell(state, journal, kind, source, target, cause, trace, at, place as f32, plugin);
}

/// A magazine that is gone takes the rounds with it.
pub fn lose_magazine(setup: &Setup, state: &mut State, ship: usize) {
    let dead =
        setup.hulls[ship].damage_tier == 2 && state.ships.parts[ship][compartment::MAGAZINE] <= 0.0;
    if !dead {
        return;
    }
    let first = state.ships.mount_first[ship] as usize;
    for mount in first..first + state.ships.mount_count[ship] as usize {
        state.mounts.lost[mount] += state.mounts.rounds[mount];
        state.mounts.rounds[mount] = 0;
    }
}
