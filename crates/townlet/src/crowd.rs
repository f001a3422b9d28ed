//! Who is near: found without looking at everyone.
//!
//! Each agent in play stands in one column and one row, and has one bit: its place in the order of
//! embedding slots. For every column the bits of all columns before it are kept, so that those
//! between two columns are the difference of two words, and those in a box the overlap of the
//! columns' and the rows'. Bits come out in the order in which a search through all would meet them.

use crate::numbers::NONE;
use crate::state::State;
use crate::town::Town;

/// Agents on the grid and the objects they hold, as they were when last noted.
///
/// Noted when a tick opens, after the last that can move anybody; good until somebody moves again.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    /// Those on the grid, by where they stand.
    pub people: Spread,
    /// Those on the grid who hold an object, by where that is.
    pub holders: Spread,
}

/// Where up to 64 places lie.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    /// Column and row of each.
    places: Vec<(i16, i16)>,
    /// Bits of all columns further west; one word more than there are columns.
    columns: Vec<u64>,
    /// Bits of all rows further north.
    rows: Vec<u64>,
}

impl Crowd {
    /// Note where everyone is.
    pub fn note(&mut self, town: &Town, state: &State) {
        self.people.clear(town);
        self.holders.clear(town);
        for &seat in &state.order {
            let agent = &state.agents[usize::from(seat)];
            let held = if agent.hospital { NONE } else { agent.holding };
            let object = town.objects.get(usize::from(held));
            self.people.add(town, (!agent.hospital).then_some(agent.tile));
            self.holders.add(town, object.map(|object| object.tile));
        }
        self.people.sum_up();
        self.holders.sum_up();
    }
}

impl Spread {
    fn clear(&mut self, town: &Town) {
        self.places.clear();
        self.columns.clear();
        self.columns.resize(usize::from(town.grid.width) + 1, 0);
        self.rows.clear();
        self.rows.resize(usize::from(town.grid.height) + 1, 0);
    }

    /// The next one, or one who is nowhere.
    fn add(&mut self, town: &Town, tile: Option<u16>) {
        let bit = 1 << self.places.len();
        let (x, y) = tile.map_or((0, 0), |tile| town.grid.place(tile));
        self.places.push((x as i16, y as i16));
        if tile.is_some() {
            self.columns[x as usize + 1] |= bit;
            self.rows[y as usize + 1] |= bit;
        }
    }

    fn sum_up(&mut self) {
        for words in [&mut self.columns, &mut self.rows] {
            let mut before = 0;
            for word in words {
                before |= *word;
                *word = before;
            }
        }
    }

    /// Bits of those no further than `reach` columns and `reach` rows from a place.
    #[inline]
    #[must_use]
    pub fn within(&self, (x, y): (i32, i32), reach: i32) -> u64 {
        let between = |words: &[u64], middle: i32| {
            let last = words.len() as i32 - 1;
            let first = (middle - reach).clamp(0, last);
            let end = (middle + reach + 1).clamp(0, last);
            words[end as usize] & !words[first as usize]
        };
        between(&self.columns, x) & between(&self.rows, y)
    }

    /// Column and row of one of them.
    #[inline]
    #[must_use]
    pub fn place(&self, at: usize) -> (i32, i32) {
        let (x, y) = self.places[at];
        (i32::from(x), i32::from(y))
    }
}

/// The numbers of the bits set, lowest first.
pub fn each(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(lowest)
    })
}

/// The one of `people` fewest steps from a place and no further than `reach`; among equals the
/// first. `walk` tells how many they are, never fewer than tiles lie apart, for those who count.
pub fn nearest(
    people: &Spread,
    from: (i32, i32),
    reach: i32,
    walk: impl Fn(usize) -> Option<i32>,
) -> Option<(i32, usize)> {
    let mut best: Option<(i32, usize)> = None;
    let mut asked = 0;
    // Whoever is within so many steps is in the box of that reach: most searches end in a small one.
    for box_reach in [reach / 4, reach / 2, reach] {
        let around = people.within(from, box_reach);
        for at in each(around & !asked) {
            let (x, y) = people.place(at);
            let apart = (x - from.0).abs() + (y - from.1).abs();
            let nearer =
                |steps: i32| steps <= reach && best.is_none_or(|least| (steps, at) < least);
            if nearer(apart)
                && let Some(steps) = walk(at).filter(|&steps| nearer(steps))
            {
                best = Some((steps, at));
            }
        }
        asked = around;
        if best.is_some_and(|(steps, _)| steps <= box_reach) {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::options::EARSHOT;
    use crate::tests::{Stage, town_of};

    /// All bits of those for whom `holds`.
    fn bits(count: usize, holds: impl Fn(usize) -> bool) -> u64 {
        (0..count).filter(|&at| holds(at)).fold(0, |bits, at| bits | 1 << at)
    }

    /// What is in the box, and who is nearest, found by looking at everyone.
    fn searched(stage: &Stage, from: (i32, i32), reach: i32, fits: u64) -> (u64, u64, Option<u8>) {
        let (town, state) = (&stage.world.town, stage.state());
        let inside = |tile: u16| {
            let (x, y) = town.grid.place(tile);
            (x - from.0).abs() <= reach && (y - from.1).abs() <= reach
        };
        let agent = |at: usize| &state.agents[usize::from(state.order[at])];
        let people = bits(state.order.len(), |at| agent(at).about() && inside(agent(at).tile));
        let holders = bits(state.order.len(), |at| {
            let held = town.objects.get(usize::from(agent(at).holding));
            agent(at).about() && held.is_some_and(|object| inside(object.tile))
        });
        let mut best: Option<(i32, u8)> = None;
        for at in 0..state.order.len() {
            let (x, y) = town.grid.place(agent(at).tile);
            let steps = (x - from.0).abs() + (y - from.1).abs();
            let nearer = steps <= reach && best.is_none_or(|(least, _)| steps < least);
            if agent(at).about() && fits >> at & 1 == 1 && nearer {
                best = Some((steps, state.order[at]));
            }
        }
        (people, holders, best.map(|(_, seat)| seat))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn the_index_finds_what_a_search_through_all_finds(
            agents in 1u16..=64,
            ticks in 0u32..120,
            tiles in prop::collection::vec(any::<u16>(), 64),
            ill in any::<u64>(),
            fits in any::<u64>(),
            reach in 0i32..=i32::from(EARSHOT),
        ) {
            let mut stage = Stage::new(town_of(agents), 7);
            stage.live(ticks);
            let town = std::sync::Arc::clone(&stage.world.town);
            let state = stage.state_mut();
            // Some tiles are shared, and one in four lies ill off the grid.
            for (seat, agent) in state.agents.iter_mut().enumerate() {
                agent.tile = tiles[seat] % (town.grid.tiles() / 2) as u16;
                agent.hospital = ill >> seat & 1 == 1 && tiles[seat] % 2 == 0;
            }
            state.look_around(&town);
            for corner in [(0, 0), (47, 47), town.grid.place(tiles[0] % town.grid.tiles() as u16)] {
                let crowd = &stage.state().crowd;
                let (people, holders, seat) = searched(&stage, corner, reach, fits);
                prop_assert_eq!(crowd.people.within(corner, reach), people);
                prop_assert_eq!(crowd.holders.within(corner, reach), holders);
                let walk = |at: usize| {
                    let (x, y) = crowd.people.place(at);
                    let steps = (x - corner.0).abs() + (y - corner.1).abs();
                    (fits >> at & 1 == 1).then_some(steps)
                };
                let found = nearest(&crowd.people, corner, reach, walk);
                prop_assert_eq!(found.map(|(_, at)| stage.state().order[at]), seat);
            }
        }
    }

    #[test]
    fn the_index_is_up_to_date_whenever_somebody_sees_or_chooses() {
        let mut stage = Stage::new(town_of(24), 3);
        for _ in 0..400 {
            stage.live(1);
            let town = std::sync::Arc::clone(&stage.world.town);
            let mut fresh = Crowd::default();
            fresh.note(&town, stage.state());
            let kept = &stage.state().crowd;
            assert_eq!(format!("{kept:?}"), format!("{fresh:?}"));
        }
    }
}
