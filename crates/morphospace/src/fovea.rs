//! The foveated view: an observer's surroundings as 288 figures, fine near by and coarse far off.
//!
//! Three slabs, three shells of distance, eight wedges of bearing and four fields. The observer
//! stands on the middle of its cell and its heading is rounded to 1/64 turn, so which wedge a block
//! of cells belongs to comes from a table.

use std::f64::consts::TAU;
use std::sync::{Arc, Mutex, PoisonError};

use crate::field::{Aggregate, Field};
use crate::space::Space;
use crate::tile::{LEVELS, NOWHERE, SIDE, TILE, largest};

/// The fields seen, in this order.
pub const FOVEA_FIELDS: [Field; 4] =
    [Field::Temperature, Field::Noise, Field::Occupancy, Field::SonarReturn];
/// Figures of a view: slab, shell, wedge, field.
pub const FOVEA_SIZE: usize = SLABS * SHELLS * WEDGES * FOVEA_FIELDS.len();

const SLABS: usize = 3;
const SHELLS: usize = 3;
const WEDGES: usize = 8;
/// Headings told apart; those an eighth of a turn apart see the same wedges, renumbered.
const HEADINGS: u32 = 64;
const HEADINGS_APART: u32 = HEADINGS / WEDGES as u32;
/// Where each shell ends, and the side of the blocks it is seen in.
const SHELL_ENDS_M: [f32; SHELLS] = [500.0, 2000.0, 8000.0];
const SHELL_BLOCKS_M: [f32; SHELLS] = [125.0, 250.0, 500.0];
/// In a table: outside the shell; the observer's own cell, which is ahead whatever the heading.
const OUTSIDE: u8 = 255;
const OWN: u8 = 254;

/// The wedges of one shell's blocks.
struct Shell {
    /// The pyramid's level its blocks come from.
    level: u8,
    /// Blocks from the observer's to the farthest.
    reach: i32,
    /// By heading, place of the observer in its block, row and column: the wedge.
    wedges: Vec<u8>,
    /// By heading and place of the observer: blocks in each wedge.
    counts: Vec<[u32; WEDGES]>,
}

/// The tables for one size of cell.
pub(crate) struct Fovea {
    shells: [Shell; SHELLS],
}

/// What one shell of one plane was seen to hold, by wedge.
struct Seen {
    /// Blocks off the plain ambient.
    covered: [u32; WEDGES],
    /// Sums about the ambient.
    sum: [f32; WEDGES],
    max: [f32; WEDGES],
}

impl Fovea {
    /// The tables for a size of cell, shared by all spaces of the process that have it.
    pub fn shared(cell_m: f32) -> Arc<Self> {
        static KNOWN: Mutex<Vec<(u32, Arc<Fovea>)>> = Mutex::new(Vec::new());
        // A panic elsewhere leaves the list whole: entries are only ever added.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, fovea)) = known.iter().find(|(bits, _)| *bits == cell_m.to_bits()) {
            return Arc::clone(fovea);
        }
        let shells = std::array::from_fn(|shell| Shell::new(shell, cell_m));
        let fovea = Arc::new(Self { shells });
        known.push((cell_m.to_bits(), Arc::clone(&fovea)));
        fovea
    }
}

impl Shell {
    fn new(shell: usize, cell_m: f32) -> Self {
        let fits = |level: &u8| cell_m * (1 << level) as f32 <= SHELL_BLOCKS_M[shell] * 1.001;
        let level = (0..=LEVELS).rev().find(fits).unwrap_or(0);
        let block = 1 << level;
        let reach = (SHELL_ENDS_M[shell] / (cell_m * block as f32)).ceil() as i32 + 1;
        let (mut wedges, mut counts) = (vec![], vec![]);
        let from_m = if shell == 0 { 0.0 } else { f64::from(SHELL_ENDS_M[shell - 1]) };
        let to_m = f64::from(SHELL_ENDS_M[shell]);
        for heading in 0..HEADINGS_APART {
            for place in 0..block * block {
                let mut count = [0; WEDGES];
                for row in -reach..=reach {
                    for column in -reach..=reach {
                        let cells = |blocks: i32, place: i32| {
                            f64::from(blocks * block - place) + 0.5 * f64::from(block - 1)
                        };
                        let x = cells(column, place % block) * f64::from(cell_m);
                        let y = cells(row, place / block) * f64::from(cell_m);
                        let distance = (x * x + y * y).sqrt();
                        let wedge = if distance < from_m || distance >= to_m {
                            OUTSIDE
                        } else if distance == 0.0 {
                            OWN
                        } else {
                            let off = libm::atan2(y, x) / TAU - f64::from(heading) / 64.0;
                            let wedge = (off * WEDGES as f64 + 0.5).floor() as i32;
                            count[wedge.rem_euclid(WEDGES as i32) as usize] += 1;
                            wedge.rem_euclid(WEDGES as i32) as u8
                        };
                        wedges.push(wedge);
                    }
                }
                counts.push(count);
            }
        }
        Self { level, reach, wedges, counts }
    }

    /// The table and the counts for a heading and a place of the observer in its block.
    fn table(&self, heading: u32, cell: (i32, i32)) -> (&[u8], &[u32; WEDGES]) {
        let block = 1 << self.level;
        let place = (cell.1 & (block - 1)) * block + (cell.0 & (block - 1));
        let at = (heading % HEADINGS_APART) as usize * (block * block) as usize + place as usize;
        let size = ((2 * self.reach + 1) * (2 * self.reach + 1)) as usize;
        (&self.wedges[at * size..(at + 1) * size], &self.counts[at])
    }
}

impl Space {
    /// An observer's surroundings: slab × shell × wedge × field, each by the field's own aggregate
    /// and scaled into [-1, 1]. Wedge 0 is ahead, the others follow counter-clockwise; beside the
    /// map the ambient is seen.
    pub fn foveated(&mut self, at: (f32, f32), heading: f32, out: &mut [f32; FOVEA_SIZE]) {
        let turns = heading / std::f32::consts::TAU;
        let heading = ((turns * HEADINGS as f32).round() as i64).rem_euclid(i64::from(HEADINGS));
        let cell = self.grid.cell(at);
        for slab in 0..SLABS {
            for (place, field) in FOVEA_FIELDS.into_iter().enumerate() {
                let first = slab * SHELLS * WEDGES * FOVEA_FIELDS.len() + place;
                let out = &mut out[first..];
                let ambient = self.spec.ambient.of(field, slab as u8);
                let here = slab < usize::from(self.spec.slabs);
                if !here || self.planes[self.plane_of(field, slab as u8)].is_plain() {
                    let plain = scaled(field, ambient, ambient);
                    for bin in 0..SHELLS * WEDGES {
                        out[bin * FOVEA_FIELDS.len()] = plain;
                    }
                } else {
                    self.look(field, slab as u8, cell, heading as u32, out);
                }
            }
        }
    }

    /// One field in one slab; every fourth figure from the first of `out`.
    fn look(&mut self, field: Field, slab: u8, cell: (i32, i32), heading: u32, out: &mut [f32]) {
        let plane = self.plane_of(field, slab);
        let ambient = self.planes[plane].ambient;
        let fovea = Arc::clone(&self.fovea);
        for (number, shell) in fovea.shells.iter().enumerate() {
            let (table, counts) = shell.table(heading, cell);
            let mut seen =
                Seen { covered: [0; WEDGES], sum: [0.0; WEDGES], max: [f32::NEG_INFINITY; WEDGES] };
            let turned = (heading / HEADINGS_APART) as u8;
            self.look_over(plane, field, (shell, table, turned), cell, &mut seen);
            for wedge in 0..WEDGES {
                // The table numbers wedges before the turn; the observer's own cell is one more.
                let mut count = counts[(wedge + usize::from(turned)) % WEDGES];
                count += u32::from(number == 0 && shell.level == 0 && wedge == 0);
                let value = if count == 0 {
                    let turns = (heading as f32 / HEADINGS as f32) + wedge as f32 / WEDGES as f32;
                    self.value_towards(field, slab, cell, turns, number)
                } else if field.aggregate() == Aggregate::Max {
                    let rest =
                        if seen.covered[wedge] < count { ambient } else { f32::NEG_INFINITY };
                    largest(seen.max[wedge], rest)
                } else {
                    ambient + seen.sum[wedge] / count as f32
                };
                out[(number * WEDGES + wedge) * FOVEA_FIELDS.len()] = scaled(field, value, ambient);
            }
        }
    }

    /// Where cells are so large that a wedge holds no middle: the value in its midst.
    fn value_towards(
        &self,
        field: Field,
        slab: u8,
        cell: (i32, i32),
        turns: f32,
        shell: usize,
    ) -> f32 {
        let from_m = if shell == 0 { 0.0 } else { SHELL_ENDS_M[shell - 1] };
        let distance = 0.5 * (from_m + SHELL_ENDS_M[shell]);
        let angle = turns * std::f32::consts::TAU;
        let (x, y) = self.grid.middle(cell);
        let at = (x + distance * libm::cosf(angle), y + distance * libm::sinf(angle));
        self.point(field, at, slab)
    }

    /// Go over the tiles of a plane that are not plain ambient and lie within a shell's reach.
    fn look_over(
        &mut self,
        plane: usize,
        field: Field,
        (shell, table, turned): (&Shell, &[u8], u8),
        cell: (i32, i32),
        seen: &mut Seen,
    ) {
        let level = shell.level;
        let own = (cell.0 >> level, cell.1 >> level);
        let reach = shell.reach;
        let per_tile = TILE >> level;
        let tiles = |own: i32, tiles: i32| {
            let first = ((own - reach).max(0)) / per_tile;
            first..((own + reach).div_euclid(per_tile) + 1).min(tiles)
        };
        let width = self.grid.tiles.0;
        for tile_y in tiles(own.1, self.grid.tiles.1) {
            for tile_x in tiles(own.0, width) {
                let tile = (tile_y * width + tile_x) as usize;
                let slot = self.planes[plane].index[tile];
                let ambient = self.planes[plane].ambient;
                let ground = self.planes[plane].ground.as_ref();
                let mean = field.aggregate() == Aggregate::Mean;
                let (values, side): (&[f32], usize) = if level == 0 {
                    let Some(values) = self.tile(plane, tile) else { continue };
                    (&values.0, SIDE)
                } else {
                    let pyramid = match slot {
                        NOWHERE => ground.and_then(|ground| ground.pyramid(tile)),
                        slot => Some(self.pool.pyramid(slot, ambient, self.grid.extent(tile))),
                    };
                    let Some(pyramid) = pyramid else { continue };
                    (pyramid.blocks(level, mean), SIDE >> level)
                };
                let first = (tile_x * per_tile - own.0, tile_y * per_tile - own.1);
                seen.add(values, side, first, (table, reach, turned), ambient);
            }
        }
    }
}

impl Seen {
    /// Sort the blocks of a tile, whose first lies `first` blocks from the observer's, into wedges.
    fn add(
        &mut self,
        values: &[f32],
        side: usize,
        first: (i32, i32),
        (table, reach, turned): (&[u8], i32, u8),
        ambient: f32,
    ) {
        let width = 2 * reach + 1;
        let within =
            |first: i32| ((-reach - first).max(0))..((reach + 1 - first).clamp(0, side as i32));
        for y in within(first.1) {
            let columns = within(first.0);
            if columns.is_empty() {
                return;
            }
            let at = ((first.1 + y + reach) * width + first.0 + columns.start + reach) as usize;
            let wedges = &table[at..at + columns.len()];
            let from = y as usize * side + columns.start as usize;
            for (&wedge, &value) in wedges.iter().zip(&values[from..from + columns.len()]) {
                if wedge == OUTSIDE {
                    continue;
                }
                let wedge =
                    if wedge == OWN { 0 } else { (wedge.wrapping_sub(turned) & 7) as usize };
                self.covered[wedge] += 1;
                self.sum[wedge] += value - ambient;
                self.max[wedge] = largest(self.max[wedge], value);
            }
        }
    }
}

/// A value as an observation in [-1, 1]. Temperature is seen by its distance from the ambient, half
/// scale at 50 K and never at its end, so that both a wake and a fire can be told from the sea; the
/// other three by their range.
fn scaled(field: Field, value: f32, ambient: f32) -> f32 {
    if field == Field::Temperature {
        let off = value - ambient;
        return off / (off.abs() + 50.0);
    }
    let (low, high) = field.range();
    2.0 * (value - low) / (high - low) - 1.0
}
