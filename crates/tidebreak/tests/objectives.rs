//! Objectives of battles that are fought out: the side that won is not recorded as having failed, and
//! groups are counted as groups.

mod captains;

use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::battle;
use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::package::Fidelity;
use astrarium_tidebreak::resolvers::termination::ended_by;
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::setup::{Aim, Setup};
use astrarium_tidebreak::state::Fate;
use astrarium_tidebreak::tick;

const WEST: f64 = std::f64::consts::PI;
const PROGRESS: usize = 10;
const SETTLED: usize = 11;

/// What one battle came to, ship by ship.
struct Fought {
    arena: Arena,
    /// Sums of the terms of progress and of the objective's end.
    paid: Vec<[f64; 2]>,
    /// Progress before the first second.
    at_first: Vec<f32>,
}

fn fought(scenario: &Scenario, seed: u64, captain: Doctrine) -> Fought {
    let mut package = scenario.package(seed);
    package.fidelity = Fidelity::F0;
    let mut arena = Arena::new(Arc::new(Setup::new(package).expect("a setup")));
    arena.reset(seed);
    let at_first = arena.state.objectives.iter().map(|objective| objective[0]).collect();
    let mut paid = vec![[0.0; 2]; arena.state.ships.len()];
    while !arena.done() {
        battle::command(&mut arena, &[captain, captain], |_| false);
        tick::advance(&mut arena);
        for (sum, terms) in paid.iter_mut().zip(&arena.state.terms) {
            sum[0] += f64::from(terms[PROGRESS]);
            sum[1] += f64::from(terms[SETTLED]);
        }
    }
    Fought { arena, paid, at_first }
}

impl Fought {
    /// Whether the winner won by what its objectives are about, not by the value left on both sides.
    fn won_by_objective(&self) -> bool {
        let (outcome, setup) = (self.arena.state.outcome, &self.arena.setup);
        let value_counts = setup.package.battle_id.starts_with("fleet_action");
        outcome.winner != u8::MAX && (value_counts || outcome.ended_by != ended_by::TIME_LIMIT)
    }

    /// Rows of the winner's ships, but for those lost with a task only they could do.
    fn winners(&self) -> Vec<usize> {
        let (state, setup) = (&self.arena.state, &self.arena.setup);
        let own_task = |row: usize| {
            let aim = setup.goals[row].as_ref().map(|goal| goal.aim);
            matches!(aim, Some(Aim::Deliver | Aim::Evade))
        };
        let there =
            |row: usize| state.ships.fights(row) || state.ships.fate[row] == Fate::Exited as u8;
        (0..state.ships.len())
            .filter(|&row| state.ships.team[row] == state.outcome.winner)
            .filter(|&row| there(row) || !own_task(row))
            .collect()
    }
}

/// Every objective has one end, is paid once, and its progress is paid to the last step.
fn check_books(fought: &Fought, name: &str) {
    let state = &fought.arena.state;
    for row in 0..state.ships.len() {
        let [progress, settled] = state.objectives[row];
        assert_ne!(settled, 0.0, "{name}: {row} is open after the end");
        assert_eq!(fought.paid[row][1], f64::from(settled), "{name}: {row} is paid once");
        let gained = f64::from(progress - fought.at_first[row]);
        assert!((fought.paid[row][0] - gained).abs() < 1e-4, "{name}: {row} is paid for {gained}");
    }
}

/// Counts winners over scripted battles: how many there were, and how many of them failed.
fn winners_of(scenario: &str, seeds: std::ops::Range<u64>, captains: &[Doctrine]) -> (u32, u32) {
    let scenario = Scenario::named(scenario).expect("a shipped scenario");
    let (mut battles, mut failed) = (0, 0);
    for seed in seeds {
        for &captain in captains {
            let fought = fought(&scenario, seed, captain);
            check_books(&fought, &format!("{} {seed} {}", scenario.name(), captain.name()));
            if !fought.won_by_objective() {
                continue;
            }
            battles += 1;
            let told =
                fought.winners().into_iter().map(|row| fought.arena.state.objectives[row][1]);
            failed += u32::from(told.into_iter().any(|settled| settled < 0.0));
        }
    }
    (battles, failed)
}

const ALL: [Doctrine; 3] = [Doctrine::Pursuer, Doctrine::Line, Doctrine::Wolfpack];

#[test]
fn winners_of_duels_met_their_objective() {
    for scenario in ["duel", "duel_asw", "duel_fog"] {
        let (battles, failed) = winners_of(scenario, 1..9, &ALL);
        assert!(battles >= 16, "{scenario}: {battles} decided");
        assert_eq!(failed, 0, "{scenario}: of {battles}");
    }
}

#[test]
fn winners_of_battles_of_many_ships_met_their_objective() {
    for (scenario, seeds) in [
        ("skirmish", 1..7),
        ("uneven", 1..5),
        ("submarine_ambush", 1..7),
        ("convoy_escort", 1..7),
        ("fleet_action", 1..2),
    ] {
        let (battles, failed) = winners_of(scenario, seeds, &ALL);
        assert!(battles >= 2, "{scenario}: {battles} decided");
        assert_eq!(failed, 0, "{scenario}: of {battles}");
    }
}

#[test]
#[ignore = "minutes: many seeds of every scenario"]
fn winners_of_many_battles_met_their_objective() {
    for (scenario, seeds) in [
        ("duel", 100..300),
        ("duel_asw", 100..200),
        ("skirmish", 100..200),
        ("submarine_ambush", 100..200),
        ("convoy_escort", 100..200),
        ("fleet_action", 100..108),
    ] {
        let (battles, failed) = winners_of(scenario, seeds, &ALL);
        assert_eq!(failed, 0, "{scenario}: of {battles}");
    }
}

/// A raider beside three targets that cannot move, sent against all of them or some.
fn raid(at_least: Option<u32>) -> Arena {
    let mut package = captains::staged(&[
        ("blue", "corvette", 0.0, 0.0, 0.0),
        ("red", "transport", 5_000.0, 0.0, WEST),
        ("red", "transport", 6_000.0, 3_000.0, WEST),
        ("red", "transport", 6_000.0, -3_000.0, WEST),
        ("red", "cutter", 19_000.0, 19_000.0, WEST),
    ]);
    let mut raid = captains::sent("RAID", [0.0; 2]);
    (raid.destination, raid.at_least) = (None, at_least);
    raid.targets = vec!["ship-03".to_owned(), "ship-01".to_owned(), "ship-02".to_owned()];
    package.ships[0].objective = Some(raid);
    captains::begin(package)
}

fn sink(arena: &mut Arena, row: usize) {
    arena.state.ships.fate[row] = Fate::Destroyed as u8;
    tick::advance(arena);
}

#[test]
fn a_group_is_raided_when_enough_of_it_is_lost() {
    for (at_least, lost) in [(None, 3), (Some(2), 2), (Some(1), 1)] {
        let mut arena = raid(at_least);
        let mut before = 0.0;
        for row in 1..=lost {
            assert_eq!(arena.state.objectives[0][1], 0.0, "{at_least:?} {row}");
            sink(&mut arena, row);
            let now = arena.state.objectives[0][0];
            assert!(now > before && now <= 1.0, "{at_least:?}: {before} {now}");
            assert_eq!(arena.state.terms[0][PROGRESS], now - before);
            before = now;
        }
        assert_eq!(arena.state.objectives[0], [1.0, 1.0], "{at_least:?}");
        assert_eq!(arena.state.terms[0][SETTLED], 1.0);
    }
}

#[test]
fn a_raid_fails_when_too_few_of_its_group_can_still_be_lost() {
    let mut arena = raid(Some(2));
    arena.state.ships.fate[1] = Fate::Exited as u8;
    tick::advance(&mut arena);
    assert_eq!(arena.state.objectives[0][1], 0.0);
    arena.state.ships.fate[3] = Fate::Exited as u8;
    tick::advance(&mut arena);
    assert_eq!(arena.state.objectives[0][1], -1.0);
}

#[test]
fn a_group_is_protected_while_enough_of_it_is_kept() {
    for (at_least, may_lose) in [(None, 0), (Some(2), 1)] {
        let mut package = captains::staged(&[
            ("blue", "frigate", 0.0, 0.0, 0.0),
            ("blue", "transport", 500.0, 900.0, 0.0),
            ("blue", "transport", 500.0, -900.0, 0.0),
            ("blue", "transport", 500.0, 1_900.0, 0.0),
            ("red", "cutter", 19_000.0, 19_000.0, WEST),
        ]);
        let mut guard = captains::sent("PROTECT", [0.0; 2]);
        (guard.destination, guard.at_least) = (None, at_least);
        guard.assets = (1..=3).map(|number| format!("ship-{number:02}")).collect();
        package.ships[0].objective = Some(guard);
        let mut arena = captains::begin(package);
        for row in 1..=may_lose {
            sink(&mut arena, row);
            assert_eq!(arena.state.objectives[0][1], 0.0, "{at_least:?} {row}");
        }
        sink(&mut arena, 1 + may_lose);
        assert_eq!(arena.state.objectives[0], [0.0, -1.0], "{at_least:?}");
    }
}

#[test]
fn what_holds_from_the_start_earns_nothing() {
    let mut package = captains::staged(&[
        ("blue", "frigate", 0.0, 0.0, 0.0),
        ("blue", "transport", 500.0, 900.0, 0.0),
        ("red", "cutter", 19_000.0, 19_000.0, WEST),
    ]);
    let mut guard = captains::sent("PROTECT", [0.0; 2]);
    (guard.destination, guard.asset) = (None, Some("ship-01".to_owned()));
    package.ships[0].objective = Some(guard);
    let mut arena = captains::begin(package);
    assert_eq!(arena.state.objectives[0], [1.0, 0.0]);
    tick::advance(&mut arena);
    assert_eq!(arena.state.terms[0][PROGRESS], 0.0);
}

#[test]
fn a_win_counts_for_an_open_objective_only_where_the_objective_says_so() {
    for (met_by, settled) in
        [(vec!["annihilation"], 1.0), (vec![], -1.0), (vec!["time_limit"], -1.0)]
    {
        let mut package = captains::staged(&[
            ("blue", "transport", 0.0, 0.0, 0.0),
            ("red", "cutter", 15_000.0, 0.0, WEST),
        ]);
        let mut delivery = captains::sent("DELIVER", [-20_000.0, 0.0]);
        delivery.met_by = met_by.iter().map(|way| (*way).to_owned()).collect();
        package.ships[0].objective = Some(delivery);
        let mut arena = captains::begin(package);
        sink(&mut arena, 1);
        assert_eq!(arena.state.outcome.ended_by, ended_by::ANNIHILATION);
        assert_eq!(arena.state.objectives[0][1], settled, "{met_by:?}");
    }
}

#[test]
fn an_objective_of_its_own_deadline_ends_there_and_another_with_the_battle() {
    for (deadline_s, ends_at) in [(Some(5), 5), (None, 60)] {
        let mut package = captains::staged(&[
            ("blue", "corvette", 0.0, 0.0, 0.0),
            ("red", "cutter", 19_000.0, 19_000.0, WEST),
        ]);
        package.time_limit_s = 60;
        let mut hunt = captains::sent("DESTROY", [0.0; 2]);
        (hunt.destination, hunt.deadline_s) = (None, deadline_s);
        package.ships[0].objective = Some(hunt);
        let mut arena = captains::begin(package);
        while arena.state.objectives[0][1] == 0.0 {
            tick::advance(&mut arena);
        }
        assert_eq!((arena.state.tick, arena.state.objectives[0][1]), (ends_at, -1.0));
    }
}
