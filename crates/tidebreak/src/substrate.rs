//! The fields as a battle finds them: the sea of its weather, and land, depth and currents of its map.

use astrarium_morphospace::{Field, FieldError, Space, Spec};

use crate::package::{BattlePackage, Fidelity, ZoneKind};
use crate::setup::{Waters, flow_at};
use crate::tables::Tables;
use crate::terrain::{Plane, Terrain};

/// Slabs: one per layer.
const SLABS: u8 = 3;

/// Lay down everything that does not change.
pub(crate) fn laid(
    package: &BattlePackage,
    terrain: &Terrain,
    zones: &[Waters],
    tables: &Tables,
) -> Result<Space, FieldError> {
    let (min, max) = (terrain.min, terrain.max);
    let cell = match package.fidelity {
        Fidelity::F0 | Fidelity::F1 => 250.0,
        Fidelity::F2 => 125.0,
        Fidelity::F3 => 62.5,
    };
    let mut spec = Spec::new(max.0 - min.0, max.1 - min.1, cell);
    spec.origin = min;
    spec.rates = tables.fields.rates();
    let weather = &package.map.weather.initial;
    spec.ambient = tables.fields.ambient(weather.sea_state as f32, package.map.daylight as f32);
    let floor = Floor { terrain, zones };
    // What is the same everywhere takes no plane.
    for (field, even) in floor.even() {
        for slab in 0..SLABS {
            spec.ambient.set(field, slab, even);
        }
    }
    let mut space = empty(package.fidelity, &spec)?;
    for field in floor.uneven() {
        let plane = floor.plane(&space, field);
        for slab in 0..SLABS {
            space.load_static(field, slab, &plane)?;
        }
    }
    Ok(space)
}

/// The same sea without land, for what hulls leave behind them: that is stored apart from the fields
/// because a ship may look at those, and wakes would show it who nobody has noticed.
pub(crate) fn unmarked(package: &BattlePackage, fields: &Space) -> Result<Space, FieldError> {
    empty(package.fidelity, fields.spec())
}

fn empty(fidelity: Fidelity, spec: &Spec) -> Result<Space, FieldError> {
    if fidelity == Fidelity::F0 { Space::flat(spec) } else { Space::new(spec) }
}

/// What the map gives to the fields.
struct Floor<'a> {
    terrain: &'a Terrain,
    zones: &'a [Waters],
}

impl Floor<'_> {
    fn flows_evenly(&self) -> bool {
        let currents = &self.terrain.current;
        currents.iter().all(|plane| matches!(plane, Plane::Even(_)))
            && self.zones.iter().all(|zone| zone.kind != ZoneKind::Current)
    }

    fn even(&self) -> Vec<(Field, f32)> {
        let mut even = Vec::new();
        if let Plane::Even(depth) = &self.terrain.depth {
            even.push((Field::Depth, within(Field::Depth, *depth)));
        }
        if self.flows_evenly() {
            let (x, y) = self.terrain.min;
            even.push((Field::CurrentX, self.value(Field::CurrentX, x, y)));
            even.push((Field::CurrentY, self.value(Field::CurrentY, x, y)));
        }
        even
    }

    fn uneven(&self) -> Vec<Field> {
        let mut uneven = Vec::new();
        if !self.terrain.solids.is_empty() {
            uneven.push(Field::Occupancy);
        }
        if !matches!(self.terrain.depth, Plane::Even(_)) {
            uneven.push(Field::Depth);
        }
        if !self.flows_evenly() {
            uneven.extend([Field::CurrentX, Field::CurrentY]);
        }
        uneven
    }

    /// A field at the middle of every cell, row by row.
    fn plane(&self, space: &Space, field: Field) -> Vec<f32> {
        let (columns, rows) = space.cells();
        let (min, cell) = (self.terrain.min, space.spec().cell_m);
        let mut plane = Vec::with_capacity((columns * rows) as usize);
        for row in 0..rows {
            for column in 0..columns {
                let x = min.0 + (column as f32 + 0.5) * cell;
                let y = min.1 + (row as f32 + 0.5) * cell;
                plane.push(self.value(field, x, y));
            }
        }
        plane
    }

    fn value(&self, field: Field, x: f32, y: f32) -> f32 {
        let value = match field {
            Field::CurrentX => flow_at(self.terrain, self.zones, x, y).0,
            Field::CurrentY => flow_at(self.terrain, self.zones, x, y).1,
            Field::Depth => self.terrain.depth_at(x, y),
            _ => f32::from(u8::from(self.terrain.is_land(x, y))),
        };
        within(field, value)
    }
}

/// No map leaves the range of a field.
fn within(field: Field, value: f32) -> f32 {
    let (low, high) = field.range();
    value.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::{Currents, Depth, Shape, Zone};
    use crate::scenario::Scenario;
    use crate::setup::Setup;

    fn duel() -> BattlePackage {
        Scenario::named("duel").expect("a shipped scenario").package(3)
    }

    fn fields(package: BattlePackage) -> Space {
        Setup::new(package).expect("a setup").fields
    }

    #[test]
    fn an_even_sea_is_its_ambient_and_takes_no_plane() {
        let mut package = duel();
        package.map.depth = Depth::Const { depth_m: 320.0 };
        package.map.currents = Currents::Uniform { x: 0.75, y: -0.5 };
        let space = fields(package);
        for slab in 0..3 {
            let at = |field| space.point(field, (100.0, -700.0), slab);
            assert_eq!(
                [at(Field::Depth), at(Field::CurrentX), at(Field::CurrentY)],
                [320.0, 0.75, -0.5]
            );
        }
    }

    #[test]
    fn depth_and_currents_of_the_map_lie_in_the_fields() {
        let mut package = duel();
        let bounds = package.map.bounds;
        let side = bounds.max_x - bounds.min_x;
        package.map.depth = Depth::Grid {
            cell_m: side / 2.0,
            columns: 2,
            rows: 2,
            depth_m: vec![50.0, 900.0, 60.0, 20_000.0],
        };
        package.map.zones.push(Zone {
            shape: Shape::Circle { x: 0.0, y: 0.0, radius_m: 1_000.0 },
            kind: ZoneKind::Current,
            intensity: 2.0,
            heading: 0.0,
        });
        let setup = Setup::new(package).expect("a setup");
        for slab in 0..3 {
            for at in [(-3_125.0, -3_125.0), (3_125.0, -3_125.0), (125.0, 125.0)] {
                let point = |field| setup.fields.point(field, at, slab);
                let flow = setup.current_at(at.0, at.1);
                assert_eq!((point(Field::CurrentX), point(Field::CurrentY)), flow, "{at:?}");
                let depth = setup.terrain.depth_at(at.0, at.1).min(10_000.0);
                assert_eq!(point(Field::Depth), depth, "{at:?}");
            }
        }
        assert_eq!(setup.fields.point(Field::CurrentX, (125.0, 125.0), 1) - 2.0, {
            setup.terrain.current_at(125.0, 125.0).0
        });
    }
}
