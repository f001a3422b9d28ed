//! `rewards` and `shaping`.

use serde::{Deserialize, Serialize};

/// One figure per need.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerNeed {
    /// Hunger.
    pub hunger: f64,
    /// Hygiene.
    pub hygiene: f64,
    /// Energy.
    pub energy: f64,
}

impl PerNeed {
    /// In the order of the needs.
    #[must_use]
    pub fn values(&self) -> [f64; 3] {
        [self.hunger, self.hygiene, self.energy]
    }
}

/// `rewards`: what pays and costs, per agent and tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rewards {
    /// For being there (0-0.01).
    pub survival_tick: f64,
    /// Weights of the squared deficits: hunger 0.5-2, hygiene 0.2-1, energy 0.4-1.5.
    pub needs_weights: PerNeed,
    /// Scale of all of them (0-1).
    pub needs_scale: f64,
    /// Need lost per tick (0-0.1).
    pub decay_rates: PerNeed,
    /// For a paid tick, and against a withheld one (0-0.05).
    pub wage_rate: f64,
    /// Once per shift, at arrival (0-0.1).
    pub punctuality_bonus: f64,
    /// Chats and avoided conflicts.
    pub social: SocialRewards,
    /// On the exits `faint`, `exposure` and `neglect` (-5-0).
    pub faint_penalty: f64,
    /// On the exits `eviction` and `unemployment` (-5-0).
    pub eviction_penalty: f64,
    /// Guardrails.
    pub clip: Clip,
}

impl Default for Rewards {
    fn default() -> Self {
        Self {
            survival_tick: 0.002,
            needs_weights: PerNeed { hunger: 1.0, hygiene: 0.6, energy: 0.8 },
            needs_scale: 0.02,
            decay_rates: PerNeed { hunger: 0.0012, hygiene: 0.0009, energy: 0.0007 },
            wage_rate: 0.01,
            punctuality_bonus: 0.05,
            social: SocialRewards::default(),
            faint_penalty: -1.0,
            eviction_penalty: -2.0,
            clip: Clip::default(),
        }
    }
}

/// `rewards.social`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SocialRewards {
    /// Base of a chat's bonus and penalty (0-0.1).
    pub chat_base: f64,
    /// Scale of the bonus (0-1).
    pub chat_scale: f64,
    /// Per avoided conflict (0-0.02).
    pub avoidance: f64,
}

impl Default for SocialRewards {
    fn default() -> Self {
        Self { chat_base: 0.01, chat_scale: 0.1, avoidance: 0.005 }
    }
}

/// `rewards.clip`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clip {
    /// Most reward of a tick, either way (0.01-1).
    pub clip_per_tick: f64,
    /// Most reward of a life, either way (1-200).
    pub clip_per_episode: f64,
    /// Ticks around a collapse without positive reward (0-200).
    pub no_positive_within_death_ticks: u32,
}

impl Default for Clip {
    fn default() -> Self {
        Self { clip_per_tick: 0.2, clip_per_episode: 50.0, no_positive_within_death_ticks: 10 }
    }
}

/// `shaping`: potential differences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shaping {
    /// Whether it is added.
    pub use_potential: bool,
    /// Discount of the new potential (0-1).
    pub gamma: f64,
}

impl Default for Shaping {
    fn default() -> Self {
        Self { use_potential: true, gamma: 0.99 }
    }
}
