//! How often mounts fire and decks launch, by crews and by the parts they stand in.

mod captains;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::orders::{Order, Origin};
use astrarium_tidebreak::package::BattlePackage;
use astrarium_tidebreak::state::Cause;
use astrarium_tidebreak::tick;

const WEST: f64 = std::f64::consts::PI;
/// Medium gun of the tables.
const GUN: u8 = 1;
/// Short enough that nobody sinks meanwhile.
const SECONDS: u32 = 45;

fn duel() -> BattlePackage {
    captains::staged(&[
        ("blue", "corvette", 0.0, 0.0, 0.0),
        ("red", "corvette", 3_000.0, 0.0, WEST),
    ])
}

/// Rounds that the first ship's guns fire in so many seconds of pressing the button at somebody who
/// takes no harm.
fn fired(arena: &mut Arena, seconds: u32) -> u32 {
    let shots = |arena: &Arena| -> u32 {
        let mounts = &arena.state.mounts;
        (0..mounts.len())
            .filter(|&at| mounts.ship[at] == 0 && mounts.weapon[at] == GUN)
            .map(|at| u32::from(mounts.fired[at]))
            .sum()
    };
    let before = shots(arena);
    for _ in 0..seconds {
        for ship in 0..2 {
            arena.state.ships.hp[ship] = arena.setup.hulls[ship].hp;
            arena.state.ships.fatigue[ship] = 0.0;
        }
        let order = Order { target: 1, fire: 1, layer_emission: 3 << 4, ..Order::default() };
        arena.give(0, order, Origin::External);
        tick::advance(arena);
        assert_eq!(arena.state.ships.taken[0][Cause::Gun as usize], 0.0);
    }
    shots(arena) - before
}

/// A battle in which the first ship has had time to find the other.
fn watched(package: BattlePackage) -> Arena {
    let mut arena = captains::begin(package);
    for _ in 0..15 {
        arena.give(0, Order { layer_emission: 3 << 4, ..Order::default() }, Origin::External);
        tick::advance(&mut arena);
    }
    arena
}

#[test]
fn rates_of_fire_follow_gunnery_and_need_not_be_whole_seconds() {
    for gunnery in [0.0, 0.3, 0.6, 1.0] {
        let mut package = duel();
        package.ships[0].crew.gunnery = gunnery;
        let mut arena = watched(package);
        let seconds = 3.0 * (1.25 - 0.5 * gunnery);
        let rounds = f64::from(fired(&mut arena, SECONDS)) / one_burst(&arena);
        assert!(
            (rounds - f64::from(SECONDS) / seconds).abs() <= 1.5,
            "{gunnery}: {rounds} in {SECONDS} s"
        );
    }
}

/// How many guns the first ship has.
fn one_burst(arena: &Arena) -> f64 {
    let mounts = &arena.state.mounts;
    let guns = (0..mounts.len()).filter(|&at| mounts.ship[at] == 0 && mounts.weapon[at] == GUN);
    guns.count() as f64
}

#[test]
fn a_mount_that_waited_has_no_credit() {
    let mut arena = watched(duel());
    fired(&mut arena, 10);
    for _ in 0..30 {
        arena.give(0, Order { layer_emission: 3 << 4, ..Order::default() }, Origin::External);
        tick::advance(&mut arena);
    }
    assert!(arena.state.mounts.cooldown.iter().all(|&cooldown| cooldown == 0.0));
}

#[test]
fn guns_in_half_their_health_or_condition_fire_half_as_often() {
    let whole = fired(&mut watched(duel()), SECONDS);
    let mut hurt = watched(duel());
    hurt.state.ships.parts[0][3] = 0.5;
    let setup = std::sync::Arc::clone(&hurt.setup);
    hurt.state.ships.refresh_output(&setup, 0);
    let half = fired(&mut hurt, SECONDS);
    assert!(half.abs_diff(whole / 2) <= 2, "{half} of {whole}");
    let mut worn = duel();
    for mount in &mut worn.ships[0].weapons {
        mount.condition = 0.5;
    }
    assert!(fired(&mut watched(worn), SECONDS).abs_diff(whole / 2) <= 2);
    let mut broken = duel();
    for mount in &mut broken.ships[0].weapons {
        mount.condition = 0.2;
    }
    assert_eq!(fired(&mut watched(broken), 30), 0, "below a quarter nothing works");
}
