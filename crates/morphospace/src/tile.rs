//! Tiles of 16 × 16 cells, the pool they come from, and the pyramid that sums one up.

use crate::field::Aggregate;

/// Cells along one side of a tile.
pub const TILE: i32 = 16;
pub(crate) const SIDE: usize = TILE as usize;
pub(crate) const CELLS: usize = SIDE * SIDE;
/// In an index of tiles: none is stored.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The values of one tile, row by row.
#[derive(Clone, PartialEq)]
#[repr(align(64))]
pub(crate) struct Tile(pub [f32; CELLS]);

impl Tile {
    pub fn filled(value: f32) -> Self {
        Self([value; CELLS])
    }

    /// Whether any cell differs from `base`, and by how much the farthest does.
    pub fn distance(&self, base: &Self) -> (bool, f32) {
        let mut farthest = [0.0f32; SIDE];
        let mut differs = [false; SIDE];
        for (row, base_row) in self.0.chunks_exact(SIDE).zip(base.0.chunks_exact(SIDE)) {
            for x in 0..SIDE {
                let distance = (row[x] - base_row[x]).abs();
                farthest[x] = if distance > farthest[x] { distance } else { farthest[x] };
                differs[x] |= row[x] != base_row[x];
            }
        }
        let farthest = farthest.into_iter().fold(0.0, |a: f32, b| if b > a { b } else { a });
        (differs.contains(&true), farthest)
    }
}

/// Nodes of levels 1 (8 × 8) to 4 (1), one level after the other.
const NODES: usize = 64 + 16 + 4 + 1;
/// Levels above the cells.
pub(crate) const LEVELS: u8 = 4;

/// Where a level begins among the nodes.
fn first_node(level: u8) -> usize {
    [0, 0, 64, 80, 84][level as usize]
}

/// Mean, least, largest and sum of squares of a tile's cells at four coarser resolutions.
#[derive(Clone)]
pub(crate) struct Pyramid {
    pub mean: [f32; NODES],
    pub min: [f32; NODES],
    pub max: [f32; NODES],
    /// About the ambient: near it, squares of values would leave no digits for the variance.
    pub squares: [f32; NODES],
}

impl Pyramid {
    const EMPTY: Self =
        Self { mean: [0.0; NODES], min: [0.0; NODES], max: [0.0; NODES], squares: [0.0; NODES] };

    /// The node over block (x, y) of a level.
    pub fn node(level: u8, x: i32, y: i32) -> usize {
        first_node(level) + (y as usize * (SIDE >> level)) + x as usize
    }

    /// Means or maxima of all blocks of a level, row by row.
    pub fn blocks(&self, level: u8, aggregate: Aggregate) -> &[f32] {
        let all = if aggregate == Aggregate::Max { &self.max } else { &self.mean };
        &all[first_node(level)..][..(SIDE >> level) * (SIDE >> level)]
    }

    /// Cells of a block that lie on the map.
    pub fn count(level: u8, x: i32, y: i32, extent: (i32, i32)) -> i32 {
        let side = 1 << level;
        let along = |block: i32, extent: i32| (extent - block * side).clamp(0, side);
        along(x, extent.0) * along(y, extent.1)
    }

    /// Sum up a tile of which `extent` cells lie on the map.
    pub fn build(&mut self, tile: &Tile, ambient: f32, extent: (i32, i32)) {
        self.build_first(tile, ambient);
        for level in 2..=LEVELS {
            self.build_level(level);
        }
        if extent != (TILE, TILE) {
            self.correct_edge(tile, ambient, extent);
        }
    }

    fn build_first(&mut self, tile: &Tile, ambient: f32) {
        let half = SIDE / 2;
        for y in 0..half {
            let (top, bottom) = tile.0[2 * y * SIDE..2 * (y + 1) * SIDE].split_at(SIDE);
            for x in 0..half {
                let four = [top[2 * x], top[2 * x + 1], bottom[2 * x], bottom[2 * x + 1]];
                let node = y * half + x;
                self.mean[node] = 0.25 * ((four[0] + four[1]) + (four[2] + four[3]));
                self.min[node] = least(least(four[0], four[1]), least(four[2], four[3]));
                self.max[node] = largest(largest(four[0], four[1]), largest(four[2], four[3]));
                let off = four.map(|value| (value - ambient) * (value - ambient));
                self.squares[node] = (off[0] + off[1]) + (off[2] + off[3]);
            }
        }
    }

    fn build_level(&mut self, level: u8) {
        let side = SIDE >> level;
        for y in 0..side {
            for x in 0..side {
                let at = |dx: usize, dy: usize| {
                    first_node(level - 1) + (2 * y + dy) * 2 * side + 2 * x + dx
                };
                let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
                let [a, b, c, d] = four.map(|node| self.mean[node]);
                let node = first_node(level) + y * side + x;
                self.mean[node] = 0.25 * ((a + b) + (c + d));
                let [a, b, c, d] = four.map(|node| self.min[node]);
                self.min[node] = least(least(a, b), least(c, d));
                let [a, b, c, d] = four.map(|node| self.max[node]);
                self.max[node] = largest(largest(a, b), largest(c, d));
                let [a, b, c, d] = four.map(|node| self.squares[node]);
                self.squares[node] = (a + b) + (c + d);
            }
        }
    }

    /// Blocks over the edge of the map sum up only their cells on it.
    fn correct_edge(&mut self, tile: &Tile, ambient: f32, extent: (i32, i32)) {
        for level in 1..=LEVELS {
            let blocks = TILE >> level;
            for (x, y) in (0..blocks).flat_map(|y| (0..blocks).map(move |x| (x, y))) {
                let count = Self::count(level, x, y, extent);
                if count == 1 << (2 * level) {
                    continue;
                }
                let mut sum = 0.0;
                let (mut min, mut max, mut squares) = (f32::INFINITY, f32::NEG_INFINITY, 0.0);
                for cell_y in (y << level)..((y + 1) << level).min(extent.1) {
                    for cell_x in (x << level)..((x + 1) << level).min(extent.0) {
                        let value = tile.0[(cell_y * TILE + cell_x) as usize];
                        sum += value;
                        squares += (value - ambient) * (value - ambient);
                        min = least(min, value);
                        max = largest(max, value);
                    }
                }
                let node = Self::node(level, x, y);
                let (mean, min, max) = match count {
                    0 => (ambient, ambient, ambient),
                    _ => ((sum / count as f32).clamp(min, max), min, max),
                };
                (self.mean[node], self.min[node]) = (mean, min);
                (self.max[node], self.squares[node]) = (max, squares);
            }
        }
    }
}

/// Plain comparisons: one instruction each, since no value is ever NaN.
pub(crate) fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger of two.
pub(crate) fn largest(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// What is known about a stored tile beside its values.
#[derive(Clone, Copy)]
struct Note {
    active: bool,
    hash: Option<u64>,
    pyramid: u32,
    pyramid_fresh: bool,
}

impl Note {
    const NEW: Self = Self { active: false, hash: None, pyramid: NOWHERE, pyramid_fresh: false };
}

/// Tiles in use and tiles given back; a tile once made is used again, never freed.
#[derive(Clone, Default)]
pub(crate) struct Pool {
    tiles: Vec<Tile>,
    notes: Vec<Note>,
    free: Vec<u32>,
    pyramids: Vec<Pyramid>,
    pyramids_free: Vec<u32>,
}

/// Room is made for this many more at a time, so that a space takes little more than it needs.
const GROWTH: usize = 32;
/// From this many on it is made for a share of them: making room copies all there are.
const MANY: usize = 2048;

/// For how many more room is made beside so many.
fn growth(held: usize) -> usize {
    GROWTH.max(held.saturating_sub(MANY) / 2)
}

impl Pool {
    /// A slot whose values are whatever they were.
    pub fn take(&mut self) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.notes[slot as usize] = Note::NEW;
            return slot;
        }
        if self.tiles.len() == self.tiles.capacity() {
            let more = growth(self.tiles.len());
            self.tiles.reserve_exact(more);
            self.notes.reserve_exact(more);
            self.free.reserve_exact(self.tiles.capacity());
        }
        self.tiles.push(Tile::filled(0.0));
        self.notes.push(Note::NEW);
        (self.tiles.len() - 1) as u32
    }

    pub fn give_back(&mut self, slot: u32) {
        let note = &mut self.notes[slot as usize];
        if note.pyramid != NOWHERE {
            self.pyramids_free.push(note.pyramid);
            note.pyramid = NOWHERE;
        }
        self.free.push(slot);
    }

    pub fn tile(&self, slot: u32) -> &Tile {
        &self.tiles[slot as usize]
    }

    /// The values, to be changed: what was summed up or hashed before is stale.
    pub fn tile_mut(&mut self, slot: u32) -> &mut Tile {
        let note = &mut self.notes[slot as usize];
        (note.hash, note.pyramid_fresh) = (None, false);
        &mut self.tiles[slot as usize]
    }

    pub fn active(&self, slot: u32) -> bool {
        self.notes[slot as usize].active
    }

    pub fn set_active(&mut self, slot: u32, active: bool) {
        self.notes[slot as usize].active = active;
    }

    /// The hash of a tile's values, worked out once per change.
    pub fn hash(&mut self, slot: u32) -> u64 {
        let (note, tile) = (&mut self.notes[slot as usize], &self.tiles[slot as usize]);
        *note.hash.get_or_insert_with(|| hash_of(tile))
    }

    /// The pyramid of a tile, rebuilt if its values changed since.
    pub fn pyramid(&mut self, slot: u32, ambient: f32, extent: (i32, i32)) -> &Pyramid {
        let note = &mut self.notes[slot as usize];
        if note.pyramid == NOWHERE {
            note.pyramid = self.pyramids_free.pop().unwrap_or_else(|| {
                if self.pyramids.len() == self.pyramids.capacity() {
                    self.pyramids.reserve_exact(growth(self.pyramids.len()));
                    self.pyramids_free.reserve_exact(self.pyramids.capacity());
                }
                self.pyramids.push(Pyramid::EMPTY);
                (self.pyramids.len() - 1) as u32
            });
            note.pyramid_fresh = false;
        }
        let pyramid = &mut self.pyramids[note.pyramid as usize];
        if !note.pyramid_fresh {
            pyramid.build(&self.tiles[slot as usize], ambient, extent);
            note.pyramid_fresh = true;
        }
        pyramid
    }

    /// Bytes of memory taken.
    pub fn bytes(&self) -> u64 {
        let tiles = self.tiles.capacity() * (size_of::<Tile>() + size_of::<Note>());
        let lists = 4 * (self.free.capacity() + self.pyramids_free.capacity());
        (tiles + lists + self.pyramids.capacity() * size_of::<Pyramid>()) as u64
    }
}

/// XXH64 over the values' little-endian bytes.
pub(crate) fn hash_of(tile: &Tile) -> u64 {
    let mut bytes = [0; 4 * CELLS];
    for (to, value) in bytes.chunks_exact_mut(4).zip(&tile.0) {
        to.copy_from_slice(&value.to_le_bytes());
    }
    xxhash_rust::xxh64::xxh64(&bytes, 0)
}

/// A plane nobody changes (terrain, depth, currents), in tiles; those at the ambient are left out.
pub(crate) struct Ground {
    index: Vec<u32>,
    tiles: Vec<Tile>,
    pyramids: Vec<Pyramid>,
    pub hash: u64,
}

impl Ground {
    pub fn new(tiles: impl Iterator<Item = (Tile, (i32, i32))>, ambient: f32) -> Self {
        let mut ground = Self { index: vec![], tiles: vec![], pyramids: vec![], hash: 0 };
        let plain = Tile::filled(ambient);
        let mut hash = xxhash_rust::xxh64::Xxh64::new(0);
        for (tile, extent) in tiles {
            hash.update(&hash_of(&tile).to_le_bytes());
            if tile == plain {
                ground.index.push(NOWHERE);
                continue;
            }
            ground.index.push(ground.tiles.len() as u32);
            let mut pyramid = Pyramid::EMPTY;
            pyramid.build(&tile, ambient, extent);
            ground.pyramids.push(pyramid);
            ground.tiles.push(tile);
        }
        ground.hash = hash.digest();
        ground
    }

    pub fn tile(&self, tile: usize) -> Option<&Tile> {
        self.tiles.get(self.index[tile] as usize)
    }

    pub fn pyramid(&self, tile: usize) -> Option<&Pyramid> {
        self.pyramids.get(self.index[tile] as usize)
    }
}
