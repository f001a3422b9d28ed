//! Killed and wounded, in whole people.

use crate::setup::Setup;
use crate::state::State;

const FIT: usize = 0;
const WOUNDED: usize = 1;
const KILLED: usize = 2;
const CAPTURED: usize = 3;

/// Split `count` people over three groups in proportion to those fit in each: the whole parts
/// first, then one each to the largest remainders, the earlier group first among equals.
fn shared(count: u32, fit: [u32; 3]) -> [u32; 3] {
    let all: u64 = fit.iter().map(|&people| u64::from(people)).sum();
    if all == 0 {
        return [0; 3];
    }
    let count = u64::from(count).min(all);
    let mut given = [0; 3];
    let mut rest = [(0, 0); 3];
    for group in 0..3 {
        let product = count * u64::from(fit[group]);
        given[group] = (product / all) as u32;
        rest[group] = (product % all, group);
    }
    let mut left = count as u32 - given.iter().sum::<u32>();
    rest.sort_unstable_by_key(|&(remainder, group)| (std::cmp::Reverse(remainder), group));
    for (_, group) in rest {
        if left > 0 && given[group] < fit[group] {
            given[group] += 1;
            left -= 1;
        }
    }
    given
}

/// What damage of this share of the hull does to the people aboard.
pub fn suffer(setup: &Setup, state: &mut State, ship: usize, share: f32) {
    let figures = &setup.tables.crew.casualties;
    let ships = &mut state.ships;
    // Of all who came aboard: equal hits cost equally many, however few are still on their feet.
    let groups = [&ships.crew[ship], &ships.marines[ship], &ships.passengers[ship]];
    let aboard: u32 = groups.into_iter().flatten().sum();
    if aboard == 0 || share <= 0.0 {
        return;
    }
    let rest = &mut ships.casualty_rest[ship];
    let killed = figures.killed_share * aboard as f32 * share + rest[0];
    let hurt = figures.wounded_per_killed * figures.killed_share * aboard as f32 * share + rest[1];
    let (killed_whole, hurt_whole) = (killed as u32, hurt as u32);
    *rest = [killed - killed_whole as f32, hurt - hurt_whole as f32];
    move_people(state, ship, killed_whole, KILLED);
    move_people(state, ship, hurt_whole, WOUNDED);
}

fn move_people(state: &mut State, ship: usize, count: u32, to: usize) {
    if count == 0 {
        return;
    }
    let ships = &mut state.ships;
    let groups = [&mut ships.crew[ship], &mut ships.marines[ship], &mut ships.passengers[ship]];
    let fit = [groups[0][FIT], groups[1][FIT], groups[2][FIT]];
    for (group, moved) in groups.into_iter().zip(shared(count, fit)) {
        group[FIT] -= moved;
        group[to] += moved;
    }
}

/// A hull that sinks: most of those left die, the others are picked up wounded.
pub fn sink(setup: &Setup, state: &mut State, ship: usize) {
    let killed = f64::from(setup.tables.crew.casualties.lost_hull_killed);
    let ships = &mut state.ships;
    for group in [&mut ships.crew[ship], &mut ships.marines[ship], &mut ships.passengers[ship]] {
        // A prize that sinks takes its prisoners with it too; those saved stay prisoners.
        let dead_prisoners = (f64::from(group[CAPTURED]) * killed).round() as u32;
        group[CAPTURED] -= dead_prisoners;
        group[KILLED] += dead_prisoners;
        let left = group[FIT] + group[WOUNDED];
        let dead = (f64::from(left) * killed).round() as u32;
        group[FIT] = 0;
        group[KILLED] += dead;
        group[WOUNDED] = left - dead;
    }
}

/// A hull that strikes its colours: everybody alive aboard is a prisoner.
pub fn surrender(state: &mut State, ship: usize) {
    let ships = &mut state.ships;
    for group in [&mut ships.crew[ship], &mut ships.marines[ship], &mut ships.passengers[ship]] {
        group[CAPTURED] += group[FIT] + group[WOUNDED];
        group[FIT] = 0;
        group[WOUNDED] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_lost_or_made_by_rounding() {
        assert_eq!(shared(10, [90, 10, 0]), [9, 1, 0]);
        assert_eq!(shared(1, [5, 5, 5]), [1, 0, 0]);
        assert_eq!(shared(2, [1, 1, 1]), [1, 1, 0]);
        assert_eq!(shared(100, [3, 2, 1]), [3, 2, 1]);
        assert_eq!(shared(5, [0, 0, 0]), [0, 0, 0]);
        for count in 0..40 {
            let given = shared(count, [17, 3, 11]);
            assert_eq!(given.iter().sum::<u32>(), count.min(31));
            assert!(given[0] <= 17 && given[1] <= 3 && given[2] <= 11);
        }
    }
}
