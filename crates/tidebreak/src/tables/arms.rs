//! Weapons, and which hull mounts which.

use serde::{Deserialize, Deserializer, Serialize};

use super::TableError;
use super::hulls::Hull;
use super::sources::{degrees, milliradians, parse, version};

/// The fire button a weapon hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum WeaponGroup {
    /// Guns, fired by order.
    Gun = 0,
    /// Torpedoes, fired by order.
    Torpedo = 1,
    /// Missiles, fired by order.
    Missile = 2,
    /// Rockets, mines and charges, fired by order.
    Special = 3,
    /// Fires by itself.
    Auto = 4,
}

/// How a weapon finds its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Guidance {
    /// Hits at once with a chance.
    Automatic = 0,
    /// Flies where it was aimed, with dispersion.
    Ballistic = 1,
    /// Turns towards what its seeker hears.
    Homing = 2,
    /// Turns ahead of what its seeker sees.
    Lead = 3,
    /// Flies to a point and bursts there.
    Point = 4,
    /// Lies until something comes near.
    Trigger = 5,
}

/// A set of places a weapon fires from or strikes at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reach(pub u8);

impl Reach {
    /// The surface; the first three bits are the layers by number.
    pub const SURFACE: u8 = 1;
    /// The submerged layer.
    pub const SUBMERGED: u8 = 2;
    /// The abyssal layer.
    pub const ABYSSAL: u8 = 4;
    /// A hull between two layers.
    pub const TRANSIT: u8 = 8;
    /// Missiles and craft.
    pub const AIR: u8 = 16;
    /// A submerged hull gone shallow to fire.
    pub const POP_UP: u8 = 32;

    /// Whether any of `places` belongs to the set.
    #[inline]
    #[must_use]
    pub const fn has(self, places: u8) -> bool {
        self.0 & places != 0
    }

    /// Whether layer `layer` (0, 1, 2) belongs to the set.
    #[inline]
    #[must_use]
    pub const fn has_layer(self, layer: u8) -> bool {
        self.0 & (1 << layer) != 0
    }
}

impl<'de> Deserialize<'de> for Reach {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut bits = 0;
        for place in Vec::<String>::deserialize(from)? {
            bits |= match place.as_str() {
                "surface" => Self::SURFACE,
                "submerged" => Self::SUBMERGED,
                "abyssal" => Self::ABYSSAL,
                "transit" => Self::TRANSIT,
                "air" => Self::AIR,
                "pop_up" => Self::POP_UP,
                other => {
                    return Err(serde::de::Error::custom(format!(
                        "unknown place \"{other}\"; known are surface, submerged, abyssal, \
                         transit, air, pop_up"
                    )));
                }
            };
        }
        Ok(Self(bits))
    }
}

/// One kind of weapon. Figures that its guidance does not use are 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weapon {
    /// Its number, equal to its place in the table.
    pub id: u8,
    /// Its name, e.g. `heavy_torpedo`.
    pub name: String,
    /// The fire button.
    pub group: WeaponGroup,
    /// Greatest range.
    #[serde(default)]
    pub range_m: f32,
    /// Seconds between two shots of a mount.
    pub cooldown_s: f32,
    /// Rounds per mount, or per hull when `rounds_per_hull`.
    pub rounds: u32,
    /// Whether the mounts of a hull share the rounds.
    #[serde(default)]
    pub rounds_per_hull: bool,
    /// Projectiles per shot.
    #[serde(default = "one")]
    pub salvo: u8,
    /// Speed of the projectile in m/s.
    #[serde(default)]
    pub speed: f32,
    /// Damage of one hit.
    pub damage: f32,
    /// Radius within which damage falls linearly to 0.
    #[serde(default)]
    pub blast_m: f32,
    /// Whether armour counts half against it.
    #[serde(default)]
    pub underwater: bool,
    /// How it finds its target.
    pub guidance: Guidance,
    /// Angular error of the shot, one sigma, in rad.
    #[serde(default, rename = "dispersion_mrad", deserialize_with = "milliradians")]
    pub dispersion: f32,
    /// How fast it turns, in rad/s.
    #[serde(default, rename = "turn_rate_deg_s", deserialize_with = "degrees")]
    pub turn_rate: f32,
    /// How far its seeker reaches.
    #[serde(default)]
    pub seeker_range_m: f32,
    /// Half of the seeker's cone, in rad.
    #[serde(default, rename = "seeker_half_angle_deg", deserialize_with = "degrees")]
    pub seeker_half_angle: f32,
    /// Chance to kill a missile or craft, per shot.
    #[serde(default)]
    pub kill_chance: f32,
    /// Distance at which it goes off by itself.
    #[serde(default)]
    pub trigger_m: f32,
    /// Seconds before it can go off.
    #[serde(default)]
    pub arm_s: f32,
    /// Where the shooter may be.
    pub fires_from: Reach,
    /// What it can hurt.
    pub strikes: Reach,
    /// Least quality of the track it is fired at; 0: needs none.
    #[serde(default)]
    pub track_min: u8,
}

const fn one() -> u8 {
    1
}

/// Decoys, of which every armed hull carries some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecoyFigures {
    /// How many an armed hull carries.
    pub per_hull: u32,
    /// Seconds between two.
    pub cooldown_s: f32,
    /// Seconds until one is spent.
    pub life_s: f32,
    /// Chance that a seeker takes it, at each new lock.
    pub seeker_chance: f32,
}

/// All weapons, and what they share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeaponTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// Seconds in which ordnance spares its shooter.
    pub shooter_safe_s: f32,
    /// Shares of the aim range between which a shell can hit.
    pub shell_window: [f32; 2],
    /// Seconds between two looks of a seeker that holds something.
    pub seeker_look_s: u32,
    /// Angle between two torpedoes of one spread, in rad.
    #[serde(rename = "torpedo_spread_mrad", deserialize_with = "milliradians")]
    pub torpedo_spread: f32,
    /// Share of its turn rate with which a torpedo circles that passed its aim without a lock.
    pub spiral_turn_share: f32,
    /// How far a missile flies, in ranges.
    pub missile_run_factor: f32,
    /// Metres a second above which what goes to a point flies instead of sinking.
    pub flies_above: f32,
    /// Decoys.
    pub decoy: DecoyFigures,
    /// Weapons by id.
    #[serde(rename = "weapon")]
    pub weapons: Vec<Weapon>,
}

/// One mount of a hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mount {
    /// The weapon's id.
    pub weapon: u8,
    /// Rounds when full.
    pub rounds: u32,
}

/// What a hull class carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Loadout {
    /// Mounts by slot.
    pub mounts: Vec<Mount>,
    /// Squadrons aboard.
    pub squadrons: u32,
    /// Craft in each of them.
    pub craft: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MountFile {
    #[serde(rename = "version", deserialize_with = "version")]
    _version: u32,
    hull: Vec<MountsOfHull>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MountsOfHull {
    hull: String,
    mounts: Vec<MountLine>,
    #[serde(default)]
    squadrons: u32,
    #[serde(default)]
    craft: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MountLine {
    weapon: String,
    count: u32,
    rounds: Option<u32>,
}

/// Reads the weapon table.
pub(super) fn read_weapons(text: &str) -> Result<WeaponTable, TableError> {
    parse("weapons", text)
}

/// Reads the mounts: one loadout per hull, in hull order.
pub(super) fn read_mounts(
    text: &str,
    hulls: &[Hull],
    weapons: &[Weapon],
) -> Result<Vec<Loadout>, TableError> {
    let file: MountFile = parse("mounts", text)?;
    let wrong = |path: String, problem: String| TableError { table: "mounts", path, problem };
    let mut loadouts = vec![None; hulls.len()];
    for (row, entry) in file.hull.into_iter().enumerate() {
        let place = hulls.iter().position(|hull| hull.name == entry.hull).ok_or_else(|| {
            wrong(format!("hull[{row}].hull"), format!("no hull is called \"{}\"", entry.hull))
        })?;
        let mut mounts = Vec::new();
        for (line, mount) in entry.mounts.iter().enumerate() {
            let weapon =
                weapons.iter().find(|weapon| weapon.name == mount.weapon).ok_or_else(|| {
                    wrong(
                        format!("hull[{row}].mounts[{line}].weapon"),
                        format!("no weapon is called \"{}\"", mount.weapon),
                    )
                })?;
            if mount.count == 0 || mount.count > 32 {
                return Err(wrong(
                    format!("hull[{row}].mounts[{line}].count"),
                    format!("{} is not between 1 and 32", mount.count),
                ));
            }
            let rounds = mount.rounds.unwrap_or(weapon.rounds);
            let rounds = if weapon.rounds_per_hull { rounds / mount.count } else { rounds };
            mounts.extend((0..mount.count).map(|_| Mount { weapon: weapon.id, rounds }));
        }
        loadouts[place] = Some(Loadout { mounts, squadrons: entry.squadrons, craft: entry.craft });
    }
    loadouts
        .into_iter()
        .zip(hulls)
        .map(|(loadout, hull)| {
            loadout.ok_or_else(|| {
                wrong("hull".to_owned(), format!("no mounts are given for \"{}\"", hull.name))
            })
        })
        .collect()
}
