//! Straight at the nearest enemy, everything switched on, everything fired.

use super::knowledge::Sight;
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
        ..Plan::default()
    };
    if let Some(enemy) = nearest_enemy(sight) {
        plan.course = enemy.bearing;
        engage(sight, &mut plan, enemy, [true; 4]);
    }
    plan.choices(sight)
}
