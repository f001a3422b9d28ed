//! Which mounts fire at what: at the track that is aimed at, or by themselves at what comes near.

use crate::engagement::{fire_quality, part_of};
use crate::orders::Order;
use crate::plugins::point_defence;
use crate::proposals::{FireWeapon, Origin, Plugin, Proposals, UseUtility};
use crate::setup::Setup;
use crate::state::{Beliefs, Layer, Mounts, Rounds, Ships, Squadrons, State, TRACKS};
use crate::tables::{Guidance, Reach, Weapon, WeaponGroup};

/// Angle between two torpedoes of one spread, radians.
const SPREAD: f32 = 0.035;

/// What fire control reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) setup: &'a Setup,
    orders: &'a [Order],
    pub(super) ships: ShipView<'a>,
    pub(super) mounts: &'a Mounts,
    pub(super) beliefs: &'a Beliefs,
    pub(super) rounds: &'a Rounds,
    pub(super) squadrons: &'a Squadrons,
    order_event: &'a [u64],
}

/// The columns of hulls that fire control reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShipView<'a> {
    pub(super) fate: &'a [u8],
    pub(super) team: &'a [u8],
    pub(super) x: &'a [f32],
    pub(super) y: &'a [f32],
    pub(super) layer: &'a [u8],
    transition_length: &'a [f32],
    popup: &'a [f32],
    output: &'a [[f32; 6]],
    target_slot: &'a [u8],
    pub(super) mount_first: &'a [u32],
    pub(super) mount_count: &'a [u32],
}

impl<'a> View<'a> {
    /// Of the world as it stands, and the order events of this tick.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State, order_event: &'a [u64]) -> Self {
        let Ships {
            fate,
            team,
            x,
            y,
            layer,
            transition_length,
            popup,
            output,
            target_slot,
            mount_first,
            mount_count,
            ..
        } = &state.ships;
        let ships = ShipView {
            fate,
            team,
            x,
            y,
            layer,
            transition_length,
            popup,
            output,
            target_slot,
            mount_first,
            mount_count,
        };
        Self {
            setup,
            orders: &state.orders,
            ships,
            mounts: &state.mounts,
            beliefs: &state.beliefs,
            rounds: &state.rounds,
            squadrons: &state.squadrons,
            order_event,
        }
    }

    /// Where a hull may fire from, as bits of [`Reach`]; nowhere while it changes its layer.
    fn fires_from(&self, ship: usize) -> u8 {
        if self.ships.transition_length[ship] > 0.0 || self.ships.fate[ship] != 0 {
            return 0;
        }
        let shallow = self.ships.popup[ship] >= self.setup.tables.layers.pop_up.shallow_s;
        (1 << self.ships.layer[ship]) | if shallow { Reach::POP_UP } else { 0 }
    }

    /// Whether a mount could fire now, were there anything to fire at.
    #[must_use]
    pub fn ready(&self, mount: usize) -> bool {
        let ship = self.mounts.ship[mount] as usize;
        let weapon = self.setup.tables.weapon(self.mounts.weapon[mount]);
        weapon.fires_from.has(self.fires_from(ship))
            && self.mounts.cooldown[mount] <= 0.0
            && self.mounts.condition[mount] > 0.0
            && self.ships.output[ship][part_of(weapon.group) as usize] > 0.0
            && self.loaded(mount, weapon)
    }

    /// Whether a mount has a round, or its hull has one for it.
    fn loaded(&self, mount: usize, weapon: &Weapon) -> bool {
        self.mounts.rounds[mount] > 0
            || (weapon.rounds_per_hull && spare_of(self.mounts, mount).is_some())
    }

    /// Where a ready mount would have to aim to strike a track, if it can reach it at all.
    #[must_use]
    pub fn solution(&self, mount: usize, track: usize) -> Option<(f32, f32)> {
        let ship = self.mounts.ship[mount] as usize;
        let weapon = self.setup.tables.weapon(self.mounts.weapon[mount]);
        let tracks = &self.beliefs.tracks;
        let row = ship * TRACKS + track;
        let friendly = tracks.iff[row] < 2;
        let ordnance = tracks.size[row] == 0;
        let quality = fire_quality(tracks.quality[row], tracks.sources[row]);
        if friendly || ordnance || quality < weapon.track_min {
            return None;
        }
        if !weapon.strikes.has(tracks.places[row]) {
            return None;
        }
        if weapon.guidance == Guidance::Trigger || weapon.guidance == Guidance::Automatic {
            return None;
        }
        let (own_x, own_y) = (self.ships.x[ship], self.ships.y[ship]);
        let (x, y) = (tracks.x[row], tracks.y[row]);
        let (vx, vy) = (tracks.vx[row], tracks.vy[row]);
        let range_to =
            |x: f32, y: f32| ((x - own_x) * (x - own_x) + (y - own_y) * (y - own_y)).sqrt();
        if range_to(x, y) > weapon.range_m {
            return None;
        }
        let mut aim = (x, y);
        for _ in 0..3 {
            let time = range_to(aim.0, aim.1) / weapon.speed;
            aim = (x + vx * time, y + vy * time);
        }
        Some(aim)
    }
}

/// Another mount of the same hull and weapon that still has rounds.
pub(crate) fn spare_of(mounts: &Mounts, mount: usize) -> Option<usize> {
    let (ship, weapon) = (mounts.ship[mount], mounts.weapon[mount]);
    // Mounts of one hull are neighbours, so both walks end at its neighbours' mounts.
    let same = |&other: &usize| mounts.weapon[other] == weapon && mounts.rounds[other] > 0;
    let aboard = |&other: &usize| mounts.ship[other] == ship;
    let before = (0..mount).rev().take_while(aboard).find(same);
    before.or_else(|| (mount + 1..mounts.len()).take_while(aboard).find(same))
}

/// Ask for every shot that is ordered and possible, then for those that need no order.
pub fn propose(view: &View<'_>, grid: &crate::grid::Grid, out: &mut Proposals) {
    for ship in 0..view.ships.fate.len() {
        if view.orders[ship].fire != 0 && view.ships.fate[ship] == 0 {
            ordered(view, ship, out);
        }
    }
    point_defence::propose(view, grid, out);
}

fn ordered(view: &View<'_>, ship: usize, out: &mut Proposals) {
    let fire = view.orders[ship].fire;
    let event = view.order_event[ship];
    let mut origin = Origin {
        source: ship as u32,
        plugin: Plugin::FireControl,
        sequence: 0,
        cause: event,
        trace: event,
    };
    let first = view.ships.mount_first[ship] as usize;
    let mut tubes = 0;
    for mount in first..first + view.ships.mount_count[ship] as usize {
        let weapon = view.setup.tables.weapon(view.mounts.weapon[mount]);
        if weapon.group == WeaponGroup::Auto || fire & (1 << weapon.group as u8) == 0 {
            continue;
        }
        if weapon.group == WeaponGroup::Missile && goes_shallow(view, ship, mount) {
            out.utilities.push(UseUtility { origin, ship: ship as u32, what: 6 });
            continue;
        }
        if !view.ready(mount) {
            continue;
        }
        if let Some((aim, at_layer, track)) = aimed(view, ship, mount, &mut tubes) {
            out.fire.push(FireWeapon { origin, mount: mount as u32, track, aim, at_layer });
            origin.sequence += 1;
        }
    }
}

/// Whether a submerged hull has to come up before this mount can fire.
fn goes_shallow(view: &View<'_>, ship: usize, mount: usize) -> bool {
    view.ships.layer[ship] == Layer::Submerged as u8
        && view.ships.popup[ship] == 0.0
        && view.mounts.rounds[mount] > 0
        && view.ships.transition_length[ship] <= 0.0
}

/// Where a mount fires in this tick, in which layer it acts, and by which track.
fn aimed(
    view: &View<'_>,
    ship: usize,
    mount: usize,
    tubes: &mut u32,
) -> Option<((f32, f32), u8, u8)> {
    let weapon = view.setup.tables.weapon(view.mounts.weapon[mount]);
    let here = (view.ships.x[ship], view.ships.y[ship]);
    if weapon.guidance == Guidance::Trigger {
        return Some((here, view.ships.layer[ship], u8::MAX));
    }
    let track = view.ships.target_slot[ship];
    if track == u8::MAX {
        return None;
    }
    let mut aim = view.solution(mount, usize::from(track))?;
    if weapon.group == WeaponGroup::Torpedo {
        // 0, +1, -1, +2, … steps to the side, so that a spread covers what the target may do.
        let step =
            (tubes.div_ceil(2)) as f32 * if (*tubes).is_multiple_of(2) { -SPREAD } else { SPREAD };
        let (dx, dy) = (aim.0 - here.0, aim.1 - here.1);
        aim = (aim.0 - dy * step, aim.1 + dx * step);
        *tubes += 1;
    }
    let known = view.beliefs.tracks.layer[ship * TRACKS + usize::from(track)];
    let at_layer = if known > 2 { view.ships.layer[ship] } else { known };
    Some((aim, at_layer, track))
}
