//! Which Python exception each refusal becomes. The classes themselves are Python's, in
//! `astrarium.errors`, so that they document and pickle like any other.

use std::any::Any;
use std::fmt::Display;

use astrarium_kernel::{BatchError, SnapshotError as KernelSnapshotError};
use astrarium_morphospace::FieldError;
use pyo3::{PyErr, import_exception};

import_exception!(astrarium.errors, ActionError);
import_exception!(astrarium.errors, CommandError);
import_exception!(astrarium.errors, ConcurrentUseError);
import_exception!(astrarium.errors, ConfigError);
import_exception!(astrarium.errors, CountError);
import_exception!(astrarium.errors, EpisodeOverError);
import_exception!(astrarium.errors, ForkedProcessError);
import_exception!(astrarium.errors, DebugOnlyError);
import_exception!(astrarium.errors, LedgerError);
import_exception!(astrarium.errors, OutOfMemoryError);
import_exception!(astrarium.errors, PackageError);
import_exception!(astrarium.errors, SeedError);
import_exception!(astrarium.errors, SnapshotError);
import_exception!(astrarium.errors, UnknownBlockError);
import_exception!(astrarium.errors, UnknownWorldError);
import_exception!(astrarium.errors, ShapeError);
import_exception!(astrarium.errors, WorldIndexError);
import_exception!(astrarium.errors, WorldPanicError);

pub fn from_batch(error: BatchError) -> PyErr {
    let words = error.to_string();
    match error {
        BatchError::WorldCount { .. }
        | BatchError::ThreadCount { .. }
        | BatchError::ThreadsRefused { .. } => CountError::new_err(words),
        BatchError::OutOfMemory { .. } => OutOfMemoryError::new_err(words),
        BatchError::Length { name: "seeds", .. } => SeedError::new_err(words),
        BatchError::Length { .. } => ShapeError::new_err(words),
        BatchError::WorldIndex { .. } => WorldIndexError::new_err(words),
        BatchError::ControlNotFinite { .. } => ActionError::new_err(words),
        BatchError::EpisodeOver { .. } | BatchError::CommandAfterEnd { .. } => {
            EpisodeOverError::new_err(words)
        }
        BatchError::Block { .. } => UnknownBlockError::new_err(words),
        BatchError::Command { .. } => CommandError::new_err(words),
        BatchError::Panicked { .. } => WorldPanicError::new_err(words),
        BatchError::Snapshot(_) => SnapshotError::new_err(words),
    }
}

pub fn from_snapshot(error: KernelSnapshotError) -> PyErr {
    from_batch(BatchError::Snapshot(error))
}

/// A panic that the kernel did not turn into an error of its own.
pub fn from_panic(panic: &(dyn Any + Send)) -> PyErr {
    let words = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    panicked(words.to_owned())
}

/// A panic by its words.
pub fn panicked(message: String) -> PyErr {
    from_batch(BatchError::Panicked { message })
}

pub fn unknown_world(id: &str, known: &[&str]) -> PyErr {
    UnknownWorldError::new_err(format!(
        "no native world is called {id:?}; this build has {}",
        known.join(", ")
    ))
}

pub fn config(world: &str, error: &serde_json::Error) -> PyErr {
    ConfigError::new_err(format!("{world}: {error}"))
}

pub fn autoreset(given: &str) -> PyErr {
    ConfigError::new_err(format!(
        "autoreset is {given:?}; choose \"same_step\", \"next_step\" or \"disabled\""
    ))
}

/// A space of fields, a plane of it or a question to it that cannot be.
pub fn field(error: &FieldError) -> PyErr {
    let words = error.to_string();
    match error {
        FieldError::PlaneSize { .. } => ShapeError::new_err(words),
        _ => ConfigError::new_err(words),
    }
}

/// Figures that are not finite, or sizes below 0.
pub fn figures(name: &str, given: &str) -> PyErr {
    ConfigError::new_err(format!("{name} is {given}; give finite numbers, and sizes of 0 or more"))
}

/// A value that is not one of those there are.
pub fn choice(name: &str, given: impl Display, fix: &str) -> PyErr {
    ConfigError::new_err(format!("{name} is {given}; give {fix}"))
}

pub fn not_contiguous(name: &str) -> PyErr {
    ShapeError::new_err(format!("{name} is not contiguous; give a copy in C order"))
}

pub fn length(name: &str, given: usize, expected: usize) -> PyErr {
    ShapeError::new_err(format!("{name} has {given} elements; {expected} are needed"))
}

pub fn no_such_row(row: i64, rows: usize) -> PyErr {
    ShapeError::new_err(format!("row {row} is not one of the {rows} that were remembered"))
}

pub fn in_use(what: &str) -> PyErr {
    ConcurrentUseError::new_err(format!(
        "this {what} is being used by another thread; give each thread its own {what} \
         or put a lock around this one"
    ))
}

pub fn log_level(given: &str) -> PyErr {
    ConfigError::new_err(format!(
        "log level is {given:?}; choose \"trace\", \"debug\", \"info\", \"warning\", \"error\" or None"
    ))
}

pub fn forked(what: &str) -> PyErr {
    ForkedProcessError::new_err(format!(
        "this {what} was made before the process forked, and its threads stayed behind; \
         make it in the new process, or with threads=1"
    ))
}

pub fn threads_refused(asked: u32, started: u32) -> PyErr {
    from_batch(BatchError::ThreadsRefused { asked, started })
}

pub fn activation(given: &str) -> PyErr {
    ConfigError::new_err(format!("activation is {given:?}; choose \"relu\" or \"tanh\""))
}

/// A battle package that was refused; the words begin with the path of the field.
pub fn package(error: &astrarium_tidebreak::package::PackageError) -> PyErr {
    PackageError::new_err(error.to_string())
}

pub fn trace(given: u8) -> PyErr {
    ConfigError::new_err(format!("trace is {given}; give 0 (counts), 1 (events) or 2 (proposals)"))
}

pub fn no_seed() -> PyErr {
    ConfigError::new_err("seed is 0, and no package can have that one; give 1 or more")
}

pub fn scenario(words: &str) -> PyErr {
    ConfigError::new_err(words.to_owned())
}

pub fn doctrine(words: &str) -> PyErr {
    ConfigError::new_err(words.to_owned())
}

pub fn no_such_team(given: &str, known: &[&str]) -> PyErr {
    ConfigError::new_err(format!(
        "no team of this battle is called {given:?}; there are {}",
        known.join(", ")
    ))
}

pub fn no_such_ship(given: usize, ships: usize) -> PyErr {
    WorldIndexError::new_err(format!("ship {given} is none of the {ships} of this battle"))
}

pub fn battle_over() -> PyErr {
    EpisodeOverError::new_err("the battle has ended; begin it anew with reset()")
}

pub fn no_truth() -> PyErr {
    DebugOnlyError::new_err("the truth is shown to arenas made with debug=True only")
}

pub fn no_result() -> PyErr {
    DebugOnlyError::new_err(
        "the battle goes on, and only arenas made with debug=True tell how it stands; \
         fight it to its end first",
    )
}

pub fn arena_snapshot(words: &str) -> PyErr {
    SnapshotError::new_err(words.to_owned())
}

pub fn result(breach: &str) -> PyErr {
    LedgerError::new_err(format!("the battle's books do not balance: {breach}"))
}
