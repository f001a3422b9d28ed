//! Battle packages and replays as bytes: read, settled, played again, compared.

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::journal;
use astrarium_tidebreak::package::{self, BattlePackage};
use astrarium_tidebreak::replay::{self, Replay};
use astrarium_tidebreak::tables::Tables;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyErr, import_exception};

use crate::held::guarded;

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
pub fn tidebreak_table_hashes() -> std::collections::BTreeMap<String, String> {
    Tables::shipped().hashes_in_words()
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
        Ok(journal::words(events.iter()).to_string())
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
