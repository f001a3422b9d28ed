//! The stored form of a space, equality and the hash: the same for the same values, whatever
//! order tiles came to be in.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use xxhash_rust::xxh64::Xxh64;

use crate::field::Field;
use crate::space::Space;
use crate::spec::{FieldError, Spec};
use crate::tile::{CELLS, NOWHERE, TILE};

#[derive(Serialize, Deserialize)]
struct Stored {
    spec: Spec,
    flat: bool,
    /// Planes loaded, by number, row by row.
    grounds: Vec<(u32, Vec<f32>)>,
    /// Tiles stored: plane, tile, values; in ascending order.
    tiles: Vec<(u32, u32, Vec<f32>)>,
}

impl Space {
    /// A hash of all values; worked out again only for tiles that changed.
    pub fn hash(&mut self) -> u64 {
        let mut hash = Xxh64::new(0);
        let spec = &self.spec;
        let sizes = [spec.origin.0, spec.origin.1, spec.cell_m];
        sizes.iter().for_each(|size| hash.update(&size.to_bits().to_le_bytes()));
        let (nx, ny) = self.grid.cells;
        [nx, ny, i32::from(spec.slabs)].iter().for_each(|size| hash.update(&size.to_le_bytes()));
        for (number, plane) in self.planes.iter().enumerate() {
            hash.update(&plane.ambient.to_bits().to_le_bytes());
            let ground = plane.ground.as_ref().map_or(0, |ground| ground.hash);
            hash.update(&ground.to_le_bytes());
            if plane.stored == 0 {
                continue;
            }
            for (tile, &slot) in plane.index.iter().enumerate() {
                if slot != NOWHERE {
                    hash.update(&(number as u32).to_le_bytes());
                    hash.update(&(tile as u32).to_le_bytes());
                    hash.update(&self.pool.hash(slot).to_le_bytes());
                }
            }
        }
        hash.digest()
    }

    fn field_of(&self, plane: usize) -> (Field, u8) {
        let slabs = usize::from(self.spec.slabs);
        (Field::ALL[plane / slabs], (plane % slabs) as u8)
    }

    /// What a plane was loaded with.
    fn ground_values(&self, plane: usize) -> Option<Vec<f32>> {
        let ground = self.planes[plane].ground.as_ref()?;
        let (nx, ny) = self.grid.cells;
        let cells = (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y)));
        let value = |cell| {
            let (tile, within) = self.grid.place(cell);
            ground.tile(tile).map_or(self.planes[plane].ambient, |tile| tile.0[within])
        };
        Some(cells.map(value).collect())
    }

    fn to_stored(&self) -> Stored {
        let mut stored =
            Stored { spec: self.spec.clone(), flat: self.flat, grounds: vec![], tiles: vec![] };
        for (number, plane) in self.planes.iter().enumerate() {
            if let Some(values) = self.ground_values(number) {
                stored.grounds.push((number as u32, values));
            }
            for (tile, &slot) in plane.index.iter().enumerate() {
                if slot != NOWHERE {
                    let values = self.pool.tile(slot).0.to_vec();
                    stored.tiles.push((number as u32, tile as u32, values));
                }
            }
        }
        stored
    }

    fn from_stored(stored: Stored) -> Result<Self, FieldError> {
        let mut space = Self::new(&stored.spec)?;
        space.flat = stored.flat;
        let wrong = |plane, tile, problem| Err(FieldError::Stored { plane, tile, problem });
        for (plane, values) in &stored.grounds {
            if *plane as usize >= space.planes.len() {
                return wrong(*plane, 0, "there is no such plane");
            }
            let (field, slab) = space.field_of(*plane as usize);
            space.load_static(field, slab, values)?;
        }
        if stored.flat && !stored.tiles.is_empty() {
            return wrong(stored.tiles[0].0, stored.tiles[0].1, "a flat space stores none");
        }
        let mut last = None;
        for (plane, tile, values) in &stored.tiles {
            if *plane as usize >= space.planes.len() || *tile as usize >= space.grid.tile_count() {
                return wrong(*plane, *tile, "there is no such tile");
            }
            if last.replace((*plane, *tile)) >= Some((*plane, *tile)) {
                return wrong(*plane, *tile, "tiles are out of order");
            }
            if let Some(problem) = space.take_in(*plane as usize, *tile as usize, values) {
                return wrong(*plane, *tile, problem);
            }
        }
        Ok(space)
    }

    /// Store a tile's values, unless something is wrong with them.
    fn take_in(&mut self, plane: usize, tile: usize, values: &[f32]) -> Option<&'static str> {
        let (field, slab) = self.field_of(plane);
        let (low, high) = field.range();
        let extent = self.grid.extent(tile);
        let on_map = |at: usize| (at as i32 % TILE) < extent.0 && (at as i32 / TILE) < extent.1;
        if values.len() != CELLS {
            return Some("256 values make a tile");
        }
        if values.iter().any(|value| !(*value >= low && *value <= high)) {
            return Some("a value out of the field's range");
        }
        let ambient = self.planes[plane].ambient;
        if (0..CELLS).any(|at| !on_map(at) && values[at] != ambient) {
            return Some("a value beside the map");
        }
        let slot = self.store(plane, tile);
        self.pool.tile_mut(slot).0.copy_from_slice(values);
        self.settle(field, plane, tile);
        if self.planes[plane].index[tile] == NOWHERE {
            return Some("a tile at its ambient is not stored");
        }
        if field == Field::Occupancy {
            self.find_solids_of(slab, tile);
        }
        None
    }
}

impl PartialEq for Space {
    fn eq(&self, other: &Self) -> bool {
        let same_tile = |plane: usize, tile: usize| {
            let slots = (self.planes[plane].index[tile], other.planes[plane].index[tile]);
            match slots {
                (NOWHERE, NOWHERE) => true,
                (NOWHERE, _) | (_, NOWHERE) => false,
                (own, theirs) => self.pool.tile(own) == other.pool.tile(theirs),
            }
        };
        let same_ground = |plane: usize| {
            let hash = |space: &Self| space.planes[plane].ground.as_ref().map(|all| all.hash);
            hash(self) == hash(other)
        };
        self.spec == other.spec
            && self.flat == other.flat
            && (0..self.planes.len()).all(|plane| {
                same_ground(plane) && (0..self.grid.tile_count()).all(|tile| same_tile(plane, tile))
            })
    }
}

impl std::fmt::Debug for Space {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("Space");
        shown.field("cells", &self.cells()).field("slabs", &self.spec.slabs);
        shown.field("stored_tiles", &self.stored_tiles()).finish_non_exhaustive()
    }
}

impl Serialize for Space {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_stored().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Space {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_stored(Stored::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
