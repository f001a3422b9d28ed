//! Processor time of this thread: what others do on the machine is not counted.

/// Seconds of processor time that `work` takes.
pub fn seconds(work: impl FnOnce()) -> f64 {
    let begun = now();
    work();
    (now() - begun).max(1e-9)
}

fn now() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live `timespec`, which the call fills or leaves alone.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
