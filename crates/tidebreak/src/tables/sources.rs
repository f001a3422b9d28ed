//! The texts of the tables, and how one of them is read.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};

use super::TableError;

/// The version of the tables' shape that this build reads.
pub(super) const VERSION: u32 = 1;

/// The text of every table.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each field is the text of the table of its name")]
pub struct TableTexts<'a> {
    pub hulls: &'a str,
    pub weapons: &'a str,
    pub mounts: &'a str,
    pub sensors: &'a str,
    pub layers: &'a str,
    pub weather: &'a str,
    pub crew: &'a str,
    pub motion: &'a str,
    pub damage: &'a str,
    pub links: &'a str,
    pub fields: &'a str,
    pub squadrons: &'a str,
    pub objectives: &'a str,
    pub doctrines: &'a str,
}

impl TableTexts<'static> {
    /// The files under `data/`, as they were when this was built.
    #[must_use]
    pub const fn shipped() -> Self {
        Self {
            hulls: include_str!("../../data/hulls.toml"),
            weapons: include_str!("../../data/weapons.toml"),
            mounts: include_str!("../../data/mounts.toml"),
            sensors: include_str!("../../data/sensors.toml"),
            layers: include_str!("../../data/layers.toml"),
            weather: include_str!("../../data/weather.toml"),
            crew: include_str!("../../data/crew.toml"),
            motion: include_str!("../../data/motion.toml"),
            damage: include_str!("../../data/damage.toml"),
            links: include_str!("../../data/links.toml"),
            fields: include_str!("../../data/fields.toml"),
            squadrons: include_str!("../../data/squadrons.toml"),
            objectives: include_str!("../../data/objectives.toml"),
            doctrines: include_str!("../../data/doctrines.toml"),
        }
    }
}

impl<'a> TableTexts<'a> {
    /// The names of all tables.
    pub const NAMES: [&'static str; 14] = [
        "hulls",
        "weapons",
        "mounts",
        "sensors",
        "layers",
        "weather",
        "crew",
        "motion",
        "damage",
        "links",
        "fields",
        "squadrons",
        "objectives",
        "doctrines",
    ];

    /// With the text of the table called `name` replaced; false where there is none.
    pub fn replace(&mut self, name: &str, text: &'a str) -> bool {
        let place = match name {
            "hulls" => &mut self.hulls,
            "weapons" => &mut self.weapons,
            "mounts" => &mut self.mounts,
            "sensors" => &mut self.sensors,
            "layers" => &mut self.layers,
            "weather" => &mut self.weather,
            "crew" => &mut self.crew,
            "motion" => &mut self.motion,
            "damage" => &mut self.damage,
            "links" => &mut self.links,
            "fields" => &mut self.fields,
            "squadrons" => &mut self.squadrons,
            "objectives" => &mut self.objectives,
            "doctrines" => &mut self.doctrines,
            _ => return false,
        };
        *place = text;
        true
    }
}

/// Reads one table, refusing fields nobody knows.
pub(super) fn parse<T: DeserializeOwned>(table: &'static str, text: &str) -> Result<T, TableError> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| text[..span.start].matches('\n').count() + 1);
        TableError { table, path: format!("line {line}"), problem: error.message().to_owned() }
    })
}

/// A table of another version cannot be read, whatever its fields say.
pub(super) fn version<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let found = u32::deserialize(from)?;
    if found == VERSION {
        return Ok(found);
    }
    Err(serde::de::Error::custom(format!(
        "version {found}, but this build reads version {VERSION}"
    )))
}

/// An angle (or an angle per second) written in degrees.
pub(super) fn degrees<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    Ok(f64::deserialize(from)?.to_radians() as f32)
}

/// An angle written in thousandths of a radian.
pub(super) fn milliradians<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    Ok((f64::deserialize(from)? / 1000.0) as f32)
}
