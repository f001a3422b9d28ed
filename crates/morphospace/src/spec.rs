//! What a space is made from, and why one may be refused.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::field::{Ambient, Field, Rate};
use crate::tile::TILE;

/// Most slabs a space may have.
pub const SLABS_MAX: u8 = 16;
/// Most cells along one side.
pub const SIDE_MAX: u32 = 4096;
/// Most inner steps one step may need for the fields to stay stable.
pub const INNER_STEPS_MAX: u32 = 8;
/// Smallest cells: the foveated view of smaller ones would take tables of many megabytes.
const CELL_M_MIN: f32 = 10.0;
/// Cell size at which spreading rates hold as written.
const RATE_CELL_M: f32 = 125.0;
/// Most of itself a cell may give away in one inner step.
const STABLE_SHARE: f32 = 0.9;

/// Why a space, a field or a plane was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FieldError {
    /// A setting out of its bounds.
    #[error("{name}: {value} will not do; give {fix}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What it was.
        value: String,
        /// What it should be.
        fix: String,
    },
    /// A field that spreads too fast for its cells.
    #[error(
        "{field}: spreading {spread_per_s}/s over cells of {cell_m} m needs {inner_steps} inner \
         steps of {step_s} s, and {INNER_STEPS_MAX} is the most; take larger cells or shorter steps"
    )]
    Unstable {
        /// The field.
        field: &'static str,
        /// Its rate.
        spread_per_s: f32,
        /// The cell size.
        cell_m: f32,
        /// The length of a step.
        step_s: f32,
        /// Inner steps it would take.
        inner_steps: u32,
    },
    /// A plane of the wrong size.
    #[error("{field}: a plane of {got} values; give {expected}, row by row from the smallest y")]
    PlaneSize {
        /// The field.
        field: &'static str,
        /// Values given.
        got: u64,
        /// Values wanted.
        expected: u64,
    },
    /// A value outside the field's range.
    #[error("{field}: the value {value} at place {place}; give values from {low} to {high}")]
    PlaneValue {
        /// The field.
        field: &'static str,
        /// The value.
        value: f32,
        /// Where in the plane.
        place: u64,
        /// Least value.
        low: f32,
        /// Largest value.
        high: f32,
    },
    /// A slab the space does not have.
    #[error("slab {slab}: the space has {slabs}; count from 0")]
    UnknownSlab {
        /// The slab asked for.
        slab: u8,
        /// Slabs there are.
        slabs: u8,
    },
    /// A field nobody knows.
    #[error("field {name:?}: unknown; give one of {known}")]
    UnknownField {
        /// The name.
        name: String,
        /// Names there are.
        known: String,
    },
    /// A stored space whose tiles do not fit it.
    #[error("stored tile {tile} of plane {plane}: {problem}; store the space again")]
    Stored {
        /// The plane: field × slabs + slab.
        plane: u32,
        /// The tile.
        tile: u32,
        /// What is wrong.
        problem: &'static str,
    },
}

/// What happens where the map or the water ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edges {
    /// Nothing passes: totals are kept.
    #[default]
    ZeroFlux,
    /// The ambient lies beyond: what reaches it is lost.
    Ambient,
}

/// What a space is made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Metres along x.
    pub width_m: f32,
    /// Metres along y.
    pub height_m: f32,
    /// The corner with the smallest x and y.
    pub origin: (f32, f32),
    /// Side of a cell.
    pub cell_m: f32,
    /// Slabs one below the other.
    pub slabs: u8,
    /// What fields are where nothing happened.
    pub ambient: Ambient,
    /// How each field spreads and fades, by id.
    pub rates: [Rate; Field::COUNT],
    /// What happens at edges and solid cells.
    pub edges: Edges,
    /// The step the space is meant for; checked to be stable.
    pub step_s: f32,
}

impl Spec {
    /// A calm sea of this size around the point (0, 0): three slabs, standard rates, steps of 1 s.
    pub fn new(width_m: f32, height_m: f32, cell_m: f32) -> Self {
        Self {
            width_m,
            height_m,
            origin: (-0.5 * width_m, -0.5 * height_m),
            cell_m,
            slabs: 3,
            ambient: Ambient::default(),
            rates: Field::ALL.map(Field::standard_rate),
            edges: Edges::ZeroFlux,
            step_s: 1.0,
        }
    }

    /// Refuse what no space can be made from.
    pub fn check(&self) -> Result<(), FieldError> {
        let positive = |name, value: f32| match value.is_finite() && value > 0.0 {
            true => Ok(()),
            false => Err(setting(name, value, "a number above 0")),
        };
        positive("width_m", self.width_m)?;
        positive("height_m", self.height_m)?;
        positive("cell_m", self.cell_m)?;
        positive("step_s", self.step_s)?;
        if self.cell_m < CELL_M_MIN {
            return Err(setting("cell_m", self.cell_m, format!("at least {CELL_M_MIN} m")));
        }
        if !(self.origin.0.is_finite() && self.origin.1.is_finite()) {
            return Err(setting("origin", format!("{:?}", self.origin), "two finite numbers"));
        }
        if self.slabs == 0 || self.slabs > SLABS_MAX {
            return Err(setting("slabs", self.slabs, format!("1 to {SLABS_MAX}")));
        }
        for (name, cells) in [("width_m", self.cells().0), ("height_m", self.cells().1)] {
            if cells > SIDE_MAX {
                let fix = format!("at most {SIDE_MAX} cells, or larger cells");
                return Err(setting(name, format!("{cells} cells"), fix));
            }
        }
        Field::ALL.into_iter().try_for_each(|field| self.check_field(field))
    }

    fn check_field(&self, field: Field) -> Result<(), FieldError> {
        let (low, high) = field.range();
        for slab in 0..self.slabs {
            let value = self.ambient.of(field, slab);
            if !(value >= low && value <= high) {
                let value = format!("{value} for {} in slab {slab}", field.name());
                return Err(setting("ambient", value, format!("{low} to {high}")));
            }
        }
        let rate = self.rates[field as usize];
        for (name, value) in
            [("spread_per_s", rate.spread_per_s), ("decay_per_s", rate.decay_per_s)]
        {
            if !(value.is_finite() && value >= 0.0) {
                let value = format!("{value} for {}", field.name());
                return Err(setting(name, value, "0 or more"));
            }
        }
        let inner_steps = self.inner_steps(field, self.step_s);
        if inner_steps > INNER_STEPS_MAX {
            return Err(FieldError::Unstable {
                field: field.name(),
                spread_per_s: rate.spread_per_s,
                cell_m: self.cell_m,
                step_s: self.step_s,
                inner_steps,
            });
        }
        Ok(())
    }

    /// Cells along x and y; a last one may reach beyond the map.
    pub(crate) fn cells(&self) -> (u32, u32) {
        // A quotient a rounding above a whole number is that number.
        let count = |metres: f32| ((metres / self.cell_m - 1e-3).ceil()).max(1.0) as u32;
        (count(self.width_m), count(self.height_m))
    }

    /// Share a cell exchanges with each neighbour per second at this cell size.
    pub(crate) fn spread(&self, field: Field) -> f32 {
        let ratio = RATE_CELL_M / self.cell_m;
        self.rates[field as usize].spread_per_s * (ratio * ratio)
    }

    /// The fewest inner steps that keep a field stable over `step_s`.
    pub(crate) fn inner_steps(&self, field: Field, step_s: f32) -> u32 {
        let down = self.rates[field as usize].spread_per_s;
        let share = self.spread(field) * step_s * 4.0 + 0.2 * down * step_s;
        ((share / STABLE_SHARE).ceil() as u32).max(1)
    }
}

fn setting(name: &'static str, value: impl ToString, fix: impl Into<String>) -> FieldError {
    FieldError::Setting { name, value: value.to_string(), fix: fix.into() }
}

/// Where cells and tiles lie; follows from the spec.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    pub origin: (f32, f32),
    pub cell_m: f32,
    /// One over `cell_m`.
    pub per_m: f32,
    /// Cells along x and y.
    pub cells: (i32, i32),
    /// Tiles along x and y.
    pub tiles: (i32, i32),
}

impl Grid {
    pub fn new(spec: &Spec) -> Self {
        let (nx, ny) = spec.cells();
        let tiles = |cells: u32| cells.div_ceil(TILE as u32) as i32;
        Self {
            origin: spec.origin,
            cell_m: spec.cell_m,
            per_m: 1.0 / spec.cell_m,
            cells: (nx as i32, ny as i32),
            tiles: (tiles(nx), tiles(ny)),
        }
    }

    /// A place in cells from the origin.
    pub fn in_cells(&self, at: (f32, f32)) -> (f32, f32) {
        ((at.0 - self.origin.0) * self.per_m, (at.1 - self.origin.1) * self.per_m)
    }

    /// The middle of a cell.
    pub fn middle(&self, cell: (i32, i32)) -> (f32, f32) {
        let along = |origin: f32, cell: i32| origin + (cell as f32 + 0.5) * self.cell_m;
        (along(self.origin.0, cell.0), along(self.origin.1, cell.1))
    }

    /// The cell that holds a place, on the map or beyond it.
    pub fn cell(&self, at: (f32, f32)) -> (i32, i32) {
        let (x, y) = self.in_cells(at);
        (x.floor() as i32, y.floor() as i32)
    }

    pub fn holds(&self, cell: (i32, i32)) -> bool {
        (0..self.cells.0).contains(&cell.0) && (0..self.cells.1).contains(&cell.1)
    }

    pub fn tile_count(&self) -> usize {
        (self.tiles.0 * self.tiles.1) as usize
    }

    /// The tile of a cell on the map, and the cell's place in it.
    pub fn place(&self, cell: (i32, i32)) -> (usize, usize) {
        let tile = (cell.1 / TILE) * self.tiles.0 + cell.0 / TILE;
        let within = (cell.1 % TILE) * TILE + cell.0 % TILE;
        (tile as usize, within as usize)
    }

    /// The cells of a tile that lie on the map, along x and y.
    pub fn extent(&self, tile: usize) -> (i32, i32) {
        let (x, y) = (tile as i32 % self.tiles.0, tile as i32 / self.tiles.0);
        ((self.cells.0 - x * TILE).min(TILE), (self.cells.1 - y * TILE).min(TILE))
    }
}
