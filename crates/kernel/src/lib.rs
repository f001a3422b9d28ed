//! The simulation kernel: one deterministic core that steps every world.
//!
//! A [`World`] is state plus pure rules. A [`Batch`] holds `n` of them with all their arrays,
//! steps them in one call over fixed shares of threads, resets those that end and can be
//! snapshotted, restored, forked and digested. The kernel knows no world, no clock, no I/O and
//! no Python.

mod arrays;
mod batch;
mod digest;
mod episodes;
mod erased;
mod error;
mod memory;
mod pcg;
mod philox;
mod seeds;
mod snapshot;
mod workers;
mod world;

pub use arrays::{Arrays, Shared};
pub use batch::{Batch, THREADS_MAX, WORLDS_MAX};
pub use digest::{digest_bytes, digest_of};
pub use episodes::Autoreset;
pub use erased::AnyBatch;
pub use error::{BatchError, SnapshotError};
pub use memory::prefetch;
pub use pcg::{Jump, Pcg32};
pub use philox::{Stream, philox4x32};
pub use seeds::episode_seed;
pub use snapshot::{Header, peek};
pub use workers::Workers;
pub use world::{Episode, Layout, Orders, Produced, View, World};
