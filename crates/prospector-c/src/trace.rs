//! Traces: one packed little-endian record per action, for comparing implementations.

use std::io::{self, Write};

use crate::{Config, Result, State};

/// Bytes of a record: t u32, action u8, dt u16, reward f32, terminated u8, truncated u8, invalid
/// u8, resolved i16, obs f32 × 260, info f32 × 13.
pub const RECORD: usize = 1108;
/// The metrics a record has room for: all but the time remaining, which the observation shows.
const INFO: usize = 13;

/// Play `actions` from the episode of `seed` and write a record of each.
///
/// An ended episode is followed by the one of the next seed.
///
/// # Errors
/// What `out` answered.
pub fn write(seed: u64, actions: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut state = State::new(Config::default(), seed);
    let mut over = false;
    for (t, &action) in (0_u32..).zip(actions) {
        if over {
            state.reset(state.seed().wrapping_add(1));
        }
        let result = state.step(action);
        over = result.terminated | result.truncated != 0;
        out.write_all(&record(t, action, &result))?;
    }
    Ok(())
}

fn record(t: u32, action: u8, result: &Result) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    let mut rest = &mut bytes[..];
    let mut put = |value: &[u8]| {
        // `rest` starts as the whole record and the parts add up to it.
        let (here, after) = std::mem::take(&mut rest).split_at_mut(value.len());
        here.copy_from_slice(value);
        rest = after;
    };
    put(&t.to_le_bytes());
    put(&[action]);
    put(&result.dt.to_le_bytes());
    put(&result.reward.to_le_bytes());
    put(&[result.terminated, result.truncated, result.invalid_action]);
    put(&result.action.to_le_bytes());
    for value in result.obs.iter().chain(&result.metrics()[..INFO]) {
        put(&value.to_le_bytes());
    }
    debug_assert!(rest.is_empty());
    bytes
}
