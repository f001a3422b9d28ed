//! How fast this machine can write a buffer at all: the ceiling of anything that fills arrays.

use std::hint::black_box;

use crate::clock::Watch;
use crate::orders::{Answer, whole};

/// Writes buffers on request.
pub struct Memory;

impl Memory {
    /// Obey `fill BYTES PASSES` (stores through the cache) or `stream BYTES PASSES` (around it).
    pub fn obey(&self, order: &str) -> Result<Answer, String> {
        let words: Vec<&str> = order.split_whitespace().collect();
        let (write, bytes, passes) = match *words.as_slice() {
            ["fill", bytes, passes] => (fill as fn(&mut [u64], u64), bytes, passes),
            ["stream", bytes, passes] => (stream as fn(&mut [u64], u64), bytes, passes),
            _ => return Err(format!("{order:?} is no order; say fill or stream BYTES PASSES")),
        };
        let (bytes, passes) = (whole(bytes)?, whole(passes)?);
        let mut buffer = vec![1_u64; bytes.div_ceil(8) as usize];
        // The first pass brings in the pages.
        write(&mut buffer, 0);
        let watch = Watch::start();
        for pass in 0..passes {
            write(black_box(&mut buffer), pass);
        }
        let (wall_s, cpu_s) = watch.read();
        let written = (buffer.len() as u64 * 8 * passes) as f64;
        Ok(Answer(vec![("bytes", written), ("wall_s", wall_s), ("cpu_s", cpu_s)]))
    }
}

/// One byte over and over, which the C library does as fast as the machine can.
fn fill(buffer: &mut [u64], value: u64) {
    // SAFETY: any bytes make valid words, and the count is the buffer's own.
    unsafe { std::ptr::write_bytes(buffer.as_mut_ptr(), value as u8, buffer.len()) };
}

#[cfg(target_arch = "x86_64")]
fn stream(buffer: &mut [u64], value: u64) {
    use std::arch::x86_64::{_mm_sfence, _mm_stream_si64};
    for slot in buffer.iter_mut() {
        // SAFETY: `slot` is a live, aligned word of the buffer; every x86-64 has this store.
        unsafe { _mm_stream_si64(std::ptr::from_mut(slot).cast::<i64>(), value as i64) };
    }
    // SAFETY: a fence has no operands; it makes the stores above part of the time measured.
    unsafe { _mm_sfence() };
}

#[cfg(not(target_arch = "x86_64"))]
fn stream(buffer: &mut [u64], value: u64) {
    fill(buffer, value);
}
