//! The kernel's `tracing` events as records of Python's `logging`, off until asked for.
//!
//! An event may come from a worker thread, or from a thread that gave the interpreter lock away.
//! Waiting for the lock there could wait for ever, so events are only queued; the thread that
//! called the batch hands them to Python when it is back.

use std::fmt::{Debug, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::errors;

/// Events kept between two deliveries; more are counted and dropped, as memory is not.
const QUEUED_MAX: usize = 4096;

static LEVEL: AtomicU8 = AtomicU8::new(0);
static WAITING: AtomicBool = AtomicBool::new(false);
static DROPPED: AtomicU64 = AtomicU64::new(0);
static QUEUE: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

struct Entry {
    target: &'static str,
    level: Level,
    message: String,
    fields: Vec<(&'static str, String)>,
}

/// Forward events of `level` and above to `logging`; None forwards nothing.
///
/// Levels: "trace", "debug", "info", "warning", "error".
#[pyfunction]
#[pyo3(signature = (level))]
pub fn set_log_level(level: Option<&str>) -> PyResult<()> {
    let filter = match level {
        None => 0,
        Some("error") => 1,
        Some("warning") => 2,
        Some("info") => 3,
        Some("debug") => 4,
        Some("trace") => 5,
        Some(other) => return Err(errors::log_level(other)),
    };
    LEVEL.store(filter, Ordering::Relaxed);
    if filter > 0 {
        // Refused only when a subscriber is in place: ours, from an earlier call.
        let _ = tracing::subscriber::set_global_default(Queueing);
    }
    tracing::callsite::rebuild_interest_cache();
    Ok(())
}

/// Hand what was queued to Python's `logging`. One atomic load when nothing was.
pub fn deliver(py: Python<'_>) {
    if WAITING.load(Ordering::Relaxed) {
        WAITING.store(false, Ordering::Relaxed);
        let entries = std::mem::take(&mut *queue());
        let dropped = DROPPED.swap(0, Ordering::Relaxed);
        if let Err(error) = log_all(py, entries, dropped) {
            // A faulty handler of the user's must not make a finished step look failed.
            error.write_unraisable(py, None);
        }
    }
}

fn log_all(py: Python<'_>, entries: Vec<Entry>, dropped: u64) -> PyResult<()> {
    let logging = py.import("logging")?;
    for entry in entries {
        let logger = logging.call_method1("getLogger", (entry.target,))?;
        let fields = PyDict::new(py);
        let mut message = entry.message;
        for (name, value) in entry.fields {
            let _ = write!(message, " {name}={value}");
            fields.set_item(name, value)?;
        }
        let extra = PyDict::new(py);
        extra.set_item("fields", fields)?;
        let keywords = PyDict::new(py);
        keywords.set_item("extra", extra)?;
        // The message is an argument, not the format: it may hold a percent sign.
        logger.call_method("log", (number(entry.level), "%s", message), Some(&keywords))?;
    }
    if dropped > 0 {
        let logger = logging.call_method1("getLogger", ("astrarium.native",))?;
        logger
            .call_method1("warning", ("%d events were dropped: too many in one call", dropped))?;
    }
    Ok(())
}

/// `logging`'s number of a level; it has none for trace and leaves room below debug.
fn number(level: Level) -> u8 {
    match level {
        Level::ERROR => 40,
        Level::WARN => 30,
        Level::INFO => 20,
        Level::DEBUG => 10,
        Level::TRACE => 5,
    }
}

fn queue() -> MutexGuard<'static, Vec<Entry>> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn filter() -> LevelFilter {
    match LEVEL.load(Ordering::Relaxed) {
        1 => LevelFilter::ERROR,
        2 => LevelFilter::WARN,
        3 => LevelFilter::INFO,
        4 => LevelFilter::DEBUG,
        5 => LevelFilter::TRACE,
        _ => LevelFilter::OFF,
    }
}

struct Queueing;

impl Subscriber for Queueing {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= filter()
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(filter())
    }

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut words = Words::default();
        event.record(&mut words);
        let mut queue = queue();
        if queue.len() == QUEUED_MAX {
            DROPPED.fetch_add(1, Ordering::Relaxed);
            return;
        }
        queue.push(Entry {
            target: metadata.target(),
            level: *metadata.level(),
            message: words.message,
            fields: words.fields,
        });
        WAITING.store(true, Ordering::Relaxed);
    }

    // The kernel opens no spans; these only satisfy the trait.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// An event's message and fields as text.
#[derive(Default)]
struct Words {
    message: String,
    fields: Vec<(&'static str, String)>,
}

impl Visit for Words {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            let _ = write!(self.message, "{value:?}");
        } else {
            self.fields.push((field.name(), format!("{value:?}")));
        }
    }
}
