//! The fields: their ranges, how they spread and fade, and what stands for many cells at once.

use serde::{Deserialize, Serialize};

use crate::spec::{FieldError, SLABS_MAX};

/// What stands for many cells of a field at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The mean: what is spread out.
    Mean,
    /// The largest: one loud or solid cell decides.
    Max,
    /// The most frequent: codes, which cannot be averaged.
    Mode,
}

/// How a field changes by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Share exchanged with each neighbour per second, for cells of 125 m.
    pub spread_per_s: f32,
    /// Share of the distance to the ambient lost per second.
    pub decay_per_s: f32,
}

/// One of the fourteen fields; the number is its stable id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Field {
    /// How much of the cell is solid; from 0.5 it is.
    Occupancy = 0,
    /// Code of what it is made of.
    Material,
    /// How whole it is.
    Integrity,
    /// Kelvin.
    Temperature,
    /// Share of light lost.
    Smoke,
    /// Decibel.
    Noise,
    /// Radio signal.
    Signal,
    /// Current towards +x, m/s.
    CurrentX,
    /// Current towards +y, m/s.
    CurrentY,
    /// Depth of water, m.
    Depth,
    /// Parts per thousand.
    Salinity,
    /// Echo of a ping.
    SonarReturn,
    /// Daylight.
    Light,
    /// Strength of jamming.
    Jam,
}

impl Field {
    /// How many there are.
    pub const COUNT: usize = 14;

    /// All of them, by id.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Occupancy,
        Self::Material,
        Self::Integrity,
        Self::Temperature,
        Self::Smoke,
        Self::Noise,
        Self::Signal,
        Self::CurrentX,
        Self::CurrentY,
        Self::Depth,
        Self::Salinity,
        Self::SonarReturn,
        Self::Light,
        Self::Jam,
    ];

    /// Its name, as files and Python spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Occupancy => "occupancy",
            Self::Material => "material",
            Self::Integrity => "integrity",
            Self::Temperature => "temperature",
            Self::Smoke => "smoke",
            Self::Noise => "noise",
            Self::Signal => "signal",
            Self::CurrentX => "current_x",
            Self::CurrentY => "current_y",
            Self::Depth => "depth",
            Self::Salinity => "salinity",
            Self::SonarReturn => "sonar_return",
            Self::Light => "light",
            Self::Jam => "jam",
        }
    }

    /// The field of this name.
    pub fn named(name: &str) -> Result<Self, FieldError> {
        let found = Self::ALL.into_iter().find(|field| field.name() == name);
        found.ok_or_else(|| FieldError::UnknownField {
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }

    /// Smallest and largest value.
    pub fn range(self) -> (f32, f32) {
        match self {
            Self::Material => (0.0, 255.0),
            Self::Temperature | Self::Depth => (0.0, 10_000.0),
            Self::Noise => (0.0, 200.0),
            Self::CurrentX | Self::CurrentY => (-10.0, 10.0),
            Self::Salinity => (0.0, 50.0),
            _ => (0.0, 1.0),
        }
    }

    /// What stands for many cells of it.
    pub fn aggregate(self) -> Aggregate {
        match self {
            Self::Material => Aggregate::Mode,
            Self::Occupancy | Self::Noise | Self::Signal | Self::SonarReturn | Self::Jam => {
                Aggregate::Max
            }
            _ => Aggregate::Mean,
        }
    }

    /// How it changes by itself unless a [`crate::Spec`] says otherwise.
    pub fn standard_rate(self) -> Rate {
        let (spread_per_s, decay_per_s) = match self {
            Self::Temperature => (0.05, 0.002),
            Self::Smoke => (0.1, 0.02),
            Self::Noise => (0.0, 0.3),
            Self::Signal => (0.0, 0.1),
            Self::Salinity => (0.001, 0.0),
            Self::SonarReturn => (0.0, 0.5),
            Self::Jam => (0.0, 1.0),
            _ => (0.0, 0.0),
        };
        Rate { spread_per_s, decay_per_s }
    }

    /// Nearer to the ambient than this is as good as the ambient: 1e-4 of the range.
    pub fn epsilon(self) -> f32 {
        let (low, high) = self.range();
        1e-4 * (high - low)
    }
}

/// What each field is in each slab where nothing happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ambient {
    values: [[f32; SLABS_MAX as usize]; Field::COUNT],
}

impl Ambient {
    /// The sea at a sea state (0-9) and daylight (0-1): slab 0 is the surface, 1 submerged, 2 and
    /// below the abyss.
    pub fn sea(state: f32, daylight: f32) -> Self {
        let mut ambient = Self { values: [[0.0; SLABS_MAX as usize]; Field::COUNT] };
        for slab in 0..SLABS_MAX {
            let by_layer = |surface, submerged, abyssal| match slab {
                0 => surface,
                1 => submerged,
                _ => abyssal,
            };
            ambient.set(Field::Integrity, slab, 1.0);
            ambient.set(Field::Temperature, slab, by_layer(293.0, 283.0, 277.0));
            let noise = by_layer(20.0 + 4.0 * state, 15.0 + 2.0 * state, 10.0);
            ambient.set(Field::Noise, slab, noise);
            ambient.set(Field::Salinity, slab, 35.0);
            ambient.set(Field::Light, slab, by_layer(1.0, 0.2, 0.0) * daylight);
        }
        ambient
    }

    /// The value of a field in a slab.
    pub fn of(&self, field: Field, slab: u8) -> f32 {
        self.values[field as usize][slab as usize]
    }

    /// Give a field in a slab another value.
    pub fn set(&mut self, field: Field, slab: u8, value: f32) {
        self.values[field as usize][slab as usize] = value;
    }
}

impl Default for Ambient {
    fn default() -> Self {
        Self::sea(0.0, 1.0)
    }
}
