//! A batch of worlds: stepped in one call, reset by itself, the same bits for any thread count.

mod storing;
mod watching;

use crate::arrays::{Arrays, Rows, Widths};
use crate::digest::digest_of;
use crate::episodes::{self, Autoreset, Lineage, begin};
use crate::error::BatchError;
use crate::memory::{self, prefetch};
use crate::workers::{Exclusive, Workers, caught};
use crate::world::{Layout, World};

/// The most worlds one batch may hold.
pub const WORLDS_MAX: u32 = 1 << 20;
/// The most threads one batch may use.
pub const THREADS_MAX: u32 = 256;

/// `n` worlds of one kind and all their arrays, allocated once.
pub struct Batch<W: World> {
    config: W::Config,
    layout: Layout,
    width: Widths,
    autoreset: Autoreset,
    worlds: Vec<W>,
    lineages: Vec<Lineage>,
    arrays: Arrays,
    workers: Workers,
    panicked: Option<String>,
}

impl<W: World> Batch<W> {
    /// Build a batch and begin episode 0 of run seed 0 in every world.
    ///
    /// # Errors
    /// If a count is out of range.
    pub fn new(
        config: W::Config,
        num_worlds: u64,
        threads: u64,
        autoreset: Autoreset,
    ) -> Result<Self, BatchError> {
        if num_worlds == 0 || num_worlds > u64::from(WORLDS_MAX) {
            return Err(BatchError::WorldCount { given: num_worlds, most: WORLDS_MAX });
        }
        if threads == 0 || threads > u64::from(THREADS_MAX) {
            return Err(BatchError::ThreadCount { given: threads, most: THREADS_MAX });
        }
        let num_worlds = num_worlds as u32;
        let layout = W::layout(&config);
        let short = |bytes| BatchError::OutOfMemory { worlds: num_worlds, bytes };
        let threads = (threads as u32).min(num_worlds);
        let refused = |started| BatchError::ThreadsRefused { asked: threads, started };
        let idle = Lineage { root: 0, lane: 0, explicit: false, over: true };
        let mut batch = Self {
            width: Widths::of(&layout),
            autoreset,
            worlds: memory::filled(W::new(&config), num_worlds as usize).map_err(short)?,
            lineages: vec![idle; num_worlds as usize],
            arrays: Arrays::new(&layout, num_worlds).map_err(short)?,
            workers: Workers::new(threads).map_err(refused)?,
            panicked: None,
            layout,
            config,
        };
        batch.reset(0)?;
        Ok(batch)
    }

    /// Number of worlds.
    #[must_use]
    pub fn num_worlds(&self) -> u32 {
        self.worlds.len() as u32
    }

    /// Threads stepping the batch, the caller's included.
    #[must_use]
    pub fn threads(&self) -> u32 {
        self.workers.count()
    }

    /// Sizes and names of the arrays.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The arrays. Their addresses never change.
    #[must_use]
    pub fn arrays(&self) -> &Arrays {
        &self.arrays
    }

    /// The arrays, to fill in actions.
    pub fn arrays_mut(&mut self) -> &mut Arrays {
        &mut self.arrays
    }

    /// The world at `index`, to look at.
    #[must_use]
    pub fn world(&self, index: u32) -> Option<&W> {
        self.worlds.get(index as usize)
    }

    /// Begin episode 0 of `run_seed` in every world.
    ///
    /// # Errors
    /// If a rule panics.
    pub fn reset(&mut self, run_seed: u64) -> Result<(), BatchError> {
        for (lane, lineage) in self.lineages.iter_mut().enumerate() {
            *lineage = Lineage { root: run_seed, lane: lane as u32, explicit: false, over: false };
        }
        tracing::debug!(target: "astrarium.kernel", world = W::ID, run_seed, "reset");
        self.begin_all()
    }

    /// Begin an episode with exactly `seeds[i]` in world `i`, wherever in the batch it stands.
    ///
    /// # Errors
    /// If there is not one seed per world, or a rule panics.
    pub fn reset_with_seeds(&mut self, seeds: &[u64]) -> Result<(), BatchError> {
        if seeds.len() != self.worlds.len() {
            return Err(BatchError::Length {
                name: "seeds",
                given: seeds.len() as u64,
                expected: self.worlds.len() as u64,
            });
        }
        for (lineage, &root) in self.lineages.iter_mut().zip(seeds) {
            *lineage = Lineage { root, lane: 0, explicit: true, over: false };
        }
        self.begin_all()
    }

    /// Begin the next episode of the chosen worlds; with `seeds`, episodes of exactly those.
    ///
    /// # Errors
    /// If an index is outside the batch, or there is not one seed per index.
    pub fn reset_worlds(
        &mut self,
        indices: &[u32],
        seeds: Option<&[u64]>,
    ) -> Result<(), BatchError> {
        self.usable()?;
        self.indices_exist(indices)?;
        if let Some(seeds) = seeds
            && seeds.len() != indices.len()
        {
            return Err(BatchError::Length {
                name: "seeds",
                given: seeds.len() as u64,
                expected: indices.len() as u64,
            });
        }
        self.guarded(|batch| {
            for (position, &index) in indices.iter().enumerate() {
                batch.reset_one(index as usize, seeds.map(|seeds| seeds[position]));
            }
        })
    }

    fn reset_one(&mut self, index: usize, seed: Option<u64>) {
        // SAFETY: `&mut self` is exclusive and one row is held at a time.
        let mut rows = unsafe { self.arrays.rows(index, &self.width) };
        let lineage = &mut self.lineages[index];
        let episode = match seed {
            Some(root) => {
                *lineage = Lineage { root, lane: 0, explicit: true, over: false };
                0
            }
            None => *rows.episode + 1,
        };
        begin(&mut self.worlds[index], lineage, &mut rows, episode);
        rows.produced.clear();
    }

    /// Advance every world by one decision, taken from `arrays().actions` and `controls`.
    ///
    /// # Errors
    /// If a control is not finite or, with autoreset disabled, a world has ended; nothing is
    /// stepped then. If a rule panics, the batch is unusable until reset or restore.
    pub fn step(&mut self) -> Result<(), BatchError> {
        self.ready()?;
        let autoreset = self.autoreset;
        self.on_every_world(|_, world, lineage, rows| {
            episodes::step(world, lineage, rows, autoreset);
        })
    }

    /// As [`Batch::step`]; what the agents see next also lands in `obs` (n, m, D) and `mask`
    /// (n, m, K), written world by world while the rows are still in the nearest cache.
    ///
    /// # Errors
    /// As for [`Batch::step`], or if an array has another size; nothing is stepped then.
    pub fn step_into(&mut self, obs: &mut [f32], mask: &mut [u8]) -> Result<(), BatchError> {
        let (obs_width, mask_width) = (self.width.obs, self.width.mask);
        self.lands("obs", obs.len(), obs_width)?;
        self.lands("mask", mask.len(), mask_width)?;
        self.ready()?;
        let autoreset = self.autoreset;
        let (obs, mask) = (Exclusive(obs.as_mut_ptr()), Exclusive(mask.as_mut_ptr()));
        self.on_every_world(|index, world, lineage, rows| {
            episodes::step(world, lineage, rows, autoreset);
            // SAFETY: the sizes were checked, and each world's span is written by the one thread
            // that steps it.
            unsafe {
                obs.span(index * obs_width, obs_width).copy_from_slice(rows.view.obs);
                mask.span(index * mask_width, mask_width).copy_from_slice(rows.view.mask);
            }
        })
    }

    fn lands(&self, name: &'static str, given: usize, width: usize) -> Result<(), BatchError> {
        let expected = self.worlds.len() * width;
        if given == expected {
            return Ok(());
        }
        Err(BatchError::Length { name, given: given as u64, expected: expected as u64 })
    }

    /// Refuse a step that could not be taken by every world.
    fn ready(&mut self) -> Result<(), BatchError> {
        self.usable()?;
        self.check_controls()?;
        if self.autoreset == Autoreset::Disabled
            && let Some(world) = self.lineages.iter().position(|lineage| lineage.over)
        {
            return Err(BatchError::EpisodeOver { world: world as u32 });
        }
        Ok(())
    }

    /// A 64-bit digest of each world's state.
    ///
    /// # Errors
    /// If `out` does not hold one entry per world.
    pub fn digests(&self, out: &mut [u64]) -> Result<(), BatchError> {
        if out.len() != self.worlds.len() {
            return Err(BatchError::Length {
                name: "digests",
                given: out.len() as u64,
                expected: self.worlds.len() as u64,
            });
        }
        for (digest, world) in out.iter_mut().zip(&self.worlds) {
            *digest = digest_of(world);
        }
        Ok(())
    }

    /// The hidden state of each world, row after row of `layout().hidden` floats.
    ///
    /// # Errors
    /// If `out` does not hold exactly that.
    pub fn reveal(&self, out: &mut [f32]) -> Result<(), BatchError> {
        let width = self.layout.hidden as usize;
        if out.len() != self.worlds.len() * width {
            return Err(BatchError::Length {
                name: "hidden",
                given: out.len() as u64,
                expected: (self.worlds.len() * width) as u64,
            });
        }
        if width > 0 {
            for (world, row) in self.worlds.iter().zip(out.chunks_exact_mut(width)) {
                world.reveal(row);
            }
        }
        Ok(())
    }

    fn begin_all(&mut self) -> Result<(), BatchError> {
        self.panicked = None;
        self.on_every_world(|_, world, lineage, rows| {
            begin(world, lineage, rows, 0);
            rows.produced.clear();
            rows.produced.stats.fill(0.0);
            rows.final_obs.fill(0.0);
        })
    }

    /// Run `work` on every world, each share of the batch on its own thread.
    fn on_every_world(
        &mut self,
        work: impl Fn(usize, &mut W, &mut Lineage, &mut Rows<'_>) + Sync,
    ) -> Result<(), BatchError> {
        let count = self.worlds.len();
        let threads = self.workers.count() as usize;
        let share = count.div_ceil(threads);
        let worlds = Exclusive(self.worlds.as_mut_ptr());
        let lineages = Exclusive(self.lineages.as_mut_ptr());
        let (arrays, width) = (&self.arrays, &self.width);
        let task = |thread: u32| {
            let first = (thread as usize * share).min(count);
            let last = (first + share).min(count);
            for index in first..last {
                // SAFETY: shares are disjoint, so this thread alone touches the worlds of its
                // share, their lineages and rows; `&mut self` keeps everybody else out.
                unsafe { fetch_ahead(&worlds, arrays, width, index, last) };
                // SAFETY: likewise.
                let (world, lineage, mut rows) =
                    unsafe { (worlds.at(index), lineages.at(index), arrays.rows(index, width)) };
                work(index, world, lineage, &mut rows);
            }
        };
        self.workers.run(&task).map_err(|message| self.broken(message))
    }

    /// Run `work` on this thread with panics caught, as those of the workers are.
    fn guarded(&mut self, work: impl FnOnce(&mut Self)) -> Result<(), BatchError> {
        caught(|| work(self)).map_err(|message| self.broken(message))
    }

    /// Some worlds have moved and some have not: refuse to go on until all are set anew.
    fn broken(&mut self, message: String) -> BatchError {
        tracing::error!(target: "astrarium.kernel", world = W::ID, panic = message, "a rule panicked");
        self.panicked = Some(message.clone());
        BatchError::Panicked { message }
    }

    fn usable(&self) -> Result<(), BatchError> {
        match &self.panicked {
            Some(message) => Err(BatchError::Panicked { message: message.clone() }),
            None => Ok(()),
        }
    }

    fn indices_exist(&self, indices: &[u32]) -> Result<(), BatchError> {
        match indices.iter().find(|&&index| index >= self.num_worlds()) {
            Some(&index) => {
                Err(BatchError::WorldIndex { index: u64::from(index), worlds: self.num_worlds() })
            }
            None => Ok(()),
        }
    }

    fn check_controls(&mut self) -> Result<(), BatchError> {
        let (agents, controls) = (self.layout.agents as usize, self.layout.controls as usize);
        match self.arrays.controls.as_mut_slice().iter().position(|value| !value.is_finite()) {
            Some(at) => Err(BatchError::ControlNotFinite {
                world: (at / (agents * controls)) as u32,
                agent: (at / controls % agents) as u32,
                control: (at % controls) as u32,
            }),
            None => Ok(()),
        }
    }
}

/// Worlds are large and visited in order, so the memory of the next ones is asked for while this
/// one is computed: two ahead the front of the struct, one ahead what that points at.
///
/// # Safety
/// All worlds up to `last` and their rows must be the caller's alone.
#[inline]
unsafe fn fetch_ahead<W: World>(
    worlds: &Exclusive<W>,
    arrays: &Arrays,
    width: &Widths,
    index: usize,
    last: usize,
) {
    if index + 2 < last {
        prefetch(worlds.0.wrapping_add(index + 2), W::HOT_BYTES);
    }
    if index + 1 < last {
        // SAFETY: by the caller's promise; one world and its rows at a time.
        unsafe { worlds.at(index + 1).warm(&arrays.view(index + 1, width)) };
    }
}
