//! The package of a battle: everything that decides it before the first order.
//!
//! Format `arena.v1`. Within the major, fields nobody knows are ignored and missing optional ones
//! take their defaults; another major is refused, and so is a value of a wrong type. A package that
//! was read is canonical: whatever the order of its lists, its ships are numbered and its bytes
//! hashed alike.

mod canonical;
mod map;
mod map_reading;
mod parsing;
mod reading;
mod ships;
#[cfg(test)]
mod tests;
mod validate;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use map::{
    BattleMap, Bounds, Currents, Depth, Obstacle, ObstacleKind, Precipitation, Shape, StormProfile,
    StormTrack, Weather, WeatherState, WeatherZone, Zone, ZoneKind,
};
pub use ships::{
    Capabilities, CrewSnapshot, HullOverrides, InitialState, LAYERS, MET_BY, MISSIONS, OBJECTIVES,
    Objective, ObjectiveZone, SENSES, ShipSnapshot, SquadronSnapshot, WeaponSnapshot,
};

use crate::tables::Tables;
use reading::{Node, Path, Reading};

/// The format that this build reads and writes.
pub const SCHEMA_VERSION: &str = "arena.v1";
/// What this build adds to the major: `decided_by`; then objectives about groups, what meets them,
/// and `scuttle_any_time`.
pub const SCHEMA_MINOR: u32 = 2;
/// The most ships of a battle.
pub const SHIPS_MAX: usize = 2048;
/// Lengths a substep may have, in seconds.
pub const TIME_STEPS_S: [f64; 4] = [0.05, 0.1, 0.2, 0.25];

/// Why a package was refused: where, what, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {problem}; {fix}", if path.is_empty() { "package" } else { path.as_str() })]
pub struct PackageError {
    /// The field, e.g. `ships[3].hull_class`; empty for the document itself.
    pub path: String,
    /// What is wrong with it.
    pub problem: String,
    /// What to do about it.
    pub fix: String,
}

/// How finely the fields are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[repr(u8)]
pub enum Fidelity {
    /// Ambient values only.
    F0 = 0,
    /// 250 m.
    F1 = 1,
    /// 125 m.
    F2 = 2,
    /// 62.5 m.
    F3 = 3,
}

/// Where a team comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct FactionContext {
    pub faction_id: String,
    pub philosophy: Option<String>,
    pub tech_tags: Vec<String>,
    pub morale_state: f64,
    pub at_war_with: Vec<String>,
}

/// One side.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct Team {
    pub team_id: String,
    pub name: String,
    pub doctrine: Option<String>,
    pub faction_context: Option<FactionContext>,
}

/// What is counted about ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    /// Left the map with leave to do so.
    Exited,
    /// Destroyed, scuttled, captured, surrendered or disabled.
    Lost,
}

/// A rule that settles the battle besides the usual end: `winner` wins when the number of `ships`
/// that are so lies between `at_least` and `at_most`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decision {
    /// The team that wins.
    pub winner: String,
    /// What is counted.
    pub when: Counted,
    /// Among which ships.
    pub ships: Vec<String>,
    /// At least so many.
    pub at_least: u32,
    /// At most so many.
    pub at_most: u32,
    /// Whether the rule is looked at only when time is up.
    pub at_end: bool,
}

/// A battle before it is fought.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct BattlePackage {
    pub schema_version: String,
    pub schema_minor: u32,
    pub battle_id: String,
    pub seed: u64,
    pub policy_seed: Option<u64>,
    pub time_step_s: f64,
    pub time_limit_s: u32,
    pub fidelity: Fidelity,
    pub table_hashes: BTreeMap<String, String>,
    pub teams: Vec<Team>,
    pub map: BattleMap,
    pub ships: Vec<ShipSnapshot>,
    pub decided_by: Vec<Decision>,
    /// Whether ships may scuttle at any time, not only when they are past saving.
    pub scuttle_any_time: bool,
}

/// Reads a package, checks it against the tables and puts it into canonical order.
///
/// # Errors
/// The first thing that is wrong with it, by its path.
pub fn read(json: &[u8], tables: &Tables) -> Result<BattlePackage, PackageError> {
    let document = parsing::parse(json)?;
    let package = BattlePackage::read(Node { value: &document, path: Path::Root })?;
    settle(package, tables)
}

/// Checks a package that was drawn rather than read, and puts it into canonical order. Its figures
/// are taken to be in range: a scenario's file is trusted so far, a stranger's JSON is not.
///
/// # Errors
/// The first thing that does not fit, by its path.
pub(crate) fn settle(
    mut package: BattlePackage,
    tables: &Tables,
) -> Result<BattlePackage, PackageError> {
    if package.seed == 0 {
        return Err(Path::Field(&Path::Root, "seed").refuse("0 is no seed", "give one above 0"));
    }
    validate::validate(&package, tables)?;
    canonical::settle(&mut package);
    Ok(package)
}

impl BattlePackage {
    /// The package as JSON; of a canonical package the canonical bytes.
    ///
    /// # Panics
    /// Never: every key is a text, and JSON can hold everything else.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a package has only texts for keys")
    }

    /// XXH64 of the canonical bytes.
    #[must_use]
    pub fn hash(&self) -> u64 {
        astrarium_kernel::digest_bytes(&self.to_json())
    }

    /// Which team a team id means.
    #[must_use]
    pub fn team_row(&self, team_id: &str) -> Option<usize> {
        self.teams.iter().position(|team| team.team_id == team_id)
    }

    /// Which ship a ship id means.
    #[must_use]
    pub fn ship_row(&self, ship_id: &str) -> Option<usize> {
        self.ships.iter().position(|ship| ship.ship_id == ship_id)
    }

    fn read(node: Node<'_, '_>) -> Reading<Self> {
        let package = node.object()?;
        // First of all: another major may mean something else by every other field.
        let schema_version = package.need("schema_version", read_version)?;
        let fidelities = [Fidelity::F0, Fidelity::F1, Fidelity::F2, Fidelity::F3];
        let fidelity = |node: Node<'_, '_>| {
            Ok(fidelities[node.one_of("fidelity", &["F0", "F1", "F2", "F3"])?])
        };
        let hash = |_: &str, node: Node<'_, '_>| node.text(16, 16);
        Ok(Self {
            schema_version,
            schema_minor: package.need("schema_minor", |node| node.count(u32::MAX))?,
            battle_id: package.need("battle_id", |node| node.name())?,
            seed: package.need("seed", |node| node.integer(1..=u64::MAX))?,
            policy_seed: package.may("policy_seed", |node| node.integer(0..=u64::MAX))?,
            time_step_s: package.need("time_step_s", read_time_step)?,
            time_limit_s: package
                .need("time_limit_s", |node| Ok(node.integer(60..=7_200)? as u32))?,
            fidelity: package.need("fidelity", fidelity)?,
            table_hashes: package
                .need("table_hashes", |node| node.object()?.each(hash))?
                .into_iter()
                .collect(),
            teams: package.need("teams", |node| node.list(2, 4, read_team))?,
            map: package.need("map", BattleMap::read)?,
            ships: package.need("ships", |node| node.list(1, SHIPS_MAX, ShipSnapshot::read))?,
            decided_by: package
                .or("decided_by", Vec::new(), |node| node.list(0, 16, read_decision))?,
            scuttle_any_time: package.or("scuttle_any_time", false, |node| node.yes_or_no())?,
        })
    }
}

fn read_version(node: Node<'_, '_>) -> Reading<String> {
    let version = node.text(1, 64)?;
    if version == SCHEMA_VERSION {
        return Ok(version);
    }
    Err(node.path.refuse(
        format!("\"{version}\" is another format"),
        format!("this build reads \"{SCHEMA_VERSION}\""),
    ))
}

fn read_time_step(node: Node<'_, '_>) -> Reading<f64> {
    let step = node.number(0.0..=1.0)?;
    if TIME_STEPS_S.contains(&step) {
        return Ok(step);
    }
    Err(node.path.refuse(format!("{step} s is no substep"), "give 0.05, 0.1, 0.2 or 0.25"))
}

fn read_team(node: Node<'_, '_>) -> Reading<Team> {
    let team = node.object()?;
    let names = |node: Node<'_, '_>| node.list(0, 64, |node| node.name());
    let faction = |node: Node<'_, '_>| {
        let faction = node.object()?;
        Ok(FactionContext {
            faction_id: faction.need("faction_id", |node| node.name())?,
            philosophy: faction.may("philosophy", |node| node.name())?,
            tech_tags: faction.need("tech_tags", names)?,
            morale_state: faction.need("morale_state", |node| node.number(0.0..=1.0))?,
            at_war_with: faction.need("at_war_with", names)?,
        })
    };
    Ok(Team {
        team_id: team.need("team_id", |node| node.name())?,
        name: team.need("name", |node| node.name())?,
        doctrine: team.may("doctrine", |node| node.name())?,
        faction_context: team.may("faction_context", faction)?,
    })
}

fn read_decision(node: Node<'_, '_>) -> Reading<Decision> {
    let rule = node.object()?;
    let counted = |node: Node<'_, '_>| {
        Ok([Counted::Exited, Counted::Lost][node.one_of("count", &["exited", "lost"])?])
    };
    let winner = rule.need("winner", |node| node.name())?;
    let when = rule.need("when", counted)?;
    let ships = rule.need("ships", |node| node.list(1, SHIPS_MAX, |node| node.name()))?;
    let most = ships.len() as u32;
    Ok(Decision {
        winner,
        when,
        at_least: rule.or("at_least", 0, |node| node.count(most))?,
        at_most: rule.may("at_most", |node| node.count(most))?.unwrap_or(most),
        at_end: rule.or("at_end", false, |node| node.yes_or_no())?,
        ships,
    })
}
