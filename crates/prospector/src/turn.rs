//! What one step did: the reply to the caller and the parts of the view it touched.

/// Events of a step, as bits.
pub mod event {
    /// The action was not possible and became a hold.
    pub const INVALID_ACTION: u32 = 1 << 0;
    /// Pirates came aboard.
    pub const PIRATE_ENCOUNTER: u32 = 1 << 1;
    /// The ship overheated.
    pub const OVERHEAT_TICK: u32 = 1 << 2;
    /// The mined rock broke apart.
    pub const FRACTURE: u32 = 1 << 3;
    /// Out of fuel away from the station.
    pub const STRANDED: u32 = 1 << 4;
    /// Out of hull.
    pub const DESTROYED: u32 = 1 << 5;
    /// The episode was cashed out.
    pub const CASH_OUT: u32 = 1 << 6;
    /// Names, lowest bit first.
    pub const NAMES: &[&str] = &[
        "invalid_action",
        "pirate_encounter",
        "overheat_tick",
        "fracture",
        "stranded",
        "destroyed",
        "cash_out",
    ];
}

/// Parts of the view that a step changed beyond what changes every time, as bits.
pub mod touched {
    /// Another node: lanes and rocks are all new.
    pub const PLACE: u8 = 1 << 0;
    /// Threat estimates of the lanes.
    pub const LANES: u8 = 1 << 1;
    /// Every rock here.
    pub const ROCKS: u8 = 1 << 2;
    /// The selected rock only.
    pub const SELECTED: u8 = 1 << 3;
    /// Which rock is selected.
    pub const SELECTION: u8 = 1 << 4;
    /// The credits held.
    pub const CREDITS: u8 = 1 << 5;
}

/// Terms a reward can have.
pub const TERMS_MAX: usize = 11;

/// The outcome of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Sum of the terms, in order.
    pub reward: f32,
    /// The named terms.
    pub terms: [f32; TERMS_MAX],
    /// Ended by the rules.
    pub terminated: bool,
    /// Ended by the clock.
    pub truncated: bool,
    /// The action was not possible.
    pub invalid: bool,
    /// Ticks it took; 0 after the end.
    pub dt: u16,
    /// The action carried out; 6 for one out of range, -1 after the end.
    pub action: i16,
    /// Whether the ship still exists: 0 on the step that loses it.
    pub survival: f32,
    /// [`event`] bits.
    pub events: u32,
    /// [`touched`] bits.
    pub touched: u8,
}

impl Turn {
    /// A turn about to be played.
    pub const fn of(action: i16) -> Self {
        Self {
            reward: 0.0,
            terms: [0.0; TERMS_MAX],
            terminated: false,
            truncated: false,
            invalid: false,
            dt: 1,
            action,
            survival: 1.0,
            events: 0,
            touched: 0,
        }
    }

    /// The reply to a step after the end: nothing happens.
    pub const fn after_the_end() -> Self {
        Self { terminated: true, invalid: true, dt: 0, ..Self::of(-1) }
    }
}
