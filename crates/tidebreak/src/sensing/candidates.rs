//! The entities a ship looks at: the nearest of those some sense could notice.
//!
//! Rings of cells are looked through outwards until enough is found, and what is found is kept in
//! that order. Where few things lie within reach, walking over empty cells would be most of the
//! work: then whole rows of cells are read at once and put into the order of the rings afterwards.

use crate::grid::{Cells, Grid};
use crate::setup::Setup;
use crate::state::State;

use super::Memory;
use super::detection::{CANDIDATES, Candidate, Watch};
use super::signature::Signature;

/// Hulls in the battle from which on a ship looks through the grid rather than through all there is.
/// What flies and swims besides does not count: much of it may lie hidden.
const GRID_FROM: usize = 48;
/// Metres something may have moved since the grid was made.
const GRID_SLACK_M: f32 = 300.0;
/// Entities within reach up to which rows of cells are read rather than rings.
const ROWS_UP_TO: usize = 512;
/// Rings up to which that can be.
const RINGS: usize = 128;

/// What is found for one ship, before it is in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Unsorted {
    candidates: Vec<Candidate>,
    /// The ring of each.
    rings: Vec<u8>,
}

impl Unsorted {
    /// With room for everything that may be within reach.
    pub(super) fn new() -> Self {
        Self { candidates: Vec::with_capacity(ROWS_UP_TO), rings: Vec::with_capacity(ROWS_UP_TO) }
    }
}

/// Collect them for one ship, at most [`CANDIDATES`]. Only what could be noticed counts, so nothing
/// that lies hidden can take another's place.
pub(super) fn gather(
    setup: &Setup,
    state: &State,
    grid: &Grid,
    watch: &Watch,
    memory: &mut Memory,
) {
    let Memory { signatures, candidates, flying, unsorted, .. } = memory;
    candidates.clear();
    if watch.reach_m <= 0.0 {
        return;
    }
    if state.ships.len() < GRID_FROM {
        for (at, target) in signatures.iter().enumerate() {
            candidates.extend(watch.consider(setup, at, target));
        }
    } else {
        // Squadrons stand in no grid.
        for &at in &*flying {
            candidates.extend(watch.consider(setup, at as usize, &signatures[at as usize]));
        }
        let ships = state.ships.len();
        let grounded = ships + state.rounds.len();
        let around = Around { setup, watch, grid, ships, grounded, signatures };
        let rings = ((watch.reach_m + GRID_SLACK_M) / Cells::SIDE) as i32 + 1;
        if (rings as usize) < RINGS && around.within(rings) <= ROWS_UP_TO {
            around.by_rows(rings, unsorted);
            in_rings(unsorted, candidates);
        } else {
            around.by_rings(rings, candidates);
        }
    }
    keep_nearest(candidates);
}

/// A ship and everything that is in the grid.
struct Around<'a> {
    setup: &'a Setup,
    watch: &'a Watch,
    grid: &'a Grid,
    /// Signatures of ships, and of ships and rounds.
    ships: usize,
    grounded: usize,
    signatures: &'a [Signature],
}

impl Around<'_> {
    /// Both tables, each with the place of its first signature and of the one after its last.
    fn tables(&self) -> [(&Cells, usize, usize); 2] {
        let Self { grid, ships, grounded, .. } = self;
        [(&grid.ships, 0, *ships), (&grid.rounds, *ships, *grounded)]
    }

    fn consider(&self, at: usize, end: usize) -> Option<Candidate> {
        // What has ended since the grid was made has no signature.
        if at < end { self.watch.consider(self.setup, at, &self.signatures[at]) } else { None }
    }

    /// How many entities lie within so many rings.
    fn within(&self, rings: i32) -> usize {
        let spans = self.tables().map(|(cells, ..)| {
            cells.rows_around(self.watch.x, self.watch.y, rings).map(<[u32]>::len).sum::<usize>()
        });
        spans[0] + spans[1]
    }

    /// Everything within so many rings, ships before rounds, row by row of cells.
    fn by_rows(&self, rings: i32, out: &mut Unsorted) {
        out.candidates.clear();
        out.rings.clear();
        for (cells, first, end) in self.tables() {
            let (column, row) = cells.cell(self.watch.x, self.watch.y);
            for span in cells.rows_around(self.watch.x, self.watch.y, rings) {
                for &item in span {
                    let at = first + item as usize;
                    if let Some(candidate) = self.consider(at, end) {
                        let target = &self.signatures[at];
                        let (its_column, its_row) = cells.cell(target.x, target.y);
                        let ring = (its_column - column).abs().max((its_row - row).abs());
                        out.candidates.push(candidate);
                        out.rings.push(ring as u8);
                    }
                }
            }
        }
    }

    /// Ring after ring, ships before rounds, until there are enough.
    fn by_rings(&self, rings: i32, out: &mut Vec<Candidate>) {
        for ring in 0..=rings {
            for (cells, first, end) in self.tables() {
                visit_ring(cells, self.watch, ring, |item| {
                    out.extend(self.consider(first + item, end));
                });
            }
            if out.len() >= CANDIDATES {
                break;
            }
        }
    }
}

/// Put what was found by rows into the order of rings, behind what is there, and leave out the rings
/// after the one that makes it enough.
fn in_rings(found: &Unsorted, out: &mut Vec<Candidate>) {
    let mut places = [0_usize; RINGS + 1];
    for &ring in &found.rings {
        places[usize::from(ring) + 1] += 1;
    }
    // `places[ring]` becomes where the ring begins.
    places[0] = out.len();
    let mut end = out.len();
    let mut last = RINGS;
    for (ring, place) in places[1..].iter_mut().enumerate() {
        end += *place;
        *place = end;
        if end >= CANDIDATES {
            last = ring;
            break;
        }
    }
    let Some(&filler) = found.candidates.first() else { return };
    out.resize(end, filler);
    for (candidate, &ring) in found.candidates.iter().zip(&found.rings) {
        let ring = usize::from(ring);
        if ring <= last {
            out[places[ring]] = *candidate;
            places[ring] += 1;
        }
    }
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

#[cfg(test)]
mod tests {
    use super::super::tests::{Placed, battle, sense};
    use super::*;
    use crate::arena::Arena;

    /// Ships of two teams strewn over a square, so many metres from its middle at most.
    fn strewn(ships: u32, half_m: f64) -> Arena {
        let placed: Vec<Placed<'_>> = (0..ships)
            .map(|at| {
                let along =
                    |step: u32| f64::from(at * step % 1009) / 1009.0 * 2.0 * half_m - half_m;
                let team = if at % 2 == 0 { "blue" } else { "red" };
                ("corvette", team, (along(367), along(601)), "surface")
            })
            .collect();
        let mut arena = battle(&placed);
        arena.state.ships.emission.fill(2);
        sense(&mut arena, 1);
        arena
    }

    #[test]
    fn rows_and_rings_find_the_same_in_the_same_order() {
        let mut enough = 0;
        for (ships, half_m) in [(100, 9000.0), (160, 5000.0), (400, 9000.0)] {
            let Arena { setup, state, scratch, .. } = &mut strewn(ships, half_m);
            let signatures = &scratch.senses.signatures;
            for ship in 0..state.ships.len() {
                let watch = Watch::of(setup, state, ship, &signatures[ship], 0.0, 120.0, 0.0);
                let count = state.ships.len();
                let grid = &scratch.grid;
                let around = Around {
                    setup,
                    watch: &watch,
                    grid,
                    ships: count,
                    grounded: count,
                    signatures,
                };
                let rings = (watch.reach_m / Cells::SIDE) as i32 + 1;
                let (mut by_rings, mut by_rows) = (Vec::new(), Vec::new());
                around.by_rings(rings, &mut by_rings);
                let mut unsorted = Unsorted::new();
                around.by_rows(rings, &mut unsorted);
                in_rings(&unsorted, &mut by_rows);
                assert_eq!(by_rows, by_rings, "ship {ship} of {ships}");
                enough += u32::from(by_rows.len() >= CANDIDATES);
            }
        }
        assert!(enough > 0, "the test means to stop before the last ring too");
    }
}
