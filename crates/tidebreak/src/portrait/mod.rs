//! A battle in words and numbers, for drawing: everything that is there, and what each team knows.
//!
//! Entries are keyed by id and what is absent is left out, so a frame can be told by what changed in
//! it; numbers are rounded, so what nobody could see does not change.

mod entities;
mod knowledge;
mod noise;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use crate::journal::{self, Journal};
use crate::package::{Shape, ZoneKind};
use crate::resolvers::termination::ended_by;
use crate::setup::Setup;
use crate::state::State;

/// The whole battle as JSON.
#[must_use]
pub fn draw(setup: &Setup, state: &State) -> String {
    let sky = &state.sky;
    let mut told = json!({
        "map": map(setup),
        "tick": state.tick,
        "time_limit": setup.time_limit,
        "sky": {
            "sea_state": tenths(sky.sea_state),
            "visibility_km": tenths(sky.visibility_km),
            "rain": sky.rain,
            "wind": [tenths(sky.wind[0]), tenths(sky.wind[1])],
            "daylight": setup.package.map.daylight,
        },
        "storms": entities::storms(state),
        "teams": teams(setup, state),
        "ships": entities::ships(setup, state),
        "rounds": entities::rounds(setup, state),
        "decoys": entities::decoys(setup, state),
        "mines": entities::mines(setup, state),
        "squadrons": entities::squadrons(setup, state),
        "knowledge": knowledge::by_team(setup, state),
    });
    if let Some(noise) = noise::charts(setup, state) {
        told["fields"] = json!({ "noise": noise });
    }
    if state.outcome.ended_by != 0 {
        told["outcome"] = outcome(setup, state);
    }
    told.to_string()
}

/// What happened since the journal was last drained.
#[must_use]
pub fn happenings(journal: &Journal) -> Vec<Value> {
    journal::words(journal.unread())
}

fn map(setup: &Setup) -> Value {
    let map = &setup.package.map;
    let obstacles: Vec<Value> =
        map.obstacles.iter().map(|obstacle| shape(&obstacle.shape)).collect();
    let zones: Vec<Value> = map
        .zones
        .iter()
        .map(|zone| {
            let mut told = shape(&zone.shape);
            told["kind"] = zone_name(zone.kind).into();
            told["intensity"] = zone.intensity.into();
            told
        })
        .collect();
    json!({
        "min_x": map.bounds.min_x,
        "min_y": map.bounds.min_y,
        "max_x": map.bounds.max_x,
        "max_y": map.bounds.max_y,
        "obstacles": obstacles,
        "zones": zones,
    })
}

fn zone_name(kind: ZoneKind) -> &'static str {
    match kind {
        ZoneKind::Interference => "interference",
        ZoneKind::Hazard => "hazard",
        ZoneKind::Current => "current",
        ZoneKind::Speed => "speed",
    }
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Circle { x, y, radius_m } => {
            json!({ "shape": "circle", "x": x, "y": y, "r": radius_m })
        }
        Shape::Polygon { points } => json!({ "shape": "polygon", "points": points }),
    }
}

fn teams(setup: &Setup, state: &State) -> Value {
    let mut told = Map::new();
    for (row, team) in setup.package.teams.iter().enumerate() {
        let [start, left] = state.team_value[row];
        let ships = &state.ships;
        let ships_left = (0..ships.len())
            .filter(|&ship| usize::from(ships.holder[ship]) == row && ships.fights(ship))
            .count();
        told.insert(
            team.team_id.clone(),
            json!({
                "value": thousandths(left as f32),
                "value_start": thousandths(start as f32),
                "ships_left": ships_left,
            }),
        );
    }
    Value::Object(told)
}

fn outcome(setup: &Setup, state: &State) -> Value {
    let how = ended_by::NAMES[usize::from(state.outcome.ended_by.min(3))];
    match setup.package.teams.get(usize::from(state.outcome.winner)) {
        Some(team) => json!({ "winner": team.team_id, "ended_by": how }),
        None => json!({ "ended_by": how }),
    }
}

fn team_name(setup: &Setup, team: u8) -> &str {
    &setup.package.teams[usize::from(team)].team_id
}

/// What a layer is called; 3 is the air.
fn layer_name(layer: u8) -> &'static str {
    ["surface", "submerged", "abyssal", "air"][usize::from(layer.min(3))]
}

/// Rounded to a tenth: places and speeds.
fn tenths(value: f32) -> f64 {
    (f64::from(value) * 10.0).round() / 10.0
}

/// Rounded to a thousandth: angles and shares.
fn thousandths(value: f32) -> f64 {
    (f64::from(value) * 1000.0).round() / 1000.0
}
