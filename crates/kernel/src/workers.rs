//! Threads over fixed shares of a batch.
//!
//! Share `k` of a batch always goes to thread `k`, so results cannot depend on scheduling, and
//! waking the threads allocates nothing. (A work-stealing pool allocates a queue block every few
//! dozen wake-ups when driven from outside; this runs millions of times.)

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// What every thread does, given its number.
pub type Task<'a> = &'a (dyn Fn(u32) + Sync);

/// How many times a waiting thread looks before it sleeps: some tens of microseconds, about the
/// gap between two steps of a training loop.
const LOOKS_BEFORE_SLEEP: u32 = 2_000;

struct Board {
    /// The task of the current round; only read between `round` rising and `left` reaching 0.
    task: Mutex<Option<Task<'static>>>,
    round: AtomicU64,
    left: AtomicU32,
    closing: AtomicBool,
    panic: Mutex<Option<String>>,
    gate: Mutex<()>,
    wake: Condvar,
    finished: Condvar,
}

/// A fixed set of threads; the caller's own thread is number 0.
pub struct Workers {
    board: Arc<Board>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Start the threads, or tell how many of them (the caller's included) the system gave.
    pub fn new(count: u32) -> Result<Self, u32> {
        let board = Arc::new(Board {
            task: Mutex::new(None),
            round: AtomicU64::new(0),
            left: AtomicU32::new(0),
            closing: AtomicBool::new(false),
            panic: Mutex::new(None),
            gate: Mutex::new(()),
            wake: Condvar::new(),
            finished: Condvar::new(),
        });
        let mut workers = Self { board, threads: Vec::with_capacity(count as usize) };
        for index in 1..count {
            let board = Arc::clone(&workers.board);
            let thread = thread::Builder::new()
                .name(format!("astrarium-{index}"))
                .spawn(move || serve(&board, index));
            match thread {
                Ok(thread) => workers.threads.push(thread),
                // Those that did start end with `workers`.
                Err(_) => return Err(workers.count()),
            }
        }
        Ok(workers)
    }

    /// How many there are, the caller's own included.
    pub fn count(&self) -> u32 {
        self.threads.len() as u32 + 1
    }

    /// Run `task(k)` for every thread number `k` and wait for all of them. A panic in any of
    /// them comes back as its message.
    pub fn run(&mut self, task: Task<'_>) -> Result<(), String> {
        let board = &*self.board;
        if !self.threads.is_empty() {
            // SAFETY: the borrow is only stretched for the workers, and this function does not
            // return before every worker has let go of it (`left` is 0).
            let stretched: Task<'static> = unsafe { std::mem::transmute(task) };
            *lock(&board.task) = Some(stretched);
            board.left.store(self.threads.len() as u32, Ordering::Release);
            let gate = lock(&board.gate);
            board.round.fetch_add(1, Ordering::AcqRel);
            board.wake.notify_all();
            drop(gate);
        }
        let own = caught(|| task(0));
        if !self.threads.is_empty() {
            self.wait_for_the_others();
        }
        let others = lock(&board.panic).take();
        own.and(others.map_or(Ok(()), Err))
    }

    fn wait_for_the_others(&self) {
        let board = &*self.board;
        for _ in 0..LOOKS_BEFORE_SLEEP {
            if board.left.load(Ordering::Acquire) == 0 {
                break;
            }
            std::hint::spin_loop();
        }
        let mut gate = lock(&board.gate);
        while board.left.load(Ordering::Acquire) > 0 {
            gate = board.finished.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
        drop(gate);
        *lock(&board.task) = None;
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let gate = lock(&self.board.gate);
        self.board.closing.store(true, Ordering::Release);
        self.board.wake.notify_all();
        drop(gate);
        for thread in self.threads.drain(..) {
            // A worker catches every panic of a task, so joining cannot fail.
            let _ = thread.join();
        }
    }
}

/// A pointer whose elements are handed out to one thread each.
pub(crate) struct Exclusive<T>(pub *mut T);

// SAFETY: whoever makes one gives each element to exactly one thread.
unsafe impl<T: Send> Sync for Exclusive<T> {}

impl<T> Exclusive<T> {
    /// # Safety
    /// `index` must be in bounds and handed out once at a time.
    #[allow(clippy::mut_from_ref, reason = "elements are disjoint by the caller's promise")]
    pub unsafe fn at(&self, index: usize) -> &mut T {
        // SAFETY: by the caller's promise.
        unsafe { &mut *self.0.add(index) }
    }

    /// # Safety
    /// As for [`Exclusive::at`], for each of the `count` elements from `first`.
    #[allow(clippy::mut_from_ref, reason = "spans are disjoint by the caller's promise")]
    pub unsafe fn span(&self, first: usize, count: usize) -> &mut [T] {
        // SAFETY: by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(first), count) }
    }
}

fn serve(board: &Board, index: u32) {
    let mut seen = 0;
    while let Some(round) = next_round(board, seen) {
        seen = round;
        let task = *lock(&board.task);
        if let Some(task) = task
            && let Err(message) = caught(|| task(index))
        {
            *lock(&board.panic) = Some(message);
        }
        if board.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            let _gate = lock(&board.gate);
            board.finished.notify_one();
        }
    }
}

/// Wait for a round after `seen`; `None` when the pool closes.
fn next_round(board: &Board, seen: u64) -> Option<u64> {
    for _ in 0..LOOKS_BEFORE_SLEEP {
        let round = board.round.load(Ordering::Acquire);
        if round != seen {
            return Some(round);
        }
        std::hint::spin_loop();
    }
    let mut gate = lock(&board.gate);
    loop {
        if board.closing.load(Ordering::Acquire) {
            return None;
        }
        let round = board.round.load(Ordering::Acquire);
        if round != seen {
            return Some(round);
        }
        gate = board.wake.wait(gate).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Nothing is left half-changed under these locks, so a poisoned one is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Run `work`; a panic comes back as its words. The caller decides what is still whole.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let words = panic.downcast_ref::<&str>().copied();
        let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        words.unwrap_or("no message").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_runs_its_number_once_a_round() {
        let mut workers = Workers::new(4).expect("four threads");
        let counts: Vec<AtomicU32> = (0..4).map(|_| AtomicU32::new(0)).collect();
        for _ in 0..500 {
            workers
                .run(&|k| {
                    counts[k as usize].fetch_add(1, Ordering::Relaxed);
                })
                .expect("no panic");
        }
        assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 500));
    }

    #[test]
    fn a_panic_anywhere_is_reported_and_the_pool_lives_on() {
        let mut workers = Workers::new(3).expect("three threads");
        for bad in 0..3 {
            let answer = workers.run(&|k| assert!(k != bad, "rule {k} broke"));
            assert_eq!(answer, Err(format!("rule {bad} broke")));
            assert_eq!(workers.run(&|_| ()), Ok(()));
        }
    }
}
