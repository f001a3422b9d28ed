//! Whatever happens, its story begins with the order or the weather that led to it.

mod captains;

use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::events::{Event, Kind};
use astrarium_tidebreak::journal::Journal;
use astrarium_tidebreak::orders::{Order, Origin};
use astrarium_tidebreak::package::{BattlePackage, Obstacle, ObstacleKind, Shape};
use astrarium_tidebreak::state::NOBODY;

const WEST: f64 = std::f64::consts::PI;

fn begun(package: BattlePackage, level: u8) -> Arena {
    let mut arena = captains::begin(package);
    arena.journal = Journal::new(level);
    arena
}

fn give(arena: &mut Arena, ship: usize, order: Order) {
    arena.give(ship, order, Origin::External);
}

fn ahead() -> Order {
    Order { throttle: 127, ..Order::default() }
}

/// The story of the first event of this kind; every link names the same root.
fn story(arena: &Arena, kind: Kind) -> Vec<Event> {
    let first = arena.journal.kept().find(|event| event.kind == kind);
    let chain = arena.journal.explain(first.unwrap_or_else(|| panic!("no {kind:?}")).id);
    assert!(chain.iter().all(|event| event.trace == chain[0].id), "{chain:?}");
    chain
}

fn kinds(arena: &Arena, kind: Kind) -> Vec<Kind> {
    story(arena, kind).iter().map(|event| event.kind).collect()
}

#[test]
fn a_dive_ends_the_order_that_began_it() {
    let package = captains::staged(&[
        ("blue", "attack_sub", 0.0, 0.0, 0.0),
        ("red", "attack_sub", 19_000.0, 0.0, WEST),
    ]);
    let mut arena = begun(package, 1);
    give(&mut arena, 0, Order { layer_emission: 2, ..Order::default() });
    captains::run(&mut arena, 46, |_| {});
    let expected = [Kind::Order, Kind::TransitionBegan, Kind::TransitionEnded];
    assert_eq!(kinds(&arena, Kind::TransitionEnded), expected);
}

#[test]
fn a_botched_dive_goes_back_to_what_hurt_the_hull() {
    for seed in 1..40 {
        let mut package = captains::staged(&[
            ("blue", "attack_sub", 0.0, 0.0, 0.0),
            ("red", "frigate", 2_000.0, 0.0, WEST),
        ]);
        package.seed = seed;
        // Enough to hurt, not to sink.
        for mount in &mut package.ships[1].weapons {
            mount.rounds_loaded = if mount.weapon == "medium_gun" { 4 } else { 0 };
        }
        let mut arena = begun(package, 1);
        captains::run(&mut arena, 90, |arena| {
            captains::charge(arena);
            let dives = u8::from(arena.state.tick == 0);
            arena.given[0].0 = Order { layer_emission: 2 * dives, ..Order::default() };
        });
        if arena.state.tally.botched > 0 {
            let chain = story(&arena, Kind::TransitionBotched);
            assert_eq!((chain[0].kind, chain[0].source), (Kind::Order, 1));
            return;
        }
    }
    panic!("no dive was botched");
}

#[test]
fn collisions_and_groundings_go_back_to_the_helm() {
    let mut package = captains::staged(&[
        ("blue", "cutter", 0.0, 0.0, 0.0),
        ("red", "corvette", 700.0, 0.0, WEST),
    ]);
    for ship in &mut package.ships {
        ship.weapons.iter_mut().for_each(|mount| mount.rounds_loaded = 0);
    }
    let mut arena = begun(package.clone(), 1);
    give(&mut arena, 0, ahead());
    captains::run(&mut arena, 60, |_| {});
    let chain = story(&arena, Kind::Collided);
    assert_eq!((chain[0].kind, chain[0].source, chain[1].source), (Kind::Order, 0, 0));
    assert_eq!(kinds(&arena, Kind::Damaged), [Kind::Order, Kind::Collided, Kind::Damaged]);

    package.ships[1].initial_state.x = 12_000.0;
    package.map.obstacles.push(Obstacle {
        shape: Shape::Circle { x: 700.0, y: 0.0, radius_m: 200.0 },
        kind: ObstacleKind::Solid,
        intensity: 1.0,
    });
    let mut arena = begun(package, 1);
    give(&mut arena, 0, ahead());
    captains::run(&mut arena, 60, |_| {});
    assert_eq!(kinds(&arena, Kind::Damaged), [Kind::Order, Kind::Grounded, Kind::Damaged]);
}

#[test]
fn leaving_the_map_goes_back_to_the_helm() {
    let mut package = captains::staged(&[
        ("blue", "cutter", 19_900.0, 0.0, 0.0),
        ("red", "cutter", 0.0, 0.0, WEST),
    ]);
    package.ships[0].objective = Some(captains::sent("EVADE", [20_000.0, 0.0]));
    let mut arena = begun(package, 1);
    give(&mut arena, 0, ahead());
    captains::run(&mut arena, 40, |_| {});
    assert_eq!(kinds(&arena, Kind::Exited), [Kind::Order, Kind::Exited]);
}

/// A carrier with one squadron for strikes and an enemy it knows of.
fn strike() -> Arena {
    let mut package = captains::staged(&[
        ("blue", "carrier", 0.0, 0.0, 0.0),
        ("red", "transport", 7_000.0, 0.0, WEST),
        ("red", "frigate", 18_000.0, 0.0, WEST),
    ]);
    let squadrons = &mut package.ships[0].squadrons;
    squadrons.retain(|one| one.mission == "strike");
    begun(package, 1)
}

#[test]
fn a_bomb_goes_back_to_the_order_its_carrier_carries_out() {
    let mut arena = strike();
    give(&mut arena, 0, Order { throttle: 20, layer_emission: 3 << 4, ..Order::default() });
    captains::run(&mut arena, 120, |_| {});
    let expected = [Kind::Order, Kind::SquadronLaunched, Kind::Fired, Kind::Damaged];
    assert_eq!(kinds(&arena, Kind::Damaged), expected);
}

#[test]
fn craft_that_go_down_with_their_deck_go_back_to_what_sank_it() {
    let mut arena = strike();
    Arc::make_mut(&mut arena.setup).package.scuttle_any_time = true;
    give(&mut arena, 0, Order { utility: 5, ..Order::default() });
    captains::run(&mut arena, 3, |_| {});
    let expected = [Kind::Order, Kind::Scuttled, Kind::SquadronLost];
    assert_eq!(kinds(&arena, Kind::SquadronLost), expected);
}

#[test]
fn point_defence_goes_back_to_the_launch_or_to_the_own_order() {
    // At a missile: the order of whoever fired it.
    let mut arena = begun(
        captains::staged(&[
            ("blue", "frigate", 0.0, 0.0, 0.0),
            ("red", "dreadnought", 9_000.0, 0.0, WEST),
        ]),
        1,
    );
    captains::run(&mut arena, 90, captains::charge);
    let chain = story(&arena, Kind::Intercepted);
    let told: Vec<Kind> = chain.iter().map(|event| event.kind).collect();
    assert_eq!(told, [Kind::Order, Kind::Fired, Kind::Fired, Kind::Intercepted]);
    assert_eq!(chain[0].source, chain[1].source);
    assert_ne!(chain[1].source, chain[2].source);

    // At a hull: the order that the defender carries out.
    let mut package = captains::staged(&[
        ("blue", "skimmer", 0.0, 0.0, 0.0),
        ("red", "skimmer", 600.0, 0.0, WEST),
    ]);
    package.ships[1].weapons[0].rounds_loaded = 0;
    let mut arena = begun(package, 1);
    give(&mut arena, 0, ahead());
    captains::run(&mut arena, 20, |_| {});
    let chain = story(&arena, Kind::Damaged);
    assert_eq!((chain[0].kind, chain[0].source, chain[1].kind), (Kind::Order, 0, Kind::Fired));
}

#[test]
fn what_the_sea_does_begins_with_the_sea() {
    let mut package = captains::staged(&[
        ("blue", "skimmer", 0.0, 0.0, 0.0),
        ("red", "skimmer", 9_000.0, 0.0, WEST),
    ]);
    package.map.weather.initial.sea_state = 9.0;
    let mut arena = begun(package, 1);
    captains::run(&mut arena, 60, |_| {});
    let expected = [Kind::WeatherDamage, Kind::Damaged, Kind::Destroyed];
    assert_eq!(kinds(&arena, Kind::Destroyed), expected);
    assert_eq!(story(&arena, Kind::WeatherDamage)[0].source, NOBODY);
}

#[test]
fn every_proposal_is_kept_at_the_highest_level_only() {
    for level in [1, 2] {
        let mut arena = begun(
            captains::staged(&[
                ("blue", "corvette", 0.0, 0.0, 0.0),
                ("red", "corvette", 9_000.0, 0.0, WEST),
            ]),
            level,
        );
        give(&mut arena, 0, Order { throttle: 127, utility: 1, ..Order::default() });
        captains::run(&mut arena, 1, |_| {});
        let kept: Vec<Event> =
            arena.journal.kept().filter(|event| event.kind == Kind::Proposed).copied().collect();
        let asked = if level == 2 { arena.proposals.len() } else { 0 };
        assert_eq!(kept.len(), asked);
        if level == 2 {
            // The helm of both, the decoy of one.
            assert!(asked >= 3, "{asked}");
            let decoy = kept.iter().find(|event| event.plugin == 3).expect("the decoy");
            let chain = arena.journal.explain(decoy.id);
            assert_eq!((chain[0].kind, decoy.value), (Kind::Order, 1.0));
        }
    }
}
