//! Straight at the nearest enemy, everything switched on, everything fired that may arrive.

use super::knowledge::{GROUPS, Sight, group};
use super::plan::{Choices, Plan};
use super::tactics::{engage, nearest_enemy, search_course, torpedo_is_worth_it};
use crate::tables::DoctrineFigures;

/// What a pursuer does.
#[must_use]
pub fn decide(sight: &Sight, figures: &DoctrineFigures) -> Choices {
    let mut plan = Plan {
        course: search_course(sight),
        speed: figures.throttle,
        emission: figures.emission,
        repair: figures.repair,
        ..Plan::default()
    };
    if let Some(enemy) = nearest_enemy(sight) {
        plan.course = enemy.bearing;
        let mut buttons = [true; GROUPS];
        buttons[group::TORPEDO] = torpedo_is_worth_it(sight, enemy, figures);
        engage(sight, &mut plan, enemy, buttons);
    }
    plan.choices(sight)
}
