//! Which weapon may be fired at which contact. Masks, observations and fire control ask here, so
//! that what is offered is what is accepted.
//!
//! Everything is read from the ship itself and its own contact table, nothing from what is really
//! there.

use crate::condition::Output;
use crate::sensing::source;
use crate::setup::Setup;
use crate::state::{Mounts, Ships, State, flag};
use crate::tables::{Guidance, Reach, Weapon, WeaponGroup};

/// The part of a hull a weapon needs.
#[must_use]
pub fn part_of(group: WeaponGroup) -> Output {
    match group {
        WeaponGroup::Gun | WeaponGroup::Auto => Output::Guns,
        WeaponGroup::Torpedo | WeaponGroup::Missile | WeaponGroup::Special => Output::Tubes,
    }
}

/// Whether a hull could fire weapons of this kind from where it is, had it a loaded mount.
#[must_use]
pub fn allows(ships: &Ships, ship: usize, weapon: &Weapon) -> bool {
    ships.fights(ship)
        && !ships.in_transition(ship)
        && ships.flags[ship] & flag::WEAPONS_LOST == 0
        && ships.output[ship][part_of(weapon.group) as usize] > 0.0
        && (weapon.fires_from.has_layer(ships.layer[ship])
            || (ships.layer[ship] == 1 && weapon.fires_from.has(Reach::POP_UP)))
}

/// Whether a mount is loaded, cool and whole.
#[inline]
#[must_use]
pub fn loaded(mounts: &Mounts, mount: usize) -> bool {
    mounts.rounds[mount] > 0 && mounts.cooldown[mount] <= 0.0 && mounts.condition[mount] > 0.0
}

/// The kinds of weapon a ship could fire in this moment: bit k for weapon k.
#[must_use]
pub fn ready_kinds(setup: &Setup, state: &State, ship: usize) -> u16 {
    let first = state.ships.mount_first[ship] as usize;
    let mut kinds = 0;
    for mount in first..first + state.ships.mount_count[ship] as usize {
        let kind = 1 << state.mounts.weapon[mount];
        if kinds & kind == 0 && loaded(&state.mounts, mount) {
            kinds |= kind;
        }
    }
    let mut ready = 0;
    for_each_kind(kinds, |kind| {
        if allows(&state.ships, ship, setup.tables.weapon(kind)) {
            ready |= 1 << kind;
        }
    });
    ready
}

/// Those of `kinds` that may be fired at the track in `row` of the table of tracks.
#[must_use]
pub fn kinds_for(setup: &Setup, state: &State, ship: usize, row: usize, kinds: u16) -> u16 {
    let tracks = &state.beliefs.tracks;
    let friend = tracks.iff[row] < 2;
    let ordnance = tracks.size[row] == 0;
    if kinds == 0 || friend || ordnance {
        return 0;
    }
    let (dx, dy) = (tracks.x[row] - state.ships.x[ship], tracks.y[row] - state.ships.y[ship]);
    let square = dx * dx + dy * dy;
    let quality = fire_quality(tracks.quality[row], tracks.sources[row]);
    let places = tracks.places[row];
    let mut open = 0;
    for_each_kind(kinds, |kind| {
        let weapon = setup.tables.weapon(kind);
        if weapon.guidance != Guidance::Trigger
            && quality >= weapon.track_min
            && square <= weapon.range_m * weapon.range_m
            && weapon.strikes.has(places)
        {
            open |= 1 << kind;
        }
    });
    open
}

/// Whether a weapon may be fired at the track in `row`.
#[must_use]
pub fn reaches(setup: &Setup, state: &State, ship: usize, row: usize, weapon: u8) -> bool {
    kinds_for(setup, state, ship, row, 1 << weapon) != 0
}

/// The quality a track has for aiming. What only friends see does for manoeuvre and torpedoes, and
/// for guns and missiles only where the link carries remote engagement.
#[inline]
#[must_use]
pub fn fire_quality(quality: u8, sources: u8) -> u8 {
    let only_linked = sources & source::SENSES == 0 && sources & source::LINK != 0;
    if only_linked && sources & source::REMOTE == 0 { quality.min(1) } else { quality }
}

/// Whether weapons of this kind need no contact: mines.
#[inline]
#[must_use]
pub fn needs_no_contact(weapon: &Weapon) -> bool {
    weapon.guidance == Guidance::Trigger
}

/// Call for every set bit, lowest first.
#[inline]
pub fn for_each_kind(mut kinds: u16, mut visit: impl FnMut(u8)) {
    while kinds != 0 {
        visit(kinds.trailing_zeros() as u8);
        kinds &= kinds - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_friends_see_aims_no_gun_without_remote_engagement() {
        assert_eq!(fire_quality(3, source::LINK), 1);
        assert_eq!(fire_quality(3, source::LINK | source::REMOTE), 3);
        assert_eq!(fire_quality(2, source::RADAR | source::LINK), 2);
        assert_eq!(fire_quality(0, source::LINK), 0);
    }
}
