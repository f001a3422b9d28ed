//! What others can notice about each entity in this tick, gathered once for all who look.

use astrarium_morphospace::Field;

use crate::setup::Setup;
use crate::state::{Squadrons, State};
use crate::tables::{Guidance, Reach, WeaponGroup, WeatherTable};

use super::links;

/// Level of something that makes no sound.
const SILENCE_DB: f32 = -1000.0;
/// Marks of rounds begin here, above any id that is given out before the first tick.
const ROUNDS: u32 = 1 << 30;
/// Size of ordnance in a contact table.
const ORDNANCE: u8 = 0;
/// Size of craft.
const CRAFT: u8 = 1;

/// What one entity gives away.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signature {
    /// Whose it is.
    pub id: u32,
    /// What draws about it go by, within 31 bits: the id of what was there from the beginning, and of
    /// rounds their shooter and number, because the ids of rounds count what nobody has noticed too.
    pub mark: u32,
    /// Metres.
    pub x: f32,
    /// Metres.
    pub y: f32,
    /// Share of a radar's range at which it is seen.
    pub radar: f32,
    /// Share of the range of sight at which it is seen.
    pub visual: f32,
    /// dB.
    pub level_db: f32,
    /// Metres at which its own radar is heard.
    pub emitter_m: f32,
    /// What weather leaves of radar where it is.
    pub weather_radar: f32,
    /// What weather leaves of sight where it is.
    pub weather_visual: f32,
    /// Of the water it lies in, kelvin.
    pub temperature: f32,
    /// How far its link reaches; hulls only.
    pub link_m: f32,
    /// Where it can be struck, as bits of [`Reach`]; 0 if there is nothing to notice.
    pub places: u8,
    /// See [`crate::state::Layer`].
    pub layer: u8,
    /// As in contact tables.
    pub size: u8,
    /// Who holds it.
    pub team: u8,
}

/// Gather signatures: rows of ships first, then rows of rounds, then of squadrons. A row that nobody
/// can notice stands empty, so that places follow from rows.
pub fn gather(setup: &Setup, state: &State, out: &mut Vec<Signature>) {
    out.clear();
    out.extend((0..state.ships.len()).map(|ship| of_ship(setup, state, ship)));
    out.extend((0..state.rounds.len()).map(|round| of_round(setup, state, round)));
    out.extend((0..state.squadrons.len()).map(|squadron| of_squadron(setup, state, squadron)));
}

/// What weather leaves of radar and of sight where a ship is.
#[must_use]
pub fn weather(setup: &Setup, state: &State, ship: usize) -> (f32, f32) {
    let figures = &setup.tables.weather;
    let band = WeatherTable::band(state.ships.sea_state[ship] as u8);
    let rain = usize::from(state.ships.rain[ship].min(3));
    let sight = state.ships.visibility_km[ship] * 1000.0 / figures.visual_full_m;
    (figures.radar[band] * figures.rain_radar[rain], sight.min(1.0))
}

fn of_ship(setup: &Setup, state: &State, ship: usize) -> Signature {
    let ships = &state.ships;
    if !ships.afloat(ship) {
        return Signature::default();
    }
    let hull = &setup.hulls[ship];
    let layer = ships.layer[ship];
    let transit_by_surface =
        ships.in_transition(ship) && (layer == 0 || ships.layer_next[ship] == 0);
    let (radar, visual) = if transit_by_surface {
        (hull.radar_factor * setup.tables.layers.transition.radar_factor, 1.0)
    } else if layer == 0 {
        (hull.radar_factor, 1.0)
    } else if ships.popup[ship] != 0.0 {
        let shown = setup.tables.layers.pop_up.radar_factor;
        (shown, shown)
    } else {
        (0.0, 0.0)
    };
    let radiates = layer == 0 && ships.fights(ship) && ships.emission[ship] == 2;
    let emitter_m = if radiates {
        setup.tables.sensors.esm.radar_range_factor
            * setup.senses.ranges[ship].radar_m
            * super::health(state, ship)
    } else {
        0.0
    };
    let (weather_radar, weather_visual) = weather(setup, state, ship);
    Signature {
        id: ship as u32,
        mark: ship as u32,
        x: ships.x[ship],
        y: ships.y[ship],
        radar,
        visual,
        level_db: ships.level_db[ship],
        emitter_m,
        weather_radar,
        weather_visual,
        temperature: temperature(setup, state, (ships.x[ship], ships.y[ship]), layer),
        link_m: if ships.fights(ship) { links::reach(setup, state, ship) } else { 0.0 },
        places: ships.places(ship),
        layer,
        size: 2 + hull.size as u8,
        team: ships.holder[ship],
    }
}

fn of_round(setup: &Setup, state: &State, round: usize) -> Signature {
    let rounds = &state.rounds;
    let weapon = setup.tables.weapon(rounds.weapon[round]);
    let figures = &setup.tables.sensors.ordnance;
    let layer = rounds.layer[round];
    let (places, layer, radar, level_db) = if weapon.group == WeaponGroup::Missile {
        (Reach::AIR, 0, figures.missile_radar_factor, SILENCE_DB)
    } else if weapon.guidance == Guidance::Homing && layer < 3 {
        (1 << layer, layer, 0.0, figures.torpedo_source_db)
    } else {
        return Signature::default();
    };
    let at = (rounds.x[round], rounds.y[round]);
    Signature {
        id: rounds.id[round],
        mark: ROUNDS | (rounds.shooter[round] << 19 | (rounds.serial[round] & 0x7_ffff)),
        x: at.0,
        y: at.1,
        radar,
        visual: radar,
        level_db,
        weather_radar: 1.0,
        weather_visual: 1.0,
        temperature: temperature(setup, state, at, layer),
        places,
        layer,
        size: ORDNANCE,
        team: rounds.team[round],
        ..Signature::default()
    }
}

fn of_squadron(setup: &Setup, state: &State, squadron: usize) -> Signature {
    let squadrons = &state.squadrons;
    let flies = Squadrons::flies(squadrons.stage[squadron]) && squadrons.craft[squadron] > 0;
    if !flies {
        return Signature::default();
    }
    let radar = setup.tables.sensors.ordnance.craft_radar_factor;
    Signature {
        id: squadrons.id[squadron],
        mark: squadrons.id[squadron],
        x: squadrons.x[squadron],
        y: squadrons.y[squadron],
        radar,
        visual: radar,
        level_db: SILENCE_DB,
        weather_radar: 1.0,
        weather_visual: 1.0,
        places: Reach::AIR,
        size: CRAFT,
        team: squadrons.team[squadron],
        ..Signature::default()
    }
}

fn temperature(setup: &Setup, state: &State, at: (f32, f32), layer: u8) -> f32 {
    if setup.senses.fields {
        state.fields.point(Field::Temperature, at, layer)
    } else {
        state.fields.spec().ambient.of(Field::Temperature, layer)
    }
}
