//! Land, depth and currents: what a map never changes.

/// A convex piece of land or reef.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A disc.
    Circle {
        /// Centre, metres.
        at: (f32, f32),
        /// Metres.
        radius: f32,
    },
    /// A convex polygon, counter-clockwise.
    Polygon {
        /// Corners, metres.
        corners: Vec<(f32, f32)>,
        /// Middle of the corners.
        middle: (f32, f32),
        /// Farthest corner from the middle.
        reach: f32,
    },
}

impl Shape {
    /// A polygon from its corners, whichever way round they are given.
    #[must_use]
    pub fn polygon(mut corners: Vec<(f32, f32)>) -> Self {
        let mut area = 0.0;
        for (at, &(x, y)) in corners.iter().enumerate() {
            let (next_x, next_y) = corners[(at + 1) % corners.len()];
            area += x * next_y - next_x * y;
        }
        if area < 0.0 {
            corners.reverse();
        }
        let count = corners.len().max(1) as f32;
        let sum =
            corners.iter().fold((0.0, 0.0), |sum, corner| (sum.0 + corner.0, sum.1 + corner.1));
        let middle = (sum.0 / count, sum.1 / count);
        let reach = corners.iter().map(|&corner| distance(corner, middle)).fold(0.0, f32::max);
        Self::Polygon { corners, middle, reach }
    }

    /// A disc that holds the whole shape: its middle and radius.
    #[must_use]
    pub fn bound(&self) -> ((f32, f32), f32) {
        match self {
            Self::Circle { at, radius } => (*at, *radius),
            Self::Polygon { middle, reach, .. } => (*middle, *reach),
        }
    }

    /// How far a place lies outside the shape (below 0 inside) and the direction out of it.
    #[must_use]
    pub fn outside(&self, x: f32, y: f32) -> (f32, (f32, f32)) {
        match self {
            Self::Circle { at, radius } => {
                let (dx, dy) = (x - at.0, y - at.1);
                let from_middle = (dx * dx + dy * dy).sqrt();
                (from_middle - radius, unit(dx, dy, from_middle))
            }
            Self::Polygon { corners, .. } => outside_polygon(corners, x, y),
        }
    }
}

fn distance(a: (f32, f32), b: (f32, f32)) -> f32 {
    ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
}

fn unit(dx: f32, dy: f32, length: f32) -> (f32, f32) {
    if length > 0.0 { (dx / length, dy / length) } else { (1.0, 0.0) }
}

fn outside_polygon(corners: &[(f32, f32)], x: f32, y: f32) -> (f32, (f32, f32)) {
    let mut deepest = (f32::NEG_INFINITY, (1.0, 0.0));
    let mut nearest = (f32::INFINITY, (1.0, 0.0));
    for (at, &from) in corners.iter().enumerate() {
        let to = corners[(at + 1) % corners.len()];
        let (ex, ey) = (to.0 - from.0, to.1 - from.1);
        let length = (ex * ex + ey * ey).sqrt().max(1e-6);
        // The outward normal of a counter-clockwise edge lies to its right.
        let normal = (ey / length, -ex / length);
        let (px, py) = (x - from.0, y - from.1);
        let beyond = px * normal.0 + py * normal.1;
        if beyond > deepest.0 {
            deepest = (beyond, normal);
        }
        let along = ((px * ex + py * ey) / (length * length)).clamp(0.0, 1.0);
        let (dx, dy) = (px - ex * along, py - ey * along);
        let gap = (dx * dx + dy * dy).sqrt();
        if gap < nearest.0 {
            nearest = (gap, unit(dx, dy, gap));
        }
    }
    if deepest.0 <= 0.0 { deepest } else { nearest }
}

/// A plane of values over the map.
#[derive(Clone, Debug, PartialEq)]
pub enum Plane {
    /// The same everywhere.
    Even(f32),
    /// Square cells from the least corner of the map on.
    Cells {
        /// Side of a cell, metres.
        side: f32,
        /// Cells of one row.
        columns: u32,
        /// Rows.
        rows: u32,
        /// Row by row from the least y.
        values: Vec<f32>,
    },
}

/// What a map never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Least corner, metres.
    pub min: (f32, f32),
    /// Greatest corner, metres.
    pub max: (f32, f32),
    /// Land and reefs.
    pub solids: Vec<Shape>,
    /// Metres of water.
    pub depth: Plane,
    /// Metres a second, x and y.
    pub current: [Plane; 2],
}

impl Terrain {
    /// Metres of water, none on land.
    #[must_use]
    pub fn depth_at(&self, x: f32, y: f32) -> f32 {
        if self.is_land(x, y) { 0.0 } else { self.read(&self.depth, x, y) }
    }

    /// Whether a place is land.
    #[must_use]
    pub fn is_land(&self, x: f32, y: f32) -> bool {
        self.solids.iter().any(|solid| {
            let (middle, reach) = solid.bound();
            let (dx, dy) = (x - middle.0, y - middle.1);
            dx * dx + dy * dy <= reach * reach && solid.outside(x, y).0 <= 0.0
        })
    }

    /// Whether land lies between two places.
    #[must_use]
    pub fn blocks(&self, from: (f32, f32), to: (f32, f32)) -> bool {
        self.solids.iter().any(|solid| {
            let (middle, reach) = solid.bound();
            let (ex, ey) = (to.0 - from.0, to.1 - from.1);
            let square = ex * ex + ey * ey;
            let along = if square > 0.0 {
                (((middle.0 - from.0) * ex + (middle.1 - from.1) * ey) / square).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let near = (from.0 + ex * along, from.1 + ey * along);
            if distance(near, middle) > reach {
                return false;
            }
            match solid {
                Shape::Circle { .. } => true,
                Shape::Polygon { corners, .. } => crosses(corners, from, to),
            }
        })
    }

    /// Water moved by the current, metres a second.
    #[must_use]
    pub fn current_at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.read(&self.current[0], x, y), self.read(&self.current[1], x, y))
    }

    /// Metres to the nearest edge; below 0 off the map.
    #[must_use]
    pub fn edge_distance(&self, x: f32, y: f32) -> f32 {
        let across = (x - self.min.0).min(self.max.0 - x);
        across.min((y - self.min.1).min(self.max.1 - y))
    }

    fn read(&self, plane: &Plane, x: f32, y: f32) -> f32 {
        match plane {
            Plane::Even(value) => *value,
            Plane::Cells { side, columns, rows, values } => {
                // A cast saturates: places left of the first column fall into it.
                let column = (((x - self.min.0) / side) as u32).min(columns - 1);
                let row = (((y - self.min.1) / side) as u32).min(rows - 1);
                values[(row * columns + column) as usize]
            }
        }
    }
}

/// Whether a line enters a convex polygon: it is cut by each side in turn.
fn crosses(corners: &[(f32, f32)], from: (f32, f32), to: (f32, f32)) -> bool {
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for (at, &start) in corners.iter().enumerate() {
        let end = corners[(at + 1) % corners.len()];
        let normal = (end.1 - start.1, start.0 - end.0);
        let depth = (from.0 - start.0) * normal.0 + (from.1 - start.1) * normal.1;
        let slope = (to.0 - from.0) * normal.0 + (to.1 - from.1) * normal.1;
        if slope == 0.0 {
            if depth > 0.0 {
                return false;
            }
        } else if slope < 0.0 {
            enter = enter.max(-depth / slope);
        } else {
            leave = leave.min(-depth / slope);
        }
    }
    enter <= leave
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> Terrain {
        let square = vec![(100.0, 100.0), (100.0, 300.0), (300.0, 300.0), (300.0, 100.0)];
        Terrain {
            min: (-1000.0, -1000.0),
            max: (1000.0, 1000.0),
            solids: vec![
                Shape::Circle { at: (-500.0, 0.0), radius: 100.0 },
                Shape::polygon(square),
            ],
            depth: Plane::Cells {
                side: 1000.0,
                columns: 2,
                rows: 2,
                values: vec![10.0, 50.0, 20.0, 100.0],
            },
            current: [Plane::Even(1.5), Plane::Even(0.0)],
        }
    }

    #[test]
    fn land_has_no_depth_and_stands_in_the_way() {
        let map = map();
        assert_eq!(map.depth_at(200.0, 200.0), 0.0);
        assert_eq!(map.depth_at(0.0, -800.0), 50.0);
        assert!(map.blocks((0.0, 200.0), (400.0, 210.0)));
        assert!(!map.blocks((0.0, 200.0), (90.0, 210.0)));
        assert!(map.blocks((-700.0, 20.0), (-300.0, 20.0)));
        assert!(!map.blocks((-700.0, 120.0), (-300.0, 120.0)));
        assert_eq!(map.current_at(3.0, 4.0), (1.5, 0.0));
        assert_eq!(map.edge_distance(-900.0, 0.0), 100.0);
    }

    #[test]
    fn the_way_out_of_a_shape_is_its_nearest_side() {
        let map = map();
        let (gap, normal) = map.solids[1].outside(290.0, 200.0);
        assert!((gap + 10.0).abs() < 1e-4 && normal.0 > 0.99, "{gap} {normal:?}");
        let (gap, normal) = map.solids[1].outside(330.0, 340.0);
        assert!((gap - 50.0).abs() < 1e-3 && (normal.0 - 0.6).abs() < 1e-3, "{gap} {normal:?}");
    }
}
