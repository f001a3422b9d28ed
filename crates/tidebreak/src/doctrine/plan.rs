//! From what a captain wants to the eleven choices of an order.

use std::f32::consts::{PI, TAU};

use super::knowledge::{Ally, GROUPS, Sight};
use crate::orders::HEADS;

/// The eleven choices, one for each head.
pub type Choices = [u8; HEADS.len()];

/// Shares of full speed that the throttle head offers.
const THROTTLES: [f32; 5] = [-0.3, 0.0, 0.33, 0.67, 1.0];
/// Error of the heading below which the rudder stays amidships, and below which half is enough.
const STEADY: f32 = 0.05;
const HALF_RUDDER: f32 = 0.25;
/// Seconds ahead at which the helmsman looks: rudders act with a delay.
const FORESIGHT_S: f32 = 1.5;
/// Metres from the edge at which a course is bent back into the map.
const EDGE_M: f32 = 1_200.0;
/// Metres from an obstacle at which a course is bent around it.
const OBSTACLE_M: f32 = 900.0;

/// What the layer head means.
pub mod layer {
    #![allow(missing_docs, reason = "the names say it")]
    pub const HOLD: u8 = 0;
    pub const UP: u8 = 1;
    pub const DOWN: u8 = 2;
}

/// What the emission head means.
pub mod emission {
    #![allow(missing_docs, reason = "the names say it")]
    pub const SILENT: u8 = 1;
    pub const PASSIVE: u8 = 2;
    pub const ACTIVE: u8 = 3;
}

/// What the utility head means, as far as doctrines use it.
pub mod utility {
    #![allow(missing_docs, reason = "the names say it")]
    pub const NONE: u8 = 0;
    pub const DECOY: u8 = 1;
    pub const PING: u8 = 2;
}

/// Where damage-control teams go.
pub mod repair {
    #![allow(missing_docs, reason = "the names say it")]
    pub const HULL: u8 = 0;
    pub const PROPULSION: u8 = 1;
    pub const WEAPONS: u8 = 2;
    pub const SENSORS: u8 = 3;
}

/// What a captain wants in this second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// Direction to go, radians from +x.
    pub course: f32,
    /// Share of full speed.
    pub speed: f32,
    /// Choice of the target head.
    pub target: u8,
    /// Buttons to press.
    pub fire: [bool; GROUPS],
    /// Choice of the layer head.
    pub layer: u8,
    /// Choice of the emission head.
    pub emission: u8,
    /// Choice of the utility head.
    pub utility: u8,
    /// Choice of the damage-control head.
    pub repair: u8,
    /// Metres from a friend at which the course is bent around it.
    pub clearance: f32,
}

impl Plan {
    /// The order, with everything the mask forbids left out.
    #[must_use]
    pub fn choices(&self, sight: &Sight) -> Choices {
        let course =
            if sight.task.may_exit { self.course } else { keep_inside(sight, self.course) };
        let course = keep_apart(sight, course, self.clearance);
        let (range, bearing) = sight.around.obstacle;
        let course = bent(course, bearing, range / OBSTACLE_M);
        let mut wanted: Choices = [0; HEADS.len()];
        wanted[0] = throttle(self.speed);
        wanted[1] = rudder(sight, course);
        wanted[2] = self.target;
        for (choice, pressed) in wanted[3..7].iter_mut().zip(self.fire) {
            *choice = u8::from(pressed);
        }
        wanted[7] = self.layer;
        wanted[8] = self.emission;
        wanted[9] = self.utility;
        wanted[10] = self.repair;
        legal(sight, wanted)
    }
}

/// The choices, each replaced by the first of its head where the mask forbids it.
fn legal(sight: &Sight, mut wanted: Choices) -> Choices {
    let mut first = 0;
    for (head, choice) in wanted.iter_mut().enumerate() {
        if sight.mask[first + usize::from(*choice)] == 0 {
            *choice = 0;
        }
        first += HEADS[head] as usize;
    }
    wanted
}

/// The angle in [-pi, pi).
#[must_use]
pub fn wrapped(angle: f32) -> f32 {
    let turns = libm::floorf((angle + PI) / TAU);
    angle - TAU * turns
}

/// Direction from one place to another.
#[must_use]
pub fn direction(from: (f32, f32), to: (f32, f32)) -> f32 {
    libm::atan2f(to.1 - from.1, to.0 - from.0)
}

fn throttle(share: f32) -> u8 {
    let mut best = 0;
    for (at, offered) in THROTTLES.iter().enumerate() {
        if (offered - share).abs() < (THROTTLES[best] - share).abs() {
            best = at;
        }
    }
    best as u8
}

fn rudder(sight: &Sight, course: f32) -> u8 {
    let error = wrapped(course - sight.own.heading - sight.own.yaw_rate * FORESIGHT_S);
    let size = error.abs();
    let steps = if size < STEADY {
        0
    } else if size < HALF_RUDDER {
        1
    } else {
        2
    };
    if error < 0.0 { 2 - steps } else { 2 + steps }
}

/// Bend a course that would leave the map: what points outward near an edge is turned along it.
fn keep_inside(sight: &Sight, course: f32) -> f32 {
    let [min_x, max_x, min_y, max_y] = sight.around.bounds;
    let (mut x, mut y) = (libm::cosf(course), libm::sinf(course));
    x = inward(x, sight.own.x - min_x, max_x - sight.own.x);
    y = inward(y, sight.own.y - min_y, max_y - sight.own.y);
    if x.abs() + y.abs() < 0.05 {
        let centre = (0.5 * (min_x + max_x), 0.5 * (min_y + max_y));
        return direction((sight.own.x, sight.own.y), centre);
    }
    libm::atan2f(y, x)
}

/// One component of a direction, with the share that leads out taken away near an edge.
fn inward(component: f32, low: f32, high: f32) -> f32 {
    let margin = if component < 0.0 { low } else { high };
    if margin >= EDGE_M {
        return component;
    }
    let nearness = 1.0 - (margin / EDGE_M).max(0.0);
    component - component.signum() * 1.5 * nearness
}

/// Bend a course that leads into a friend of the same layer, the nearest of them.
fn keep_apart(sight: &Sight, course: f32, clearance: f32) -> f32 {
    let here = (sight.own.x, sight.own.y);
    let beside = sight.allies().iter().filter(|ally| ally.layer == sight.own.layer);
    let apart = |ally: &Ally| {
        let (dx, dy) = (ally.x - here.0, ally.y - here.1);
        // Larger hulls need more room.
        let room = clearance * (1.0 + 0.5 * f32::from(ally.size.max(sight.own.size)));
        (dx * dx + dy * dy).sqrt() / room.max(1.0)
    };
    let nearest = beside.min_by(|one, other| apart(one).total_cmp(&apart(other)));
    nearest.map_or(course, |ally| bent(course, direction(here, (ally.x, ally.y)), apart(ally)))
}

/// Bend a course that leads to something at `bearing` to the nearer side of it, the more the nearer
/// it is: at a `distance` of 1 and more not at all.
fn bent(course: f32, bearing: f32, distance: f32) -> f32 {
    if distance > 1.0 {
        return course;
    }
    let off = wrapped(course - bearing);
    let least = PI * (0.35 + 0.3 * (1.0 - distance).max(0.0));
    if off.abs() >= least { course } else { wrapped(bearing + least * side(off)) }
}

/// 1 to port and straight ahead, -1 to starboard.
#[must_use]
pub fn side(angle: f32) -> f32 {
    if angle < 0.0 { -1.0 } else { 1.0 }
}
