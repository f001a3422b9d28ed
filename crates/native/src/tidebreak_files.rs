//! Battle packages and replays as bytes: read, settled, played again, compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::journal;
use astrarium_tidebreak::package::{self, BattlePackage, ShipSnapshot};
use astrarium_tidebreak::replay::{self, Recorder, Replay};
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::setup::Setup;
use astrarium_tidebreak::tables::{Hull, Tables};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyErr, import_exception};

use crate::held::guarded;

import_exception!(astrarium.errors, ConfigError);
import_exception!(astrarium.errors, PackageError);
import_exception!(astrarium.errors, BattleReplayError);

fn read_package(json: &[u8]) -> PyResult<BattlePackage> {
    package::read(json, Tables::shipped()).map_err(|error| PackageError::new_err(error.to_string()))
}

fn refused(error: &replay::ReplayError) -> PyErr {
    BattleReplayError::new_err(error.to_string())
}

fn read_replay(bytes: &[u8]) -> PyResult<Replay> {
    Replay::read(bytes).map_err(|error| refused(&error))
}

/// A package in canonical order, as JSON.
#[pyfunction]
pub fn tidebreak_settled<'py>(py: Python<'py>, package: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let json = guarded(py, || Ok(read_package(package)?.to_json()))?;
    Ok(PyBytes::new(py, &json))
}

/// XXH64 of a package's canonical bytes.
#[pyfunction]
pub fn tidebreak_package_hash(py: Python<'_>, package: &[u8]) -> PyResult<u64> {
    guarded(py, || Ok(read_package(package)?.hash()))
}

/// The hashes of this build's tables, by name.
#[pyfunction]
pub fn tidebreak_table_hashes() -> BTreeMap<String, String> {
    Tables::shipped().hashes_in_words()
}

/// The shipped scenarios and what each is about, the steps of the curriculum first.
#[pyfunction]
pub fn tidebreak_abouts() -> PyResult<Vec<(String, String)>> {
    let about = |name| {
        let scenario = Scenario::named(name);
        let scenario = scenario.map_err(|error| ConfigError::new_err(error.to_string()))?;
        Ok((String::from(name), scenario.about().to_owned()))
    };
    Scenario::names().map(about).collect()
}

/// A whole, full ship of every class with its usual people, at rest in the middle, as JSON by class.
#[pyfunction]
pub fn tidebreak_classes() -> BTreeMap<String, String> {
    let tables = Tables::shipped();
    let whole = |hull: &Hull| ShipSnapshot::of_class(hull, &hull.name, "blue", tables);
    tables.hulls.iter().map(|hull| (hull.name.clone(), whole(hull).to_json())).collect()
}

/// What shares of a ship are shares of: top speed (m/s) on the surface, submerged and abyssal,
/// turn rate (rad/s), hit points, fuel (t), and rounds of guns, torpedoes, missiles and the rest.
type Wholes = ([f32; 3], f32, f32, f32, [u32; 4]);

/// The wholes of every ship of a package, in canonical order.
#[pyfunction]
pub fn tidebreak_wholes(py: Python<'_>, package: &[u8]) -> PyResult<Vec<Wholes>> {
    guarded(py, || Ok(read_package(package)?.ships.iter().filter_map(wholes).collect()))
}

fn wholes(ship: &ShipSnapshot) -> Option<Wholes> {
    let tables = Tables::shipped();
    let hull = ship.hull(tables)?;
    let mut rounds = [0; 4];
    for mount in &ship.weapons {
        let group = tables.weapon_named(&mount.weapon)?.group as usize;
        if let Some(rounds) = rounds.get_mut(group) {
            *rounds += mount.rounds_loaded;
        }
    }
    Some((hull.speed_max, hull.turn_rate, hull.hp, hull.fuel_t, rounds))
}

/// Fights a package to its end, each team under the doctrine given for its id, or its own, or the
/// line; the result as JSON, and the replay.
#[pyfunction]
pub fn tidebreak_fought<'py>(
    py: Python<'py>,
    package: &[u8],
    doctrines: BTreeMap<String, String>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let (result, replay) = guarded(py, || {
        let package = read_package(package)?;
        let captains = captains(&package, &doctrines)?;
        let setup =
            Setup::new(package).map_err(|error| PackageError::new_err(error.to_string()))?;
        let mut arena = Arena::new(Arc::new(setup));
        let mut recorder = Recorder::begin(&mut arena);
        recorder.fight(&mut arena, &captains);
        // A broken ledger is a fault of the rules, not of the call.
        let result = recorder
            .result(&mut arena)
            .map_err(|breach| crate::errors::panicked(breach.to_string()))?;
        Ok((result.to_json(), recorder.replay(&mut arena).write()))
    })?;
    Ok((PyBytes::new(py, &result), PyBytes::new(py, &replay)))
}

fn captains(
    package: &BattlePackage,
    doctrines: &BTreeMap<String, String>,
) -> PyResult<Vec<Doctrine>> {
    if let Some(unknown) = doctrines.keys().find(|id| package.team_row(id).is_none()) {
        let known: Vec<&str> = package.teams.iter().map(|team| team.team_id.as_str()).collect();
        let words = format!("no team is called {unknown:?}; there are {}", known.join(", "));
        return Err(ConfigError::new_err(words));
    }
    let captain = |team: &package::Team| {
        let name = doctrines.get(&team.team_id).or(team.doctrine.as_ref());
        name.map_or(Ok(Doctrine::Line), |name| Doctrine::named(name).map_err(ConfigError::new_err))
    };
    package.teams.iter().map(captain).collect()
}

/// Plays a replay again; its ticks and its last hash, if every hash on the way is the recorded one.
#[pyfunction]
pub fn tidebreak_verify(py: Python<'_>, replay: &[u8]) -> PyResult<(u32, u64)> {
    guarded(py, || {
        let replay = read_replay(replay)?;
        Ok((replay.ticks, replay.verify().map_err(|error| refused(&error))?))
    })
}

/// Tick, table, entity, column and both values of the first difference, or nothing.
type Parting = Option<(u32, String, String, String, String, String)>;

/// Plays two replays side by side to the first difference.
#[pyfunction]
pub fn tidebreak_diff(py: Python<'_>, left: &[u8], right: &[u8]) -> PyResult<Parting> {
    guarded(py, || {
        let (left, right) = (read_replay(left)?, read_replay(right)?);
        let found = replay::diff(&left, &right).map_err(|error| refused(&error))?;
        Ok(found.map(|at| (at.tick, at.table, at.entity, at.column, at.left, at.right)))
    })
}

/// The events of a replay as JSON; with `event`, only those that led to it, the root first.
#[pyfunction]
#[pyo3(signature = (replay, event = None))]
pub fn tidebreak_explain(py: Python<'_>, replay: &[u8], event: Option<u64>) -> PyResult<String> {
    guarded(py, || {
        let replay = read_replay(replay)?;
        let arena = replayed(&replay)?;
        let events = match event {
            Some(id) => arena.journal.explain(id),
            None => arena.journal.kept().copied().collect(),
        };
        Ok(serde_json::Value::Array(journal::words(events.iter())).to_string())
    })
}

fn replayed(replay: &Replay) -> PyResult<Arena> {
    let mut arena = replay.arena().map_err(|error| refused(&error))?;
    arena.journal = journal::Journal::new(1);
    while replay.advance(&mut arena) {}
    Ok(arena)
}

/// The package inside a replay, as JSON.
#[pyfunction]
pub fn tidebreak_replay_package<'py>(
    py: Python<'py>,
    replay: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let json = guarded(py, || Ok(read_replay(replay)?.package.to_json()))?;
    Ok(PyBytes::new(py, &json))
}
