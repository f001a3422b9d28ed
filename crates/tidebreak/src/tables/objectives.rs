//! When what was to be achieved counts as achieved.

use serde::{Deserialize, Serialize};

use super::sources::version;

/// Objectives and endings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// A destination without a zone counts as reached within this.
    pub arrived_m: f32,
    /// Share of the enemy's value that a raid without a target has to take.
    pub raid_value_share: f32,
    /// A side wins on time with this much more of its value left, as a share.
    pub value_gap: f64,
}
