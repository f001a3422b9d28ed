//! Two clocks: the wall's, and the processor time of every thread of this process.

use std::time::Instant;

/// Both clocks since a moment.
pub struct Watch {
    wall: Instant,
    cpu_s: f64,
}

impl Watch {
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu_s: process_cpu_s() }
    }

    /// Wall and processor seconds since the start.
    pub fn read(&self) -> (f64, f64) {
        (self.wall.elapsed().as_secs_f64(), process_cpu_s() - self.cpu_s)
    }
}

fn process_cpu_s() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live `timespec`, which the call fills or leaves alone.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
