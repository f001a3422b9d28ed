//! What happened, why, and the ring that keeps it.
//!
//! Ids are given out whether events are kept or not, so tracing changes no bit of the battle.

use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Kind {
    Order = 0,
    Fired = 1,
    Hit = 2,
    Missed = 3,
    Intercepted = 4,
    Damaged = 5,
    PartLost = 6,
    FireStarted = 7,
    FireOut = 8,
    FloodingStarted = 9,
    FloodingStopped = 10,
    Disabled = 11,
    Destroyed = 12,
    Scuttled = 13,
    Surrendered = 14,
    Captured = 15,
    Exited = 16,
    TransitionBegan = 17,
    TransitionEnded = 18,
    TransitionBotched = 19,
    Collided = 20,
    Grounded = 21,
    Detected = 22,
    TrackLost = 23,
    Pinged = 24,
    DecoyDropped = 25,
    MineLaid = 26,
    SquadronLaunched = 27,
    SquadronRecovered = 28,
    SquadronLost = 29,
    Lightning = 30,
    WeatherDamage = 31,
    ObjectiveMet = 32,
    ObjectiveFailed = 33,
    BattleEnded = 34,
    OrderRejected = 35,
    /// What a plugin asked for; kept at level 2 of tracing only.
    Proposed = 36,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// (tick << 24) | index within the tick.
    pub id: u64,
    /// The event that led to it, or 0.
    pub cause: u64,
    /// The root of the chain: an order or a draw of the environment.
    pub trace: u64,
    /// What happened.
    pub kind: Kind,
    /// Who did it, or `NOBODY`.
    pub source: u32,
    /// Whom it befell, or `NOBODY`.
    pub target: u32,
    /// Where, metres.
    pub x: f32,
    /// Where, metres.
    pub y: f32,
    /// How much: damage, slot, layer, whatever the kind says.
    pub value: f32,
    /// Which plugin proposed it.
    pub plugin: u8,
}
