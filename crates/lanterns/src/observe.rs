//! What each keeper sees: itself, the other, the lamps, the time left.

use astrarium_kernel::View;

use crate::rules::{MOVES, TASKS, lightable};
use crate::{CELLS, KEEPERS, LAMPS, Lanterns, OIL_MAX};

/// Floats per keeper: oil, way to the depot, the other's presence and way, the time left, then
/// (way, lit) for each lamp.
pub const OBS: usize = 5 + 2 * LAMPS;

/// Write both keepers' rows and masks.
pub fn write(ring: &Lanterns, view: &mut View<'_>) {
    let choices = (MOVES + TASKS) as usize;
    for index in 0..KEEPERS {
        look(ring, index, &mut view.obs[index * OBS..][..OBS]);
        let alive = ring.keepers[index].oil > 0;
        view.alive[index] = u8::from(alive);
        let mask = &mut view.mask[index * choices..][..choices];
        mask.fill(u8::from(alive));
        mask[choices - 1] = u8::from(lightable(ring, index).is_some());
        // A lost keeper may still stay and rest: a sampler over the mask always has a choice.
        mask[1] = 1;
        mask[MOVES as usize] = 1;
    }
}

fn look(ring: &Lanterns, index: usize, obs: &mut [f32]) {
    let me = ring.keepers[index];
    let other = ring.keepers[1 - index];
    obs[0] = f32::from(me.oil) / f32::from(OIL_MAX);
    obs[1] = way(me.cell, 0);
    obs[2] = f32::from(u8::from(other.oil > 0));
    obs[3] = if other.oil > 0 { way(me.cell, other.cell) } else { 0.0 };
    // Saturating: a state restored at its last tick may be stepped once past it.
    obs[4] = ring.ticks_max.saturating_sub(ring.tick) as f32 / ring.ticks_max as f32;
    for (pair, lamp) in obs[5..].chunks_exact_mut(2).zip(&ring.lamps) {
        pair[0] = way(me.cell, lamp.cell);
        pair[1] = f32::from(u8::from(lamp.lit));
    }
}

/// The signed shorter way round from `from` to `to`, in -1..1 (half the ring is 1).
fn way(from: u8, to: u8) -> f32 {
    let half = i16::from(CELLS / 2);
    let steps = (i16::from(to) - i16::from(from)).rem_euclid(i16::from(CELLS));
    let signed = if steps > half { steps - i16::from(CELLS) } else { steps };
    f32::from(signed) / f32::from(half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use astrarium_kernel::World;

    #[test]
    fn the_time_left_stops_at_zero() {
        let mut ring = Lanterns::new(&Config { ticks_max: 3 });
        ring.tick = 4;
        let mut obs = [0.0; OBS];
        look(&ring, 0, &mut obs);
        assert_eq!(obs[4], 0.0);
    }
}
