//! The loop to compare Python with: the same batch, the same actions, nothing else.

use astrarium_kernel::{Autoreset, Batch, World};

use crate::orders::{Loop, Rows};

/// A batch and the actions it will be given.
pub struct Batched<W: World> {
    batch: Batch<W>,
    rows: Rows,
    width: usize,
    /// Where the ticks of a step stand among the stats, if the world has steps of several.
    ticks: Option<usize>,
    seed: u64,
}

impl<W: World> Batched<W> {
    pub fn new(config: W::Config, worlds: u64, threads: u64, rows: Rows) -> Result<Self, String> {
        let batch = Batch::new(config, worlds, threads, Autoreset::SameStep)
            .map_err(|error| error.to_string())?;
        let width = batch.arrays().actions.len();
        rows.fit(width)?;
        let ticks = batch.layout().stats.iter().position(|&name| name == "dt");
        Ok(Self { batch, rows, width, ticks, seed: 0 })
    }

    fn step(&mut self) -> Result<(), String> {
        let row = self.rows.next(self.width);
        self.batch.arrays_mut().actions.as_mut_slice().copy_from_slice(row);
        self.batch.step().map_err(|error| error.to_string())
    }

    fn episodes(&mut self) -> u64 {
        self.batch.arrays_mut().episode.as_mut_slice().iter().sum()
    }
}

impl<W: World> Loop for Batched<W> {
    fn worlds(&self) -> u64 {
        u64::from(self.batch.num_worlds())
    }

    fn steps(&mut self, calls: u64) -> Result<(), String> {
        (0..calls).try_for_each(|_| self.step())
    }

    fn resets(&mut self, calls: u64) -> Result<(), String> {
        for _ in 0..calls {
            self.seed += 1;
            self.batch.reset(self.seed).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn count(&mut self, calls: u64) -> Result<(f64, u64), String> {
        let before = self.episodes();
        let stats = self.batch.layout().stats.len();
        let mut ticks = 0.0;
        for _ in 0..calls {
            self.step()?;
            ticks += match self.ticks {
                Some(at) => {
                    let rows = self.batch.arrays_mut().stats.as_mut_slice();
                    rows.chunks_exact(stats).map(|row| f64::from(row[at])).sum()
                }
                None => self.worlds() as f64,
            };
        }
        Ok((ticks, self.episodes() - before))
    }

    fn digest(&self) -> Result<u64, String> {
        let mut digests = vec![0; self.batch.num_worlds() as usize];
        self.batch.digests(&mut digests).map_err(|error| error.to_string())?;
        Ok(digests.iter().fold(0, |sum, digest| sum ^ digest))
    }
}
