//! The rules of one decision, in the order they run: sail while the fire burns, endings.

use std::f32::consts::{PI, TAU};

use astrarium_kernel::{Episode, Produced, Stream};
use astrarium_morphospace::Presets;

use crate::{DECISION_S, Fieldseeker, MAP_M, REACHED_M};

/// Metres per second at full throttle.
pub const SPEED_MAX: f32 = 20.0;
/// Radians per second at full rudder.
const TURN_MAX: f32 = PI / 20.0;
/// Share of the way to the ordered speed made in a second.
const QUICKENING: f32 = 0.5;
/// Seconds the fire has burnt when the boat begins to look for it.
const BURNT_S: u32 = 120;
const FIRE_RADIUS_M: f32 = 250.0;
const FIRE_SLABS: u16 = 0b001;
/// Boat and fire begin at least this far apart, and at least this far from the edge.
const APART_M: f32 = 1500.0;
const FROM_EDGE_M: f32 = 500.0;

const NEARER_PER_M: f32 = 0.001;
const REACHED: f32 = 1.0;
const TIME: f32 = -0.01;
const EVENT_REACHED: u32 = 1 << 0;

/// Places are drawn again until they are far enough apart; each try has its own number.
#[repr(u32)]
enum Draw {
    Fire = 0,
    Boat = 1,
}

/// Put boat and fire on the sea and let it burn a while.
pub fn place(search: &mut Fieldseeker) {
    search.fire = draw_place(search.seed, Draw::Fire as u32, 0);
    let mut attempt = 0;
    loop {
        search.boat = draw_place(search.seed, Draw::Boat as u32, attempt);
        if search.distance_m() >= APART_M {
            break;
        }
        attempt += 1;
    }
    let turn = Stream::new(search.seed, Draw::Boat as u32).unit(2, attempt, 0);
    search.heading = turn * TAU - PI;
    search.speed = 0.0;
    search.space.reset();
    for _ in 0..BURNT_S {
        burn(search);
    }
}

fn draw_place(seed: u64, purpose: u32, attempt: u32) -> (f32, f32) {
    let stream = Stream::new(seed, purpose);
    let span = MAP_M - 2.0 * FROM_EDGE_M;
    let along = |axis: u32| (stream.unit(axis, attempt, 0) - 0.5) * span;
    (along(0), along(1))
}

/// A second of fire.
fn burn(search: &mut Fieldseeker) {
    search.space.stamp(&Presets::STANDARD.fire(search.fire, FIRE_RADIUS_M, 1.0, FIRE_SLABS));
    search.space.step(1.0);
}

/// Sail for one decision. Throttle from -1 (stop) to 1 (full), rudder from -1 (right) to 1 (left);
/// beyond that they are cut off. The edge of the map stops the boat.
pub fn sail(search: &mut Fieldseeker, throttle: f32, rudder: f32) {
    let ordered = 0.5 * (throttle.clamp(-1.0, 1.0) + 1.0) * SPEED_MAX;
    let turn = rudder.clamp(-1.0, 1.0) * TURN_MAX;
    for _ in 0..DECISION_S {
        search.speed += QUICKENING * (ordered - search.speed);
        search.heading += turn;
        if search.heading >= PI {
            search.heading -= TAU;
        } else if search.heading < -PI {
            search.heading += TAU;
        }
        let edge = 0.5 * MAP_M;
        let (cos, sin) = (libm::cosf(search.heading), libm::sinf(search.heading));
        search.boat.0 = (search.boat.0 + search.speed * cos).clamp(-edge, edge);
        search.boat.1 = (search.boat.1 + search.speed * sin).clamp(-edge, edge);
        burn(search);
        if search.distance_m() <= REACHED_M {
            break;
        }
    }
}

/// The search is over when the fire is reached or the time is up.
pub fn endings(search: &Fieldseeker, before_m: f32, produced: &mut Produced<'_>) -> Episode {
    let distance_m = search.distance_m();
    let reached = distance_m <= REACHED_M;
    let terms = [NEARER_PER_M * (before_m - distance_m), if reached { REACHED } else { 0.0 }, TIME];
    produced.terms.copy_from_slice(&terms);
    produced.reward[0] = terms[0] + terms[1] + terms[2];
    produced.events[0] = if reached { EVENT_REACHED } else { 0 };
    produced.terminated[0] = u8::from(reached);
    produced.truncated[0] = u8::from(search.is_over() && !reached);
    produced.stats.copy_from_slice(&[search.tick as f32, distance_m, f32::from(u8::from(reached))]);
    if search.is_over() { Episode::Over } else { Episode::Running }
}
