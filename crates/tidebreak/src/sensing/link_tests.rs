//! What passes over links, how far, how late and how much.

use super::tests::{battle, battle_of, package, sense};
use super::*;
use crate::arena::Arena;
use crate::engagement::fire_quality;

const SURFACE: &str = "surface";

/// Blue: an active picket and a silent friend behind it, out of sight of red.
fn pair(class: &str, friend_x: f64) -> Arena {
    let mut arena = battle(&[
        (class, "blue", (0.0, 0.0), SURFACE),
        (class, "blue", (friend_x, 0.0), SURFACE),
        ("transport", "red", (4000.0, 0.0), SURFACE),
    ]);
    arena.state.ships.emission = vec![2, 0, 0];
    arena
}

fn told(arena: &Arena) -> Option<crate::state::Track> {
    tracks::find(&arena.state.beliefs, 1, 2).map(|row| arena.state.beliefs.tracks.row(row))
}

/// Ticks until the friend knows, or the most there were.
fn ticks_until_told(arena: &mut Arena, most: u32) -> u32 {
    (1..=most)
        .find(|_| {
            sense(arena, 1);
            told(arena).is_some()
        })
        .unwrap_or(most + 1)
}

#[test]
fn a_report_arrives_a_tick_after_it_was_sent_and_not_beyond_the_range() {
    let mut arena = pair("frigate", -15_000.0);
    sense(&mut arena, 1);
    while tracks::find(&arena.state.beliefs, 0, 2).is_none() {
        sense(&mut arena, 1);
    }
    let sent = arena.state.tick;
    assert!(told(&arena).is_none());
    let waited = ticks_until_told(&mut arena, 5);
    assert!((1..=3).contains(&waited), "seen at {sent}, told {waited} later");
    let mut far = pair("frigate", -20_500.0);
    assert_eq!(ticks_until_told(&mut far, 20), 21);
}

#[test]
fn what_only_a_friend_sees_says_so_and_does_for_guns_only_on_the_best_link() {
    for (class, tier, aims_guns) in [("frigate", 2, false), ("dreadnought", 3, true)] {
        let mut arena = pair(class, -14_000.0);
        sense(&mut arena, 30);
        let track = told(&arena).expect("the picket tells");
        assert_eq!(arena.setup.senses.link_tiers[1], tier);
        assert_eq!(track.sources & (source::SENSES | source::LINK), source::LINK);
        assert_eq!(track.quality, 3);
        assert_eq!(fire_quality(track.quality, track.sources) >= 2, aims_guns, "{class}");
    }
}

#[test]
fn a_poor_link_carries_places_but_neither_errors_nor_identity() {
    let mut arena = pair("corvette", -9000.0);
    assert_eq!(arena.setup.senses.link_tiers[0], 1);
    sense(&mut arena, 30);
    let track = told(&arena).expect("the picket tells");
    assert_eq!((track.quality, track.iff), (1, 2));
    assert!(track.sigma > 400.0, "an error by distance: {}", track.sigma);
}

#[test]
fn a_submerged_hull_hears_cues_from_close_by() {
    let mut near = package(&[
        ("frigate", "blue", (0.0, 0.0), SURFACE),
        ("attack_sub", "blue", (-2500.0, 0.0), "submerged"),
        ("transport", "red", (9000.0, 0.0), SURFACE),
    ]);
    for (x, reached) in [(-2500.0, true), (-3500.0, false)] {
        near.ships[1].initial_state.x = x;
        let mut arena = battle_of(near.clone());
        arena.state.ships.emission = vec![2, 0, 0];
        // The boat hears nothing itself.
        arena.state.ships.output[1][2] = 0.0;
        sense(&mut arena, 25);
        let track = told(&arena);
        assert_eq!(track.is_some(), reached);
        assert!(track.is_none_or(|track| track.quality == 0 && track.places == 0));
    }
}

#[test]
fn a_ship_speaks_in_its_turn_and_no_more_than_its_link_carries() {
    let mut ships = vec![
        ("corvette", "blue", (0.0, 0.0), SURFACE),
        ("corvette", "blue", (-9000.0, 0.0), SURFACE),
    ];
    ships.extend((0..12).map(|at| ("transport", "red", (3000.0, 200.0 * f64::from(at)), SURFACE)));
    let mut arena = battle(&ships);
    arena.state.ships.emission.fill(0);
    arena.state.ships.emission[0] = 2;
    sense(&mut arena, 12);
    for _ in 0..16 {
        sense(&mut arena, 1);
        let queue = &arena.state.beliefs.links;
        let mine = queue.from.iter().filter(|&&from| from == 0).count();
        let turn = (arena.state.tick - 1).is_multiple_of(4);
        assert_eq!(mine, if turn { 4 } else { 0 }, "tick {}", arena.state.tick - 1);
    }
}

#[test]
fn nothing_that_came_over_a_link_is_told_on() {
    let mut arena = battle(&[
        ("frigate", "blue", (0.0, 0.0), SURFACE),
        ("frigate", "blue", (-15_000.0, 0.0), SURFACE),
        ("frigate", "blue", (-30_000.0, 0.0), SURFACE),
        ("transport", "red", (3000.0, 0.0), SURFACE),
    ]);
    arena.state.ships.emission = vec![2, 0, 0, 0];
    sense(&mut arena, 40);
    assert!(tracks::find(&arena.state.beliefs, 1, 3).is_some());
    assert!(tracks::find(&arena.state.beliefs, 2, 3).is_none());
}

#[test]
fn two_bearings_of_two_ships_make_a_place() {
    let mut arena = battle(&[
        ("corvette", "blue", (0.0, 0.0), SURFACE),
        ("corvette", "blue", (0.0, 9000.0), SURFACE),
        ("frigate", "red", (11_000.0, 4500.0), SURFACE),
    ]);
    arena.state.ships.emission = vec![0, 0, 2];
    sense(&mut arena, 40);
    let track = told(&arena).expect("its radar is heard by both");
    assert!(track.quality >= 1, "{track:?}");
    assert!((track.x - 11_000.0).abs() < 4000.0 && (track.y - 4500.0).abs() < 2500.0, "{track:?}");
}
