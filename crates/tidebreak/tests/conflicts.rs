//! What happens when two things want the same: the six rules of conflict, and who did it.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::events::Kind;
use astrarium_tidebreak::journal::Journal;
use astrarium_tidebreak::orders::{Order, Origin};
use astrarium_tidebreak::resolvers::combat;
use astrarium_tidebreak::scratch::Hit;
use astrarium_tidebreak::state::{Cause, Fate, NOBODY};
use astrarium_tidebreak::tick;

fn pair(class: &str, apart: f64) -> Arena {
    captains::begin(captains::staged(&[
        ("blue", class, -apart / 2.0, 0.0, 0.0),
        ("red", class, apart / 2.0, 0.0, std::f64::consts::PI),
    ]))
}

fn shot(target: u32, source: u32, amount: f32) -> Hit {
    Hit {
        target,
        amount,
        cause: Cause::Gun,
        source,
        cause_event: 0,
        trace: 0,
        underwater: false,
        direct: true,
    }
}

fn strike(arena: &mut Arena, hits: &[Hit]) {
    let Arena { setup, state, journal, scratch, .. } = arena;
    scratch.hits.clear();
    scratch.hits.extend_from_slice(hits);
    combat::resolve(setup, state, scratch, journal);
}

#[test]
fn the_order_in_which_hits_are_found_does_not_matter() {
    let hits = [shot(1, 0, 40.0), shot(0, 1, 30.0), shot(1, 0, 15.0), shot(0, NOBODY, 5.0)];
    let mut one = pair("corvette", 4000.0);
    strike(&mut one, &hits);
    let mut other = pair("corvette", 4000.0);
    let reversed: Vec<Hit> = hits.iter().rev().copied().collect();
    strike(&mut other, &reversed);
    assert_eq!(one.state.state_hash(), other.state.state_hash());
    assert!(one.state.ships.hp[1] < one.setup.hulls[1].hp);
}

#[test]
fn a_player_overrules_a_doctrine_whoever_speaks_last() {
    let player = Order { throttle: 127, ..Order::default() };
    let doctrine = Order { throttle: -127, ..Order::default() };
    for swapped in [false, true] {
        let mut arena = pair("corvette", 4000.0);
        let words = [(player, Origin::External), (doctrine, Origin::Doctrine)];
        for at in 0..2 {
            let (order, rank) = words[if swapped { 1 - at } else { at }];
            arena.give(0, order, rank);
        }
        arena.give(1, doctrine, Origin::Doctrine);
        tick::advance(&mut arena);
        assert_eq!(arena.state.ships.throttle[0], 1.0);
        assert!((arena.state.ships.throttle[1] + 0.3).abs() < 1e-6);
        // With nobody at the helm the hull holds on.
        tick::advance(&mut arena);
        assert_eq!(arena.state.ships.throttle[0], 1.0);
    }
}

#[test]
fn of_two_players_the_first_word_stands() {
    for levers in [[127, 0], [0, 127]] {
        let mut arena = pair("corvette", 4000.0);
        for throttle in levers {
            arena.give(0, Order { throttle, ..Order::default() }, Origin::External);
        }
        tick::advance(&mut arena);
        assert_eq!(arena.state.ships.throttle[0], f32::from(levers[0]) / 127.0);
        // The next second is anybody's again.
        arena.give(0, Order { throttle: levers[1], ..Order::default() }, Origin::External);
        tick::advance(&mut arena);
        assert_eq!(arena.state.ships.throttle[0], f32::from(levers[1]) / 127.0);
    }
}

#[test]
fn two_ships_may_sink_each_other_in_the_same_second() {
    let mut arena = pair("corvette", 4000.0);
    let hp = arena.setup.hulls[0].hp;
    strike(&mut arena, &[shot(0, 1, hp + 1.0), shot(1, 0, hp + 1.0)]);
    let destroyed = Fate::Destroyed as u8;
    assert_eq!(arena.state.ships.fate, [destroyed, destroyed]);
    assert_eq!(arena.state.tally.kills, 2);
    assert_eq!(arena.state.ships.dealt, [f64::from(hp), f64::from(hp)]);
}

#[test]
fn the_largest_contribution_is_credited_then_the_lower_id() {
    let fleet = [
        ("blue", "corvette", -2000.0, 0.0, 0.0),
        ("blue", "corvette", -2000.0, 500.0, 0.0),
        ("red", "corvette", 2000.0, 0.0, 0.0),
    ];
    let mut arena = captains::begin(captains::staged(&fleet));
    let clone = arena.clone();
    let hp = arena.setup.hulls[2].hp;
    strike(&mut arena, &[shot(2, 0, 0.4 * hp), shot(2, 1, 0.4 * hp), shot(2, 1, 0.3 * hp)]);
    assert_eq!(arena.state.ships.last_harmer[2], 1);
    assert!(arena.state.terms[1][3] > 0.0 && arena.state.terms[0][3] == 0.0);
    let mut arena = clone;
    strike(&mut arena, &[shot(2, 1, 0.5 * hp), shot(2, 0, 0.5 * hp)]);
    assert_eq!(arena.state.ships.last_harmer[2], 0);
}

fn storm(target: u32, amount: f32) -> Hit {
    Hit { cause: Cause::Weather, source: NOBODY, ..shot(target, NOBODY, amount) }
}

#[test]
fn the_sea_takes_nobodys_credit() {
    let whole = pair("corvette", 4000.0);
    let hp = whole.setup.hulls[1].hp;
    // In one second with somebody, however little he did.
    let mut arena = whole.clone();
    strike(&mut arena, &[shot(1, 0, 0.1 * hp), storm(1, 0.95 * hp)]);
    assert_eq!((arena.state.ships.last_harmer[1], arena.state.tally.kills), (0, 1));
    // Or afterwards, finishing what he began.
    let mut arena = whole.clone();
    strike(&mut arena, &[shot(1, 0, 0.5 * hp)]);
    strike(&mut arena, &[storm(1, hp)]);
    assert_eq!((arena.state.ships.last_harmer[1], arena.state.tally.kills), (0, 1));
    assert!(arena.state.terms[0][3] > 0.0);
    // Where nobody did anything, nobody is credited.
    let mut arena = whole;
    strike(&mut arena, &[storm(1, 2.0 * hp)]);
    assert_eq!((arena.state.ships.last_harmer[1], arena.state.tally.kills), (NOBODY, 0));
}

#[test]
fn what_befalls_others_is_no_part_of_a_hulls_luck() {
    let fought = |with_other: bool| {
        let mut arena = pair("frigate", 4000.0);
        let mut hits: Vec<Hit> = (0..12).map(|at| shot(1, 0, 40.0 + at as f32)).collect();
        if with_other {
            hits.insert(0, shot(0, 1, 5.0));
        }
        strike(&mut arena, &hits);
        let ships = &arena.state.ships;
        (ships.parts[1], ships.burning[1], ships.wet[1])
    };
    assert_eq!(fought(false), fought(true));
}

#[test]
fn hulls_that_meet_bounce_a_little_and_share_the_harm_by_mass() {
    let mut package = captains::staged(&[
        ("blue", "corvette", -60.0, 0.0, 0.0),
        ("red", "frigate", 60.0, 0.0, std::f64::consts::PI),
    ]);
    for ship in &mut package.ships {
        ship.initial_state.speed = 10.0;
        for weapon in &mut ship.weapons {
            weapon.rounds_loaded = 0;
        }
    }
    let mut arena = captains::begin(package);
    captains::run(&mut arena, 2, |_| {});
    let (light, heavy) = (0, 1);
    let taken = |ship: usize| arena.state.ships.taken[ship][Cause::Collision as usize];
    assert!(taken(light) > 0.0 && taken(heavy) > 0.0);
    let most = 0.4 * f64::from(arena.setup.hulls[light].hp);
    assert!((taken(light) - most).abs() < 1e-3, "{} is the most of a tick", taken(light));
    let ratio = f64::from(arena.setup.hulls[light].mass_t / arena.setup.hulls[heavy].mass_t);
    let reduced = 1200.0 * 4000.0 / 5200.0;
    // 20 m/s less what the first substep braked.
    let full = 0.001 * reduced * 400.0 * 1200.0 / 5200.0;
    assert!(taken(heavy) > 0.9 * full && taken(heavy) <= full, "{} of {full}", taken(heavy));
    assert!(ratio < 1.0 && arena.state.ships.surge[light] < 0.0, "the lighter one is thrown back");
    assert_eq!(arena.state.tally.collisions, 1);
}

#[test]
fn a_sinking_names_the_order_that_fired() {
    let mut package = captains::staged(&[
        ("blue", "attack_sub", 0.0, 0.0, 0.0),
        ("red", "cutter", 1500.0, 0.0, 1.5),
    ]);
    // Armed, so that it counts, and harmless.
    package.ships[1].weapons.truncate(1);
    package.ships[1].crew.morale = 1.0;
    let mut arena = captains::begin(package);
    arena.journal = Journal::new(1);
    let mut fired = Vec::new();
    for _ in 0..600 {
        captains::charge(&mut arena);
        let before = arena.state.tick;
        tick::advance(&mut arena);
        if arena.journal.unread().any(|event| event.kind == Kind::Fired && event.source == 0) {
            fired.push(before);
        }
        if arena.done() {
            break;
        }
    }
    let sunk = arena.journal.kept().find(|event| event.kind == Kind::Destroyed);
    let sunk = *sunk.expect("the cutter was sunk");
    let chain = arena.journal.explain(sunk.id);
    let kinds: Vec<Kind> = chain.iter().map(|event| event.kind).collect();
    let expected = [Kind::Order, Kind::Fired, Kind::Hit, Kind::Damaged, Kind::Destroyed];
    assert_eq!(kinds, expected);
    assert_eq!((chain[0].source, sunk.target), (0, 1));
    assert!(chain.iter().all(|event| event.trace == chain[0].id));
    assert!(fired.contains(&((chain[0].id >> 24) as u32)));
}
