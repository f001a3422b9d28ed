//! A step: fields spread to their neighbours and fade towards their ambient.
//!
//! Only active tiles and their rim are stepped. Between a stepped tile and one that is not, nothing
//! passes, so what does not fade is kept to the last rounding however the tiles come and go.

use crate::diffusion::{
    Barrier, Block, Level, PADDED, Pace, diffuse_open, diffuse_walled, fade_tile,
};
use crate::field::Field;
use crate::space::Space;
use crate::spec::Edges;
use crate::tile::{CELLS, NOWHERE, SIDE, TILE, Tile};

/// Memory for a step, kept between steps.
#[derive(Clone)]
pub(crate) struct Scratch {
    /// By slab and tile: stepped in this inner step.
    stepped: Vec<bool>,
    /// The stepped tiles and the slots of their new values.
    renewed: Vec<(u32, u32)>,
    /// The ambient of each slab as a tile.
    ambient: Vec<Tile>,
}

impl Scratch {
    pub fn new(slabs: usize, tiles: usize) -> Self {
        Self {
            stepped: vec![false; slabs * tiles],
            renewed: Vec::with_capacity(slabs * tiles),
            ambient: vec![Tile::filled(0.0); slabs],
        }
    }

    pub fn bytes(&self) -> u64 {
        let lists = self.stepped.capacity() + 8 * self.renewed.capacity();
        (lists + self.ambient.capacity() * size_of::<Tile>()) as u64
    }
}

impl Space {
    /// Let time pass: every field spreads and fades for `dt` seconds, in as many inner steps as it
    /// takes to stay stable.
    ///
    /// # Panics
    /// If `dt` is not a number above 0.
    pub fn step(&mut self, dt: f32) {
        assert!(dt.is_finite() && dt > 0.0, "a step of {dt} s");
        let slabs = usize::from(self.spec.slabs);
        for field in Field::ALL {
            let rate = self.spec.rates[field as usize];
            let first = field as usize * slabs;
            let stored = self.planes[first..first + slabs].iter().any(|plane| plane.stored > 0);
            let still = rate.spread_per_s == 0.0 && rate.decay_per_s == 0.0;
            if still || !stored {
                continue;
            }
            let inner_steps = self.spec.inner_steps(field, dt);
            let dt = dt / inner_steps as f32;
            let (low, high) = field.range();
            let pace = Pace {
                aside: self.spec.spread(field) * dt,
                down: 0.1 * rate.spread_per_s * dt,
                kept: libm::expf(-rate.decay_per_s * dt),
                low,
                high,
                epsilon: field.epsilon(),
            };
            for _ in 0..inner_steps {
                if rate.spread_per_s > 0.0 {
                    self.spread(field, &pace);
                } else {
                    self.fade(field, &pace);
                }
            }
        }
    }

    /// An inner step of a field that only fades: in place.
    fn fade(&mut self, field: Field, pace: &Pace) {
        for slab in 0..self.spec.slabs {
            let plane = self.plane_of(field, slab);
            if self.planes[plane].stored == 0 {
                continue;
            }
            let ambient = Tile::filled(self.planes[plane].ambient);
            for tile in 0..self.grid.tile_count() {
                let slot = self.planes[plane].index[tile];
                if slot == NOWHERE {
                    continue;
                }
                let ground = self.planes[plane].ground.as_ref();
                let base = ground.and_then(|ground| ground.tile(tile)).unwrap_or(&ambient);
                let farthest = fade_tile(&mut self.pool.tile_mut(slot).0, base, pace);
                if farthest > pace.epsilon {
                    self.pool.set_active(slot, true);
                } else {
                    self.release(plane, tile);
                }
            }
        }
    }

    /// An inner step of a field that spreads: new values go to new slots, then take their place.
    fn spread(&mut self, field: Field, pace: &Pace) {
        let mut scratch = std::mem::replace(
            &mut self.scratch,
            Scratch { stepped: vec![], renewed: vec![], ambient: vec![] },
        );
        for slab in 0..self.spec.slabs {
            let ambient = self.planes[self.plane_of(field, slab)].ambient;
            scratch.ambient[usize::from(slab)].0.fill(ambient);
        }
        self.mark_stepped(field, &mut scratch.stepped);
        let tiles = self.grid.tile_count();
        scratch.renewed.clear();
        for at in 0..scratch.stepped.len() {
            if scratch.stepped[at] {
                let slot = self.renew(field, (at / tiles, at % tiles), &scratch, pace);
                scratch.renewed.push((at as u32, slot));
            }
        }
        for &(at, slot) in &scratch.renewed {
            let plane = self.plane_of(field, 0) + at as usize / tiles;
            self.replace(plane, at as usize % tiles, slot);
        }
        if pace.kept < 1.0 {
            self.drop_faded(field, &scratch.stepped);
        }
        self.scratch = scratch;
    }

    /// Mark active tiles and those beside, above and below them.
    fn mark_stepped(&self, field: Field, stepped: &mut [bool]) {
        stepped.fill(false);
        let tiles = self.grid.tile_count();
        let (width, height) = self.grid.tiles;
        let slabs = usize::from(self.spec.slabs);
        for slab in 0..slabs {
            let plane = &self.planes[field as usize * slabs + slab];
            if plane.stored == 0 {
                continue;
            }
            for tile in 0..tiles {
                let slot = plane.index[tile];
                if slot == NOWHERE || !self.pool.active(slot) {
                    continue;
                }
                let at = slab * tiles + tile;
                let (x, y) = (tile as i32 % width, tile as i32 / width);
                stepped[at] = true;
                let mut mark = |there: bool, at: usize| {
                    if there {
                        stepped[at] = true;
                    }
                };
                mark(x > 0, at.wrapping_sub(1));
                mark(x + 1 < width, at + 1);
                mark(y > 0, at.wrapping_sub(width as usize));
                mark(y + 1 < height, at + width as usize);
                mark(slab > 0, at.wrapping_sub(tiles));
                mark(slab + 1 < slabs, at + tiles);
            }
        }
    }

    /// Work out the new values of a tile; the slot they lie in, or `NOWHERE` if they are the
    /// ambient.
    fn renew(
        &mut self,
        field: Field,
        (slab, tile): (usize, usize),
        scratch: &Scratch,
        pace: &Pace,
    ) -> u32 {
        let mut new = [0.0; CELLS];
        let level = |slab: usize| -> Level<'_> {
            let there = slab < scratch.ambient.len();
            let stepped = there && scratch.stepped[slab * self.grid.tile_count() + tile];
            stepped.then(|| {
                let plane = field as usize * scratch.ambient.len() + slab;
                let base = self.base(plane, tile).unwrap_or(&scratch.ambient[slab]);
                (self.tile(plane, tile).unwrap_or(base), base)
            })
        };
        let (above, below) = (level(slab.wrapping_sub(1)), level(slab + 1));
        let plane = field as usize * scratch.ambient.len() + slab;
        let base = self.base(plane, tile).unwrap_or(&scratch.ambient[slab]);
        let block = self.block(plane, (slab, tile), scratch);
        let (differs, farthest) = if block.open {
            diffuse_open(&mut new, &block, base, (above, below), pace)
        } else {
            let solid = |slab: usize| &self.solids.rows[slab * self.grid.tile_count() + tile];
            let solids = [above.map(|_| solid(slab - 1)), below.map(|_| solid(slab + 1))];
            diffuse_walled(&mut new, &block, base, (above, below), solids, pace)
        };
        if !differs {
            return NOWHERE;
        }
        let slot = self.pool.take();
        self.pool.tile_mut(slot).0 = new;
        self.pool.set_active(slot, farthest > pace.epsilon);
        slot
    }

    fn base(&self, plane: usize, tile: usize) -> Option<&Tile> {
        self.planes[plane].ground.as_ref().and_then(|ground| ground.tile(tile))
    }

    /// Put new values in a tile's place.
    fn replace(&mut self, plane: usize, tile: usize, slot: u32) {
        let old = std::mem::replace(&mut self.planes[plane].index[tile], slot);
        if old != NOWHERE {
            if slot != NOWHERE {
                self.pool.inherit_pyramid(old, slot);
            }
            self.pool.give_back(old);
            self.planes[plane].stored -= 1;
        }
        self.planes[plane].stored += u32::from(slot != NOWHERE);
    }

    /// Tiles neither active nor beside an active one have faded away.
    fn drop_faded(&mut self, field: Field, stepped: &[bool]) {
        let tiles = self.grid.tile_count();
        for slab in 0..self.spec.slabs {
            let plane = self.plane_of(field, slab);
            let first = usize::from(slab) * tiles;
            if self.planes[plane].stored == 0 {
                continue;
            }
            for tile in 0..tiles {
                if !stepped[first + tile] {
                    self.release(plane, tile);
                }
            }
        }
    }

    /// A tile and what lies around it.
    fn block(&self, plane: usize, (slab, tile): (usize, usize), scratch: &Scratch) -> Block {
        let tiles = self.grid.tile_count();
        let (width, height) = self.grid.tiles;
        let (x, y) = (tile as i32 % width, tile as i32 / width);
        let own = self.tile(plane, tile).unwrap_or(&scratch.ambient[slab]);
        let mut block = Block {
            values: [0.0; PADDED * PADDED],
            barriers: [Barrier::None; PADDED * PADDED],
            open: self.grid.extent(tile) == (TILE, TILE),
        };
        for (y, row) in own.0.chunks_exact(SIDE).enumerate() {
            block.values[(y + 1) * PADDED + 1..][..SIDE].copy_from_slice(row);
        }
        let edge_of_map = match self.spec.edges {
            Edges::ZeroFlux => None,
            Edges::Ambient => Some(self.planes[plane].ambient),
        };
        let mut solid = self.solids.any[slab * tiles + tile];
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let (x, y) = (x + dx, y + dy);
            let on_map = (0..width).contains(&x) && (0..height).contains(&y);
            let beside = (y * width + x) as usize;
            if !on_map {
                block.pad_plain((dx, dy), own, edge_of_map);
            } else if scratch.stepped[slab * tiles + beside] {
                let values = self.tile(plane, beside).unwrap_or(&scratch.ambient[slab]);
                block.pad((dx, dy), values);
                solid |= self.solids.any[slab * tiles + beside];
            } else {
                block.pad_plain((dx, dy), own, None);
            }
        }
        for other in [slab.wrapping_sub(1), slab + 1] {
            solid |= other < scratch.ambient.len() && self.solids.any[other * tiles + tile];
        }
        if solid || !block.open {
            block.open = false;
            self.raise_barriers(&mut block, (slab, (x, y)));
        }
        block
    }

    /// Note the solid cells and the end of the map in and around a tile.
    fn raise_barriers(&self, block: &mut Block, (slab, tile): (usize, (i32, i32))) {
        let wall = match self.spec.edges {
            Edges::ZeroFlux => Barrier::Closed,
            Edges::Ambient => Barrier::Ambient,
        };
        for y in 0..PADDED {
            for x in 0..PADDED {
                let cell = (tile.0 * TILE + x as i32 - 1, tile.1 * TILE + y as i32 - 1);
                let blocked = if self.grid.holds(cell) {
                    let (tile, _) = self.grid.place(cell);
                    let rows = &self.solids.rows[slab * self.grid.tile_count() + tile];
                    rows[(cell.1 % TILE) as usize] >> (cell.0 % TILE) & 1 == 1
                } else {
                    true
                };
                block.barriers[y * PADDED + x] = if blocked { wall } else { Barrier::None };
            }
        }
    }
}
