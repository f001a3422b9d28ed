//! Reads commands from JSON, and says in words what is wrong with one.

use serde_json::{Map, Value};

use super::Command;

/// What a field may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    /// A whole number up to this.
    Count(u64),
    Switch,
    /// Column and row of a tile.
    Place,
    Texts,
}

impl Kind {
    fn words(self) -> String {
        match self {
            Self::Text => "a text".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Count(most) => format!("a whole number from 0 to {most}"),
            Self::Switch => "true or false".to_owned(),
            Self::Place => "a place, [x, y], of whole numbers from 0 to 65535".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
        }
    }

    fn fits(self, value: &Value) -> bool {
        let list = |fits: &dyn Fn(&Value) -> bool| {
            value.as_array().is_some_and(|items| items.iter().all(fits))
        };
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::Count(most) => value.as_u64().is_some_and(|count| count <= most),
            Self::Switch => value.is_boolean(),
            Self::Place => {
                value.as_array().is_some_and(|items| items.len() == 2)
                    && list(&|item| item.as_u64().is_some_and(|count| count <= 65_535))
            }
            Self::Texts => list(&Value::is_string),
        }
    }
}

const COUNT: Kind = Kind::Count(u32::MAX as u64);

/// The name of a field, what it holds, and whether it may be left out.
type Field = (&'static str, Kind, bool);

/// Every command with its fields.
const COMMANDS: [(&str, &[Field]); 19] = [
    (
        "spawn",
        &[
            ("agent_id", Kind::Text, false),
            ("position", Kind::Place, false),
            ("job_id", Kind::Text, true),
            ("wallet", Kind::Number, true),
        ],
    ),
    ("teleport", &[("agent_id", Kind::Text, false), ("position", Kind::Place, false)]),
    (
        "setneed",
        &[
            ("agent_id", Kind::Text, false),
            ("need", Kind::Text, false),
            ("value", Kind::Number, false),
        ],
    ),
    ("price", &[("key", Kind::Text, false), ("value", Kind::Number, false)]),
    (
        "force_chat",
        &[
            ("speaker", Kind::Text, false),
            ("listener", Kind::Text, false),
            ("quality", Kind::Number, false),
        ],
    ),
    (
        "set_rel",
        &[
            ("a", Kind::Text, false),
            ("b", Kind::Text, false),
            ("trust", Kind::Number, false),
            ("familiarity", Kind::Number, false),
            ("rivalry", Kind::Number, false),
        ],
    ),
    (
        "arrange_meet",
        &[
            ("agents", Kind::Texts, false),
            ("location", Kind::Text, false),
            ("starts_in", COUNT, false),
            ("duration", COUNT, false),
        ],
    ),
    ("possess", &[("agent_id", Kind::Text, false), ("acquire", Kind::Switch, false)]),
    ("kill", &[("agent_id", Kind::Text, false)]),
    ("toggle_mortality", &[("on", Kind::Switch, false)]),
    ("set_exit_cap", &[("cap", COUNT, false)]),
    ("set_spawn_delay", &[("min", COUNT, false), ("max", COUNT, false)]),
    ("set_death_threshold", &[("value", Kind::Number, false), ("ticks", COUNT, false)]),
    ("employment_approve", &[("agent_id", Kind::Text, false)]),
    ("employment_defer", &[("agent_id", Kind::Text, false)]),
    (
        "perturbation_trigger",
        &[
            ("spec", Kind::Text, false),
            ("starts_in", COUNT, false),
            ("duration", COUNT, false),
            ("target", Kind::Text, true),
            ("magnitude", Kind::Number, true),
        ],
    ),
    ("perturbation_cancel", &[("event_id", Kind::Text, false)]),
    ("config_reload", &[("node", Kind::Text, false), ("document", Kind::Text, false)]),
    ("rain", &[("on", Kind::Switch, false)]),
];

/// Read a command.
///
/// # Errors
/// What is wrong with it: the command, the field, what is allowed, and a name that may be meant.
pub fn command(json: &str) -> Result<Command, String> {
    let value: Value =
        serde_json::from_str(json).map_err(|error| format!("a command must be JSON: {error}"))?;
    check(&value)?;
    serde_json::from_value(value).map_err(|error| format!("the command cannot be read: {error}"))
}

fn check(value: &Value) -> Result<(), String> {
    let entry = value.as_object().filter(|object| object.len() == 1);
    let Some((name, fields)) = entry.and_then(|object| object.iter().next()) else {
        return Err("a command must be an object with one key, its name, \
                    such as {\"kill\": {\"agent_id\": \"resident_01\"}}"
            .to_owned());
    };
    if name == "reloaded" {
        return Err("reloaded: use config_reload".to_owned());
    }
    let Some((_, known)) = COMMANDS.iter().find(|(known, _)| known == name) else {
        let names: Vec<&str> = COMMANDS.iter().map(|(known, _)| *known).collect();
        return Err(format!("unknown command {name:?}; {}", hint(name, &names)));
    };
    let Some(fields) = fields.as_object() else {
        return Err(format!("{name}: give its fields as an object: {}", listed(known)));
    };
    check_fields(name, fields, known)
}

fn check_fields(name: &str, fields: &Map<String, Value>, known: &[Field]) -> Result<(), String> {
    for field in fields.keys() {
        if !known.iter().any(|(known, ..)| known == field) {
            let names: Vec<&str> = known.iter().map(|(known, ..)| *known).collect();
            return Err(format!("{name}: unknown field {field:?}; {}", hint(field, &names)));
        }
    }
    for &(field, kind, optional) in known {
        match fields.get(field) {
            None | Some(Value::Null) if optional => {}
            None => {
                return Err(format!(
                    "{name}: the field {field:?} is missing; give {}",
                    kind.words()
                ));
            }
            Some(value) if kind.fits(value) => {}
            Some(value) => {
                let shown: String = value.to_string().chars().take(60).collect();
                return Err(format!("{name}.{field}: must be {}, not {shown}", kind.words()));
            }
        }
    }
    Ok(())
}

fn listed(known: &[Field]) -> String {
    known.iter().map(|(field, ..)| *field).collect::<Vec<_>>().join(", ")
}

/// The known names, and before them the one that may be meant.
fn hint(name: &str, known: &[&str]) -> String {
    let near = known.iter().map(|known| (edits(name, known), *known)).min();
    let all = format!("known are {}", known.join(", "));
    match near {
        Some((edits, near)) if edits <= near.len().max(4) / 2 => {
            format!("did you mean {near:?}? {all}")
        }
        _ => all,
    }
}

/// Letters to add, drop or replace to come from one word to another.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, letter) in from.chars().take(64).enumerate() {
        let mut before = row[0];
        row[0] = line + 1;
        for (at, other) in to.iter().enumerate() {
            let replaced = before + usize::from(letter != *other);
            before = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(before + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sample(kind: Kind) -> Value {
        match kind {
            Kind::Text => json!("cafe"),
            Kind::Number => json!(0.5),
            Kind::Count(_) => json!(3),
            Kind::Switch => json!(true),
            Kind::Place => json!([1, 2]),
            Kind::Texts => json!(["alice"]),
        }
    }

    #[test]
    fn every_command_that_is_listed_can_be_read() {
        for (name, fields) in COMMANDS {
            let filled: Map<String, Value> =
                fields.iter().map(|&(field, kind, _)| (field.to_owned(), sample(kind))).collect();
            let read = command(&json!({ name: filled }).to_string()).expect(name);
            assert_eq!(read.name(), name);
            let needed: Map<String, Value> = fields
                .iter()
                .filter(|(.., optional)| !optional)
                .map(|&(field, kind, _)| (field.to_owned(), sample(kind)))
                .collect();
            command(&json!({ name: needed }).to_string()).expect(name);
        }
    }

    #[test]
    fn what_is_wrong_is_said_in_words() {
        for (json, words) in [
            ("{", "a command must be JSON: "),
            ("[]", "a command must be an object with one key"),
            (
                r#"{"setned": {}}"#,
                r#"unknown command "setned"; did you mean "setneed"? known are spawn, "#,
            ),
            (r#"{"zzzzzzzzz": {}}"#, r#"unknown command "zzzzzzzzz"; known are spawn, teleport, "#),
            (r#"{"kill": 3}"#, "kill: give its fields as an object: agent_id"),
            (
                r#"{"kill": {"agent": "bob"}}"#,
                r#"kill: unknown field "agent"; did you mean "agent_id"? known are agent_id"#,
            ),
            (r#"{"rain": {}}"#, r#"rain: the field "on" is missing; give true or false"#),
            (
                r#"{"setneed": {"agent_id": "a", "need": "hunger", "value": "much"}}"#,
                r#"setneed.value: must be a number, not "much""#,
            ),
            (
                r#"{"set_exit_cap": {"cap": -1}}"#,
                "set_exit_cap.cap: must be a whole number from 0 to 4294967295, not -1",
            ),
            (
                r#"{"teleport": {"agent_id": "a", "position": [1]}}"#,
                "teleport.position: must be a place, [x, y], of whole numbers from 0 to 65535, not [1]",
            ),
            (r#"{"reloaded": {}}"#, "reloaded: use config_reload"),
        ] {
            let refused = command(json).expect_err(json);
            assert!(refused.starts_with(words), "{refused}");
        }
    }
}
