//! The system's allocator, with a count. A loop that allocates nothing pays nothing for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static LIVE_BYTES: AtomicI64 = AtomicI64::new(0);

/// What the heap has seen so far.
#[derive(Clone, Copy)]
pub struct Tally {
    /// Calls that asked for memory, resizing included.
    pub allocations: u64,
    /// Bytes given and not yet returned.
    pub live_bytes: i64,
}

/// The count up to now, over all threads.
pub fn tally() -> Tally {
    Tally { allocations: ALLOCATIONS.load(Relaxed), live_bytes: LIVE_BYTES.load(Relaxed) }
}

/// Memory this process occupies, as the kernel sees it; 0 where that is not told.
pub fn resident_bytes() -> i64 {
    let Ok(line) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages = line.split_whitespace().nth(1).and_then(|word| word.parse::<i64>().ok());
    // SAFETY: the call reads a constant of the system and touches no memory.
    pages.unwrap_or(0) * unsafe { libc::sysconf(libc::_SC_PAGESIZE) }
}

/// [`System`], counted.
pub struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        LIVE_BYTES.fetch_add(layout.size() as i64, Relaxed);
        // SAFETY: the caller's promise about `layout` is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE_BYTES.fetch_sub(layout.size() as i64, Relaxed);
        // SAFETY: the caller's promise about both is handed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        LIVE_BYTES.fetch_add(layout.size() as i64, Relaxed);
        // SAFETY: the caller's promise about `layout` is handed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        LIVE_BYTES.fetch_add(size as i64 - layout.size() as i64, Relaxed);
        // SAFETY: the caller's promise about all three is handed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
