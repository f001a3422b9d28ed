//! The sea and the sky: storms move, lightning strikes, marks reach the fields, fields spread.

use astrarium_morphospace::Stamp;

use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::setup::Setup;
use crate::state::{NOBODY, Sky, State};

/// A hull slower than this leaves no wake worth hearing, metres a second.
const WAKE_SPEED: f32 = 1.0;

/// A second of weather and fields.
pub fn resolve(setup: &Setup, state: &mut State, journal: &mut Journal) {
    let storms = &mut state.storms;
    for storm in 0..storms.len() {
        storms.x[storm] += storms.vx[storm];
        storms.y[storm] += storms.vy[storm];
    }
    weather_at_ships(setup, state);
    lightning(setup, state, journal);
    stamp(state);
    state.fields.step(1.0);
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
        sky.sea_state += (9.0 - sky.sea_state) * force;
        sky.visibility_km *= 1.0 - 0.8 * force;
        let rain = match force {
            force if force > 0.6 => 3,
            force if force > 0.3 => 2,
            force if force > 0.1 => 1,
            _ => 0,
        };
        sky.rain = sky.rain.max(rain);
        sky.lightning = sky.lightning.max(force);
        if storms.profile[storm] == 2 {
            // Winds turn round the eye.
            sky.wind[0] -= 25.0 * force * dy / radius;
            sky.wind[1] += 25.0 * force * dx / radius;
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

/// Press the marks of the last tick and the wakes of now into the fields.
fn stamp(state: &mut State) {
    let State { marks, fields, ships, .. } = state;
    for row in 0..marks.len() {
        let place = (marks.x[row], marks.y[row]);
        let slabs = 1 << marks.layer[row];
        let (radius, strength) = (marks.radius[row], marks.strength[row]);
        let stamp = match marks.kind[row] {
            0 => Stamp::explosion(place, radius, strength, slabs),
            1 => Stamp::fire(place, radius, strength, slabs),
            _ => Stamp::ping(place, radius, strength, slabs),
        };
        fields.stamp(&stamp);
    }
    marks.clear();
    for ship in 0..ships.len() {
        if ships.surge[ship].abs() > WAKE_SPEED && ships.afloat(ship) {
            let place = (ships.x[ship], ships.y[ship]);
            let slabs = 1 << ships.layer[ship];
            fields.stamp(&Stamp::wake(place, ships.level_db[ship], slabs));
        }
    }
}
