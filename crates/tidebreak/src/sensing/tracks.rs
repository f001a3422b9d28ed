//! Contact tables: how sightings become tracks, how tracks grow old, and which goes when there is
//! no room.

use crate::state::{Beliefs, TRACKS, Track};
use crate::tables::TrackFigures;

use super::source;

/// A layer nobody knows.
pub const UNKNOWN_LAYER: u8 = 255;
/// The cue of a track that has none: no bearing is greater than pi.
pub const NO_CUE: f32 = 4.0;
/// A hull whose size nobody could tell yet is taken for a medium one.
pub const SIZE_GUESS: u8 = 3;

/// What one ship's sensors made of one entity in one tick, measuring error included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// What is there; stays inside the arena.
    pub entity: u32,
    /// Measured, metres.
    pub x: f32,
    /// Measured, metres.
    pub y: f32,
    /// Standard error of that, metres.
    pub sigma: f32,
    /// 0..3.
    pub quality: u8,
    /// Bits of [`source`].
    pub senses: u8,
    /// True layer; kept only if the quality tells it.
    pub layer: u8,
    /// Where it can be struck; likewise.
    pub places: u8,
    /// True size as in tracks; likewise.
    pub size: u8,
    /// As in tracks.
    pub iff: u8,
    /// Direction in which it was noticed, radians.
    pub bearing: f32,
}

/// Rows of one ship's table.
#[inline]
#[must_use]
pub fn rows(beliefs: &Beliefs, ship: usize) -> std::ops::Range<usize> {
    let first = ship * TRACKS;
    first..first + usize::from(beliefs.used[ship])
}

/// Where a ship's table has an entity.
#[inline]
#[must_use]
pub fn find(beliefs: &Beliefs, ship: usize, entity: u32) -> Option<usize> {
    let first = ship * TRACKS;
    // All rows are compared without a branch; a row behind those in use says nothing.
    let known: &[u32; TRACKS] = beliefs.tracks.entity[first..].first_chunk()?;
    let mut same = 0_u32;
    for (at, &known) in known.iter().enumerate() {
        same |= u32::from(known == entity) << at;
    }
    let at = same.trailing_zeros();
    (at < u32::from(beliefs.used[ship])).then(|| first + at as usize)
}

/// Let a second pass without news: everything moves on as believed, errors grow, quality fades.
pub fn age(beliefs: &mut Beliefs, figures: &TrackFigures, ship: usize) {
    let rows = rows(beliefs, ship);
    let tracks = &mut beliefs.tracks;
    for row in rows {
        tracks.x[row] += tracks.vx[row];
        tracks.y[row] += tracks.vy[row];
        tracks.sigma[row] += figures.sigma_growth_m_s;
        tracks.age[row] += 1;
        tracks.stale[row] += 1;
        let quality = tracks.quality[row];
        // The time counts from the last good measurement, not from the last step down.
        if quality > 0 && f32::from(tracks.stale[row]) >= figures.step_down_s[usize::from(quality)]
        {
            tracks.quality[row] = quality - 1;
        }
    }
}

/// Work a sighting into the track a ship already has at `row`.
pub fn refresh(beliefs: &mut Beliefs, figures: &TrackFigures, row: usize, seen: &Sighting) {
    let tracks = &mut beliefs.tracks;
    let known = tracks.quality[row];
    let gains = usize::from(seen.quality);
    let (off_x, off_y) = (seen.x - tracks.x[row], seen.y - tracks.y[row]);
    if known == 0 && seen.quality > 0 {
        // A cue's range is a guess; the first real place replaces it.
        tracks.x[row] = seen.x;
        tracks.y[row] = seen.y;
    } else {
        tracks.x[row] += figures.alpha[gains] * off_x;
        tracks.y[row] += figures.alpha[gains] * off_y;
        tracks.vx[row] += figures.beta[gains] * off_x;
        tracks.vy[row] += figures.beta[gains] * off_y;
    }
    if seen.quality >= known {
        tracks.quality[row] = seen.quality;
        tracks.stale[row] = 0;
        tracks.sigma[row] = seen.sigma;
    } else {
        tracks.sigma[row] = tracks.sigma[row].min(seen.sigma);
    }
    let seen_just_before = tracks.age[row] <= 1;
    tracks.held[row] = match (seen.quality >= 2, seen_just_before) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => tracks.held[row].saturating_add(1),
    };
    tracks.age[row] = 0;
    tracks.sources[row] = (tracks.sources[row] & source::ONCE_AIMED) | seen.senses;
    if seen.quality > 0 {
        tracks.layer[row] = seen.layer;
        tracks.places[row] = seen.places;
        tracks.size[row] = seen.size;
    }
    tracks.iff[row] = settle(tracks.iff[row], seen.iff);
}

/// What is known of friend and foe only ever becomes more certain.
#[inline]
#[must_use]
pub fn settle(known: u8, seen: u8) -> u8 {
    match seen {
        0 | 1 => known.min(seen),
        2 => known,
        _ => known.max(seen),
    }
}

/// A new track of a sighting, or nothing where the ship has no room for it.
pub fn begin(beliefs: &mut Beliefs, ship: usize, seen: &Sighting) -> Option<Claimed> {
    let clear = seen.quality > 0;
    let ordnance_or_craft = seen.size < 2;
    let track = Track {
        entity: seen.entity,
        x: seen.x,
        y: seen.y,
        sigma: seen.sigma,
        quality: seen.quality,
        held: u16::from(seen.quality >= 2),
        layer: if clear { seen.layer } else { UNKNOWN_LAYER },
        places: if clear { seen.places } else { 0 },
        size: if clear || ordnance_or_craft { seen.size } else { SIZE_GUESS },
        iff: seen.iff,
        sources: seen.senses,
        cue: if clear { NO_CUE } else { seen.bearing },
        ..Track::default()
    };
    insert(beliefs, ship, track)
}

/// Where a new track went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Its row.
    pub row: usize,
    /// Whether another track had to go.
    pub evicted: bool,
}

/// Put a new track into a ship's table and number it. In a full table the lowest quality goes, then
/// the oldest, then the highest number, and the newcomer is judged with the rest.
pub fn insert(beliefs: &mut Beliefs, ship: usize, mut track: Track) -> Option<Claimed> {
    let rows = rows(beliefs, ship);
    let claimed = if rows.len() < TRACKS {
        beliefs.used[ship] += 1;
        Claimed { row: rows.end, evicted: false }
    } else {
        let tracks = &beliefs.tracks;
        let worth = |row: &usize| {
            let (age, number) = (u32::from(tracks.age[*row]), tracks.number[*row]);
            (tracks.quality[*row], u32::MAX - age, u32::MAX - number)
        };
        let row = rows.min_by_key(worth)?;
        let (quality, age) = (tracks.quality[row], tracks.age[row]);
        if track.quality < quality || (track.quality == quality && age == 0) {
            return None;
        }
        Claimed { row, evicted: true }
    };
    beliefs.next_number[ship] += 1;
    track.number = beliefs.next_number[ship];
    beliefs.tracks.set(claimed.row, track);
    Some(claimed)
}

/// Take tracks out of a ship's table and keep the others in order. `aimed`, a row counted from the
/// first of the ship, follows its track and becomes 255 with it.
pub fn forget(
    beliefs: &mut Beliefs,
    ship: usize,
    aimed: &mut u8,
    mut over: impl FnMut(&Beliefs, usize) -> bool,
) {
    let rows = rows(beliefs, ship);
    let Some(first_gone) = rows.clone().find(|&row| over(beliefs, row)) else { return };
    let before = *aimed;
    let mut to = first_gone;
    for row in first_gone..rows.end {
        let gone = row == first_gone || over(beliefs, row);
        let is_aimed = usize::from(before) == row - rows.start;
        if gone {
            *aimed = if is_aimed { 255 } else { *aimed };
            continue;
        }
        let track = beliefs.tracks.row(row);
        beliefs.tracks.set(to, track);
        *aimed = if is_aimed { (to - rows.start) as u8 } else { *aimed };
        to += 1;
    }
    beliefs.used[ship] = (to - rows.start) as u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;

    fn figures() -> TrackFigures {
        Tables::shipped().sensors.track.clone()
    }

    fn table() -> Beliefs {
        let mut beliefs = Beliefs { used: vec![0], next_number: vec![0], ..Beliefs::default() };
        for _ in 0..TRACKS {
            beliefs.tracks.push(Track::default());
        }
        beliefs
    }

    fn seen(entity: u32, quality: u8) -> Sighting {
        Sighting {
            entity,
            x: 1000.0,
            y: 0.0,
            sigma: 13.0,
            quality,
            senses: source::RADAR,
            layer: 0,
            places: 1,
            size: 4,
            iff: 2 + quality.min(2),
            bearing: 0.0,
        }
    }

    #[test]
    fn a_sighting_moves_place_and_velocity_by_the_gains_of_its_quality() {
        let figures = figures();
        for (quality, alpha, beta) in [(1, 0.3, 0.05), (2, 0.5, 0.15), (3, 0.7, 0.25)] {
            let mut beliefs = table();
            begin(&mut beliefs, 0, &seen(7, quality)).expect("an empty table has room");
            age(&mut beliefs, &figures, 0);
            refresh(&mut beliefs, &figures, 0, &Sighting { x: 1010.0, ..seen(7, quality) });
            let track = beliefs.tracks.row(0);
            assert!((track.x - (1000.0 + alpha * 10.0)).abs() < 1e-3);
            assert!((track.vx - beta * 10.0).abs() < 1e-4);
            assert_eq!((track.age, track.sigma, track.quality), (0, 13.0, quality));
        }
    }

    #[test]
    fn the_filter_finds_the_velocity_of_something_that_keeps_its_course() {
        let figures = figures();
        let mut beliefs = table();
        begin(&mut beliefs, 0, &seen(7, 2)).expect("an empty table has room");
        for second in 1..=60 {
            age(&mut beliefs, &figures, 0);
            let x = 1000.0 + 12.0 * second as f32;
            refresh(&mut beliefs, &figures, 0, &Sighting { x, ..seen(7, 2) });
        }
        assert!((beliefs.tracks.vx[0] - 12.0).abs() < 0.05, "{}", beliefs.tracks.vx[0]);
        assert!((beliefs.tracks.x[0] - 1720.0).abs() < 1.0);
    }

    #[test]
    fn an_unseen_track_drifts_on_grows_vague_and_steps_down() {
        let figures = figures();
        let mut beliefs = table();
        begin(&mut beliefs, 0, &seen(7, 3)).expect("an empty table has room");
        beliefs.tracks.vx[0] = 5.0;
        let mut quality = Vec::new();
        for _ in 0..35 {
            age(&mut beliefs, &figures, 0);
            quality.push(beliefs.tracks.quality[0]);
        }
        assert_eq!(quality[3..5], [3, 2]);
        assert_eq!(quality[8..10], [2, 1]);
        assert_eq!(quality[28..30], [1, 0]);
        assert_eq!(beliefs.tracks.sigma[0], 13.0 + 4.0 * 35.0);
        assert_eq!(beliefs.tracks.x[0], 1000.0 + 5.0 * 35.0);
    }

    #[test]
    fn a_poor_sighting_keeps_a_good_track_alive_but_not_good() {
        let figures = figures();
        let mut beliefs = table();
        begin(&mut beliefs, 0, &seen(7, 2)).expect("an empty table has room");
        for _ in 0..12 {
            age(&mut beliefs, &figures, 0);
            refresh(&mut beliefs, &figures, 0, &seen(7, 1));
        }
        assert_eq!((beliefs.tracks.quality[0], beliefs.tracks.age[0]), (1, 0));
    }

    #[test]
    fn a_full_table_loses_the_lowest_quality_then_the_oldest_then_the_highest_number() {
        let mut beliefs = table();
        for entity in 0..TRACKS as u32 {
            begin(&mut beliefs, 0, &seen(entity, 1)).expect("there is room");
        }
        beliefs.tracks.quality[4] = 0;
        assert_eq!(
            begin(&mut beliefs, 0, &seen(100, 1)).map(|at| (at.row, at.evicted)),
            Some((4, true))
        );
        beliefs.tracks.age[9] = 3;
        beliefs.tracks.age[11] = 3;
        assert_eq!(begin(&mut beliefs, 0, &seen(101, 1)).map(|at| at.row), Some(11));
        assert_eq!(begin(&mut beliefs, 0, &seen(102, 1)).map(|at| at.row), Some(9));
        assert_eq!(
            begin(&mut beliefs, 0, &seen(103, 1)),
            None,
            "all are as good, and it is newest"
        );
        assert!(begin(&mut beliefs, 0, &seen(104, 2)).is_some());
    }

    #[test]
    fn forgetting_keeps_the_order_and_the_aim() {
        let mut beliefs = table();
        for entity in 0..5 {
            begin(&mut beliefs, 0, &seen(entity, 1)).expect("there is room");
        }
        let mut aimed = 3;
        forget(&mut beliefs, 0, &mut aimed, |beliefs, row| beliefs.tracks.entity[row] % 3 == 1);
        assert_eq!(beliefs.tracks.entity[..3], [0, 2, 3]);
        assert_eq!((beliefs.used[0], aimed), (3, 2));
        forget(&mut beliefs, 0, &mut aimed, |beliefs, row| beliefs.tracks.entity[row] == 3);
        assert_eq!((beliefs.used[0], aimed), (2, 255));
    }

    #[test]
    fn friend_and_foe_only_become_more_certain() {
        assert_eq!(settle(2, 4), 4);
        assert_eq!(settle(4, 3), 4);
        assert_eq!(settle(4, 2), 4);
        assert_eq!(settle(1, 0), 0);
        assert_eq!(settle(0, 1), 0);
    }
}
