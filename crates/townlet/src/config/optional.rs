//! Rules of `features` that are off by default: weather and warmth, spoilage, drama.
//!
//! As long as nobody changes them they are no part of the document as it is written, so that
//! towns without them keep their digests.

use serde::{Deserialize, Serialize};

/// Whether a node says nothing that its default does not.
pub fn unsaid<T: Default + PartialEq>(node: &T) -> bool {
    *node == T::default()
}

/// `features.weather`: a weather a day, and what it does to people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weather {
    /// Whether there is any.
    pub enabled: bool,
    /// How likely each is, as weights.
    pub chances: Chances,
    /// Ticks a step in the open costs in the rain (1-10).
    pub rain_step_ticks: u32,
    /// Whether people have a fourth need, and can die of the cold.
    pub warmth: bool,
    /// Warmth lost per tick in the open, in the cold (0-0.1).
    pub warmth_loss: f64,
    /// Warmth gained per tick anywhere else (0-0.1).
    pub warmth_gain: f64,
    /// Warmth below this (0-1), in the open, in the cold ...
    pub exposure_threshold: f64,
    /// ... for so many ticks in a row ends in an exit (1-1000).
    pub exposure_ticks: u32,
}

impl Default for Weather {
    fn default() -> Self {
        Self {
            enabled: false,
            chances: Chances::default(),
            rain_step_ticks: 2,
            warmth: false,
            warmth_loss: 0.004,
            warmth_gain: 0.02,
            exposure_threshold: 0.05,
            exposure_ticks: 30,
        }
    }
}

/// `features.weather.chances` (0-1 each, one of them above 0).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Chances {
    /// Of a day without anything.
    pub sunny: f64,
    /// Of a day on which ways take longer.
    pub rainy: f64,
    /// Of a day on which people must not stay out.
    pub cold: f64,
}

impl Chances {
    /// In the order of the weathers.
    #[must_use]
    pub fn values(&self) -> [f64; 3] {
        [self.sunny, self.rainy, self.cold]
    }
}

impl Default for Chances {
    fn default() -> Self {
        Self { sunny: 0.7, rainy: 0.2, cold: 0.1 }
    }
}

/// `features.spoilage`: meals people carry go bad.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spoilage {
    /// Whether they do.
    pub enabled: bool,
    /// Ticks after which they have (1-100,000).
    pub after_ticks: u32,
}

impl Default for Spoilage {
    fn default() -> Self {
        Self { enabled: false, after_ticks: 500 }
    }
}

/// `features.drama`: scenes that cost time and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Drama {
    /// Whether people make any.
    pub enabled: bool,
    /// Rivalry from which two in one queue argue (0-1).
    pub argument_rivalry: f64,
    /// Ticks that takes (1-100).
    pub argument_ticks: u32,
    /// Ticks after which they may argue again (0-10,000).
    pub argument_rest_ticks: u32,
    /// Rivalry from which the angrier one storms off afterwards (0-1).
    pub rage_rivalry: f64,
    /// Failures in a day that make it a bad one (1-100).
    pub spiral_failures: u32,
    /// Ticks a step costs on a bad day, until sleep (1-10).
    pub spiral_step_ticks: u32,
}

impl Default for Drama {
    fn default() -> Self {
        Self {
            enabled: false,
            argument_rivalry: 0.7,
            argument_ticks: 5,
            argument_rest_ticks: 120,
            rage_rivalry: 0.9,
            spiral_failures: 3,
            spiral_step_ticks: 2,
        }
    }
}
