//! A steady step allocates nothing, on any thread.
//!
//! One test only: the count is the whole process's, worker threads included.

mod tally;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use astrarium_kernel::Autoreset;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

#[test]
fn a_steady_step_allocates_nothing_for_1_and_2_threads() {
    for threads in [1, 2] {
        let mut batch = tally::batch(8, threads, Autoreset::SameStep, 5);
        tally::order(&mut batch, &[tally::DRAW, tally::DRAW, tally::LEAVE]);
        let mut digests = [0; 8];
        // Threads set themselves up on their first rounds.
        for _ in 0..100 {
            batch.step().expect("steps");
        }
        let mut allocations_of_1000_steps = || {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            for _ in 0..1000 {
                batch.step().expect("steps");
                batch.digests(&mut digests).expect("one entry per world");
            }
            ALLOCATIONS.load(Ordering::Relaxed) - before
        };
        // On a busy machine the thread that runs the tests may still be setting itself up; what a
        // step allocates comes again every time.
        let fewest = (0..3).map(|_| allocations_of_1000_steps()).min();
        assert_eq!(fewest, Some(0), "{threads} threads");
    }
}
