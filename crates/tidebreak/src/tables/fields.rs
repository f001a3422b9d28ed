//! The fields of the sea: what they are where nothing happens, how they spread and fade, and what
//! battles press into them.

use astrarium_morphospace::{Aggregate, Ambient, Field, Presets, Rate};
use serde::{Deserialize, Serialize};

use super::TableError;
use super::sources::{parse, version};

/// Slabs of a battle: one per layer.
const LAYERS: u8 = 3;

/// One field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldFigures {
    /// Its name.
    pub name: String,
    /// Smallest and largest value.
    pub range: [f32; 2],
    /// What stands for many cells of it.
    pub aggregate: Aggregate,
    /// By layer, where nothing happens; land, depth and currents come from the map.
    #[serde(default)]
    pub ambient: [f32; 3],
    /// Added to that by layer for each sea state.
    #[serde(default)]
    pub ambient_per_sea_state: [f32; 3],
    /// Whether all of that is a share of daylight.
    #[serde(default)]
    pub by_daylight: bool,
    /// Share exchanged with each neighbour per second, for cells of 125 m.
    #[serde(default)]
    pub spread_per_s: f32,
    /// Share of the distance to the ambient lost per second.
    #[serde(default)]
    pub decay_per_s: f32,
}

/// The mark of a blast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlastMark {
    /// Its reach, in reaches of the blast,
    pub radius_factor: f32,
    /// which counts as at least this.
    pub blast_min_m: f32,
    /// Damage of a blast of full strength.
    pub full_damage: f32,
}

/// The mark of a fire aboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FireMark {
    /// Its reach, in radii of the hull.
    pub radius_factor: f32,
    /// Its least strength.
    pub strength_min: f32,
}

/// All fields by id, and the stamps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// How far the echo of a ping shows.
    pub ping_radius_m: f32,
    /// Speed above which a hull leaves a wake worth hearing.
    pub wake_above: f32,
    /// How blasts show.
    pub blast: BlastMark,
    /// How fires show.
    pub fire: FireMark,
    /// What blasts, fires, pings and wakes do.
    pub presets: Presets,
    /// Fields by id.
    #[serde(rename = "field")]
    pub fields: Vec<FieldFigures>,
}

impl FieldTable {
    /// The sea at a sea state (0-9) and daylight (0-1).
    #[must_use]
    pub fn ambient(&self, sea_state: f32, daylight: f32) -> Ambient {
        let mut ambient = Ambient::default();
        for (field, figures) in Field::ALL.into_iter().zip(&self.fields) {
            for slab in 0..LAYERS {
                let layer = usize::from(slab);
                let by_sea = figures.ambient_per_sea_state[layer] * sea_state;
                let value = figures.ambient[layer] + by_sea;
                let value = if figures.by_daylight { value * daylight } else { value };
                ambient.set(field, slab, value);
            }
        }
        ambient
    }

    /// How each field spreads and fades, by id.
    #[must_use]
    pub fn rates(&self) -> [Rate; Field::COUNT] {
        Field::ALL.map(|field| {
            let FieldFigures { spread_per_s, decay_per_s, .. } = self.fields[field as usize];
            Rate { spread_per_s, decay_per_s }
        })
    }
}

/// Reads the table of fields. Range and aggregate belong to the substrate that stores the fields: they
/// stand in the table so that it tells all there is to a field, and no table can change them.
pub(super) fn read(text: &str) -> Result<FieldTable, TableError> {
    let table: FieldTable = parse("fields", text)?;
    let wrong = |path: String, problem: String| TableError { table: "fields", path, problem };
    if table.fields.len() != Field::COUNT {
        let problem = format!("{} fields are given, not {}", table.fields.len(), Field::COUNT);
        return Err(wrong("field".to_owned(), problem));
    }
    for (row, (figures, field)) in table.fields.iter().zip(Field::ALL).enumerate() {
        let at = |name: &str| format!("field[{row}].{name}");
        if figures.name != field.name() {
            let problem = format!("\"{}\" stands where {} belongs", figures.name, field.name());
            return Err(wrong(at("name"), problem));
        }
        let (low, high) = field.range();
        if figures.range != [low, high] {
            return Err(wrong(at("range"), format!("{} runs from {low} to {high}", field.name())));
        }
        if figures.aggregate != field.aggregate() {
            let problem = format!("is {:?} for {}", field.aggregate(), field.name());
            return Err(wrong(at("aggregate"), problem));
        }
        if figures.spread_per_s < 0.0 || figures.decay_per_s < 0.0 {
            return Err(wrong(at("spread_per_s"), "a rate is below 0".to_owned()));
        }
    }
    Ok(table)
}
