//! Contacts: up to 16 of the ship's own tracks, best first, 16 figures each.

use crate::engagement;
use crate::sensing::tracks;
use crate::setup::Setup;
use crate::state::{State, TRACKS};
use crate::tables::Reach;

use super::{CONTACT_SIZE, CONTACTS, Frame, RANGE_M, SPEED};

/// Seconds shown as 1.
const AGE_S: f32 = 90.0;

/// Settle which contacts a ship is shown, and in which order: best quality first, then nearest, then
/// longest known. Orders of the next tick name contacts by this order, whoever looked at it.
pub fn show(state: &mut State, ship: usize) {
    let rows = tracks::rows(&state.beliefs, ship);
    let known = &state.beliefs.tracks;
    let (x, y) = (state.ships.x[ship], state.ships.y[ship]);
    let mut order = [(0_u64, 0_u8); TRACKS];
    let count = rows.len();
    for (place, row) in rows.enumerate() {
        let (dx, dy) = (known.x[row] - x, known.y[row] - y);
        // Bits of a positive float rise with it.
        let square = u64::from((dx * dx + dy * dy).to_bits());
        let worse = u64::from(3 - known.quality[row].min(3));
        let number = u64::from(known.number[row] & 0x3fff_ffff);
        order[place] = (worse << 62 | square << 30 | number, place as u8);
    }
    let order = &mut order[..count];
    order.sort_unstable();
    let shown = &mut state.beliefs.shown[ship];
    for (slot, (_, place)) in shown.iter_mut().zip(order.iter()) {
        *slot = *place;
    }
    state.beliefs.shown_count[ship] = count.min(CONTACTS) as u8;
}

pub(super) fn write(setup: &Setup, state: &State, ship: usize, frame: &Frame, out: &mut [f32]) {
    let shown = usize::from(state.beliefs.shown_count[ship]);
    let ready = engagement::ready_kinds(setup, state, ship);
    let (used, rest) = out.split_at_mut(shown * CONTACT_SIZE);
    for (&place, out) in state.beliefs.shown[ship].iter().zip(used.chunks_exact_mut(CONTACT_SIZE)) {
        let row = ship * TRACKS + usize::from(place);
        one(state, row, frame, out);
        out[15] = f32::from(u8::from(engagement::kinds_for(setup, state, ship, row, ready) != 0));
    }
    rest.fill(0.0);
}

fn one(state: &State, row: usize, frame: &Frame, out: &mut [f32]) {
    let known = &state.beliefs.tracks;
    let (sine, cosine, range) = frame.bearing(known.x[row], known.y[row]);
    let (vx, vy) = (known.vx[row], known.vy[row]);
    let (ahead, port) = frame.turned(vx, vy);
    let (rel_ahead, rel_port) = frame.turned(vx - frame.vx, vy - frame.vy);
    out[0] = 1.0;
    out[1] = sine;
    out[2] = cosine;
    out[3] = range / RANGE_M;
    out[4] = -(rel_ahead * cosine + rel_port * sine) / SPEED;
    out[5] = ahead / SPEED;
    out[6] = port / SPEED;
    out[7] = f32::from(known.quality[row]) / 3.0;
    out[8] = f32::from(known.age[row]) / AGE_S;
    out[9] = known.sigma[row] / range.max(1.0);
    let places = known.places[row];
    let surface = places & (Reach::SURFACE | Reach::AIR) != 0;
    out[10] = f32::from(u8::from(surface));
    out[11] = f32::from(u8::from(places & Reach::SUBMERGED != 0));
    out[12] = f32::from(u8::from(places & Reach::ABYSSAL != 0));
    out[13] = match known.size[row] {
        0 => -1.0,
        1 => -0.5,
        size => f32::from(size - 2) / 3.0,
    };
    out[14] = (f32::from(known.iff[row]) - 2.0) / 2.0;
}
