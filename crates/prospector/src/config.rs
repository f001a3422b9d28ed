//! Settings fixed for the life of a batch.

use serde::{Deserialize, Serialize};

/// The two settings of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Ticks until the episode is cut off.
    pub time_max: f32,
    /// What an impossible action costs.
    pub invalid_action_penalty: f32,
}

impl Default for Config {
    fn default() -> Self {
        Self { time_max: 20_000.0, invalid_action_penalty: 0.01 }
    }
}

impl Config {
    /// Values of 0 or less, or not finite, become the defaults.
    #[must_use]
    pub fn sound(self) -> Self {
        let default = Self::default();
        let or = |value: f32, default: f32| {
            if value > 0.0 && value.is_finite() { value } else { default }
        };
        Self {
            time_max: or(self.time_max, default.time_max),
            invalid_action_penalty: or(self.invalid_action_penalty, default.invalid_action_penalty),
        }
    }
}
