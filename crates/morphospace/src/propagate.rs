//! A step: fields spread to their neighbours and fade towards their ambient.
//!
//! Only active tiles and their rim are stepped. Between a stepped tile and one that is not, nothing
//! passes, so what does not fade is kept to the last rounding however the tiles come and go.

use crate::diffusion::{Barrier, Block, PADDED, Pace, Side, fade_tile};
use crate::field::Field;
use crate::space::Space;
use crate::spec::Edges;
use crate::tile::{NOWHERE, TILE, Tile};

/// Memory for a step, kept between steps.
#[derive(Clone)]
pub(crate) struct Scratch {
    /// By slab and tile: the block it is stepped in, or `NOWHERE`.
    stepped: Vec<u32>,
    /// The old values of stepped tiles, in the order of slabs and tiles.
    blocks: Vec<Block>,
    /// The ambient of each slab as a tile.
    ambient: Vec<Tile>,
    /// Blocks around an observer, for the foveated view.
    pub window: Vec<f32>,
}

impl Scratch {
    pub fn new(slabs: usize, tiles: usize, window: usize) -> Self {
        Self {
            stepped: vec![NOWHERE; slabs * tiles],
            blocks: vec![],
            ambient: vec![Tile::filled(0.0); slabs],
            window: vec![0.0; window],
        }
    }

    /// What stands in its place while it is borrowed.
    fn nothing() -> Self {
        Self { stepped: vec![], blocks: vec![], ambient: vec![], window: vec![] }
    }

    pub fn bytes(&self) -> u64 {
        let lists = 4 * (self.stepped.capacity() + self.window.capacity());
        let blocks = self.blocks.capacity() * size_of::<Block>();
        (lists + blocks + self.ambient.capacity() * size_of::<Tile>()) as u64
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

    /// An inner step of a field that spreads: old values are laid out first, then tiles are
    /// written over.
    fn spread(&mut self, field: Field, pace: &Pace) {
        let mut scratch = std::mem::replace(&mut self.scratch, Scratch::nothing());
        for slab in 0..self.spec.slabs {
            let ambient = self.planes[self.plane_of(field, slab)].ambient;
            scratch.ambient[usize::from(slab)].0.fill(ambient);
        }
        let count = self.mark_stepped(field, &mut scratch.stepped);
        if scratch.blocks.len() < count {
            scratch.blocks.reserve_exact(count - scratch.blocks.len());
            scratch.blocks.resize(count, Block::EMPTY);
        }
        let mut blocks = std::mem::take(&mut scratch.blocks);
        let tiles = self.grid.tile_count();
        for (at, &block) in scratch.stepped.iter().enumerate() {
            if block != NOWHERE {
                let block = &mut blocks[block as usize];
                self.fill_block(block, field, (at / tiles, at % tiles), &scratch);
            }
        }
        scratch.blocks = blocks;
        for at in 0..scratch.stepped.len() {
            if scratch.stepped[at] != NOWHERE {
                self.renew(field, (at / tiles, at % tiles), &scratch, pace);
            }
        }
        if pace.kept < 1.0 {
            self.drop_faded(field, &scratch.stepped);
        }
        self.scratch = scratch;
    }

    /// Number active tiles and those beside, above and below them; how many there are.
    fn mark_stepped(&self, field: Field, stepped: &mut [u32]) -> usize {
        stepped.fill(NOWHERE);
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
                stepped[at] = 0;
                let mut mark = |there: bool, at: usize| {
                    if there {
                        stepped[at] = 0;
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
        let mut count = 0;
        for block in stepped.iter_mut().filter(|block| **block != NOWHERE) {
            *block = count;
            count += 1;
        }
        count as usize
    }

    /// Work out the new values of a tile.
    fn renew(
        &mut self,
        field: Field,
        (slab, tile): (usize, usize),
        scratch: &Scratch,
        pace: &Pace,
    ) {
        let (slabs, tiles) = (scratch.ambient.len(), self.grid.tile_count());
        let plane = field as usize * slabs + slab;
        let slot = self.store(plane, tile);
        let planes = &self.planes;
        let base = |slab: usize| {
            let ground = planes[field as usize * slabs + slab].ground.as_ref();
            ground.and_then(|ground| ground.tile(tile)).unwrap_or(&scratch.ambient[slab])
        };
        let block = |slab: usize| match scratch.stepped[slab * tiles + tile] {
            NOWHERE => None,
            block => Some((&scratch.blocks[block as usize], base(slab))),
        };
        let above = if slab > 0 { block(slab - 1) } else { None };
        let below = if slab + 1 < slabs { block(slab + 1) } else { None };
        let block = &scratch.blocks[scratch.stepped[slab * tiles + tile] as usize];
        let farthest = if self.is_open((slab, tile), slabs) {
            let new = &mut self.pool.tile_mut(slot).0;
            block.diffuse_open(new, base(slab), (above, below), pace)
        } else {
            let barriers = self.barriers((slab, tile));
            let solid = |slab: usize| &self.solids.rows[slab * tiles + tile];
            let solids = [above.map(|_| solid(slab - 1)), below.map(|_| solid(slab + 1))];
            let new = &mut self.pool.tile_mut(slot).0;
            block.diffuse_walled(new, &barriers, base(slab), (above, below), solids, pace)
        };
        if farthest == 0.0 {
            self.release(plane, tile);
        } else {
            self.pool.set_active(slot, farthest > pace.epsilon);
        }
    }

    /// Tiles neither active nor beside an active one have faded away.
    fn drop_faded(&mut self, field: Field, stepped: &[u32]) {
        let tiles = self.grid.tile_count();
        for slab in 0..self.spec.slabs {
            let plane = self.plane_of(field, slab);
            let first = usize::from(slab) * tiles;
            if self.planes[plane].stored == 0 {
                continue;
            }
            for tile in 0..tiles {
                if stepped[first + tile] == NOWHERE {
                    self.release(plane, tile);
                }
            }
        }
    }

    /// Lay out a tile with the edges of its neighbours around it.
    fn fill_block(
        &self,
        block: &mut Block,
        field: Field,
        (slab, tile): (usize, usize),
        scratch: &Scratch,
    ) {
        let plane = field as usize * scratch.ambient.len() + slab;
        let first = slab * self.grid.tile_count();
        let (width, height) = self.grid.tiles;
        let (x, y) = (tile as i32 % width, tile as i32 / width);
        let own = self.tile(plane, tile).unwrap_or(&scratch.ambient[slab]);
        block.lay(own);
        let edge_of_map = match self.spec.edges {
            Edges::ZeroFlux => None,
            Edges::Ambient => Some(self.planes[plane].ambient),
        };
        for (side, on_map, beside) in [
            (Side::West, x > 0, tile.wrapping_sub(1)),
            (Side::East, x + 1 < width, tile + 1),
            (Side::South, y > 0, tile.wrapping_sub(width as usize)),
            (Side::North, y + 1 < height, tile + width as usize),
        ] {
            match (on_map, edge_of_map) {
                (true, _) if scratch.stepped[first + beside] != NOWHERE => {
                    block.pad(side, self.tile(plane, beside).unwrap_or(&scratch.ambient[slab]));
                }
                (false, Some(ambient)) => block.pad_with(side, |_| ambient),
                _ => block.pad_closed(side, own),
            }
        }
    }

    /// Whether there is water all around: a whole tile, with no solid cell in it or next to it.
    fn is_open(&self, (slab, tile): (usize, usize), slabs: usize) -> bool {
        let tiles = self.grid.tile_count();
        let (width, height) = self.grid.tiles;
        let (x, y) = (tile as i32 % width, tile as i32 / width);
        let at = slab * tiles + tile;
        let solid = |there: bool, at: usize| there && self.solids.any[at];
        self.grid.extent(tile) == (TILE, TILE)
            && !(self.solids.any[at]
                || solid(x > 0, at.wrapping_sub(1))
                || solid(x + 1 < width, at + 1)
                || solid(y > 0, at.wrapping_sub(width as usize))
                || solid(y + 1 < height, at + width as usize)
                || solid(slab > 0, at.wrapping_sub(tiles))
                || solid(slab + 1 < slabs, at + tiles))
    }

    /// What stands in the way in and around a tile: solid cells and the end of the map.
    fn barriers(&self, (slab, tile): (usize, usize)) -> [Barrier; PADDED * PADDED] {
        let wall = match self.spec.edges {
            Edges::ZeroFlux => Barrier::Closed,
            Edges::Ambient => Barrier::Ambient,
        };
        let (width, tiles) = (self.grid.tiles.0, self.grid.tile_count());
        let corner = (tile as i32 % width * TILE - 1, tile as i32 / width * TILE - 1);
        std::array::from_fn(|at| {
            let cell = (corner.0 + (at % PADDED) as i32, corner.1 + (at / PADDED) as i32);
            let open = self.grid.holds(cell) && {
                let (tile, _) = self.grid.place(cell);
                let row = self.solids.rows[slab * tiles + tile][(cell.1 % TILE) as usize];
                row >> (cell.0 % TILE) & 1 == 0
            };
            if open { Barrier::None } else { wall }
        })
    }
}
