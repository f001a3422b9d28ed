//! What the types of the tables cannot say: order, ranges, sums.

use serde::Serialize;
use serde_json::Value;

use super::{Guidance, TableError, Tables};

type Checked = Result<(), TableError>;

fn wrong(table: &'static str, path: impl Into<String>, problem: impl Into<String>) -> TableError {
    TableError { table, path: path.into(), problem: problem.into() }
}

/// Refuses tables that the rules cannot work with.
pub(super) fn check(tables: &Tables) -> Checked {
    check_finite(tables)?;
    check_hulls(tables)?;
    check_weapons(tables)?;
    check_squadrons(tables)?;
    check_chances(tables)?;
    check_doctrines(tables)
}

fn check_finite(tables: &Tables) -> Checked {
    finite("hulls", &tables.hulls)?;
    finite("weapons", &tables.weapons)?;
    finite("sensors", &tables.sensors)?;
    finite("layers", &tables.layers)?;
    finite("weather", &tables.weather)?;
    finite("crew", &tables.crew)?;
    finite("motion", &tables.motion)?;
    finite("damage", &tables.damage)?;
    finite("links", &tables.links)?;
    finite("fields", &tables.fields)?;
    finite("squadrons", &tables.squadrons)?;
    finite("objectives", &tables.objectives)?;
    finite("doctrines", &tables.doctrines)
}

/// JSON has no NaN and no infinity: such a number becomes null, and nothing else in a table does.
fn finite<T: Serialize>(table: &'static str, value: &T) -> Checked {
    let value = serde_json::to_value(value).map_err(|e| wrong(table, "", e.to_string()))?;
    first_null(&value, "").map_or(Ok(()), |path| Err(wrong(table, path, "is not a finite number")))
}

fn first_null(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::Null => Some(path.to_owned()),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| first_null(item, &format!("{path}[{index}]"))),
        Value::Object(fields) => fields.iter().find_map(|(name, item)| {
            let dot = if path.is_empty() { "" } else { "." };
            first_null(item, &format!("{path}{dot}{name}"))
        }),
        _ => None,
    }
}

fn check_hulls(tables: &Tables) -> Checked {
    if tables.hulls.is_empty() || tables.hulls.len() > 64 {
        return Err(wrong("hulls", "hull", "there must be 1 to 64 classes"));
    }
    for (place, hull) in tables.hulls.iter().enumerate() {
        let at = |field: &str| format!("hull[{place}].{field}");
        if usize::from(hull.id) != place {
            return Err(wrong("hulls", at("id"), format!("{} is not {place}", hull.id)));
        }
        if tables.hulls[..place].iter().any(|other| other.name == hull.name) {
            return Err(wrong("hulls", at("name"), format!("\"{}\" is given twice", hull.name)));
        }
        let above_zero = [
            ("radius_m", hull.radius_m),
            ("mass_t", hull.mass_t),
            ("hp", hull.hp),
            ("fuel_t", hull.fuel_t),
            ("radar_factor", hull.radar_factor),
            ("build_cost", hull.build_cost),
        ];
        for (field, value) in above_zero {
            if value <= 0.0 {
                return Err(wrong("hulls", at(field), format!("{value} is not above 0")));
            }
        }
        if hull.speed_max.iter().any(|&speed| speed < 0.0) {
            return Err(wrong("hulls", at("speed_max"), "a speed is below 0"));
        }
        if hull.enters(1) && hull.transition_s.iter().any(|&seconds| seconds <= 0.0) {
            return Err(wrong("hulls", at("transition_s"), "a hull that dives needs both times"));
        }
        if hull.damage_tier > 2 {
            return Err(wrong("hulls", at("damage_tier"), "is not 0, 1 or 2"));
        }
        if hull.link_tier > 3 {
            return Err(wrong("hulls", at("link_tier"), "is not 0 to 3"));
        }
    }
    Ok(())
}

fn check_weapons(tables: &Tables) -> Checked {
    let weapons = &tables.weapons.weapons;
    if tables.weapons.seeker_look_s == 0 {
        return Err(wrong("weapons", "seeker_look_s", "is not above 0"));
    }
    for (place, weapon) in weapons.iter().enumerate() {
        let at = |field: &str| format!("weapon[{place}].{field}");
        if usize::from(weapon.id) != place {
            return Err(wrong("weapons", at("id"), format!("{} is not {place}", weapon.id)));
        }
        if weapons[..place].iter().any(|other| other.name == weapon.name) {
            return Err(wrong(
                "weapons",
                at("name"),
                format!("\"{}\" is given twice", weapon.name),
            ));
        }
        if weapon.cooldown_s <= 0.0 {
            return Err(wrong("weapons", at("cooldown_s"), "is not above 0"));
        }
        let flies = !matches!(weapon.guidance, Guidance::Automatic | Guidance::Trigger);
        if flies && (weapon.speed <= 0.0 || weapon.range_m <= 0.0) {
            return Err(wrong("weapons", at("speed"), "what flies needs a speed and a range"));
        }
        if weapon.track_min > 3 {
            return Err(wrong("weapons", at("track_min"), "is not 0 to 3"));
        }
        if !(0.0..=1.0).contains(&weapon.kill_chance) {
            return Err(wrong("weapons", at("kill_chance"), "is not between 0 and 1"));
        }
    }
    Ok(())
}

fn check_squadrons(tables: &Tables) -> Checked {
    let figures = &tables.squadrons;
    let above_zero = [
        ("craft_hp", figures.craft_hp),
        ("speed", figures.speed),
        ("endurance_s", figures.endurance_s),
    ];
    for (field, value) in above_zero {
        if value <= 0.0 {
            return Err(wrong("squadrons", field, format!("{value} is not above 0")));
        }
    }
    let chances = [
        ("bomb.hit_chance", figures.bomb.hit_chance),
        ("dogfight.hit_chance", figures.dogfight.hit_chance),
    ];
    for (field, value) in chances {
        if !(0.0..=1.0).contains(&value) {
            return Err(wrong("squadrons", field, "is not between 0 and 1"));
        }
    }
    Ok(())
}

fn check_chances(tables: &Tables) -> Checked {
    let botched = &tables.layers.botched;
    let sums = [
        (
            "layers",
            "botched",
            sum(&[
                botched.return_chance,
                botched.stall_chance,
                botched.damaged_chance,
                botched.flooded_chance,
            ]),
        ),
        ("damage", "critical.weights", sum(&tables.damage.critical.weights)),
        ("damage", "component.weights", sum(&tables.damage.component.weights)),
        ("damage", "component.torpedo_weights", sum(&tables.damage.component.torpedo_weights)),
    ];
    for (table, path, total) in sums {
        if (total - 1.0).abs() > 1e-6 {
            return Err(wrong(table, path, format!("the chances add up to {total}, not to 1")));
        }
    }
    Ok(())
}

fn sum(chances: &[f32]) -> f64 {
    chances.iter().map(|&chance| f64::from(chance)).sum()
}

fn check_doctrines(tables: &Tables) -> Checked {
    for (name, figures) in &tables.doctrines {
        let at = |field: &str| format!("{name}.{field}");
        if figures.hold_s[0] > figures.hold_s[1] {
            return Err(wrong("doctrines", at("hold_s"), "runs from more to less"));
        }
        if figures.torpedo_spread_least == 0 {
            return Err(wrong("doctrines", at("torpedo_spread_least"), "must be 1 or more"));
        }
    }
    Ok(())
}
