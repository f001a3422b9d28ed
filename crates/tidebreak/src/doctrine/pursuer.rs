//! Straight at the nearest enemy, everything switched on, everything fired that may be.

use super::knowledge::{GROUPS, Sight};
use super::plan::{Choices, Plan};
use super::tactics::{engage, nearest_enemy, search_course};
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
        engage(sight, &mut plan, enemy, [true; GROUPS]);
    }
    plan.choices(sight)
}
