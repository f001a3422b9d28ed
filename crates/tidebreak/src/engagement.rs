//! Which weapon may be fired at which contact. Masks, observations and fire control ask here, so
//! that what is offered is what is accepted.
//!
//! Everything is read from the ship itself and its own contact table, nothing from what is really
//! there.

use crate::condition::Output;
use crate::sensing::source;
use crate::setup::Setup;
use crate::state::{Layer, Ships, State};
use crate::tables::{Guidance, Reach, Weapon, WeaponGroup};

/// The part of a hull a weapon needs.
#[must_use]
pub fn part_of(group: WeaponGroup) -> Output {
    match group {
        WeaponGroup::Gun | WeaponGroup::Auto => Output::Guns,
        WeaponGroup::Torpedo | WeaponGroup::Missile | WeaponGroup::Special => Output::Tubes,
    }
}

/// Whether a hull could fire weapons of this kind from where it is, had it a loaded mount. A pop-up
/// weapon may be ordered from below: the first order brings the hull up, and while it comes up, and
/// after the shot, there is nothing to order.
#[must_use]
pub fn allows(setup: &Setup, ships: &Ships, ship: usize, weapon: &Weapon) -> bool {
    if !ships.fights(ship)
        || ships.in_transition(ship)
        || ships.output[ship][part_of(weapon.group) as usize] <= 0.0
    {
        return false;
    }
    let popup = ships.popup[ship];
    weapon.fires_from.has_layer(ships.layer[ship])
        || (ships.layer[ship] == Layer::Submerged as u8
            && weapon.fires_from.has(Reach::POP_UP)
            && (popup == 0.0 || popup >= setup.tables.layers.pop_up.shallow_s))
}

/// The kinds of weapon a ship could fire in this moment: bit k for weapon k.
#[must_use]
pub fn ready_kinds(setup: &Setup, state: &State, ship: usize) -> u16 {
    let mounts = &state.mounts;
    let first = state.ships.mount_first[ship] as usize;
    let (mut cool, mut stocked, mut both) = (0_u16, 0_u16, 0_u16);
    for mount in first..first + state.ships.mount_count[ship] as usize {
        let kind = 1 << mounts.weapon[mount];
        let is_cool = mounts.cooldown[mount] <= 0.0 && mounts.condition[mount] > 0.0;
        let has_rounds = mounts.rounds[mount] > 0;
        cool |= if is_cool { kind } else { 0 };
        stocked |= if has_rounds { kind } else { 0 };
        both |= if is_cool && has_rounds { kind } else { 0 };
    }
    let mut ready = 0;
    for_each_kind(cool & stocked, |kind| {
        let weapon = setup.tables.weapon(kind);
        // Tubes of one hull share their torpedoes.
        let loaded = both & (1 << kind) != 0 || weapon.rounds_per_hull;
        if loaded && allows(setup, &state.ships, ship, weapon) {
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
        if !matches!(weapon.guidance, Guidance::Trigger | Guidance::Automatic)
            && quality >= weapon.track_min
            && square <= weapon.range_m * weapon.range_m
            && weapon.strikes.has(places)
        {
            open |= 1 << kind;
        }
    });
    open
}

/// The quality a track has for aiming. What only friends see does for manoeuvre and torpedoes, and
/// for guns and missiles only where the link carries remote engagement.
#[inline]
#[must_use]
pub fn fire_quality(quality: u8, sources: u8) -> u8 {
    let only_linked = sources & source::SENSES == 0 && sources & source::LINK != 0;
    if only_linked && sources & source::REMOTE == 0 { quality.min(1) } else { quality }
}

/// Those of `kinds` that need no contact: mines.
#[must_use]
pub fn kinds_for_nothing(setup: &Setup, kinds: u16) -> u16 {
    let mut open = 0;
    for_each_kind(kinds, |kind| {
        if setup.tables.weapon(kind).guidance == Guidance::Trigger {
            open |= 1 << kind;
        }
    });
    open
}

/// The fire buttons behind `kinds`: bit g for group g, point defence left out.
#[must_use]
pub fn groups_of(setup: &Setup, kinds: u16) -> u8 {
    let mut groups = 0;
    for_each_kind(kinds, |kind| groups |= 1 << setup.tables.weapon(kind).group as u8);
    groups & 0b1111
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
