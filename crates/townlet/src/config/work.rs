//! `economy`, `jobs`, `employment`, `queue_fairness`, `conflict`, `relationships`.

use serde::{Deserialize, Serialize};

use super::ordered::Ordered;

/// `economy`: money and stock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Economy {
    /// Price of a meal (0-10).
    pub meal_cost: f64,
    /// Price of ingredients (0-10).
    pub ingredients_cost: f64,
    /// Price of a shower (0-10).
    pub shower_cost: f64,
    /// Energy cooking takes (0-1).
    pub cook_energy_cost: f64,
    /// Hygiene cooking takes (0-1).
    pub cook_hygiene_cost: f64,
    /// Due at the last tick of each day (0-100).
    pub rent_per_day: f64,
    /// Wage per tick of a job that names none (0-1).
    pub wage_income: f64,
    /// Ingredients added to each stove (0-100).
    pub stove_stock_replenish: u16,
    /// Ticks between such deliveries (1-10,000).
    pub stove_stock_interval: u32,
    /// Most ingredients a stove holds (0-1000).
    pub stove_stock_max: u16,
    /// Meals of a fridge after the daily delivery (0-1000).
    pub fridge_restock: u16,
    /// Food on a shelf after the daily delivery (0-1000).
    pub shelf_restock: u16,
    /// Tick of the day of those deliveries.
    pub restock_tod: u32,
    /// Given to everyone at the first tick of a day (0-100).
    pub stipend_per_day: f64,
}

impl Default for Economy {
    fn default() -> Self {
        Self {
            meal_cost: 0.4,
            ingredients_cost: 0.15,
            shower_cost: 0.2,
            cook_energy_cost: 0.05,
            cook_hygiene_cost: 0.02,
            rent_per_day: 1.5,
            wage_income: 0.02,
            stove_stock_replenish: 2,
            stove_stock_interval: 200,
            stove_stock_max: 20,
            fridge_restock: 20,
            shelf_restock: 30,
            restock_tod: 60,
            stipend_per_day: 0.0,
        }
    }
}

/// One job: a half-open window of the day, every day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// First tick of the shift, in ticks of the day.
    pub start_tick: u32,
    /// First tick after it.
    pub end_tick: u32,
    /// Pay per tick; `economy.wage_income` if absent.
    #[serde(default)]
    pub wage_rate: Option<f64>,
    /// Once per late shift.
    pub lateness_penalty: f64,
    /// Where.
    pub location: [u16; 2],
    /// How near counts as there (tiles, Chebyshev).
    #[serde(default = "two")]
    pub radius: u16,
    /// Most holders.
    #[serde(default = "four")]
    pub capacity: u16,
    /// Overrides `employment.grace_ticks`.
    #[serde(default)]
    pub grace_ticks: Option<u32>,
    /// Overrides `employment.absent_cutoff`.
    #[serde(default)]
    pub absent_cutoff: Option<u32>,
    /// Overrides `employment.absence_slack`.
    #[serde(default)]
    pub absence_slack: Option<u32>,
    /// Overrides `employment.late_tick_penalty`.
    #[serde(default)]
    pub late_tick_penalty: Option<f64>,
    /// Overrides `employment.absence_penalty`.
    #[serde(default)]
    pub absence_penalty: Option<f64>,
}

fn two() -> u16 {
    2
}

fn four() -> u16 {
    4
}

/// The three jobs of the default town.
pub fn default_jobs() -> Ordered<Job> {
    let job = |start_tick, end_tick, wage, lateness_penalty, location| Job {
        start_tick,
        end_tick,
        wage_rate: Some(wage),
        lateness_penalty,
        location,
        radius: 2,
        capacity: 4,
        grace_ticks: None,
        absent_cutoff: None,
        absence_slack: None,
        late_tick_penalty: None,
        absence_penalty: None,
    };
    Ordered(vec![
        ("grocer".to_owned(), job(180, 360, 0.02, 0.10, [33, 24])),
        ("barista".to_owned(), job(400, 560, 0.0225, 0.12, [13, 28])),
        ("clerk".to_owned(), job(600, 780, 0.02, 0.10, [36, 34])),
    ])
}

/// `employment`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Employment {
    /// Whether lateness and absence have consequences.
    pub enforce_job_loop: bool,
    /// Ticks after the start that still count as on time (0-120).
    pub grace_ticks: u32,
    /// Ticks after the start by which one must have come (0-600).
    pub absent_cutoff: u32,
    /// Ticks one may be away in a row (0-600).
    pub absence_slack: u32,
    /// Per late tick off site (0-1).
    pub late_tick_penalty: f64,
    /// Once per absent shift (0-5).
    pub absence_penalty: f64,
    /// Absent shifts in seven days that lead to an exit (0-20).
    pub max_absent_shifts: u32,
    /// Shifts the attendance is a mean of (1-14).
    pub attendance_window: u32,
    /// Exits from the queue per day, 0 for no cap (0-50).
    pub daily_exit_cap: u32,
    /// Length of the exit queue that raises an alert (0-100).
    pub exit_queue_limit: u32,
    /// Ticks after which a queued exit happens anyway (1-100,000).
    pub exit_review_window: u32,
}

impl Default for Employment {
    fn default() -> Self {
        Self {
            enforce_job_loop: true,
            grace_ticks: 5,
            absent_cutoff: 30,
            absence_slack: 20,
            late_tick_penalty: 0.005,
            absence_penalty: 0.2,
            max_absent_shifts: 3,
            attendance_window: 3,
            daily_exit_cap: 2,
            exit_queue_limit: 8,
            exit_review_window: 1000,
        }
    }
}

/// `queue_fairness`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueueFairness {
    /// After a successful use, same agent and object (0-600).
    pub cooldown_ticks: u32,
    /// Blocked attempts before the deadlock breaker, 0 for never (0-100).
    pub ghost_step_after: u32,
    /// Weight of waiting time (0-1).
    pub age_priority_weight: f64,
    /// From grant to start (1-1000).
    pub reservation_timeout_ticks: u32,
    /// Wait before leaving to plan anew (1-5000).
    pub queue_timeout_ticks: u32,
    /// So many may wait close by; while more do, all keep further away (0-16).
    pub queue_nodes: u32,
    /// For holding without using (0-600).
    pub blocker_cooldown_ticks: u32,
}

impl Default for QueueFairness {
    fn default() -> Self {
        Self {
            cooldown_ticks: 60,
            ghost_step_after: 3,
            age_priority_weight: 0.1,
            reservation_timeout_ticks: 40,
            queue_timeout_ticks: 120,
            queue_nodes: 4,
            blocker_cooldown_ticks: 60,
        }
    }
}

/// `conflict`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Conflict {
    /// Rivalry.
    pub rivalry: Rivalry,
}

/// `conflict.rivalry`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rivalry {
    /// Rivalry of a conflict of intensity 1 (0-1).
    pub increment_per_conflict: f64,
    /// Rivalry lost per tick (0-1).
    pub decay_per_tick: f64,
    /// Least (0-1).
    pub min_value: f64,
    /// Most (0-1).
    pub max_value: f64,
    /// From here on the other is avoided (0-1).
    pub avoid_threshold: f64,
    /// A tie whose magnitudes are all at most this is dropped (0-1).
    pub eviction_threshold: f64,
    /// Ties an agent holds (1-6).
    pub max_edges: u8,
    /// Intensity of a ghost step (0-5).
    pub ghost_step_boost: f64,
    /// Intensity of other friction (0-5).
    pub handover_boost: f64,
    /// Intensity per further waiter (0-5).
    pub queue_length_boost: f64,
}

impl Default for Rivalry {
    fn default() -> Self {
        Self {
            increment_per_conflict: 0.4,
            decay_per_tick: 0.0002,
            min_value: 0.0,
            max_value: 1.0,
            avoid_threshold: 0.5,
            eviction_threshold: 0.05,
            max_edges: 6,
            ghost_step_boost: 1.5,
            handover_boost: 0.4,
            queue_length_boost: 0.25,
        }
    }
}

/// `relationships`: the ledger and chats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Relationships {
    /// Trust and familiarity lost per hour of 42 ticks (0-1).
    pub decay_per_hour: f64,
    /// Change needed to enter a full ledger (0-2).
    pub entry_threshold: f64,
    /// Ticks between chats of one speaker (0-1000).
    pub chat_cooldown_ticks: u32,
    /// Chance of success between strangers (0-1).
    pub chat_success: f64,
}

impl Default for Relationships {
    fn default() -> Self {
        Self {
            decay_per_hour: 0.001,
            entry_threshold: 0.2,
            chat_cooldown_ticks: 30,
            chat_success: 0.7,
        }
    }
}
