//! `population`, `personalities`, `behavior`, `lifecycle`, `embedding_allocator`.

use serde::{Deserialize, Serialize};

use super::document::Switch;
use super::ordered::Ordered;
use super::rewards::PerNeed;

/// `population`: who lives there at first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Population {
    /// Residents at the first tick (1-64).
    pub agents: u16,
    /// Places in the arrays (`agents`-64); as many as residents if absent.
    pub seats: Option<u16>,
    /// Their ids, if named; the others are `resident_01` and so on.
    pub names: Vec<String>,
    /// Needs of the first residents (0-1); newcomers begin with 0.8.
    pub needs: PerNeed,
    /// Money of residents and newcomers at first, in days of rent (0-100).
    pub wallet_in_rents: f64,
}

impl Default for Population {
    fn default() -> Self {
        Self {
            agents: 8,
            seats: None,
            names: Vec::new(),
            needs: PerNeed { hunger: 0.8, hygiene: 0.8, energy: 0.8 },
            wallet_in_rents: 1.5,
        }
    }
}

/// A profile of traits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// No leaning.
    Balanced,
    /// Chats.
    Socialite,
    /// Works.
    Industrious,
    /// Endures.
    Stoic,
    /// Traits from a Halton sequence, as newcomers have.
    Newcomer,
}

/// `personalities`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Personalities {
    /// Weights of the profiles, by name.
    pub distribution: Ordered<f64>,
    /// Agents whose profile is fixed, by id.
    pub overrides: Ordered<Profile>,
}

impl Default for Personalities {
    fn default() -> Self {
        let weight = |name: &str, weight| (name.to_owned(), weight);
        Self {
            distribution: Ordered(vec![
                weight("balanced", 0.4),
                weight("socialite", 0.2),
                weight("industrious", 0.2),
                weight("stoic", 0.2),
            ]),
            overrides: Ordered(Vec::new()),
        }
    }
}

/// `behavior`: the scripted citizen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Behavior {
    /// Eats below this (0-1).
    pub hunger_threshold: f64,
    /// Washes below this (0-1).
    pub hygiene_threshold: f64,
    /// Sleeps below this (0-1).
    pub energy_threshold: f64,
    /// Ticks to be early for work (0-200).
    pub job_arrival_buffer: u32,
    /// A need below this is served even if the shift is missed (0-1).
    pub urgent_threshold: f64,
}

impl Default for Behavior {
    fn default() -> Self {
        Self {
            hunger_threshold: 0.6,
            hygiene_threshold: 0.6,
            energy_threshold: 0.6,
            job_arrival_buffer: 20,
            urgent_threshold: 0.25,
        }
    }
}

/// `lifecycle`: exits and arrivals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lifecycle {
    /// Whether conditions lead to exits, or are only counted.
    pub training_mode: Switch,
    /// Exits of all causes but `killed` per day (0-64).
    pub max_exits_per_day: u32,
    /// Ticks between them (0-10,000).
    pub exit_cooldown_ticks: u32,
    /// Least and most ticks until a replacement comes (1-10,000).
    pub spawn_delay_ticks: [u32; 2],
    /// Hunger at or below this (0-1) ...
    pub faint_threshold: f64,
    /// ... for so many ticks in a row is a faint (1-1000).
    pub faint_ticks: u32,
    /// A need at or below this (0-1) ...
    pub neglect_threshold: f64,
    /// ... for this share of a rolling day is neglect (0-1).
    pub neglect_share: f64,
    /// Days of unpaid rent in a row before the last grace day (1-30).
    pub eviction_days: u32,
    /// Days without wage, while jobs are open, that end in leaving (1-30).
    pub unemployment_days: u32,
    /// Chance that a newcomer arrives with a job (0-1).
    pub newcomer_job_chance: f64,
    /// Days of a life, drawn at arrival; absent for no end.
    pub age_out_days: Option<[u32; 2]>,
    /// What the night does.
    pub nightly_reset: NightlyReset,
}

impl Default for Lifecycle {
    fn default() -> Self {
        Self {
            training_mode: Switch::On,
            max_exits_per_day: 2,
            exit_cooldown_ticks: 120,
            spawn_delay_ticks: [5, 20],
            faint_threshold: 0.03,
            faint_ticks: 30,
            neglect_threshold: 0.10,
            neglect_share: 0.25,
            eviction_days: 2,
            unemployment_days: 2,
            newcomer_job_chance: 0.5,
            age_out_days: None,
            nightly_reset: NightlyReset::Off,
        }
    }
}

/// What the night does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NightlyReset {
    /// Nothing.
    Off,
    /// Idle agents are taken home.
    Home,
    /// And their needs are lifted to 0.5.
    Full,
}

/// `embedding_allocator`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbeddingAllocator {
    /// Slots there are (1-256).
    pub max_slots: u16,
    /// Ticks a released slot rests (0-10,000).
    pub cooldown_ticks: u32,
    /// Share of forced reuse that raises a warning (0-0.5).
    pub reuse_warning_threshold: f64,
    /// Whether each forced reuse is an event.
    pub log_forced_reuse: bool,
}

impl Default for EmbeddingAllocator {
    fn default() -> Self {
        Self {
            max_slots: 64,
            cooldown_ticks: 2000,
            reuse_warning_threshold: 0.05,
            log_forced_reuse: true,
        }
    }
}
