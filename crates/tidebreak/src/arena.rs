//! One battle: what never changes in it, its state, and memory that is used again every tick.

use std::sync::Arc;

use crate::journal::Journal;
use crate::orders::{Order, Origin};
use crate::proposals::Proposals;
use crate::setup::Setup;
use crate::state::State;

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
}
