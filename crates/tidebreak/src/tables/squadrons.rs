//! Craft: how they fly, see and fight.

use serde::{Deserialize, Serialize};

use super::sources::version;

/// What strikes drop on hulls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BombFigures {
    /// Damage of one.
    pub damage: f32,
    /// It is dropped within this distance of a hull's side.
    pub range_m: f32,
    /// Chance that it strikes.
    pub hit_chance: f32,
}

/// How patrols fight other craft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DogfightFigures {
    /// How far.
    pub range_m: f32,
    /// Each craft's chance to strike another in a second.
    pub hit_chance: f32,
    /// Hit points that takes.
    pub damage: f32,
}

/// Squadrons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquadronTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// Hit points of one craft.
    pub craft_hp: f32,
    /// Metres a second.
    pub speed: f32,
    /// Radians a second.
    pub turn_rate: f32,
    /// Seconds a full tank lasts.
    pub endurance_s: f32,
    /// Seconds of it kept over the way home.
    pub reserve_s: f32,
    /// Seconds from the order to the air.
    pub launch_s: f32,
    /// Seconds from the deck to being ready again.
    pub recovery_s: f32,
    /// No launch or recovery above this sea state.
    pub sea_state_max: f32,
    /// How far ahead of its carrier a scout or patrol goes.
    pub patrol_m: f32,
    /// How far a scout sees in clear weather.
    pub scout_visual_m: f32,
    /// Against hulls.
    pub bomb: BombFigures,
    /// Against craft.
    pub dogfight: DogfightFigures,
}
