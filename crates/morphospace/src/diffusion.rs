//! The arithmetic of a step on one tile: exchange with the neighbours, then fading.
//!
//! Sums are ordered so that a mirrored or turned tile gives mirrored or turned bits.

use crate::tile::{CELLS, SIDE, Tile, largest, least};

/// Cells along a tile with one more on each side.
pub(crate) const PADDED: usize = SIDE + 2;

/// Figures of one inner step of one field.
pub(crate) struct Pace {
    /// Share exchanged with each neighbour.
    pub aside: f32,
    /// Share exchanged with the slabs above and below.
    pub down: f32,
    /// What is left of the distance to the ambient.
    pub kept: f32,
    pub low: f32,
    pub high: f32,
    pub epsilon: f32,
}

/// A tile with the edges of its neighbours around it.
pub(crate) struct Block {
    pub values: [f32; PADDED * PADDED],
    /// What stands in the way, by padded cell; looked at only if `open` is false.
    pub barriers: [Barrier; PADDED * PADDED],
    pub open: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Barrier {
    None,
    /// Nothing passes.
    Closed,
    /// The ambient lies there.
    Ambient,
}

/// The slab above or below, where it takes part: its values and its ambient.
pub(crate) type Level<'a> = Option<(&'a Tile, &'a Tile)>;

impl Block {
    /// Lay a neighbour's edge along one side.
    pub fn pad(&mut self, side: (i32, i32), beside: &Tile) {
        self.pad_with(side, |along| match side {
            (-1, 0) => beside.0[along * SIDE + SIDE - 1],
            (1, 0) => beside.0[along * SIDE],
            (0, -1) => beside.0[(SIDE - 1) * SIDE + along],
            _ => beside.0[along],
        });
    }

    /// Lay along one side what lets nothing pass, a tile's own edge, or a fixed value.
    pub fn pad_plain(&mut self, side: (i32, i32), own: &Tile, value: Option<f32>) {
        self.pad_with(side, |along| {
            value.unwrap_or_else(|| match side {
                (-1, 0) => own.0[along * SIDE],
                (1, 0) => own.0[along * SIDE + SIDE - 1],
                (0, -1) => own.0[along],
                _ => own.0[(SIDE - 1) * SIDE + along],
            })
        });
    }

    fn pad_with(&mut self, side: (i32, i32), value: impl Fn(usize) -> f32) {
        let (first, stride) = match side {
            (-1, 0) => (PADDED, PADDED),
            (1, 0) => (PADDED + PADDED - 1, PADDED),
            (0, -1) => (1, 1),
            _ => ((PADDED - 1) * PADDED + 1, 1),
        };
        for along in 0..SIDE {
            self.values[first + along * stride] = value(along);
        }
    }
}

/// Bring one cell nearer its ambient and into its range.
#[inline(always)]
fn faded(value: f32, ambient: f32, pace: &Pace) -> f32 {
    let value = ambient + (value - ambient) * pace.kept;
    least(largest(value, pace.low), pace.high)
}

pub(crate) fn fade_tile(cells: &mut [f32; CELLS], base: &Tile, pace: &Pace) -> f32 {
    let mut farthest = [0.0f32; SIDE];
    for (row, base_row) in cells.chunks_exact_mut(SIDE).zip(base.0.chunks_exact(SIDE)) {
        for x in 0..SIDE {
            row[x] = faded(row[x], base_row[x], pace);
            farthest[x] = largest(farthest[x], (row[x] - base_row[x]).abs());
        }
    }
    farthest.into_iter().fold(0.0, largest)
}

/// New values of a tile with water all around; whether any is off its ambient, and how far.
pub(crate) fn diffuse_open(
    new: &mut [f32; CELLS],
    block: &Block,
    base: &Tile,
    (above, below): (Level<'_>, Level<'_>),
    pace: &Pace,
) -> (bool, f32) {
    let mut farthest = [0.0f32; SIDE];
    for y in 0..SIDE {
        let row = |dy: usize, dx: usize| -> &[f32; SIDE] {
            let from = (y + dy) * PADDED + dx;
            block.values[from..from + SIDE].try_into().expect("sixteen cells")
        };
        let (own, south, north) = (row(1, 1), row(0, 1), row(2, 1));
        let (west, east) = (row(1, 0), row(1, 2));
        let line = |tile: &Tile| -> [f32; SIDE] {
            tile.0[y * SIDE..][..SIDE].try_into().expect("sixteen cells")
        };
        let base = line(base);
        let mut down = [0.0; SIDE];
        for (values, ambient) in [above, below].into_iter().flatten() {
            let (values, ambient) = (line(values), line(ambient));
            for x in 0..SIDE {
                down[x] += (values[x] - ambient[x]) - (own[x] - base[x]);
            }
        }
        let new = &mut new[y * SIDE..][..SIDE];
        for x in 0..SIDE {
            let beside = ((north[x] + south[x]) + (east[x] + west[x])) - 4.0 * own[x];
            let value = own[x] + pace.aside * beside + pace.down * down[x];
            new[x] = faded(value, base[x], pace);
            farthest[x] = largest(farthest[x], (new[x] - base[x]).abs());
        }
    }
    let farthest = farthest.into_iter().fold(0.0, largest);
    (farthest > 0.0, farthest)
}

/// The same where the map ends or cells are solid.
pub(crate) fn diffuse_walled(
    new: &mut [f32; CELLS],
    block: &Block,
    base: &Tile,
    (above, below): (Level<'_>, Level<'_>),
    solids: [Option<&[u16; SIDE]>; 2],
    pace: &Pace,
) -> (bool, f32) {
    let mut farthest = 0.0;
    for y in 0..SIDE {
        for x in 0..SIDE {
            let (at, padded) = (y * SIDE + x, (y + 1) * PADDED + x + 1);
            let (own, ambient) = (block.values[padded], base.0[at]);
            let mut value = own;
            if block.barriers[padded] == Barrier::None {
                let beside = |at: usize| match block.barriers[at] {
                    Barrier::None => block.values[at],
                    Barrier::Closed => own,
                    Barrier::Ambient => ambient,
                };
                let (north, south) = (beside(padded + PADDED), beside(padded - PADDED));
                let (east, west) = (beside(padded + 1), beside(padded - 1));
                let sum = ((north + south) + (east + west)) - 4.0 * own;
                let mut down = 0.0;
                for (level, solid) in [above, below].into_iter().zip(solids) {
                    let closed = solid.is_some_and(|rows| rows[y] >> x & 1 == 1);
                    if let (Some((values, ambients)), false) = (level, closed) {
                        down += (values.0[at] - ambients.0[at]) - (own - ambient);
                    }
                }
                value = own + pace.aside * sum + pace.down * down;
            }
            new[at] = faded(value, ambient, pace);
            farthest = largest(farthest, (new[at] - ambient).abs());
        }
    }
    (farthest > 0.0, farthest)
}
