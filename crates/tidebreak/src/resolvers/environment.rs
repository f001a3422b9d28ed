//! The sea and the sky: storms move, lightning strikes, marks reach the fields, fields spread.

use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::scratch::Scratch;
use crate::setup::Setup;
use crate::state::{NOBODY, Sky, State};

/// A second of weather and fields.
pub fn resolve(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal) {
    let storms = &mut state.storms;
    for storm in 0..storms.len() {
        storms.x[storm] += storms.vx[storm];
        storms.y[storm] += storms.vy[storm];
    }
    weather_at_ships(setup, state);
    lightning(setup, state, journal);
    stamp(setup, state, &mut scratch.order);
    state.fields.step(1.0);
    state.wakes.step(1.0);
}

/// Strength of a storm at a distance from its middle, as shares of its radius.
fn strength(profile: u8, away: f32) -> f32 {
    match profile {
        0 => 1.0,
        1 => 1.0 - away,
        // Calm in the eye, worst half way out.
        _ => 1.0 - (2.0 * away - 1.0).abs(),
    }
}

/// The weather at a place, zones and storms counted.
#[must_use]
pub fn weather_at(setup: &Setup, state: &State, x: f32, y: f32) -> Sky {
    let figures = &setup.tables.weather.storm;
    let mut sky = state.sky;
    for (shape, weather) in &setup.weather_zones {
        if shape.outside(x, y).0 <= 0.0 {
            sky = Sky {
                sea_state: weather.sea_state as f32,
                visibility_km: weather.visibility_km as f32,
                rain: weather.precipitation as u8,
                wind: [weather.wind_x as f32, weather.wind_y as f32],
                lightning: weather.lightning as f32,
            };
        }
    }
    let storms = &state.storms;
    for storm in 0..storms.len() {
        let (dx, dy) = (x - storms.x[storm], y - storms.y[storm]);
        let radius = storms.radius[storm];
        let square = dx * dx + dy * dy;
        if square >= radius * radius {
            continue;
        }
        let away = square.sqrt() / radius;
        let force = (storms.intensity[storm] * strength(storms.profile[storm], away)).max(0.0);
        sky.sea_state += (figures.sea_state - sky.sea_state) * force;
        sky.visibility_km *= 1.0 - figures.visibility_loss * force;
        let rain = figures.rain_force.iter().filter(|&&least| force > least).count();
        sky.rain = sky.rain.max(rain as u8);
        sky.lightning = sky.lightning.max(force);
        if storms.profile[storm] == 2 {
            // Winds turn round the eye.
            sky.wind[0] -= figures.cyclone_wind * force * dy / radius;
            sky.wind[1] += figures.cyclone_wind * force * dx / radius;
        }
    }
    sky
}

/// Note at every hull what the weather is there.
pub fn weather_at_ships(setup: &Setup, state: &mut State) {
    let calm = state.storms.is_empty() && setup.weather_zones.is_empty();
    for ship in 0..state.ships.len() {
        let sky = if calm {
            state.sky
        } else {
            weather_at(setup, state, state.ships.x[ship], state.ships.y[ship])
        };
        state.ships.sea_state[ship] = sky.sea_state;
        state.ships.visibility_km[ship] = sky.visibility_km;
        state.ships.rain[ship] = sky.rain;
        state.ships.lightning[ship] = sky.lightning;
        state.ships.wind[ship] = (sky.wind[0], sky.wind[1]);
    }
}

fn lightning(setup: &Setup, state: &mut State, journal: &mut Journal) {
    let figures = &setup.tables.weather;
    for ship in 0..state.ships.len() {
        if state.ships.blinded[ship] > 0 {
            state.ships.blinded[ship] -= 1;
            if state.ships.blinded[ship] == 0 {
                state.ships.refresh_output(setup, ship);
            }
        }
        let risk = state.ships.lightning[ship];
        if risk <= 0.0 || state.ships.layer[ship] != 0 || !state.ships.fights(ship) {
            continue;
        }
        let id = ship as u32;
        let drawn = Draws::of(state.seed).unit(Draw::Weather, id, state.tick, 0);
        if drawn < figures.lightning_chance_per_s * risk {
            state.ships.blinded[ship] = figures.lightning_sensors_off_s as u16;
            state.ships.refresh_output(setup, ship);
            let place = (state.ships.x[ship], state.ships.y[ship]);
            let kind = Kind::Lightning;
            tell(state, journal, kind, NOBODY, id, 0, 0, place, risk, Plugin::Environment);
        }
    }
}

/// Press the marks of the last tick, by source and then as they were made, into the fields, and the
/// wakes of now into the sea that keeps them.
fn stamp(setup: &Setup, state: &mut State, order: &mut Vec<u32>) {
    let State { marks, fields, wakes, ships, .. } = state;
    let presets = &setup.tables.fields.presets;
    order.clear();
    order.extend(0..marks.len() as u32);
    order.sort_unstable_by_key(|&row| (marks.source[row as usize], row));
    for &row in &*order {
        let row = row as usize;
        let place = (marks.x[row], marks.y[row]);
        let slabs = 1 << marks.layer[row];
        let (radius, strength) = (marks.radius[row], marks.strength[row]);
        let stamp = match marks.kind[row] {
            0 => presets.explosion(place, radius, strength, slabs),
            1 => presets.fire(place, radius, strength, slabs),
            _ => presets.ping(place, radius, strength, slabs),
        };
        fields.stamp(&stamp);
    }
    marks.clear();
    for ship in 0..ships.len() {
        if ships.leaves_wake(setup, ship) {
            let place = (ships.x[ship], ships.y[ship]);
            let slabs = 1 << ships.layer[ship];
            wakes.stamp(&presets.wake(place, ships.level_db[ship], slabs));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe;
    use crate::package::{BattlePackage, Fidelity};
    use crate::sensing::tests::{battle, battle_of, package};
    use crate::state::{Mark, Storm};

    #[test]
    fn marks_are_stamped_by_source_whoever_made_them_first() {
        let (blast, fire) = (0, 1);
        let mark = |source, kind| Mark {
            source,
            kind,
            x: 500.0,
            y: 0.0,
            layer: 0,
            radius: 900.0,
            strength: 1.0,
        };
        let stamped = |marks: [Mark; 3]| {
            let of = package(&[("frigate", "blue", (0.0, 0.0), "surface")]);
            let mut arena = battle_of(BattlePackage { fidelity: Fidelity::F1, ..of });
            marks.into_iter().for_each(|mark| arena.state.marks.push(mark));
            stamp(&arena.setup, &mut arena.state, &mut arena.scratch.order);
            assert!(arena.state.marks.is_empty());
            arena.state.fields.hash()
        };
        let one = stamped([mark(1, blast), mark(2, fire), mark(3, blast)]);
        assert_eq!(one, stamped([mark(3, blast), mark(1, blast), mark(2, fire)]));
        // Of one source they stay as they were made, which makes a difference.
        let before = stamped([mark(1, blast), mark(1, fire), mark(1, blast)]);
        assert_ne!(before, stamped([mark(1, blast), mark(1, blast), mark(1, fire)]));
    }

    #[test]
    fn a_ship_feels_the_wind_of_the_cyclone_it_is_in() {
        let mut arena = battle(&[
            ("frigate", "blue", (0.0, 1000.0), "surface"),
            ("frigate", "red", (30_000.0, 0.0), "surface"),
        ]);
        arena.state.sky.wind = [3.0, 0.0];
        let (radius, intensity, profile) = (2000.0, 1.0, 2);
        arena.state.storms.push(Storm { radius, intensity, profile, ..Storm::default() });
        weather_at_ships(&arena.setup, &mut arena.state);
        // Half way out a cyclone has its full force, and here it blows along -x.
        assert_eq!(arena.state.ships.wind, [(3.0 - 12.5, 0.0), (3.0, 0.0)]);
        let mut seen = [0.0; observe::FLOATS];
        observe::ship(&arena.setup, &mut arena.state, 0, &mut seen);
        assert!((seen[observe::ENVIRONMENT + 6] + 9.5 / 30.0).abs() < 1e-6);
    }
}
