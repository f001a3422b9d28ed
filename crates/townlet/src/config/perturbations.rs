//! `perturbations`: city events.

use serde::{Deserialize, Serialize};

use super::ordered::Ordered;

/// `perturbations`. A document that names only some of these caps gets careful ones for the rest; the
/// default town is freer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Perturbations {
    /// Whether events happen by themselves; ordered ones always can.
    pub enabled: bool,
    /// Events at once (0-16).
    #[serde(default = "one")]
    pub max_concurrent_events: u32,
    /// Ticks after an event during which its spec rests, on top of its own (0-100,000).
    #[serde(default = "none")]
    pub global_cooldown_ticks: u32,
    /// Ticks a targeted agent is left alone (0-100,000).
    #[serde(default = "none")]
    pub per_agent_cooldown_ticks: u32,
    /// Ticks after an event that still excuse (0-10,000).
    pub grace_window_ticks: u32,
    /// Window of the cap below (1-100,000).
    pub window_ticks: u32,
    /// Events of one spec per window (0-16).
    #[serde(default = "one")]
    pub max_events_per_window: u32,
    /// What can happen, drawn in this order; at most 16.
    pub specs: Ordered<PerturbationSpec>,
}

/// One kind of event and how often it comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerturbationSpec {
    /// What it does.
    pub kind: PerturbationKind,
    /// Chance per day (0-1).
    pub prob_per_day: f64,
    /// Ticks of rest after one (0-100,000).
    pub cooldown_ticks: u32,
    /// Least and most ticks it lasts (1-100,000).
    pub duration: [u32; 2],
    /// Least and most factor of a price spike (0.5-3).
    #[serde(default = "no_change")]
    pub magnitude: [f64; 2],
    /// Price spikes: `global`, `market`, a venue or a price key, one drawn. Closures: objects.
    /// Arranged meets: the venue.
    #[serde(default)]
    pub targets: Vec<String>,
    /// Agents of an arranged meet (2-8).
    #[serde(default = "pair")]
    pub max_participants: u8,
}

fn one() -> u32 {
    1
}

fn none() -> u32 {
    0
}

fn no_change() -> [f64; 2] {
    [1.0, 1.0]
}

fn pair() -> u8 {
    2
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PerturbationKind {
    /// Multiplies prices.
    PriceSpike,
    /// No power.
    Blackout,
    /// No water.
    Outage,
    /// Sends rivals to one place.
    ArrangedMeet,
    /// Closes one object.
    FacilityClosure,
}

impl Default for Perturbations {
    fn default() -> Self {
        use PerturbationKind as Kind;
        let spec = |kind, prob_per_day, cooldown_ticks, duration, targets: &[&str]| {
            let magnitude = if kind == Kind::PriceSpike { [1.2, 1.8] } else { no_change() };
            let targets = targets.iter().map(|&name| name.to_owned()).collect();
            let max_participants = pair();
            PerturbationSpec {
                kind,
                prob_per_day,
                cooldown_ticks,
                duration,
                magnitude,
                targets,
                max_participants,
            }
        };
        let named = |name: &str, spec| (name.to_owned(), spec);
        Self {
            enabled: false,
            max_concurrent_events: 2,
            global_cooldown_ticks: 240,
            per_agent_cooldown_ticks: 360,
            grace_window_ticks: 60,
            window_ticks: 1000,
            max_events_per_window: 2,
            specs: Ordered(vec![
                named(
                    "price_spike",
                    spec(Kind::PriceSpike, 0.30, 480, [60, 120], &["grocer", "cafe"]),
                ),
                named("blackout", spec(Kind::Blackout, 0.15, 720, [20, 60], &[])),
                named("outage", spec(Kind::Outage, 0.10, 720, [20, 60], &[])),
                named("arranged_meet", spec(Kind::ArrangedMeet, 0.25, 600, [30, 45], &["cafe"])),
                named(
                    "facility_closure",
                    spec(
                        Kind::FacilityClosure,
                        0.0,
                        600,
                        [30, 60],
                        &["shower_1", "shower_2", "till_1"],
                    ),
                ),
            ]),
        }
    }
}
