//! The water: layers, weather and motion through it.

use serde::{Deserialize, Serialize};

use super::sources::version;

/// A hull between two layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionFigures {
    /// Added to its source level.
    pub noise_db: f32,
    /// Share of the hull's radar factor that shows while it is half out of the water.
    pub radar_factor: f32,
    /// Greatest share of top speed.
    pub speed_cap: f32,
    /// Fuel per tonne of hull.
    pub fuel_kg_per_t: f32,
    /// Seconds between surface and submerged, and between submerged and abyssal, of a hull whose
    /// class has no times of its own.
    pub usual_s: [f32; 2],
    /// Stretches its time, by sea state.
    pub sea_factor: [f32; 10],
}

/// What damage does to a transition; the four chances add up to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BotchedFigures {
    /// Share of max HP lost within ten seconds that forces the draw.
    pub damage_share: f32,
    /// Back to where it came from.
    pub return_chance: f32,
    /// Stalls.
    pub stall_chance: f32,
    /// How long it stalls.
    pub stall_s: f32,
    /// Completes, damaged.
    pub damaged_chance: f32,
    /// By this share of max HP.
    pub damaged_hp_share: f32,
    /// Completes, flooding.
    pub flooded_chance: f32,
    /// With this share of max HP lost.
    pub flooded_hp_share: f32,
}

/// Going shallow to fire missiles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopUpFigures {
    /// Seconds shallow before the shot.
    pub shallow_s: f32,
    /// Seconds exposed after it.
    pub exposed_s: f32,
    /// Added to the source level.
    pub noise_db: f32,
    /// Radar factor while exposed.
    pub radar_factor: f32,
}

/// Layers, in the order surface, submerged, abyssal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// What they are called.
    pub names: [String; 3],
    /// Water a hull needs to be there.
    pub depth_min_m: [f32; 3],
    /// Changing layer.
    pub transition: TransitionFigures,
    /// When that goes wrong.
    pub botched: BotchedFigures,
    /// Missiles from below.
    pub pop_up: PopUpFigures,
}

/// What a storm does where its force, 0 to 1, is 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StormFigures {
    /// The sea rises towards this state.
    pub sea_state: f32,
    /// Share of sight lost.
    pub visibility_loss: f32,
    /// Force beyond which rain is light, heavy and a storm.
    pub rain_force: [f32; 3],
    /// Wind round the eye of a cyclone at its rim, m/s.
    pub cyclone_wind: f32,
}

/// What a sea state does; rows run over bands of two states, columns over sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeatherTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// Speed factor.
    pub speed: [[f32; 4]; 5],
    /// Dispersion factor.
    pub gun_dispersion: [f32; 5],
    /// Radar factor.
    pub radar: [f32; 5],
    /// Share of max HP lost per second.
    pub damage: [[f32; 4]; 5],
    /// Large hulls suffer from this state on.
    pub large_damage_sea_state: u8,
    /// Radar factor by precipitation: none, light, heavy, storm.
    pub rain_radar: [f32; 4],
    /// Visibility from which on sight is whole.
    pub visual_full_m: f32,
    /// Strikes per second and surface hull at full risk.
    pub lightning_chance_per_s: f32,
    /// Seconds without sensors after one.
    pub lightning_sensors_off_s: f32,
    /// Share of the hull that the worst waters take in a second.
    pub hazard_hp_share_per_s: f32,
    /// What storms do.
    pub storm: StormFigures,
}

impl WeatherTable {
    /// The row of figures for a sea state of 0 to 9.
    #[inline]
    #[must_use]
    pub fn band(sea_state: u8) -> usize {
        usize::from(sea_state.min(9) / 2)
    }
}

/// What moving burns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuelFigures {
    /// Burnt at no throttle; the rest goes with its cube.
    pub idle_share: f32,
    /// Multiplier in battle.
    pub battle_factor: f32,
    /// Throttle left without fuel.
    pub empty_throttle: f32,
}

/// The rim of the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeFigures {
    /// Width of the strip that pushes back.
    pub push_back_m: f32,
}

/// Running aground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundFigures {
    /// Speed that does no harm.
    pub speed_safe: f32,
    /// Share of max HP per m/s above it.
    pub hp_share_per_speed: f32,
}

/// Hull against hull.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactFigures {
    /// Speed kept in the bounce.
    pub restitution: f32,
    /// HP per tonne (m/s)² of the reduced mass.
    pub damage: f32,
    /// The most per tick, by share of max HP.
    pub hp_share_max: f32,
}

/// How hulls gather way and turn; lists run over sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// Full astern.
    pub throttle_min: f32,
    /// Speed lost at the greatest yaw rate.
    pub turn_speed_loss: f32,
    /// Slowing down, by acceleration.
    pub brake_factor: f32,
    /// Time constant of the skid.
    pub sway_decay_s: [f32; 4],
    /// Time constant of the yaw rate.
    pub yaw_time_s: [f32; 4],
    /// Share of top speed at which the rudder bites fully.
    pub steerage_share: f32,
    /// Acceleration in the abyss.
    pub abyssal_accel_factor: f32,
    /// Share of its speed that a hull loses in the thickest soft obstacle.
    pub soft_obstacle_loss: f32,
    /// Fuel.
    pub fuel: FuelFigures,
    /// The rim.
    pub edge: EdgeFigures,
    /// Land.
    pub ground: GroundFigures,
    /// Collisions.
    pub contact: ContactFigures,
}
