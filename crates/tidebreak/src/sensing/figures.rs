//! What each ship of a battle can sense at best, worked out once.

use crate::package::{BattlePackage, Fidelity};
use crate::tables::{Hull, Tables};

/// How far one ship senses; 0 where it has no such sense.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Ranges {
    pub radar_m: f32,
    pub sonar_m: f32,
    pub visual_m: f32,
    pub esm_m: f32,
}

/// What never changes about the senses of a battle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// By ship.
    pub ranges: Vec<Ranges>,
    /// Of its link at the surface, by ship.
    pub link_tiers: Vec<u8>,
    /// The greatest share of a radar's range at which anything is seen.
    pub radar_factor_max: f32,
    /// Whether fields are more than their ambient.
    pub fields: bool,
}

impl Figures {
    /// Of a package whose hulls are found.
    #[must_use]
    pub fn of(package: &BattlePackage, hulls: &[Hull], tables: &Tables) -> Self {
        let ranges = package.ships.iter().zip(hulls).map(|(ship, hull)| {
            let class = &tables.sensors.hulls[usize::from(hull.id)];
            let has = |sense: &str, metres: f32| {
                if ship.sensors.iter().any(|given| given == sense) { metres } else { 0.0 }
            };
            Ranges {
                radar_m: has("radar", class.radar_m),
                sonar_m: has("sonar", class.sonar_m),
                visual_m: has("visual", class.visual_m),
                esm_m: has("esm", class.esm_m),
            }
        });
        Self {
            ranges: ranges.collect(),
            link_tiers: package.ships.iter().map(|ship| ship.link_tier.min(3) as u8).collect(),
            radar_factor_max: hulls.iter().map(|hull| hull.radar_factor).fold(1.0, f32::max),
            fields: package.fidelity != Fidelity::F0,
        }
    }
}
