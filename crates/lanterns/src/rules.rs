//! The rules of one tick, in the order they run: act (keeper after keeper), wind, endings.

use astrarium_kernel::{Episode, Produced, Stream};

use crate::{CELLS, KEEPERS, LAMPS, Lanterns, OIL_MAX, OIL_PER_LAMP};

/// Choices of the first head: walk left, stay, walk right.
pub const MOVES: u32 = 3;
/// Choices of the second head: rest, light the lamp here.
pub const TASKS: u32 = 2;

const STAY: i32 = 1;
const REST: i32 = 0;
const LIGHT: i32 = 1;

const EVENT_IGNORED_ORDER: u32 = 1 << 0;
const EVENT_LAMP_LIT: u32 = 1 << 1;
const EVENT_REFILLED: u32 = 1 << 2;
const EVENT_LOST: u32 = 1 << 3;

/// One draw in this many blows a lit lamp out.
const WIND_ONE_IN: u32 = 16;

/// Each purpose has its own stream, so a new rule cannot disturb an old one.
#[repr(u32)]
enum Draw {
    Placement = 0,
    Wind = 1,
}

/// Put keepers at the depot and lamps on distinct cells, all dark.
pub fn place(ring: &mut Lanterns) {
    let stream = Stream::new(ring.seed, Draw::Placement as u32);
    let mut cells: [u8; CELLS as usize - 1] = std::array::from_fn(|index| index as u8 + 1);
    for (index, lamp) in ring.lamps.iter_mut().enumerate() {
        let pick = stream.below((cells.len() - index) as u32, index as u32, 0, 0);
        cells.swap(index, index + pick as usize);
        lamp.cell = cells[index];
    }
    for keeper in &mut ring.keepers {
        keeper.oil = OIL_MAX;
    }
}

/// The dark lamp `keeper` could light where it stands, if it has the oil.
pub fn lightable(ring: &Lanterns, keeper: usize) -> Option<usize> {
    let here = ring.keepers[keeper];
    let dark = ring.lamps.iter().position(|lamp| lamp.cell == here.cell && !lamp.lit);
    dark.filter(|_| here.oil > OIL_PER_LAMP)
}

/// One keeper works, then walks, then burns a unit of oil.
///
/// An order out of range, or to light what cannot be lit, is ignored: the keeper rests or stays.
pub fn act(ring: &mut Lanterns, index: usize, walk: i32, task: i32, produced: &mut Produced<'_>) {
    match (task, lightable(ring, index)) {
        (LIGHT, Some(lamp)) => {
            ring.lamps[lamp].lit = true;
            ring.lamps_lit += 1;
            ring.keepers[index].oil -= OIL_PER_LAMP;
            produced.terms[2 * index] = 1.0;
            produced.events[index] |= EVENT_LAMP_LIT;
        }
        (REST, _) => {}
        _ => produced.events[index] |= EVENT_IGNORED_ORDER,
    }
    let keeper = &mut ring.keepers[index];
    match walk {
        0 => keeper.cell = (keeper.cell + CELLS - 1) % CELLS,
        STAY => {}
        2 => keeper.cell = (keeper.cell + 1) % CELLS,
        _ => produced.events[index] |= EVENT_IGNORED_ORDER,
    }
    keeper.oil -= 1;
    if keeper.cell == 0 && keeper.oil > 0 {
        keeper.oil = OIL_MAX;
        produced.events[index] |= EVENT_REFILLED;
    }
}

/// The wind may blow out each lit lamp.
pub fn wind(ring: &mut Lanterns) {
    let stream = Stream::new(ring.seed, Draw::Wind as u32);
    for index in 0..LAMPS {
        let gust = stream.below(WIND_ONE_IN, index as u32, ring.tick, 0) == 0;
        ring.lamps[index].lit &= !gust;
    }
}

/// A keeper without oil is lost; the episode is over when both are, or the time is up.
pub fn endings(
    ring: &Lanterns,
    was_in_play: [bool; KEEPERS],
    produced: &mut Produced<'_>,
) -> Episode {
    let time_is_up = ring.tick >= ring.ticks_max;
    for (index, keeper) in ring.keepers.iter().enumerate() {
        if !was_in_play[index] {
            continue;
        }
        if keeper.oil == 0 {
            produced.terminated[index] = 1;
            produced.terms[2 * index + 1] = -1.0;
            produced.events[index] |= EVENT_LOST;
        } else if time_is_up {
            produced.truncated[index] = 1;
        }
        produced.reward[index] = produced.terms[2 * index] + produced.terms[2 * index + 1];
    }
    let lost = ring.keepers.iter().filter(|keeper| keeper.oil == 0).count();
    produced.stats.copy_from_slice(&[ring.tick as f32, ring.lamps_lit as f32, lost as f32]);
    if time_is_up || lost == KEEPERS { Episode::Over } else { Episode::Running }
}
