//! Single battles as Python objects, and whole lists of them fought at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use astrarium_tidebreak::arena::Arena as Battle;
use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::events::Event;
use astrarium_tidebreak::journal::Journal;
use astrarium_tidebreak::orders::{CHOICES, HEADS, Order, Origin};
use astrarium_tidebreak::replay::Recorder;
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::setup::Setup;
use astrarium_tidebreak::tables::Tables;
use astrarium_tidebreak::{battle, decode, mask, observe, portrait};
use numpy::{PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::held::{Held, guarded};
use crate::morphospace::MorphoSpace;
use crate::{errors, slices};

/// Team ids and the doctrines that command them.
type Controllers = BTreeMap<String, String>;

struct Inner {
    battle: Battle,
    recorder: Recorder,
    debug: bool,
}

impl Inner {
    fn begin(setup: Setup, debug: bool) -> Self {
        let mut battle = Battle::new(Arc::new(setup));
        let recorder = Recorder::begin(&mut battle);
        Self { battle, recorder, debug }
    }

    /// To the end, every team under its doctrine.
    fn fight(&mut self, captains: &[Doctrine]) {
        while !self.battle.done() {
            battle::command(&mut self.battle, captains, |_| false);
            self.recorder.advance(&mut self.battle);
        }
    }

    fn shows_truth(&self) -> PyResult<()> {
        if self.debug { Ok(()) } else { Err(errors::no_truth()) }
    }

    fn told(&mut self) -> PyResult<Vec<u8>> {
        let result = self.recorder.result(&mut self.battle);
        Ok(result.map_err(|breach| errors::result(&breach.to_string()))?.to_json())
    }
}

/// One battle.
#[pyclass(frozen, module = "astrarium._native")]
pub struct Arena {
    held: Held<Inner>,
    /// Ship ids by row, each with the id of its team.
    #[pyo3(get)]
    ships: Vec<(String, String)>,
    /// Team ids by row, those without ships too.
    #[pyo3(get)]
    teams: Vec<String>,
}

#[pymethods]
impl Arena {
    #[new]
    #[pyo3(signature = (package_json, trace = 0, debug = false))]
    fn new(py: Python<'_>, package_json: &[u8], trace: u8, debug: bool) -> PyResult<Self> {
        let inner = guarded(py, || {
            if trace > 2 {
                return Err(errors::trace(trace));
            }
            let setup = Setup::read(package_json).map_err(|error| errors::package(&error))?;
            let mut inner = Inner::begin(setup, debug);
            inner.battle.journal = Journal::new(trace);
            Ok(inner)
        })?;
        let ships = inner.battle.setup.package.ships.iter();
        let ships = ships.map(|ship| (ship.ship_id.clone(), ship.team_id.clone())).collect();
        let teams = inner.battle.setup.package.teams.iter().map(|team| team.team_id.clone());
        let teams = teams.collect();
        Ok(Self { held: Held::new(inner, "arena", 1), ships, teams })
    }

    /// Begin anew: with the package's own seed, or another, which makes it a battle of the same
    /// package with that seed.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        if seed == Some(0) {
            return Err(errors::no_seed());
        }
        self.held.with(py, |inner| {
            let seed = seed.unwrap_or(inner.battle.setup.package.seed);
            inner.battle.reset(seed);
            inner.recorder = Recorder::begin(&mut inner.battle);
            Ok(())
        })
    }

    /// Seconds since the start, and how it ended: 0 not yet, 1 annihilation, 2 objective, 3 time
    /// limit; then the row of the winner's team, or 255.
    fn status(&self) -> PyResult<(u32, u8, u8)> {
        let inner = self.held.take()?;
        let state = &inner.battle.state;
        Ok((state.tick, state.outcome.ended_by, state.outcome.winner))
    }

    /// One second. `orders` has a row of eleven columns for every ship, the helm in -127..127;
    /// without it every hull keeps its helm and holds its fire.
    #[pyo3(signature = (orders = None))]
    fn step(&self, py: Python<'_>, orders: Option<PyReadonlyArrayDyn<'_, i16>>) -> PyResult<()> {
        let rows = self.ships.len();
        let given: Option<Vec<i16>> = match &orders {
            Some(array) => {
                let slice =
                    slices::sized("orders", slices::read("orders", array)?, rows * HEADS.len())?;
                Some(slice.to_vec())
            }
            None => None,
        };
        self.held.with(py, |inner| {
            let battle = &mut inner.battle;
            if battle.state.outcome.ended_by != 0 {
                return Err(errors::battle_over());
            }
            for row in 0..rows {
                battle.given[row] = match &given {
                    Some(columns) => {
                        let mut own = [0; HEADS.len()];
                        own.copy_from_slice(&columns[row * HEADS.len()..][..HEADS.len()]);
                        (decode::columns(&own), Origin::External)
                    }
                    None => (Order::default(), Origin::Autopilot),
                };
            }
            inner.recorder.advance(&mut inner.battle);
            Ok(())
        })
    }

    /// What a ship sees, into `out`.
    fn observe(&self, ship: usize, mut out: PyReadwriteArrayDyn<'_, f32>) -> PyResult<()> {
        let mut inner = self.at(ship)?;
        let out = slices::write("out", &mut out)?;
        if out.len() != observe::FLOATS {
            return Err(errors::length("out", out.len(), observe::FLOATS));
        }
        let Battle { setup, state, .. } = &mut inner.battle;
        observe::ship(setup, state, ship, out);
        Ok(())
    }

    /// What a ship may do, into `out`.
    fn mask(&self, ship: usize, mut out: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        let inner = self.at(ship)?;
        let out = slices::write("out", &mut out)?;
        let given = out.len();
        let out = out.try_into().map_err(|_| errors::length("out", given, CHOICES))?;
        mask::ship(&inner.battle.setup, &inner.battle.state, ship, out);
        Ok(())
    }

    /// Fight to the end under doctrines, by team id; the result as JSON.
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        controllers: Controllers,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let told = self.held.with(py, |inner| {
            let captains = captains(&inner.battle.setup, &controllers)?;
            inner.fight(&captains);
            inner.told()
        })?;
        Ok(PyBytes::new(py, &told))
    }

    /// The result as JSON. Of a battle that goes on it would tell where everybody is, so that is
    /// refused unless the arena was made for debugging.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let told = self.held.with(py, |inner| {
            if !inner.debug && !inner.battle.done() {
                return Err(errors::no_result());
            }
            inner.told()
        })?;
        Ok(PyBytes::new(py, &told))
    }

    /// XXH64 over the whole state.
    fn state_hash(&self) -> PyResult<u64> {
        Ok(self.held.take()?.battle.state.state_hash())
    }

    /// The whole state, with what led there, as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.held.with(py, |inner| Ok(inner.recorder.snapshot(&inner.battle)))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Go on from a snapshot of a battle of this package.
    fn restore(&self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        self.held.with(py, |inner| {
            let Inner { battle, recorder, .. } = inner;
            recorder.load(battle, snapshot).map_err(|words| errors::arena_snapshot(&words))
        })
    }

    /// Package, orders and hashes of what was fought since the start.
    fn replay<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes =
            self.held.with(py, |inner| Ok(inner.recorder.replay(&mut inner.battle).write()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Kept events that were not taken yet, 46 little-endian bytes each. They name ships that nobody
    /// has noticed, so this is refused unless the arena was made for debugging.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.held.with(py, |inner| {
            inner.shows_truth()?;
            Ok(packed(inner.battle.journal.drain()))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Kept events that made room for newer ones before anybody took them.
    fn overflow(&self) -> PyResult<u64> {
        Ok(self.held.take()?.battle.journal.overflow)
    }

    /// The events that led to one, the root first, as `events` gives them, and as little to
    /// everybody.
    fn explain<'py>(&self, py: Python<'py>, event: u64) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.held.with(py, |inner| {
            inner.shows_truth()?;
            Ok(packed(inner.battle.journal.explain(event).into_iter()))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Everything as it really is, as JSON; refused unless the arena was made for debugging.
    fn debug_truth(&self, py: Python<'_>) -> PyResult<String> {
        self.held.with(py, |inner| {
            inner.shows_truth()?;
            Ok(portrait::draw(&inner.battle.setup, &inner.battle.state))
        })
    }

    /// A copy of the fields as they are now. They tell where everybody is, so this is refused
    /// unless the arena was made for debugging.
    fn fields(&self, py: Python<'_>) -> PyResult<MorphoSpace> {
        let space = self.held.with(py, |inner| {
            inner.shows_truth()?;
            Ok(inner.battle.state.fields.clone())
        })?;
        Ok(MorphoSpace::of(space))
    }
}

impl Arena {
    fn at(&self, ship: usize) -> PyResult<std::sync::MutexGuard<'_, Inner>> {
        if ship >= self.ships.len() {
            return Err(errors::no_such_ship(ship, self.ships.len()));
        }
        self.held.take()
    }
}

/// The doctrine of each team: told, or as the package says, or the line.
fn captains(setup: &Setup, told: &Controllers) -> PyResult<Vec<Doctrine>> {
    let teams = &setup.package.teams;
    if let Some(unknown) = told.keys().find(|id| setup.package.team_row(id).is_none()) {
        let known: Vec<&str> = teams.iter().map(|team| team.team_id.as_str()).collect();
        return Err(errors::no_such_team(unknown, &known));
    }
    let named = |name: &str| Doctrine::named(name).map_err(|words| errors::doctrine(&words));
    teams
        .iter()
        .map(|team| match told.get(&team.team_id).or(team.doctrine.as_ref()) {
            Some(name) => named(name),
            None => Ok(Doctrine::Line),
        })
        .collect()
}

/// Events as NumPy reads them: 46 little-endian bytes each.
fn packed(events: impl Iterator<Item = Event>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for event in events {
        bytes.extend(event.id.to_le_bytes());
        bytes.extend(event.cause.to_le_bytes());
        bytes.extend(event.trace.to_le_bytes());
        bytes.push(event.kind as u8);
        bytes.extend(event.source.to_le_bytes());
        bytes.extend(event.target.to_le_bytes());
        bytes.extend(event.x.to_le_bytes());
        bytes.extend(event.y.to_le_bytes());
        bytes.extend(event.value.to_le_bytes());
        bytes.push(event.plugin);
    }
    bytes
}

/// Fight every package to its end under doctrines, by team id; results as JSON, in order.
#[pyfunction]
pub fn simulate_batch<'py>(
    py: Python<'py>,
    packages: Vec<Vec<u8>>,
    doctrines: Vec<Controllers>,
    threads: usize,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    if doctrines.len() != packages.len() {
        return Err(errors::length("doctrines", doctrines.len(), packages.len()));
    }
    let results = guarded(py, || fight_all(&packages, &doctrines, threads.max(1)))?;
    Ok(results.iter().map(|json| PyBytes::new(py, json)).collect())
}

fn fight_all(
    packages: &[Vec<u8>],
    doctrines: &[Controllers],
    threads: usize,
) -> PyResult<Vec<Vec<u8>>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(package) = packages.get(at) else { return done };
            done.push((at, fight_one(package, &doctrines[at])));
        }
    };
    let mut done: Vec<(usize, PyResult<Vec<u8>>)> = std::thread::scope(|scope| {
        let others: Vec<_> =
            (1..threads.min(packages.len().max(1))).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => done.push((0, Err(errors::from_panic(&*panic)))),
            }
        }
        done
    });
    // The first refusal is that of the first package, however threads raced.
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn fight_one(package: &[u8], controllers: &Controllers) -> PyResult<Vec<u8>> {
    let setup = Setup::read(package).map_err(|error| errors::package(&error))?;
    let captains = captains(&setup, controllers)?;
    let mut inner = Inner::begin(setup, false);
    inner.fight(&captains);
    inner.told()
}

/// A user's own scenario or a shipped one, under a user's own tables or those of this build.
fn scenario_of(
    name: &str,
    text: Option<&str>,
    tables: &BTreeMap<String, String>,
) -> PyResult<Scenario> {
    let tables = Tables::with_own(tables).map_err(|words| errors::scenario(&words))?;
    let found = match text {
        Some(text) => Scenario::read_with(name, text, tables),
        None => Scenario::named_with(name, tables),
    };
    found.map_err(|error| errors::scenario(&error.to_string()))
}

/// How many ships each side of a scenario has.
#[pyfunction]
#[pyo3(signature = (scenario, text = None, tables = BTreeMap::new()))]
pub fn tidebreak_fleets(
    py: Python<'_>,
    scenario: &str,
    text: Option<&str>,
    tables: BTreeMap<String, String>,
) -> PyResult<(u32, u32)> {
    let scenario = guarded(py, || scenario_of(scenario, text, &tables))?;
    let mut counts = [0; 2];
    for (team, _) in scenario.ship_ids() {
        counts[team.min(1)] += 1;
    }
    Ok((counts[0], counts[1]))
}

/// Names of the scenarios that come with this build.
#[pyfunction]
pub fn tidebreak_scenarios() -> Vec<&'static str> {
    Scenario::names().collect()
}

/// The package a scenario draws with a seed, as JSON.
#[pyfunction]
#[pyo3(signature = (scenario, seed, text = None))]
pub fn tidebreak_package<'py>(
    py: Python<'py>,
    scenario: &str,
    seed: u64,
    text: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let json =
        guarded(py, || Ok(scenario_of(scenario, text, &BTreeMap::new())?.package(seed).to_json()))?;
    Ok(PyBytes::new(py, &json))
}
