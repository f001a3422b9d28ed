//! The ship itself: 40 figures.

use crate::engagement;
use crate::setup::Setup;
use crate::state::{State, flag};
use crate::tables::WeaponGroup;

use super::Frame;

/// dB shown as 1.
const LEVEL_DB: f32 = 150.0;
/// Metres a second of sway shown as 1.
const SWAY: f32 = 10.0;
/// In the order they are shown.
const FLAGS: [u16; 6] = [
    flag::MOBILITY_LOST,
    flag::WEAPONS_LOST,
    flag::SENSORS_LOST,
    flag::ON_FIRE,
    flag::FLOODING,
    flag::SURRENDERED,
];

pub(super) fn write(setup: &Setup, state: &State, ship: usize, frame: &Frame, out: &mut [f32]) {
    let ships = &state.ships;
    let hull = &setup.hulls[ship];
    let terrain = &setup.terrain;
    out.fill(0.0);
    let place = |at: f32, low: f32, high: f32| (2.0 * at - low - high) / (high - low);
    out[0] = place(frame.x, terrain.min.0, terrain.max.0);
    out[1] = place(frame.y, terrain.min.1, terrain.max.1);
    out[2] = frame.sine;
    out[3] = frame.cosine;
    out[4] = share(ships.surge[ship], hull.speed_max[usize::from(ships.layer[ship])]);
    out[5] = ships.sway[ship] / SWAY;
    out[6] = share(ships.yaw_rate[ship], hull.turn_rate);
    out[7] = ships.throttle[ship];
    out[8] = ships.rudder[ship];
    out[9 + usize::from(ships.layer[ship].min(2))] = 1.0;
    if ships.in_transition(ship) {
        out[12] = 1.0;
        out[13] = share(ships.transition_spent[ship], ships.transition_length[ship]);
        let (from, to) = (ships.layer[ship], ships.layer_next[ship]);
        out[14] = f32::from(i8::from(to > from) - i8::from(to < from));
    }
    let package = &setup.package.ships[ship];
    out[15] = share(ships.hp[ship], hull.hp);
    out[16] = ships.morale[ship];
    out[17] = share(ships.crew[ship][0] as f32, package.crew.fit as f32);
    out[18] = share(ships.fuel[ship] as f32, hull.fuel_t);
    out[19] = ships.fatigue[ship];
    for (value, flag) in out[20..26].iter_mut().zip(FLAGS) {
        *value = f32::from(u8::from(ships.flags[ship] & flag != 0));
    }
    arms(setup, state, ship, &mut out[26..34]);
    out[34 + usize::from(ships.emission[ship].min(2))] = 1.0;
    out[37] = share(f32::from(ships.decoys[ship]), package.decoys as f32);
    out[38] = ships.level_db[ship] / LEVEL_DB;
}

/// Whether each fire button has a ready weapon, and what share of its rounds is left.
fn arms(setup: &Setup, state: &State, ship: usize, out: &mut [f32]) {
    let mounts = &state.mounts;
    let (mut left, mut loaded) = ([0_u32; 5], [0_u32; 5]);
    let first = state.ships.mount_first[ship] as usize;
    for mount in first..first + state.ships.mount_count[ship] as usize {
        let group = setup.tables.weapon(mounts.weapon[mount]).group as usize;
        left[group] += u32::from(mounts.rounds[mount]);
        loaded[group] += u32::from(mounts.loaded[mount]);
    }
    let ready = engagement::groups_of(setup, engagement::ready_kinds(setup, state, ship));
    for group in 0..WeaponGroup::Auto as usize {
        out[2 * group] = f32::from(ready >> group & 1);
        out[2 * group + 1] = share(left[group] as f32, loaded[group] as f32);
    }
}

fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
