//! Who takes part: what a scenario file settles before any seed is known.

use super::file::{Group, ObjectiveLine, ScenarioFile, Side};
use crate::package::{Decision, LAYERS, MET_BY, OBJECTIVES, Objective, ShipSnapshot};
use crate::tables::Tables;

/// Every ship of the file with its group's number, in the order of (team, id).
pub(super) fn enlist(
    file: &ScenarioFile,
    tables: &Tables,
) -> Result<Vec<(usize, ShipSnapshot)>, String> {
    let mut ships = Vec::new();
    let mut teams: Vec<&str> = file.team.iter().map(|team| team.id.as_str()).collect();
    teams.sort_unstable();
    if let Some(group) = file.group.iter().find(|group| !teams.contains(&group.team.as_str())) {
        return Err(format!("no team is called \"{}\"", group.team));
    }
    for team in teams {
        let groups = || file.group.iter().enumerate().filter(|(_, group)| group.team == team);
        let total: u32 = groups().map(|(_, group)| group.count).sum();
        // Ids of one length sort as their numbers do.
        let digits = if total > 10 { 2 } else { 1 };
        let mut number = 0;
        for (place, group) in groups() {
            for within in 0..group.count {
                let id = format!("{team}_{number:0digits$}");
                ships.push((place, enlisted(group, &id, within, tables)?));
                number += 1;
            }
        }
    }
    let objectives: Vec<_> = (file.group.iter())
        .map(|group| group.objective.as_ref().map(|line| objective(line, file, &ships)).transpose())
        .collect::<Result<_, _>>()?;
    for (place, ship) in &mut ships {
        ship.objective.clone_from(&objectives[*place]);
    }
    Ok(ships)
}

fn enlisted(group: &Group, id: &str, within: u32, tables: &Tables) -> Result<ShipSnapshot, String> {
    let hull = tables
        .hull_named(&group.hull)
        .ok_or_else(|| format!("no hull class is called \"{}\"", group.hull))?;
    let layer = LAYERS.iter().position(|layer| *layer == group.layer);
    let layer = layer.ok_or_else(|| format!("no layer is called \"{}\"", group.layer))?;
    let mut ship = ShipSnapshot::of_class(hull, id, &group.team, tables);
    ship.initial_state.layer.clone_from(&group.layer);
    ship.initial_state.speed = group.speed_share * f64::from(hull.speed_max[layer]);
    ship.is_flagship = group.flagship && within == 0;
    ship.cargo.clone_from(&group.cargo);
    Ok(ship)
}

fn objective(
    line: &ObjectiveLine,
    file: &ScenarioFile,
    ships: &[(usize, ShipSnapshot)],
) -> Result<Objective, String> {
    if !OBJECTIVES.contains(&line.kind.as_str()) {
        return Err(format!("no objective is called \"{}\"", line.kind));
    }
    if let Some(way) = line.met_by.iter().find(|way| !MET_BY.contains(&way.as_str())) {
        return Err(format!("met_by: \"{way}\" is none of {}", MET_BY.join(", ")));
    }
    Ok(Objective {
        kind: line.kind.clone(),
        target: None,
        asset: None,
        targets: ids_of(&line.targets, file, ships)?,
        assets: ids_of(&line.assets, file, ships)?,
        at_least: line.at_least,
        met_by: line.met_by.clone(),
        zone: None,
        destination: line.destination,
        priority: 1.0,
        deadline_s: None,
    })
}

/// The ids of all ships of these groups.
fn ids_of(
    groups: &[String],
    file: &ScenarioFile,
    ships: &[(usize, ShipSnapshot)],
) -> Result<Vec<String>, String> {
    let mut ids = Vec::new();
    for name in groups {
        let place = file.group.iter().position(|group| group.name == *name);
        let place = place.ok_or_else(|| format!("no group is called \"{name}\""))?;
        let members = ships.iter().filter(|(number, _)| *number == place);
        ids.extend(members.map(|(_, ship)| ship.ship_id.clone()));
    }
    Ok(ids)
}

/// The rules that settle the battle, with groups replaced by their ships.
pub(super) fn decisions(
    file: &ScenarioFile,
    ships: &[(usize, ShipSnapshot)],
) -> Result<Vec<Decision>, String> {
    let mut rules = Vec::new();
    for line in &file.decided_by {
        let meant = ids_of(&line.groups, file, ships)?;
        rules.push(Decision {
            winner: line.winner.clone(),
            when: line.when,
            at_least: line.at_least.unwrap_or(0),
            at_most: line.at_most.unwrap_or(meant.len() as u32),
            at_end: line.at_end,
            ships: meant,
        });
    }
    Ok(rules)
}

/// Makes sure that no draw can put a ship outside the map or into water too shallow for it.
pub(super) fn check_room(
    file: &ScenarioFile,
    ships: &[(usize, ShipSnapshot)],
) -> Result<(), String> {
    let [half_x, half_y] = file.size_m.map(|side| side / 2.0);
    let [centre_x, centre_y] = file.centre_m.map(f64::abs);
    let turns = file.bearing_deg[0] != file.bearing_deg[1];
    if file.shelf.is_some() && (turns || file.bearing_deg[0] % 180.0 != 0.0) {
        return Err("a shelf needs an axis along it: bearing_deg of 0 or 180".to_owned());
    }
    for (place, ship) in ships {
        let group = &file.group[*place];
        let [near, far] = file.distance_m.map(|distance| group.ahead_m - distance / 2.0);
        let ahead = near.abs().max(far.abs()) + group.jitter_m;
        let width = group.spacing_m * f64::from(group.count - 1) / 2.0;
        let aside = group.aside_m.abs() + width + group.jitter_m;
        let reach = libm::hypot(ahead, aside);
        if reach > (half_x - centre_x).min(half_y - centre_y) && !fits_along(file, ahead, aside) {
            return Err(format!(
                "{} can start {reach:.0} m from centre_m, outside the map",
                ship.ship_id
            ));
        }
        let open_y = file.shelf.as_ref().map_or(half_y, |shelf| half_y - shelf.width_m);
        let toward_shore = match file.shelf.as_ref().map(|shelf| shelf.side) {
            Some(Side::North) => file.centre_m[1] + aside,
            Some(Side::South) => aside - file.centre_m[1],
            None => 0.0,
        };
        if toward_shore > open_y {
            return Err(format!("{} can start on the shelf", ship.ship_id));
        }
    }
    Ok(())
}

/// With an axis along x, ships fill a rectangle rather than a circle.
fn fits_along(file: &ScenarioFile, ahead: f64, aside: f64) -> bool {
    let [half_x, half_y] = file.size_m.map(|side| side / 2.0);
    let [centre_x, centre_y] = file.centre_m.map(f64::abs);
    file.bearing_deg == [0.0, 0.0] && centre_x + ahead <= half_x && centre_y + aside <= half_y
}
