//! Sensors, tracks and data links.

use serde::{Deserialize, Serialize};

use super::TableError;
use super::hulls::Hull;
use super::sources::{degrees, parse, version};

/// How far one hull class senses; 0: it has no such sense.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SensorRanges {
    /// The class's name.
    pub hull: String,
    /// Radar.
    pub radar_m: f32,
    /// Sonar.
    pub sonar_m: f32,
    /// Eyes.
    pub visual_m: f32,
    /// Listening for radars.
    pub esm_m: f32,
}

/// Chance of a detection: clamp(base + per signal x s, 0, max).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectionFigures {
    /// Chance at no signal.
    pub chance_base: f32,
    /// Gain per unit of signal.
    pub chance_per_signal: f32,
    /// The most.
    pub chance_max: f32,
}

/// How loudness becomes range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SonarFigures {
    /// Source level at which the factor is 1.
    pub source_usual_db: f32,
    /// Noise at which the factor is 1.
    pub noise_usual_db: f32,
    /// Decibels for one unit of factor.
    pub span_db: f32,
    /// Least and greatest factor.
    pub factor: [f32; 2],
    /// Source level added at top speed (with the square of the share).
    pub own_speed_source_db: f32,
    /// Noise added to a listener at top speed.
    pub own_speed_noise_db: f32,
    /// By the listener's layer, then the source's.
    pub layer_factor: [[f32; 3]; 3],
    /// A step of temperature beyond this bends sound.
    pub temperature_step_k: f32,
    /// What is left across such a step.
    pub temperature_step_factor: f32,
    /// Least factor of a ping.
    pub ping_factor_min: f32,
    /// Source level added while pinging.
    pub ping_source_db: f32,
    /// Noise this much above that of the own wake is somebody else's.
    pub wake_margin_db: f32,
}

/// Factors by emission: silent, passive, active.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmissionFigures {
    /// Radar.
    pub radar: [f32; 3],
    /// Sonar.
    pub sonar: [f32; 3],
}

/// What stands in the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OcclusionFigures {
    /// Occupancy that blocks radar and sight.
    pub occupancy: f32,
    /// What sonar keeps through it.
    pub sonar_factor: f32,
    /// Smoke along the path beyond which sight suffers.
    pub smoke_integral: f32,
    /// What sight keeps then.
    pub smoke_visual_factor: f32,
}

/// Listening for radars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EsmFigures {
    /// An active radar is heard at this multiple of its range.
    pub radar_range_factor: f32,
}

/// How ordnance gives itself away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrdnanceSignature {
    /// Source level of a torpedo.
    pub torpedo_source_db: f32,
    /// Radar factor of a missile.
    pub missile_radar_factor: f32,
    /// Radar factor of a squadron.
    pub craft_radar_factor: f32,
}

/// A jammer at full strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JammerFigures {
    /// How far it reaches.
    pub range_m: f32,
    /// Share of radar range lost beside it.
    pub radar_loss: f32,
    /// False cues per second and victim.
    pub ghosts_per_s: f32,
    /// Where they seem to be, in shares of its range.
    pub ghost_range: [f32; 2],
}

/// What a track is worth; lists run over quality 0 to 3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackFigures {
    /// Tracks a hull keeps.
    pub rows: u32,
    /// Bearing error of a cue, in rad.
    #[serde(rename = "cue_bearing_deg", deserialize_with = "degrees")]
    pub cue_bearing: f32,
    /// Range error of a cue, by share of the distance.
    pub cue_range_share: f32,
    /// Least and greatest guess at a cue's range, in shares of the true one.
    pub cue_range: [f32; 2],
    /// How far away two bearings may cross, in guesses of their range.
    pub crossing_range_factor: f32,
    /// Position error per metre of distance.
    pub sigma_per_m: [f32; 4],
    /// Position error added to it.
    pub sigma_m: [f32; 4],
    /// Position gain of the filter.
    pub alpha: [f32; 4],
    /// Velocity gain of the filter.
    pub beta: [f32; 4],
    /// Seconds unseen before the quality steps down.
    pub step_down_s: [f32; 4],
    /// Seconds unseen before it is dropped.
    pub drop_s: f32,
    /// An end is noticed by whoever has seen the thing within so many seconds.
    pub end_noticed_s: f32,
    /// Growth of the error while unseen.
    pub sigma_growth_m_s: f32,
    /// Signal that makes a coarse track.
    pub coarse_signal: f32,
    /// Angle between two bearings that makes one, in rad.
    #[serde(rename = "coarse_bearing_spread_deg", deserialize_with = "degrees")]
    pub coarse_bearing_spread: f32,
    /// Radar or visual signal that makes fire control.
    pub fire_control_signal: f32,
    /// Active sonar signal that makes fire control.
    pub fire_control_ping_signal: f32,
    /// Ticks of fire control before a track is shared.
    pub shared_after_ticks: u32,
    /// Least link tier for that.
    pub shared_link_tier: u8,
}

/// Everything about sensing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SensorTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// Signal to chance.
    pub detection: DetectionFigures,
    /// Loudness to range.
    pub sonar: SonarFigures,
    /// What silence costs.
    pub emission: EmissionFigures,
    /// What stands in the way.
    pub occlusion: OcclusionFigures,
    /// Listening for radars.
    pub esm: EsmFigures,
    /// Torpedoes and missiles.
    pub ordnance: OrdnanceSignature,
    /// Jamming.
    pub jammer: JammerFigures,
    /// Tracks.
    pub track: TrackFigures,
    /// Ranges by hull id.
    #[serde(rename = "hull")]
    pub hulls: Vec<SensorRanges>,
}

/// Data links; lists run over tier 0 to 3.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// How far.
    pub range_m: [f32; 4],
    /// Seconds between two reports on one track.
    pub period_s: [f32; 4],
    /// Reports a tick.
    pub updates_per_tick: [u32; 4],
    /// From here on position and velocity are shared.
    pub kinematics_tier: u8,
    /// From here on errors, identity and shared fire control.
    pub error_tier: u8,
    /// From here on a ship may fire at another's track.
    pub remote_engagement_tier: u8,
    /// How far a submerged hull reaches, at tier 0.
    pub submerged_range_m: f32,
}

/// Reads the sensor table; its rows come out in hull order, one each.
pub(super) fn read_sensors(text: &str, hulls: &[Hull]) -> Result<SensorTable, TableError> {
    let mut table: SensorTable = parse("sensors", text)?;
    let mut rows = Vec::with_capacity(hulls.len());
    for hull in hulls {
        let row = table.hulls.iter().find(|row| row.hull == hull.name).cloned();
        rows.push(row.ok_or_else(|| TableError {
            table: "sensors",
            path: "hull".to_owned(),
            problem: format!("no ranges are given for \"{}\"", hull.name),
        })?);
    }
    table.hulls = rows;
    Ok(table)
}
