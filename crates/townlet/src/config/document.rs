//! The configuration document: one struct per node, named and nested as in the YAML.
//!
//! Only what the core reads stands here; nodes of the live operation (telemetry, console,
//! stability, snapshots' storage, training) stay with those who read them.

use serde::{Deserialize, Serialize};

use super::life::{Behavior, EmbeddingAllocator, Lifecycle, Personalities, Population};
use super::manifest::Affordances;
use super::optional::{Drama, Spoilage, Weather, unsaid};
use super::ordered::Ordered;
use super::perturbations::Perturbations;
use super::rewards::{Rewards, Shaping};
use super::seeing::{Observations, PolicyRuntime};
use super::work::{Conflict, Economy, Employment, Job, QueueFairness, Relationships, default_jobs};

/// The whole document. Every node may be left out; unknown keys are refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Document {
    /// Day length.
    pub time: Time,
    /// Episode length.
    pub env: Env,
    /// Size and walls.
    pub world: World,
    /// Who lives there at first.
    pub population: Population,
    /// Stages and switches.
    pub features: Features,
    /// What agents see.
    pub observations: Observations,
    /// How choices are read.
    pub policy_runtime: PolicyRuntime,
    /// What pays and costs.
    pub rewards: Rewards,
    /// Potential shaping.
    pub shaping: Shaping,
    /// Prices, rent, restocking.
    pub economy: Economy,
    /// Jobs in declaration order.
    pub jobs: Ordered<Job>,
    /// Shifts, penalties, exits.
    pub employment: Employment,
    /// Queues and reservations.
    pub queue_fairness: QueueFairness,
    /// Rivalry.
    pub conflict: Conflict,
    /// Ties and chat.
    pub relationships: Relationships,
    /// Traits and profiles.
    pub personalities: Personalities,
    /// The scripted citizen.
    pub behavior: Behavior,
    /// Exits and arrivals.
    pub lifecycle: Lifecycle,
    /// Embedding slots.
    pub embedding_allocator: EmbeddingAllocator,
    /// City events.
    pub perturbations: Perturbations,
    /// Objects and what can be done with them.
    pub affordances: Affordances,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            time: Time::default(),
            env: Env::default(),
            world: World::default(),
            population: Population::default(),
            features: Features::default(),
            observations: Observations::default(),
            policy_runtime: PolicyRuntime::default(),
            rewards: Rewards::default(),
            shaping: Shaping::default(),
            economy: Economy::default(),
            jobs: default_jobs(),
            employment: Employment::default(),
            queue_fairness: QueueFairness::default(),
            conflict: Conflict::default(),
            relationships: Relationships::default(),
            personalities: Personalities::default(),
            behavior: Behavior::default(),
            lifecycle: Lifecycle::default(),
            embedding_allocator: EmbeddingAllocator::default(),
            perturbations: Perturbations::default(),
            affordances: Affordances::default(),
        }
    }
}

/// `time`: the only day length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Time {
    /// Ticks of one day (100-10,000).
    pub ticks_per_day: u32,
}

impl Default for Time {
    fn default() -> Self {
        Self { ticks_per_day: 1000 }
    }
}

/// `env`: the episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Env {
    /// Ticks until everyone is cut off (1-100,000,000).
    pub max_ticks: u32,
}

impl Default for Env {
    fn default() -> Self {
        Self { max_ticks: 10_000 }
    }
}

/// `world`: the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct World {
    /// Width and height (8-128 each).
    pub grid_size: [u16; 2],
    /// Rows of tiles, `grid_size[1]` strings of `grid_size[0]` characters: `.` floor, `#` wall,
    /// `+` door, `=` road, `C` counter, `T` table, `q` queue node. None is open floor.
    pub layout: Option<Vec<String>>,
    /// Where newcomers arrive.
    pub bus_stop: [u16; 2],
}

impl Default for World {
    fn default() -> Self {
        Self { grid_size: [48, 48], layout: None, bus_stop: [1, 24] }
    }
}

/// `features`: stages and switches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Features {
    /// Which stage the social system is in.
    pub stages: Stages,
    /// Whole systems.
    pub systems: Systems,
    /// What personality reaches.
    pub behavior: BehaviorFeatures,
    /// Whether traits modify ties.
    pub relationship_modifiers: bool,
    /// Whether a document is taken in which nobody can live. The core takes every one.
    pub allow_unlivable: bool,
    /// Optional channels.
    pub observations: ObservationFeatures,
    /// A weather a day.
    #[serde(skip_serializing_if = "unsaid")]
    pub weather: Weather,
    /// Meals that go bad.
    #[serde(skip_serializing_if = "unsaid")]
    pub spoilage: Spoilage,
    /// Scenes.
    #[serde(skip_serializing_if = "unsaid")]
    pub drama: Drama,
    /// Whether patience decides who comes first where two want the same at once.
    #[serde(skip_serializing_if = "unsaid")]
    pub patience: bool,
}

impl Features {
    /// Whether a rule is on that remembers more of people than the others.
    #[must_use]
    pub fn any_optional(&self) -> bool {
        self.weather.enabled || self.spoilage.enabled || self.drama.enabled || self.patience
    }
}

impl Default for Features {
    fn default() -> Self {
        Self {
            stages: Stages::default(),
            systems: Systems::default(),
            behavior: BehaviorFeatures::default(),
            relationship_modifiers: true,
            allow_unlivable: false,
            observations: ObservationFeatures::default(),
            weather: Weather::default(),
            spoilage: Spoilage::default(),
            drama: Drama::default(),
            patience: false,
        }
    }
}

/// `features.stages`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stages {
    /// OFF, A (ledger runs unobserved), B (observed), C1-C3 (rewards too).
    pub relationships: Stage,
    /// OFF or C1-C3; needs at least that stage of relationships.
    pub social_rewards: Stage,
}

impl Default for Stages {
    fn default() -> Self {
        Self { relationships: Stage::C1, social_rewards: Stage::C1 }
    }
}

/// A stage of the social system, each including those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Stage {
    /// Frozen.
    Off,
    /// The ledger runs, unseen.
    A,
    /// Seen.
    B,
    /// Chats are rewarded.
    C1,
    /// Avoided conflicts too.
    C2,
    /// Bonuses depend on the tie.
    C3,
}

/// On or off, as the YAML spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// `features.systems`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Systems {
    /// Exits and arrivals.
    pub lifecycle: Switch,
    /// The variant of the observation.
    pub observations: Variant,
}

impl Default for Systems {
    fn default() -> Self {
        Self { lifecycle: Switch::On, observations: Variant::Hybrid }
    }
}

/// An observation variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Four channels.
    Hybrid,
    /// Those and two path channels.
    Full,
    /// A small window, object types apart.
    Compact,
}

/// `features.behavior`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BehaviorFeatures {
    /// Draw profiles from `personalities`; otherwise everyone is balanced.
    pub personality_profiles: bool,
    /// Profiles scale rewards.
    pub reward_multipliers: bool,
}

impl Default for BehaviorFeatures {
    fn default() -> Self {
        Self { personality_profiles: true, reward_multipliers: false }
    }
}

/// `features.observations`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ObservationFeatures {
    /// Three more features: the agent's own traits.
    pub personality_channels: bool,
}
