//! What nobody has noticed moves nothing that he sees, may do or does.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::doctrine::{self, Choices, Doctrine, Sight};
use astrarium_tidebreak::orders::{CHOICES, Order, Origin};
use astrarium_tidebreak::package::Objective;
use astrarium_tidebreak::state::Track;
use astrarium_tidebreak::{mask, observe, tick};
use captains::{begin, staged};

const TICKS: u32 = 240;
const OURS: usize = 3;

/// Three of ours before a frigate they see, and a submarine of theirs wherever the test wants it.
fn battle(hidden: (f64, f64, f64)) -> Arena {
    let (x, y, heading) = hidden;
    begin(staged(&[
        ("blue", "corvette", -2_000.0, 0.0, 0.0),
        ("blue", "frigate", -2_500.0, 1_500.0, 0.2),
        ("blue", "attack_sub", -2_500.0, -1_500.0, 0.0),
        ("red", "frigate", 3_000.0, 500.0, 3.0),
        ("red", "attack_sub", x, y, heading),
    ]))
}

/// What one of ours knows and does in a tick.
#[derive(Clone, Debug, PartialEq)]
struct Moment {
    choices: Choices,
    seen: Vec<u32>,
    legal: [u8; CHOICES],
}

/// What our captains see, may do and order tick by tick. The frigate they see fights back and drops
/// decoys; the submarine steams about, lays mines and drops decoys too, if it is `busy`.
fn moments(mut arena: Arena, captain: Doctrine, busy: bool) -> Vec<[Moment; OURS]> {
    let mut told = Vec::new();
    for tick in 0..TICKS {
        captains::charge(&mut arena);
        let theirs = arena.given.clone();
        arena.given.fill((Order::default(), Origin::Autopilot));
        told.push(std::array::from_fn(|ship| {
            let mut seen = [0.0; observe::FLOATS];
            observe::ship(&arena.setup, &mut arena.state, ship, &mut seen);
            let mut legal = [0; CHOICES];
            mask::ship(&arena.setup, &arena.state, ship, &mut legal);
            let choices = doctrine::choose(captain, &arena.setup, &arena.state, ship);
            let order = doctrine::decide(captain, &arena.setup, &arena.state, ship);
            arena.give(ship, order, Origin::Doctrine);
            Moment { choices, seen: seen.map(f32::to_bits).to_vec(), legal }
        }));
        let decoy = u8::from(tick % 16 == 0);
        let hidden = match busy {
            true => Order { throttle: 127, fire: 0b1000, utility: decoy, ..Order::default() },
            false => Order::default(),
        };
        arena.give(3, Order { utility: decoy, ..theirs[3].0 }, Origin::External);
        arena.give(4, hidden, Origin::External);
        tick::advance(&mut arena);
    }
    let laid = arena.state.mines.ship.iter().filter(|&&ship| ship == 4).count();
    assert!(if busy { laid > 3 } else { laid == 0 }, "{laid} mines");
    told
}

#[test]
fn an_undetected_enemy_moves_nothing_that_any_doctrine_sees_or_does() {
    let mut torpedoes = 0;
    for captain in Doctrine::ALL {
        let here = moments(battle((19_000.0, 19_000.0, 0.0)), captain, false);
        let there = moments(battle((18_000.0, -19_000.0, 1.0)), captain, true);
        for (tick, (here, there)) in here.iter().zip(&there).enumerate() {
            assert!(here == there, "{} in tick {tick}", captain.name());
            torpedoes += here.iter().filter(|moment| moment.choices[4] != 0).count();
        }
    }
    assert!(torpedoes > 0, "without seekers in the water the test would be too easy");
}

#[test]
fn an_enemy_in_plain_sight_does_move_them() {
    // Otherwise the test above would pass for captains who look at nothing.
    for captain in [Doctrine::Pursuer, Doctrine::Line, Doctrine::Wolfpack] {
        let far = moments(battle((19_000.0, 19_000.0, 0.0)), captain, false);
        let near = moments(battle((0.0, 0.0, 3.0)), captain, false);
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
        kind: "DESTROY".to_owned(),
        target: Some("ship-01".to_owned()),
        asset: None,
        zone: None,
        destination: None,
        priority: 1.0,
        deadline_s: None,
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
