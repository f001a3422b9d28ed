//! The figures behind each doctrine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TableError;
use super::sources::{VERSION, degrees, parse};

/// How bold, how far and how often. A figure that a doctrine does not use keeps its plain default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DoctrineFigures {
    /// Seconds for which the helm is held, from and to.
    pub hold_s: [f32; 2],
    /// Throttle when closing.
    pub throttle: f32,
    /// Emission while nothing is cued: 1 silent, 2 passive, 3 active, as in an order.
    #[serde(deserialize_with = "emission")]
    pub emission: u8,
    /// Distance held, as a share of the best weapon's range.
    pub stand_off_share: f32,
    /// Turn away from a torpedo, in rad.
    #[serde(rename = "torpedo_turn_deg", deserialize_with = "degrees")]
    pub torpedo_turn: f32,
    /// Decoys go out when ordnance is nearer than this.
    pub decoy_range_m: f32,
    /// Share of HP below which the ship withdraws; 0: never.
    pub withdraw_hp: f32,
    /// Whether the team's linked tracks decide, rather than the ship's own.
    pub shared_picture: bool,
    /// Share of top speed while stalking submerged.
    pub stalk_speed_share: f32,
    /// The same while the victim is farther than `stalk_range_m`.
    pub stalk_far_speed_share: f32,
    /// Turn off a victim that came nearer than `stalk_stand_off`, in rad.
    #[serde(rename = "stalk_turn_deg", deserialize_with = "degrees")]
    pub stalk_turn: f32,
    /// Torpedoes leave together once so many tubes are ready, or no more will be.
    pub torpedo_spread_least: u32,
    /// Missiles of a team are timed to arrive within this many seconds; 0: they are not timed.
    pub missile_window_s: f32,
    /// Ships that search actively for the rest.
    pub pickets: u32,
    /// Where damage-control teams go while nothing is burning, flooding or out of action: 0 hull,
    /// 1 propulsion, 2 weapons, 3 sensors, as in an order.
    #[serde(deserialize_with = "repair")]
    pub repair: u8,
    /// Share of HP below which the hull comes before any part of it.
    pub hull_first_hp: f32,
    /// Torpedoes nearer than this are run from.
    pub torpedo_alarm_m: f32,
    /// Share of a torpedo's range within which its target must be met.
    pub torpedo_run_share: f32,
    /// How much of the time the target is expected to run away: 0 it goes on, 1 it flees at once.
    pub torpedo_flight: f32,
    /// Swing of the course to both sides under fire, in rad.
    #[serde(rename = "weave_deg", deserialize_with = "degrees")]
    pub weave: f32,
    /// Seconds of one swing.
    pub weave_s: u32,
    /// Worth of a victim by size, small to extra large: how much farther the pack goes for it.
    pub size_worth: [f32; 4],
    /// Weight of the own distance to a victim beside that of each ally's.
    pub own_picture: f32,
    /// A hull below goes slow within this distance.
    pub stalk_range_m: f32,
    /// Distance a hull below keeps, as a share of its torpedoes' range.
    pub stalk_stand_off: f32,
    /// Seconds between two moments at which missiles of the pack arrive.
    pub missile_beat_s: f32,
    /// Distance a small hull keeps from friends; 0: it minds none of them.
    pub clearance_m: f32,
    /// What a ship of the pack does otherwise while it hears of no friend.
    pub alone: AloneFigures,
}

/// How a ship fights by itself: whatever is fired comes from one side, so it can be dodged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AloneFigures {
    /// Distance held, as a share of the best weapon's range.
    pub stand_off_share: f32,
    /// Angle to the line of fire at which the distance is opened or closed, in rad.
    #[serde(rename = "slant_deg", deserialize_with = "degrees")]
    pub slant: f32,
    /// Swing of the course to both sides under fire, in rad.
    #[serde(rename = "weave_deg", deserialize_with = "degrees")]
    pub weave: f32,
    /// Seconds of one swing.
    pub weave_s: u32,
    /// Torpedoes nearer than this are run from.
    pub torpedo_alarm_m: f32,
}

impl Default for DoctrineFigures {
    fn default() -> Self {
        Self {
            hold_s: [0.0; 2],
            throttle: 1.0,
            emission: 2,
            stand_off_share: 0.0,
            torpedo_turn: 0.0,
            decoy_range_m: 0.0,
            withdraw_hp: 0.0,
            shared_picture: false,
            stalk_speed_share: 1.0,
            stalk_far_speed_share: 1.0,
            stalk_turn: 0.0,
            torpedo_spread_least: 1,
            missile_window_s: 0.0,
            pickets: 0,
            repair: 0,
            hull_first_hp: 0.0,
            torpedo_alarm_m: 0.0,
            torpedo_run_share: 1.0,
            torpedo_flight: 0.0,
            weave: 0.0,
            weave_s: 0,
            size_worth: [1.0; 4],
            own_picture: 0.0,
            stalk_range_m: 0.0,
            stalk_stand_off: 0.0,
            missile_beat_s: 0.0,
            clearance_m: 0.0,
            alone: AloneFigures::default(),
        }
    }
}

fn emission<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    place_of(&["silent", "passive", "active"], "emission", from).map(|place| place + 1)
}

fn repair<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    place_of(&["hull", "propulsion", "weapons", "sensors"], "repair", from)
}

/// Which of the known words is given.
fn place_of<'de, D: serde::Deserializer<'de>>(
    known: &[&str],
    what: &str,
    from: D,
) -> Result<u8, D::Error> {
    let name = String::deserialize(from)?;
    known.iter().position(|word| *word == name).map_or_else(
        || {
            Err(serde::de::Error::custom(format!(
                "unknown {what} \"{name}\"; known are {}",
                known.join(", ")
            )))
        },
        |place| Ok(place as u8),
    )
}

#[derive(Deserialize)]
struct DoctrineFile {
    version: u32,
    #[serde(flatten)]
    doctrines: BTreeMap<String, DoctrineFigures>,
}

/// Reads the doctrines by name.
pub(super) fn read(text: &str) -> Result<BTreeMap<String, DoctrineFigures>, TableError> {
    let file: DoctrineFile = parse("doctrines", text)?;
    if file.version != VERSION {
        return Err(TableError {
            table: "doctrines",
            path: "version".to_owned(),
            problem: format!("{}, but this build reads version {VERSION}", file.version),
        });
    }
    Ok(file.doctrines)
}
