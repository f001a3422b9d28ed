//! No call allocates except `create`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null;

use prospector::{
    Result, State, prospector_create, prospector_destroy, prospector_reset_many,
    prospector_step_many,
};

thread_local! {
    /// By this thread alone: the one that runs the tests allocates when it likes.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn only_create_allocates() {
    let before = ALLOCATIONS.get();
    // SAFETY: null settings are the defaults.
    let handles: [*mut State; 8] =
        std::array::from_fn(|seed| unsafe { prospector_create(null(), seed as u64) });
    let created = ALLOCATIONS.get();
    assert_eq!(created - before, 8);

    // SAFETY: all-zero bytes are a result.
    let mut results: [Result; 8] = unsafe { std::mem::zeroed() };
    for step in 0..2_000_u32 {
        let actions: [u8; 8] =
            std::array::from_fn(|ship| ((step * 31 + ship as u32 * 7) % 69) as u8);
        // SAFETY: eight states, eight actions, eight results; eight states and no other arrays.
        unsafe {
            prospector_step_many(handles.as_ptr(), actions.as_ptr(), 8, results.as_mut_ptr());
            if step % 100 == 99 {
                prospector_reset_many(handles.as_ptr(), null(), 8, std::ptr::null_mut());
            }
        }
    }
    assert_eq!(ALLOCATIONS.get(), created);
    for handle in handles {
        // SAFETY: created above and not used again.
        unsafe { prospector_destroy(handle) };
    }
}
