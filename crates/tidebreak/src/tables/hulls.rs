//! Hull classes.

use serde::{Deserialize, Serialize};

use super::TableError;
use super::sources::{degrees, parse, version};

/// How big a hull is; the number is its column in figures by size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum SizeClass {
    /// Up to 150 people.
    S = 0,
    /// Up to 1,500 people.
    M = 1,
    /// Up to 10,000 people.
    L = 2,
    /// More.
    XL = 3,
}

/// One class of ship or platform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hull {
    /// Its number, equal to its place in the table.
    pub id: u8,
    /// Its name, e.g. `corvette`.
    pub name: String,
    /// Its size.
    pub size: SizeClass,
    /// Radius of the circle that stands for it.
    pub radius_m: f32,
    /// Mass in tonnes.
    pub mass_t: f32,
    /// Top speed in m/s on the surface, submerged and abyssal; 0 below: it never goes there.
    pub speed_max: [f32; 3],
    /// Surge acceleration in m/s².
    pub accel: f32,
    /// Greatest yaw rate in rad/s.
    #[serde(rename = "turn_rate_deg_s", deserialize_with = "degrees")]
    pub turn_rate: f32,
    /// Hit points when whole.
    pub hp: f32,
    /// Damage that each hit loses to the armour.
    pub armour: f32,
    /// Crew, marines not counted.
    pub crew: u32,
    /// People aboard who serve no weapon.
    #[serde(default)]
    pub civilians: u32,
    /// Marines.
    pub marines: u32,
    /// Fuel when full, in tonnes.
    pub fuel_t: f32,
    /// Fuel burnt at full throttle, in kg/s.
    pub burn_kg_s: f32,
    /// How far radar sees it, as a multiple of the observer's range.
    pub radar_factor: f32,
    /// Its noise at rest, in dB.
    pub noise_db: f32,
    /// 0: hit points and flags; 1: components; 2: compartments.
    pub damage_tier: u8,
    /// Its data link's tier unless the package says otherwise.
    pub link_tier: u8,
    /// What it costs to build, in materials.
    pub build_cost: f32,
    /// Seconds between surface and submerged, and between submerged and abyssal.
    #[serde(default)]
    pub transition_s: [f32; 2],
}

impl Hull {
    /// What the hull is worth in rewards and in the count of value left.
    #[inline]
    #[must_use]
    pub fn value(&self) -> f32 {
        self.build_cost / 120.0
    }

    /// Whether the class can be in `layer` (0 surface, 1 submerged, 2 abyssal) at all.
    #[inline]
    #[must_use]
    pub fn enters(&self, layer: usize) -> bool {
        layer == 0 || self.speed_max.get(layer).is_some_and(|&speed| speed > 0.0)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HullFile {
    #[serde(rename = "version", deserialize_with = "version")]
    _version: u32,
    hull: Vec<Hull>,
}

/// Reads the hull table.
pub(super) fn read(text: &str) -> Result<Vec<Hull>, TableError> {
    parse::<HullFile>("hulls", text).map(|file| file.hull)
}
