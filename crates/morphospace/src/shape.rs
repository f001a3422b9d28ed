//! Shapes on the plane: what lies inside, how far from the middle, and how large they are.

use serde::{Deserialize, Serialize};

/// A shape on the plane; metres and radians.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// All within `radius` of `centre`.
    Disc {
        /// Its middle.
        centre: (f32, f32),
        /// Its reach.
        radius: f32,
    },
    /// A rectangle, turned by `heading` from the axes.
    Box {
        /// Its middle.
        centre: (f32, f32),
        /// Half its length along the heading, and half its width across.
        half: (f32, f32),
        /// Counter-clockwise from +x.
        heading: f32,
    },
    /// All within `radius` of the line from `from` to `to`.
    Capsule {
        /// One end.
        from: (f32, f32),
        /// The other end.
        to: (f32, f32),
        /// Its reach.
        radius: f32,
    },
}

impl Shape {
    /// The shape as its queries want it: sines and divisions done once.
    pub(crate) fn prepared(&self) -> Prepared {
        match *self {
            Self::Disc { centre, radius } => {
                Prepared::Round { from: centre, along: (0.0, 0.0), scale: 0.0, radius }
            }
            Self::Capsule { from, to, radius } => {
                let along = (to.0 - from.0, to.1 - from.1);
                let squared = along.0 * along.0 + along.1 * along.1;
                let scale = if squared > 0.0 { 1.0 / squared } else { 0.0 };
                Prepared::Round { from, along, scale, radius }
            }
            Self::Box { centre, half, heading } => {
                Prepared::Square { centre, half, turn: (libm::cosf(heading), libm::sinf(heading)) }
            }
        }
    }

    /// Smallest and largest x and y it reaches.
    pub(crate) fn bounds(&self) -> ((f32, f32), (f32, f32)) {
        match *self {
            Self::Disc { centre, radius } => around(centre, (radius, radius)),
            Self::Box { centre, half, heading } => {
                let (cos, sin) = (libm::cosf(heading).abs(), libm::sinf(heading).abs());
                around(centre, (half.0 * cos + half.1 * sin, half.0 * sin + half.1 * cos))
            }
            Self::Capsule { from, to, radius } => {
                let low = (from.0.min(to.0) - radius, from.1.min(to.1) - radius);
                (low, (from.0.max(to.0) + radius, from.1.max(to.1) + radius))
            }
        }
    }

    /// Its middle.
    pub(crate) fn middle(&self) -> (f32, f32) {
        match *self {
            Self::Disc { centre, .. } | Self::Box { centre, .. } => centre,
            Self::Capsule { from, to, .. } => (0.5 * (from.0 + to.0), 0.5 * (from.1 + to.1)),
        }
    }

    /// Square metres.
    pub(crate) fn area(&self) -> f32 {
        match *self {
            Self::Disc { radius, .. } => std::f32::consts::PI * radius * radius,
            Self::Box { half, .. } => 4.0 * half.0 * half.1,
            Self::Capsule { from, to, radius } => {
                let (x, y) = (to.0 - from.0, to.1 - from.1);
                let length = (x * x + y * y).sqrt();
                radius * (std::f32::consts::PI * radius + 2.0 * length)
            }
        }
    }

    /// Whether all its figures are finite and none of its sizes negative.
    pub fn is_sound(&self) -> bool {
        let (figures, sizes) = match *self {
            Self::Disc { centre, radius } => ([centre.0, centre.1, 0.0, 0.0], [radius, 0.0]),
            Self::Box { centre, half, heading } => {
                ([centre.0, centre.1, heading, 0.0], [half.0, half.1])
            }
            Self::Capsule { from, to, radius } => ([from.0, from.1, to.0, to.1], [radius, 0.0]),
        };
        figures.into_iter().chain(sizes).all(f32::is_finite)
            && sizes.iter().all(|&size| size >= 0.0)
    }
}

fn around(centre: (f32, f32), reach: (f32, f32)) -> ((f32, f32), (f32, f32)) {
    ((centre.0 - reach.0, centre.1 - reach.1), (centre.0 + reach.0, centre.1 + reach.1))
}

/// A shape ready to be asked about many places.
#[derive(Clone, Copy)]
pub(crate) enum Prepared {
    /// A disc is a capsule of no length.
    Round {
        from: (f32, f32),
        along: (f32, f32),
        scale: f32,
        radius: f32,
    },
    Square {
        centre: (f32, f32),
        half: (f32, f32),
        turn: (f32, f32),
    },
}

impl Prepared {
    /// A shape without an outside.
    pub fn everywhere() -> Self {
        let here = (0.0, 0.0);
        Self::Round { from: here, along: here, scale: 0.0, radius: f32::INFINITY }
    }

    /// Squared distance from the middle line, and the squared reach; a place is inside while the
    /// first is at most the second.
    pub fn squares(&self, at: (f32, f32)) -> (f32, f32) {
        match *self {
            Self::Round { from, along, scale, radius } => {
                let (x, y) = (at.0 - from.0, at.1 - from.1);
                let share = ((x * along.0 + y * along.1) * scale).clamp(0.0, 1.0);
                let (x, y) = (x - share * along.0, y - share * along.1);
                (x * x + y * y, radius * radius)
            }
            Self::Square { centre, half, turn } => {
                let (x, y) = (at.0 - centre.0, at.1 - centre.1);
                let ahead = (x * turn.0 + y * turn.1).abs();
                let aside = (y * turn.0 - x * turn.1).abs();
                // The side that is relatively nearer its end decides, as a share of 1.
                let share = match (half.0 > 0.0, half.1 > 0.0) {
                    (true, true) => (ahead / half.0).max(aside / half.1),
                    _ => f32::INFINITY,
                };
                (share * share, 1.0)
            }
        }
    }
}
