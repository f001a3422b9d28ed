//! What a drawing and a log are given of a real battle.

use serde_json::Value;

use super::*;
use crate::arena::Arena;
use crate::events::Kind;
use crate::orders::{Order, Origin};
use crate::package::{BattlePackage, Fidelity};
use crate::scenario::Scenario;
use crate::sensing::tests::battle_of;
use crate::tick;

/// Everybody goes ahead with radars on and fires at what is shown first.
fn fought(name: &str, ticks: u32) -> Arena {
    let scenario = Scenario::named(name).expect("a shipped scenario");
    let mut arena = battle_of(BattlePackage { fidelity: Fidelity::F1, ..scenario.package(4) });
    arena.journal = Journal::new(1);
    let order = Order {
        throttle: 100,
        target: 1,
        fire: 0b1111,
        layer_emission: 3 << 4,
        ..Order::default()
    };
    for _ in 0..ticks {
        for ship in 0..arena.state.ships.len() {
            arena.give(ship, order, Origin::External);
        }
        tick::advance(&mut arena);
    }
    arena
}

fn nulls(value: &Value) -> usize {
    match value {
        Value::Null => 1,
        Value::Array(list) => list.iter().map(nulls).sum(),
        Value::Object(map) => map.values().map(nulls).sum(),
        _ => 0,
    }
}

#[test]
fn a_portrait_holds_everything_that_is_there_and_no_nulls() {
    let arena = fought("fleet_action", 100);
    let told: Value = serde_json::from_str(&draw(&arena.setup, &arena.state)).expect("JSON");
    assert_eq!(nulls(&told), 0);
    let count = |key: &str| told[key].as_object().map_or(0, Map::len);
    assert_eq!(count("ships"), arena.state.ships.len());
    assert_eq!(count("rounds"), arena.state.rounds.len());
    assert_eq!(count("squadrons"), arena.state.squadrons.len());
    assert_eq!((count("teams"), count("knowledge")), (2, 2));
    assert!(told["ships"]["0"]["mounts"].as_array().is_some_and(|mounts| !mounts.is_empty()));
    let noise = &told["fields"]["noise"];
    let squares = noise["w"].as_u64().zip(noise["h"].as_u64()).map_or(0, |(w, h)| w * h);
    let text = noise["layers"]["surface"].as_str().map_or(0, str::len) as u64;
    assert_eq!(text, squares.div_ceil(3) * 4);
    let tracks = told["knowledge"]["blue"].as_object().expect("what blue knows");
    assert!(!tracks.is_empty());
}

#[test]
fn noise_is_told_by_layer_and_shows_wakes_there() {
    let told = |arena: &Arena| -> Value {
        let told: Value = serde_json::from_str(&draw(&arena.setup, &arena.state)).expect("JSON");
        told["fields"]["noise"]["layers"].clone()
    };
    let fresh = fought("duel_asw", 0);
    let still = told(&fresh);
    assert_eq!(still.as_object().map(Map::len), Some(1), "only the surface, which always is");
    // A frigate above and a submarine below, and nothing else that could be heard.
    let under_way = told(&fought("duel_asw", 5));
    let layers: Vec<&String> = under_way.as_object().expect("layers").keys().collect();
    assert_eq!(layers, ["submerged", "surface"]);
    assert_ne!(under_way["surface"], still["surface"]);
}

#[test]
fn harm_goes_back_to_the_order_behind_it() {
    let arena = fought("fleet_action", 240);
    let harmed =
        arena.journal.kept().filter(|event| event.kind == Kind::Damaged && event.cause != 0);
    let mut checked = 0;
    for event in harmed {
        let chain = arena.journal.explain(event.id);
        assert_eq!(chain.last().map(|last| last.id), Some(event.id));
        assert!(chain.windows(2).all(|pair| pair[1].cause == pair[0].id));
        assert_eq!(chain[0].id, event.trace, "the trace names the root");
        checked += usize::from(chain[0].kind == Kind::Order);
    }
    assert!(checked > 0, "somebody was hurt by somebody's order");
    assert_eq!(happenings(&arena.journal).len(), arena.journal.unread().count());
}

#[test]
fn no_event_of_the_senses_names_what_is_really_there() {
    let arena = fought("convoy_escort", 120);
    let senses = |kind: Kind| kind == Kind::Detected || kind == Kind::TrackLost;
    let told: Vec<_> = arena.journal.kept().filter(|event| senses(event.kind)).collect();
    assert!(!told.is_empty());
    assert!(told.iter().all(|event| event.target == crate::state::NOBODY));
}
