//! One ship's lookout: from candidates to sightings, and from sightings to its contact table.

use astrarium_morphospace::Field;

use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::setup::Setup;
use crate::state::{NOBODY, State};
use crate::tables::TrackFigures;

use super::detection::{Between, Notice, Watch, notice};
use super::signature::Signature;
use super::tracks::{self, NO_CUE, Sighting};
use super::{Memory, jamming, links, lose_aim, source};

/// The reward term of new hostile tracks good enough to fire at.
const DISCOVERY_TERM: usize = 7;
/// Friend or foe by quality, for those of another team and for one's own.
const IFF_FOE: [u8; 4] = [2, 3, 4, 4];
const IFF_FRIEND: [u8; 4] = [2, 1, 0, 0];

/// Draw for every candidate; known contacts are brought up to date, new ones wait in `newcomers` so
/// that none of them takes the row of a contact that is still in sight.
pub(super) fn look(
    setup: &Setup,
    state: &mut State,
    draws: Draws,
    watch: &Watch,
    memory: &mut Memory,
) {
    let Memory { signatures, candidates, newcomers, .. } = memory;
    let figures = &setup.tables.sensors.track;
    newcomers.clear();
    let ship = watch.ship as usize;
    let shares = links::tier(setup, state, ship) >= figures.shared_link_tier;
    for candidate in candidates.iter() {
        let target = &signatures[candidate.at as usize];
        let tick = state.tick;
        let between = |seen: bool| between(setup, state, watch, target, seen);
        let Some(noticed) = notice(setup, draws, tick, watch, target, candidate, between) else {
            continue;
        };
        let distance = candidate.square.sqrt();
        let known = tracks::find(&state.beliefs, ship, target.id);
        let held = known.map_or(0, |row| u32::from(state.beliefs.tracks.held[row]));
        let mut noticed = noticed;
        if noticed.quality == 2 && shares && held >= figures.shared_after_ticks {
            noticed.quality = 3;
        }
        noticed.quality = noticed.quality.min(watch.quality_max);
        let better = |row: usize| {
            let tracks = &state.beliefs.tracks;
            tracks.age[row] > 0 || tracks.quality[row] < noticed.quality
        };
        // A scout adds nothing to what its ship has seen as well in this very tick.
        if !known.is_none_or(better) {
            continue;
        }
        let cue = known.map_or(NO_CUE, |row| state.beliefs.tracks.cue[row]);
        let seen = measure(figures, draws, tick, watch, target, noticed, distance, cue);
        match known {
            Some(row) => tracks::refresh(&mut state.beliefs, figures, row, &seen),
            None => newcomers.push(Newcomer { square: candidate.square, at: candidate.at, seen }),
        }
    }
    // Numbers are given by distance, so that they do not tell in which way candidates were found.
    newcomers.sort_unstable_by(|one, other| {
        one.square.total_cmp(&other.square).then(one.at.cmp(&other.at))
    });
}

/// Something that is not in the table yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newcomer {
    /// Square of the distance.
    square: f32,
    /// Place in the signatures.
    at: u32,
    seen: Sighting,
}

/// What stands between a ship and a target. Land is looked for by its shapes first; only where they
/// lie on the way does the field say whether anything of them is left.
fn between(setup: &Setup, state: &State, watch: &Watch, target: &Signature, seen: bool) -> Between {
    let (from, to) = ((watch.x, watch.y), (target.x, target.y));
    let figures = &setup.tables.sensors.occlusion;
    let mut land = !setup.terrain.solids.is_empty() && setup.terrain.blocks(from, to);
    if !setup.senses.fields {
        return Between { land, smoke: false };
    }
    if land {
        let ray = state.fields.ray(Field::Occupancy, from, to, watch.layer);
        land = ray.max >= figures.occupancy;
    }
    // Rays through a plane without smoke cost nothing.
    let smoke = seen
        && watch.layer == 0
        && state.fields.ray(Field::Smoke, from, to, 0).integral > figures.smoke_integral;
    Between { land, smoke }
}

/// A sighting: the truth and the error of what noticed it.
#[allow(clippy::too_many_arguments, reason = "a measurement depends on all of it")]
fn measure(
    figures: &TrackFigures,
    draws: Draws,
    tick: u32,
    watch: &Watch,
    target: &Signature,
    noticed: Notice,
    distance: f32,
    cue: f32,
) -> Sighting {
    let index = target.mark.wrapping_mul(2).wrapping_add(1);
    let (first, second) = draws.normal_pair(Draw::Sensor, watch.observer, tick, index);
    let mut quality = noticed.quality;
    let mut bearing = NO_CUE;
    let mut place = None;
    if quality == 0 {
        let true_bearing = libm::atan2f(target.y - watch.y, target.x - watch.x);
        bearing = true_bearing + figures.cue_bearing * first;
        if cue < NO_CUE && apart(bearing, cue) >= figures.coarse_bearing_spread {
            quality = 1;
        } else {
            let share = 1.0 + figures.cue_range_share * second;
            let range = distance * share.clamp(figures.cue_range[0], figures.cue_range[1]);
            let (sine, cosine) = libm::sincosf(bearing);
            place = Some((watch.x + range * cosine, watch.y + range * sine));
        }
    }
    let row = usize::from(quality);
    let sigma = figures.sigma_per_m[row] * distance + figures.sigma_m[row];
    let (x, y) = place.unwrap_or((target.x + sigma * first, target.y + sigma * second));
    let iff = if target.team == watch.team { IFF_FRIEND[row] } else { IFF_FOE[row] };
    Sighting {
        entity: target.id,
        x,
        y,
        sigma,
        quality,
        senses: noticed.senses,
        layer: target.layer,
        places: target.places,
        size: target.size,
        iff,
        bearing,
    }
}

/// The angle between two directions, 0..pi.
fn apart(one: f32, other: f32) -> f32 {
    let off = (one - other).abs();
    off.min((std::f32::consts::TAU - off).abs())
}

/// Give new contacts their rows.
pub(super) fn welcome(state: &mut State, journal: &mut Journal, ship: usize, memory: &mut Memory) {
    for Newcomer { seen, .. } in &memory.newcomers {
        let Some(claimed) = tracks::begin(&mut state.beliefs, ship, seen) else { continue };
        if claimed.evicted {
            lose_aim(state, ship, claimed.row);
        }
        state.tally.detections += 1;
        // Nobody's true number is told, only the one the ship knows the contact by.
        let number = state.beliefs.tracks.number[claimed.row] as f32;
        let (source, place) = (ship as u32, (seen.x, seen.y));
        let plugin = Plugin::Environment;
        tell(state, journal, Kind::Detected, source, NOBODY, 0, 0, place, number, plugin);
    }
}

/// Drop contacts that were not seen for too long, or whose end was seen.
pub(super) fn let_go(setup: &Setup, state: &mut State, journal: &mut Journal, ship: usize) {
    let figures = &setup.tables.sensors.track;
    let (drop_after, end_noticed) = (figures.drop_s as u16, figures.end_noticed_s as u16);
    let lost = |state: &State, row: usize| {
        let tracks = &state.beliefs.tracks;
        let age = tracks.age[row];
        age >= drop_after || (age > 0 && age <= end_noticed && ended(state, tracks.entity[row]))
    };
    let rows = tracks::rows(&state.beliefs, ship);
    let mut gone = [false; crate::state::TRACKS];
    let mut any = false;
    for (place, row) in rows.clone().enumerate() {
        gone[place] = lost(state, row);
        any |= gone[place];
    }
    if !any {
        return;
    }
    for row in rows.clone().filter(|row| gone[row - rows.start]) {
        let track = state.beliefs.tracks.row(row);
        let (source, place, number) = (ship as u32, (track.x, track.y), track.number as f32);
        let plugin = Plugin::Environment;
        tell(state, journal, Kind::TrackLost, source, NOBODY, 0, 0, place, number, plugin);
    }
    let mut aimed = state.ships.target_slot[ship];
    tracks::forget(&mut state.beliefs, ship, &mut aimed, |_, row| gone[row - rows.start]);
    state.ships.target_slot[ship] = aimed;
}

/// Whether an entity is no longer there.
fn ended(state: &State, entity: u32) -> bool {
    if jamming::is_ghost(entity) {
        return false;
    }
    if (entity as usize) < state.ships.len() {
        return !state.ships.afloat(entity as usize);
    }
    state.rounds.id.binary_search(&entity).is_err()
        && state.squadrons.id.binary_search(&entity).is_err()
}

/// Count hostile hulls that have become good enough to fire at for the first time.
pub(super) fn discover(state: &mut State, ship: usize) {
    for row in tracks::rows(&state.beliefs, ship) {
        let tracks = &mut state.beliefs.tracks;
        let aimed = tracks.quality[row] >= 2 && tracks.sources[row] & source::ONCE_AIMED == 0;
        if aimed {
            tracks.sources[row] |= source::ONCE_AIMED;
            if tracks.size[row] >= 2 && tracks.iff[row] > 2 {
                state.terms[ship][DISCOVERY_TERM] += 1.0;
            }
        }
    }
}
