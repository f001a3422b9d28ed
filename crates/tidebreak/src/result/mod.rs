//! The result of a battle: what became of every ship, person, round and tonne that went in.

mod collecting;
mod ledger;
mod reports;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

pub use collecting::{ReplayNote, result_of};
pub use ledger::{Breach, Rule, check};

/// What builds of this crate sign results and replays with.
pub const BUILD_ID: &str = concat!("astrarium-tidebreak ", env!("CARGO_PKG_VERSION"));

/// The causes of damage by number, as results name them.
pub const CAUSES: [&str; crate::state::CAUSES] = [
    "gun",
    "torpedo",
    "missile",
    "special",
    "mine",
    "point_defence",
    "squadron",
    "collision",
    "terrain",
    "weather",
    "fire_and_flooding",
    "transition",
];

/// How a hull ended the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ShipFate {
    Operational,
    Disabled,
    Destroyed,
    Scuttled,
    Captured,
}

/// How a hull was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the names say it")]
pub enum CaptureMethod {
    Boarded,
    Surrendered,
}

/// What ended the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedBy {
    /// It has not ended: the result of a battle so far.
    Running,
    /// A team had no ship left to fight with.
    Annihilation,
    /// A rule of the package was met.
    Objective,
    /// Time was up.
    TimeLimit,
}

/// People of one kind: where they were and where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct People {
    pub fit: u32,
    pub wounded: u32,
    pub killed: u32,
    pub captured: u32,
    pub transferred_in: u32,
    pub transferred_out: u32,
}

/// Rounds of one mount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Ammo {
    pub slot: u32,
    pub loaded_in: u32,
    pub remaining: u32,
    pub fired: u32,
    pub lost: u32,
    pub seized: u32,
}

/// Decoys of a ship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct DecoyCount {
    #[serde(rename = "in")]
    pub given: u32,
    pub used: u32,
    pub remaining: u32,
    pub lost: u32,
}

/// Fuel of a ship in tonnes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Fuel {
    #[serde(rename = "in")]
    pub given: f64,
    pub burned: f64,
    pub remaining: f64,
    pub lost: f64,
    pub seized: f64,
}

/// One kind of cargo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Cargo {
    #[serde(rename = "in")]
    pub given: f64,
    pub remaining: f64,
    pub delivered: f64,
    pub lost: f64,
    pub seized: f64,
}

/// Craft of one squadron.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SquadronOutcome {
    pub id: String,
    #[serde(rename = "in")]
    pub given: u32,
    pub aboard: u32,
    pub stranded: u32,
    pub lost: u32,
}

/// Damage a ship did and took.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Damage {
    pub dealt: f64,
    pub taken_by_cause: BTreeMap<String, f64>,
}

/// Where a ship was at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FinalState {
    pub x: f32,
    pub y: f32,
    pub heading: f32,
    pub speed: f32,
    pub layer: String,
    pub hp: f32,
}

/// What is broken aboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DamageReport {
    /// Health 0 to 1 of each component or compartment.
    pub parts: BTreeMap<String, f32>,
    /// What does not work or goes on harming the ship.
    pub flags: Vec<String>,
}

/// What became of one ship.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct ShipOutcome {
    pub ship_id: String,
    pub team_id_initial: String,
    pub team_id_final: String,
    pub fate: ShipFate,
    pub capture_method: Option<CaptureMethod>,
    pub final_state: FinalState,
    pub final_morale: f32,
    pub crew: People,
    pub marines: People,
    pub passengers: People,
    pub ammo: Vec<Ammo>,
    pub decoys: DecoyCount,
    pub fuel: Fuel,
    pub cargo: BTreeMap<String, Cargo>,
    pub squadrons: Vec<SquadronOutcome>,
    pub damage: Damage,
    pub damage_report: Option<DamageReport>,
    pub salvage_value: f64,
    pub objective_outcome: Option<String>,
}

/// What became of one team.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct TeamOutcome {
    pub team_id: String,
    pub morale_delta: f64,
    pub ships_lost: u32,
    pub ships_surrendered: u32,
    pub value_lost: f64,
    pub decisive_victory: bool,
}

/// Counts over the whole battle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct EventSummary {
    pub shots: u32,
    pub hits: u32,
    pub kills: u32,
    pub captures: u32,
    pub surrenders: u32,
    pub transitions: u32,
    pub botched: u32,
    pub collisions: u32,
    pub hazard_damage: f64,
    pub detections: u32,
    pub rejected_orders: u32,
}

/// Sums that must agree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ledger {
    /// People who went in, of every kind.
    pub people: u64,
    /// Rounds that went in.
    pub rounds: u64,
    /// Fuel that went in, in tonnes.
    pub fuel: f64,
    /// Damage that ships did.
    pub dealt: f64,
    /// Damage that nobody did: weather, ground, fires nobody set.
    pub dealt_by_nature: f64,
    /// Damage that ships took.
    pub taken: f64,
}

/// Where the battle can be seen again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct ReplayEntry {
    pub seed: u64,
    pub format: u32,
    pub orders_ref: Option<String>,
    pub orders_hash: String,
    pub initial_hash: String,
    pub final_hash: String,
}

/// How well part of a huge ship works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Working {
    Operational,
    Damaged,
    Destroyed,
}

/// A ship too large to sink.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct MegashipReport {
    pub ship_id: String,
    pub propulsion: Working,
    pub cic: Working,
    pub primary_weapons: Working,
    pub power: Working,
    pub district_damage: BTreeMap<String, f32>,
    pub casualty_estimate: u32,
    pub evacuated: u32,
    pub morale_shock: f32,
}

/// How far a boarding came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the names say it")]
pub enum BoardingStatus {
    None,
    Attempted,
    Established,
    Repulsed,
}

/// One boarding.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct BoardingOutcome {
    pub target_ship_id: String,
    pub attacker_team_id: String,
    pub status: BoardingStatus,
    pub attached_duration_s: f64,
    pub transfer_progress: f64,
    pub troops_inserted: u32,
    pub attacker_casualties: u32,
    pub defender_casualties: u32,
    pub breach_quality: f64,
    pub entry_point: Option<String>,
}

/// A battle after it was fought.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct BattleResult {
    pub schema_version: String,
    pub schema_minor: u32,
    pub battle_id: String,
    pub package_hash: String,
    pub table_hashes: BTreeMap<String, String>,
    pub seed: u64,
    pub policy_seed: Option<u64>,
    pub build_id: String,
    pub winner_team_id: Option<String>,
    pub ended_by: EndedBy,
    pub duration_s: u32,
    pub ships: Vec<ShipOutcome>,
    pub teams: Vec<TeamOutcome>,
    pub event_summary: EventSummary,
    pub ledger: Ledger,
    pub replay: ReplayEntry,
    pub boarding_outcomes: Vec<BoardingOutcome>,
    pub megaship_reports: Vec<MegashipReport>,
}

impl BattleResult {
    /// The result as JSON.
    ///
    /// # Panics
    /// Never: every key is a text, and JSON can hold everything else.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a result has only texts for keys")
    }
}
