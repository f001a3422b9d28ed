//! Sound: how loud a hull is, what it hears over its own noise, and how far that carries.

use astrarium_morphospace::{Field, Space};

use crate::setup::Setup;
use crate::state::{State, flag};
use crate::tables::SonarFigures;

/// The level at which others hear a hull, dB: its machines, its speed, and what it is up to.
#[must_use]
pub fn level(setup: &Setup, state: &State, ship: usize) -> f32 {
    let ships = &state.ships;
    if !ships.fights(ship) {
        // Nobody runs the engines of a hull that is given up.
        return setup.hulls[ship].noise_db;
    }
    let sonar = &setup.tables.sensors.sonar;
    let mut level =
        setup.hulls[ship].noise_db + sonar.own_speed_source_db * speed_square(setup, state, ship);
    if ships.in_transition(ship) {
        level += setup.tables.layers.transition.noise_db;
    }
    if ships.popup[ship] != 0.0 {
        level += setup.tables.layers.pop_up.noise_db;
    }
    if ships.flags[ship] & flag::PINGING != 0 {
        level += sonar.ping_source_db;
    }
    level
}

/// Square of the share of top speed a hull makes.
fn speed_square(setup: &Setup, state: &State, ship: usize) -> f32 {
    let top = setup.hulls[ship].speed_max[usize::from(state.ships.layer[ship])];
    if top <= 0.0 {
        return 0.0;
    }
    let share = state.ships.surge[ship] / top;
    (share * share).min(1.0)
}

/// How loud the water is at a place, dB: by what happened there and by every wake, known or not.
#[must_use]
pub fn at(state: &State, place: (f32, f32), layer: u8) -> f32 {
    let heard = |space: &Space| space.point(Field::Noise, place, layer);
    heard(&state.fields).max(heard(&state.wakes))
}

/// What a ship listens against, dB: the water around it and its own way through it. A crew knows its
/// own wake and listens past it, so `wake_db`, the noise that wake has at most, does not deafen it.
#[must_use]
pub fn noise(setup: &Setup, state: &State, ship: usize, wake_db: f32) -> f32 {
    let ships = &state.ships;
    let layer = ships.layer[ship];
    let ambient = state.fields.spec().ambient.of(Field::Noise, layer);
    let mut around = ambient;
    if setup.senses.fields {
        let here = at(state, (ships.x[ship], ships.y[ship]), layer);
        if here > wake_db + setup.tables.sensors.sonar.wake_margin_db {
            around = here;
        }
    }
    let own = setup.tables.sensors.sonar.own_speed_noise_db;
    around + own * speed_square(setup, state, ship)
}

/// How the range of a sonar changes with what is listened to and what it is listened against.
#[inline]
#[must_use]
pub fn factor(figures: &SonarFigures, level_db: f32, noise_db: f32) -> f32 {
    let above = level_db - figures.source_usual_db - (noise_db - figures.noise_usual_db);
    (1.0 + above / figures.span_db).clamp(figures.factor[0], figures.factor[1])
}

/// The best factor between a listener's layer and any layer a sound comes from (bits by layer).
#[inline]
#[must_use]
pub fn layer_factor(figures: &SonarFigures, listener: u8, places: u8) -> f32 {
    let row = &figures.layer_factor[usize::from(listener)];
    let from = |layer: u8| if places & (1 << layer) != 0 { row[usize::from(layer)] } else { 0.0 };
    from(0).max(from(1)).max(from(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Reach, Tables};

    #[test]
    fn the_factor_is_one_for_the_usual_and_stays_within_its_limits() {
        let figures = &Tables::shipped().sensors.sonar;
        assert_eq!(factor(figures, 110.0, 30.0), 1.0);
        assert_eq!(factor(figures, 130.0, 30.0), 1.5);
        assert_eq!(factor(figures, 110.0, 50.0), 0.5);
        assert_eq!(factor(figures, 60.0, 90.0), 0.2);
        assert_eq!(factor(figures, 300.0, 10.0), 3.0);
    }

    #[test]
    fn sound_passes_between_layers_by_the_table() {
        let figures = &Tables::shipped().sensors.sonar;
        let expected = [[0.5, 0.7, 0.15], [1.0, 1.0, 0.3], [0.25, 0.4, 0.4]];
        for (listener, row) in expected.iter().enumerate() {
            for (layer, &factor) in row.iter().enumerate() {
                assert_eq!(layer_factor(figures, listener as u8, 1 << layer), factor);
            }
        }
        let diving = Reach::SURFACE | Reach::SUBMERGED | Reach::TRANSIT;
        assert_eq!(layer_factor(figures, 0, diving), 0.7);
        assert_eq!(layer_factor(figures, 0, Reach::AIR), 0.0);
    }
}
