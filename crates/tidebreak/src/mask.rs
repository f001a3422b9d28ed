//! What a ship may order in this moment: one byte per choice of each head, 1 where it is legal.
//!
//! Read from the ship itself, its own contact table as last shown and the chart, so a mask tells
//! nothing that the observation does not.

use crate::engagement;
use crate::orders::{CHOICES, HEADS};
use crate::sensing;
use crate::setup::Setup;
use crate::state::{State, TRACKS};
use crate::tables::SizeClass;

/// Where each head begins.
pub const OFFSETS: [usize; 11] = offsets();

const fn offsets() -> [usize; 11] {
    let mut offsets = [0; 11];
    let mut head = 1;
    while head < 11 {
        offsets[head] = offsets[head - 1] + HEADS[head - 1] as usize;
        head += 1;
    }
    offsets
}

/// Heads by name.
pub mod head {
    #![allow(missing_docs, reason = "the names say it")]
    pub const THROTTLE: usize = 0;
    pub const RUDDER: usize = 1;
    pub const TARGET: usize = 2;
    pub const FIRE: usize = 3;
    pub const LAYER: usize = 7;
    pub const EMISSION: usize = 8;
    pub const UTILITY: usize = 9;
    pub const DAMAGE_CONTROL: usize = 10;
}

/// Write one ship's mask. A hull that no longer fights has only the first choice of each head.
pub fn ship(setup: &Setup, state: &State, ship: usize, out: &mut [u8; CHOICES]) {
    out.fill(0);
    for offset in OFFSETS {
        out[offset] = 1;
    }
    if !state.ships.fights(ship) {
        return;
    }
    for head in [head::THROTTLE, head::RUDDER, head::EMISSION, head::DAMAGE_CONTROL] {
        out[OFFSETS[head]..][..HEADS[head] as usize].fill(1);
    }
    let shown = usize::from(state.beliefs.shown_count[ship]);
    out[OFFSETS[head::TARGET] + 1..][..shown].fill(1);
    let groups = fire_groups(setup, state, ship);
    for group in 0..4 {
        out[OFFSETS[head::FIRE + group] + 1] = groups >> group & 1;
    }
    layers(setup, state, ship, &mut out[OFFSETS[head::LAYER]..]);
    utilities(setup, state, ship, &mut out[OFFSETS[head::UTILITY]..]);
}

/// The fire buttons that would do something, whatever of what is shown were aimed at.
#[must_use]
pub fn fire_groups(setup: &Setup, state: &State, ship: usize) -> u8 {
    let ready = engagement::ready_kinds(setup, state, ship);
    let mut open = engagement::kinds_for_nothing(setup, ready);
    let shown = usize::from(state.beliefs.shown_count[ship]);
    for &place in &state.beliefs.shown[ship][..shown] {
        let rest = ready & !open;
        let row = ship * TRACKS + usize::from(place);
        open |= engagement::kinds_for(setup, state, ship, row, rest);
    }
    engagement::groups_of(setup, open)
}

/// The fire buttons that would do something with this choice of the target head.
#[must_use]
pub fn fire_groups_at(setup: &Setup, state: &State, ship: usize, target: u8) -> u8 {
    let ready = engagement::ready_kinds(setup, state, ship);
    let mut open = engagement::kinds_for_nothing(setup, ready);
    if target > 0 && target <= state.beliefs.shown_count[ship] {
        let place = state.beliefs.shown[ship][usize::from(target - 1)];
        let row = ship * TRACKS + usize::from(place);
        open |= engagement::kinds_for(setup, state, ship, row, ready);
    }
    engagement::groups_of(setup, open)
}

/// Hold, up, down, abort.
fn layers(setup: &Setup, state: &State, ship: usize, out: &mut [u8]) {
    let ships = &state.ships;
    let layer = ships.layer[ship];
    if ships.in_transition(ship) {
        out[3] = u8::from(ships.layer_next[ship] != layer);
        return;
    }
    let open = |to: u8| u8::from(setup.layer_open(ship, to, ships.x[ship], ships.y[ship]));
    out[1] = if layer > 0 { open(layer - 1) } else { 0 };
    out[2] = if layer < 2 { open(layer + 1) } else { 0 };
}

/// None, decoy, ping, jam, board, scuttle. No hull carries a jammer or boards yet.
fn utilities(setup: &Setup, state: &State, ship: usize, out: &mut [u8]) {
    let ships = &state.ships;
    // The last second of the wait passes before the decoy is dropped.
    out[1] = u8::from(ships.decoys[ship] > 0 && ships.decoy_cooldown[ship] <= 1);
    let hears = setup.senses.ranges[ship].sonar_m > 0.0 && sensing::health(state, ship) > 0.0;
    out[2] = u8::from(hears);
    out[5] = u8::from(may_scuttle(setup, state, ship));
}

/// Whether the crew may sink its own hull: one that is past saving, or any where the battle says so;
/// never one of size XL.
fn may_scuttle(setup: &Setup, state: &State, ship: usize) -> bool {
    let any_time = setup.package.scuttle_any_time;
    setup.hulls[ship].size != SizeClass::XL && (any_time || state.ships.past_saving(setup, ship))
}
