//! What captains of several doctrines do alike.

use std::f32::consts::{FRAC_PI_2, PI};

use super::knowledge::{Contact, Sight, group};
use super::plan::{Plan, direction, emission, repair, side, utility, wrapped};
use crate::state::flag;
use crate::tables::{AloneFigures, DoctrineFigures};

/// Slower ordnance is spent, faster is no torpedo.
const TORPEDO_SPEEDS: [f32; 2] = [4.0, 60.0];
/// Metres around the line of fire in which a friend keeps torpedoes in their tubes.
const FRIEND_M: f32 = 700.0;
/// The share of its way on which a shell can strike, with a margin.
const SHELL_WINDOW: [f32; 2] = [0.85, 1.1];
/// Half the width of the largest hulls, and how far shells stray beside the line for each metre along it.
const HULL_M: f32 = 150.0;
const SHELL_SPREAD: f32 = 0.01;
/// Seconds of one leg of a search.
const LEG_S: u32 = 120;

/// The nearest hull of the other side, for a ship that can fight: one that runs keeps to its way.
#[must_use]
pub fn nearest_enemy(sight: &Sight) -> Option<&Contact> {
    if sight.runs() {
        return None;
    }
    sight
        .contacts()
        .iter()
        .filter(|contact| contact.is_enemy_hull())
        .min_by(|one, other| one.range.total_cmp(&other.range))
}

/// The torpedo that will be here first, of those nearer than `alarm_m`.
#[must_use]
pub fn torpedo_threat(sight: &Sight, alarm_m: f32) -> Option<&Contact> {
    let [slow, fast] = TORPEDO_SPEEDS;
    sight
        .contacts()
        .iter()
        .filter(|contact| {
            contact.is_ordnance()
                && contact.hostile
                && contact.range < alarm_m
                && (slow..fast).contains(&contact.speed())
                && (contact.closing > 0.0 || contact.range < 0.25 * alarm_m)
        })
        .min_by(|one, other| seconds_to_here(one).total_cmp(&seconds_to_here(other)))
}

fn seconds_to_here(contact: &Contact) -> f32 {
    contact.range / contact.closing.max(1.0)
}

/// Away from a torpedo, `off` radians beside its own course, to the side that is nearer.
#[must_use]
pub fn away_from(sight: &Sight, torpedo: &Contact, off: f32) -> f32 {
    let away = wrapped(torpedo.bearing + PI);
    wrapped(away + off * side(wrapped(sight.own.heading - away)))
}

/// The course that keeps `hold` metres from a contact: broadside at that distance, towards it when
/// farther away, off it when nearer.
#[must_use]
pub fn range_keeping(sight: &Sight, contact: &Contact, hold: f32) -> f32 {
    slanting(sight, contact, hold, 0.2 * FRAC_PI_2)
}

/// The same, with the least angle to the line between the two.
fn slanting(sight: &Sight, contact: &Contact, hold: f32, least: f32) -> f32 {
    let error = ((contact.range - hold) / (0.25 * hold).max(200.0)).clamp(-1.0, 1.0);
    let off = FRAC_PI_2 - (FRAC_PI_2 - least) * error;
    wrapped(contact.bearing + off * side(wrapped(sight.own.heading - contact.bearing)))
}

/// A course swung to and fro, so that shells aimed ahead of it fall beside it.
#[must_use]
pub fn weaving(sight: &Sight, course: f32, weave: f32, weave_s: u32) -> f32 {
    if weave <= 0.0 || weave_s == 0 {
        return course;
    }
    // Ships of one team do not all swing together.
    let swings = (sight.tick + 7 * sight.ship) / weave_s;
    let to = if swings.is_multiple_of(2) { weave } else { -weave };
    wrapped(course + to)
}

/// The course of a ship under fire: near the line of fire, so that each swing goes across it. Shells miss
/// a target that moves aside after they were fired; what it does along their way they hardly notice.
#[must_use]
pub fn zigzag(sight: &Sight, contact: &Contact, hold: f32, figures: &AloneFigures) -> f32 {
    weaving(sight, slanting(sight, contact, hold, figures.slant), figures.weave, figures.weave_s)
}

/// Where to look for an enemy nobody has seen.
#[must_use]
pub fn search_course(sight: &Sight) -> f32 {
    let here = (sight.own.x, sight.own.y);
    let goal = sight.task.target.or(sight.task.destination).or(sight.task.asset);
    if let Some(goal) = goal {
        return direction(here, goal);
    }
    let [min_x, max_x, min_y, max_y] = sight.around.bounds;
    let (centre_x, centre_y) = (0.5 * (min_x + max_x), 0.5 * (min_y + max_y));
    // First to the middle, then along the corners of a square around it.
    let leg = sight.tick / LEG_S;
    let (quarter_x, quarter_y) = (0.25 * (max_x - min_x), 0.25 * (max_y - min_y));
    let (turn_x, turn_y) = match (leg + sight.ship) % 4 {
        0 => (1.0, 1.0),
        1 => (-1.0, 1.0),
        2 => (-1.0, -1.0),
        _ => (1.0, -1.0),
    };
    let spread = if leg < 2 { 0.0 } else { 1.0 };
    let goal = (centre_x + spread * turn_x * quarter_x, centre_y + spread * turn_y * quarter_y);
    direction(here, goal)
}

/// Where the teams of damage control are needed most.
#[must_use]
pub fn repairs(sight: &Sight, figures: &DoctrineFigures) -> u8 {
    let flags = sight.own.flags;
    // Guns fire again as soon as they work at all; engines and radar need far longer to be of use.
    if flags & flag::WEAPONS_LOST != 0 {
        repair::WEAPONS
    } else if sight.own.hp < figures.hull_first_hp {
        repair::HULL
    } else if flags & flag::SENSORS_LOST != 0 {
        repair::SENSORS
    } else if flags & flag::MOBILITY_LOST != 0 {
        repair::PROPULSION
    } else {
        figures.repair
    }
}

/// A decoy when ordnance is near enough for one.
#[must_use]
pub fn decoy(sight: &Sight, figures: &DoctrineFigures) -> u8 {
    let near = torpedo_threat(sight, figures.decoy_range_m).is_some();
    if near && sight.own.decoys > 0 { utility::DECOY } else { utility::NONE }
}

/// Seconds until something of `speed` meets the contact if it goes on as it does; none if never.
#[must_use]
pub fn seconds_to_meet(sight: &Sight, contact: &Contact, speed: f32) -> Option<f32> {
    let (dx, dy) = (contact.x - sight.own.x, contact.y - sight.own.y);
    let a = contact.vx * contact.vx + contact.vy * contact.vy - speed * speed;
    let b = dx * contact.vx + dy * contact.vy;
    let c = dx * dx + dy * dy;
    if a >= 0.0 {
        return None;
    }
    let root = (b * b - a * c).max(0.0).sqrt();
    Some((-b - root) / a)
}

/// Whether a torpedo would arrive with room to spare: the target may turn and run for
/// `figures.torpedo_flight` of the time.
#[must_use]
pub fn torpedo_is_worth_it(sight: &Sight, contact: &Contact, figures: &DoctrineFigures) -> bool {
    let arm = &sight.arms[group::TORPEDO];
    let Some(seconds) = seconds_to_meet(sight, contact, arm.speed) else { return false };
    let straight = seconds * arm.speed;
    let fleeing = arm.speed / (arm.speed - contact.speed()).max(1.0) * contact.range;
    let run = straight + figures.torpedo_flight * (fleeing - straight).max(0.0);
    run <= figures.torpedo_run_share * arm.range && lane_is_clear(sight, contact)
}

/// Whether no friend is near the way to a contact, or close behind it.
fn lane_is_clear(sight: &Sight, contact: &Contact) -> bool {
    nobody_between(sight, contact, [0.0, 1.0 + FRIEND_M / contact.range.max(1.0)], FRIEND_M)
}

/// Whether shells at a contact would come down beside every friend.
#[must_use]
pub fn shells_clear_friends(sight: &Sight, contact: &Contact) -> bool {
    nobody_between(sight, contact, SHELL_WINDOW, HULL_M + SHELL_SPREAD * contact.range)
}

/// Whether a missile would pass every friend on its way.
#[must_use]
pub fn missiles_clear_friends(sight: &Sight, contact: &Contact) -> bool {
    nobody_between(sight, contact, [0.0, 1.0], HULL_M)
}

/// Whether no friend is within `beside` metres of the line of fire, between these shares of it.
fn nobody_between(sight: &Sight, contact: &Contact, [from, to]: [f32; 2], beside: f32) -> bool {
    let (dx, dy) = (contact.x - sight.own.x, contact.y - sight.own.y);
    let length = contact.range.max(1.0);
    sight.allies().iter().all(|ally| {
        let (ax, ay) = (ally.x - sight.own.x, ally.y - sight.own.y);
        let along = (ax * dx + ay * dy) / length;
        let off = (ax * dy - ay * dx).abs() / length;
        along < from * length || along > to * length || off > beside
    })
}

/// Aim at `contact` and press what can be fired at it and `allowed` lets.
pub fn engage(sight: &Sight, plan: &mut Plan, contact: &Contact, allowed: [bool; 4]) {
    plan.target = contact.choice;
    for (at, pressed) in plan.fire.iter_mut().enumerate() {
        *pressed = allowed[at] && sight.can_fire(at, contact);
    }
}

/// Whether anything that `allowed` lets could be fired at the contact now.
#[must_use]
pub fn can_engage(sight: &Sight, contact: &Contact, allowed: [bool; 4]) -> bool {
    (0..allowed.len()).any(|at| allowed[at] && sight.can_fire(at, contact))
}

/// Listen for what may be below, where there is nothing else to press.
pub fn ping_if_useful(sight: &Sight, plan: &mut Plan) {
    let hunted = sight
        .contacts()
        .iter()
        .any(|contact| contact.is_enemy_hull() && contact.layer != 0 && contact.quality < 2);
    if plan.utility == utility::NONE && hunted && plan.emission == emission::ACTIVE {
        plan.utility = utility::PING;
    }
}
