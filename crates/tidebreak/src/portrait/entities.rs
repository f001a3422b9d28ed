//! Everything that floats, flies or lies on the bottom.

use serde_json::{Map, Value, json};

use crate::engagement;
use crate::orders::Order;
use crate::package::MISSIONS;
use crate::setup::Setup;
use crate::state::{State, TRACKS, flag};
use crate::tables::WeaponGroup;

use super::{layer_name, team_name, tenths, thousandths};

const FATES: [&str; 7] =
    ["operational", "disabled", "destroyed", "scuttled", "surrendered", "captured", "exited"];
const SIZES: [&str; 4] = ["S", "M", "L", "XL"];
const EMISSIONS: [&str; 3] = ["silent", "passive", "active"];
const STAGES: [&str; 6] = ["aboard", "launching", "flying", "returning", "recovering", "gone"];
const COMPONENTS: [&str; 6] = ["propulsion", "power", "sensors", "guns", "tubes", "deck"];
const COMPARTMENTS: [&str; 8] =
    ["bow_battery", "cic", "bridge", "magazine", "hangar", "reactor", "engineering", "quarters"];
const FLAGS: [(u16, &str); 9] = [
    (flag::MOBILITY_LOST, "mobility_lost"),
    (flag::WEAPONS_LOST, "weapons_lost"),
    (flag::SENSORS_LOST, "sensors_lost"),
    (flag::ON_FIRE, "on_fire"),
    (flag::FLOODING, "flooding"),
    (flag::SURRENDERED, "surrendered"),
    (flag::DESTROYED, "destroyed"),
    (flag::FLAGSHIP, "flagship"),
    (flag::PINGING, "pinging"),
];

/// An object of `told`, keyed by id.
fn keyed(told: impl Iterator<Item = (u32, Value)>) -> Value {
    Value::Object(told.map(|(id, one)| (id.to_string(), one)).collect())
}

pub(super) fn ships(setup: &Setup, state: &State) -> Value {
    keyed((0..state.ships.len()).map(|ship| (ship as u32, one_ship(setup, state, ship))))
}

fn one_ship(setup: &Setup, state: &State, ship: usize) -> Value {
    let (ships, hull) = (&state.ships, &setup.hulls[ship]);
    let share = |part: f32, whole: f32| thousandths(if whole > 0.0 { part / whole } else { 0.0 });
    let flags: Vec<&str> = FLAGS
        .iter()
        .filter(|(bit, _)| ships.flags[ship] & bit != 0)
        .map(|(_, name)| *name)
        .collect();
    let mut told = json!({
        "name": setup.package.ships[ship].ship_id,
        "team": team_name(setup, ships.holder[ship]),
        "hull": hull.name,
        "size": SIZES[hull.size as usize],
        "r": hull.radius_m,
        "x": tenths(ships.x[ship]),
        "y": tenths(ships.y[ship]),
        "heading": thousandths(ships.heading[ship]),
        "speed": tenths(ships.surge[ship]),
        "layer": layer_name(ships.layer[ship]),
        "hp": share(ships.hp[ship], hull.hp),
        "morale": thousandths(ships.morale[ship]),
        "fuel": share(ships.fuel[ship] as f32, hull.fuel_t),
        "crew": ships.crew[ship][0],
        "flags": flags,
        "emission": EMISSIONS[usize::from(ships.emission[ship].min(2))],
        "level_db": tenths(ships.level_db[ship]),
        "decoys": ships.decoys[ship],
        "mounts": mounts(setup, state, ship),
        "parts": parts(hull.damage_tier, &ships.parts[ship]),
    });
    if ships.in_transition(ship) {
        told["layer_next"] = layer_name(ships.layer_next[ship]).into();
        let length = ships.transition_length[ship];
        told["transition"] = share(ships.transition_spent[ship], length).into();
    }
    if ships.fate[ship] != 0 {
        told["fate"] = FATES[usize::from(ships.fate[ship].min(6))].into();
    } else if let Some(words) = order_in_words(state.orders[ship]) {
        told["order"] = words.into();
    }
    let aimed = usize::from(ships.target_slot[ship]);
    if aimed < usize::from(state.beliefs.used[ship]) {
        told["target"] = state.beliefs.tracks.entity[ship * TRACKS + aimed].into();
    }
    told
}

fn mounts(setup: &Setup, state: &State, ship: usize) -> Vec<Value> {
    let ready = engagement::ready_kinds(setup, state, ship);
    let first = state.ships.mount_first[ship] as usize;
    let mounts = &state.mounts;
    (first..first + state.ships.mount_count[ship] as usize)
        .map(|mount| {
            let kind = mounts.weapon[mount];
            let weapon = setup.tables.weapon(kind);
            let cool = mounts.cooldown[mount] <= 0.0 && mounts.rounds[mount] > 0;
            json!({
                "weapon": weapon.name,
                "group": group_name(weapon.group),
                "range": weapon.range_m,
                "rounds": mounts.rounds[mount],
                "ready": u8::from(cool && ready & (1 << kind) != 0),
            })
        })
        .collect()
}

fn group_name(group: WeaponGroup) -> &'static str {
    ["gun", "torpedo", "missile", "special", "auto"][group as usize]
}

fn parts(tier: u8, health: &[f32]) -> Value {
    let names: &[&str] = match tier {
        0 => &[],
        1 => &COMPONENTS,
        _ => &COMPARTMENTS,
    };
    let told = names.iter().zip(health);
    Value::Object(
        told.map(|(name, &part)| ((*name).to_owned(), thousandths(part).into())).collect(),
    )
}

/// What a ship was told to do beyond its helm.
fn order_in_words(order: Order) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    let groups = ["guns", "torpedoes", "missiles", "special weapons"];
    let firing: Vec<&str> =
        (0..4).filter(|group| order.fire >> group & 1 != 0).map(|group| groups[group]).collect();
    if !firing.is_empty() {
        words.push(format!("fire {}", firing.join(", ")));
    }
    let layer = ["", "rise", "dive", "turn back"][usize::from(order.layer() & 3)];
    let utility = ["", "drop a decoy", "ping", "jam", "board", "scuttle"];
    let utility = utility.get(usize::from(order.utility)).copied().unwrap_or_default();
    words.extend([layer, utility].iter().filter(|word| !word.is_empty()).map(|&word| word.into()));
    (!words.is_empty()).then(|| words.join("; "))
}

pub(super) fn rounds(setup: &Setup, state: &State) -> Value {
    let rounds = &state.rounds;
    keyed((0..rounds.len()).map(|row| {
        let weapon = setup.tables.weapon(rounds.weapon[row]);
        let mut told = json!({
            "weapon": weapon.name,
            "team": team_name(setup, rounds.team[row]),
            "x": tenths(rounds.x[row]),
            "y": tenths(rounds.y[row]),
            "vx": tenths(rounds.vx[row]),
            "vy": tenths(rounds.vy[row]),
            "layer": layer_name(rounds.layer[row]),
        });
        if weapon.seeker_range_m > 0.0 {
            told["seeker"] =
                json!([tenths(weapon.seeker_range_m), thousandths(weapon.seeker_half_angle)]);
        }
        (rounds.id[row], told)
    }))
}

pub(super) fn decoys(setup: &Setup, state: &State) -> Value {
    let decoys = &state.decoys;
    keyed((0..decoys.len()).map(|row| {
        let place = (decoys.x[row], decoys.y[row]);
        (decoys.id[row], lying(setup, decoys.team[row], place, decoys.layer[row]))
    }))
}

pub(super) fn mines(setup: &Setup, state: &State) -> Value {
    let mines = &state.mines;
    keyed((0..mines.len()).map(|row| {
        let mut told =
            lying(setup, mines.team[row], (mines.x[row], mines.y[row]), mines.layer[row]);
        told["armed"] = (mines.arming[row] <= 0.0).into();
        (mines.id[row], told)
    }))
}

fn lying(setup: &Setup, team: u8, (x, y): (f32, f32), layer: u8) -> Value {
    json!({
        "team": team_name(setup, team),
        "x": tenths(x),
        "y": tenths(y),
        "layer": layer_name(layer),
    })
}

pub(super) fn squadrons(setup: &Setup, state: &State) -> Value {
    let squadrons = &state.squadrons;
    keyed((0..squadrons.len()).map(|row| {
        let told = json!({
            "team": team_name(setup, squadrons.team[row]),
            "x": tenths(squadrons.x[row]),
            "y": tenths(squadrons.y[row]),
            "craft": squadrons.craft[row],
            "mission": MISSIONS[usize::from(squadrons.mission[row].min(3))],
            "stage": STAGES[usize::from(squadrons.stage[row].min(5))],
        });
        (squadrons.id[row], told)
    }))
}

pub(super) fn storms(state: &State) -> Value {
    let storms = &state.storms;
    let told = (0..storms.len()).map(|row| {
        let told = json!({
            "x": tenths(storms.x[row]),
            "y": tenths(storms.y[row]),
            "r": tenths(storms.radius[row]),
            "intensity": thousandths(storms.intensity[row]),
        });
        (row.to_string(), told)
    });
    Value::Object(told.collect::<Map<_, _>>())
}
