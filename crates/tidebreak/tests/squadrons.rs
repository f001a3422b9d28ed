//! Craft at work: scouts see, hunters strike below, patrols fight, and all share the fate of a deck.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::condition::stage;
use astrarium_tidebreak::orders::{Order, Origin};
use astrarium_tidebreak::package::BattlePackage;
use astrarium_tidebreak::result::{ReplayNote, result_of};
use astrarium_tidebreak::state::{Cause, Fate, TRACKS, Track};
use astrarium_tidebreak::tick;

const WEST: f64 = std::f64::consts::PI;

/// A carrier with one squadron of this mission, and one enemy so far ahead of it.
fn facing(mission: &str, enemy: &str, ahead: f64) -> BattlePackage {
    let mut package = captains::staged(&[
        ("blue", "carrier", -15_000.0, 0.0, 0.0),
        ("red", enemy, -15_000.0 + ahead, 0.0, WEST),
    ]);
    let squadrons = &mut package.ships[0].squadrons;
    squadrons.truncate(1);
    squadrons[0].mission = mission.to_owned();
    package
}

fn known(arena: &Arena, ship: usize, entity: u32) -> Option<Track> {
    let first = ship * TRACKS;
    let used = usize::from(arena.state.beliefs.used[ship]);
    let tracks = &arena.state.beliefs.tracks;
    (first..first + used).map(|row| tracks.row(row)).find(|track| track.entity == entity)
}

#[test]
fn a_scout_shows_its_carrier_what_lies_beyond_its_own_sight() {
    let found = |mission: &str, reached: bool| {
        let mut arena = captains::begin(facing(mission, "corvette", 13_000.0));
        if !reached {
            std::sync::Arc::make_mut(&mut arena.setup).senses.link_tiers[0] = 0;
        }
        captains::run(&mut arena, 140, |_| {});
        known(&arena, 0, 1)
    };
    let track = found("scout", true).expect("the scout saw it");
    assert!(track.quality >= 1 && (track.x + 2_000.0).abs() < 1_500.0, "{track:?}");
    assert!(found("cap", true).is_none(), "the carrier by itself sees nothing so far away");
    assert!(found("scout", false).is_none(), "no link reaches the scout");
}

#[test]
fn what_a_scout_found_is_told_to_the_fleet() {
    let mut package = facing("scout", "corvette", 13_000.0);
    let mut escort = package.ships[1].clone();
    (escort.ship_id, escort.team_id) = ("ship-02".to_owned(), "blue".to_owned());
    (escort.initial_state.x, escort.link_tier) = (-17_000.0, 2);
    package.ships.push(escort);
    let mut arena = captains::begin(package);
    captains::run(&mut arena, 140, |_| {});
    assert!(known(&arena, 1, 2).is_some());
}

#[test]
fn hunters_strike_what_lies_submerged() {
    let mut package = facing("asw", "attack_sub", 1_500.0);
    package.ships[1].initial_state.layer = "submerged".to_owned();
    for weapon in &mut package.ships[1].weapons {
        weapon.rounds_loaded = u32::from(weapon.weapon == "missile");
    }
    let mut arena = captains::begin(package);
    for _ in 0..120 {
        arena.give(0, Order { utility: 2, ..Order::default() }, Origin::External);
        tick::advance(&mut arena);
    }
    let taken = arena.state.ships.taken[1][Cause::Squadron as usize];
    assert!(taken > 0.0, "{:?}", arena.state.squadrons.row(0));
    assert_eq!(arena.state.squadrons.armed[0], 0);
}

#[test]
fn patrols_wear_each_other_down_by_hit_points() {
    let mut package = facing("cap", "carrier", 9_000.0);
    package.ships[1].squadrons.truncate(1);
    package.ships[1].squadrons[0].mission = "cap".to_owned();
    let mut arena = captains::begin(package);
    let whole = arena.setup.tables.squadrons.craft_hp;
    let (mut hurt, mut down) = (false, false);
    for _ in 0..300 {
        for ship in 0..2 {
            let order = Order { layer_emission: 3 << 4, ..Order::default() };
            arena.give(ship, order, Origin::External);
        }
        tick::advance(&mut arena);
        let squadrons = &arena.state.squadrons;
        hurt |= squadrons.hp.iter().any(|&hp| hp < whole);
        down |= squadrons.craft.iter().any(|&craft| craft < 8);
        assert!(squadrons.hp.iter().all(|&hp| hp > 0.0 && hp <= whole));
    }
    assert!(hurt && down, "{:?}", arena.state.squadrons);
}

/// A carrier whose squadron lies aboard, about to leave the map.
fn leaving() -> Arena {
    let mut package = facing("strike", "corvette", 30_000.0);
    let ship = &mut package.ships[0];
    ship.initial_state.x = -19_950.0;
    ship.initial_state.heading = WEST;
    ship.objective = Some(captains::sent("EVADE", [-20_000.0, 0.0]));
    let mut transport = ship.clone();
    transport.ship_id = "ship-02".to_owned();
    transport.initial_state.x = 0.0;
    transport.objective = None;
    transport.squadrons.clear();
    package.ships.push(transport);
    captains::begin(package)
}

#[test]
fn a_carrier_that_leaves_takes_its_craft_along() {
    let mut arena = leaving();
    for _ in 0..120 {
        arena.give(0, Order { throttle: 127, ..Order::default() }, Origin::External);
        tick::advance(&mut arena);
    }
    assert_eq!(arena.state.ships.fate[0], Fate::Exited as u8);
    assert_eq!(arena.state.squadrons.stage[0], stage::ABOARD);
    let result = result_of(&arena.setup, &arena.state, ReplayNote::default()).expect("a ledger");
    let craft = &result.ships[0].squadrons[0];
    assert_eq!((craft.aboard, craft.stranded, craft.lost), (8, 0, 0));
}

#[test]
fn nothing_is_launched_from_a_deck_that_is_given_up() {
    let mut arena = captains::begin(facing("scout", "corvette", 13_000.0));
    captains::run(&mut arena, 5, |_| {});
    assert_eq!(arena.state.squadrons.stage[0], stage::LAUNCHING);
    arena.state.ships.fate[0] = Fate::Disabled as u8;
    captains::run(&mut arena, 30, |_| {});
    assert_eq!(
        (arena.state.squadrons.stage[0], arena.state.squadrons.craft[0]),
        (stage::ABOARD, 8)
    );
}

#[test]
fn a_whole_carrier_has_a_squadron_for_every_mission() {
    let package = captains::staged(&[("blue", "carrier", 0.0, 0.0, 0.0)]);
    let missions = package.ships[0].squadrons.iter().map(|one| one.mission.as_str());
    assert!(missions.eq(["cap", "strike", "scout", "asw"]));
}
