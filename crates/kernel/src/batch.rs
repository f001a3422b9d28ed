//! A batch of worlds: stepped in one call, reset by itself, the same bits for any thread count.

use serde::{Deserialize, Serialize};

use crate::arrays::{Arrays, Rows, Widths};
use crate::digest::digest_of;
use crate::error::{BatchError, SnapshotError};
use crate::seeds::episode_seed;
use crate::snapshot::{self, Header};
use crate::workers::Workers;
use crate::world::{Episode, Layout, World};

/// The most worlds one batch may hold.
pub const WORLDS_MAX: u32 = 1 << 20;
/// The most threads one batch may use.
pub const THREADS_MAX: u32 = 256;

/// When a world that ended begins its next episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Autoreset {
    /// In the step that ended it: `obs` is already the next episode's, `final_obs` the last.
    SameStep,
    /// In the following step, whose action is ignored and whose reward is 0.
    NextStep,
    /// When asked. Stepping an ended world is an error.
    Disabled,
}

/// Where a world's episodes come from: episode `e` has `episode_seed(root, lane, e)`, except
/// that an explicitly seeded lane uses its root itself for the first.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Lineage {
    root: u64,
    lane: u32,
    explicit: bool,
    over: bool,
}

impl Lineage {
    fn seed(&self, episode: u64) -> u64 {
        if self.explicit && episode == 0 {
            self.root
        } else {
            episode_seed(self.root, self.lane, episode)
        }
    }
}

/// What a snapshot stores of each world.
#[derive(Serialize, Deserialize)]
struct Stored<W> {
    lineage: Lineage,
    episode: u64,
    world: W,
}

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
        let idle = Lineage { root: 0, lane: 0, explicit: false, over: true };
        let mut batch = Self {
            width: Widths::of(&layout),
            autoreset,
            worlds: vec![W::new(&config); num_worlds as usize],
            lineages: vec![idle; num_worlds as usize],
            arrays: Arrays::new(&layout, num_worlds),
            workers: Workers::new((threads as u32).min(num_worlds)),
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
        for (position, &index) in indices.iter().enumerate() {
            let index = index as usize;
            // SAFETY: `&mut self` is exclusive and one row is held at a time.
            let mut rows = unsafe { self.arrays.rows(index, &self.width) };
            let lineage = &mut self.lineages[index];
            let episode = match seeds {
                Some(seeds) => {
                    *lineage =
                        Lineage { root: seeds[position], lane: 0, explicit: true, over: false };
                    0
                }
                None => *rows.episode + 1,
            };
            begin(&mut self.worlds[index], lineage, &mut rows, episode);
            rows.clear_produced();
        }
        Ok(())
    }

    /// Advance every world by one decision, taken from `arrays().actions` and `controls`.
    ///
    /// # Errors
    /// If a control is not finite or, with autoreset disabled, a world has ended; nothing is
    /// stepped then. If a rule panics, the batch is unusable until reset or restore.
    pub fn step(&mut self) -> Result<(), BatchError> {
        self.usable()?;
        self.check_controls()?;
        if self.autoreset == Autoreset::Disabled
            && let Some(world) = self.lineages.iter().position(|lineage| lineage.over)
        {
            return Err(BatchError::EpisodeOver { world: world as u32 });
        }
        self.on_every_world(step_one)
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

    /// Every world, its lineage and episode as versioned bytes.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct StoredRef<'a, W> {
            lineage: Lineage,
            episode: u64,
            world: &'a W,
        }
        let episodes = self.arrays.episode.row(0, self.num_worlds());
        let body: Vec<StoredRef<'_, W>> = (self.worlds.iter().zip(&self.lineages).zip(episodes))
            .map(|((world, &lineage), episode)| StoredRef { lineage, episode, world })
            .collect();
        let bytes = snapshot::seal(&self.header(), &body);
        tracing::debug!(target: "astrarium.kernel", world = W::ID, bytes = bytes.len(), "snapshot");
        bytes
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
            one.world.check(&self.config).map_err(|reason| SnapshotError::Impossible {
                reason: format!("world {index}: {reason}"),
            })?;
        }
        for (index, one) in stored.into_iter().enumerate() {
            self.place(index, one);
        }
        self.panicked = None;
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
        for (to, &from) in indices.iter().enumerate() {
            let from = from as usize;
            copy.place(
                to,
                Stored {
                    lineage: self.lineages[from],
                    episode: episodes[from],
                    world: self.worlds[from].clone(),
                },
            );
        }
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
        rows.clear_produced();
        rows.produced.stats.fill(0.0);
        rows.final_obs.fill(0.0);
    }

    fn begin_all(&mut self) -> Result<(), BatchError> {
        self.panicked = None;
        self.on_every_world(|world, lineage, rows, _| {
            begin(world, lineage, rows, 0);
            rows.clear_produced();
            rows.produced.stats.fill(0.0);
            rows.final_obs.fill(0.0);
        })
    }

    /// Run `work` on every world, each share of the batch on its own thread.
    fn on_every_world(
        &mut self,
        work: fn(&mut W, &mut Lineage, &mut Rows<'_>, Autoreset),
    ) -> Result<(), BatchError> {
        let count = self.worlds.len();
        let threads = self.workers.count() as usize;
        let share = count.div_ceil(threads);
        let worlds = Exclusive(self.worlds.as_mut_ptr());
        let lineages = Exclusive(self.lineages.as_mut_ptr());
        let (arrays, width, autoreset) = (&self.arrays, &self.width, self.autoreset);
        let task = |thread: u32| {
            let first = (thread as usize * share).min(count);
            for index in first..(first + share).min(count) {
                // SAFETY: shares are disjoint, so this thread alone touches world `index`, its
                // lineage and its rows; `&mut self` keeps everybody else out.
                let (world, lineage, mut rows) =
                    unsafe { (worlds.at(index), lineages.at(index), arrays.rows(index, width)) };
                work(world, lineage, &mut rows, autoreset);
            }
        };
        self.workers.run(&task).map_err(|message| {
            tracing::error!(target: "astrarium.kernel", world = W::ID, message, "a rule panicked");
            self.panicked = Some(message.clone());
            BatchError::Panicked { message }
        })
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

/// A pointer whose elements are handed out to one thread each.
struct Exclusive<T>(*mut T);

// SAFETY: `on_every_world` gives each element to exactly one thread.
unsafe impl<T: Send> Sync for Exclusive<T> {}

impl<T> Exclusive<T> {
    /// # Safety
    /// `index` must be in bounds and handed out once at a time.
    #[allow(clippy::mut_from_ref, reason = "elements are disjoint by the caller's promise")]
    unsafe fn at(&self, index: usize) -> &mut T {
        // SAFETY: by the caller's promise.
        unsafe { &mut *self.0.add(index) }
    }
}

fn begin<W: World>(world: &mut W, lineage: &mut Lineage, rows: &mut Rows<'_>, episode: u64) {
    let seed = lineage.seed(episode);
    lineage.over = false;
    *rows.episode = episode;
    *rows.episode_seed = seed;
    world.reset(seed);
    world.observe(&mut rows.view);
}

fn step_one<W: World>(
    world: &mut W,
    lineage: &mut Lineage,
    rows: &mut Rows<'_>,
    autoreset: Autoreset,
) {
    rows.clear_produced();
    if lineage.over {
        let next = *rows.episode + 1;
        begin(world, lineage, rows, next);
        return;
    }
    let outcome = world.step(rows.orders, &mut rows.view, &mut rows.produced);
    keep_final_observations(rows);
    if outcome == Episode::Over {
        if autoreset == Autoreset::SameStep {
            let next = *rows.episode + 1;
            begin(world, lineage, rows, next);
        } else {
            lineage.over = true;
        }
    }
}

/// Copy the last observation of every agent that ended in this step.
fn keep_final_observations(rows: &mut Rows<'_>) {
    let agents = rows.view.alive.len();
    let per_agent = rows.final_obs.len() / agents;
    for agent in 0..agents {
        if rows.produced.terminated[agent] | rows.produced.truncated[agent] != 0 {
            let span = agent * per_agent..(agent + 1) * per_agent;
            rows.final_obs[span.clone()].copy_from_slice(&rows.view.obs[span]);
        }
    }
}
