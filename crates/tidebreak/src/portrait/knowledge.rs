//! What each team knows: of everything any of its ships follows, the best track.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::sensing::tracks;
use crate::setup::Setup;
use crate::state::State;

use super::{layer_name, tenths};

const SIZES: [&str; 6] = ["ordnance", "craft", "S", "M", "L", "XL"];
const IFF: [&str; 5] = ["authenticated", "assumed", "unknown", "suspect", "hostile"];

pub(super) fn by_team(setup: &Setup, state: &State) -> Value {
    let teams = setup.package.teams.iter().enumerate();
    let told = teams.map(|(row, team)| (team.team_id.clone(), of_team(state, row)));
    Value::Object(told.collect())
}

/// Tracks are keyed by the ship that has the best one and the number it gave it: the picture is as
/// anonymous as the team's own.
fn of_team(state: &State, team: usize) -> Value {
    let (ships, known) = (&state.ships, &state.beliefs.tracks);
    let mut best: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for ship in 0..ships.len() {
        if usize::from(ships.holder[ship]) != team || !ships.fights(ship) {
            continue;
        }
        for row in tracks::rows(&state.beliefs, ship) {
            let worth = |row: usize| (known.quality[row], u16::MAX - known.age[row]);
            let entry = best.entry(known.entity[row]).or_insert((ship, row));
            if worth(row) > worth(entry.1) {
                *entry = (ship, row);
            }
        }
    }
    let mut told = Map::new();
    for (ship, row) in best.into_values() {
        told.insert(format!("{ship}-{}", known.number[row]), one(state, row));
    }
    Value::Object(told)
}

fn one(state: &State, row: usize) -> Value {
    let known = &state.beliefs.tracks;
    let mut told = json!({
        "x": tenths(known.x[row]),
        "y": tenths(known.y[row]),
        "vx": tenths(known.vx[row]),
        "vy": tenths(known.vy[row]),
        "sigma": tenths(known.sigma[row]),
        "quality": known.quality[row],
        "age": known.age[row],
        "size": SIZES[usize::from(known.size[row].min(5))],
        "iff": IFF[usize::from(known.iff[row].min(4))],
    });
    if known.layer[row] < 3 {
        told["layer"] = layer_name(known.layer[row]).into();
    }
    told
}
