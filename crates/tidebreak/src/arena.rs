//! One battle: what never changes in it, its state, and memory that is used again every tick.

use std::sync::Arc;

use crate::begin;
use crate::journal::Journal;
use crate::orders::{Order, Origin};
use crate::proposals::Proposals;
use crate::scratch::Scratch;
use crate::setup::Setup;
use crate::state::State;
use crate::tick;

/// A battle that can be stepped.
#[derive(Clone, Debug)]
pub struct Arena {
    /// Package, tables and what follows from them.
    pub setup: Arc<Setup>,
    /// Everything that changes.
    pub state: State,
    /// Orders for the coming tick and who stands behind them, by ship.
    pub given: Vec<(Order, Origin)>,
    /// Filled by plugins, emptied by resolvers.
    pub proposals: Proposals,
    /// Kept events, if any are.
    pub journal: Journal,
    /// Memory of one tick.
    pub scratch: Scratch,
}

impl Arena {
    /// A battle at its start, under the seed of its package.
    #[must_use]
    pub fn new(setup: Arc<Setup>) -> Self {
        let state = begin::empty(&setup);
        let ships = setup.hulls.len();
        let seed = setup.package.seed;
        let mut arena = Self {
            state,
            given: vec![(Order::default(), Origin::Autopilot); ships],
            proposals: Proposals::default(),
            journal: Journal::default(),
            scratch: Scratch::of(&setup),
            setup,
        };
        arena.reset(seed);
        arena
    }

    /// A battle that goes on from a state of it.
    #[must_use]
    pub fn resumed(setup: Arc<Setup>, state: State) -> Self {
        let mut arena = Self::new(setup);
        arena.restore(state);
        arena
    }

    /// Begin anew under another seed, in the same memory.
    pub fn reset(&mut self, seed: u64) {
        begin::begin(&self.setup, seed, &mut self.state);
        self.given.fill((Order::default(), Origin::Autopilot));
        self.proposals.clear();
        self.journal.clear();
        tick::settle_in(self);
    }

    /// Go on from a state that was stored: what is kept by the tick only is worked out anew.
    pub fn restore(&mut self, state: State) {
        self.state = state;
        self.given.fill((Order::default(), Origin::Autopilot));
        self.proposals.clear();
        self.journal.clear();
        tick::resume(self);
    }

    /// Give a ship its order for the coming tick. Players and policies overrule doctrines, in
    /// whichever order they speak; of equals the first word stands, so that nobody wins by speaking
    /// last.
    pub fn give(&mut self, ship: usize, order: Order, rank: Origin) {
        if rank > self.given[ship].1 {
            self.given[ship] = (order, rank);
        }
    }

    /// Whether the battle is over.
    #[must_use]
    pub fn done(&self) -> bool {
        self.state.outcome.ended_by != 0
    }
}
