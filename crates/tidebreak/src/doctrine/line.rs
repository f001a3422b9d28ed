//! The line of battle: keeps its distance, shows its broadside, and looks after itself.

use super::knowledge::{Contact, GROUPS, Sight, group};
use super::plan::{Choices, Plan, emission};
use super::tactics::{
    away_from, can_engage, decoy, engage, nearest_enemy, ping_if_useful, range_keeping, repairs,
    search_course, torpedo_is_worth_it, torpedo_threat, weaving,
};
use crate::tables::DoctrineFigures;

/// What a ship of the line does.
#[must_use]
pub fn decide(sight: &Sight, figures: &DoctrineFigures) -> Choices {
    let enemy = nearest_enemy(sight);
    let cued = sight.contacts().iter().any(|contact| contact.hostile && contact.quality >= 1);
    let mut plan = Plan {
        course: search_course(sight),
        speed: figures.throttle,
        emission: if cued { emission::ACTIVE } else { figures.emission },
        utility: decoy(sight, figures),
        repair: repairs(sight, figures),
        ..Plan::default()
    };
    if let Some(enemy) = enemy {
        plan.course = station(sight, enemy, figures);
        fire(sight, &mut plan, enemy, figures);
    }
    if let Some(torpedo) = torpedo_threat(sight, figures.torpedo_alarm_m) {
        plan.course = away_from(sight, torpedo, figures.torpedo_turn);
        plan.speed = 1.0;
    }
    ping_if_useful(sight, &mut plan);
    plan.choices(sight)
}

/// The course to the enemy: at the distance the best weapon likes, or away when badly hurt.
fn station(sight: &Sight, enemy: &Contact, figures: &DoctrineFigures) -> f32 {
    let reach = (0..GROUPS).map(|at| sight.reach(at, enemy)).fold(0.0, f32::max);
    let hold = if sight.own.hp < figures.withdraw_hp {
        2.0 * reach
    } else {
        figures.stand_off_share * reach
    };
    weaving(sight, range_keeping(sight, enemy, hold), figures.weave, figures.weave_s)
}

/// At the enemy that steers the ship, or at the nearest other one that something can be fired at.
fn fire(sight: &Sight, plan: &mut Plan, enemy: &Contact, figures: &DoctrineFigures) {
    let allowed = |contact: &Contact| {
        let mut buttons = [true; GROUPS];
        buttons[group::TORPEDO] = torpedo_is_worth_it(sight, contact, figures);
        buttons
    };
    let hulls = sight.contacts().iter().filter(|contact| contact.is_enemy_hull());
    let ready = hulls.filter(|contact| can_engage(sight, contact, allowed(contact)));
    let nearest = ready.min_by(|one, other| one.range.total_cmp(&other.range));
    let target = nearest.unwrap_or(enemy);
    engage(sight, plan, target, allowed(target));
}
