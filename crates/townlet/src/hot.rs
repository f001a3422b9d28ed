//! Settings that may change while a town runs: kept in its state, so that replay stays exact.

use serde::{Deserialize, Serialize};

use crate::config::{self, Document, Switch};
use crate::numbers::{Micro, micro};

/// Prices that can be set and spiked: meal, ingredients, shower.
pub const PRICES: usize = 3;
/// Their keys.
pub const PRICE_KEYS: [&str; PRICES] = ["meal_cost", "ingredients_cost", "shower_cost"];

/// All of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hot {
    /// `economy`.
    pub economy: Economy,
    /// `queue_fairness`.
    pub queue: Queue,
    /// `conflict.rivalry`.
    pub rivalry: Rivalry,
    /// `employment`.
    pub employment: Employment,
    /// `behavior`.
    pub behavior: Behavior,
    /// Exits and arrivals, as commands may set them.
    pub mortality: Mortality,
    /// `embedding_allocator.cooldown_ticks`.
    pub slot_cooldown: u32,
}

/// `economy` in micro-units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Economy {
    /// Base prices.
    pub prices: [Micro; PRICES],
    /// Rent of a day.
    pub rent: Micro,
    /// Stipend of a day.
    pub stipend: Micro,
    /// Delivery to stoves.
    pub stove_add: u16,
    /// Every so many ticks.
    pub stove_every: u32,
    /// Up to this.
    pub stove_max: u16,
    /// Meals after the daily delivery.
    pub fridge: u16,
    /// Food after the daily delivery.
    pub shelf: u16,
    /// When.
    pub restock_tod: u32,
}

/// `queue_fairness` in micro-units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// After a successful use.
    pub cooldown: u32,
    /// Blocked attempts before a ghost step.
    pub ghost_after: u32,
    /// Weight of age.
    pub age_weight: Micro,
    /// From grant to start.
    pub hold: u32,
    /// Longest wait.
    pub wait: u32,
    /// Waiters that stand close.
    pub nodes: u32,
    /// For holding without using.
    pub blocker: u32,
}

/// `conflict.rivalry` in micro-units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rivalry {
    /// Per conflict.
    pub increment: Micro,
    /// Per tick.
    pub decay: Micro,
    /// Least.
    pub min: Micro,
    /// Most.
    pub max: Micro,
    /// Avoided from here.
    pub avoid: Micro,
    /// Forgotten at this.
    pub forget: Micro,
    /// Ties held.
    pub edges: u8,
    /// Intensities.
    pub ghost: Micro,
    /// Of other friction.
    pub handover: Micro,
    /// Per further waiter.
    pub length: Micro,
}

/// `employment` in micro-units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Employment {
    /// Whether it has consequences.
    pub enforced: bool,
    /// Still on time.
    pub grace: u32,
    /// Must have come.
    pub cutoff: u32,
    /// May be away.
    pub slack: u32,
    /// Per late tick.
    pub late_tick: Micro,
    /// Per absent shift.
    pub absence: Micro,
    /// Absences that end it.
    pub max_absent: u32,
    /// Shifts of the mean.
    pub window: u32,
    /// Exits a day.
    pub daily_cap: u32,
    /// Alert above.
    pub queue_limit: u32,
    /// Automatic after.
    pub review: u32,
}

/// `behavior` in micro-units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behavior {
    /// Served below, by need.
    pub thresholds: [Micro; 3],
    /// Ticks to be early.
    pub buffer: u32,
    /// Served even if the shift is missed.
    pub urgent: Micro,
}

/// `lifecycle` where commands may change it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mortality {
    /// Whether conditions lead to exits.
    pub on: bool,
    /// Exits a day.
    pub daily_cap: u32,
    /// Least and most ticks to a replacement.
    pub spawn_delay: [u32; 2],
    /// Hunger of a faint.
    pub faint_at: Micro,
    /// For so many ticks.
    pub faint_ticks: u32,
}

impl Hot {
    /// As the document says.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let life = &document.lifecycle;
        let on =
            life.training_mode == Switch::On && document.features.systems.lifecycle == Switch::On;
        Self {
            economy: Economy::of(&document.economy),
            queue: Queue::of(&document.queue_fairness),
            rivalry: Rivalry::of(&document.conflict.rivalry),
            employment: Employment::of(&document.employment),
            behavior: Behavior::of(&document.behavior),
            mortality: Mortality {
                on,
                daily_cap: life.max_exits_per_day,
                spawn_delay: life.spawn_delay_ticks,
                faint_at: micro(life.faint_threshold),
                faint_ticks: life.faint_ticks,
            },
            slot_cooldown: document.embedding_allocator.cooldown_ticks,
        }
    }
}

impl Economy {
    /// As the node says.
    #[must_use]
    pub fn of(node: &config::Economy) -> Self {
        Self {
            prices: [micro(node.meal_cost), micro(node.ingredients_cost), micro(node.shower_cost)],
            rent: micro(node.rent_per_day),
            stipend: micro(node.stipend_per_day),
            stove_add: node.stove_stock_replenish,
            stove_every: node.stove_stock_interval.max(1),
            stove_max: node.stove_stock_max,
            fridge: node.fridge_restock,
            shelf: node.shelf_restock,
            restock_tod: node.restock_tod,
        }
    }

    /// What a day costs: rent, three meals, two showers.
    #[must_use]
    pub fn basket(&self, prices: &[Micro; PRICES]) -> Micro {
        self.rent + 3 * prices[0] + 2 * prices[2]
    }
}

impl Queue {
    /// As the node says.
    #[must_use]
    pub fn of(node: &config::QueueFairness) -> Self {
        Self {
            cooldown: node.cooldown_ticks,
            ghost_after: node.ghost_step_after,
            age_weight: micro(node.age_priority_weight),
            hold: node.reservation_timeout_ticks,
            wait: node.queue_timeout_ticks,
            nodes: node.queue_nodes,
            blocker: node.blocker_cooldown_ticks,
        }
    }
}

impl Rivalry {
    /// As the node says.
    #[must_use]
    pub fn of(node: &config::Rivalry) -> Self {
        Self {
            increment: micro(node.increment_per_conflict),
            decay: micro(node.decay_per_tick),
            min: micro(node.min_value),
            max: micro(node.max_value),
            avoid: micro(node.avoid_threshold),
            forget: micro(node.eviction_threshold),
            edges: node.max_edges.clamp(1, 6),
            ghost: micro(node.ghost_step_boost),
            handover: micro(node.handover_boost),
            length: micro(node.queue_length_boost),
        }
    }
}

impl Employment {
    /// As the node says.
    #[must_use]
    pub fn of(node: &config::Employment) -> Self {
        Self {
            enforced: node.enforce_job_loop,
            grace: node.grace_ticks,
            cutoff: node.absent_cutoff,
            slack: node.absence_slack,
            late_tick: micro(node.late_tick_penalty),
            absence: micro(node.absence_penalty),
            max_absent: node.max_absent_shifts,
            window: node.attendance_window.clamp(1, 14),
            daily_cap: node.daily_exit_cap,
            queue_limit: node.exit_queue_limit,
            review: node.exit_review_window,
        }
    }
}

impl Behavior {
    /// As the node says.
    #[must_use]
    pub fn of(node: &config::Behavior) -> Self {
        let thresholds = [node.hunger_threshold, node.hygiene_threshold, node.energy_threshold];
        Self {
            thresholds: thresholds.map(micro),
            buffer: node.job_arrival_buffer,
            urgent: micro(node.urgent_threshold),
        }
    }
}
