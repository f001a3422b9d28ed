//! Batches as bytes and as copies: snapshot, restore, fork.

use serde::{Deserialize, Serialize};

use super::Batch;
use crate::digest::digest_of;
use crate::episodes::{Autoreset, Lineage};
use crate::error::{BatchError, SnapshotError};
use crate::snapshot::{self, Header};
use crate::workers::caught;
use crate::world::World;

/// What a snapshot stores of each world.
#[derive(Serialize, Deserialize)]
struct Stored<W> {
    lineage: Lineage,
    episode: u64,
    world: W,
}

impl<W: World> Batch<W> {
    /// Every world, its lineage and episode as versioned bytes.
    ///
    /// # Errors
    /// If a rule panicked before: worlds that have stepped and worlds that have not would be
    /// kept together as if they belonged to one moment.
    pub fn snapshot(&self) -> Result<Vec<u8>, BatchError> {
        #[derive(Serialize)]
        struct StoredRef<'a, W> {
            lineage: Lineage,
            episode: u64,
            world: &'a W,
        }
        self.usable()?;
        let episodes = self.arrays.episode.row(0, self.num_worlds());
        let body: Vec<StoredRef<'_, W>> = (self.worlds.iter().zip(&self.lineages).zip(episodes))
            .map(|((world, &lineage), episode)| StoredRef { lineage, episode, world })
            .collect();
        let bytes = snapshot::seal(&self.header(), &body);
        tracing::debug!(target: "astrarium.kernel", world = W::ID, bytes = bytes.len(), "snapshot");
        Ok(bytes)
    }

    /// Continue from a snapshot of a batch of this size, world and config.
    ///
    /// Rewards, endings and final observations of the step before the snapshot are not stored:
    /// they read as zero until the next step.
    ///
    /// # Errors
    /// Why the bytes were refused; the batch is left as it was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), BatchError> {
        let (header, body) = snapshot::open(bytes)?;
        self.accepts(&header)?;
        let stored: Vec<Stored<W>> = snapshot::decode(body)?;
        if stored.len() != self.worlds.len() {
            return Err(SnapshotError::WorldCount {
                found: stored.len() as u32,
                expected: self.num_worlds(),
            }
            .into());
        }
        for (index, one) in stored.iter().enumerate() {
            if one.lineage.over && self.autoreset == Autoreset::SameStep {
                return Err(SnapshotError::Ended { world: index as u32 }.into());
            }
            // A state from outside may break the check itself; then nothing was changed yet.
            let answer = caught(|| one.world.check(&self.config));
            answer.and_then(|verdict| verdict).map_err(|reason| SnapshotError::Impossible {
                reason: format!("world {index}: {reason}"),
            })?;
        }
        self.panicked = None;
        self.guarded(|batch| {
            for (index, mut one) in stored.into_iter().enumerate() {
                one.world.restored(&batch.config);
                batch.place(index, one);
            }
        })?;
        tracing::debug!(target: "astrarium.kernel", world = W::ID, bytes = bytes.len(), "restore");
        Ok(())
    }

    /// A new batch holding copies of the chosen worlds, in that order; one may be chosen often.
    ///
    /// # Errors
    /// If an index is outside the batch, or a count is out of range.
    pub fn fork(&self, indices: &[u32], threads: u64) -> Result<Self, BatchError> {
        self.usable()?;
        self.indices_exist(indices)?;
        let mut copy =
            Self::new(self.config.clone(), indices.len() as u64, threads, self.autoreset)?;
        let episodes = self.arrays.episode.row(0, self.num_worlds());
        copy.guarded(|copy| {
            for (to, &from) in indices.iter().enumerate() {
                let from = from as usize;
                let world = self.worlds[from].clone();
                let (lineage, episode) = (self.lineages[from], episodes[from]);
                copy.place(to, Stored { lineage, episode, world });
            }
        })?;
        Ok(copy)
    }

    fn header(&self) -> Header {
        Header {
            world: W::ID.to_owned(),
            state_version: W::STATE_VERSION,
            config: digest_of(&self.config),
            worlds: self.num_worlds(),
        }
    }

    fn accepts(&self, found: &Header) -> Result<(), SnapshotError> {
        let own = self.header();
        if found.world != own.world {
            return Err(SnapshotError::World { found: found.world.clone(), expected: W::ID });
        }
        if found.state_version != own.state_version {
            return Err(SnapshotError::Version {
                found: found.state_version,
                readable: W::STATE_VERSION,
            });
        }
        if found.config != own.config {
            return Err(SnapshotError::Config { found: found.config, expected: own.config });
        }
        if found.worlds != own.worlds {
            return Err(SnapshotError::WorldCount { found: found.worlds, expected: own.worlds });
        }
        Ok(())
    }

    fn place(&mut self, index: usize, stored: Stored<W>) {
        // SAFETY: `&mut self` is exclusive and one row is held at a time.
        let mut rows = unsafe { self.arrays.rows(index, &self.width) };
        self.worlds[index] = stored.world;
        self.lineages[index] = stored.lineage;
        *rows.episode = stored.episode;
        *rows.episode_seed = stored.lineage.seed(stored.episode);
        self.worlds[index].observe(&mut rows.view);
        rows.produced.clear();
        rows.produced.stats.fill(0.0);
        rows.final_obs.fill(0.0);
    }
}
