//! Scenarios: files from which a seed draws a battle.
//!
//! A scenario places two teams on an axis through the map, each group of ships as its team sees the
//! enemy, and draws weather, water and land around them, all from stream 0 of the seed. Which ships
//! take part, and under which ids, never depends on the seed.

mod drawing;
mod file;
mod placing;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use thiserror::Error;

use crate::package::{
    self, BattlePackage, Decision, Fidelity, PackageError, SCHEMA_MINOR, SCHEMA_VERSION,
    ShipSnapshot, Team,
};
use crate::tables::Tables;
use drawing::Drawing;
use file::ScenarioFile;

/// The scenario files that come with this build, by name.
const SHIPPED: [(&str, &str); 11] = [
    ("duel", include_str!("../../data/scenarios/duel.toml")),
    ("duel_currents", include_str!("../../data/scenarios/duel_currents.toml")),
    ("duel_islands", include_str!("../../data/scenarios/duel_islands.toml")),
    ("duel_weather", include_str!("../../data/scenarios/duel_weather.toml")),
    ("duel_fog", include_str!("../../data/scenarios/duel_fog.toml")),
    ("skirmish", include_str!("../../data/scenarios/skirmish.toml")),
    ("uneven", include_str!("../../data/scenarios/uneven.toml")),
    ("duel_asw", include_str!("../../data/scenarios/duel_asw.toml")),
    ("convoy_escort", include_str!("../../data/scenarios/convoy_escort.toml")),
    ("submarine_ambush", include_str!("../../data/scenarios/submarine_ambush.toml")),
    ("fleet_action", include_str!("../../data/scenarios/fleet_action.toml")),
];

/// Why a scenario cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScenarioError {
    /// Nobody ships it.
    #[error("no scenario is called \"{name}\"; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The file cannot be read.
    #[error("scenario {name}: {problem}")]
    File {
        /// Of the scenario.
        name: String,
        /// What is wrong with the file.
        problem: String,
    },
    /// The battle that it draws is no legal package.
    #[error("scenario {name}: {error}")]
    Package {
        /// Of the scenario.
        name: String,
        /// What is wrong with the package.
        error: PackageError,
    },
}

/// One scenario, ready to draw battles.
#[derive(Clone, Debug)]
pub struct Scenario {
    name: String,
    file: ScenarioFile,
    /// One whole ship per place in the battle, with its group's number; ids are settled.
    ships: Vec<(usize, ShipSnapshot)>,
    decided_by: Vec<Decision>,
}

impl Scenario {
    /// The names of the shipped scenarios; the curriculum's steps come first, in their order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// A shipped scenario.
    ///
    /// # Errors
    /// If none has the name.
    pub fn shipped(name: &str) -> Result<&'static Self, ScenarioError> {
        static ALL: OnceLock<Vec<Scenario>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            let read = |(name, text): &(&str, &str)| Self::read(name, text, Tables::shipped());
            SHIPPED
                .iter()
                .map(|shipped| read(shipped).expect("the shipped scenarios are read by the tests"))
                .collect()
        });
        all.iter().find(|scenario| scenario.name == name).ok_or_else(|| ScenarioError::Unknown {
            name: name.to_owned(),
            known: Self::names().collect::<Vec<_>>().join(", "),
        })
    }

    /// Reads a scenario file.
    ///
    /// # Errors
    /// If the text is no scenario, or names hulls, teams or groups that do not exist.
    pub fn read(name: &str, text: &str, tables: &Tables) -> Result<Self, ScenarioError> {
        let wrong = |problem| ScenarioError::File { name: name.to_owned(), problem };
        let file: ScenarioFile =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim().to_owned()))?;
        if file.team.len() != 2 {
            return Err(wrong(format!("{} teams are given, not 2", file.team.len())));
        }
        let ships = placing::enlist(&file, tables).map_err(wrong)?;
        let decided_by = placing::decisions(&file, &ships).map_err(wrong)?;
        Ok(Self { name: name.to_owned(), file, ships, decided_by })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a line.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.file.about
    }

    /// The ids of the ships that take part, with the row of their team, in canonical order.
    pub fn ship_ids(&self) -> impl Iterator<Item = (usize, &str)> {
        self.ships.iter().map(|(_, ship)| {
            let row = self.file.team.iter().position(|team| team.id == ship.team_id).unwrap_or(0);
            (row, ship.ship_id.as_str())
        })
    }

    /// The battle that `seed` draws.
    ///
    /// # Errors
    /// If the file asks for something no package may hold, such as a ship outside the map.
    pub fn package(
        &self,
        seed: u64,
        fidelity: Fidelity,
        tables: &Tables,
    ) -> Result<BattlePackage, ScenarioError> {
        let drawing = Drawing::of(&self.file, seed);
        let ships = self.place(&drawing);
        let package = BattlePackage {
            schema_version: SCHEMA_VERSION.to_owned(),
            schema_minor: SCHEMA_MINOR,
            battle_id: format!("{}-{seed:016x}", self.name),
            seed,
            policy_seed: None,
            time_step_s: self.file.substep_s,
            time_limit_s: self.file.limit_s,
            fidelity,
            table_hashes: tables
                .hashes
                .iter()
                .map(|(name, hash)| (name.clone(), format!("{hash:016x}")))
                .collect(),
            teams: self.teams(),
            map: drawing.map(&ships),
            ships,
            decided_by: self.decided_by.clone(),
        };
        package::settle(package, tables)
            .map_err(|error| ScenarioError::Package { name: self.name.clone(), error })
    }

    fn teams(&self) -> Vec<Team> {
        let team = |line: &file::TeamLine| Team {
            team_id: line.id.clone(),
            name: line.name.clone(),
            doctrine: line.doctrine.clone(),
            faction_context: None,
        };
        self.file.team.iter().map(team).collect()
    }

    fn place(&self, drawing: &Drawing<'_>) -> Vec<ShipSnapshot> {
        let mut ships = Vec::with_capacity(self.ships.len());
        let mut within = 0;
        for (row, (number, ship)) in self.ships.iter().enumerate() {
            let starts_group = row == 0 || self.ships[row - 1].0 != *number;
            within = if starts_group { 0 } else { within + 1 };
            let mut ship = ship.clone();
            drawing.place(&mut ship, row as u32, &self.file.group[*number], within);
            ships.push(ship);
        }
        ships
    }
}
