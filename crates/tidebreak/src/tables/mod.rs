//! The data tables: every figure of the world that is tuned rather than proved.
//!
//! Each table is one TOML file under `data/`, typed here, checked on reading and hashed by content,
//! so that a result or a replay names the figures it was played with. Angles are written in degrees
//! and held in radians.

mod arms;
mod checking;
mod doctrines;
mod fields;
mod hulls;
mod objectives;
mod own;
mod people;
mod sensing;
mod sources;
mod squadrons;
#[cfg(test)]
mod tests;
mod water;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use astrarium_kernel::digest_of;
use thiserror::Error;

pub use arms::{DecoyFigures, Guidance, Loadout, Mount, Reach, Weapon, WeaponGroup, WeaponTable};
pub use doctrines::{AloneFigures, DoctrineFigures};
pub use fields::{BlastMark, FieldFigures, FieldTable, FireMark};
pub use hulls::{Hull, SizeClass};
pub use objectives::ObjectiveTable;
pub use own::TABLE_BYTES_MAX;
pub use people::{
    BattleMoraleFigures, CasualtyFigures, CompartmentFigures, ComponentFigures, CrewTable,
    CriticalFigures, DamageTable, FateFigures, FatigueFigures, FireFigures, FloodingFigures,
    MoraleFigures, RepairFigures, SalvageFigures, SkillFigures, SurrenderFigures, UsualCrew,
};
pub use sensing::{
    DetectionFigures, EmissionFigures, EsmFigures, JammerFigures, LinkTable, OcclusionFigures,
    OrdnanceSignature, SensorRanges, SensorTable, SonarFigures, TrackFigures,
};
pub use sources::TableTexts;
pub use squadrons::{BombFigures, DogfightFigures, SquadronTable};
pub use water::{
    BotchedFigures, ContactFigures, EdgeFigures, FuelFigures, GroundFigures, LayerTable,
    MotionTable, PopUpFigures, StormFigures, TransitionFigures, WeatherTable,
};

/// A figure somebody wrote wrongly: which table, where in it, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("table {table}: {path}: {problem}")]
pub struct TableError {
    /// The table's name, as in the file's name.
    pub table: &'static str,
    /// Where in the table, e.g. `hull[3].radius_m`.
    pub path: String,
    /// What is wrong with it.
    pub problem: String,
}

/// Every table, in the order in which their hashes are listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// Hull classes by id.
    pub hulls: Vec<Hull>,
    /// Weapons by id, and what all of them share.
    pub weapons: WeaponTable,
    /// What each hull class carries, by hull id.
    pub mounts: Vec<Loadout>,
    /// How far each class senses, and how signals become tracks.
    pub sensors: SensorTable,
    /// What changing a layer costs.
    pub layers: LayerTable,
    /// What the sea does.
    pub weather: WeatherTable,
    /// Skill, fatigue, morale, surrender.
    pub crew: CrewTable,
    /// How hulls move and touch.
    pub motion: MotionTable,
    /// How hits become losses.
    pub damage: DamageTable,
    /// Data links by tier.
    pub links: LinkTable,
    /// What the fields of the sea are, and what is pressed into them.
    pub fields: FieldTable,
    /// How craft fly, see and fight.
    pub squadrons: SquadronTable,
    /// When objectives count as met.
    pub objectives: ObjectiveTable,
    /// The figures behind each doctrine, by its name.
    pub doctrines: BTreeMap<String, DoctrineFigures>,
    /// The content hash of every table, by its name.
    pub hashes: BTreeMap<String, u64>,
}

impl Tables {
    /// The tables that come with this build.
    ///
    /// # Panics
    /// Never in a build whose tests passed: they read these very texts.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<Tables> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            Self::read(&TableTexts::shipped()).expect("the shipped tables are read by the tests")
        })
    }

    /// Reads and checks all tables.
    ///
    /// # Errors
    /// The first figure that is missing, unknown, of a wrong type or out of its range.
    pub fn read(texts: &TableTexts<'_>) -> Result<Self, TableError> {
        let hulls = hulls::read(texts.hulls)?;
        let weapons = arms::read_weapons(texts.weapons)?;
        let mounts = arms::read_mounts(texts.mounts, &hulls, &weapons.weapons)?;
        let mut tables = Self {
            sensors: sensing::read_sensors(texts.sensors, &hulls)?,
            layers: sources::parse("layers", texts.layers)?,
            weather: sources::parse("weather", texts.weather)?,
            crew: sources::parse("crew", texts.crew)?,
            motion: sources::parse("motion", texts.motion)?,
            damage: sources::parse("damage", texts.damage)?,
            links: sources::parse("links", texts.links)?,
            fields: fields::read(texts.fields)?,
            squadrons: sources::parse("squadrons", texts.squadrons)?,
            objectives: sources::parse("objectives", texts.objectives)?,
            doctrines: doctrines::read(texts.doctrines)?,
            hulls,
            weapons,
            mounts,
            hashes: BTreeMap::new(),
        };
        checking::check(&tables)?;
        tables.hashes = tables.content_hashes();
        Ok(tables)
    }

    /// The hull class named `name`.
    #[must_use]
    pub fn hull_named(&self, name: &str) -> Option<&Hull> {
        self.hulls.iter().find(|hull| hull.name == name)
    }

    /// The weapon named `name`.
    #[must_use]
    pub fn weapon_named(&self, name: &str) -> Option<&Weapon> {
        self.weapons.weapons.iter().find(|weapon| weapon.name == name)
    }

    /// The weapon numbered `id`.
    #[inline]
    #[must_use]
    pub fn weapon(&self, id: u8) -> &Weapon {
        &self.weapons.weapons[usize::from(id)]
    }

    /// The hull class numbered `id`.
    #[inline]
    #[must_use]
    pub fn hull(&self, id: u8) -> &Hull {
        &self.hulls[usize::from(id)]
    }

    /// The content hashes as packages, results and replays write them: 16 hexadecimal digits.
    #[must_use]
    pub fn hashes_in_words(&self) -> BTreeMap<String, String> {
        self.hashes.iter().map(|(name, hash)| (name.clone(), format!("{hash:016x}"))).collect()
    }

    /// One number for all tables together.
    #[must_use]
    pub fn content_hash(&self) -> u64 {
        digest_of(&self.hashes)
    }

    fn content_hashes(&self) -> BTreeMap<String, u64> {
        [
            ("hulls", digest_of(&self.hulls)),
            ("weapons", digest_of(&self.weapons)),
            ("mounts", digest_of(&self.mounts)),
            ("sensors", digest_of(&self.sensors)),
            ("layers", digest_of(&self.layers)),
            ("weather", digest_of(&self.weather)),
            ("crew", digest_of(&self.crew)),
            ("motion", digest_of(&self.motion)),
            ("damage", digest_of(&self.damage)),
            ("links", digest_of(&self.links)),
            ("fields", digest_of(&self.fields)),
            ("squadrons", digest_of(&self.squadrons)),
            ("objectives", digest_of(&self.objectives)),
            ("doctrines", digest_of(&self.doctrines)),
        ]
        .into_iter()
        .map(|(name, hash)| (name.to_owned(), hash))
        .collect()
    }
}
