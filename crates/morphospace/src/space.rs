//! The space: planes of tiles, what fills them, and where solid cells are.

use std::sync::Arc;

use crate::field::Field;
use crate::fovea::Fovea;
use crate::propagate::Scratch;
use crate::spec::{FieldError, Grid, Spec};
use crate::tile::{Ground, NOWHERE, Pool, SIDE, TILE, Tile};

/// From here on a cell is solid.
const SOLID: f32 = 0.5;

/// One field in one slab.
#[derive(Clone)]
pub(crate) struct Plane {
    pub ambient: f32,
    /// The slot of each tile, or `NOWHERE`.
    pub index: Vec<u32>,
    /// Tiles stored.
    pub stored: u32,
    /// What lies there from the beginning, shared by every clone.
    pub ground: Option<Arc<Ground>>,
}

impl Plane {
    /// Nothing but the ambient scalar can be read here.
    pub fn is_plain(&self) -> bool {
        self.stored == 0 && self.ground.is_none()
    }
}

/// Which cells are solid: 16 bits per row, per slab and tile.
#[derive(Clone)]
pub(crate) struct Solids {
    pub rows: Vec<[u16; SIDE]>,
    pub any: Vec<bool>,
}

/// Fields over a plane of square cells in slabs.
#[derive(Clone)]
pub struct Space {
    pub(crate) spec: Spec,
    pub(crate) flat: bool,
    pub(crate) grid: Grid,
    pub(crate) planes: Vec<Plane>,
    pub(crate) pool: Pool,
    pub(crate) solids: Solids,
    pub(crate) fovea: Arc<Fovea>,
    pub(crate) scratch: Scratch,
}

impl Space {
    /// A space at its ambient.
    pub fn new(spec: &Spec) -> Result<Self, FieldError> {
        spec.check()?;
        let grid = Grid::new(spec);
        let tiles = grid.tile_count();
        let slabs = usize::from(spec.slabs);
        let planes = Field::ALL
            .into_iter()
            .flat_map(|field| (0..spec.slabs).map(move |slab| (field, slab)))
            .map(|(field, slab)| Plane {
                ambient: spec.ambient.of(field, slab),
                index: vec![NOWHERE; tiles],
                stored: 0,
                ground: None,
            })
            .collect();
        let fovea = Fovea::shared(spec.cell_m);
        let mut space = Self {
            spec: spec.clone(),
            flat: false,
            grid,
            planes,
            pool: Pool::default(),
            solids: Solids {
                rows: vec![[0; SIDE]; slabs * tiles],
                any: vec![false; slabs * tiles],
            },
            scratch: Scratch::new(slabs, tiles, fovea.window_size()),
            fovea,
        };
        space.find_solids();
        Ok(space)
    }

    /// A space that stays as it was made: stamps are ignored, steps are free, no tile is stored.
    pub fn flat(spec: &Spec) -> Result<Self, FieldError> {
        Ok(Self { flat: true, ..Self::new(spec)? })
    }

    /// Back to the ambient, without giving up memory.
    pub fn reset(&mut self) {
        let occupancy_changed = (0..self.spec.slabs)
            .any(|slab| self.planes[self.plane_of(Field::Occupancy, slab)].stored > 0);
        for plane in 0..self.planes.len() {
            self.clear(plane);
        }
        if occupancy_changed {
            self.find_solids();
        }
    }

    /// Become what `other` was made as, its ambient and what was laid down in it, without giving up
    /// memory where both are equally large.
    pub fn begin_as(&mut self, other: &Self) {
        if self.grid != other.grid || self.spec.slabs != other.spec.slabs || self.flat != other.flat
        {
            *self = other.clone();
            return;
        }
        self.spec.clone_from(&other.spec);
        for plane in 0..self.planes.len() {
            self.clear(plane);
            self.planes[plane].ambient = other.planes[plane].ambient;
            self.planes[plane].ground.clone_from(&other.planes[plane].ground);
        }
        self.solids.rows.copy_from_slice(&other.solids.rows);
        self.solids.any.copy_from_slice(&other.solids.any);
    }

    /// What it was made from.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Cells along x and y.
    pub fn cells(&self) -> (u32, u32) {
        (self.grid.cells.0 as u32, self.grid.cells.1 as u32)
    }

    /// Lay down what is there from the beginning, row by row from the smallest y: terrain, depth,
    /// currents. It becomes the ambient of its cells; clones share it. Earlier stamps on this
    /// plane are gone.
    pub fn load_static(
        &mut self,
        field: Field,
        slab: u8,
        values: &[f32],
    ) -> Result<(), FieldError> {
        self.check_slab(slab)?;
        let (nx, ny) = self.grid.cells;
        let (got, expected) = (values.len() as u64, nx as u64 * ny as u64);
        if got != expected {
            return Err(FieldError::PlaneSize { field: field.name(), got, expected });
        }
        let (low, high) = field.range();
        if let Some(place) = values.iter().position(|value| !(*value >= low && *value <= high)) {
            let (field, value) = (field.name(), values[place]);
            return Err(FieldError::PlaneValue { field, value, place: place as u64, low, high });
        }
        let plane = self.plane_of(field, slab);
        self.clear(plane);
        let (grid, ambient) = (self.grid, self.planes[plane].ambient);
        let tiles = (0..grid.tile_count()).map(|tile| {
            let (tile_x, tile_y) = (tile as i32 % grid.tiles.0, tile as i32 / grid.tiles.0);
            let extent = grid.extent(tile);
            let mut cells = Tile::filled(ambient);
            for y in 0..extent.1 {
                let from = ((tile_y * TILE + y) * nx + tile_x * TILE) as usize;
                let row = &values[from..from + extent.0 as usize];
                cells.0[(y * TILE) as usize..][..row.len()].copy_from_slice(row);
            }
            (cells, extent)
        });
        self.planes[plane].ground = Some(Arc::new(Ground::new(tiles, ambient)));
        if field == Field::Occupancy {
            self.find_solids();
        }
        Ok(())
    }

    /// Refuse a slab there is not.
    pub fn check_slab(&self, slab: u8) -> Result<(), FieldError> {
        match slab < self.spec.slabs {
            true => Ok(()),
            false => Err(FieldError::UnknownSlab { slab, slabs: self.spec.slabs }),
        }
    }

    /// Tiles with a cell noticeably off its ambient.
    pub fn active_tiles(&self) -> u32 {
        let slots = self.planes.iter().flat_map(|plane| plane.index.iter());
        slots.filter(|&&slot| slot != NOWHERE && self.pool.active(slot)).count() as u32
    }

    /// Tiles stored.
    pub fn stored_tiles(&self) -> u32 {
        self.planes.iter().map(|plane| plane.stored).sum()
    }

    /// Bytes of memory this space takes for itself; what clones share is left out.
    pub fn memory_bytes(&self) -> u64 {
        let index: usize = self.planes.iter().map(|plane| 4 * plane.index.capacity()).sum();
        let solids = self.solids.any.len() * (2 * SIDE + 1);
        let own = size_of::<Self>() + index + solids + self.planes.len() * size_of::<Plane>();
        own as u64 + self.pool.bytes() + self.scratch.bytes()
    }

    pub(crate) fn plane_of(&self, field: Field, slab: u8) -> usize {
        field as usize * usize::from(self.spec.slabs) + usize::from(slab)
    }

    /// The values of a tile, unless they are all the plane's ambient.
    pub(crate) fn tile(&self, plane: usize, tile: usize) -> Option<&Tile> {
        let plane = &self.planes[plane];
        match plane.index[tile] {
            NOWHERE => plane.ground.as_ref().and_then(|ground| ground.tile(tile)),
            slot => Some(self.pool.tile(slot)),
        }
    }

    /// Give a tile's slot back; it reads as its ambient again.
    pub(crate) fn release(&mut self, plane: usize, tile: usize) {
        let slot = std::mem::replace(&mut self.planes[plane].index[tile], NOWHERE);
        if slot != NOWHERE {
            self.pool.give_back(slot);
            self.planes[plane].stored -= 1;
        }
    }

    /// The slot of a tile, which is stored now if it was not: a copy of its ambient.
    pub(crate) fn store(&mut self, plane: usize, tile: usize) -> u32 {
        let Plane { ambient, index, stored, ground } = &mut self.planes[plane];
        if index[tile] == NOWHERE {
            let slot = self.pool.take();
            let to = self.pool.tile_mut(slot);
            match ground.as_ref().and_then(|ground| ground.tile(tile)) {
                Some(from) => to.0.copy_from_slice(&from.0),
                None => to.0.fill(*ambient),
            }
            index[tile] = slot;
            *stored += 1;
        }
        index[tile]
    }

    /// After a change: a tile that equals its ambient is not stored, and one that is knows
    /// whether it is active.
    pub(crate) fn settle(&mut self, field: Field, plane: usize, tile: usize) {
        let Plane { ambient, index, ground, .. } = &self.planes[plane];
        let slot = index[tile];
        if slot == NOWHERE {
            return;
        }
        let values = self.pool.tile(slot);
        let (differs, farthest) = match ground.as_ref().and_then(|ground| ground.tile(tile)) {
            Some(base) => values.distance(base),
            None => values.distance(&Tile::filled(*ambient)),
        };
        if differs {
            self.pool.set_active(slot, farthest > field.epsilon());
        } else {
            self.release(plane, tile);
        }
    }

    fn clear(&mut self, plane: usize) {
        if self.planes[plane].stored > 0 {
            for tile in 0..self.grid.tile_count() {
                self.release(plane, tile);
            }
        }
    }

    fn find_solids(&mut self) {
        for slab in 0..self.spec.slabs {
            for tile in 0..self.grid.tile_count() {
                self.find_solids_of(slab, tile);
            }
        }
    }

    /// Note which cells of a tile are solid now.
    pub(crate) fn find_solids_of(&mut self, slab: u8, tile: usize) {
        let plane = self.plane_of(Field::Occupancy, slab);
        let ambient_row = if self.planes[plane].ambient >= SOLID { u16::MAX } else { 0 };
        let mut rows = [ambient_row; SIDE];
        if let Some(values) = self.tile(plane, tile) {
            for (row, cells) in rows.iter_mut().zip(values.0.chunks_exact(SIDE)) {
                let bits = cells.iter().enumerate();
                *row = bits.fold(0, |bits, (x, &value)| bits | (u16::from(value >= SOLID) << x));
            }
        }
        let at = usize::from(slab) * self.grid.tile_count() + tile;
        self.solids.any[at] = rows != [0; SIDE];
        self.solids.rows[at] = rows;
    }
}
