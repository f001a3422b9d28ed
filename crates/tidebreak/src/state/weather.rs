//! Storms, the sky without them, and changes of figures that pass.

use serde::{Deserialize, Serialize};

use crate::columns::table;

table! {
    /// Changes of a figure for a while.
    Modifiers of Modifier {
        /// The entity.
        target: u32,
        /// Which figure; see [`crate::modifiers::Stat`].
        stat: u8,
        /// 0 add, 1 multiply, 2 set.
        op: u8,
        /// By how much.
        value: f32,
        /// Ticks left.
        ttl: u16,
    }
}

table! {
    /// Storms that move over the map.
    Storms of Storm {
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// Metres a second.
        vx: f32,
        /// Metres a second.
        vy: f32,
        /// Metres.
        radius: f32,
        /// 0..1.
        intensity: f32,
        /// 0 uniform, 1 gradient, 2 cyclonic.
        profile: u8,
    }
}

table! {
    /// Marks on the fields that wait for the next tick.
    Marks of Mark {
        /// Who makes it.
        source: u32,
        /// 0 explosion, 1 fire, 2 ping.
        kind: u8,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// See [`Layer`].
        layer: u8,
        /// Metres.
        radius: f32,
        /// 0..1.
        strength: f32,
    }
}

/// The weather without storms and zones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sky {
    /// 0..9.
    pub sea_state: f32,
    /// Kilometres, 0..20.
    pub visibility_km: f32,
    /// 0 none, 1 light, 2 heavy, 3 storm.
    pub rain: u8,
    /// Metres a second.
    pub wind: [f32; 2],
    /// 0..1.
    pub lightning: f32,
}
