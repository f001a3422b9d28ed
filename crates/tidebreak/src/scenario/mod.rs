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
    self, BattlePackage, Decision, Fidelity, SCHEMA_MINOR, SCHEMA_VERSION, ShipSnapshot, Team,
};
use crate::setup::Setup;
use crate::tables::Tables;
use drawing::{Drawing, Luck};
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
    /// The file cannot be read, or asks for battles that cannot be fought.
    #[error("scenario {name}: {problem}")]
    File {
        /// Of the scenario.
        name: String,
        /// What is wrong with the file.
        problem: String,
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
    tables: &'static Tables,
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
    pub fn named(name: &str) -> Result<Self, ScenarioError> {
        static ALL: OnceLock<Vec<Scenario>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            let read = |(name, text): &(&str, &str)| Self::read(name, text);
            SHIPPED
                .iter()
                .map(|shipped| read(shipped).expect("the shipped scenarios are read by the tests"))
                .collect()
        });
        all.iter().find(|scenario| scenario.name == name).cloned().ok_or_else(|| {
            ScenarioError::Unknown {
                name: name.to_owned(),
                known: Self::names().collect::<Vec<_>>().join(", "),
            }
        })
    }

    /// A shipped scenario under other tables.
    ///
    /// # Errors
    /// If none has the name, or these tables allow no such battle.
    pub fn named_with(name: &str, tables: &'static Tables) -> Result<Self, ScenarioError> {
        let shipped = Self::named(name)?;
        if std::ptr::eq(tables, Tables::shipped()) {
            return Ok(shipped);
        }
        let text = SHIPPED.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
        Self::read_with(name, text, tables)
    }

    /// Reads a scenario file, for the tables of this build.
    ///
    /// # Errors
    /// If the text is no scenario, names what does not exist, or could draw a battle that is not legal.
    pub fn read(name: &str, text: &str) -> Result<Self, ScenarioError> {
        Self::read_with(name, text, Tables::shipped())
    }

    /// Reads a scenario file, for these tables.
    ///
    /// # Errors
    /// As for [`Scenario::read`].
    pub fn read_with(
        name: &str,
        text: &str,
        tables: &'static Tables,
    ) -> Result<Self, ScenarioError> {
        let wrong = |problem| ScenarioError::File { name: name.to_owned(), problem };
        let file: ScenarioFile =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim().to_owned()))?;
        if file.team.len() != 2 {
            return Err(wrong(format!("{} teams are given, not 2", file.team.len())));
        }
        let ships = placing::enlist(&file, tables).map_err(wrong)?;
        let decided_by = placing::decisions(&file, &ships).map_err(wrong)?;
        let scenario = Self { name: name.to_owned(), file, ships, decided_by, tables };
        scenario.check().map_err(wrong)?;
        Ok(scenario)
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

    /// The battle that `seed` draws, at fidelity F1. A package knows no seed of 0: that one draws as 1.
    ///
    /// # Panics
    /// Never: reading the scenario made sure that whatever is drawn is legal.
    #[must_use]
    pub fn package(&self, seed: u64) -> BattlePackage {
        let seed = seed.max(1);
        let drawing = Drawing::of(&self.file, Luck::Seeded(seed));
        package::settle(self.battle(seed, &drawing), self.tables)
            .expect("reading the scenario made sure that whatever is drawn is legal")
    }

    /// Makes `setup` the battle that `seed` draws, at the fidelity it has.
    ///
    /// # Panics
    /// Never: a setup of this scenario has been made before, and every map of it is as large.
    pub fn place(&self, seed: u64, setup: &mut Setup) {
        let mut package = self.package(seed);
        package.fidelity = setup.package.fidelity;
        *setup = Setup::with_tables(package, self.tables)
            .expect("every map of a scenario is as large as its first");
    }

    fn battle(&self, seed: u64, drawing: &Drawing<'_>) -> BattlePackage {
        let ships = self.place_ships(drawing);
        BattlePackage {
            schema_version: SCHEMA_VERSION.to_owned(),
            schema_minor: SCHEMA_MINOR,
            battle_id: format!("{}-{seed:016x}", self.name),
            seed,
            policy_seed: None,
            time_step_s: self.file.substep_s,
            time_limit_s: self.file.limit_s,
            fidelity: Fidelity::F1,
            table_hashes: self.tables.hashes_in_words(),
            teams: self.teams(),
            map: drawing.map(&ships),
            ships,
            decided_by: self.decided_by.clone(),
            scuttle_any_time: self.file.scuttle_any_time,
        }
    }

    /// Every figure is drawn from a range, so if the least and the most of all ranges are legal,
    /// whatever lies between is; places also depend on the bearing and are checked for themselves.
    fn check(&self) -> Result<(), String> {
        placing::check_room(&self.file, &self.ships)?;
        for luck in [Luck::Least, Luck::Most] {
            let drawing = Drawing::of(&self.file, luck);
            let package = self.battle(1, &drawing);
            package::read(&package.to_json(), self.tables).map_err(|error| error.to_string())?;
        }
        Ok(())
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

    fn place_ships(&self, drawing: &Drawing<'_>) -> Vec<ShipSnapshot> {
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
