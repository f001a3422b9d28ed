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

/// What stands in the way at a cell.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Barrier {
    None,
    /// Nothing passes.
    Closed,
    /// The ambient lies there.
    Ambient,
}

/// A side of a tile; north is towards larger y.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    West,
    East,
    South,
    North,
}

/// The slab above or below, where it takes part: its values and its ambient.
type Level<'a> = Option<(&'a Block, &'a Tile)>;

/// The old values of a tile with the edges of its neighbours around it.
#[derive(Clone)]
pub(crate) struct Block {
    values: [f32; PADDED * PADDED],
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

/// The sixteen cells from here on.
#[inline(always)]
fn row(cells: &[f32]) -> &[f32; SIDE] {
    cells[..SIDE].try_into().expect("sixteen cells")
}

impl Block {
    pub const EMPTY: Self = Self { values: [0.0; PADDED * PADDED] };

    /// Lay a tile in the middle.
    pub fn lay(&mut self, own: &Tile) {
        for (y, row) in own.0.chunks_exact(SIDE).enumerate() {
            self.values[(y + 1) * PADDED + 1..][..SIDE].copy_from_slice(row);
        }
    }

    /// Lay a neighbour's edge along one side.
    pub fn pad(&mut self, side: Side, beside: &Tile) {
        match side {
            Side::West => self.pad_with(side, |along| beside.0[along * SIDE + SIDE - 1]),
            Side::East => self.pad_with(side, |along| beside.0[along * SIDE]),
            Side::South => self.pad_with(side, |along| beside.0[(SIDE - 1) * SIDE + along]),
            Side::North => self.pad_with(side, |along| beside.0[along]),
        }
    }

    /// Lay a tile's own edge along one side: nothing passes between equals.
    pub fn pad_closed(&mut self, side: Side, own: &Tile) {
        match side {
            Side::West => self.pad_with(side, |along| own.0[along * SIDE]),
            Side::East => self.pad_with(side, |along| own.0[along * SIDE + SIDE - 1]),
            Side::South => self.pad_with(side, |along| own.0[along]),
            Side::North => self.pad_with(side, |along| own.0[(SIDE - 1) * SIDE + along]),
        }
    }

    #[inline(always)]
    pub fn pad_with(&mut self, side: Side, value: impl Fn(usize) -> f32) {
        let (first, stride) = match side {
            Side::West => (PADDED, PADDED),
            Side::East => (PADDED + PADDED - 1, PADDED),
            Side::South => (1, 1),
            Side::North => ((PADDED - 1) * PADDED + 1, 1),
        };
        for along in 0..SIDE {
            self.values[first + along * stride] = value(along);
        }
    }

    /// Work out the new values with water all around; how far from the ambient the farthest is.
    pub fn diffuse_open(
        &self,
        new: &mut [f32; CELLS],
        base: &Tile,
        (above, below): (Level<'_>, Level<'_>),
        pace: &Pace,
    ) -> f32 {
        // One loop for each case: a question inside would be asked for every cell.
        match (above, below) {
            (Some(up), Some(down)) => self.open(new, base, [up, down], pace),
            (Some(other), None) | (None, Some(other)) => self.open(new, base, [other], pace),
            (None, None) => self.open(new, base, [], pace),
        }
    }

    #[inline(always)]
    fn open<const N: usize>(
        &self,
        new: &mut [f32; CELLS],
        base: &Tile,
        levels: [(&Self, &Tile); N],
        pace: &Pace,
    ) -> f32 {
        let values = &self.values;
        // Distances are not negative, so their bits order as they do; as numbers, the compiler
        // makes of the larger of two a masked store, which the next row waits for.
        let mut farthest = [0u32; SIDE];
        for (y, new) in new.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
            let own = row(&values[(y + 1) * PADDED + 1..]);
            let (south, north) =
                (row(&values[y * PADDED + 1..]), row(&values[(y + 2) * PADDED + 1..]));
            let (west, east) =
                (row(&values[(y + 1) * PADDED..]), row(&values[(y + 1) * PADDED + 2..]));
            let base = row(&base.0[y * SIDE..]);
            let levels = levels.map(|(block, ambient)| {
                (row(&block.values[(y + 1) * PADDED + 1..]), row(&ambient.0[y * SIDE..]))
            });
            for x in 0..SIDE {
                let beside = ((north[x] + south[x]) + (east[x] + west[x])) - 4.0 * own[x];
                let mut down = 0.0;
                for (values, ambient) in levels {
                    down += (values[x] - ambient[x]) - (own[x] - base[x]);
                }
                let value = own[x] + pace.aside * beside + pace.down * down;
                let value = faded(value, base[x], pace);
                new[x] = value;
                farthest[x] = farthest[x].max((value - base[x]).abs().to_bits());
            }
        }
        f32::from_bits(farthest.into_iter().max().unwrap_or(0))
    }

    /// The same where the map ends or cells are solid.
    pub fn diffuse_walled(
        &self,
        new: &mut [f32; CELLS],
        barriers: &[Barrier; PADDED * PADDED],
        base: &Tile,
        (above, below): (Level<'_>, Level<'_>),
        solids: [Option<&[u16; SIDE]>; 2],
        pace: &Pace,
    ) -> f32 {
        let mut farthest = 0.0;
        for y in 0..SIDE {
            for x in 0..SIDE {
                let (at, padded) = (y * SIDE + x, (y + 1) * PADDED + x + 1);
                let (own, ambient) = (self.values[padded], base.0[at]);
                let mut value = own;
                if barriers[padded] == Barrier::None {
                    let beside = |at: usize| match barriers[at] {
                        Barrier::None => self.values[at],
                        Barrier::Closed => own,
                        Barrier::Ambient => ambient,
                    };
                    let (north, south) = (beside(padded + PADDED), beside(padded - PADDED));
                    let (east, west) = (beside(padded + 1), beside(padded - 1));
                    let sum = ((north + south) + (east + west)) - 4.0 * own;
                    let mut down = 0.0;
                    for (level, solid) in [above, below].into_iter().zip(solids) {
                        let closed = solid.is_some_and(|rows| rows[y] >> x & 1 == 1);
                        if let (Some((block, ambients)), false) = (level, closed) {
                            down += (block.values[padded] - ambients.0[at]) - (own - ambient);
                        }
                    }
                    value = own + pace.aside * sum + pace.down * down;
                }
                new[at] = faded(value, ambient, pace);
                farthest = largest(farthest, (new[at] - ambient).abs());
            }
        }
        farthest
    }
}
