//! What one field cannot show: names that must be known, ids that must be unique, ships that must
//! float.

use std::collections::{BTreeMap, BTreeSet};

use super::reading::{Node, Path, Reading};
use super::ships::{LAYERS, Objective, SENSES, ShipSnapshot};
use super::{BattlePackage, ObstacleKind, PackageError};
use crate::tables::{Hull, Tables};

/// Figures of hulls are kept in 32 bits, so that one which equals what it replaces may lie above it.
const SLACK: f64 = 1.0 + 1e-6;

/// Refuses a package whose parts do not fit together.
pub(super) fn validate(package: &BattlePackage, tables: &Tables) -> Reading<()> {
    let root = Path::Root;
    check_table_hashes(package, tables, &Path::Field(&root, "table_hashes"))?;
    check_teams(package, tables, &Path::Field(&root, "teams"))?;
    check_ships(package, tables, &Path::Field(&root, "ships"))?;
    check_objectives(package, &Path::Field(&root, "ships"))?;
    check_decisions(package, &Path::Field(&root, "decided_by"))
}

/// The refusal of a name that is not among the known.
fn unknown(path: Path<'_>, what: &str, name: &str, known: &[&str]) -> PackageError {
    let value = serde_json::Value::Null;
    Node { value: &value, path }.unknown(what, name, known)
}

fn check_table_hashes(package: &BattlePackage, tables: &Tables, path: &Path<'_>) -> Reading<()> {
    let known: Vec<&str> = tables.hashes.keys().map(String::as_str).collect();
    for (name, hash) in &package.table_hashes {
        let at = Path::Field(path, name);
        let Some(ours) = tables.hashes.get(name) else {
            return Err(unknown(at, "table", name, &known));
        };
        let ours = format!("{ours:016x}");
        if *hash != ours {
            return Err(at.refuse(
                format!("{hash} is another table's hash than this build's {ours}"),
                "build the package again with this build's tables, or leave the hash out",
            ));
        }
    }
    Ok(())
}

fn check_teams(package: &BattlePackage, tables: &Tables, path: &Path<'_>) -> Reading<()> {
    let doctrines: Vec<&str> = tables.doctrines.keys().map(String::as_str).collect();
    let mut seen = BTreeMap::new();
    for (row, team) in package.teams.iter().enumerate() {
        let at = Path::Item(path, row);
        unique(&mut seen, &team.team_id, row, "teams", &Path::Field(&at, "team_id"))?;
        if let Some(doctrine) = &team.doctrine
            && !tables.doctrines.contains_key(doctrine)
        {
            let at = Path::Field(&at, "doctrine");
            return Err(unknown(at, "doctrine", doctrine, &doctrines));
        }
    }
    Ok(())
}

fn unique<'n>(
    seen: &mut BTreeMap<&'n str, usize>,
    name: &'n str,
    row: usize,
    list: &str,
    at: &Path<'_>,
) -> Reading<()> {
    seen.insert(name, row).map_or(Ok(()), |before| {
        Err(at.refuse(
            format!("\"{name}\" is also the id of {list}[{before}]"),
            "give each an id of its own",
        ))
    })
}

fn check_ships(package: &BattlePackage, tables: &Tables, path: &Path<'_>) -> Reading<()> {
    let teams: Vec<&str> = package.teams.iter().map(|team| team.team_id.as_str()).collect();
    let hulls: Vec<&str> = tables.hulls.iter().map(|hull| hull.name.as_str()).collect();
    let (mut ships, mut squadrons) = (BTreeMap::new(), BTreeMap::new());
    for (row, ship) in package.ships.iter().enumerate() {
        let at = Path::Item(path, row);
        unique(&mut ships, &ship.ship_id, row, "ships", &Path::Field(&at, "ship_id"))?;
        if !teams.contains(&ship.team_id.as_str()) {
            return Err(unknown(Path::Field(&at, "team_id"), "team", &ship.team_id, &teams));
        }
        let Some(hull) = ship.hull(tables) else {
            let at = Path::Field(&at, "hull_class");
            return Err(unknown(at, "hull class", &ship.hull_class, &hulls));
        };
        check_layers(ship, &hull, &at)?;
        check_outfit(ship, &hull, tables, &at)?;
        let list = Path::Field(&at, "squadrons");
        for (number, squadron) in ship.squadrons.iter().enumerate() {
            let item = Path::Item(&list, number);
            let id = Path::Field(&item, "squadron_id");
            unique(&mut squadrons, &squadron.squadron_id, row, "a squadron of ships", &id)?;
        }
        check_place(package, ship, &hull, tables, &at)?;
    }
    Ok(())
}

fn check_layers(ship: &ShipSnapshot, hull: &Hull, at: &Path<'_>) -> Reading<()> {
    let list = Path::Field(at, "capabilities");
    let fields = ["can_surface", "can_submerge", "can_abyssal"];
    for (layer, allowed) in ship.capabilities.by_layer().into_iter().enumerate() {
        if allowed && !hull.enters(layer) {
            return Err(Path::Field(&list, fields[layer]).refuse(
                format!("a {} cannot go {}", hull.name, LAYERS[layer]),
                "give false, or a speed for that layer in hull_overrides",
            ));
        }
    }
    let state = Path::Field(at, "initial_state");
    let layer = ship.initial_state.layer_number();
    if !ship.capabilities.by_layer()[layer] {
        return Err(Path::Field(&state, "layer").refuse(
            format!("this {} cannot be {}", hull.name, LAYERS[layer]),
            "start it in a layer that its capabilities allow",
        ));
    }
    let top = f64::from(hull.speed_max[layer]);
    let speed = ship.initial_state.speed;
    if !(-0.3 * top * SLACK..=top * SLACK).contains(&speed) {
        return Err(Path::Field(&state, "speed").refuse(
            format!("{speed} m/s is more than this {} makes", hull.name),
            format!("give a speed from {} to {top}", -0.3 * top),
        ));
    }
    if ship.initial_state.hp > f64::from(hull.hp) * SLACK {
        return Err(Path::Field(&state, "hp").refuse(
            format!("{} is more than the {} of this {}", ship.initial_state.hp, hull.hp, hull.name),
            "give at most that, or raise hp in hull_overrides",
        ));
    }
    Ok(())
}

fn check_outfit(ship: &ShipSnapshot, hull: &Hull, tables: &Tables, at: &Path<'_>) -> Reading<()> {
    let ranges = &tables.sensors.hulls[usize::from(hull.id)];
    let reach = [ranges.radar_m, ranges.sonar_m, ranges.visual_m, ranges.esm_m];
    let list = Path::Field(at, "sensors");
    let mut senses = BTreeSet::new();
    for (number, sensor) in ship.sensors.iter().enumerate() {
        let item = Path::Item(&list, number);
        if !senses.insert(sensor) {
            return Err(item.refuse(format!("\"{sensor}\" is listed twice"), "list it once"));
        }
        let sense = SENSES.iter().position(|sense| sense == sensor);
        if sense.is_none_or(|sense| reach[sense] <= 0.0) {
            return Err(item.refuse(
                format!("a {} has no {sensor}", hull.name),
                "leave it out, or choose another class",
            ));
        }
    }
    check_mounts(ship, tables, at)?;
    if ship.fuel_t > f64::from(hull.fuel_t) * SLACK {
        return Err(Path::Field(at, "fuel_t").refuse(
            format!("{} t is more than the {} t a {} holds", ship.fuel_t, hull.fuel_t, hull.name),
            "give at most that, or raise fuel_t in hull_overrides",
        ));
    }
    if !ship.squadrons.is_empty() && tables.mounts[usize::from(hull.id)].squadrons == 0 {
        return Err(Path::Field(at, "squadrons").refuse(
            format!("a {} has no deck for craft", hull.name),
            "leave the list empty, or choose a carrier",
        ));
    }
    Ok(())
}

fn check_mounts(ship: &ShipSnapshot, tables: &Tables, at: &Path<'_>) -> Reading<()> {
    let weapons: Vec<&str> =
        tables.weapons.weapons.iter().map(|weapon| weapon.name.as_str()).collect();
    let list = Path::Field(at, "weapons");
    let mut slots = BTreeSet::new();
    for (number, mount) in ship.weapons.iter().enumerate() {
        let item = Path::Item(&list, number);
        if !slots.insert(mount.slot) {
            return Err(Path::Field(&item, "slot").refuse(
                format!("slot {} is taken by a mount before it", mount.slot),
                "give each mount a slot of its own",
            ));
        }
        if !weapons.contains(&mount.weapon.as_str()) {
            let at = Path::Field(&item, "weapon");
            return Err(unknown(at, "weapon", &mount.weapon, &weapons));
        }
    }
    Ok(())
}

fn check_place(
    package: &BattlePackage,
    ship: &ShipSnapshot,
    hull: &Hull,
    tables: &Tables,
    at: &Path<'_>,
) -> Reading<()> {
    let state = Path::Field(at, "initial_state");
    let (x, y) = (ship.initial_state.x, ship.initial_state.y);
    let map = &package.map;
    let columns = map.bounds.min_x..=map.bounds.max_x;
    if !map.bounds.holds(x, y) {
        let axis = if columns.contains(&x) { "y" } else { "x" };
        return Err(Path::Field(&state, axis).refuse(
            format!("({x}, {y}) lies outside the map"),
            "place the ship within map.bounds",
        ));
    }
    let on_land = |shape: &super::Shape| shape.holds(x, y);
    let land = map
        .obstacles
        .iter()
        .find(|obstacle| obstacle.kind == ObstacleKind::Solid && on_land(&obstacle.shape));
    if land.is_some() {
        return Err(state.refuse(format!("({x}, {y}) is on land"), "place the ship in the water"));
    }
    let layer = ship.initial_state.layer_number();
    let (depth, needed) = (map.depth.at(&map.bounds, x, y), tables.layers.depth_min_m[layer]);
    if depth < f64::from(needed) {
        return Err(state.refuse(
            format!("the water at ({x}, {y}) is {depth} m deep"),
            format!("a {} needs {needed} m to be {}", hull.name, LAYERS[layer]),
        ));
    }
    Ok(())
}

fn check_objectives(package: &BattlePackage, path: &Path<'_>) -> Reading<()> {
    let ships: BTreeSet<&str> = package.ships.iter().map(|ship| ship.ship_id.as_str()).collect();
    for (row, ship) in package.ships.iter().enumerate() {
        let Some(objective) = &ship.objective else { continue };
        let item = Path::Item(path, row);
        let at = Path::Field(&item, "objective");
        for (field, named) in [("target", &objective.target), ("asset", &objective.asset)] {
            if let Some(name) = named
                && !ships.contains(name.as_str())
            {
                return Err(no_such_ship(Path::Field(&at, field), name));
            }
        }
        check_group(&ships, &at, ("target", &objective.target), ("targets", &objective.targets))?;
        check_group(&ships, &at, ("asset", &objective.asset), ("assets", &objective.assets))?;
        check_count(objective, &at)?;
        let against = objective.target.is_some() || !objective.targets.is_empty();
        let (field, there) = match objective.kind.as_str() {
            "PROTECT" => ("asset", objective.asset.is_some() || !objective.assets.is_empty()),
            "RAID" => ("target", against || objective.zone.is_some()),
            "EVADE" | "DELIVER" => ("destination", objective.destination.is_some()),
            _ => ("target", true),
        };
        if !there {
            return Err(Path::Field(&at, field)
                .refuse("is missing", format!("{} needs one", objective.kind)));
        }
    }
    Ok(())
}

/// A group names ships of the package, each once, and stands in the place of the single ship.
fn check_group(
    ships: &BTreeSet<&str>,
    at: &Path<'_>,
    (single, one): (&'static str, &Option<String>),
    (field, names): (&'static str, &[String]),
) -> Reading<()> {
    let list = Path::Field(at, field);
    if one.is_some() && !names.is_empty() {
        return Err(list.refuse(
            format!("{single} is given too"),
            format!("give {single} for one ship or {field} for a group"),
        ));
    }
    let mut seen = BTreeSet::new();
    for (number, name) in names.iter().enumerate() {
        if !ships.contains(name.as_str()) {
            return Err(no_such_ship(Path::Item(&list, number), name));
        }
        if !seen.insert(name) {
            let item = Path::Item(&list, number);
            return Err(item.refuse(format!("\"{name}\" is listed twice"), "list it once"));
        }
    }
    Ok(())
}

/// `at_least` counts ships of the group that the objective's type is about.
fn check_count(objective: &Objective, at: &Path<'_>) -> Reading<()> {
    let Some(count) = objective.at_least else { return Ok(()) };
    let group = match objective.kind.as_str() {
        "PROTECT" => &objective.assets,
        "DESTROY" | "RAID" => &objective.targets,
        _ => {
            return Err(Path::Field(at, "at_least")
                .refuse(format!("{} is about one ship", objective.kind), "leave it out"));
        }
    };
    if (1..=group.len()).contains(&(count as usize)) {
        return Ok(());
    }
    Err(Path::Field(at, "at_least").refuse(
        format!("{count} of a group of {}", group.len()),
        "give 1 up to the number of ships in targets (DESTROY, RAID) or assets (PROTECT)",
    ))
}

fn no_such_ship(path: Path<'_>, name: &str) -> PackageError {
    path.refuse(format!("no ship is called \"{name}\""), "name a ship_id of this package")
}

fn check_decisions(package: &BattlePackage, path: &Path<'_>) -> Reading<()> {
    let teams: Vec<&str> = package.teams.iter().map(|team| team.team_id.as_str()).collect();
    let ships: BTreeSet<&str> = package.ships.iter().map(|ship| ship.ship_id.as_str()).collect();
    for (row, rule) in package.decided_by.iter().enumerate() {
        let item = Path::Item(path, row);
        if !teams.contains(&rule.winner.as_str()) {
            return Err(unknown(Path::Field(&item, "winner"), "team", &rule.winner, &teams));
        }
        let list = Path::Field(&item, "ships");
        for (number, name) in rule.ships.iter().enumerate() {
            if !ships.contains(name.as_str()) {
                return Err(no_such_ship(Path::Item(&list, number), name));
            }
        }
        if rule.at_least > rule.at_most {
            return Err(Path::Field(&item, "at_most").refuse(
                format!("{} is less than at_least {}", rule.at_most, rule.at_least),
                "give at least as many",
            ));
        }
    }
    Ok(())
}
