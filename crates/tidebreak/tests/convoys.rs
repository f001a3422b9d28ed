//! The convoy is a fair battle: equal doctrines win 35 to 65 % on either side, and transports decide.

use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::battle;
use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::resolvers::termination::ended_by;
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::setup::Setup;

/// Wins of the convoy and of the raiders, and battles that the transports decided.
fn fought(captain: Doctrine, seeds: std::ops::Range<u64>) -> [u32; 3] {
    let scenario = Scenario::named("convoy_escort").expect("a shipped scenario");
    let mut counts = [0; 3];
    for seed in seeds {
        let setup = Setup::new(scenario.package(seed)).expect("a setup");
        let mut arena = Arena::new(Arc::new(setup));
        arena.reset(seed);
        battle::fight(&mut arena, &[captain, captain]);
        let outcome = arena.state.outcome;
        if let Some(count) = counts[..2].get_mut(usize::from(outcome.winner)) {
            *count += 1;
        }
        counts[2] += u32::from(outcome.ended_by == ended_by::OBJECTIVE);
    }
    counts
}

const ALL: [Doctrine; 3] = [Doctrine::Pursuer, Doctrine::Line, Doctrine::Wolfpack];

#[test]
fn either_side_can_win_a_convoy_battle_and_transports_decide_most() {
    for captain in ALL {
        let [blue, red, decided] = fought(captain, 1..25);
        assert!(blue >= 6 && red >= 6, "{}: {blue} to {red} of 24", captain.name());
        assert!(decided >= 12, "{}: transports decide {decided} of 24", captain.name());
    }
}

#[test]
#[ignore = "minutes: 200 battles of each doctrine"]
fn equal_doctrines_win_35_to_65_percent_on_either_side() {
    for captain in ALL {
        let [blue, red, _] = fought(captain, 1_001..1_201);
        let fair = 70..=130;
        assert!(fair.contains(&blue) && fair.contains(&red), "{}: {blue} {red}", captain.name());
    }
}
