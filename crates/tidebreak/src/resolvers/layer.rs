//! Hulls dive, rise, turn back, botch it, and lie shallow to launch.

use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::{ChangeLayer, Plugin, Proposals};
use crate::scratch::{Hit, Scratch};
use crate::setup::Setup;
use crate::state::{Cause, NOBODY, State};

/// Begin and abort what was asked for, then let every transition go on by a second.
pub fn resolve(
    setup: &Setup,
    state: &mut State,
    proposals: &Proposals,
    scratch: &mut Scratch,
    journal: &mut Journal,
) {
    for wish in &proposals.layers {
        begin(setup, state, journal, wish);
    }
    for ship in 0..state.ships.len() {
        if state.ships.in_transition(ship) && state.ships.fights(ship) {
            go_on(setup, state, scratch, journal, ship);
        }
        if state.ships.popup[ship] != 0.0 {
            lie_shallow(setup, state, ship);
        }
    }
}

fn begin(setup: &Setup, state: &mut State, journal: &mut Journal, wish: &ChangeLayer) {
    let ship = wish.ship as usize;
    let ships = &mut state.ships;
    if wish.to == ships.layer[ship] {
        turn_back(state, ship);
        (state.ships.layer_event[ship], state.ships.layer_trace[ship]) =
            (wish.origin.cause, wish.origin.trace);
        return;
    }
    let figures = &setup.tables.layers.transition;
    let sea = (ships.sea_state[ship] as usize).min(9);
    // Waves reach down to the first boundary only.
    let upper = ships.layer[ship].min(wish.to) == 0;
    let rough = if upper { figures.sea_factor[sea] } else { 1.0 };
    let hull = &setup.hulls[ship];
    ships.layer_next[ship] = wish.to;
    ships.transition_spent[ship] = 0.0;
    ships.transition_length[ship] = hull.transition_s[usize::from(!upper)] * rough;
    ships.popup[ship] = 0.0;
    ships.recent_damage[ship] = [0.0; 10];
    let tonnes = f64::from(figures.fuel_kg_per_t * hull.mass_t) / 1000.0;
    let burned = tonnes.min(ships.fuel[ship]);
    ships.fuel[ship] -= burned;
    ships.fuel_burned[ship] += burned;
    state.tally.transitions += 1;
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let (cause, trace) = (wish.origin.cause, wish.origin.trace);
    let (kind, to) = (Kind::TransitionBegan, f32::from(wish.to));
    let event =
        tell(state, journal, kind, wish.ship, NOBODY, cause, trace, place, to, Plugin::Layer);
    state.ships.layer_event[ship] = event;
    state.ships.layer_trace[ship] = if trace == 0 { event } else { trace };
}

/// Back to the layer it came from, in the time already spent.
fn turn_back(state: &mut State, ship: usize) {
    let ships = &mut state.ships;
    ships.layer_next[ship] = ships.layer[ship];
    // A hull that turns back at once still has to level out.
    ships.transition_length[ship] = ships.transition_spent[ship].max(1.0);
    ships.transition_spent[ship] = 0.0;
}

fn go_on(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
) {
    let hurt: f32 = state.ships.recent_damage[ship].iter().sum();
    // Whoever is on the way back already has given up what could be botched.
    let ventures = state.ships.layer_next[ship] != state.ships.layer[ship];
    if ventures && hurt >= setup.tables.layers.botched.damage_share {
        state.ships.recent_damage[ship] = [0.0; 10];
        botch(setup, state, scratch, journal, ship);
    }
    let ships = &mut state.ships;
    ships.transition_spent[ship] += 1.0;
    if ships.in_transition(ship) && ships.transition_spent[ship] >= ships.transition_length[ship] {
        finish(state, journal, ship);
    }
}

fn finish(state: &mut State, journal: &mut Journal, ship: usize) {
    let ships = &mut state.ships;
    ships.layer[ship] = ships.layer_next[ship];
    ships.transition_spent[ship] = 0.0;
    ships.transition_length[ship] = 0.0;
    let (place, layer) = ((ships.x[ship], ships.y[ship]), f32::from(ships.layer[ship]));
    let (kind, id) = (Kind::TransitionEnded, ship as u32);
    let (cause, trace) = (ships.layer_event[ship], ships.layer_trace[ship]);
    tell(state, journal, kind, id, NOBODY, cause, trace, place, layer, Plugin::Layer);
}

/// Too much damage on the way: a draw decides what becomes of it.
fn botch(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
) {
    let figures = &setup.tables.layers.botched;
    let id = ship as u32;
    let drawn = Draws::of(state.seed).unit(Draw::Layer, id, state.tick, 0);
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let (cause, trace) = (state.ships.last_harm[ship], state.ships.last_trace[ship]);
    let kind = Kind::TransitionBotched;
    let event = tell(state, journal, kind, id, id, cause, trace, place, drawn, Plugin::Layer);
    let trace = if trace == 0 { event } else { trace };
    (state.ships.layer_event[ship], state.ships.layer_trace[ship]) = (event, trace);
    state.tally.botched += 1;
    let stalls = figures.return_chance + figures.stall_chance;
    let mut harm = |share: f32| {
        scratch.hits.push(Hit {
            target: id,
            amount: share * setup.hulls[ship].hp,
            cause: Cause::Transition,
            source: NOBODY,
            cause_event: event,
            trace,
            underwater: true,
            direct: true,
        });
    };
    if drawn < figures.return_chance {
        turn_back(state, ship);
    } else if drawn < stalls {
        state.ships.transition_length[ship] += figures.stall_s;
    } else if drawn < stalls + figures.damaged_chance {
        harm(figures.damaged_hp_share);
        state.ships.transition_spent[ship] = state.ships.transition_length[ship];
    } else {
        harm(figures.flooded_hp_share);
        state.ships.wet[ship] |= 1;
        state.ships.transition_spent[ship] = state.ships.transition_length[ship];
    }
}

/// A hull that lies shallow waits for its launch; after it, or when none comes, the exposure runs
/// out.
fn lie_shallow(setup: &Setup, state: &mut State, ship: usize) {
    let figures = &setup.tables.layers.pop_up;
    let popup = &mut state.ships.popup[ship];
    *popup += 1.0;
    if *popup > 0.0 && *popup > figures.shallow_s + figures.exposed_s {
        *popup = -figures.exposed_s;
    }
    if *popup > -0.5 && *popup < 0.5 {
        *popup = 0.0;
    }
}
