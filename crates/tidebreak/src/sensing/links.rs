//! Data links: what ships tell each other of what they see.
//!
//! A ship whose turn it is puts its best own tracks into its team's queue; in the next tick every
//! ship of the team takes from the queue what it can hear and does not know better. Nothing that
//! came over a link is told on, so no rumour outlives what it is about.

use crate::engagement::fire_quality;
use crate::setup::Setup;
use crate::state::{Beliefs, Link, State, Track};

use super::tracks::{self, NO_CUE, SIZE_GUESS, UNKNOWN_LAYER};
use super::{Memory, source};

/// Reports on one entity a team keeps in a tick, best first.
const REPORTS_PER_ENTITY: usize = 4;
/// Entities of the queue a ship looks at in a tick. Larger queues are read in turns.
const ENTITIES_READ: usize = 64;

/// The tier of a ship's link as it is now: water lets only the lowest through.
#[must_use]
pub fn tier(setup: &Setup, state: &State, ship: usize) -> u8 {
    if state.ships.layer[ship] == 0 { setup.senses.link_tiers[ship] } else { 0 }
}

/// How far a ship's link reaches as it is now, metres.
#[must_use]
pub fn reach(setup: &Setup, state: &State, ship: usize) -> f32 {
    let table = &setup.tables.links;
    if state.ships.layer[ship] == 0 {
        table.range_m[usize::from(setup.senses.link_tiers[ship].min(3))]
    } else {
        table.submerged_range_m
    }
}

/// The best quality that a link of this tier carries.
#[must_use]
pub fn carried(setup: &Setup, tier: u8) -> u8 {
    let table = &setup.tables.links;
    match tier {
        tier if tier >= table.error_tier => 3,
        tier if tier >= table.kinematics_tier => 1,
        _ => 0,
    }
}

/// Whether two ships of one team hear each other.
#[must_use]
pub fn linked(setup: &Setup, state: &State, one: usize, other: usize) -> bool {
    let ships = &state.ships;
    if one == other
        || ships.holder[one] != ships.holder[other]
        || !ships.fights(one)
        || !ships.fights(other)
    {
        return false;
    }
    let (dx, dy) = (ships.x[one] - ships.x[other], ships.y[one] - ships.y[other]);
    let range = reach(setup, state, one).min(reach(setup, state, other));
    dx * dx + dy * dy <= range * range
}

/// Reports a ship may give or take in a tick, after what jamming costs it.
fn budget(setup: &Setup, tier: u8, jammed: f32) -> usize {
    let updates = setup.tables.links.updates_per_tick[usize::from(tier)] as f32;
    (updates * (1.0 - jammed)) as usize
}

/// Fill the queue with what ships have told in this tick.
pub fn send(state: &mut State, memory: &mut Memory) {
    let order = |one: &Link, other: &Link| {
        (one.team, one.entity, u8::MAX - one.quality)
            .cmp(&(other.team, other.entity, u8::MAX - other.quality))
            .then(one.sigma.total_cmp(&other.sigma))
            .then(one.from.cmp(&other.from))
    };
    memory.reports.sort_unstable_by(order);
    let queue = &mut state.beliefs.links;
    queue.clear();
    let mut same = 0;
    for (at, report) in memory.reports.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &memory.reports[at]);
        let again =
            before.is_some_and(|last| (last.team, last.entity) == (report.team, report.entity));
        same = if again { same + 1 } else { 0 };
        if same < REPORTS_PER_ENTITY {
            queue.push(*report);
        }
    }
}

/// Let a ship whose turn it is tell of its best own tracks.
pub fn report(setup: &Setup, state: &State, memory: &mut Memory, ship: usize) {
    if memory.team_sizes[usize::from(state.ships.holder[ship])] < 2 {
        return;
    }
    let tier = tier(setup, state, ship);
    let period = (setup.tables.links.period_s[usize::from(tier)] as u32).max(1);
    // Turns are spread by row, so a team does not speak all at once.
    if !(state.tick + ship as u32).is_multiple_of(period) {
        return;
    }
    let most = budget(setup, tier, memory.jammed[ship]);
    let tracks = &state.beliefs.tracks;
    let mut best = [(0_u32, 0_usize); 16];
    let mut count = 0;
    for row in tracks::rows(&state.beliefs, ship) {
        let own = tracks.sources[row] & source::LINK == 0 && tracks.age[row] == 0;
        if !own || tracks.iff[row] < 2 {
            continue;
        }
        // Quality first, then the longest known.
        let worth = u32::from(tracks.quality[row]) << 28
            | (0x0fff_ffff - tracks.number[row].min(0x0fff_ffff));
        let mut at = count.min(most.min(best.len()));
        while at > 0 && best[at - 1].0 < worth {
            if at < best.len() {
                best[at] = best[at - 1];
            }
            at -= 1;
        }
        if at < most.min(best.len()) {
            best[at] = (worth, row);
            count = (count + 1).min(most.min(best.len()));
        }
    }
    for &(_, row) in &best[..count] {
        memory.reports.push(Link {
            from: ship as u32,
            team: state.ships.holder[ship],
            entity: tracks.entity[row],
            x: tracks.x[row],
            y: tracks.y[row],
            vx: tracks.vx[row],
            vy: tracks.vy[row],
            sigma: tracks.sigma[row],
            quality: tracks.quality[row],
            layer: tracks.layer[row],
            places: tracks.places[row],
            size: tracks.size[row],
            iff: tracks.iff[row],
            tier,
        });
    }
}

/// Let a ship take from the queue of the last tick.
pub fn receive(setup: &Setup, state: &mut State, memory: &Memory, ship: usize) {
    let (first, end) = memory.team_entities[usize::from(state.ships.holder[ship])];
    let entities = (end - first) as usize;
    let tier = tier(setup, state, ship);
    let mut left = budget(setup, tier, memory.jammed[ship]);
    let turn = if entities > ENTITIES_READ {
        (state.tick as usize * ENTITIES_READ + ship) % entities
    } else {
        0
    };
    for step in 0..entities.min(ENTITIES_READ) {
        if left == 0 {
            break;
        }
        let group = first as usize + (turn + step) % entities;
        let rows = memory.entity_rows[group]..memory.entity_rows[group + 1];
        if let Some(told) = hear(setup, state, memory, ship, tier, rows) {
            left -= usize::from(take(setup, state, memory, ship, &told));
        }
    }
}

/// Find where each entity's reports begin in the queue, and each team's entities among them.
pub fn index(state: &State, memory: &mut Memory) {
    let queue = &state.beliefs.links;
    memory.entity_rows.clear();
    memory.team_entities.fill((0, 0));
    for row in 0..queue.len() {
        let team = usize::from(queue.team[row]);
        let first_of_team = row == 0 || queue.team[row - 1] != queue.team[row];
        if first_of_team || queue.entity[row - 1] != queue.entity[row] {
            let group = memory.entity_rows.len() as u32;
            memory.entity_rows.push(row as u32);
            let span = &mut memory.team_entities[team];
            *span = (if first_of_team { group } else { span.0 }, group + 1);
        }
    }
    memory.entity_rows.push(queue.len() as u32);
}

/// The best report on one entity that reaches a ship, as the link between the two carries it.
fn hear(
    setup: &Setup,
    state: &State,
    memory: &Memory,
    ship: usize,
    tier: u8,
    rows: std::ops::Range<u32>,
) -> Option<Told> {
    let queue = &state.beliefs.links;
    let own = &memory.signatures[ship];
    let known = tracks::find(&state.beliefs, ship, queue.entity[rows.start as usize]);
    for row in rows {
        let row = row as usize;
        let from = queue.from[row] as usize;
        if from == ship {
            continue;
        }
        let tier = queue.tier[row].min(tier);
        let quality = queue.quality[row].min(carried(setup, tier));
        if let Some(known) = known {
            let tracks = &state.beliefs.tracks;
            // Reports come best first: none of the rest can tell more either.
            if tracks.age[known] == 0 && tracks.quality[known] >= quality {
                return None;
            }
        }
        let sender = &memory.signatures[from];
        let (dx, dy) = (sender.x - own.x, sender.y - own.y);
        let range = sender.link_m.min(own.link_m);
        if dx * dx + dy * dy <= range * range {
            let link = Link { tier, quality, ..queue.row(row) };
            return Some(Told { link, known });
        }
    }
    None
}

struct Told {
    link: Link,
    known: Option<usize>,
}

/// Work a report into a ship's table; says whether anything came of it.
fn take(setup: &Setup, state: &mut State, memory: &Memory, ship: usize, news: &Told) -> bool {
    let link = &news.link;
    let own = &memory.signatures[ship];
    // The report is a tick old.
    let (x, y) = (link.x + link.vx, link.y + link.vy);
    let distance = ((x - own.x) * (x - own.x) + (y - own.y) * (y - own.y)).sqrt();
    let mut track = told(setup, link, (x, y), distance);
    let Some(row) = news.known else {
        let Some(claimed) = tracks::insert(&mut state.beliefs, ship, track) else { return false };
        if claimed.evicted {
            super::lose_aim(state, ship, claimed.row);
        }
        return true;
    };
    let known = state.beliefs.tracks.row(row);
    if link.quality == 0 && known.quality == 0 {
        let sender = &memory.signatures[link.from as usize];
        return cross(
            setup,
            &mut state.beliefs,
            row,
            own_cue(own.x, own.y, &known),
            (sender.x, sender.y, x, y),
        );
    }
    let better = link.quality > known.quality || track.sigma < known.sigma;
    if !better {
        return false;
    }
    track.number = known.number;
    track.cue = known.cue;
    track.sources |= known.sources & source::ONCE_AIMED;
    if known.age == 0 {
        track.sources |= known.sources & source::SENSES;
    }
    track.iff = tracks::settle(known.iff, track.iff);
    track.quality = track.quality.max(known.quality);
    if track.places == 0 {
        (track.layer, track.places, track.size) = (known.layer, known.places, known.size);
    }
    if link.tier < setup.tables.links.kinematics_tier {
        (track.vx, track.vy) = (known.vx, known.vy);
    }
    state.beliefs.tracks.set(row, track);
    true
}

/// A report as a track of its receiver, as far as the link carries it.
fn told(setup: &Setup, link: &Link, (x, y): (f32, f32), distance: f32) -> Track {
    let table = &setup.tables.links;
    let figures = &setup.tables.sensors.track;
    let kinematics = link.tier >= table.kinematics_tier;
    let errors = link.tier >= table.error_tier;
    let quality = usize::from(link.quality);
    let usual = figures.sigma_per_m[quality] * distance + figures.sigma_m[quality];
    let remote = link.tier >= table.remote_engagement_tier && link.quality == 3;
    let sources = source::LINK | if remote { source::REMOTE } else { 0 };
    debug_assert!(fire_quality(link.quality, sources) <= link.quality);
    Track {
        entity: link.entity,
        x,
        y,
        vx: if kinematics { link.vx } else { 0.0 },
        vy: if kinematics { link.vy } else { 0.0 },
        sigma: if errors { link.sigma + figures.sigma_growth_m_s } else { usual },
        quality: link.quality,
        layer: if kinematics { link.layer } else { UNKNOWN_LAYER },
        places: if kinematics { link.places } else { 0 },
        size: if kinematics || link.size < 2 { link.size } else { SIZE_GUESS },
        iff: if errors { link.iff } else { 2 },
        sources,
        cue: NO_CUE,
        ..Track::default()
    }
}

/// Where a ship stands and in which direction it believes something to be.
fn own_cue(x: f32, y: f32, known: &Track) -> (f32, f32, f32, f32) {
    (x, y, known.x, known.y)
}

/// Two bearings that lie far enough apart make a place: own and told, each as two points.
fn cross(
    setup: &Setup,
    beliefs: &mut Beliefs,
    row: usize,
    own: (f32, f32, f32, f32),
    told: (f32, f32, f32, f32),
) -> bool {
    let figures = &setup.tables.sensors.track;
    let direction = |(x, y, to_x, to_y): (f32, f32, f32, f32)| {
        let length = ((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y)).sqrt().max(1.0);
        ((to_x - x) / length, (to_y - y) / length, length)
    };
    let (ux, uy, own_range) = direction(own);
    let (vx, vy, _) = direction(told);
    let sine = ux * vy - uy * vx;
    if sine.abs() < libm::sinf(figures.coarse_bearing_spread) {
        return false;
    }
    let along = ((told.0 - own.0) * vy - (told.1 - own.1) * vx) / sine;
    // A crossing behind the ship or far beyond its own guess is two errors, not a place.
    if along <= 0.0 || along > figures.crossing_range_factor * own_range {
        return false;
    }
    let tracks = &mut beliefs.tracks;
    tracks.x[row] = own.0 + ux * along;
    tracks.y[row] = own.1 + uy * along;
    tracks.quality[row] = 1;
    tracks.sigma[row] = figures.sigma_per_m[1] * along + figures.sigma_m[1];
    tracks.stale[row] = 0;
    tracks.age[row] = 0;
    tracks.sources[row] |= source::LINK;
    true
}
