//! What becomes of threads when their process forks.
//!
//! A child process has the memory of its parent but not its threads. Waiting for them, to work or
//! to end them, would last for ever, so whatever has some is refused there and never freed.

use std::sync::atomic::{AtomicU32, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyDict;

static FORKS: AtomicU32 = AtomicU32::new(0);

/// How many forks lie between the first process and this one.
pub fn generation() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

#[pyfunction]
fn count_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Ask Python to say when it forks, where the system can.
pub fn watch(py: Python<'_>) -> PyResult<()> {
    if let Ok(register) = py.import("os")?.getattr("register_at_fork") {
        let keywords = PyDict::new(py);
        keywords.set_item("after_in_child", wrap_pyfunction!(count_fork, py)?)?;
        register.call((), Some(&keywords))?;
    }
    Ok(())
}
