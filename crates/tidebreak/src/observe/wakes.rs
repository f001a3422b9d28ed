//! The wakes a ship knows of, as its view of the water shows them: its own, those of friends it hears,
//! and those its contacts leave where it believes them to be. What lies in the water is shown to nobody:
//! it would point at hulls that nobody has noticed.

use std::iter;

use astrarium_morphospace::{FOVEA_SIZE, Field};

use crate::sensing::tracks::{self, UNKNOWN_LAYER};
use crate::setup::Setup;
use crate::state::State;

/// Sizes in a contact table from which on it is a hull.
const HULL: u8 = 2;

/// Add them to the view. How loud a contact is nobody tells: it is taken for what is usual.
pub(super) fn show(
    setup: &Setup,
    state: &State,
    ship: usize,
    friends: &[u32],
    out: &mut [f32; FOVEA_SIZE],
) {
    if !setup.senses.fields {
        return;
    }
    let (ships, known) = (&state.ships, &state.beliefs.tracks);
    let (cosine, sine) = ships.bow[ship];
    let below_db = setup.tables.fields.presets.wake.below_db;
    let mut add = |(x, y): (f32, f32), layer: u8, level_db: f32| {
        let (dx, dy) = (x - ships.x[ship], y - ships.y[ship]);
        let off = (cosine * dx + sine * dy, cosine * dy - sine * dx);
        state.fields.show(Field::Noise, level_db - below_db, layer, off, out);
    };
    for row in iter::once(ship).chain(friends.iter().map(|&row| row as usize)) {
        if ships.leaves_wake(setup, row) {
            add((ships.x[row], ships.y[row]), ships.layer[row], ships.level_db[row]);
        }
    }
    let usual_db = setup.tables.sensors.sonar.source_usual_db;
    let slow = setup.tables.fields.wake_above * setup.tables.fields.wake_above;
    for row in tracks::rows(&state.beliefs, ship) {
        let (vx, vy) = (known.vx[row], known.vy[row]);
        let under_way = vx * vx + vy * vy > slow;
        if known.size[row] >= HULL && known.layer[row] != UNKNOWN_LAYER && under_way {
            add((known.x[row], known.y[row]), known.layer[row], usual_db);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;
    use crate::observe::{self, FIELD, FLOATS, OBJECTIVE};
    use crate::package::{BattlePackage, Fidelity};
    use crate::sensing::tests::{battle_of, package};
    use crate::state::Track;

    const SURFACE: &str = "surface";

    /// A transport of theirs, taken to be on the beam.
    fn seen() -> Track {
        Track {
            entity: 2,
            number: 1,
            y: 1_200.0,
            vx: 8.0,
            quality: 2,
            places: 1,
            size: 5,
            iff: 4,
            ..Track::default()
        }
    }

    fn trial(fidelity: Fidelity) -> Arena {
        let ships = [
            ("frigate", "blue", (0.0, 0.0), SURFACE),
            ("corvette", "blue", (-900.0, 0.0), SURFACE),
            ("transport", "red", (4_000.0, 0.0), SURFACE),
        ];
        battle_of(BattlePackage { fidelity, ..package(&ships) })
    }

    /// Layer, shell, wedge and dB of every place that is louder than its layer is by itself.
    fn loud(arena: &mut Arena) -> Vec<(usize, usize, usize, i32)> {
        let mut out = [0.0; FLOATS];
        observe::ship(&arena.setup, &mut arena.state, 0, &mut out);
        let ambient = &arena.state.fields.spec().ambient;
        let noise = out[FIELD..OBJECTIVE].chunks(4).map(|bin| 100.0 * (bin[1] + 1.0)).enumerate();
        let louder = noise.filter_map(|(bin, level_db)| {
            let layer = bin / 24;
            let louder = level_db > ambient.of(Field::Noise, layer as u8) + 0.01;
            louder.then_some((layer, bin / 8 % 3, bin % 8, level_db.round() as i32))
        });
        louder.collect()
    }

    /// The transport steams elsewhere; the frigate knows no more than it is given.
    fn knowing(track: Track, fidelity: Fidelity) -> Arena {
        let mut arena = trial(fidelity);
        arena.state.ships.surge[2] = 9.0;
        arena.state.beliefs.used[0] = 1;
        arena.state.beliefs.tracks.set(0, track);
        arena
    }

    #[test]
    fn a_contact_is_heard_where_it_is_believed_to_be_and_nowhere_else() {
        for fidelity in [Fidelity::F1, Fidelity::F2] {
            assert_eq!(loud(&mut knowing(seen(), fidelity)), [(0, 1, 2, 50)], "abeam to port");
            let dived = Track { layer: 1, y: -300.0, ..seen() };
            assert_eq!(loud(&mut knowing(dived, fidelity)), [(1, 0, 6, 50)]);
        }
        for silent in [
            Track { vx: 0.5, ..seen() },
            Track { layer: UNKNOWN_LAYER, ..seen() },
            Track { size: HULL - 1, ..seen() },
            Track { y: 8_001.0, ..seen() },
        ] {
            assert_eq!(loud(&mut knowing(silent, Fidelity::F1)), [], "{silent:?}");
        }
        assert_eq!(loud(&mut knowing(seen(), Fidelity::F0)), [], "nothing lies in a flat sea");
    }

    #[test]
    fn a_ship_hears_itself_and_the_friends_it_is_linked_with() {
        let mut arena = trial(Fidelity::F1);
        arena.state.ships.surge.fill(8.0);
        (arena.state.ships.level_db[0], arena.state.ships.level_db[1]) = (112.0, 104.0);
        assert_eq!(loud(&mut arena), [(0, 0, 0, 52), (0, 1, 4, 44)]);
        arena.state.ships.x[1] = -7_999.0;
        assert_eq!(loud(&mut arena), [(0, 0, 0, 52), (0, 2, 4, 44)]);
        arena.state.ships.layer[1] = 1;
        assert_eq!(loud(&mut arena), [(0, 0, 0, 52)], "no link reaches so far below");
    }
}
