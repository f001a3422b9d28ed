//! Which mounts fire at what: at the track that is aimed at, or by themselves at what comes near.

use crate::columns::columns;
use crate::engagement::{fire_quality, part_of};
use crate::grid::Grid;
use crate::orders::Order;
use crate::plugins::point_defence;
use crate::proposals::{FireWeapon, Origin, Plugin, PointDefence, UseUtility};
use crate::setup::Setup;
use crate::state::{Layer, Mounts, Rounds, Ships, Squadrons, State, TRACKS, Tracks};
use crate::tables::{Guidance, Reach, Weapon, WeaponGroup};

/// What fire control reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) setup: &'a Setup,
    orders: &'a [Order],
    pub(super) ships: ShipView<'a>,
    pub(super) mounts: MountView<'a>,
    pub(super) tracks: TrackView<'a>,
    /// Valid rows of each ship's contact table.
    pub(super) used: &'a [u8],
    pub(super) rounds: RoundView<'a>,
    pub(super) squadrons: SquadronView<'a>,
}

columns! {
    /// The columns of hulls that fire control reads.
    pub(super) ShipView of Ships {
        fate: u8,
        team: u8,
        x: f32,
        y: f32,
        layer: u8,
        transition_length: f32,
        popup: f32,
        output: [f32; 6],
        target_slot: u8,
        mount_first: u32,
        mount_count: u32,
        order_event: u64,
    }
}

columns! {
    /// The columns of mounts that fire control reads.
    pub(super) MountView of Mounts {
        ship: u32,
        weapon: u8,
        rounds: u16,
        cooldown: f32,
        condition: f32,
    }
}

columns! {
    /// The columns of contact tables that fire control reads.
    pub(super) TrackView of Tracks {
        entity: u32,
        x: f32,
        y: f32,
        vx: f32,
        vy: f32,
        quality: u8,
        layer: u8,
        places: u8,
        size: u8,
        iff: u8,
        sources: u8,
    }
}

columns! {
    /// The columns of rounds that point defence reads.
    pub(super) RoundView of Rounds {
        id: u32,
        team: u8,
        weapon: u8,
        x: f32,
        y: f32,
    }
}

columns! {
    /// The columns of squadrons that point defence reads.
    pub(super) SquadronView of Squadrons {
        id: u32,
        team: u8,
        stage: u8,
        x: f32,
        y: f32,
    }
}

/// What fire control may ask for.
#[derive(Debug)]
pub struct Wishes<'a> {
    /// Shots that were ordered.
    pub fire: &'a mut Vec<FireWeapon>,
    /// Shots that need no order.
    pub point_defence: &'a mut Vec<PointDefence>,
    /// Going shallow for a launch.
    pub utilities: &'a mut Vec<UseUtility>,
}

impl<'a> View<'a> {
    /// Of the world as it stands.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State) -> Self {
        Self {
            setup,
            orders: &state.orders,
            ships: ShipView::of(&state.ships),
            mounts: MountView::of(&state.mounts),
            tracks: TrackView::of(&state.beliefs.tracks),
            used: &state.beliefs.used,
            rounds: RoundView::of(&state.rounds),
            squadrons: SquadronView::of(&state.squadrons),
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
            || (weapon.rounds_per_hull && spare_of(&self.mounts.magazines(), mount).is_some())
    }

    /// Where a ready mount would have to aim to strike a track, if it can reach it at all.
    #[must_use]
    pub fn solution(&self, mount: usize, track: usize) -> Option<(f32, f32)> {
        let ship = self.mounts.ship[mount] as usize;
        let weapon = self.setup.tables.weapon(self.mounts.weapon[mount]);
        let tracks = &self.tracks;
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

impl<'a> MountView<'a> {
    fn magazines(&self) -> Magazines<'a> {
        Magazines { ship: self.ship, weapon: self.weapon, rounds: self.rounds }
    }
}

/// Which mounts belong together, and what is in them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Magazines<'a> {
    ship: &'a [u32],
    weapon: &'a [u8],
    rounds: &'a [u16],
}

impl<'a> Magazines<'a> {
    /// Of all mounts.
    pub(crate) fn of(mounts: &'a Mounts) -> Self {
        Self { ship: &mounts.ship, weapon: &mounts.weapon, rounds: &mounts.rounds }
    }
}

/// Another mount of the same hull and weapon that still has rounds.
pub(crate) fn spare_of(mounts: &Magazines<'_>, mount: usize) -> Option<usize> {
    let (ship, weapon) = (mounts.ship[mount], mounts.weapon[mount]);
    // Mounts of one hull are neighbours, so both walks end at its neighbours' mounts.
    let same = |&other: &usize| mounts.weapon[other] == weapon && mounts.rounds[other] > 0;
    let aboard = |&other: &usize| mounts.ship[other] == ship;
    let before = (0..mount).rev().take_while(aboard).find(same);
    before.or_else(|| (mount + 1..mounts.ship.len()).take_while(aboard).find(same))
}

/// Ask for every shot that is ordered and possible, then for those that need no order.
pub fn propose(view: &View<'_>, grid: &Grid, out: &mut Wishes<'_>) {
    for ship in 0..view.ships.fate.len() {
        if view.orders[ship].fire != 0 && view.ships.fate[ship] == 0 {
            ordered(view, ship, out);
        }
    }
    point_defence::propose(view, grid, out.point_defence);
}

fn ordered(view: &View<'_>, ship: usize, out: &mut Wishes<'_>) {
    let fire = view.orders[ship].fire;
    let event = view.ships.order_event[ship];
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
        let spread = view.setup.tables.weapons.torpedo_spread;
        let side = if (*tubes).is_multiple_of(2) { -spread } else { spread };
        let step = tubes.div_ceil(2) as f32 * side;
        let (dx, dy) = (aim.0 - here.0, aim.1 - here.1);
        aim = (aim.0 - dy * step, aim.1 + dx * step);
        *tubes += 1;
    }
    let known = view.tracks.layer[ship * TRACKS + usize::from(track)];
    let at_layer = if known > 2 { view.ships.layer[ship] } else { known };
    Some((aim, at_layer, track))
}
