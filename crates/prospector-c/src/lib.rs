//! Prospector version 1 behind a C interface: `include/prospector.h` is its documentation.
//!
//! Every call is synchronous. One state belongs to one thread at a time; different states may be
//! used from different threads. Only [`prospector_create`] allocates. A panic would be a bug in the
//! rules; it cannot cross into C and aborts the process.

mod result;
mod state;
pub mod trace;

use std::alloc::{Layout, alloc, dealloc};

use astrarium_prospector::OBS;

pub use result::{Config, Result};
pub use state::State;

/// What a missing action array stands for.
const HOLD: u8 = 6;

/// Fill in the default settings; null is ignored.
///
/// # Safety
/// `config` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prospector_default_config(config: *mut Config) {
    if !config.is_null() {
        // SAFETY: not null, so valid for writing by the caller's word.
        unsafe { config.write(Config::default()) };
    }
}

/// Bytes of a state, for memory the caller owns.
#[unsafe(no_mangle)]
pub extern "C" fn prospector_state_size() -> usize {
    size_of::<State>()
}

/// Alignment of a state, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn prospector_state_align() -> usize {
    align_of::<State>()
}

/// Allocate a state and begin the episode of `seed`; null when out of memory.
///
/// # Safety
/// `config` is null (the defaults) or valid for reading.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prospector_create(config: *const Config, seed: u64) -> *mut State {
    // Not a `Box`, which would abort the caller's process where memory ran out.
    // SAFETY: a state has a size greater than zero.
    let handle = unsafe { alloc(Layout::new::<State>()) }.cast::<State>();
    // SAFETY: null, or fresh memory of a state's size and alignment.
    unsafe { prospector_init(handle, config, seed) };
    handle
}

/// Free a state; null is ignored.
///
/// # Safety
/// `handle` is null or came from [`prospector_create`] and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prospector_destroy(handle: *mut State) {
    const { assert!(!std::mem::needs_drop::<State>()) };
    if !handle.is_null() {
        // SAFETY: allocated by `prospector_create` with this layout; nothing in it needs dropping.
        unsafe { dealloc(handle.cast(), Layout::new::<State>()) };
    }
}

/// Begin the episode of `seed` in memory the caller owns; a null handle is ignored.
///
/// # Safety
/// `handle` is null or valid for writing a state, aligned for it; its contents do not matter.
/// `config` is null (the defaults) or valid for reading.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prospector_init(handle: *mut State, config: *const Config, seed: u64) {
    if !handle.is_null() {
        // SAFETY: null, or valid for reading by the caller's word.
        let config = unsafe { config.as_ref() }.copied().unwrap_or_default();
        // SAFETY: not null, so valid for writing by the caller's word.
        unsafe { handle.write(State::new(config, seed)) };
    }
}

/// Begin the episode of `seed` with the settings kept; a null handle is ignored.
///
/// # Safety
/// `handle` is null or an initialised state; `obs` is null or valid for writing 260 floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prospector_reset(handle: *mut State, seed: u64, obs: *mut f32) {
    // SAFETY: null, or an initialised state nobody else uses during this call.
    if let Some(state) = unsafe { handle.as_mut() } {
        state.reset(seed);
        if !obs.is_null() {
            // SAFETY: valid for 260 floats by the caller's word, and not part of the state.
            unsafe { obs.copy_from_nonoverlapping(state.obs().as_ptr(), OBS) };
        }
    }
}

/// Play one action and overwrite the whole result; nothing happens if either pointer is null.
///
/// # Safety
/// `handle` is null or an initialised state; `out` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prospector_step(handle: *mut State, action: u8, out: *mut Result) {
    if !out.is_null() {
        // SAFETY: null, or an initialised state nobody else uses during this call.
        if let Some(state) = unsafe { handle.as_mut() } {
            // SAFETY: not null, so valid for writing by the caller's word.
            unsafe { out.write(state.step(action)) };
        }
    }
}

/// [`prospector_reset`] for `n` states in order. Null seeds: each state's last one. Null states
/// are skipped, their rows left alone.
///
/// # Safety
/// `handles` and `seeds` are null or valid for reading `n` entries, `obs` null or valid for writing
/// `n` rows of 260 floats; each handle as for [`prospector_reset`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prospector_reset_many(
    handles: *const *mut State,
    seeds: *const u64,
    n: u32,
    obs: *mut f32,
) {
    if handles.is_null() {
        return;
    }
    for index in 0..n as usize {
        // SAFETY: `handles` has n entries; each is null or an initialised state.
        let Some(state) = (unsafe { (*handles.add(index)).as_mut() }) else { continue };
        // SAFETY: where given, `seeds` has n entries.
        let seed = if seeds.is_null() { state.seed() } else { unsafe { *seeds.add(index) } };
        // SAFETY: where given, `obs` has n rows.
        let row = if obs.is_null() { obs } else { unsafe { obs.add(OBS * index) } };
        // SAFETY: an initialised state, and null or a row of 260 floats.
        unsafe { prospector_reset(state, seed, row) };
    }
}

/// [`prospector_step`] for `n` states in order. Null actions: all hold. Null results: stepped and
/// discarded. Null states are skipped, their results left alone.
///
/// # Safety
/// `handles` and `actions` are null or valid for reading `n` entries, `out` null or valid for
/// writing `n` results; each handle as for [`prospector_step`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn prospector_step_many(
    handles: *const *mut State,
    actions: *const u8,
    n: u32,
    out: *mut Result,
) {
    if handles.is_null() {
        return;
    }
    for index in 0..n as usize {
        // SAFETY: `handles` has n entries; each is null or an initialised state.
        let Some(state) = (unsafe { (*handles.add(index)).as_mut() }) else { continue };
        // SAFETY: where given, `actions` has n entries.
        let action = if actions.is_null() { HOLD } else { unsafe { *actions.add(index) } };
        let result = state.step(action);
        if !out.is_null() {
            // SAFETY: where given, `out` has room for n results.
            unsafe { out.add(index).write(result) };
        }
    }
}
