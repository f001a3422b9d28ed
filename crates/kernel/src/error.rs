//! What can go wrong at the edge of a batch. Every message names the thing and the fix.

use thiserror::Error;

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Bad input to a batch; the batch is left as it was.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BatchError {
    /// The number of worlds is outside what a batch can hold.
    #[error("num_worlds is {given}; choose 1 to {most}")]
    WorldCount {
        /// Asked for.
        given: u64,
        /// Allowed.
        most: u32,
    },
    /// The number of threads is outside what a batch can use.
    #[error("threads is {given}; choose 1 to {most}")]
    ThreadCount {
        /// Asked for.
        given: u64,
        /// Allowed.
        most: u32,
    },
    /// The system would not start so many threads.
    #[error("the system started {started} of {asked} threads; make the batch with fewer threads")]
    ThreadsRefused {
        /// Asked for, the caller's own included.
        asked: u32,
        /// Given, the caller's own included.
        started: u32,
    },
    /// There is not enough memory for the batch.
    #[error(
        "a batch of {worlds} worlds needs {bytes} bytes in one piece, more than there are; make a smaller one"
    )]
    OutOfMemory {
        /// Worlds asked for.
        worlds: u32,
        /// Bytes of the array that did not fit.
        bytes: u64,
    },
    /// A list has the wrong number of entries.
    #[error("{name} has {given} entries; give one per world: {expected}")]
    Length {
        /// Which argument.
        name: &'static str,
        /// Its length.
        given: u64,
        /// The length it must have.
        expected: u64,
    },
    /// A world index is outside the batch.
    #[error("world index {index} is outside this batch of {worlds}; choose 0 to {}", worlds - 1)]
    WorldIndex {
        /// Asked for.
        index: u64,
        /// Worlds in the batch.
        worlds: u32,
    },
    /// A continuous control is not a number.
    #[error(
        "controls[{world}, {agent}, {control}] is not finite; clip or replace it before stepping"
    )]
    ControlNotFinite {
        /// Where.
        world: u32,
        /// Where.
        agent: u32,
        /// Where.
        control: u32,
    },
    /// A world was stepped after its episode ended, with autoreset disabled.
    #[error(
        "world {world} has ended and autoreset is disabled; reset it first with reset_worlds([{world}])"
    )]
    EpisodeOver {
        /// Which.
        world: u32,
    },
    /// A command was given to a world whose episode has ended: its next one would not know it.
    #[error(
        "world {world} has ended and would never carry out the command; begin its next episode \
         first: with step() where autoreset is next_step, else with reset_worlds([{world}])"
    )]
    CommandAfterEnd {
        /// Which.
        world: u32,
    },
    /// A command was not understood.
    #[error("world {world}: the command was refused: {reason}")]
    Command {
        /// Which world.
        world: u32,
        /// Why, in words.
        reason: String,
    },
    /// A world tells no block of this name.
    #[error("{name:?} is no block of this world; it has {}", listed(known))]
    Block {
        /// Asked for.
        name: String,
        /// Those there are.
        known: &'static [&'static str],
    },
    /// A rule panicked: a bug in the world. The batch must be reset or restored.
    #[error(
        "a rule of this world panicked ({message}); the batch is unusable until reset or restore"
    )]
    Panicked {
        /// The panic's own words.
        message: String,
    },
    /// A snapshot could not be used.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

/// Why a snapshot was refused; the batch is left as it was.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SnapshotError {
    /// Not a snapshot at all.
    #[error(
        "these bytes are not a snapshot: they do not start with its mark; \
         pass what snapshot() returned"
    )]
    NotASnapshot,
    /// Cut short.
    #[error(
        "the snapshot is cut short: {given} bytes, at least {needed} expected; copy the whole file"
    )]
    Truncated {
        /// Bytes given.
        given: u64,
        /// Bytes needed.
        needed: u64,
    },
    /// Damaged.
    #[error("the snapshot is damaged: its checksum does not match; take it again from the source")]
    Damaged,
    /// Written by another format of the container.
    #[error(
        "the snapshot has format {found}; this build reads format {readable}: \
         restore it with the build that wrote it"
    )]
    Format {
        /// In the bytes.
        found: u16,
        /// By this build.
        readable: u16,
    },
    /// Of another world.
    #[error(
        "the snapshot is of world {found}; this batch is {expected}: \
         make a batch of {found} to restore it"
    )]
    World {
        /// In the bytes.
        found: String,
        /// This batch.
        expected: &'static str,
    },
    /// Of another version of this world's rules or state.
    #[error(
        "the snapshot is of state version {found} of this world; this build has version \
         {readable}: restore it with the build that wrote it"
    )]
    Version {
        /// In the bytes.
        found: u32,
        /// By this build.
        readable: u32,
    },
    /// Taken under another configuration.
    #[error(
        "the snapshot was taken under another config (digest {found:016x}, here {expected:016x}); \
         make the batch with the config it was taken under"
    )]
    Config {
        /// In the bytes.
        found: u64,
        /// This batch.
        expected: u64,
    },
    /// Of another number of worlds.
    #[error(
        "the snapshot holds {found} worlds; this batch has {expected}: \
         make a batch of {found} to restore it"
    )]
    WorldCount {
        /// In the bytes.
        found: u32,
        /// This batch.
        expected: u32,
    },
    /// A world in it has ended and waits for a reset that this batch would never ask for.
    #[error(
        "world {world} of the snapshot has ended and waits to be reset, which cannot be in a \
         same-step batch; make the batch with the autoreset mode it was taken under"
    )]
    Ended {
        /// Which.
        world: u32,
    },
    /// The checksum holds but a value breaks an invariant.
    #[error("the snapshot holds an impossible state: {reason}; take it again from a sound batch")]
    Impossible {
        /// Which invariant.
        reason: String,
    },
}
