//! What the ship was sent for: 39 figures.

use crate::sensing::{links, tracks};
use crate::setup::{Goal, Setup};
use crate::state::State;

use super::{Frame, RANGE_M, SPEED};

/// Types of objective there are.
const TYPES: usize = 14;

pub(super) fn write(setup: &Setup, state: &State, ship: usize, frame: &Frame, out: &mut [f32]) {
    out.fill(0.0);
    let Some(goal) = &setup.goals[ship] else { return };
    let (types, rest) = out.split_at_mut(TYPES);
    types[goal.aim as usize] = 1.0;
    if let Some((place, velocity)) = nearest_target(state, ship, goal) {
        company(frame, place, velocity, &mut rest[..7]);
    }
    if let Some(row) = nearest_asset(setup, state, ship, goal) {
        let place = (state.ships.x[row], state.ships.y[row]);
        company(frame, place, state.ships.velocity(row), &mut rest[7..14]);
    }
    if let Some((x, y, radius)) = goal.zone {
        let (sine, cosine, range) = frame.bearing(x, y);
        rest[14..19].copy_from_slice(&[1.0, sine, cosine, range / RANGE_M, radius / RANGE_M]);
    }
    if let Some((x, y)) = goal.destination {
        let (sine, cosine, range) = frame.bearing(x, y);
        rest[19..23].copy_from_slice(&[1.0, sine, cosine, range / RANGE_M]);
    }
    rest[23] = goal.priority;
    rest[24] = goal.deadline.saturating_sub(state.tick) as f32 / setup.time_limit.max(1) as f32;
}

/// Where the ship believes the nearest target that it sees and that still fights to be, and how that
/// target moves. Only the end of a target is known to all, so nothing else of it is read.
pub(crate) fn nearest_target(
    state: &State,
    ship: usize,
    goal: &Goal,
) -> Option<((f32, f32), (f32, f32))> {
    let open = goal.targets.iter().filter(|&&target| state.ships.fights(target as usize));
    let seen = open.filter_map(|&target| sighted(state, ship, target));
    seen.min_by(|one, other| apart(state, ship, one.0).total_cmp(&apart(state, ship, other.0)))
}

/// The nearest ship that the goal is for, of those the ship hears.
pub(crate) fn nearest_asset(
    setup: &Setup,
    state: &State,
    ship: usize,
    goal: &Goal,
) -> Option<usize> {
    let rows = goal.assets.iter().map(|&asset| asset as usize);
    let heard = rows.filter(|&row| links::linked(setup, state, ship, row));
    let away = |row: usize| apart(state, ship, (state.ships.x[row], state.ships.y[row]));
    heard.min_by(|&one, &other| away(one).total_cmp(&away(other)))
}

/// Square of the distance from a ship to a place.
fn apart(state: &State, ship: usize, (x, y): (f32, f32)) -> f32 {
    let (dx, dy) = (x - state.ships.x[ship], y - state.ships.y[ship]);
    dx * dx + dy * dy
}

/// Where the ship believes a target to be and how it moves; nothing until it can tell what it sees.
fn sighted(state: &State, ship: usize, target: u32) -> Option<((f32, f32), (f32, f32))> {
    let row = tracks::find(&state.beliefs, ship, target)?;
    let known = &state.beliefs.tracks;
    (known.quality[row] > 0).then(|| ((known.x[row], known.y[row]), (known.vx[row], known.vy[row])))
}

/// That there is one, its bearing and range, how its course lies to the ship's, and how much faster
/// it goes.
fn company(frame: &Frame, place: (f32, f32), (vx, vy): (f32, f32), out: &mut [f32]) {
    let (sine, cosine, range) = frame.bearing(place.0, place.1);
    let speed = (vx * vx + vy * vy).sqrt();
    let scale = if speed > 0.0 { 1.0 / speed } else { 0.0 };
    let (ahead, port) = frame.turned(vx * scale, vy * scale);
    out.copy_from_slice(&[
        1.0,
        sine,
        cosine,
        range / RANGE_M,
        port,
        ahead,
        (speed - frame.speed()) / SPEED,
    ]);
}
