//! What a ship is shown: 719 figures in [-1, 1], block by block.
//!
//! Nothing here reads another ship's state, save that of friends the link reaches; the rest of the
//! world is the ship's own contact table, the chart and the water around it. That water holds what
//! happened in it, which anybody may notice, and no wakes: those the ship knows of are added.

mod allies;
mod contacts;
mod environment;
mod objective;
mod own;
#[cfg(test)]
mod tests;
mod wakes;

pub use allies::heard;
pub use contacts::show;
pub(crate) use objective::{nearest_asset, nearest_target};

use astrarium_morphospace::FOVEA_SIZE;

use crate::setup::Setup;
use crate::state::State;

/// Contacts a ship is shown at once.
pub const CONTACTS: usize = 16;
/// Friends a ship is shown at once.
pub const ALLIES: usize = 8;
/// Figures of one contact.
pub const CONTACT_SIZE: usize = 16;
/// Figures of one friend.
pub const ALLY_SIZE: usize = 10;

/// Where the ship itself begins.
pub const OWN: usize = 0;
/// Where contacts begin.
pub const CONTACT: usize = 40;
/// Where friends begin.
pub const ALLY: usize = CONTACT + CONTACTS * CONTACT_SIZE;
/// Where water and sky begin.
pub const ENVIRONMENT: usize = ALLY + ALLIES * ALLY_SIZE;
/// Where the fields begin.
pub const FIELD: usize = ENVIRONMENT + 16;
/// Where the objective begins.
pub const OBJECTIVE: usize = FIELD + FOVEA_SIZE;
/// Figures in all.
pub const FLOATS: usize = OBJECTIVE + 39;

/// Metres at which a distance is shown as 1.
const RANGE_M: f32 = 20_000.0;
/// Metres a second at which a speed is shown as 1.
const SPEED: f32 = 50.0;

/// Write one ship's observation, [`FLOATS`] figures. Fields are summed up as they are looked at,
/// hence the mutable state: nothing of the battle changes.
pub fn ship(setup: &Setup, state: &mut State, ship: usize, out: &mut [f32]) {
    let (at, heading) = stand(state, ship);
    let out = out.first_chunk_mut().expect("room for an observation");
    state.fields.foveated(at, heading, around(out));
    write(setup, state, ship, out);
}

/// The same for whoever may not touch the state: looks at a copy of the fields, which takes longer.
pub fn glance(setup: &Setup, state: &State, ship: usize, out: &mut [f32]) {
    let (at, heading) = stand(state, ship);
    let out = out.first_chunk_mut().expect("room for an observation");
    state.fields.clone().foveated(at, heading, around(out));
    write(setup, state, ship, out);
}

/// Where a ship is and where its bow points.
fn stand(state: &State, ship: usize) -> ((f32, f32), f32) {
    let ships = &state.ships;
    ((ships.x[ship], ships.y[ship]), ships.heading[ship])
}

/// The figures of the fields.
fn around(out: &mut [f32; FLOATS]) -> &mut [f32; FOVEA_SIZE] {
    out[FIELD..].first_chunk_mut().expect("the fields' share of an observation")
}

/// Everything that the fields do not say by themselves.
fn write(setup: &Setup, state: &State, ship: usize, out: &mut [f32; FLOATS]) {
    let frame = Frame::of(state, ship);
    let (friends, count) = heard(setup, state, ship);
    let friends = &friends[..count];
    own::write(setup, state, ship, &frame, &mut out[OWN..CONTACT]);
    contacts::write(setup, state, ship, &frame, &mut out[CONTACT..ALLY]);
    allies::write(setup, state, ship, friends, &frame, &mut out[ALLY..ENVIRONMENT]);
    environment::write(setup, state, ship, &frame, &mut out[ENVIRONMENT..FIELD]);
    wakes::show(setup, state, ship, friends, around(out));
    objective::write(setup, state, ship, &frame, &mut out[OBJECTIVE..FLOATS]);
    let (before, after) = out.split_at_mut(FIELD);
    for value in before.iter_mut().chain(&mut after[FOVEA_SIZE..]) {
        *value = value.clamp(-1.0, 1.0);
    }
}

/// A ship's own place and axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub x: f32,
    pub y: f32,
    /// Metres a second.
    pub vx: f32,
    pub vy: f32,
    sine: f32,
    cosine: f32,
}

impl Frame {
    fn of(state: &State, ship: usize) -> Self {
        let ships = &state.ships;
        let (sine, cosine) = libm::sincosf(ships.heading[ship]);
        let (surge, sway) = (ships.surge[ship], ships.sway[ship]);
        Self {
            x: ships.x[ship],
            y: ships.y[ship],
            vx: cosine * surge - sine * sway,
            vy: sine * surge + cosine * sway,
            sine,
            cosine,
        }
    }

    /// A vector along the bow and to port.
    fn turned(&self, x: f32, y: f32) -> (f32, f32) {
        (self.cosine * x + self.sine * y, self.cosine * y - self.sine * x)
    }

    /// Sine and cosine of the bearing off the bow, and the distance.
    fn bearing(&self, x: f32, y: f32) -> (f32, f32, f32) {
        let (dx, dy) = (x - self.x, y - self.y);
        let range = (dx * dx + dy * dy).sqrt();
        let scale = if range > 0.0 { 1.0 / range } else { 0.0 };
        let (ahead, port) = self.turned(dx * scale, dy * scale);
        (port, ahead, range)
    }

    fn speed(&self) -> f32 {
        (self.vx * self.vx + self.vy * self.vy).sqrt()
    }
}
