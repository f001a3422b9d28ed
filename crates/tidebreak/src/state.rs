//! Everything that changes in a battle.
//!
//! Ships never leave their table: row = id = position in the canonical order of the package, and a
//! hull that is lost has a fate. Whatever is spawned (rounds, decoys, mines, squadrons) takes the
//! next id and leaves its table when it ends.

use astrarium_morphospace::Space;
use serde::{Deserialize, Serialize};

use crate::columns::table;
use crate::orders::Order;

/// No entity.
pub const NOBODY: u32 = u32::MAX;
/// Rows of one ship's contact table.
pub const TRACKS: usize = 32;
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
        /// Who did most of the harm of the last harmful tick.
        last_harmer: u32,
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
        /// Taken by a captor.
        seized: u16,
        /// Seconds until ready.
        cooldown: f32,
        /// 0..1.
        condition: f32,
    }
}

table! {
    /// Shells, torpedoes, missiles, rockets, charges in flight.
    Rounds of Round {
        /// Never used again.
        id: u32,
        /// Row of the ship that fired.
        shooter: u32,
        /// Its team.
        team: u8,
        /// Row in the table of weapons.
        weapon: u8,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// Metres a second.
        vx: f32,
        /// Metres a second.
        vy: f32,
        /// See [`Layer`]; 3 in the air.
        layer: u8,
        /// The layer its warhead acts in.
        at_layer: u8,
        /// Seconds since launch.
        age: f32,
        /// Metres it may still run.
        run_left: f32,
        /// Where it was aimed.
        aim_x: f32,
        /// Where it was aimed.
        aim_y: f32,
        /// Metres from launch to aim point.
        aim_range: f32,
        /// Entity its seeker holds, or [`NOBODY`].
        locked: u32,
        /// The shooter's mount, for credit.
        mount: u32,
        /// Event of its launch.
        cause: u64,
        /// Root of the causal chain.
        trace: u64,
    }
}

table! {
    /// Noise makers that seekers take for hulls.
    Decoys of Decoy {
        /// Never used again.
        id: u32,
        /// Row of the ship that dropped it.
        ship: u32,
        /// Its team.
        team: u8,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// See [`Layer`].
        layer: u8,
        /// Seconds left.
        life: f32,
        /// Root of the causal chain.
        trace: u64,
    }
}

table! {
    /// Laid mines.
    Mines of Mine {
        /// Never used again.
        id: u32,
        /// Row of the ship that laid it.
        ship: u32,
        /// Its team.
        team: u8,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// See [`Layer`].
        layer: u8,
        /// Seconds until armed.
        arming: f32,
        /// Event of its laying.
        cause: u64,
        /// Root of the causal chain.
        trace: u64,
    }
}

table! {
    /// Groups of craft, aboard or in the air.
    Squadrons of Squadron {
        /// Never used again.
        id: u32,
        /// Row of the carrier it came with.
        carrier: u32,
        /// Row of the ship it flies from and lands on: another one once its carrier is lost.
        deck: u32,
        /// Its team.
        team: u8,
        /// Craft of the package.
        craft_in: u16,
        /// Craft that fly or lie aboard.
        craft: u16,
        /// Craft without a deck to land on.
        stranded: u16,
        /// 0 cap, 1 strike, 2 scout, 3 antisubmarine.
        mission: u8,
        /// 0 aboard, 1 launching, 2 flying, 3 returning, 4 recovering, 5 gone.
        stage: u8,
        /// Seconds left of launching or recovering.
        timer: f32,
        /// Seconds of flight left.
        endurance: f32,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// Radians.
        heading: f32,
        /// Hit points of the craft that leads.
        hp: f32,
        /// Craft that still carry their bomb.
        armed: u16,
        /// Track of the carrier it is sent at, as a position.
        goal_x: f32,
        /// Metres.
        goal_y: f32,
        /// Root of the causal chain.
        trace: u64,
    }
}

table! {
    /// What each ship believes: `TRACKS` rows a ship, the first `Beliefs::used[ship]` of them valid.
    Tracks of Track {
        /// What is followed; never shown outside the arena.
        entity: u32,
        /// The number its owner knows it by, rising.
        number: u32,
        /// Estimate, metres.
        x: f32,
        /// Estimate, metres.
        y: f32,
        /// Estimate, metres a second.
        vx: f32,
        /// Estimate, metres a second.
        vy: f32,
        /// Standard error, metres.
        sigma: f32,
        /// 0..3.
        quality: u8,
        /// Ticks of fire-control measurements in a row.
        held: u16,
        /// Ticks since last seen or heard of.
        age: u16,
        /// Ticks since a measurement that was worth its quality.
        stale: u16,
        /// Layer if known, else 255.
        layer: u8,
        /// Where it can be struck as far as known, as bits of [`crate::tables::Reach`]; 0 unknown.
        places: u8,
        /// 0 ordnance, 1 craft, 2.. small to extra large.
        size: u8,
        /// 0..1.
        class_confidence: f32,
        /// 0 authenticated, 1 assumed, 2 unknown, 3 suspect, 4 hostile.
        iff: u8,
        /// Where the last news came from; see [`crate::sensing::source`].
        sources: u8,
        /// The bearing of the first passive cue, radians, or something beyond pi for none.
        cue: f32,
    }
}

/// The contact tables and what links carry between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beliefs {
    /// `TRACKS` rows for every ship.
    pub tracks: Tracks,
    /// Valid rows of each ship.
    pub used: Vec<u8>,
    /// The next track number of each ship.
    pub next_number: Vec<u32>,
    /// Each ship's contacts in the order it was last shown them: rows of its own table.
    pub shown: Vec<[u8; 16]>,
    /// How many of those are valid.
    pub shown_count: Vec<u8>,
    /// On their way over the links, to be read in the next tick.
    pub links: Links,
}

table! {
    /// Updates sent in the last tick.
    Links of Link {
        /// Row of the ship that sent.
        from: u32,
        /// Its team.
        team: u8,
        /// The entity told of.
        entity: u32,
        /// Estimate, metres.
        x: f32,
        /// Estimate, metres.
        y: f32,
        /// Estimate, metres a second.
        vx: f32,
        /// Estimate, metres a second.
        vy: f32,
        /// Standard error, metres.
        sigma: f32,
        /// 0..3.
        quality: u8,
        /// Layer if known, else 255.
        layer: u8,
        /// As in tracks.
        places: u8,
        /// As in tracks.
        size: u8,
        /// As in tracks.
        iff: u8,
        /// Tier of the sender's link.
        tier: u8,
    }
}

table! {
    /// Changes of a figure for a while.
    Modifiers of Modifier {
        /// The entity.
        target: u32,
        /// Which figure: speed, accel, turn, radar, sonar, dispersion, cooldown.
        stat: u8,
        /// 0 add, 1 multiply, 2 set.
        op: u8,
        /// By how much.
        value: f32,
        /// Ticks left.
        ttl: u16,
        /// Who applied it.
        source: u32,
        /// Root of the causal chain.
        trace: u64,
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

/// Counters of a whole battle, for summaries. All are facts, none is read by a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Tally {
    pub shots: u32,
    pub hits: u32,
    pub kills: u32,
    pub captures: u32,
    pub surrenders: u32,
    pub transitions: u32,
    pub botched: u32,
    pub collisions: u32,
    pub detections: u32,
    pub rejected_orders: u32,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// 0 running, 1 decided, 2 objective settled, 3 out of time.
    pub ended_by: u8,
    /// Row of the winning team, or 255 for none.
    pub winner: u8,
}

/// The whole battle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Of the battle.
    pub seed: u64,
    /// Tactical ticks since the start; one second each.
    pub tick: u32,
    /// Substeps since the start.
    pub substep: u64,
    /// What the next spawned entity is called.
    pub next_id: u32,
    /// Hulls.
    pub ships: Ships,
    /// Weapons.
    pub mounts: Mounts,
    /// In flight.
    pub rounds: Rounds,
    /// Noise makers.
    pub decoys: Decoys,
    /// Laid.
    pub mines: Mines,
    /// Craft.
    pub squadrons: Squadrons,
    /// What each ship knows.
    pub beliefs: Beliefs,
    /// Changes of figures.
    pub modifiers: Modifiers,
    /// Base weather.
    pub sky: Sky,
    /// Moving storms.
    pub storms: Storms,
    /// What waits to be stamped into the fields.
    pub marks: Marks,
    /// Temperature, noise, smoke and the rest.
    pub fields: Space,
    /// Value of each team at the start and what it has left.
    pub team_value: Vec<[f64; 2]>,
    /// Damage that nobody did: weather, ground, and fires nobody set.
    pub dealt_by_nature: f64,
    /// Progress of each ship's objective, 0..1, and whether it is settled (1 met, -1 failed).
    pub objectives: Vec<[f32; 2]>,
    /// Reward terms of this tick, twelve a ship.
    pub terms: Vec<[f32; 12]>,
    /// The orders each ship carries out, by ship; kept until somebody gives others.
    pub orders: Vec<Order>,
    /// Counters.
    pub tally: Tally,
    /// How it ended.
    pub outcome: Outcome,
    /// Events told in this tick so far, kept or not; begins at 0 in every tick.
    pub event_index: u32,
}
