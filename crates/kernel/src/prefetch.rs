//! Asking for memory before it is needed. A hint: it changes no result.

const LINE_BYTES: usize = 64;

/// Ask for `bytes` of memory from `at` on. The address need not be valid.
#[inline]
pub fn prefetch<T>(at: *const T, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for offset in (0..bytes).step_by(LINE_BYTES) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast::<i8>().wrapping_add(offset)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (at, bytes, LINE_BYTES);
}
