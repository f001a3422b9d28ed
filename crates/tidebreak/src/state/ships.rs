//! Hulls, what befalls them, and the weapons they carry.

use serde::{Deserialize, Serialize};

use crate::columns::table;

/// Parts of a hull: tier 1 uses the first six (propulsion, power, sensors, guns, tubes, deck), tier
/// 2 all eight compartments.
pub const PARTS: usize = 8;
/// Causes of damage that ledgers tell apart; see [`Cause`].
pub const CAUSES: usize = 12;

/// Surface, submerged, abyssal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Layer {
    #[default]
    Surface = 0,
    Submerged = 1,
    Abyssal = 2,
}

/// How a hull ended the battle, or that it has not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Fate {
    #[default]
    Operational = 0,
    Disabled = 1,
    Destroyed = 2,
    Scuttled = 3,
    Surrendered = 4,
    Captured = 5,
    /// Left the map with leave to do so; counts as operational in results.
    Exited = 6,
}

/// What did the damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Cause {
    Gun = 0,
    Torpedo = 1,
    Missile = 2,
    Special = 3,
    Mine = 4,
    PointDefence = 5,
    Squadron = 6,
    Collision = 7,
    Terrain = 8,
    Weather = 9,
    FireAndFlooding = 10,
    Transition = 11,
}

/// Bits of `Ships::flags`.
pub mod flag {
    #![allow(missing_docs, reason = "the names say it")]
    pub const MOBILITY_LOST: u16 = 1;
    pub const WEAPONS_LOST: u16 = 1 << 1;
    pub const SENSORS_LOST: u16 = 1 << 2;
    pub const ON_FIRE: u16 = 1 << 3;
    pub const FLOODING: u16 = 1 << 4;
    pub const SURRENDERED: u16 = 1 << 5;
    pub const DESTROYED: u16 = 1 << 6;
    /// May leave the map (objective EVADE or DELIVER).
    pub const MAY_EXIT: u16 = 1 << 7;
    pub const FLAGSHIP: u16 = 1 << 8;
    /// Pinged in this tick.
    pub const PINGING: u16 = 1 << 9;
}

table! {
    /// Hulls and platforms.
    Ships of Ship {
        /// Row in the package's teams.
        team: u8,
        /// Row in the table of hulls.
        hull: u8,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// Radians in [-pi, pi), counter-clockwise from +x.
        heading: f32,
        /// Cosine and sine of the heading, which follows from them: turned as a pair, so that a
        /// battle in a mirror is the mirror of the battle to the last bit.
        bow: (f32, f32),
        /// Metres a second, along the bow.
        surge: f32,
        /// Metres a second, to port.
        sway: f32,
        /// Radians a second.
        yaw_rate: f32,
        /// Set-point -0.3..1.
        throttle: f32,
        /// Set-point -1..1.
        rudder: f32,
        /// See [`Layer`].
        layer: u8,
        /// Where a transition leads, or the layer itself.
        layer_next: u8,
        /// Seconds of the transition spent.
        transition_spent: f32,
        /// Seconds the transition takes in all; 0 when there is none.
        transition_length: f32,
        /// Seconds a submerged hull has lain shallow for a launch; below 0 the exposure after it that
        /// is left. Anything but 0 means it can be struck as a surface hull.
        popup: f32,
        /// 0 silent, 1 passive, 2 active.
        emission: u8,
        /// Where damage-control teams go.
        repair: u8,
        /// Hit points.
        hp: f32,
        /// Health 0..1 of components (tier 1) or compartments (tier 2).
        parts: [f32; PARTS],
        /// What propulsion, power, sensors, guns, tubes and deck give, 0..1: follows from `parts`.
        output: [f32; 6],
        /// Sea state where the hull is, storms and zones counted.
        sea_state: f32,
        /// Kilometres of sight where the hull is.
        visibility_km: f32,
        /// Rain where the hull is: 0 none to 3 storm.
        rain: u8,
        /// Risk of lightning where the hull is, 0..1.
        lightning: f32,
        /// Wind where the hull is, metres a second.
        wind: (f32, f32),
        /// Bits: parts that burn.
        burning: u8,
        /// Bits: parts that take water.
        wet: u8,
        /// See [`flag`].
        flags: u16,
        /// See [`Fate`].
        fate: u8,
        /// The team that holds the hull now.
        holder: u8,
        /// Damage of each of the last ten ticks, as a share of the greatest hit points.
        recent_damage: [f32; 10],
        /// Ticks until sensors work again after lightning.
        blinded: u16,
        /// Crew fit, wounded, killed, captured.
        crew: [u32; 4],
        /// Marines fit, wounded, killed, captured.
        marines: [u32; 4],
        /// Passengers fit, wounded, killed, captured.
        passengers: [u32; 4],
        /// Fractions of a person carried over between ticks, so that rounding loses nobody.
        casualty_rest: [f32; 2],
        /// 0..1.
        morale: f32,
        /// 0..1.
        fatigue: f32,
        /// 0..1.
        gunnery: f32,
        /// 0..1.
        engineering: f32,
        /// Tonnes.
        fuel: f64,
        /// Tonnes burned.
        fuel_burned: f64,
        /// Decoys aboard.
        decoys: u8,
        /// Ticks until the next may be dropped.
        decoy_cooldown: u16,
        /// First row in the table of mounts.
        mount_first: u32,
        /// Rows there.
        mount_count: u32,
        /// Own sound level as others hear it, dB.
        level_db: f32,
        /// The row of the contact table aimed at, or 255.
        target_slot: u8,
        /// Damage done, to friends and itself too.
        dealt: f64,
        /// Hulls its rounds struck, counted once a round and hull.
        hits: u32,
        /// Damage taken by cause.
        taken: [f64; CAUSES],
        /// The event that did the last harm: the cause of a sinking.
        last_harm: u64,
        /// Root of the chain that event belongs to.
        last_trace: u64,
        /// Who did most of the harm of the last tick in which anybody did any.
        last_harmer: u32,
        /// The event of the order the hull carries out, which is a root, or 0 before the first.
        order_event: u64,
        /// The last event of a change of layer that is not over.
        layer_event: u64,
        /// Root of the chain that event belongs to.
        layer_trace: u64,
        /// Rounds fired so far: with the shooter's row the name of each round.
        launched: u32,
    }
}

table! {
    /// Weapons on hulls; rows of one ship are neighbours.
    Mounts of Mount {
        /// Row of the ship.
        ship: u32,
        /// Row in the table of weapons.
        weapon: u8,
        /// Slot number in the package.
        slot: u8,
        /// Rounds left; an empty torpedo tube is loaded from the other tubes of its hull.
        rounds: u16,
        /// As the package gave them.
        loaded: u16,
        /// Fired so far.
        fired: u16,
        /// Lost with the hull or its magazine.
        lost: u16,
        /// Seconds until ready.
        cooldown: f32,
        /// 0..1.
        condition: f32,
    }
}
