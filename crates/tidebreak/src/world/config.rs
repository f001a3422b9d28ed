//! Settings of a batch of battles, and what follows from them once for all of its worlds.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::doctrine::Doctrine;
use crate::draws::{Draw, Draws};
use crate::package::{self, Fidelity};
use crate::scenario::{Scenario, ScenarioError};
use crate::setup::Setup;
use crate::state::NOBODY;
use crate::tables::Tables;

/// Reward terms of a ship.
pub const TERMS: usize = 12;
/// What each term is worth unless told otherwise.
pub const WEIGHTS: [f32; TERMS] =
    [10.0, 2.0, -1.0, 3.0, -2.0, 0.0, -0.002, 0.05, -0.02, -0.5, 1.0, 5.0];
/// The greatest size of a weight: sums of terms stay far from what a float can hold.
const WEIGHT_MAX: f32 = 1e4;
/// Ticks of one decision, at most.
const DECISION_TICKS_MAX: u32 = 10;

/// An opponent that each seed draws.
const ANY: &str = "any";

/// Which side the agents are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Side {
    Blue,
    Red,
    Both,
}

/// Who commands the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Opponent {
    /// A doctrine, or `any` for one that each seed draws from all but the weakest.
    Named(String),
    /// Doctrines that each seed draws from; one that is named twice comes twice as often.
    OneOf(Vec<String>),
}

impl From<&str> for Opponent {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

/// How throttle and rudder are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Helm {
    /// As the first two of eleven heads, five choices each.
    Discrete,
    /// As two controls beside nine heads.
    Continuous,
}

/// Settings as they are written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Document {
    /// Name of a scenario; what is fought where there is no package.
    pub scenario: String,
    /// The text of a scenario file of the user's own, fought under that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario_text: Option<String>,
    /// Texts of tables of the user's own, by name; the others are those of this build.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<String, String>,
    /// A battle package as JSON, fought from its own places in every episode.
    pub package: Option<String>,
    /// Whose ships are agents.
    pub side: Side,
    /// The only ship of that side that is an agent, by its place in the side; without one, all are.
    pub ship: Option<u32>,
    /// Who commands the other side.
    pub opponent: Opponent,
    /// Who commands ships of the own side that are no agents.
    pub allies: Doctrine,
    /// Ticks of one decision.
    pub decision_ticks: u32,
    /// How finely fields are resolved: F0, F1, F2 or F3.
    pub fidelity: String,
    /// How the helm is ordered.
    pub helm: Helm,
    /// What each reward term is worth.
    pub weights: [f32; TERMS],
}

impl Document {
    /// The scenario meant: the user's own, or a shipped one.
    fn scenario(&self, tables: &'static Tables) -> Result<Scenario, ScenarioError> {
        match &self.scenario_text {
            Some(text) => Scenario::read_with(&self.scenario, text, tables),
            None => Scenario::named_with(&self.scenario, tables),
        }
    }
}

impl Default for Document {
    fn default() -> Self {
        Self {
            scenario: "duel".to_owned(),
            scenario_text: None,
            tables: BTreeMap::new(),
            package: None,
            side: Side::Blue,
            ship: None,
            opponent: Doctrine::Line.name().into(),
            allies: Doctrine::Line,
            decision_ticks: 1,
            fidelity: "F1".to_owned(),
            helm: Helm::Discrete,
            weights: WEIGHTS,
        }
    }
}

/// Where the battles of a batch come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A scenario, whose places each seed draws anew.
    Scenario(Box<Scenario>),
    /// A package, always the same.
    Package,
}

/// Checked settings with what follows from them.
#[derive(Clone, Debug)]
pub struct Config {
    /// Shared by all worlds of a batch.
    pub terms: Arc<Terms>,
}

/// The terms on which battles are fought.
#[derive(Clone, Debug)]
pub struct Terms {
    /// As written.
    pub document: Document,
    /// Where battles come from.
    pub source: Source,
    /// A battle of the source; ships and map are those of every episode, places may differ.
    pub setup: Arc<Setup>,
    /// Rows of the ships that are agents, blue ones first.
    pub agents: Vec<u32>,
    /// Each seed draws one of these to command the other side.
    pub opponents: Vec<Doctrine>,
}

impl Config {
    /// Check the settings and work out what follows.
    ///
    /// # Errors
    /// The first thing wrong with them: the field, and what it may be.
    pub fn new(document: Document) -> Result<Self, String> {
        check(&document)?;
        let fidelity = fidelity(&document.fidelity)?;
        let (source, setup) = battle(&document, fidelity)?;
        if setup.package.teams.len() != 2 {
            return Err(format!(
                "package: has {} teams; this world is about two sides",
                setup.package.teams.len()
            ));
        }
        let agents = agents(&document, &setup)?;
        let opponents = opponents(&document.opponent)?;
        let terms = Terms { document, source, setup: Arc::new(setup), agents, opponents };
        Ok(Self { terms: Arc::new(terms) })
    }
}

fn check(document: &Document) -> Result<(), String> {
    if !(1..=DECISION_TICKS_MAX).contains(&document.decision_ticks) {
        return Err(format!(
            "decision_ticks: {} is not between 1 and {DECISION_TICKS_MAX}",
            document.decision_ticks
        ));
    }
    for (at, weight) in document.weights.iter().enumerate() {
        // Written so that NaN counts as too large.
        if weight.is_nan() || weight.abs() > WEIGHT_MAX {
            return Err(format!("weights[{at}]: {weight} is not between -1e4 and 1e4"));
        }
    }
    Ok(())
}

fn fidelity(name: &str) -> Result<Fidelity, String> {
    match name {
        "F0" => Ok(Fidelity::F0),
        "F1" => Ok(Fidelity::F1),
        "F2" => Ok(Fidelity::F2),
        "F3" => Ok(Fidelity::F3),
        _ => Err(format!("fidelity: {name:?} is none of F0, F1, F2, F3")),
    }
}

fn opponents(named: &Opponent) -> Result<Vec<Doctrine>, String> {
    let names = match named {
        Opponent::Named(name) if name == ANY => return Ok(Doctrine::ALL[1..].to_vec()),
        Opponent::Named(name) => std::slice::from_ref(name),
        Opponent::OneOf(names) if names.is_empty() => {
            return Err("opponent: the list is empty; name at least one doctrine".to_owned());
        }
        Opponent::OneOf(names) => names,
    };
    let named = names.iter().map(|name| Doctrine::named(name));
    named.collect::<Result<_, _>>().map_err(|words| format!("opponent: {words}"))
}

fn battle(document: &Document, fidelity: Fidelity) -> Result<(Source, Setup), String> {
    let tables = Tables::with_own(&document.tables).map_err(|words| format!("tables: {words}"))?;
    let (source, mut package) = match &document.package {
        Some(json) => {
            let package = package::read(json.as_bytes(), tables).map_err(|error| {
                match error.path.as_str() {
                    "" => error.to_string(),
                    _ => format!("package: {error}"),
                }
            })?;
            (Source::Package, package)
        }
        None => {
            let scenario =
                document.scenario(tables).map_err(|error| format!("scenario: {error}"))?;
            let package = scenario.package(1);
            (Source::Scenario(Box::new(scenario)), package)
        }
    };
    package.fidelity = fidelity;
    let setup = Setup::with_tables(package, tables).map_err(|error| error.to_string())?;
    Ok((source, setup))
}

impl Terms {
    /// Who commands the ships of each team that are no agents, in the battle of a seed.
    #[must_use]
    pub fn captains(&self, seed: u64) -> [Doctrine; 2] {
        let (drawn, able) = (Draws::of(seed).unit(Draw::Doctrine, NOBODY, 0, 0), &self.opponents);
        let opponent = able[((drawn * able.len() as f32) as usize).min(able.len() - 1)];
        match self.document.side {
            Side::Red => [opponent, self.document.allies],
            Side::Blue | Side::Both => [self.document.allies, opponent],
        }
    }

    /// Make `setup` the battle that a seed draws.
    pub fn place(&self, seed: u64, setup: &mut Arc<Setup>) {
        if let Source::Scenario(scenario) = &self.source {
            scenario.place(seed, Arc::make_mut(setup));
        }
    }
}

/// Rows of the ships that agents command.
fn agents(document: &Document, setup: &Setup) -> Result<Vec<u32>, String> {
    let of_team = |team: u8| {
        (0..setup.teams.len() as u32).filter(move |&row| setup.teams[row as usize] == team)
    };
    let rows: Vec<u32> = match document.side {
        Side::Blue => of_team(0).collect(),
        Side::Red => of_team(1).collect(),
        Side::Both => of_team(0).chain(of_team(1)).collect(),
    };
    if rows.is_empty() {
        return Err(nobody_on(document.side, setup));
    }
    match document.ship {
        None => Ok(rows),
        Some(_) if document.side == Side::Both => {
            Err("ship: names one ship of one side; choose side blue or red".to_owned())
        }
        Some(at) => match rows.get(at as usize) {
            Some(&row) => Ok(vec![row]),
            None => {
                Err(format!("ship: {at} is none of the side's {} (0 is the first)", rows.len()))
            }
        },
    }
}

/// Why a side without ships is refused: it has no agents to play it. (As an opponent it may stand:
/// then the battle is won as soon as it begins.)
fn nobody_on(side: Side, setup: &Setup) -> String {
    let (name, team) = if side == Side::Red { ("red", 1) } else { ("blue", 0) };
    let team = &setup.package.teams[team].team_id;
    format!(
        "side: {name} is team {team:?} of the package, which has no ships; choose the other side, \
         or give ships to that team"
    )
}

impl Serialize for Config {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.terms.document.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Document::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
