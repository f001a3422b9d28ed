//! Looking at one world of a batch, and giving it orders from outside.

use super::Batch;
use crate::error::BatchError;
use crate::world::World;

impl<W: World> Batch<W> {
    /// See [`World::watch`].
    ///
    /// # Errors
    /// If the index is outside the batch.
    pub fn watch(&mut self, index: u32, on: bool) -> Result<(), BatchError> {
        self.indices_exist(&[index])?;
        self.worlds[index as usize].watch(on);
        Ok(())
    }

    /// See [`World::happenings`].
    ///
    /// # Errors
    /// If the index is outside the batch.
    pub fn happenings(&self, index: u32) -> Result<String, BatchError> {
        self.indices_exist(&[index])?;
        Ok(self.worlds[index as usize].happenings())
    }

    /// See [`World::portrait`].
    ///
    /// # Errors
    /// If the index is outside the batch.
    pub fn portrait(&self, index: u32) -> Result<String, BatchError> {
        self.indices_exist(&[index])?;
        Ok(self.worlds[index as usize].portrait())
    }

    /// See [`World::block`].
    ///
    /// # Errors
    /// If the index is outside the batch, or the world has no such block.
    pub fn block(&self, index: u32, name: &str) -> Result<String, BatchError> {
        self.indices_exist(&[index])?;
        let told = self.worlds[index as usize].block(name);
        told.ok_or_else(|| BatchError::Block { name: name.to_owned(), known: W::BLOCKS })
    }

    /// See [`World::command`].
    ///
    /// # Errors
    /// If the index is outside the batch, the world has ended, or it refuses the command.
    pub fn command(&mut self, index: u32, json: &str) -> Result<u64, BatchError> {
        self.usable()?;
        self.indices_exist(&[index])?;
        if self.lineages[index as usize].over {
            return Err(BatchError::CommandAfterEnd { world: index });
        }
        let answer = self.worlds[index as usize].command(json);
        answer.map_err(|reason| BatchError::Command { world: index, reason })
    }
}
