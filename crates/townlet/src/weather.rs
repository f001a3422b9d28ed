//! Weather, where there is any: one a day, and what it does to those who are out in it.
//!
//! Under a roof is every tile within two of an object that does not stand in the park, diagonals
//! being one, unless it is a road; everything else is the open.

use serde::{Deserialize, Serialize};

use crate::config::Document;
use crate::events::{Event, Reason, bit};
use crate::grid::Grid;
use crate::needs::NEAR;
use crate::numbers::{ONE, micro};
use crate::state::State;
use crate::town::{Object, Town, VENUES};

/// How far from an object a roof reaches.
const EAVES: u16 = 2;

/// A weather.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sky {
    /// Nothing.
    #[default]
    Sunny,
    /// Ways take longer.
    Rainy,
    /// People must not stay out.
    Cold,
}

impl Sky {
    /// In the order of their chances.
    const ALL: [Self; 3] = [Self::Sunny, Self::Rainy, Self::Cold];

    /// Its name.
    #[must_use]
    pub fn name(self) -> Reason {
        match self {
            Self::Sunny => "sunny",
            Self::Rainy => "rainy",
            Self::Cold => "cold",
        }
    }
}

/// The weather in force: today's, unless an operator lets it rain.
#[inline]
#[must_use]
pub fn now(state: &State) -> Sky {
    if state.annex.rain { Sky::Rainy } else { state.annex.sky }
}

/// A day begins with a weather of its own.
pub fn dawn(town: &Town, state: &mut State) {
    let weather = &town.document.features.weather;
    if !weather.enabled || state.tod(town) != 0 {
        return;
    }
    let chances = weather.chances.values();
    let total: f64 = chances.iter().sum();
    let mut rest = f64::from(state.world.word()) / 4_294_967_296.0 * total;
    let drawn = chances.iter().position(|chance| {
        rest -= chance;
        rest < 0.0
    });
    let before = now(state);
    state.annex.sky = Sky::ALL[drawn.unwrap_or(0)];
    tell(state, before);
}

/// An operator lets it rain, or leaves the weather to itself; whether there is any.
pub fn order_rain(town: &Town, state: &mut State, on: bool) -> bool {
    let before = now(state);
    if town.document.features.weather.enabled {
        state.annex.rain = on;
        tell(state, before);
    }
    town.document.features.weather.enabled
}

fn tell(state: &mut State, before: Sky) {
    if now(state) != before {
        state.tell(Event::new("weather_changed").because(now(state).name()));
    }
}

/// Whether the cold reaches whoever sits in `seat`.
#[must_use]
pub fn freezes(town: &Town, state: &State, seat: usize) -> bool {
    let agent = &state.agents[seat];
    let warmth = town.document.features.weather.warmth;
    warmth && now(state) == Sky::Cold && agent.about() && !town.sheltered(agent.tile)
}

/// Whether someone had better go in: it is cold, and it has lost half of what it can lose.
#[must_use]
pub fn shivers(town: &Town, state: &State, seat: usize) -> bool {
    freezes(town, state, seat) && state.annex.people[seat].warmth < ONE / 2
}

/// Everyone loses warmth out in the cold and gains it anywhere else.
pub fn chill(town: &Town, state: &mut State) {
    let weather = &town.document.features.weather;
    if !weather.warmth {
        return;
    }
    let (loss, gain) = (micro(weather.warmth_loss), micro(weather.warmth_gain));
    let low = micro(weather.exposure_threshold);
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let freezes = freezes(town, state, seat);
        let person = &mut state.annex.people[seat];
        let change = if freezes { -loss } else { gain };
        person.warmth = (person.warmth + change).clamp(0, ONE);
        person.exposed = if freezes && person.warmth < low { person.exposed + 1 } else { 0 };
        if person.warmth < NEAR && !person.chilled {
            person.chilled = true;
            state.agents[seat].now.bits |= bit("near_death");
            state.tell(Event::new("agent_near_death").of(seat).because("warmth"));
        } else {
            person.chilled &= person.warmth < NEAR;
        }
    }
}

/// Which tiles are under a roof; none are listed where there is no weather.
#[must_use]
pub fn roofs(document: &Document, grid: &Grid, objects: &[Object]) -> Vec<bool> {
    if !document.features.weather.enabled {
        return Vec::new();
    }
    let park = VENUES.iter().position(|venue| *venue == "park");
    let houses = || objects.iter().filter(|one| Some(usize::from(one.venue)) != park);
    let road = |tile: usize| {
        let row = tile / usize::from(grid.width);
        let rows = document.world.layout.as_ref();
        rows.is_some_and(|rows| rows[row].as_bytes()[tile % usize::from(grid.width)] == b'=')
    };
    let roofed = |tile: usize| {
        !road(tile) && houses().any(|one| grid.chebyshev(one.tile, tile as u16) <= EAVES)
    };
    (0..grid.tiles()).map(roofed).collect()
}
