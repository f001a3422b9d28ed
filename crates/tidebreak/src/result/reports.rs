//! What is broken aboard, in words.

use std::collections::BTreeMap;

use super::{DamageReport, MegashipReport, Working};
use crate::condition::compartment;
use crate::setup::Setup;
use crate::state::{State, flag};

const COMPONENTS: [&str; 6] = ["propulsion", "power", "sensors", "guns", "tubes", "deck"];
const COMPARTMENTS: [&str; 8] =
    ["bow_battery", "cic", "bridge", "magazine", "hangar", "reactor", "engineering", "quarters"];
const FLAGS: [(u16, &str); 5] = [
    (flag::MOBILITY_LOST, "mobility_lost"),
    (flag::WEAPONS_LOST, "weapons_lost"),
    (flag::SENSORS_LOST, "sensors_lost"),
    (flag::ON_FIRE, "on_fire"),
    (flag::FLOODING, "flooding"),
];

fn part_names(setup: &Setup, row: usize) -> &'static [&'static str] {
    match setup.hulls[row].damage_tier {
        0 => &[],
        1 => &COMPONENTS,
        _ => &COMPARTMENTS,
    }
}

/// What is broken; nothing for a ship that came out whole.
pub(super) fn damage_report(setup: &Setup, state: &State, row: usize) -> Option<DamageReport> {
    let ships = &state.ships;
    let names = part_names(setup, row);
    let flags: Vec<String> = FLAGS
        .iter()
        .filter(|(bit, _)| ships.flags[row] & bit != 0)
        .map(|(_, name)| (*name).to_owned())
        .collect();
    let sound = ships.parts[row].iter().take(names.len()).all(|health| *health >= 1.0);
    if flags.is_empty() && sound && ships.hp[row] >= setup.hulls[row].hp {
        return None;
    }
    let parts = names.iter().zip(ships.parts[row]);
    Some(DamageReport {
        parts: parts.map(|(name, health)| ((*name).to_owned(), health)).collect(),
        flags,
    })
}

fn working(health: f32) -> Working {
    match health {
        h if h <= 0.0 => Working::Destroyed,
        h if h < 1.0 => Working::Damaged,
        _ => Working::Operational,
    }
}

/// The state of a ship too large to sink.
pub(super) fn megaship_report(setup: &Setup, state: &State, row: usize) -> MegashipReport {
    let (ships, given) = (&state.ships, &setup.package.ships[row]);
    let parts = ships.parts[row];
    let district_damage: BTreeMap<String, f32> = COMPARTMENTS
        .iter()
        .zip(parts)
        .map(|(name, health)| ((*name).to_owned(), 1.0 - health))
        .collect();
    let hurt = |people: [u32; 4]| people[1] + people[2];
    MegashipReport {
        ship_id: given.ship_id.clone(),
        propulsion: working(parts[compartment::ENGINEERING]),
        cic: working(parts[compartment::CIC]),
        primary_weapons: working(parts[compartment::BOW_BATTERY]),
        power: working(parts[compartment::REACTOR]),
        district_damage,
        casualty_estimate: hurt(ships.crew[row])
            + hurt(ships.marines[row])
            + hurt(ships.passengers[row]),
        evacuated: 0,
        morale_shock: (given.crew.morale as f32 - ships.morale[row]).max(0.0),
    }
}
