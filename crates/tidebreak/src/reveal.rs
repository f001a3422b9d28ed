//! The true state as 528 figures in [-1, 1], for critics that see more than any ship: the 32 most
//! valuable ships, 16 figures each, then 16 of the battle.

use crate::setup::Setup;
use crate::state::State;

/// Ships that are told of.
pub const SHIPS: usize = 32;
/// Figures of one ship.
pub const SHIP_SIZE: usize = 16;
/// Figures of the battle.
pub const GLOBALS: usize = 16;
/// Figures in all.
pub const FLOATS: usize = SHIPS * SHIP_SIZE + GLOBALS;

/// Write the true state. Ships come by value, the lower row first among equals, so a place means the
/// same ship throughout a battle.
pub fn state(setup: &Setup, state: &State, out: &mut [f32]) {
    out.fill(0.0);
    let mut chosen = [0_u32; SHIPS];
    let count = most_valuable(setup, &mut chosen);
    let (ships, globals) = out.split_at_mut(SHIPS * SHIP_SIZE);
    for (&row, out) in chosen[..count].iter().zip(ships.chunks_exact_mut(SHIP_SIZE)) {
        one(setup, state, row as usize, out);
    }
    battle(setup, state, globals);
    for value in out.iter_mut() {
        *value = value.clamp(-1.0, 1.0);
    }
}

fn most_valuable(setup: &Setup, chosen: &mut [u32; SHIPS]) -> usize {
    let mut count = 0;
    for (row, &value) in setup.values.iter().enumerate() {
        let before = chosen[..count].iter().position(|&other| setup.values[other as usize] < value);
        let at = before.unwrap_or(count);
        if at < SHIPS {
            count = (count + 1).min(SHIPS);
            chosen.copy_within(at..count - 1, at + 1);
            chosen[at] = row as u32;
        }
    }
    count
}

fn one(setup: &Setup, state: &State, row: usize, out: &mut [f32]) {
    let ships = &state.ships;
    let (hull, terrain) = (&setup.hulls[row], &setup.terrain);
    let place = |at: f32, low: f32, high: f32| (2.0 * at - low - high) / (high - low);
    let (sine, cosine) = libm::sincosf(ships.heading[row]);
    let top = hull.speed_max[usize::from(ships.layer[row])];
    let sides = setup.package.teams.len().max(2) - 1;
    out.copy_from_slice(&[
        1.0,
        2.0 * f32::from(ships.holder[row]) / sides as f32 - 1.0,
        place(ships.x[row], terrain.min.0, terrain.max.0),
        place(ships.y[row], terrain.min.1, terrain.max.1),
        sine,
        cosine,
        if top > 0.0 { ships.surge[row] / top } else { 0.0 },
        f32::from(ships.layer[row]) / 2.0,
        f32::from(u8::from(ships.in_transition(row))),
        ships.hp[row] / hull.hp,
        ships.morale[row],
        f32::from(ships.fate[row]) / 6.0,
        f32::from(ships.emission[row]) / 2.0,
        rounds_left(state, row),
        (setup.values[row] / 25.0).min(1.0),
        ships.level_db[row] / 150.0,
    ]);
}

fn rounds_left(state: &State, row: usize) -> f32 {
    let first = state.ships.mount_first[row] as usize;
    let mounts = first..first + state.ships.mount_count[row] as usize;
    let left: u32 =
        state.mounts.rounds[mounts.clone()].iter().map(|&rounds| u32::from(rounds)).sum();
    let loaded: u32 = state.mounts.loaded[mounts].iter().map(|&rounds| u32::from(rounds)).sum();
    left as f32 / loaded.max(1) as f32
}

fn battle(setup: &Setup, state: &State, out: &mut [f32]) {
    out[0] = 1.0 - state.tick as f32 / setup.time_limit.max(1) as f32;
    for (out, [start, left]) in out[1..5].iter_mut().zip(&state.team_value) {
        *out = if *start > 0.0 { (left / start) as f32 } else { 0.0 };
    }
    let ships = &state.ships;
    for row in 0..ships.len() {
        if ships.fights(row) {
            out[5 + usize::from(ships.holder[row].min(3))] += 1.0 / ships.len() as f32;
        }
    }
    out[9] = state.sky.sea_state / 9.0;
    out[10] = state.sky.visibility_km / 20.0;
    out[11] = f32::from(state.sky.rain) / 3.0;
    out[12] = state.storms.len() as f32 / 8.0;
    out[13] = state.rounds.len() as f32 / 256.0;
    out[14] = state.squadrons.len() as f32 / 32.0;
    out[15] = f32::from(u8::from(state.outcome.ended_by != 0));
}
