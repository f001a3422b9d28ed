//! `observations` and `policy_runtime`.

use serde::{Deserialize, Serialize};

use super::optional::unsaid;

/// `observations`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Observations {
    /// Which blocks of features.
    pub layout: FeatureLayout,
    /// Whether the way to the targets is shown.
    pub include_targets: bool,
    /// Whether an agent is told when its shift begins and ends.
    pub include_hours: bool,
    /// Whether an agent is told the weather, its warmth, and what holds it up.
    #[serde(skip_serializing_if = "unsaid")]
    pub include_weather: bool,
    /// Hybrid and full.
    pub hybrid: HybridView,
    /// Compact.
    pub compact: CompactView,
}

impl Default for Observations {
    fn default() -> Self {
        Self {
            layout: FeatureLayout::Extended,
            include_targets: true,
            include_hours: false,
            include_weather: false,
            hybrid: HybridView::default(),
            compact: CompactView::default(),
        }
    }
}

/// Which blocks of features there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeatureLayout {
    /// Base, targets, personality, social, status.
    Extended,
    /// Base, the first four targets, personality, social.
    Core,
}

/// `observations.hybrid`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HybridView {
    /// Side of the window, odd (3-31).
    pub local_window: u16,
}

impl Default for HybridView {
    fn default() -> Self {
        Self { local_window: 11 }
    }
}

/// `observations.compact`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompactView {
    /// Side of the window, odd (3-31), or 0 for no map.
    pub map_window: u16,
    /// Object types with a channel of their own.
    pub object_channels: Vec<String>,
    /// Whether neighbour counts are shares of the window (else of the population or objects).
    pub normalize_counts: bool,
}

impl Default for CompactView {
    fn default() -> Self {
        Self { map_window: 7, object_channels: Vec::new(), normalize_counts: true }
    }
}

/// `policy_runtime`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolicyRuntime {
    /// What a choice is.
    pub action_mode: ActionMode,
    /// Ticks an option binds (0-600).
    pub option_commit_ticks: u32,
}

impl Default for PolicyRuntime {
    fn default() -> Self {
        Self { action_mode: ActionMode::Option, option_commit_ticks: 15 }
    }
}

/// What a choice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionMode {
    /// One of 8 options.
    Option,
    /// One of 22 primitives.
    Primitive,
}
