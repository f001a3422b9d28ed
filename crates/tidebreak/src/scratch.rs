//! Memory of one tick, used again in the next. Nothing here outlives a tick or is hashed.

use crate::grid::Grid;
use crate::sensing::Memory;
use crate::setup::Setup;
use crate::state::Cause;

/// Harm on its way to a hull; only the combat resolver turns it into damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Row of the hull.
    pub target: u32,
    /// Damage before armour.
    pub amount: f32,
    /// What did it.
    pub cause: Cause,
    /// The ship behind it, or `NOBODY`.
    pub source: u32,
    /// The event that led to it, or 0.
    pub cause_event: u64,
    /// Root of the causal chain.
    pub trace: u64,
    /// Whether armour counts half and water may come in.
    pub underwater: bool,
    /// Whether armour stops none of it: collisions, weather, fire.
    pub direct: bool,
}

/// How one hull moves in this tick: what its helm asks and its state allows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drive {
    /// Speed aimed at when it does not turn, metres a second.
    pub speed: f32,
    /// Top speed of the layer, metres a second.
    pub top: f32,
    /// Metres a second squared.
    pub accel: f32,
    /// Greatest yaw rate, radians a second.
    pub turn: f32,
    /// -1..1.
    pub rudder: f32,
}

/// Buffers of one battle.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Where ships and rounds are.
    pub grid: Grid,
    /// What ships notice in this tick.
    pub senses: Memory,
    /// Harm of this tick.
    pub hits: Vec<Hit>,
    /// By ship.
    pub drives: Vec<Drive>,
    /// By ship: what the current adds, metres a second.
    pub currents: Vec<(f32, f32)>,
    /// Positions of every ship at the start and after every substep, ship by ship.
    pub paths: Vec<(f32, f32)>,
    /// Ships that may touch in this tick, the lower row first, and the event of their doing so, or 0.
    pub pairs: Vec<(u32, u32, u64)>,
    /// Ships near land or an edge.
    pub coasting: Vec<u32>,
    /// Rows of marks in the order in which they are stamped.
    pub order: Vec<u32>,
    /// Rows kept by the next compaction.
    pub kept: Vec<bool>,
    /// Rows of ships lost in this tick and who is to blame.
    pub losses: Vec<(u32, u32)>,
    /// Damage-control teams granted in this tick, by ship: against water, against fire, for repair.
    pub teams: Vec<[f32; 3]>,
}

impl Scratch {
    /// Buffers with room for a battle.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        let ships = setup.hulls.len();
        let rounds = 64 + 8 * ships;
        Self {
            grid: Grid::over(setup.terrain.min, setup.terrain.max, ships, rounds),
            senses: Memory::of(setup),
            hits: Vec::with_capacity(64 + 8 * ships),
            drives: vec![Drive::default(); ships],
            currents: vec![(0.0, 0.0); ships],
            paths: vec![(0.0, 0.0); ships * (setup.substeps as usize + 1)],
            pairs: Vec::with_capacity(4 * ships),
            coasting: Vec::with_capacity(ships),
            order: Vec::with_capacity(rounds),
            kept: Vec::with_capacity(rounds),
            losses: Vec::with_capacity(ships),
            teams: vec![[0.0; 3]; ships],
        }
    }
}
