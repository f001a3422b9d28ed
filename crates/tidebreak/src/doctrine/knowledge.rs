//! What a captain may know: nothing that the ship's own observation does not hold.

use crate::orders::CHOICES;

/// Contacts a ship is shown at once.
pub const CONTACTS: usize = 16;
/// Allies a ship hears from at once.
pub const ALLIES: usize = 8;
/// A layer nobody has told.
pub const UNKNOWN_LAYER: u8 = 255;
/// Gun, torpedo, missile, special: the order of the fire buttons.
pub const GROUPS: usize = 4;

/// How far radar sees hulls of each size, small to extra large, as captains remember it.
const RADAR_FACTORS: [f32; 4] = [0.8, 1.0, 1.3, 2.0];

/// Fire buttons by name.
pub mod group {
    #![allow(missing_docs, reason = "the names say it")]
    pub const GUN: usize = 0;
    pub const TORPEDO: usize = 1;
    pub const MISSILE: usize = 2;
    pub const SPECIAL: usize = 3;
}

/// The ship itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    /// Metres.
    pub x: f32,
    /// Metres.
    pub y: f32,
    /// Radians.
    pub heading: f32,
    /// Metres a second along the bow.
    pub surge: f32,
    /// Radians a second.
    pub yaw_rate: f32,
    /// Metres a second it could make in this layer.
    pub speed_max: f32,
    /// Radians a second.
    pub turn_rate: f32,
    /// 0 surface, 1 submerged, 2 abyssal.
    pub layer: u8,
    /// Whether it is between two layers.
    pub changing: bool,
    /// Whether the class can submerge at all.
    pub dives: bool,
    /// Share of the hit points left.
    pub hp: f32,
    /// See [`crate::state::flag`].
    pub flags: u16,
    /// Decoys aboard.
    pub decoys: u8,
    /// 0 small to 3 extra large.
    pub size: u8,
    /// Whether it leads its team.
    pub flagship: bool,
    /// Distance within which its own radar and eyes give fire control, against a target of radar
    /// factor 1 in this weather: radar, then sight.
    pub fire_control: [f32; 2],
}

/// All weapons of one fire button.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arm {
    /// Working mounts.
    pub mounts: u8,
    /// Mounts that could fire now.
    pub ready: u8,
    /// Rounds left.
    pub rounds: u32,
    /// Greatest range of a loaded mount.
    pub range: f32,
    /// Speed of what it fires.
    pub speed: f32,
    /// Least track quality.
    pub track_min: u8,
    /// Bits of layers it strikes; see [`crate::tables::Reach`].
    pub strikes: u8,
}

/// Somebody or something in the contact table, as last shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contact {
    /// The choice of the target head that means it.
    pub choice: u8,
    /// The number its owner knows it by.
    pub number: u32,
    /// Metres, estimated.
    pub x: f32,
    /// Metres, estimated.
    pub y: f32,
    /// Metres a second, estimated.
    pub vx: f32,
    /// Metres a second, estimated.
    pub vy: f32,
    /// Metres from the ship.
    pub range: f32,
    /// Direction from the ship, radians from +x.
    pub bearing: f32,
    /// Metres a second by which the distance shrinks.
    pub closing: f32,
    /// Standard error, metres.
    pub sigma: f32,
    /// 0 to 3.
    pub quality: u8,
    /// Ticks since last seen.
    pub age: u16,
    /// Layer, or [`UNKNOWN_LAYER`].
    pub layer: u8,
    /// 0 ordnance, 1 craft, 2 to 5 small to extra large.
    pub size: u8,
    /// Whether it is no friend.
    pub hostile: bool,
    /// Bits: fire buttons that would fire at it now.
    pub engageable: u8,
}

impl Contact {
    /// Whether it is a torpedo, a missile or the like.
    #[must_use]
    pub fn is_ordnance(&self) -> bool {
        self.size == 0
    }

    /// Whether it is a hull of the other side.
    #[must_use]
    pub fn is_enemy_hull(&self) -> bool {
        self.hostile && self.size >= 2
    }

    /// Metres a second.
    #[must_use]
    pub fn speed(&self) -> f32 {
        (self.vx * self.vx + self.vy * self.vy).sqrt()
    }
}

/// A friend that was heard from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ally {
    /// Metres.
    pub x: f32,
    /// Metres.
    pub y: f32,
    /// Share of its hit points.
    pub hp: f32,
    /// 0 small to 3 extra large.
    pub size: u8,
    /// 0 surface, 1 submerged, 2 abyssal.
    pub layer: u8,
    /// Flagship, or something to be protected.
    pub precious: bool,
}

/// The water and the sky around the ship.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings {
    /// Least and greatest x, then y, of the map.
    pub bounds: [f32; 4],
    /// Ticks left.
    pub ticks_left: u32,
    /// 0 to 9.
    pub sea_state: f32,
    /// Whether the ship may submerge here.
    pub may_submerge: bool,
    /// Distance to the nearest obstacle and the direction of it; far beyond any map without one.
    pub obstacle: (f32, f32),
}

/// What the ship was sent for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Task {
    /// Where its target is believed to be.
    pub target: Option<(f32, f32)>,
    /// The place it shall go to.
    pub destination: Option<(f32, f32)>,
    /// What it shall keep company with.
    pub asset: Option<(f32, f32)>,
    /// Whether leaving the map is what it was sent for.
    pub may_exit: bool,
}

/// Everything a doctrine decides by.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// Of the battle: draws of doctrines come from its own stream.
    pub seed: u64,
    /// Row of the ship.
    pub ship: u32,
    /// Seconds since the start.
    pub tick: u32,
    /// The ship itself.
    pub own: Own,
    /// Weapons by fire button.
    pub arms: [Arm; GROUPS],
    /// The first `contact_count` are valid, in the order they are shown.
    pub contacts: [Contact; CONTACTS],
    /// How many.
    pub contact_count: usize,
    /// The first `ally_count` are valid.
    pub allies: [Ally; ALLIES],
    /// How many.
    pub ally_count: usize,
    /// The water around.
    pub around: Surroundings,
    /// What it was sent for.
    pub task: Task,
    /// What is legal.
    pub mask: [u8; CHOICES],
}

impl Sight {
    /// Contacts that are shown.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts[..self.contact_count]
    }

    /// Whether all the ship can do is go where it was sent: it has no working weapon and a way out.
    #[must_use]
    pub fn runs(&self) -> bool {
        self.task.may_exit && self.arms.iter().all(|arm| arm.mounts == 0)
    }

    /// Friends heard from.
    #[must_use]
    pub fn allies(&self) -> &[Ally] {
        &self.allies[..self.ally_count]
    }

    /// Whether a weapon of `group`, loaded or not, could be fired at the contact once it is ready.
    #[must_use]
    pub fn suits(&self, group: usize, contact: &Contact) -> bool {
        let arm = &self.arms[group];
        let layer = if contact.layer == UNKNOWN_LAYER { 0 } else { contact.layer };
        arm.rounds > 0 && arm.strikes & (1 << layer) != 0
    }

    /// Whether pressing the button of `group` at the contact would fire now.
    #[must_use]
    pub fn can_fire(&self, group: usize, contact: &Contact) -> bool {
        contact.engageable & (1 << group) != 0
    }

    /// The distance from which a weapon of `group` can be used on the contact by this ship alone.
    #[must_use]
    pub fn reach(&self, group: usize, contact: &Contact) -> f32 {
        let arm = &self.arms[group];
        if !self.suits(group, contact) {
            return 0.0;
        }
        if arm.track_min >= 2 {
            let [radar, sight] = self.own.fire_control;
            let size = usize::from(contact.size.clamp(2, 5) - 2);
            arm.range.min((radar * RADAR_FACTORS[size]).max(sight))
        } else {
            arm.range
        }
    }
}
