//! A batch of any world, for callers that choose the world at run time.

use crate::arrays::Arrays;
use crate::batch::Batch;
use crate::error::BatchError;
use crate::world::{Layout, World};

/// [`Batch`] without its type parameter.
pub trait AnyBatch: Send {
    /// The registered name of the world.
    fn world_id(&self) -> &'static str;
    /// Number of worlds.
    fn num_worlds(&self) -> u32;
    /// Threads stepping the batch.
    fn threads(&self) -> u32;
    /// Sizes and names of the arrays.
    fn layout(&self) -> &Layout;
    /// The arrays.
    fn arrays(&self) -> &Arrays;
    /// See [`Batch::reset`].
    ///
    /// # Errors
    /// As there.
    fn reset(&mut self, run_seed: u64) -> Result<(), BatchError>;
    /// See [`Batch::reset_with_seeds`].
    ///
    /// # Errors
    /// As there.
    fn reset_with_seeds(&mut self, seeds: &[u64]) -> Result<(), BatchError>;
    /// See [`Batch::reset_worlds`].
    ///
    /// # Errors
    /// As there.
    fn reset_worlds(&mut self, indices: &[u32], seeds: Option<&[u64]>) -> Result<(), BatchError>;
    /// See [`Batch::step`].
    ///
    /// # Errors
    /// As there.
    fn step(&mut self) -> Result<(), BatchError>;
    /// See [`Batch::step_into`].
    ///
    /// # Errors
    /// As there.
    fn step_into(&mut self, obs: &mut [f32], mask: &mut [u8]) -> Result<(), BatchError>;
    /// See [`Batch::digests`].
    ///
    /// # Errors
    /// As there.
    fn digests(&self, out: &mut [u64]) -> Result<(), BatchError>;
    /// See [`Batch::reveal`].
    ///
    /// # Errors
    /// As there.
    fn reveal(&self, out: &mut [f32]) -> Result<(), BatchError>;
    /// See [`Batch::snapshot`].
    ///
    /// # Errors
    /// As there.
    fn snapshot(&self) -> Result<Vec<u8>, BatchError>;
    /// See [`Batch::restore`].
    ///
    /// # Errors
    /// As there.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), BatchError>;
    /// See [`Batch::watch`].
    ///
    /// # Errors
    /// As there.
    fn watch(&mut self, index: u32, on: bool) -> Result<(), BatchError>;
    /// See [`Batch::happenings`].
    ///
    /// # Errors
    /// As there.
    fn happenings(&self, index: u32) -> Result<String, BatchError>;
    /// See [`Batch::portrait`].
    ///
    /// # Errors
    /// As there.
    fn portrait(&self, index: u32) -> Result<String, BatchError>;
    /// Names of what [`AnyBatch::block`] tells.
    fn blocks(&self) -> &'static [&'static str];
    /// See [`Batch::block`].
    ///
    /// # Errors
    /// As there.
    fn block(&self, index: u32, name: &str) -> Result<String, BatchError>;
    /// See [`Batch::command`].
    ///
    /// # Errors
    /// As there.
    fn command(&mut self, index: u32, json: &str) -> Result<u64, BatchError>;
    /// See [`Batch::fork`].
    ///
    /// # Errors
    /// As there.
    fn fork(&self, indices: &[u32], threads: u64) -> Result<Box<dyn AnyBatch>, BatchError>;
}

impl<W: World> AnyBatch for Batch<W> {
    fn world_id(&self) -> &'static str {
        W::ID
    }
    fn num_worlds(&self) -> u32 {
        self.num_worlds()
    }
    fn threads(&self) -> u32 {
        self.threads()
    }
    fn layout(&self) -> &Layout {
        self.layout()
    }
    fn arrays(&self) -> &Arrays {
        self.arrays()
    }
    fn reset(&mut self, run_seed: u64) -> Result<(), BatchError> {
        self.reset(run_seed)
    }
    fn reset_with_seeds(&mut self, seeds: &[u64]) -> Result<(), BatchError> {
        self.reset_with_seeds(seeds)
    }
    fn reset_worlds(&mut self, indices: &[u32], seeds: Option<&[u64]>) -> Result<(), BatchError> {
        self.reset_worlds(indices, seeds)
    }
    fn step(&mut self) -> Result<(), BatchError> {
        self.step()
    }
    fn step_into(&mut self, obs: &mut [f32], mask: &mut [u8]) -> Result<(), BatchError> {
        self.step_into(obs, mask)
    }
    fn digests(&self, out: &mut [u64]) -> Result<(), BatchError> {
        self.digests(out)
    }
    fn reveal(&self, out: &mut [f32]) -> Result<(), BatchError> {
        self.reveal(out)
    }
    fn snapshot(&self) -> Result<Vec<u8>, BatchError> {
        self.snapshot()
    }
    fn restore(&mut self, bytes: &[u8]) -> Result<(), BatchError> {
        self.restore(bytes)
    }
    fn watch(&mut self, index: u32, on: bool) -> Result<(), BatchError> {
        self.watch(index, on)
    }
    fn happenings(&self, index: u32) -> Result<String, BatchError> {
        self.happenings(index)
    }
    fn portrait(&self, index: u32) -> Result<String, BatchError> {
        self.portrait(index)
    }
    fn blocks(&self) -> &'static [&'static str] {
        W::BLOCKS
    }
    fn block(&self, index: u32, name: &str) -> Result<String, BatchError> {
        self.block(index, name)
    }
    fn command(&mut self, index: u32, json: &str) -> Result<u64, BatchError> {
        self.command(index, json)
    }
    fn fork(&self, indices: &[u32], threads: u64) -> Result<Box<dyn AnyBatch>, BatchError> {
        Ok(Box::new(self.fork(indices, threads)?))
    }
}
