//! Hints about memory: they change no result, only how long it takes.

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

/// `count` copies of `value`, on huge pages where the system has them.
///
/// A batch strides over tens of megabytes in every step; with ordinary pages the addresses alone
/// outgrow the processor's translation cache.
///
/// # Errors
/// The bytes it would take, if there are not so many.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, u64> {
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(|_| (count * size_of::<T>()) as u64)?;
    #[cfg(target_os = "linux")]
    ask_for_huge_pages(all.as_mut_ptr(), count * size_of::<T>());
    all.resize(count, value);
    Ok(all)
}

#[cfg(target_os = "linux")]
fn ask_for_huge_pages<T>(at: *mut T, bytes: usize) {
    const HUGE_PAGE_BYTES: usize = 2 << 20;
    let start = at.addr().next_multiple_of(HUGE_PAGE_BYTES);
    let end = (at.addr() + bytes) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    if start < end {
        // SAFETY: the range lies inside one live allocation, and the advice keeps its contents.
        // A refusal is fine: ordinary pages are correct too.
        unsafe { libc::madvise(at.with_addr(start).cast(), end - start, libc::MADV_HUGEPAGE) };
    }
}
