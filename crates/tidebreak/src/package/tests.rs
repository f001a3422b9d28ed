//! Whatever is wrong with a package is refused where it stands, and its lists have no order.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// A small legal package with one of everything that can be listed.
fn sample() -> Value {
    let tables = Tables::shipped();
    let ship = |hull: &str, id: &str, team: &str, x: f64| {
        let mut ship = ShipSnapshot::of_class(tables.hull_named(hull).unwrap(), id, team, tables);
        ship.initial_state.x = x;
        ship
    };
    let mut submarine = ship("attack_sub", "shark", "red", 4_000.0);
    submarine.initial_state.layer = "submerged".to_owned();
    submarine.objective = Some(Objective {
        kind: "RAID".to_owned(),
        target: None,
        asset: None,
        targets: vec!["ark".to_owned()],
        assets: Vec::new(),
        at_least: Some(1),
        met_by: vec!["objective".to_owned(), "annihilation".to_owned()],
        zone: None,
        destination: None,
        priority: 1.0,
        deadline_s: None,
    });
    json!({
        "schema_version": "arena.v1", "schema_minor": 0, "battle_id": "sample", "seed": 7,
        "time_step_s": 0.1, "time_limit_s": 600, "fidelity": "F1", "table_hashes": {},
        "teams": [
            {"team_id": "red", "name": "Red", "doctrine": "line"},
            {"team_id": "blue", "name": "Blue"},
        ],
        "map": {
            "bounds": {"min_x": -6000, "min_y": -6000, "max_x": 6000, "max_y": 6000},
            "obstacles": [
                {"shape": {"kind": "circle", "x": 0, "y": 3000, "radius_m": 400}, "kind": "solid"},
                {"shape": {"kind": "polygon", "points": [[0, -3000], [500, -3000], [0, -2500]]},
                 "kind": "soft", "intensity": 0.5},
            ],
            "zones": [
                {"shape": {"kind": "circle", "x": 0, "y": 0, "radius_m": 900}, "kind": "current",
                 "intensity": 1.5, "heading": 1.0},
                {"shape": {"kind": "circle", "x": 9, "y": 0, "radius_m": 900}, "kind": "hazard",
                 "intensity": 0.5},
            ],
            "currents": {"kind": "uniform", "x": 0, "y": 0.5},
            "depth": {"kind": "const", "depth_m": 1000},
            "weather": {
                "initial": {"sea_state": 2, "visibility_km": 15, "precipitation": "none",
                            "wind_x": 3, "wind_y": 0, "lightning": 0},
                "zones": [], "storms": [],
            },
            "daylight": 1,
        },
        "ships": [
            submarine, ship("carrier", "ark", "blue", -3_000.0), ship("corvette", "a", "red", 3e3),
        ],
        "decided_by": [{"winner": "red", "when": "lost", "ships": ["ark"], "at_least": 1}],
        "scuttle_any_time": false,
    })
}

fn read_value(value: &Value) -> Result<BattlePackage, PackageError> {
    read(value.to_string().as_bytes(), Tables::shipped())
}

/// The refusal after `value` was put at `pointer`.
fn refusal(pointer: &str, value: Value) -> PackageError {
    let mut package = sample();
    *package.pointer_mut(pointer).unwrap() = value;
    read_value(&package).unwrap_err()
}

#[test]
fn the_order_of_lists_means_nothing() {
    let package = sample();
    let mut shuffled = package.clone();
    for list in [
        "/ships",
        "/teams",
        "/map/obstacles",
        "/map/zones",
        "/ships/0/weapons",
        "/ships/2/objective/met_by",
    ] {
        shuffled.pointer_mut(list).unwrap().as_array_mut().unwrap().reverse();
    }
    let (one, other) = (read_value(&package).unwrap(), read_value(&shuffled).unwrap());
    assert_eq!(one.hash(), other.hash());
    assert_eq!(one, other);
    let ids: Vec<&str> = one.ships.iter().map(|ship| ship.ship_id.as_str()).collect();
    assert_eq!(ids, ["ark", "a", "shark"]);
}

#[test]
fn canonical_bytes_read_back_to_themselves() {
    let package = read_value(&sample()).unwrap();
    let again = read(&package.to_json(), Tables::shipped()).unwrap();
    assert_eq!(again.to_json(), package.to_json());
}

#[test]
fn a_different_battle_has_a_different_hash() {
    let mut other = sample();
    other["ships"][0]["initial_state"]["x"] = json!(4_000.001);
    assert_ne!(read_value(&other).unwrap().hash(), read_value(&sample()).unwrap().hash());
}

#[test]
fn fields_of_later_minors_are_ignored_and_missing_optionals_default() {
    let mut later = sample();
    later["schema_minor"] = json!(99);
    later["ships"][0]["colour"] = json!("grey");
    later["ships"][0]["leadership"] = json!({"captain": "A"});
    later.as_object_mut().unwrap().remove("decided_by");
    later["ships"][0]["objective"] = json!({"type": "DESTROY"});
    let package = read_value(&later).unwrap();
    let objective = package.ships[2].objective.as_ref().unwrap();
    assert_eq!(
        (objective.met_by.as_slice(), objective.at_least),
        (&["annihilation".to_owned()][..], None)
    );
    assert!(objective.targets.is_empty() && !package.scuttle_any_time);
    assert!(package.decided_by.is_empty());
    assert_eq!(package.map.obstacles.len(), 2);
}

#[test]
fn refusals_name_the_field() {
    let refused = [
        ("/schema_version", json!("arena.v2"), "schema_version"),
        ("/seed", json!(0), "seed"),
        ("/seed", json!(-4), "seed"),
        ("/seed", json!("7"), "seed"),
        ("/time_step_s", json!(0.3), "time_step_s"),
        ("/time_limit_s", json!(59), "time_limit_s"),
        ("/fidelity", json!("F4"), "fidelity"),
        ("/teams", json!([]), "teams"),
        ("/teams/0/doctrine", json!("lime"), "teams[0].doctrine"),
        ("/teams/1/team_id", json!("red"), "teams[1].team_id"),
        ("/map/bounds/max_x", json!(-5000), "map.bounds"),
        ("/map/obstacles/1/shape/points/2", json!([900, -3000]), "map.obstacles[1].shape.points"),
        ("/map/zones/0/kind", json!("curent"), "map.zones[0].kind"),
        ("/map/daylight", json!(1.5), "map.daylight"),
        ("/map/weather/initial/sea_state", json!(true), "map.weather.initial.sea_state"),
        ("/ships", json!([]), "ships"),
        ("/ships/2/ship_id", json!("ark"), "ships[2].ship_id"),
        ("/ships/2/team_id", json!("green"), "ships[2].team_id"),
        ("/ships/2/hull_class", json!("corvete"), "ships[2].hull_class"),
        ("/ships/2/capabilities/can_submerge", json!(true), "ships[2].capabilities.can_submerge"),
        ("/ships/2/initial_state/layer", json!("submerged"), "ships[2].initial_state.layer"),
        ("/ships/2/initial_state/x", json!(7000), "ships[2].initial_state.x"),
        ("/ships/2/initial_state/speed", json!(20), "ships[2].initial_state.speed"),
        ("/ships/2/initial_state/hp", json!(301), "ships[2].initial_state.hp"),
        ("/ships/2/initial_state/hp", json!(0), "ships[2].initial_state.hp"),
        ("/ships/2/weapons/1/weapon", json!("cannon"), "ships[2].weapons[1].weapon"),
        ("/ships/2/weapons/1/slot", json!(0), "ships[2].weapons[1].slot"),
        ("/ships/2/crew/morale", json!(null), "ships[2].crew.morale"),
        ("/ships/2/fuel_t", json!(1e5), "ships[2].fuel_t"),
        ("/ships/2/sensors/0", json!("sonnar"), "ships[2].sensors[0]"),
        ("/decided_by/0/ships/0", json!("nobody"), "decided_by[0].ships[0]"),
        ("/scuttle_any_time", json!(1), "scuttle_any_time"),
        ("/ships/0/objective/targets/0", json!("nobody"), "ships[0].objective.targets[0]"),
        ("/ships/0/objective/targets", json!(["ark", "ark"]), "ships[0].objective.targets[1]"),
        ("/ships/0/objective/targets", json!([]), "ships[0].objective.at_least"),
        ("/ships/0/objective/target", json!("ark"), "ships[0].objective.targets"),
        ("/ships/0/objective/at_least", json!(2), "ships[0].objective.at_least"),
        ("/ships/0/objective/at_least", json!(0), "ships[0].objective.at_least"),
        ("/ships/0/objective/met_by/0", json!("luck"), "ships[0].objective.met_by[0]"),
        ("/ships/0/objective/type", json!("PROTECT"), "ships[0].objective.at_least"),
        ("/ships/0/objective/type", json!("EVADE"), "ships[0].objective.at_least"),
    ];
    for (pointer, value, path) in refused {
        let error = refusal(pointer, value.clone());
        assert_eq!(error.path, path, "{pointer} = {value}: {error}");
    }
}

#[test]
fn a_misspelt_hull_is_answered_with_the_one_that_was_meant() {
    let error = refusal("/ships/2/hull_class", json!("corvete"));
    let told = "ships[2].hull_class: \"corvete\" is no hull class; did you mean \"corvette\"?";
    assert_eq!(error.to_string(), told);
}

#[test]
fn a_ship_on_land_or_in_too_little_water_is_refused() {
    let mut aground = sample();
    aground["ships"][2]["initial_state"]["x"] = json!(0);
    aground["ships"][2]["initial_state"]["y"] = json!(3100);
    assert_eq!(read_value(&aground).unwrap_err().path, "ships[2].initial_state");

    let shallow = refusal("/map/depth/depth_m", json!(59));
    assert_eq!(shallow.path, "ships[0].initial_state");
    assert!(shallow.fix.contains("60 m"), "{shallow}");
}

#[test]
fn numbers_that_no_float_holds_are_refused_where_they_stand() {
    let many_digits = "9".repeat(400);
    for strange in ["NaN", "Infinity", "-Infinity", "1e400", "-1.5E+999", &many_digits] {
        for (place, path) in [
            ("\"daylight\":1", "map.daylight"),
            ("\"seed\":7", "seed"),
            ("\"battle_id\":\"sample\"", "battle_id"),
            ("\"storms\":[]", "map.weather.storms"),
            ("\"table_hashes\":{}", "table_hashes"),
        ] {
            let name = place.split_once(':').unwrap().0;
            let text = sample().to_string().replace(place, &format!("{name}:{strange}"));
            let error = read(text.as_bytes(), Tables::shipped()).unwrap_err();
            assert_eq!(error.path, path, "{strange}");
            assert_eq!(error.problem, "is not a finite number", "{strange}");
        }
    }
}

#[test]
fn numbers_that_no_float_holds_are_ignored_where_nobody_reads_them() {
    let with = |extra: &str| {
        let extra = format!("\"seed\":7,\"extra\":{extra}");
        let text = sample().to_string().replace("\"seed\":7", &extra);
        read(text.as_bytes(), Tables::shipped())
    };
    let plain = read_value(&sample()).unwrap();
    for strange in ["-Infinity", "1e400", "[NaN, {\"a\": -1e999}]", "\"1e400 \\\" NaN\""] {
        assert_eq!(with(strange).unwrap(), plain, "{strange}");
    }
    for broken in ["01e400", "1e400e", "-", "1.e400", "+1e400", "1e400 1e400", "nan"] {
        assert!(with(broken).unwrap_err().problem.contains("is not JSON"), "{broken}");
    }
}

#[test]
fn the_hash_of_another_table_is_refused_and_of_ours_taken() {
    let mut package = sample();
    let ours = format!("{:016x}", Tables::shipped().hashes["hulls"]);
    package["table_hashes"] = json!({"hulls": ours});
    assert!(read_value(&package).is_ok());
    package["table_hashes"] = json!({"hulls": "0123456789abcdef"});
    assert_eq!(read_value(&package).unwrap_err().path, "table_hashes.hulls");
    package["table_hashes"] = json!({"hull": "0123456789abcdef"});
    assert!(read_value(&package).unwrap_err().fix.contains("hulls"));
}

#[test]
fn more_ships_than_a_battle_holds_are_refused() {
    let ship = sample()["ships"][2].clone();
    let error = refusal("/ships", Value::Array(vec![ship; SHIPS_MAX + 1]));
    assert_eq!((error.path.as_str(), error.fix.as_str()), ("ships", "give 1 to 2048"));
}

#[test]
fn a_hull_may_replace_its_own_figures() {
    let mut package = sample();
    package["ships"][2]["hull_overrides"] = json!({"speed_max": [12, 6, 0], "hp": 900});
    package["ships"][2]["capabilities"]["can_submerge"] = json!(true);
    package["ships"][2]["initial_state"]["hp"] = json!(850);
    let package = read_value(&package).unwrap();
    let ship = &package.ships[package.ship_row("a").unwrap()];
    let hull = ship.hull(Tables::shipped()).unwrap();
    assert_eq!((hull.speed_max, hull.hp, hull.armour), ([12.0, 6.0, 0.0], 900.0, 3.0));
}

/// The schema that the models of the other language wrote.
fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../docs/schemas/arena.v1.package.json")).unwrap()
}

fn names(object: &Value) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// What later majors will know is in the schema and not yet in a canonical package.
const LATER: [&str; 4] = ["damage_state", "leadership", "siege_state", "supply"];

#[test]
fn a_canonical_package_has_the_fields_of_the_schema() {
    let schema = schema();
    let package: Value = serde_json::from_slice(&read_value(&sample()).unwrap().to_json()).unwrap();
    let parts = [
        ("", &package),
        ("Team", &package["teams"][0]),
        ("BattleMap", &package["map"]),
        ("Bounds", &package["map"]["bounds"]),
        ("Obstacle", &package["map"]["obstacles"][0]),
        ("Zone", &package["map"]["zones"][0]),
        ("Weather", &package["map"]["weather"]),
        ("WeatherState", &package["map"]["weather"]["initial"]),
        ("ShipSnapshot", &package["ships"][0]),
        ("Capabilities", &package["ships"][0]["capabilities"]),
        ("CrewSnapshot", &package["ships"][0]["crew"]),
        ("InitialState", &package["ships"][0]["initial_state"]),
        ("WeaponSnapshot", &package["ships"][0]["weapons"][0]),
        ("SquadronSnapshot", &package["ships"][0]["squadrons"][0]),
        ("Decision", &package["decided_by"][0]),
        ("Objective", &package["ships"][2]["objective"]),
    ];
    for (name, part) in parts {
        let model = if name.is_empty() { &schema } else { &schema["$defs"][name] };
        let known: BTreeSet<&str> = names(&model["properties"])
            .into_iter()
            .filter(|field| !LATER.contains(field))
            .collect();
        assert_eq!(names(part), known, "{name}");
    }
}

/// Every place in the document, as a pointer.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), into);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                places(item, &format!("{at}/{name}"), into);
            }
        }
        _ => {}
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,80}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([[[1, 2], 3], {"kind": "circle"}])),
    ]
}

proptest! {
    /// Reading is total: any value anywhere is either taken or refused at a path.
    #[test]
    fn a_package_with_anything_anywhere_never_panics(place in any::<prop::sample::Index>(), value in any_value()) {
        let mut package = sample();
        let mut all = Vec::new();
        places(&package, "", &mut all);
        *package.pointer_mut(&all[place.index(all.len())]).unwrap() = value;
        if let Ok(read) = read_value(&package) {
            prop_assert_eq!(super::read(&read.to_json(), Tables::shipped()).unwrap(), read);
        }
    }

    #[test]
    fn broken_bytes_never_panic(cut in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = sample().to_string().into_bytes();
        let place = cut.index(bytes.len());
        bytes[place] = byte;
        let _ = read(&bytes, Tables::shipped());
        let _ = read(&bytes[..place], Tables::shipped());
    }
}
