//! The arrays of a batch: allocated once, at addresses that never change.

use std::cell::UnsafeCell;

use crate::world::{Layout, Orders, Produced, View};

/// One flat array shared between the kernel and readers outside it (NumPy views, C).
///
/// The address is constant for the life of the batch. Writers are the kernel, during a step, and
/// the owner of the action arrays, between steps.
#[derive(Debug)]
pub struct Shared<T> {
    cells: Box<[UnsafeCell<T>]>,
}

// SAFETY: the kernel hands each thread rows no other thread touches, and outside readers look
// only between steps; see `Arrays::rows`.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T: Copy + Default> Shared<T> {
    /// `len` zeros, or the bytes they would take if there are not so many.
    fn new(len: usize) -> Result<Self, u64> {
        let mut cells = Vec::new();
        cells.try_reserve_exact(len).map_err(|_| (len * size_of::<T>()) as u64)?;
        cells.resize_with(len, || UnsafeCell::new(T::default()));
        Ok(Self { cells: cells.into_boxed_slice() })
    }

    /// The first element; valid for `len` elements as long as the batch lives.
    #[must_use]
    pub fn as_ptr(&self) -> *mut T {
        self.cells.as_ptr().cast::<T>().cast_mut()
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the array has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// A copy of row `index` of rows `width` wide.
    #[must_use]
    pub fn row(&self, index: u32, width: u32) -> Vec<T> {
        let (index, width) = (index as usize, width as usize);
        // SAFETY: called between steps by the batch's owner, when nobody writes.
        self.cells[index * width..(index + 1) * width]
            .iter()
            .map(|cell| unsafe { *cell.get() })
            .collect()
    }

    /// The whole array, exclusively.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: `&mut self` is exclusive, and the cells are plain values in one allocation.
        unsafe { std::slice::from_raw_parts_mut(self.as_ptr(), self.len()) }
    }

    /// Row `index`, mutably, through a shared reference.
    ///
    /// # Safety
    /// No other reference to this row may exist while the result is in use.
    #[allow(clippy::mut_from_ref, reason = "rows are disjoint by the caller's promise")]
    unsafe fn row_mut(&self, index: usize, width: usize) -> &mut [T] {
        debug_assert!((index + 1) * width <= self.len());
        // SAFETY: in bounds by construction of the arrays; exclusive by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.as_ptr().add(index * width), width) }
    }
}

/// Everything a batch shows and is told: n worlds, m agent slots.
#[derive(Debug)]
pub struct Arrays {
    /// (n, m, D): what each agent sees now.
    pub obs: Shared<f32>,
    /// (n, m, D): the last observation of an agent whose episode ended this step.
    pub final_obs: Shared<f32>,
    /// (n, m, K): legal choices now.
    pub mask: Shared<u8>,
    /// (n, m): agents in play now.
    pub alive: Shared<u8>,
    /// (n, m, H): one index per head, written by the caller.
    pub actions: Shared<i32>,
    /// (n, m, C): continuous controls, written by the caller.
    pub controls: Shared<f32>,
    /// (n, m): rewards of the last step.
    pub reward: Shared<f32>,
    /// (n, m, R): their named terms.
    pub terms: Shared<f32>,
    /// (n, m): ended by the rules in the last step.
    pub terminated: Shared<u8>,
    /// (n, m): cut off in the last step.
    pub truncated: Shared<u8>,
    /// (n, m): event bits of the last step.
    pub events: Shared<u32>,
    /// (n, S): episode figures after the last step.
    pub stats: Shared<f32>,
    /// (n,): seed of the episode each world is in.
    pub episode_seed: Shared<u64>,
    /// (n,): number of that episode, from 0.
    pub episode: Shared<u64>,
}

/// Element counts of one world's rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    pub agents: usize,
    pub obs: usize,
    pub mask: usize,
    actions: usize,
    controls: usize,
    terms: usize,
    stats: usize,
}

impl Widths {
    pub fn of(layout: &Layout) -> Self {
        let agents = layout.agents as usize;
        Self {
            agents,
            obs: agents * layout.obs as usize,
            mask: agents * layout.choices() as usize,
            actions: agents * layout.heads.len(),
            controls: agents * layout.controls as usize,
            terms: agents * layout.terms.len(),
            stats: layout.stats.len(),
        }
    }
}

/// One world's rows of every array.
pub(crate) struct Rows<'a> {
    pub orders: Orders<'a>,
    pub view: View<'a>,
    pub produced: Produced<'a>,
    pub final_obs: &'a mut [f32],
    pub episode_seed: &'a mut u64,
    pub episode: &'a mut u64,
}

impl Arrays {
    /// Zeros for `worlds` worlds, or the bytes of the first array that does not fit.
    pub(crate) fn new(layout: &Layout, worlds: u32) -> Result<Self, u64> {
        let width = Widths::of(layout);
        let n = worlds as usize;
        Ok(Self {
            obs: Shared::new(n * width.obs)?,
            final_obs: Shared::new(n * width.obs)?,
            mask: Shared::new(n * width.mask)?,
            alive: Shared::new(n * width.agents)?,
            actions: Shared::new(n * width.actions)?,
            controls: Shared::new(n * width.controls)?,
            reward: Shared::new(n * width.agents)?,
            terms: Shared::new(n * width.terms)?,
            terminated: Shared::new(n * width.agents)?,
            truncated: Shared::new(n * width.agents)?,
            events: Shared::new(n * width.agents)?,
            stats: Shared::new(n * width.stats)?,
            episode_seed: Shared::new(n)?,
            episode: Shared::new(n)?,
        })
    }

    /// What the agents of world `index` see.
    ///
    /// # Safety
    /// As for [`Arrays::rows`].
    #[inline]
    pub(crate) unsafe fn view(&self, index: usize, width: &Widths) -> View<'_> {
        // SAFETY: by the caller's promise.
        unsafe {
            View {
                obs: self.obs.row_mut(index, width.obs),
                mask: self.mask.row_mut(index, width.mask),
                alive: self.alive.row_mut(index, width.agents),
            }
        }
    }

    /// The rows of world `index`.
    ///
    /// # Safety
    /// No other reference into these rows may exist while the result is in use: each world is
    /// handled by one thread, and the batch is borrowed exclusively during a step.
    pub(crate) unsafe fn rows(&self, index: usize, width: &Widths) -> Rows<'_> {
        // SAFETY: the caller's promise covers every array; rows of one world are disjoint from
        // those of any other.
        unsafe {
            Rows {
                orders: Orders {
                    actions: self.actions.row_mut(index, width.actions),
                    controls: self.controls.row_mut(index, width.controls),
                },
                view: self.view(index, width),
                produced: Produced {
                    reward: self.reward.row_mut(index, width.agents),
                    terms: self.terms.row_mut(index, width.terms),
                    terminated: self.terminated.row_mut(index, width.agents),
                    truncated: self.truncated.row_mut(index, width.agents),
                    events: self.events.row_mut(index, width.agents),
                    stats: self.stats.row_mut(index, width.stats),
                },
                final_obs: self.final_obs.row_mut(index, width.obs),
                episode_seed: &mut self.episode_seed.row_mut(index, 1)[0],
                episode: &mut self.episode.row_mut(index, 1)[0],
            }
        }
    }
}
