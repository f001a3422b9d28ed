//! Stamps that battles use, by figures that a table can give.

use serde::{Deserialize, Serialize};

use crate::field::Field;
use crate::shape::Shape;
use crate::stamp::{Falloff, Op, Stamp};

/// A blast, each figure at full intensity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explosion {
    /// Taken off the occupancy.
    pub occupancy: f32,
    /// Kelvin added.
    pub temperature_k: f32,
    /// Decibel.
    pub noise_db: f32,
    /// Share of the integrity taken.
    pub integrity: f32,
}

/// A second of something burning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fire {
    /// Kelvin that its place goes to.
    pub temperature_k: f32,
    /// Share of the way there in a second.
    pub temperature_share: f32,
    /// Smoke added at full intensity.
    pub smoke: f32,
}

/// An active sonar's pulse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ping {
    /// Decibel.
    pub noise_db: f32,
}

/// The noise that a hull leaves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wake {
    /// Within this.
    pub radius_m: f32,
    /// So much quieter than the hull, dB.
    pub below_db: f32,
}

/// The figures of all presets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the types say it")]
pub struct Presets {
    pub explosion: Explosion,
    pub fire: Fire,
    pub ping: Ping,
    pub wake: Wake,
}

impl Presets {
    /// The figures that hold where no table gives others.
    pub const STANDARD: Self = Self {
        explosion: Explosion {
            occupancy: 0.8,
            temperature_k: 500.0,
            noise_db: 120.0,
            integrity: 0.8,
        },
        fire: Fire { temperature_k: 800.0, temperature_share: 0.1, smoke: 0.3 },
        ping: Ping { noise_db: 80.0 },
        wake: Wake { radius_m: 250.0, below_db: 60.0 },
    };

    /// A blast of an intensity from 0 to 1.
    pub fn explosion(&self, centre: (f32, f32), radius: f32, intensity: f32, slabs: u16) -> Stamp {
        let figures = &self.explosion;
        Stamp::new(Shape::Disc { centre, radius }, slabs, Falloff::Linear)
            .with(Field::Occupancy, Op::Subtract, figures.occupancy * intensity)
            .with(Field::Temperature, Op::Add, figures.temperature_k * intensity)
            .with(Field::Noise, Op::Max, figures.noise_db * intensity)
            .with(Field::Integrity, Op::Multiply, 1.0 - figures.integrity * intensity)
    }

    /// Something burning, stamped again every second that it burns.
    pub fn fire(&self, centre: (f32, f32), radius: f32, intensity: f32, slabs: u16) -> Stamp {
        let figures = &self.fire;
        let heats = Op::Lerp(figures.temperature_share);
        Stamp::new(Shape::Disc { centre, radius }, slabs, Falloff::None)
            .with(Field::Temperature, heats, figures.temperature_k)
            .with(Field::Smoke, Op::Add, figures.smoke * intensity)
    }

    /// An active sonar's pulse.
    pub fn ping(&self, centre: (f32, f32), radius: f32, strength: f32, slabs: u16) -> Stamp {
        Stamp::new(Shape::Disc { centre, radius }, slabs, Falloff::Linear)
            .with(Field::SonarReturn, Op::Max, strength)
            .with(Field::Noise, Op::Max, self.ping.noise_db)
    }

    /// The noise a hull of this source level leaves.
    pub fn wake(&self, centre: (f32, f32), source_db: f32, slabs: u16) -> Stamp {
        let figures = &self.wake;
        Stamp::new(Shape::Disc { centre, radius: figures.radius_m }, slabs, Falloff::Linear).with(
            Field::Noise,
            Op::Max,
            source_db - figures.below_db,
        )
    }

    /// A jammer at work.
    pub fn jam(&self, centre: (f32, f32), radius: f32, strength: f32, slabs: u16) -> Stamp {
        Stamp::new(Shape::Disc { centre, radius }, slabs, Falloff::Linear).with(
            Field::Jam,
            Op::Max,
            strength,
        )
    }
}
