//! Reading: a point, a line, a volume, a whole plane.

use crate::field::{Aggregate, Field};
use crate::shape::{Prepared, Shape};
use crate::space::{Plane, Space};
use crate::tile::{LEVELS, NOWHERE, Pyramid, TILE, largest, least};
use crate::walk::{clip, walk};

/// What a line meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The field times the way through it, summed: units of the field × m.
    pub integral: f32,
    /// The largest value met.
    pub max: f32,
}

/// What a shape holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// What stands for all of it by the field's own aggregate.
    pub value: f32,
    /// Mean by area.
    pub mean: f32,
    /// Variance by area.
    pub variance: f32,
    /// Least value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
    /// Cells it stands on; 0 beside the map, where the ambient is read.
    pub count: u32,
}

/// Sums over cells or blocks, about the ambient.
struct Sums {
    ambient: f32,
    sum: f64,
    squares: f64,
    min: f32,
    max: f32,
    count: u32,
}

impl Space {
    /// The value of the cell that holds a place; the ambient beside the map.
    pub fn point(&self, field: Field, at: (f32, f32), slab: u8) -> f32 {
        self.value(self.plane_of(field, slab), self.grid.cell(at))
    }

    fn value(&self, plane: usize, cell: (i32, i32)) -> f32 {
        if self.planes[plane].is_plain() || !self.grid.holds(cell) {
            return self.planes[plane].ambient;
        }
        let (tile, within) = self.grid.place(cell);
        self.tile(plane, tile).map_or(self.planes[plane].ambient, |tile| tile.0[within])
    }

    /// The value between the four nearest cell middles; at the edge of the map its outermost cells
    /// go on, beside it the ambient is read.
    pub fn bilinear(&self, field: Field, at: (f32, f32), slab: u8) -> f32 {
        let plane = self.plane_of(field, slab);
        if !self.grid.holds(self.grid.cell(at)) {
            return self.planes[plane].ambient;
        }
        let (x, y) = self.grid.in_cells(at);
        let (x, y) = (x - 0.5, y - 0.5);
        let corner = (x.floor(), y.floor());
        let share = (x - corner.0, y - corner.1);
        let value = |dx: i32, dy: i32| {
            let x = (corner.0 as i32 + dx).clamp(0, self.grid.cells.0 - 1);
            let y = (corner.1 as i32 + dy).clamp(0, self.grid.cells.1 - 1);
            self.value(plane, (x, y))
        };
        let between = |from: f32, to: f32, share: f32| from + share * (to - from);
        let low = between(value(0, 0), value(1, 0), share.0);
        let high = between(value(0, 1), value(1, 1), share.0);
        between(low, high, share.1)
    }

    /// What a straight line from `from` to `to` meets.
    pub fn ray(&self, field: Field, from: (f32, f32), to: (f32, f32), slab: u8) -> Ray {
        let plane = self.plane_of(field, slab);
        let ambient = self.planes[plane].ambient;
        let (x, y) = (to.0 - from.0, to.1 - from.1);
        let length = (x * x + y * y).sqrt();
        if length == 0.0 {
            return Ray { integral: 0.0, max: self.point(field, from, slab) };
        }
        if self.planes[plane].is_plain() {
            return Ray { integral: ambient * length, max: ambient };
        }
        let (from, to) = (self.grid.in_cells(from), self.grid.in_cells(to));
        let size = (self.grid.cells.0 as f32, self.grid.cells.1 as f32);
        let Some(span) = clip(from, to, size) else {
            return Ray { integral: ambient * length, max: ambient };
        };
        let outside = 1.0 - (span.1 - span.0);
        let mut sum = f64::from(ambient) * f64::from(outside);
        let mut max = if outside > 0.0 { ambient } else { f32::NEG_INFINITY };
        let mut meet = |value: f32, (enter, leave): (f32, f32)| {
            sum += f64::from(value) * f64::from(leave - enter);
            max = largest(max, value);
        };
        let in_tiles = |at: (f32, f32)| (at.0 / TILE as f32, at.1 / TILE as f32);
        let last = (self.grid.tiles.0 - 1, self.grid.tiles.1 - 1);
        walk(in_tiles(from), in_tiles(to), span, |square, span| {
            let (x, y) = (square.0.clamp(0, last.0), square.1.clamp(0, last.1));
            let tile = (y * self.grid.tiles.0 + x) as usize;
            let Some(values) = self.tile(plane, tile) else {
                return meet(ambient, span);
            };
            let extent = self.grid.extent(tile);
            walk(from, to, span, |cell, span| {
                let x = (cell.0 - x * TILE).clamp(0, extent.0 - 1);
                let y = (cell.1 - y * TILE).clamp(0, extent.1 - 1);
                meet(values.0[(y * TILE + x) as usize], span);
            });
        });
        Ray { integral: (sum * f64::from(length)) as f32, max }
    }

    /// What a shape holds. At level 0 the cells whose middle is inside, exactly; at levels 1 to 4
    /// blocks of 2 to 16 cells a side, which is quicker. A shape without a middle reads the block
    /// nearest to its own.
    pub fn volume(&mut self, field: Field, shape: &Shape, slab: u8, level: u8) -> Volume {
        let level = level.min(LEVELS);
        let plane = self.plane_of(field, slab);
        let mut sums = Sums::new(self.planes[plane].ambient);
        let (low, high) = shape.bounds();
        let (low, high) = (self.grid.cell(low), self.grid.cell(high));
        let x = (low.0.max(0), high.0.min(self.grid.cells.0 - 1));
        let y = (low.1.max(0), high.1.min(self.grid.cells.1 - 1));
        if x.0 <= x.1 && y.0 <= y.1 {
            let prepared = shape.prepared();
            for tile_y in y.0 / TILE..=y.1 / TILE {
                for tile_x in x.0 / TILE..=x.1 / TILE {
                    let within = |span: (i32, i32), tile: i32| {
                        let from = (span.0 - tile * TILE).max(0) >> level;
                        (from, ((span.1 - tile * TILE).min(TILE - 1) >> level) + 1)
                    };
                    let blocks = (within(x, tile_x), within(y, tile_y));
                    self.add_tile(plane, (tile_x, tile_y), blocks, level, &prepared, &mut sums);
                }
            }
        }
        if sums.count == 0 && self.grid.holds(self.grid.cell(shape.middle())) {
            let (cell_x, cell_y) = self.grid.cell(shape.middle());
            let (tile_x, tile_y) = (cell_x / TILE, cell_y / TILE);
            let (x, y) = ((cell_x % TILE) >> level, (cell_y % TILE) >> level);
            let blocks = ((x, x + 1), (y, y + 1));
            let all = Prepared::everywhere();
            self.add_tile(plane, (tile_x, tile_y), blocks, level, &all, &mut sums);
        }
        let mut volume = sums.volume(field.aggregate());
        if field.aggregate() == Aggregate::Mode && volume.count > 0 {
            volume.value = self.mode(plane, shape);
        }
        volume
    }

    /// Add the blocks of one tile whose middle is inside.
    fn add_tile(
        &mut self,
        plane: usize,
        (tile_x, tile_y): (i32, i32),
        (x, y): ((i32, i32), (i32, i32)),
        level: u8,
        shape: &Prepared,
        sums: &mut Sums,
    ) {
        let tile = (tile_y * self.grid.tiles.0 + tile_x) as usize;
        let grid = self.grid;
        let extent = grid.extent(tile);
        let block_m = grid.cell_m * (1 << level) as f32;
        let corner = (
            grid.origin.0 + (tile_x * TILE) as f32 * grid.cell_m,
            grid.origin.1 + (tile_y * TILE) as f32 * grid.cell_m,
        );
        let middle = |x: i32, y: i32| {
            (corner.0 + (x as f32 + 0.5) * block_m, corner.1 + (y as f32 + 0.5) * block_m)
        };
        let blocks = (y.0..y.1).flat_map(move |y| (x.0..x.1).map(move |x| (x, y)));
        let blocks = blocks.filter_map(|(x, y)| {
            let (distance, reach) = shape.squares(middle(x, y));
            let count = Pyramid::count(level, x, y, extent);
            (distance <= reach && count > 0).then_some((x, y, count))
        });
        let Some(values) = self.tile(plane, tile) else {
            return blocks.for_each(|(_, _, count)| sums.add_ambient(count));
        };
        if level == 0 {
            return blocks.for_each(|(x, y, _)| sums.add(values.0[(y * TILE + x) as usize]));
        }
        let Plane { ambient, index, ground, .. } = &self.planes[plane];
        let pyramid = match index[tile] {
            NOWHERE => ground.as_ref().and_then(|ground| ground.pyramid(tile)),
            slot => Some(self.pool.pyramid(slot, *ambient, extent)),
        };
        let pyramid = pyramid.expect("a tile with values of its own has a pyramid");
        blocks.for_each(|(x, y, count)| sums.add_node(pyramid, Pyramid::node(level, x, y), count));
    }

    /// The most frequent code of a shape's cells; the smallest of equals.
    fn mode(&self, plane: usize, shape: &Shape) -> f32 {
        let prepared = shape.prepared();
        let (low, high) = shape.bounds();
        let (low, high) = (self.grid.cell(low), self.grid.cell(high));
        let mut counts = [0u32; 256];
        for y in low.1.max(0)..=high.1.min(self.grid.cells.1 - 1) {
            for x in low.0.max(0)..=high.0.min(self.grid.cells.0 - 1) {
                let (distance, reach) = prepared.squares(self.grid.middle((x, y)));
                counts[self.value(plane, (x, y)) as usize & 255] += u32::from(distance <= reach);
            }
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return self.value(plane, self.grid.cell(shape.middle()));
        }
        counts.iter().position(|&count| count == most).unwrap_or(0) as f32
    }

    /// Copy a plane out, row by row from the smallest y.
    ///
    /// # Panics
    /// If `out` does not hold exactly one value per cell.
    pub fn plane(&self, field: Field, slab: u8, out: &mut [f32]) {
        let (nx, ny) = self.grid.cells;
        assert_eq!(out.len(), (nx * ny) as usize, "values for the cells of a plane");
        let plane = self.plane_of(field, slab);
        out.fill(self.planes[plane].ambient);
        if self.planes[plane].is_plain() {
            return;
        }
        for tile in 0..self.grid.tile_count() {
            if let Some(values) = self.tile(plane, tile) {
                let (x, y) = (tile as i32 % self.grid.tiles.0, tile as i32 / self.grid.tiles.0);
                let extent = self.grid.extent(tile);
                for row in 0..extent.1 {
                    let to = ((y * TILE + row) * nx + x * TILE) as usize;
                    let from = &values.0[(row * TILE) as usize..][..extent.0 as usize];
                    out[to..to + from.len()].copy_from_slice(from);
                }
            }
        }
    }
}

impl Sums {
    fn new(ambient: f32) -> Self {
        let (min, max) = (f32::INFINITY, f32::NEG_INFINITY);
        Self { ambient, sum: 0.0, squares: 0.0, min, max, count: 0 }
    }

    fn add(&mut self, value: f32) {
        let off = f64::from(value - self.ambient);
        self.sum += off;
        self.squares += off * off;
        self.min = least(self.min, value);
        self.max = largest(self.max, value);
        self.count += 1;
    }

    fn add_ambient(&mut self, count: i32) {
        self.min = least(self.min, self.ambient);
        self.max = largest(self.max, self.ambient);
        self.count += count as u32;
    }

    fn add_node(&mut self, pyramid: &Pyramid, node: usize, count: i32) {
        self.sum += f64::from(pyramid.mean[node] - self.ambient) * f64::from(count);
        self.squares += f64::from(pyramid.squares[node]);
        self.min = least(self.min, pyramid.min[node]);
        self.max = largest(self.max, pyramid.max[node]);
        self.count += count as u32;
    }

    fn volume(&self, aggregate: Aggregate) -> Volume {
        let ambient = self.ambient;
        if self.count == 0 {
            let (mean, variance) = (ambient, 0.0);
            return Volume { value: ambient, mean, variance, min: ambient, max: ambient, count: 0 };
        }
        let off = self.sum / f64::from(self.count);
        let variance = (self.squares / f64::from(self.count) - off * off).max(0.0) as f32;
        let mean = ((f64::from(ambient) + off) as f32).clamp(self.min, self.max);
        let value = if aggregate == Aggregate::Max { self.max } else { mean };
        Volume { value, mean, variance, min: self.min, max: self.max, count: self.count }
    }
}
