//! What nobody has noticed moves nothing that he sees, may do or does.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::doctrine::{self, Choices, Doctrine, Sight};
use astrarium_tidebreak::orders::{CHOICES, Order, Origin};
use astrarium_tidebreak::package::{BattlePackage, Fidelity, Objective};
use astrarium_tidebreak::state::Track;
use astrarium_tidebreak::{mask, observe, tick};
use captains::{begin, sent, staged};

const TICKS: u32 = 240;
const OURS: usize = 3;

/// Three of ours before a frigate they see, and a submarine of theirs wherever the test wants it.
fn fleets((x, y, heading): (f64, f64, f64)) -> BattlePackage {
    staged(&[
        ("blue", "corvette", -2_000.0, 0.0, 0.0),
        ("blue", "frigate", -2_500.0, 1_500.0, 0.2),
        ("blue", "attack_sub", -2_500.0, -1_500.0, 0.0),
        ("red", "frigate", 3_000.0, 500.0, 3.0),
        ("red", "attack_sub", x, y, heading),
    ])
}

fn battle(hidden: (f64, f64, f64)) -> Arena {
    begin(fleets(hidden))
}

/// The same, but the submarine has dived and ours have no sonar: it can be as near as it likes. There
/// are no torpedoes, which would find it all the same and tell everybody by their blast.
fn deaf(fidelity: Fidelity, hidden: (f64, f64, f64)) -> Arena {
    let mut package = fleets(hidden);
    package.fidelity = fidelity;
    package.ships[4].initial_state.layer = "submerged".to_owned();
    for ship in &mut package.ships[..OURS] {
        ship.sensors.retain(|sense| sense != "sonar");
    }
    for ship in &mut package.ships {
        ship.weapons.retain(|weapon| !weapon.weapon.contains("torpedo"));
    }
    begin(package)
}

/// The submarine steams about, lays mines and drops decoys.
fn busy(tick: u32) -> Order {
    let decoy = u8::from(tick.is_multiple_of(16));
    Order { throttle: 127, fire: 0b1000, utility: decoy, ..Order::default() }
}

fn idle(_: u32) -> Order {
    Order::default()
}

/// What one of ours knows and does in a tick.
#[derive(Clone, Debug, PartialEq)]
struct Moment {
    choices: Choices,
    seen: Vec<u32>,
    legal: [u8; CHOICES],
}

/// What our captains see, may do and order tick by tick. The frigate they see fights back and drops
/// decoys; the submarine does as it is told.
fn moments(arena: &mut Arena, captain: Doctrine, hidden: fn(u32) -> Order) -> Vec<[Moment; OURS]> {
    let mut told = Vec::new();
    for tick in 0..TICKS {
        captains::charge(arena);
        let theirs = arena.given.clone();
        arena.given.fill((Order::default(), Origin::Autopilot));
        told.push(std::array::from_fn(|ship| {
            let moment = moment(arena, captain, ship);
            let order = doctrine::decide(captain, &arena.setup, &arena.state, ship);
            arena.give(ship, order, Origin::Doctrine);
            moment
        }));
        let decoy = u8::from(tick % 16 == 0);
        arena.give(3, Order { utility: decoy, ..theirs[3].0 }, Origin::External);
        arena.give(4, hidden(tick), Origin::External);
        tick::advance(arena);
    }
    told
}

fn moment(arena: &mut Arena, captain: Doctrine, ship: usize) -> Moment {
    let mut seen = [0.0; observe::FLOATS];
    observe::ship(&arena.setup, &mut arena.state, ship, &mut seen);
    let mut legal = [0; CHOICES];
    mask::ship(&arena.setup, &arena.state, ship, &mut legal);
    let choices = doctrine::choose(captain, &arena.setup, &arena.state, ship);
    Moment { choices, seen: seen.map(f32::to_bits).to_vec(), legal }
}

/// The submarine's mines.
fn laid(arena: &Arena) -> usize {
    arena.state.mines.ship.iter().filter(|&&ship| ship == 4).count()
}

#[test]
fn an_undetected_enemy_moves_nothing_that_any_doctrine_sees_or_does() {
    let mut torpedoes = 0;
    for captain in Doctrine::ALL {
        let (mut quiet, mut other) =
            (battle((19_000.0, 19_000.0, 0.0)), battle((18_000.0, -19_000.0, 1.0)));
        let here = moments(&mut quiet, captain, idle);
        let there = moments(&mut other, captain, busy);
        assert!(laid(&quiet) == 0 && laid(&other) > 3);
        for (tick, (here, there)) in here.iter().zip(&there).enumerate() {
            assert!(here == there, "{} in tick {tick}", captain.name());
            torpedoes += here.iter().filter(|moment| moment.choices[4] != 0).count();
        }
    }
    assert!(torpedoes > 0, "without seekers in the water the test would be too easy");
}

#[test]
fn the_water_around_a_ship_does_not_point_at_an_undetected_enemy_beside_it() {
    let circling = |_| Order { throttle: 127, rudder: 127, ..Order::default() };
    let fast = |tick| match tick {
        0..120 => Order { throttle: 90, rudder: -90, ..Order::default() },
        _ => Order { throttle: -60, ..Order::default() },
    };
    for fidelity in [Fidelity::F1, Fidelity::F2] {
        for captain in Doctrine::ALL {
            let mut near = deaf(fidelity, (-4_500.0, 900.0, 0.4));
            let mut nearer = deaf(fidelity, (-3_900.0, -2_600.0, -2.0));
            let here = moments(&mut near, captain, circling);
            let there = moments(&mut nearer, captain, fast);
            for (tick, (here, there)) in here.iter().zip(&there).enumerate() {
                assert!(here == there, "{} at {fidelity:?} in tick {tick}", captain.name());
            }
            assert_ne!(near.state.wakes, nearer.state.wakes, "the sea itself does differ");
        }
    }
}

#[test]
fn a_frigate_that_has_not_found_the_boat_is_shown_the_same_wherever_it_lies() {
    let mut compared = 0;
    for seed in 1..=60 {
        let fidelity = if seed % 2 == 0 { Fidelity::F1 } else { Fidelity::F2 };
        let package = captains::package("duel_asw", seed, fidelity);
        let mut moved = package.clone();
        let boat = &mut moved.ships[1].initial_state;
        assert_eq!(boat.layer, "submerged");
        (boat.x, boat.y) = (-0.8 * boat.x, 0.7 * boat.y + 300.0);
        (boat.heading, boat.speed) = (1.0, 9.0);
        let (mut here, mut there) = (begin(package), begin(moved));
        for tick in 0..90 {
            if [&here, &there].iter().any(|arena| arena.state.beliefs.used[0] > 0) {
                break;
            }
            let moments = [&mut here, &mut there].map(|arena| moment(arena, Doctrine::Line, 0));
            assert!(moments[0] == moments[1], "seed {seed} in tick {tick}");
            compared += 1;
            for (arena, throttle) in [(&mut here, 40), (&mut there, 127)] {
                let order = doctrine::decide(Doctrine::Line, &arena.setup, &arena.state, 0);
                arena.give(0, order, Origin::Doctrine);
                arena.give(1, Order { throttle, ..Order::default() }, Origin::External);
                tick::advance(arena);
            }
        }
    }
    assert!(compared > 1_000, "{compared} moments without a contact are too few");
}

#[test]
fn an_enemy_in_plain_sight_does_move_them() {
    // Otherwise the test above would pass for captains who look at nothing.
    for captain in [Doctrine::Pursuer, Doctrine::Line, Doctrine::Wolfpack] {
        let far = moments(&mut battle((19_000.0, 19_000.0, 0.0)), captain, idle);
        let near = moments(&mut battle((0.0, 0.0, 3.0)), captain, idle);
        let differ = |part: fn(&Moment, &Moment) -> bool| {
            far.iter().flatten().zip(near.iter().flatten()).any(|(one, other)| part(one, other))
        };
        assert!(differ(|one, other| one.seen != other.seen), "{}", captain.name());
        assert!(differ(|one, other| one.legal != other.legal), "{}", captain.name());
        assert!(differ(|one, other| one.choices != other.choices), "{}", captain.name());
    }
}

#[test]
fn a_captain_recognises_its_target_no_sooner_than_a_policy_does() {
    let mut package =
        staged(&[("blue", "corvette", 0.0, 0.0, 0.0), ("red", "frigate", 9_000.0, 0.0, 3.0)]);
    package.ships[0].objective = Some(Objective {
        target: Some("ship-01".to_owned()),
        destination: None,
        ..sent("DESTROY", [0.0; 2])
    });
    let mut arena = begin(package);
    for quality in [0, 1] {
        arena.state.beliefs.used[0] = 1;
        arena.state.beliefs.tracks.set(0, Track { entity: 1, quality, iff: 4, ..Track::default() });
        let mut seen = [0.0; observe::FLOATS];
        observe::ship(&arena.setup, &mut arena.state, 0, &mut seen);
        let recognised = Sight::of(&arena.setup, &arena.state, 0).task.target.is_some();
        let shown = seen[observe::OBJECTIVE + 14] > 0.0;
        assert_eq!((recognised, shown), (quality > 0, quality > 0), "quality {quality}");
    }
}
