//! The entities a ship looks at: the nearest of those some sense could notice.

use crate::grid::{Cells, Grid};
use crate::setup::Setup;
use crate::state::State;

use super::Memory;
use super::detection::{CANDIDATES, Candidate, Watch};

/// Entities from which on a ship looks through the grid rather than through all of them.
const GRID_FROM: usize = 96;
/// Metres something may have moved since the grid was made.
const GRID_SLACK_M: f32 = 300.0;

/// Collect them for one ship, at most [`CANDIDATES`]. Only what could be noticed counts, so nothing
/// that lies hidden can take another's place.
pub(super) fn gather(
    setup: &Setup,
    state: &State,
    grid: &Grid,
    watch: &Watch,
    memory: &mut Memory,
) {
    let Memory { signatures, candidates, .. } = memory;
    candidates.clear();
    if watch.reach_m <= 0.0 {
        return;
    }
    if signatures.len() <= GRID_FROM {
        for (at, target) in signatures.iter().enumerate() {
            candidates.extend(watch.consider(setup, at, target));
        }
    } else {
        let ships = state.ships.len();
        let grounded = ships + state.rounds.len();
        // Squadrons are few and stand in no grid.
        for (at, target) in signatures.iter().enumerate().skip(grounded) {
            candidates.extend(watch.consider(setup, at, target));
        }
        let reach = watch.reach_m + GRID_SLACK_M;
        for ring in 0..=(reach / Cells::SIDE) as i32 + 1 {
            let mut visit = |at: usize, end: usize| {
                if at < end {
                    candidates.extend(watch.consider(setup, at, &signatures[at]));
                }
            };
            visit_ring(&grid.ships, watch, ring, |row| visit(row, ships));
            visit_ring(&grid.rounds, watch, ring, |row| visit(ships + row, grounded));
            if candidates.len() >= CANDIDATES {
                break;
            }
        }
    }
    keep_nearest(candidates);
}

/// Visit the cells whose larger distance in columns or rows from the ship's own is `ring`.
fn visit_ring(cells: &Cells, watch: &Watch, ring: i32, mut visit: impl FnMut(usize)) {
    let (column, row) = cells.cell(watch.x, watch.y);
    let (columns, rows) = cells.size();
    let (left, right) = ((column - ring).max(0), (column + ring).min(columns - 1));
    for at in (row - ring).max(0)..=(row + ring).min(rows - 1) {
        if (at - row).abs() == ring {
            cells.span(left, right, at).iter().for_each(|&item| visit(item as usize));
        } else {
            for side in [column - ring, column + ring] {
                cells.at(side, at).iter().for_each(|&item| visit(item as usize));
            }
        }
    }
}

fn keep_nearest(candidates: &mut Vec<Candidate>) {
    if candidates.len() <= CANDIDATES {
        return;
    }
    let nearer = |one: &Candidate, other: &Candidate| {
        one.square.total_cmp(&other.square).then(one.at.cmp(&other.at))
    };
    candidates.select_nth_unstable_by(CANDIDATES - 1, nearer);
    candidates.truncate(CANDIDATES);
    // What is left of the selection has no order of its own that could be relied on.
    candidates.sort_unstable_by(nearer);
}
