//! Stamps: changes of fields inside a shape.

use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::shape::{Prepared, Shape};
use crate::space::Space;
use crate::tile::{CELLS, TILE, largest, least};

/// What becomes of a cell's value `v`, given the change's value `x`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// `x`.
    Set,
    /// `v + x`.
    Add,
    /// `v - x`.
    Subtract,
    /// `v · x`.
    Multiply,
    /// The larger.
    Max,
    /// The smaller.
    Min,
    /// This share of the way from `v` to `x`.
    Lerp(f32),
}

/// One field's part in a stamp.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The field.
    pub field: Field,
    /// What to do.
    pub op: Op,
    /// With which value.
    pub value: f32,
}

/// How the effect weakens from the middle outwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Falloff {
    /// Not at all.
    #[default]
    None,
    /// Linearly, down to nothing at the rim.
    Linear,
}

/// Most changes in one stamp.
pub const CHANGES_MAX: usize = 4;

/// Changes of fields inside a shape. Small and copied freely, so a queue of them asks for no memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamp {
    /// Where.
    pub shape: Shape,
    /// In which slabs: bit 0 is slab 0.
    pub slabs: u16,
    /// How it weakens outwards.
    pub falloff: Falloff,
    /// What changes, in order.
    pub changes: [Option<Change>; CHANGES_MAX],
}

impl Stamp {
    /// A stamp that changes nothing yet.
    pub fn new(shape: Shape, slabs: u16, falloff: Falloff) -> Self {
        Self { shape, slabs, falloff, changes: [None; CHANGES_MAX] }
    }

    /// The same with one change more.
    ///
    /// # Panics
    /// With a fifth change: make a second stamp.
    pub fn with(mut self, field: Field, op: Op, value: f32) -> Self {
        let free = self.changes.iter().position(Option::is_none);
        let free = free.expect("a stamp has at most four changes");
        self.changes[free] = Some(Change { field, op, value });
        self
    }

    /// Whether its shape and all its figures can be used.
    pub fn is_sound(&self) -> bool {
        let sound = |change: &Change| {
            let share = if let Op::Lerp(share) = change.op { share } else { 0.0 };
            change.value.is_finite() && share.is_finite()
        };
        self.shape.is_sound() && self.changes.iter().flatten().all(sound)
    }
}

impl Op {
    fn apply(self, value: f32, with: f32) -> f32 {
        match self {
            Self::Set => with,
            Self::Add => value + with,
            Self::Subtract => value - with,
            Self::Multiply => value * with,
            Self::Max => largest(value, with),
            Self::Min => least(value, with),
            Self::Lerp(share) => value + share * (with - value),
        }
    }
}

/// The cells of one tile inside a shape and how much each is touched.
struct Touch {
    tile: usize,
    /// Cells to look at, `[from, to)` along x and y.
    x: (i32, i32),
    y: (i32, i32),
    /// By cell; 0 outside the shape.
    weights: [f32; CELLS],
}

impl Space {
    /// Change fields inside a shape, at once. A cell is touched when its middle is inside; a shape
    /// that holds no middle touches the nearest cell, as much weaker as it is smaller.
    ///
    /// # Panics
    /// If the stamp is not sound ([`Stamp::is_sound`]): nothing infinite may enter a field.
    pub fn stamp(&mut self, stamp: &Stamp) {
        assert!(stamp.is_sound(), "a stamp with figures that cannot be used: {stamp:?}");
        if self.flat {
            return;
        }
        let grid = self.grid;
        let prepared = stamp.shape.prepared();
        let (low, high) = stamp.shape.bounds();
        let (low, high) = (grid.cell(low), grid.cell(high));
        let x = (low.0.max(0), high.0.min(grid.cells.0 - 1));
        let y = (low.1.max(0), high.1.min(grid.cells.1 - 1));
        let mut touched = false;
        for tile_y in (y.0 / TILE)..=(y.1.max(-1) / TILE) {
            for tile_x in (x.0 / TILE)..=(x.1.max(-1) / TILE) {
                let within = |span: (i32, i32), tile: i32| {
                    ((span.0 - tile * TILE).max(0), (span.1 - tile * TILE + 1).min(TILE))
                };
                let mut touch = Touch {
                    tile: (tile_y * grid.tiles.0 + tile_x) as usize,
                    x: within(x, tile_x),
                    y: within(y, tile_y),
                    weights: [0.0; CELLS],
                };
                let corner = (tile_x * TILE, tile_y * TILE);
                if touch.weigh(&prepared, stamp.falloff, |x, y| {
                    grid.middle((corner.0 + x, corner.1 + y))
                }) {
                    touched = true;
                    self.touch(stamp, &touch);
                }
            }
        }
        if !touched {
            self.touch_nearest(stamp);
        }
    }

    fn touch_nearest(&mut self, stamp: &Stamp) {
        let cell = self.grid.cell(stamp.shape.middle());
        // A shape beside the map, or one larger than a cell whose part on the map holds no middle.
        let share = stamp.shape.area() * self.grid.per_m * self.grid.per_m;
        if !self.grid.holds(cell) || share <= 0.0 {
            return;
        }
        let (tile, within) = self.grid.place(cell);
        let (x, y) = (cell.0 % TILE, cell.1 % TILE);
        let mut weights = [0.0; CELLS];
        weights[within] = share.min(1.0);
        self.touch(stamp, &Touch { tile, x: (x, x + 1), y: (y, y + 1), weights });
    }

    fn touch(&mut self, stamp: &Stamp, touch: &Touch) {
        for slab in (0..self.spec.slabs).filter(|slab| stamp.slabs & (1 << slab) != 0) {
            for change in stamp.changes.iter().flatten() {
                let plane = self.plane_of(change.field, slab);
                let slot = self.store(plane, touch.tile);
                touch.change(change, &mut self.pool.tile_mut(slot).0);
                self.settle(change.field, plane, touch.tile);
                if change.field == Field::Occupancy {
                    self.find_solids_of(slab, touch.tile);
                }
            }
        }
    }
}

impl Touch {
    /// Work out the weights; whether any cell is touched.
    fn weigh(
        &mut self,
        shape: &Prepared,
        falloff: Falloff,
        middle: impl Fn(i32, i32) -> (f32, f32),
    ) -> bool {
        let mut any = false;
        for y in self.y.0..self.y.1 {
            for x in self.x.0..self.x.1 {
                let (distance, reach) = shape.squares(middle(x, y));
                let inside = distance <= reach && reach > 0.0;
                let weight = match falloff {
                    Falloff::None => 1.0,
                    Falloff::Linear => 1.0 - (distance / reach).sqrt(),
                };
                any |= inside;
                self.weights[(y * TILE + x) as usize] = if inside { weight } else { 0.0 };
            }
        }
        any
    }

    fn change(&self, change: &Change, cells: &mut [f32; CELLS]) {
        let (low, high) = change.field.range();
        for y in self.y.0..self.y.1 {
            let row = (y * TILE + self.x.0) as usize..(y * TILE + self.x.1) as usize;
            for (cell, &weight) in cells[row.clone()].iter_mut().zip(&self.weights[row]) {
                if weight > 0.0 {
                    let target = change.op.apply(*cell, change.value);
                    let partly = *cell + weight * (target - *cell);
                    let value = if weight < 1.0 { partly } else { target };
                    // Adding 0 turns -0 into 0, which would hash differently.
                    *cell = least(largest(value, low), high) + 0.0;
                }
            }
        }
    }
}
