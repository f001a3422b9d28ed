//! An allocator that counts: how often it was asked, and how many bytes are out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Counts what passes through it.
pub struct Counting;

static ASKED: AtomicU64 = AtomicU64::new(0);
static BYTES_OUT: AtomicI64 = AtomicI64::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        BYTES_OUT.fetch_add(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES_OUT.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Allocations so far.
pub fn asked() -> u64 {
    ASKED.load(Ordering::Relaxed)
}

/// Bytes allocated and not given back.
pub fn bytes_out() -> i64 {
    BYTES_OUT.load(Ordering::Relaxed)
}
