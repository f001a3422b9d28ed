//! Whole ticks of sensing on small seas made for the purpose.

use std::sync::Arc;

use astrarium_morphospace::{Falloff, Field, Op, Shape, Stamp};

use super::detection::{Between, Watch, chance, notice};
use super::*;
use crate::arena::Arena;
use crate::package::{self, BattlePackage, Fidelity, Obstacle, ObstacleKind, ShipSnapshot};
use crate::scenario::Scenario;
use crate::state::{Fate, flag};
use crate::tables::{Reach, Tables};

/// One ship of a trial: class, team, place and layer.
pub(crate) type Placed<'a> = (&'a str, &'a str, (f64, f64), &'a str);

/// A calm, clear, empty sea of 80 km with these ships on it. Ids follow the order given within a
/// team, and blue comes before red.
pub(crate) fn package(ships: &[Placed<'_>]) -> BattlePackage {
    let tables = Tables::shipped();
    let duel = Scenario::named("duel").expect("a shipped scenario");
    let mut package = BattlePackage { fidelity: Fidelity::F0, ..duel.package(1) };
    let bounds = &mut package.map.bounds;
    (bounds.min_x, bounds.max_x) = (-40_000.0, 40_000.0);
    (bounds.min_y, bounds.max_y) = (-40_000.0, 40_000.0);
    package.map.weather.initial.sea_state = 0.0;
    package.map.weather.initial.visibility_km = 20.0;
    package.ships = (ships.iter().enumerate())
        .map(|(number, &(class, team, (x, y), layer))| {
            let hull = tables.hull_named(class).expect("a class of the tables");
            let id = format!("{team}_{number:02}");
            let mut ship = ShipSnapshot::of_class(hull, &id, team, tables);
            (ship.initial_state.x, ship.initial_state.y) = (x, y);
            ship.initial_state.layer = layer.to_owned();
            ship
        })
        .collect();
    package::settle(package, tables).expect("a legal package")
}

pub(crate) fn battle_of(package: BattlePackage) -> Arena {
    Arena::new(Arc::new(Setup::new(package).expect("a setup")))
}

pub(crate) fn battle(ships: &[Placed<'_>]) -> Arena {
    battle_of(package(ships))
}

/// Let ships sense, and nothing else, for so many seconds.
pub(crate) fn sense(arena: &mut Arena, ticks: u32) {
    for _ in 0..ticks {
        let Arena { setup, state, journal, scratch, .. } = arena;
        state.event_index = 0;
        let ships = (0..state.ships.len()).filter(|&row| state.ships.afloat(row));
        let places = ships.map(|row| (row as u32, state.ships.x[row], state.ships.y[row]));
        scratch.grid.ships.rebuild(places.collect::<Vec<_>>().into_iter());
        resolve(setup, state, &scratch.grid, journal, &mut scratch.senses);
        state.tick += 1;
    }
}

fn track_of(arena: &Arena, ship: usize, entity: u32) -> Option<crate::state::Track> {
    tracks::find(&arena.state.beliefs, ship, entity).map(|row| arena.state.beliefs.tracks.row(row))
}

fn watch(arena: &mut Arena, ship: usize) -> Watch {
    let Arena { setup, state, scratch, .. } = arena;
    signature::gather(setup, state, &mut scratch.senses.signatures);
    let own = scratch.senses.signatures[ship];
    Watch::of(setup, state, ship, &own, 0.0, 120.0, 0.0)
}

fn ranges(arena: &mut Arena, ship: usize, target: usize) -> [f32; 4] {
    let watch = watch(arena, ship);
    watch.ranges(&arena.setup, &arena.scratch.senses.signatures[target])
}

const SURFACE: &str = "surface";
const SUBMERGED: &str = "submerged";

#[test]
fn the_chance_follows_the_signal() {
    let figures = &Tables::shipped().sensors.detection;
    for (signal, expected) in [(-0.1, 0.0), (0.0, 0.0), (0.05, 0.18), (0.25, 0.5), (0.9, 0.98)] {
        assert!((chance(figures, signal) - expected).abs() < 1e-6, "{signal}");
    }
}

#[test]
fn ranges_are_those_of_the_observer_times_what_the_target_shows() {
    let mut arena = battle(&[
        ("frigate", "blue", (0.0, 0.0), SURFACE),
        ("dreadnought", "red", (1000.0, 0.0), SURFACE),
        ("attack_sub", "red", (2000.0, 0.0), SUBMERGED),
    ]);
    arena.state.ships.emission.fill(2);
    let [radar, sonar, visual, esm] = ranges(&mut arena, 0, 1);
    assert!((radar - 16_000.0 * 1.4).abs() < 1.0, "{radar}");
    assert_eq!(visual, 9000.0);
    assert_eq!(esm, 20_000.0, "its own receiver is the limit");
    // 8 km, surface to surface 0.5, 118 dB against 20 dB of sea at rest: 1 + (8 + 10) / 40.
    assert!((sonar - 8000.0 * 0.5 * 1.45).abs() < 1.0, "{sonar}");
    let [radar, sonar, visual, esm] = ranges(&mut arena, 0, 2);
    assert_eq!((radar, visual, esm), (0.0, 0.0, 0.0), "nothing of a hull below shows above");
    assert!((sonar - 8000.0 * 0.7 * (1.0 + (88.0 - 110.0 + 10.0) / 40.0)).abs() < 1.0, "{sonar}");
}

#[test]
fn silence_costs_radar_and_hearing_and_hides_the_own_radar() {
    let ships =
        [("frigate", "blue", (0.0, 0.0), SURFACE), ("frigate", "red", (9000.0, 0.0), SURFACE)];
    let mut arena = battle(&ships);
    let mut heard = Vec::new();
    for emission in 0..3 {
        arena.state.ships.emission[0] = emission;
        let [radar, sonar, ..] = ranges(&mut arena, 0, 1);
        assert_eq!(radar > 0.0, emission == 2);
        heard.push(sonar);
        let esm = ranges(&mut arena, 1, 0)[3];
        assert_eq!(esm > 0.0, emission == 2);
    }
    assert!((heard[0] / heard[2] - 0.5).abs() < 1e-4 && (heard[1] / heard[2] - 0.75).abs() < 1e-4);
}

#[test]
fn weather_at_either_end_shortens_radar_and_sight() {
    let ships =
        [("frigate", "blue", (0.0, 0.0), SURFACE), ("frigate", "red", (9000.0, 0.0), SURFACE)];
    let mut arena = battle(&ships);
    arena.state.ships.emission[0] = 2;
    let clear = ranges(&mut arena, 0, 1);
    for storm_at in [0, 1] {
        arena.state.ships.sea_state.fill(0.0);
        arena.state.ships.rain.fill(0);
        arena.state.ships.visibility_km.fill(20.0);
        arena.state.ships.sea_state[storm_at] = 7.0;
        arena.state.ships.rain[storm_at] = 3;
        arena.state.ships.visibility_km[storm_at] = 3.0;
        let foul = ranges(&mut arena, 0, 1);
        assert!((foul[0] / clear[0] - 0.55 * 0.6).abs() < 1e-4, "{foul:?}");
        assert!((foul[2] / clear[2] - 0.2).abs() < 1e-4, "{foul:?}");
    }
}

#[test]
fn what_is_loud_is_heard_farther_and_what_makes_way_hears_less() {
    let ships =
        [("frigate", "blue", (0.0, 0.0), SURFACE), ("frigate", "red", (3000.0, 0.0), SURFACE)];
    let mut arena = battle(&ships);
    let mut sonar = |surge: [f32; 2], flags: u16| {
        arena.state.ships.surge = surge.to_vec();
        arena.state.ships.flags[0] = flags;
        for ship in 0..2 {
            arena.state.ships.level_db[ship] = sound::level(&arena.setup, &arena.state, ship);
        }
        ranges(&mut arena, 0, 1)[1]
    };
    let still = sonar([0.0, 0.0], 0);
    assert!(sonar([0.0, 15.0], 0) > still);
    let deafened = sonar([15.0, 0.0], 0);
    assert!(deafened < still);
    let pinging = sonar([15.0, 0.0], flag::PINGING);
    assert!(
        (pinging - 8000.0 * 0.5 * 0.75).abs() < 1.0,
        "a ping hears at a factor of 1: {pinging}"
    );
}

#[test]
fn detections_come_as_often_as_the_formula_says() {
    let ships =
        [("cutter", "blue", (0.0, 0.0), SURFACE), ("cutter", "red", (4500.0, 0.0), SURFACE)];
    let mut arena = battle(&ships);
    let watch = watch(&mut arena, 0);
    let target = arena.scratch.senses.signatures[1];
    let candidate = watch.consider(&arena.setup, 1, &target).expect("it can be seen");
    let seen = (0..4000)
        .filter(|&tick| {
            let draws = Draws::of(7);
            let noticed = notice(&arena.setup, draws, tick, &watch, &target, &candidate, |_| {
                Between::default()
            });
            noticed.is_some_and(|noticed| noticed.senses & source::VISUAL != 0)
        })
        .count();
    // Eyes of 6 km at 4.5 km: s = 0.25, p = 0.5.
    assert!((1850..2150).contains(&seen), "{seen} of 4000");
}

#[test]
fn land_blocks_radar_and_eyes_and_muffles_sound() {
    let mut with_land = package(&[
        ("frigate", "blue", (0.0, 0.0), SURFACE),
        ("frigate", "red", (3000.0, 0.0), SURFACE),
    ]);
    let shape = package::Shape::Circle { x: 1500.0, y: 0.0, radius_m: 500.0 };
    let (kind, intensity) = (ObstacleKind::Solid, 1.0);
    with_land.map.obstacles = vec![Obstacle { shape, kind, intensity }];
    for fidelity in [Fidelity::F0, Fidelity::F1] {
        let mut arena = battle_of(BattlePackage { fidelity, ..with_land.clone() });
        arena.state.ships.emission[0] = 2;
        sense(&mut arena, 30);
        let blocked = track_of(&arena, 0, 1);
        assert!(blocked.is_none_or(|track| track.sources & (source::RADAR | source::VISUAL) == 0));
        arena.state.ships.y[1] = 3000.0;
        sense(&mut arena, 5);
        let open = track_of(&arena, 0, 1).expect("nothing is in the way any more");
        assert!(open.sources & source::RADAR != 0);
    }
}

#[test]
fn smoke_halves_sight() {
    let mut arena = battle_of(BattlePackage {
        fidelity: Fidelity::F1,
        ..package(&[
            ("corvette", "blue", (0.0, 0.0), SURFACE),
            ("corvette", "red", (5000.0, 0.0), SURFACE),
        ])
    });
    let sees = |arena: &mut Arena| {
        arena.state.beliefs.used.fill(0);
        let mut seen = 0;
        for _ in 0..200 {
            sense(arena, 1);
            seen += u32::from(track_of(arena, 0, 1).is_some_and(|track| track.age == 0));
        }
        seen
    };
    assert!(sees(&mut arena) > 100);
    let shape = Shape::Disc { centre: (2500.0, 0.0), radius: 800.0 };
    let smoke = Stamp::new(shape, 0b1, Falloff::None).with(Field::Smoke, Op::Set, 1.0);
    arena.state.fields.stamp(&smoke);
    assert_eq!(sees(&mut arena), 0, "at half of 8 km nothing shows at 5 km");
}

#[test]
fn a_radar_is_heard_as_a_cue_that_two_bearings_make_a_place() {
    let mut arena = battle(&[
        ("corvette", "blue", (0.0, 0.0), SURFACE),
        ("frigate", "red", (14_000.0, 0.0), SURFACE),
    ]);
    arena.state.ships.emission = vec![0, 2];
    sense(&mut arena, 30);
    let cue = track_of(&arena, 0, 1).expect("its radar is heard");
    assert_eq!((cue.quality, cue.sources & source::SENSES), (0, source::ESM));
    assert_eq!((cue.layer, cue.places, cue.iff), (tracks::UNKNOWN_LAYER, 0, 2));
    arena.state.ships.y[0] = 5000.0;
    sense(&mut arena, 30);
    let track = track_of(&arena, 0, 1).expect("it is still heard");
    assert_eq!(track.quality, 1);
    assert!((track.x - 14_000.0).abs() < 3000.0 && track.y.abs() < 3000.0, "{track:?}");
}

#[test]
fn quality_grows_with_the_signal_and_is_shared_after_three_ticks_on_a_good_link() {
    let mut arena = battle(&[
        ("frigate", "blue", (0.0, 0.0), SURFACE),
        ("frigate", "red", (3000.0, 0.0), SURFACE),
        ("frigate", "red", (10_000.0, 0.0), SURFACE),
    ]);
    arena.state.ships.emission[0] = 2;
    sense(&mut arena, 25);
    let near = track_of(&arena, 0, 1).expect("near and open");
    let far = track_of(&arena, 0, 2).expect("far but in range");
    assert_eq!((near.quality, near.iff, near.places), (3, 4, Reach::SURFACE));
    assert_eq!((far.quality, far.iff), (1, 3));
    assert!((near.x - 3000.0).abs() < 5.0 * (0.005 * 3000.0 + 3.0));
    assert_eq!(arena.state.terms[0][7], 1.0, "one discovery, however often it is seen again");
}

#[test]
fn a_contact_is_dropped_when_it_is_lost_for_long_or_seen_to_end() {
    let ships =
        [("frigate", "blue", (0.0, 0.0), SURFACE), ("frigate", "red", (3000.0, 0.0), SURFACE)];
    let mut arena = battle(&ships);
    sense(&mut arena, 10);
    assert!(track_of(&arena, 0, 1).is_some());
    arena.state.ships.x[1] = 39_000.0;
    sense(&mut arena, 85);
    assert!(track_of(&arena, 0, 1).is_some_and(|track| track.quality == 0 && track.sigma > 300.0));
    sense(&mut arena, 6);
    assert!(track_of(&arena, 0, 1).is_none());
    arena.state.ships.x[1] = 3000.0;
    sense(&mut arena, 10);
    arena.state.ships.target_slot[0] = 0;
    arena.state.ships.fate[1] = Fate::Destroyed as u8;
    sense(&mut arena, 1);
    assert!(track_of(&arena, 0, 1).is_none());
    assert_eq!(arena.state.ships.target_slot[0], u8::MAX);
}

#[test]
fn friends_are_contacts_only_where_no_link_reaches_them() {
    let mut arena = battle(&[
        ("cutter", "blue", (0.0, 0.0), SURFACE),
        ("dreadnought", "blue", (3000.0, 0.0), SURFACE),
    ]);
    sense(&mut arena, 10);
    assert!(track_of(&arena, 0, 1).is_none());
    let mut silent = arena.setup.package.clone();
    silent.ships.iter_mut().for_each(|ship| ship.link_tier = 0);
    silent.ships[1].initial_state.x = 5400.0;
    let mut arena = battle_of(silent);
    arena.state.ships.emission[0] = 2;
    sense(&mut arena, 20);
    let friend = track_of(&arena, 0, 1).expect("out of its link, but in sight");
    assert!(friend.iff < 2, "{friend:?}");
}
