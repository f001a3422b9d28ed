//! Interference: what it takes from radar and links, and the contacts it makes up.

use astrarium_morphospace::Field;

use crate::draws::{Draw, Draws};
use crate::package::ZoneKind;
use crate::setup::Setup;
use crate::state::State;

use super::detection::Watch;
use super::tracks::{self, Sighting, UNKNOWN_LAYER};
use super::{Memory, lose_aim, source};

/// Ids of made-up contacts begin here, above any that is really given out.
const GHOSTS: u32 = 1 << 31;
/// Bits of the count of a ship's contacts in such an id, below the ship: nobody else's ghost has it.
const COUNT_BITS: u32 = 20;

/// Whether a contact is made up.
#[inline]
pub(super) fn is_ghost(entity: u32) -> bool {
    entity >= GHOSTS
}

fn ghost_id(ship: u32, number: u32) -> u32 {
    GHOSTS | ship << COUNT_BITS | number & ((1 << COUNT_BITS) - 1)
}

/// Measure how strongly each ship is jammed: the field where there is one, and zones of the map.
pub(super) fn measure(setup: &Setup, state: &State, memory: &mut Memory) {
    for ship in 0..state.ships.len() {
        let (x, y) = (state.ships.x[ship], state.ships.y[ship]);
        let mut jammed = 0.0_f32;
        if setup.senses.fields && state.ships.layer[ship] == 0 {
            jammed = state.fields.point(Field::Jam, (x, y), 0);
        }
        for zone in &setup.zones {
            if zone.kind == ZoneKind::Interference && zone.shape.outside(x, y).0 <= 0.0 {
                jammed = jammed.max(zone.intensity);
            }
        }
        memory.jammed[ship] = jammed.min(1.0);
    }
}

/// Make up a contact for a jammed ship now and then.
pub(super) fn haunt(setup: &Setup, state: &mut State, draws: Draws, watch: &Watch, jammed: f32) {
    if jammed <= 0.0 {
        return;
    }
    let [first, second, third, _] = draws
        .words(Draw::ElectronicWarfare, watch.ship, state.tick, 0)
        .map(|word| (word >> 8) as f32 * (1.0 / 16_777_216.0));
    let figures = &setup.tables.sensors;
    if first >= jammed * figures.jammer.ghosts_per_s {
        return;
    }
    let [near, far] = figures.jammer.ghost_range;
    let range = figures.jammer.range_m * (near + (far - near) * second);
    let bearing = std::f32::consts::PI * (2.0 * third - 1.0);
    let (sine, cosine) = libm::sincosf(bearing);
    let ship = watch.ship as usize;
    let ghost = Sighting {
        entity: ghost_id(watch.ship, state.beliefs.next_number[ship]),
        x: watch.x + range * cosine,
        y: watch.y + range * sine,
        sigma: figures.track.sigma_per_m[0] * range,
        quality: 0,
        senses: source::RADAR,
        layer: UNKNOWN_LAYER,
        places: 0,
        size: tracks::SIZE_GUESS,
        iff: 2,
        bearing,
    };
    if let Some(claimed) = tracks::begin(&mut state.beliefs, ship, &ghost)
        && claimed.evicted
    {
        lose_aim(state, ship, claimed.row);
    }
}
