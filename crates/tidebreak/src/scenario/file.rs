//! What a scenario file says. A pair of numbers is a range from which each battle draws.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::package::{Counted, MET_BY};

/// From and to.
pub(super) type Range = [f64; 2];

/// A whole scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioFile {
    pub about: String,
    pub limit_s: u32,
    #[serde(default = "usual_substep")]
    pub substep_s: f64,
    /// Width and height; the map is centred on the origin.
    pub size_m: [f64; 2],
    /// Between the anchors of the two teams.
    pub distance_m: Range,
    /// Direction of the axis from the first team to the second.
    pub bearing_deg: Range,
    /// The middle of that axis.
    #[serde(default)]
    pub centre_m: [f64; 2],
    #[serde(default = "usual_depth")]
    pub depth_m: f64,
    pub weather: WeatherDraw,
    pub currents: Option<CurrentsDraw>,
    pub shelf: Option<Shelf>,
    pub islands: Option<Islands>,
    #[serde(default)]
    pub zone: Vec<ZoneDraw>,
    #[serde(default)]
    pub fog: Vec<FogDraw>,
    #[serde(default)]
    pub storm: Vec<StormDraw>,
    pub team: Vec<TeamLine>,
    pub group: Vec<Group>,
    #[serde(default)]
    pub decided_by: Vec<DecisionLine>,
    /// Whether ships may scuttle at any time, not only when they are past saving.
    #[serde(default)]
    pub scuttle_any_time: bool,
}

const fn usual_substep() -> f64 {
    0.1
}

const fn usual_depth() -> f64 {
    1_000.0
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WeatherDraw {
    pub sea_state: Range,
    pub visibility_km: Range,
    /// Speed; the direction is drawn.
    pub wind: Range,
    #[serde(default)]
    pub precipitation: Falling,
    #[serde(default)]
    pub lightning: f64,
    #[serde(default = "broad_day")]
    pub daylight: f64,
}

const fn broad_day() -> f64 {
    1.0
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Falling {
    #[default]
    None,
    Light,
    Heavy,
    Storm,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CurrentsDraw {
    /// Speed; the direction is drawn.
    pub speed: Range,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Side {
    North,
    South,
}

/// Shelf water along one side of the map, and shallows at the very rim.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shelf {
    pub side: Side,
    pub width_m: f64,
    pub depth_m: f64,
    pub shallows_width_m: f64,
    pub shallows_depth_m: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Islands {
    pub count: [u32; 2],
    pub radius_m: Range,
    /// No shore is nearer to a ship than this.
    pub keep_clear_m: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ZoneWord {
    Interference,
    Hazard,
    Current,
    Speed,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ZoneDraw {
    pub kind: ZoneWord,
    pub count: [u32; 2],
    pub radius_m: Range,
    pub intensity: Range,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FogDraw {
    pub count: [u32; 2],
    pub radius_m: Range,
    pub visibility_km: Range,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StormWord {
    Uniform,
    Gradient,
    Cyclonic,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StormDraw {
    pub x: Range,
    pub y: Range,
    /// Speed; the direction is drawn.
    pub speed: Range,
    pub radius_m: Range,
    pub intensity: Range,
    pub profile: StormWord,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TeamLine {
    pub id: String,
    pub name: String,
    pub doctrine: Option<String>,
}

/// Ships of one class that start side by side, placed as their team sees the enemy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    /// Called so by objectives and rules of this file.
    #[serde(default)]
    pub name: String,
    pub team: String,
    pub hull: String,
    #[serde(default = "one")]
    pub count: u32,
    /// Towards the enemy from the team's anchor.
    #[serde(default)]
    pub ahead_m: f64,
    /// To port of it.
    #[serde(default)]
    pub aside_m: f64,
    /// Between neighbours, abreast.
    #[serde(default)]
    pub spacing_m: f64,
    /// Each ship lies up to this far off its place, both ways.
    #[serde(default)]
    pub jitter_m: f64,
    /// Off the bearing of the enemy.
    #[serde(default)]
    pub heading_deg: Range,
    #[serde(default)]
    pub speed_share: f64,
    #[serde(default = "surface")]
    pub layer: String,
    #[serde(default)]
    pub flagship: bool,
    #[serde(default)]
    pub cargo: BTreeMap<String, f64>,
    pub objective: Option<ObjectiveLine>,
}

const fn one() -> u32 {
    1
}

fn surface() -> String {
    "surface".to_owned()
}

/// Ships are named by their groups: every ship of them is meant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ObjectiveLine {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub targets: Vec<String>,
    #[serde(default)]
    pub assets: Vec<String>,
    /// How many of the targets must be lost, or of the assets kept; all of them by default.
    pub at_least: Option<u32>,
    /// Ways to win that also meet it while it is open.
    #[serde(default = "annihilation")]
    pub met_by: Vec<String>,
    pub destination: Option<[f64; 2]>,
}

fn annihilation() -> Vec<String> {
    vec![MET_BY[0].to_owned()]
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionLine {
    pub winner: String,
    pub when: Counted,
    pub groups: Vec<String>,
    pub at_least: Option<u32>,
    pub at_most: Option<u32>,
    #[serde(default)]
    pub at_end: bool,
}
