//! Friends the link reaches: up to 8, nearest first, 10 figures each. A ship cut off sees none.

use crate::sensing::links;
use crate::setup::Setup;
use crate::state::{State, flag};

use super::{ALLIES, ALLY_SIZE, Frame, RANGE_M, SPEED};

/// Rows of the friends a ship hears, nearest first, and how many.
#[must_use]
pub fn heard(setup: &Setup, state: &State, ship: usize) -> ([u32; ALLIES], usize) {
    let ships = &state.ships;
    let mut nearest = [(f32::INFINITY, 0_u32); ALLIES];
    let mut count = 0;
    for other in 0..ships.len() {
        if ships.holder[other] != ships.holder[ship] || !links::linked(setup, state, ship, other) {
            continue;
        }
        let (dx, dy) = (ships.x[other] - ships.x[ship], ships.y[other] - ships.y[ship]);
        let square = dx * dx + dy * dy;
        if count == ALLIES && square >= nearest[ALLIES - 1].0 {
            continue;
        }
        count = (count + 1).min(ALLIES);
        let mut at = count - 1;
        while at > 0 && nearest[at - 1].0 > square {
            nearest[at] = nearest[at - 1];
            at -= 1;
        }
        nearest[at] = (square, other as u32);
    }
    (nearest.map(|(_, other)| other), count)
}

pub(super) fn write(
    setup: &Setup,
    state: &State,
    ship: usize,
    heard: &[u32],
    frame: &Frame,
    out: &mut [f32],
) {
    let (used, rest) = out.split_at_mut(heard.len() * ALLY_SIZE);
    let assets = setup.goals[ship].as_ref().map_or(&[][..], |goal| &goal.assets);
    for (&other, out) in heard.iter().zip(used.chunks_exact_mut(ALLY_SIZE)) {
        let row = other as usize;
        let ships = &state.ships;
        let (sine, cosine, range) = frame.bearing(ships.x[row], ships.y[row]);
        let (vx, vy) = ships.velocity(row);
        let (ahead, port) = frame.turned(vx - frame.vx, vy - frame.vy);
        let hull = &setup.hulls[row];
        let precious = ships.flags[row] & flag::FLAGSHIP != 0 || assets.contains(&other);
        out.copy_from_slice(&[
            1.0,
            sine,
            cosine,
            range / RANGE_M,
            ahead / SPEED,
            port / SPEED,
            f32::from(ships.layer[row]) / 2.0,
            ships.hp[row] / hull.hp,
            f32::from(hull.size as u8) / 3.0,
            f32::from(u8::from(precious)),
        ]);
    }
    rest.fill(0.0);
}
