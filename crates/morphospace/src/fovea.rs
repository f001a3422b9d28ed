//! The foveated view: an observer's surroundings as 288 figures, fine near by and coarse far off.
//!
//! Three slabs, three shells of distance, eight wedges of bearing and four fields. The observer
//! stands on the middle of its cell and its heading is rounded to 1/64 turn, so which blocks of
//! cells belong to which wedge comes from a table.

use std::f64::consts::TAU;
use std::sync::{Arc, Mutex, PoisonError};

use crate::field::{Aggregate, Field};
use crate::space::{Plane, Space};
use crate::tile::{LEVELS, NOWHERE, SIDE, TILE, largest, least};

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
/// Places of the observer along a block that are told apart.
const PLACES: i32 = 4;
/// Beside the eight wedges: the observer's own cell, which is ahead whatever the heading.
const OWN: usize = WEDGES;

/// The blocks of one shell by wedge, for one heading and place of the observer.
struct Sorted {
    /// Where each wedge begins in `blocks`, the own cell after them, and the end.
    starts: [u32; WEDGES + 2],
    /// Places in the window, from that of its first block.
    blocks: Vec<u32>,
}

/// How one shell is looked at.
struct Shell {
    /// The pyramid's level its blocks come from.
    level: u8,
    /// Blocks from the observer's to the farthest.
    reach: i32,
    /// Blocks along one side of the window: whole tiles, wherever the observer stands in one.
    stride: i32,
    /// By heading and place of the observer in its block.
    sorted: Vec<Sorted>,
}

/// The tables for one size of cell.
pub(crate) struct Fovea {
    shells: [Shell; SHELLS],
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

    /// Blocks of the largest window.
    pub fn window_size(&self) -> usize {
        self.shells.iter().map(|shell| (shell.stride * shell.stride) as usize).max().unwrap_or(0)
    }
}

impl Shell {
    fn new(shell: usize, cell_m: f32) -> Self {
        let fits = |level: &u8| cell_m * (1 << level) as f32 <= SHELL_BLOCKS_M[shell] * 1.001;
        let level = (0..=LEVELS).rev().find(fits).unwrap_or(0);
        let per_tile = TILE >> level;
        let reach = (SHELL_ENDS_M[shell] / (cell_m * (1 << level) as f32)).ceil() as i32 + 1;
        let stride = ((2 * reach + 1 + per_tile - 1) / per_tile + 1) * per_tile;
        let mut new = Self { level, reach, stride, sorted: vec![] };
        let places = PLACES.min(1 << level);
        for heading in 0..HEADINGS_APART {
            for place in 0..places * places {
                let place = (place % places, place / places);
                new.sorted.push(new.sort(shell, cell_m, heading, place));
            }
        }
        new
    }

    /// Which blocks lie in which wedge.
    fn sort(&self, shell: usize, cell_m: f32, heading: u32, place: (i32, i32)) -> Sorted {
        let (block, places) = (1 << self.level, PLACES.min(1 << self.level));
        let from_m = if shell == 0 { 0.0 } else { f64::from(SHELL_ENDS_M[shell - 1]) };
        let to_m = f64::from(SHELL_ENDS_M[shell]);
        // From the observer to the middle of a block, in cells; the observer stands in the midst
        // of the cells that its place stands for.
        let cells = |blocks: i32, place: i32| {
            let place = (f64::from(place) + 0.5) * f64::from(block / places);
            f64::from(blocks * block) + 0.5 * f64::from(block) - place
        };
        let mut found = vec![];
        for row in -self.reach..=self.reach {
            for column in -self.reach..=self.reach {
                let x = cells(column, place.0) * f64::from(cell_m);
                let y = cells(row, place.1) * f64::from(cell_m);
                let distance = (x * x + y * y).sqrt();
                if distance < from_m || distance >= to_m {
                    continue;
                }
                let off = libm::atan2(y, x) / TAU - f64::from(heading) / f64::from(HEADINGS);
                let wedge = (off * WEDGES as f64 + 0.5).floor() as i32;
                let wedge = wedge.rem_euclid(WEDGES as i32) as usize;
                let wedge = if distance == 0.0 { OWN } else { wedge };
                let at = (row + self.reach) * self.stride + column + self.reach;
                found.push((wedge, at as u32));
            }
        }
        found.sort_unstable();
        let before = |wedge: usize| found.partition_point(|(other, _)| *other < wedge) as u32;
        Sorted {
            starts: std::array::from_fn(before),
            blocks: found.into_iter().map(|(_, at)| at).collect(),
        }
    }

    fn sorted(&self, heading: u32, cell: (i32, i32)) -> &Sorted {
        let block = 1 << self.level;
        let places = PLACES.min(block);
        let place = |cell: i32| (cell & (block - 1)) / (block / places);
        let at = place(cell.1) * places + place(cell.0);
        &self.sorted[(heading % HEADINGS_APART) as usize * (places * places) as usize + at as usize]
    }
}

impl Sorted {
    fn wedge(&self, wedge: usize) -> &[u32] {
        &self.blocks[self.starts[wedge] as usize..self.starts[wedge + 1] as usize]
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
                let here = slab < usize::from(self.spec.slabs);
                if !here || self.planes[self.plane_of(field, slab as u8)].is_plain() {
                    let ambient = self.spec.ambient.of(field, slab as u8);
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

    /// Show in a view something that lies in no field: a source of this strength, so far ahead of the
    /// observer and to port, beyond what is seen there already. Nothing beyond the last shell shows.
    pub fn show(
        &self,
        field: Field,
        value: f32,
        slab: u8,
        (ahead, port): (f32, f32),
        out: &mut [f32; FOVEA_SIZE],
    ) {
        let square = ahead * ahead + port * port;
        let Some(shell) = SHELL_ENDS_M.iter().position(|end| square < end * end) else { return };
        let Some(place) = FOVEA_FIELDS.iter().position(|seen| *seen == field) else { return };
        let (low, high) = field.range();
        let value = least(largest(value, low), high);
        let bin = (usize::from(slab) * SHELLS + shell) * WEDGES + wedge(ahead, port);
        let seen = &mut out[bin * FOVEA_FIELDS.len() + place];
        *seen = largest(*seen, scaled(field, value, self.spec.ambient.of(field, slab)));
    }

    /// One field in one slab; every fourth figure from the first of `out`.
    fn look(&mut self, field: Field, slab: u8, cell: (i32, i32), heading: u32, out: &mut [f32]) {
        let plane = self.plane_of(field, slab);
        let ambient = self.planes[plane].ambient;
        let fovea = Arc::clone(&self.fovea);
        let mut window = std::mem::take(&mut self.scratch.window);
        for (number, shell) in fovea.shells.iter().enumerate() {
            let first = self.gather(plane, field.aggregate(), shell, cell, &mut window);
            let sorted = shell.sorted(heading, cell);
            for wedge in 0..WEDGES {
                // The table numbers wedges as if the heading were less than one of them.
                let before = (wedge + (heading / HEADINGS_APART) as usize) % WEDGES;
                let own = if wedge == 0 { sorted.wedge(OWN) } else { &[] };
                let blocks = sorted.wedge(before);
                let value = match first {
                    None => ambient,
                    Some(_) if blocks.is_empty() && own.is_empty() => {
                        let turns = heading as f32 / HEADINGS as f32 + wedge as f32 / WEDGES as f32;
                        self.value_towards(field, slab, cell, turns, number)
                    }
                    Some(first) if field.aggregate() == Aggregate::Max => {
                        largest(most(&window[first..], blocks), most(&window[first..], own))
                    }
                    Some(first) => {
                        let window = &window[first..];
                        let off = off_ambient(window, blocks, ambient)
                            + off_ambient(window, own, ambient);
                        ambient + off / (blocks.len() + own.len()) as f32
                    }
                };
                out[(number * WEDGES + wedge) * FOVEA_FIELDS.len()] = scaled(field, value, ambient);
            }
        }
        self.scratch.window = window;
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

    /// Lay out the blocks of all tiles within a shell's reach side by side; the place of the
    /// farthest one to the lower left, or none if all are at the ambient.
    fn gather(
        &mut self,
        plane: usize,
        aggregate: Aggregate,
        shell: &Shell,
        cell: (i32, i32),
        window: &mut [f32],
    ) -> Option<usize> {
        let (level, stride) = (shell.level, shell.stride as usize);
        let per_tile = TILE >> level;
        let corner = ((cell.0 >> level) - shell.reach, (cell.1 >> level) - shell.reach);
        let tile_corner = (corner.0.div_euclid(per_tile), corner.1.div_euclid(per_tile));
        let across = shell.stride / per_tile;
        let ambient = self.planes[plane].ambient;
        let mut any = false;
        for row in 0..across {
            for column in 0..across {
                let (x, y) = (tile_corner.0 + column, tile_corner.1 + row);
                let on_map = x >= 0 && y >= 0 && x < self.grid.tiles.0 && y < self.grid.tiles.1;
                let tile = if on_map { (y * self.grid.tiles.0 + x) as usize } else { 0 };
                let Some(blocks) =
                    on_map.then(|| self.blocks(plane, tile, level, aggregate)).flatten()
                else {
                    continue;
                };
                if !any {
                    any = true;
                    window[..stride * stride].fill(ambient);
                }
                let at = (row * per_tile) as usize * stride + (column * per_tile) as usize;
                let to = &mut window[at..];
                match level {
                    0 => lay::<SIDE>(to, stride, blocks),
                    1 => lay::<{ SIDE / 2 }>(to, stride, blocks),
                    2 => lay::<{ SIDE / 4 }>(to, stride, blocks),
                    3 => lay::<{ SIDE / 8 }>(to, stride, blocks),
                    _ => lay::<1>(to, stride, blocks),
                }
            }
        }
        let off = (corner.0 - tile_corner.0 * per_tile, corner.1 - tile_corner.1 * per_tile);
        any.then_some(off.1 as usize * stride + off.0 as usize)
    }

    /// The blocks of a tile at a level by an aggregate, unless all are the plane's ambient.
    fn blocks(
        &mut self,
        plane: usize,
        tile: usize,
        level: u8,
        aggregate: Aggregate,
    ) -> Option<&[f32]> {
        if level == 0 {
            return self.tile(plane, tile).map(|values| &values.0[..]);
        }
        let Plane { ambient, index, ground, .. } = &self.planes[plane];
        let pyramid = match index[tile] {
            NOWHERE => ground.as_ref().and_then(|ground| ground.pyramid(tile))?,
            slot => self.pool.pyramid(slot, *ambient, self.grid.extent(tile)),
        };
        Some(pyramid.blocks(level, aggregate))
    }
}

/// The wedge a place lies in. Port and starboard are mirror images to the last bit.
fn wedge(ahead: f32, port: f32) -> usize {
    /// Of half a wedge.
    const TANGENT: f32 = std::f32::consts::SQRT_2 - 1.0;
    let (along, across) = (ahead.abs(), port.abs());
    let to_port = if across <= TANGENT * along {
        return if ahead < 0.0 { WEDGES / 2 } else { 0 };
    } else if along <= TANGENT * across {
        WEDGES / 4
    } else if ahead > 0.0 {
        WEDGES / 8
    } else {
        WEDGES / 2 - WEDGES / 8
    };
    if port > 0.0 { to_port } else { WEDGES - to_port }
}

/// Copy a tile's blocks, `N` a row, into a window; the length known beforehand makes it quick.
fn lay<const N: usize>(window: &mut [f32], stride: usize, blocks: &[f32]) {
    for (row, blocks) in blocks.as_chunks::<N>().0.iter().enumerate() {
        window[row * stride..][..N].copy_from_slice(blocks);
    }
}

/// Sum of the distances from the ambient, in four parts so that none waits for another.
fn off_ambient(window: &[f32], blocks: &[u32], ambient: f32) -> f32 {
    let off = |at: &u32| window[*at as usize] - ambient;
    let (fours, rest) = blocks.as_chunks::<4>();
    let mut sums = [0.0f32; 4];
    for four in fours {
        for (sum, at) in sums.iter_mut().zip(four) {
            *sum += off(at);
        }
    }
    let rest: f32 = rest.iter().map(off).sum();
    ((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest
}

fn most(window: &[f32], blocks: &[u32]) -> f32 {
    let (fours, rest) = blocks.as_chunks::<4>();
    let mut most = [f32::NEG_INFINITY; 4];
    for four in fours {
        for (most, at) in most.iter_mut().zip(four) {
            *most = largest(*most, window[*at as usize]);
        }
    }
    let rest = rest.iter().map(|at| window[*at as usize]).fold(f32::NEG_INFINITY, largest);
    most.into_iter().fold(rest, largest)
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
