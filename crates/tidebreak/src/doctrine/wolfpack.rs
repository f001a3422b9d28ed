//! A pack with one picture: fire on one victim, quiet hunters below, salvos that arrive together.

use super::knowledge::{Contact, GROUPS, Sight, group};
use super::plan::{Choices, Plan, emission, layer, side, wrapped};
use super::tactics::{
    away_from, can_engage, decoy, engage, missiles_clear_friends, ping_if_useful, range_keeping,
    repairs, search_course, shells_clear_friends, torpedo_is_worth_it, torpedo_threat, weaving,
    zigzag,
};
use crate::tables::DoctrineFigures;

/// What a member of the pack does.
#[must_use]
pub fn decide(sight: &Sight, figures: &DoctrineFigures) -> Choices {
    let victim = victim(sight, figures);
    let mut plan = Plan {
        course: search_course(sight),
        speed: figures.throttle,
        utility: decoy(sight, figures),
        repair: repairs(sight, figures),
        clearance: figures.clearance_m,
        ..Plan::default()
    };
    if sight.own.dives {
        stalk(sight, &mut plan, victim, figures);
    } else {
        fight(sight, &mut plan, victim, figures);
    }
    if let Some(victim) = victim {
        fire(sight, &mut plan, victim, figures);
    }
    let alarm_m = if sight.ally_count == 0 && !sight.own.dives {
        figures.alone.torpedo_alarm_m
    } else {
        figures.torpedo_alarm_m
    };
    if let Some(torpedo) = torpedo_threat(sight, alarm_m) {
        plan.course = away_from(sight, torpedo, figures.torpedo_turn);
        plan.speed = 1.0;
    }
    plan.choices(sight)
}

/// The one hull the whole pack should go for: worth much, and near to all who are heard from.
fn victim<'a>(sight: &'a Sight, figures: &DoctrineFigures) -> Option<&'a Contact> {
    if sight.runs() {
        return None;
    }
    let hulls = sight.contacts().iter().filter(|contact| contact.is_enemy_hull());
    hulls.min_by(|one, other| cost(sight, one, figures).total_cmp(&cost(sight, other, figures)))
}

/// Mean distance of the pack to a contact, in the coin of its worth.
fn cost(sight: &Sight, contact: &Contact, figures: &DoctrineFigures) -> f32 {
    let pack = if figures.shared_picture { sight.allies() } else { &[] };
    let own_share = 1.0 + pack.len() as f32 * figures.own_picture;
    let mut distance = own_share * contact.range;
    for ally in pack {
        let (dx, dy) = (contact.x - ally.x, contact.y - ally.y);
        distance += (dx * dx + dy * dy).sqrt();
    }
    let mean = distance / (own_share + pack.len() as f32);
    let sought = sight.task.target.is_some_and(|(x, y)| {
        let (dx, dy) = (contact.x - x, contact.y - y);
        dx * dx + dy * dy < 500.0 * 500.0
    });
    let worth = figures.size_worth[usize::from(contact.size.clamp(2, 5) - 2)];
    mean / if sought { 2.0 * worth } else { worth }
}

/// A hull on the surface.
fn fight(sight: &Sight, plan: &mut Plan, victim: Option<&Contact>, figures: &DoctrineFigures) {
    // One searches for all; once there is something to aim at, nobody can hit it with radar off.
    let cued = sight.contacts().iter().any(|contact| contact.hostile && contact.quality >= 1);
    let lights_up = cued || is_picket(sight, figures);
    plan.emission = if lights_up { emission::ACTIVE } else { figures.emission };
    let Some(victim) = victim else { return };
    let reach = (0..GROUPS).map(|at| sight.reach(at, victim)).fold(0.0, f32::max);
    let near = victim.range < 1.5 * reach;
    let alone = sight.ally_count == 0;
    let hold = if sight.own.hp < figures.withdraw_hp {
        2.0 * reach
    } else if alone {
        figures.alone.stand_off_share * reach
    } else {
        figures.stand_off_share * reach
    };
    // Alone it swings across the line of fire; in company there is fire from everywhere.
    plan.course = if near && alone {
        zigzag(sight, victim, hold, &figures.alone)
    } else {
        weaving(sight, range_keeping(sight, victim, hold), figures.weave, figures.weave_s)
    };
    ping_if_useful(sight, plan);
}

/// Whether this ship searches actively for the rest: the pack's leader and, as far as more pickets are
/// wanted, whoever hears fewer friends on the surface than there are pickets.
fn is_picket(sight: &Sight, figures: &DoctrineFigures) -> bool {
    let surfaced = sight.allies().iter().filter(|ally| ally.layer == 0).count();
    figures.pickets > 0 && (sight.own.flagship || surfaced < figures.pickets as usize)
}

/// A hull below: slow and quiet towards where the victim will be, from its quarter.
fn stalk(sight: &Sight, plan: &mut Plan, victim: Option<&Contact>, figures: &DoctrineFigures) {
    plan.emission = emission::SILENT;
    if sight.own.layer == 0 && !sight.own.changing && sight.around.may_submerge {
        plan.layer = layer::DOWN;
    }
    let Some(victim) = victim else {
        plan.speed = figures.stalk_speed_share;
        return;
    };
    plan.speed = if victim.range > figures.stalk_range_m {
        figures.stalk_far_speed_share
    } else {
        figures.stalk_speed_share
    };
    let reach = sight.reach(group::TORPEDO, victim);
    let hold = figures.stalk_stand_off * reach;
    plan.course = if victim.range < hold {
        let off = figures.stalk_turn * side(wrapped(sight.own.heading - victim.bearing));
        wrapped(victim.bearing + off)
    } else {
        ahead_of(sight, victim)
    };
}

/// Towards where a contact will be when a slow hull can be there.
fn ahead_of(sight: &Sight, contact: &Contact) -> f32 {
    let seconds = (contact.range / sight.own.speed_max.max(1.0)).min(300.0);
    let (x, y) = (contact.x + contact.vx * seconds, contact.y + contact.vy * seconds);
    libm::atan2f(y - sight.own.y, x - sight.own.x)
}

/// At the victim first; while nothing can be fired at it, at whatever is nearest.
fn fire(sight: &Sight, plan: &mut Plan, victim: &Contact, figures: &DoctrineFigures) {
    let allowed = |contact: &Contact| {
        let mut buttons = [true; GROUPS];
        buttons[group::GUN] = shells_clear_friends(sight, contact);
        buttons[group::TORPEDO] =
            spread_is_ready(sight, figures) && torpedo_is_worth_it(sight, contact, figures);
        buttons[group::MISSILE] =
            missiles_clear_friends(sight, contact) && arrives_on_time(sight, contact, figures);
        buttons
    };
    let target = if can_engage(sight, victim, allowed(victim)) {
        victim
    } else {
        let hulls = sight.contacts().iter().filter(|contact| contact.is_enemy_hull());
        let ready = hulls.filter(|contact| can_engage(sight, contact, allowed(contact)));
        ready.min_by(|one, other| one.range.total_cmp(&other.range)).unwrap_or(victim)
    };
    engage(sight, plan, target, allowed(target));
}

/// Whether enough tubes are ready for a spread, or no more will be.
fn spread_is_ready(sight: &Sight, figures: &DoctrineFigures) -> bool {
    let arm = &sight.arms[group::TORPEDO];
    let wanted = figures.torpedo_spread_least.min(arm.rounds).min(u32::from(arm.mounts));
    u32::from(arm.ready) >= wanted.max(1)
}

/// Whether a missile fired now arrives at one of the moments the whole pack aims for.
fn arrives_on_time(sight: &Sight, contact: &Contact, figures: &DoctrineFigures) -> bool {
    let window = figures.missile_window_s;
    if window <= 0.0 || sight.ally_count == 0 {
        return true;
    }
    let flight = contact.range / sight.arms[group::MISSILE].speed.max(1.0);
    let arrival = sight.tick as f32 + flight;
    let beat = figures.missile_beat_s.max(window);
    arrival - beat * libm::floorf(arrival / beat) < window
}
