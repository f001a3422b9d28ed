//! Rounds fly, seek, strike and end: each by itself, against the recorded ways of the hulls.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::resolvers::seeker;
use crate::scratch::{Hit, Scratch};
use crate::setup::Setup;
use crate::state::{Cause, NOBODY, State};
use crate::tables::{Guidance, Weapon, WeaponGroup};

/// Hulls one round can meet in one tick; a swarm closer together than that shields those behind.
const MET: usize = 64;
/// More than a hull's place shifts in a tick by current, push or contact, metres.
const MARGIN: f32 = 20.0;

/// Hulls a round may strike in this tick.
struct Near {
    rows: [u32; MET],
    count: usize,
}

/// Where and what a round struck.
struct Strike {
    place: (f32, f32),
    hull: Option<u32>,
}

/// Move every round through the tick.
pub fn resolve(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal) {
    scratch.kept.clear();
    let mut spent = false;
    for row in 0..state.rounds.len() {
        let weapon = setup.tables.weapon(state.rounds.weapon[row]);
        // Shot down before it flew on.
        let mut ends = state.rounds.run_left[row] <= 0.0;
        if !ends {
            if weapon.seeker_range_m > 0.0 {
                seeker::look(setup, state, scratch, row, weapon);
            }
            let strike = fly(setup, state, scratch, row, weapon);
            ends = strike.is_some() || state.rounds.run_left[row] <= 0.0;
            if let Some(strike) = strike {
                burst(setup, state, scratch, journal, row, &strike);
            } else if ends {
                miss(state, journal, row);
            }
        }
        spent |= ends;
        scratch.kept.push(!ends);
    }
    if spent {
        state.rounds.keep(&scratch.kept);
    }
    mines(setup, state, scratch, journal);
}

/// One round through the tick; what it struck, if anything.
fn fly(
    setup: &Setup,
    state: &mut State,
    scratch: &Scratch,
    row: usize,
    weapon: &Weapon,
) -> Option<Strike> {
    let rounds = &mut state.rounds;
    rounds.age[row] += 1.0;
    if weapon.guidance == Guidance::Ballistic {
        let [from, to] = setup.tables.weapons.shell_window;
        let flown = rounds.aim_range[row] * to - rounds.run_left[row];
        // Too high to strike anything before the window: one long stride.
        if flown + weapon.speed <= rounds.aim_range[row] * from {
            rounds.x[row] += rounds.vx[row];
            rounds.y[row] += rounds.vy[row];
            rounds.run_left[row] -= weapon.speed;
            return None;
        }
    }
    let near = hulls_near(setup, state, scratch, row, weapon);
    for substep in 0..setup.substeps as usize {
        if weapon.turn_rate > 0.0 {
            seeker::steer(setup, state, scratch, row, weapon, substep);
        }
        let rounds = &mut state.rounds;
        let stride = (weapon.speed * setup.dt).min(rounds.run_left[row]);
        let share = stride / weapon.speed;
        let from = (rounds.x[row], rounds.y[row]);
        let to = (from.0 + rounds.vx[row] * share, from.1 + rounds.vy[row] * share);
        (rounds.x[row], rounds.y[row]) = to;
        rounds.run_left[row] -= stride;
        if near.count > 0
            && armed(setup, state, row, weapon)
            && let Some(strike) = struck(setup, scratch, &near, (from, to), substep)
        {
            return Some(strike);
        }
        if ends_here(setup, state, row, weapon, to) {
            return (weapon.guidance == Guidance::Point)
                .then_some(Strike { place: to, hull: None });
        }
    }
    None
}

/// Whether the round can strike hulls on this part of its way.
fn armed(setup: &Setup, state: &State, row: usize, weapon: &Weapon) -> bool {
    match weapon.guidance {
        Guidance::Ballistic => {
            let [from, to] = setup.tables.weapons.shell_window;
            let flown = state.rounds.aim_range[row] * to - state.rounds.run_left[row];
            flown >= state.rounds.aim_range[row] * from
        }
        // What flies or sinks to a point passes over everything on its way.
        Guidance::Point => false,
        _ => true,
    }
}

fn ends_here(
    setup: &Setup,
    state: &mut State,
    row: usize,
    weapon: &Weapon,
    (x, y): (f32, f32),
) -> bool {
    let in_water = weapon.guidance == Guidance::Homing;
    if in_water && !setup.terrain.solids.is_empty() && setup.terrain.is_land(x, y) {
        state.rounds.run_left[row] = 0.0;
    }
    state.rounds.run_left[row] <= 0.0
}

fn hulls_near(
    setup: &Setup,
    state: &State,
    scratch: &Scratch,
    row: usize,
    weapon: &Weapon,
) -> Near {
    let mut near = Near { rows: [0; MET], count: 0 };
    if weapon.guidance == Guidance::Point {
        return near;
    }
    let (rounds, ships) = (&state.rounds, &state.ships);
    let (x, y) = (rounds.x[row], rounds.y[row]);
    let (mid_x, mid_y) = (x + 0.5 * rounds.vx[row], y + 0.5 * rounds.vy[row]);
    let spread = 0.5 * weapon.speed + MARGIN + setup.speed_max;
    let reach = spread + setup.radius_max;
    let spared = (rounds.age[row] <= setup.tables.weapons.shooter_safe_s)
        .then_some(rounds.shooter[row] as usize);
    scratch.grid.ships.near(mid_x, mid_y, reach, |ship| {
        let (dx, dy) = (ships.x[ship] - mid_x, ships.y[ship] - mid_y);
        let far = spread + setup.hulls[ship].radius_m;
        let open = weapon.strikes.has(ships.places(ship)) && Some(ship) != spared;
        if open && dx * dx + dy * dy <= far * far && near.count < MET {
            near.rows[near.count] = ship as u32;
            near.count += 1;
        }
    });
    near.rows[..near.count].sort_unstable();
    near
}

/// The first hull on the way from one place to the next, both moving.
fn struck(
    setup: &Setup,
    scratch: &Scratch,
    near: &Near,
    (from, to): ((f32, f32), (f32, f32)),
    substep: usize,
) -> Option<Strike> {
    let stride = setup.substeps as usize + 1;
    let mut first: Option<(f32, u32)> = None;
    for &ship in &near.rows[..near.count] {
        let way = ship as usize * stride + substep;
        let (before, after) = (scratch.paths[way], scratch.paths[way + 1]);
        let start = (from.0 - before.0, from.1 - before.1);
        let moved = (to.0 - after.0 - start.0, to.1 - after.1 - start.1);
        let radius = setup.hulls[ship as usize].radius_m;
        if let Some(time) = entry(start, moved, radius)
            && first.is_none_or(|(earliest, _)| time < earliest)
        {
            first = Some((time, ship));
        }
    }
    let (time, ship) = first?;
    let place = (from.0 + (to.0 - from.0) * time, from.1 + (to.1 - from.1) * time);
    Some(Strike { place, hull: Some(ship) })
}

/// When a point that starts at `start` and moves by `moved` first comes within `radius` of the
/// origin, as a share of the move.
fn entry(start: (f32, f32), moved: (f32, f32), radius: f32) -> Option<f32> {
    let outside = start.0 * start.0 + start.1 * start.1 - radius * radius;
    if outside <= 0.0 {
        return Some(0.0);
    }
    let square = moved.0 * moved.0 + moved.1 * moved.1;
    let inward = start.0 * moved.0 + start.1 * moved.1;
    if inward >= 0.0 || square <= 0.0 {
        return None;
    }
    let within = inward * inward - square * outside;
    if within < 0.0 {
        return None;
    }
    let time = (-inward - within.sqrt()) / square;
    (time <= 1.0).then_some(time)
}

/// What a weapon's harm counts as.
#[must_use]
pub fn cause_of(weapon: &Weapon) -> Cause {
    match (weapon.group, weapon.guidance) {
        (_, Guidance::Trigger) => Cause::Mine,
        (WeaponGroup::Gun, _) => Cause::Gun,
        (WeaponGroup::Torpedo, _) => Cause::Torpedo,
        (WeaponGroup::Missile, _) => Cause::Missile,
        (WeaponGroup::Auto, _) => Cause::PointDefence,
        (WeaponGroup::Special, _) => Cause::Special,
    }
}

/// Harm what was struck wholly and what stands near by distance.
fn burst(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    row: usize,
    strike: &Strike,
) {
    let round = state.rounds.row(row);
    let weapon = setup.tables.weapon(round.weapon);
    let blast = Blast {
        weapon,
        place: strike.place,
        hull: strike.hull,
        source: round.shooter,
        id: round.id,
        cause: round.cause,
        trace: round.trace,
        spared: (round.age <= setup.tables.weapons.shooter_safe_s).then_some(round.shooter),
        layer: if round.layer > 2 { round.at_layer } else { round.layer },
    };
    explode(setup, state, scratch, journal, &blast);
}

/// A warhead that goes off.
struct Blast<'a> {
    weapon: &'a Weapon,
    place: (f32, f32),
    hull: Option<u32>,
    source: u32,
    id: u32,
    cause: u64,
    trace: u64,
    spared: Option<u32>,
    layer: u8,
}

fn explode(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    blast: &Blast<'_>,
) {
    let (x, y) = blast.place;
    let mut shares = [(0_u32, 0.0_f32); MET];
    let mut count = 0;
    {
        let ships = &state.ships;
        let reach = blast.weapon.blast_m + setup.radius_max + MARGIN + setup.speed_max;
        scratch.grid.ships.near(x, y, reach, |ship| {
            let (dx, dy) = (ships.x[ship] - x, ships.y[ship] - y);
            let gap = (dx * dx + dy * dy).sqrt() - setup.hulls[ship].radius_m;
            let share = 1.0 - gap.max(0.0) / blast.weapon.blast_m.max(1e-3);
            let row = ship as u32;
            let open = blast.weapon.strikes.has(ships.places(ship));
            if open
                && share > 0.0
                && blast.hull != Some(row)
                && blast.spared != Some(row)
                && count < MET
            {
                shares[count] = (row, share);
                count += 1;
            }
        });
    }
    if let (Some(hull), true) = (blast.hull, count < MET) {
        shares[count] = (hull, 1.0);
        count += 1;
    }
    shares[..count].sort_unstable_by_key(|&(ship, _)| ship);
    for &(ship, share) in &shares[..count] {
        let amount = blast.weapon.damage * share;
        let (cause, trace) = (blast.cause, blast.trace);
        let plugin = Plugin::FireControl;
        let kind = Kind::Hit;
        let event =
            tell(state, journal, kind, blast.id, ship, cause, trace, (x, y), amount, plugin);
        state.tally.hits += 1;
        if let Some(hits) = state.ships.hits.get_mut(blast.source as usize) {
            *hits += 1;
        }
        scratch.hits.push(Hit {
            target: ship,
            amount,
            cause: cause_of(blast.weapon),
            source: blast.source,
            cause_event: event,
            trace,
            underwater: blast.weapon.underwater,
            direct: false,
        });
    }
    let figures = &setup.tables.fields.blast;
    let strength = (blast.weapon.damage / figures.full_damage).min(1.0);
    state.marks.push(crate::state::Mark {
        source: blast.source,
        kind: 0,
        x,
        y,
        layer: blast.layer.min(2),
        radius: blast.weapon.blast_m.max(figures.blast_min_m) * figures.radius_factor,
        strength,
    });
}

fn miss(state: &mut State, journal: &mut Journal, row: usize) {
    let round = state.rounds.row(row);
    let place = (round.x, round.y);
    let (cause, trace) = (round.cause, round.trace);
    let value = f32::from(round.weapon);
    let kind = Kind::Missed;
    tell(state, journal, kind, round.id, NOBODY, cause, trace, place, value, Plugin::FireControl);
}

/// Mines arm, and go off when any hull comes too near.
fn mines(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal) {
    if state.mines.is_empty() {
        return;
    }
    let Some(weapon) =
        setup.tables.weapons.weapons.iter().find(|one| one.guidance == Guidance::Trigger)
    else {
        return;
    };
    scratch.kept.clear();
    let mut spent = false;
    for row in 0..state.mines.len() {
        state.mines.arming[row] -= 1.0;
        let near = (state.mines.arming[row] <= 0.0)
            .then(|| nearest_hull(setup, state, scratch, row, weapon))
            .flatten();
        scratch.kept.push(near.is_none());
        if near.is_some() {
            spent = true;
            let mine = state.mines.row(row);
            let blast = Blast {
                weapon,
                place: (mine.x, mine.y),
                hull: None,
                source: mine.ship,
                id: mine.id,
                cause: mine.cause,
                trace: mine.trace,
                spared: None,
                layer: mine.layer,
            };
            explode(setup, state, scratch, journal, &blast);
        }
    }
    if spent {
        state.mines.keep(&scratch.kept);
    }
}

fn nearest_hull(
    setup: &Setup,
    state: &State,
    scratch: &Scratch,
    row: usize,
    weapon: &Weapon,
) -> Option<u32> {
    let (x, y) = (state.mines.x[row], state.mines.y[row]);
    let ships = &state.ships;
    let reach = weapon.trigger_m + setup.radius_max + setup.speed_max + MARGIN;
    let mut found: Option<u32> = None;
    scratch.grid.ships.near(x, y, reach, |ship| {
        let (dx, dy) = (ships.x[ship] - x, ships.y[ship] - y);
        let far = weapon.trigger_m + setup.hulls[ship].radius_m;
        let open = weapon.strikes.has(ships.places(ship)) && ships.afloat(ship);
        if open && dx * dx + dy * dy <= far * far {
            found = Some(found.map_or(ship as u32, |other| other.min(ship as u32)));
        }
    });
    found
}
