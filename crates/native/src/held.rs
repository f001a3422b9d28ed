//! Something native that may have threads of its own, as Python objects own it.

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::prelude::*;

use crate::{errors, forks, logging};

/// The lock is only ever tried, never waited for: a second thread gets an error at once, and no
/// order of this lock and the interpreter's can block.
pub struct Held<T> {
    inner: ManuallyDrop<Mutex<T>>,
    what: &'static str,
    has_threads: bool,
    generation: u32,
}

impl<T: Send> Held<T> {
    /// `what` it is in the words of an error.
    pub fn new(inner: T, what: &'static str, threads: u32) -> Self {
        Self {
            inner: ManuallyDrop::new(Mutex::new(inner)),
            what,
            has_threads: threads > 1,
            generation: forks::generation(),
        }
    }

    /// The thing itself, unless somebody else has it.
    pub fn take(&self) -> PyResult<MutexGuard<'_, T>> {
        if self.lost_its_threads() {
            return Err(errors::forked(self.what));
        }
        match self.inner.try_lock() {
            Ok(inner) => Ok(inner),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(errors::in_use(self.what)),
        }
    }

    /// Run `work` on it with the interpreter lock given away.
    pub fn with<A: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> PyResult<A> + Send,
    ) -> PyResult<A> {
        guarded(py, || work(&mut *self.take()?))
    }
}

impl<T> Held<T> {
    /// Whether its threads stayed in another process.
    fn lost_its_threads(&self) -> bool {
        self.has_threads && self.generation != forks::generation()
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        if !self.lost_its_threads() {
            // SAFETY: dropped here only, and never used after.
            unsafe { ManuallyDrop::drop(&mut self.inner) };
        }
    }
}

/// Run `work` without the interpreter lock, let no panic out, and deliver what was logged.
pub fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    let answer = py.detach(|| {
        catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(errors::from_panic(&*panic)))
    });
    logging::deliver(py);
    answer
}
