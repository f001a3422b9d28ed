//! Decoys, pings, scuttling, and going shallow.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::{Plugin, Proposals, UseUtility};
use crate::resolvers::fate;
use crate::scratch::Scratch;
use crate::setup::Setup;
use crate::state::{Decoy, Fate, Mark, NOBODY, State, flag};

/// Do what was asked, and let decoys fade.
pub fn resolve(
    setup: &Setup,
    state: &mut State,
    proposals: &Proposals,
    scratch: &mut Scratch,
    journal: &mut Journal,
) {
    for cooldown in &mut state.ships.decoy_cooldown {
        *cooldown = cooldown.saturating_sub(1);
    }
    fade(state, scratch);
    for wish in &proposals.utilities {
        match wish.what {
            1 => drop_decoy(setup, state, journal, wish),
            2 => ping(setup, state, journal, wish),
            5 => scuttle(setup, state, scratch, journal, wish),
            // Not for whoever was told in the same second to leave this layer.
            6 if !state.ships.in_transition(wish.ship as usize) => {
                state.ships.popup[wish.ship as usize] = 1.0;
            }
            _ => {}
        }
    }
}

fn fade(state: &mut State, scratch: &mut Scratch) {
    if state.decoys.is_empty() {
        return;
    }
    scratch.kept.clear();
    for life in &mut state.decoys.life {
        *life -= 1.0;
        scratch.kept.push(*life > 0.0);
    }
    state.decoys.keep(&scratch.kept);
}

fn tell_use(state: &mut State, journal: &mut Journal, wish: &UseUtility, kind: Kind) -> u64 {
    let ship = wish.ship as usize;
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let (cause, trace) = (wish.origin.cause, wish.origin.trace);
    tell(state, journal, kind, wish.ship, NOBODY, cause, trace, place, 0.0, Plugin::Layer)
}

fn drop_decoy(setup: &Setup, state: &mut State, journal: &mut Journal, wish: &UseUtility) {
    let ship = wish.ship as usize;
    if state.ships.decoys[ship] == 0 || state.ships.decoy_cooldown[ship] > 0 {
        return;
    }
    let figures = &setup.tables.weapons.decoy;
    state.ships.decoys[ship] -= 1;
    state.ships.decoy_cooldown[ship] = figures.cooldown_s as u16;
    tell_use(state, journal, wish, Kind::DecoyDropped);
    let ships = &state.ships;
    state.decoys.push(Decoy {
        id: state.next_id,
        ship: wish.ship,
        team: ships.team[ship],
        x: ships.x[ship],
        y: ships.y[ship],
        layer: ships.layer[ship],
        life: figures.life_s,
    });
    state.next_id += 1;
}

fn ping(setup: &Setup, state: &mut State, journal: &mut Journal, wish: &UseUtility) {
    let ship = wish.ship as usize;
    state.ships.flags[ship] |= flag::PINGING;
    tell_use(state, journal, wish, Kind::Pinged);
    let ships = &state.ships;
    state.marks.push(Mark {
        source: wish.ship,
        kind: 2,
        x: ships.x[ship],
        y: ships.y[ship],
        layer: ships.layer[ship],
        radius: setup.tables.fields.ping_radius_m,
        strength: 1.0,
    });
}

fn scuttle(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    wish: &UseUtility,
) {
    let event = tell_use(state, journal, wish, Kind::Scuttled);
    let ship = wish.ship as usize;
    state.ships.last_harm[ship] = event;
    state.ships.last_trace[ship] = if wish.origin.trace == 0 { event } else { wish.origin.trace };
    state.ships.last_harmer[ship] = NOBODY;
    fate::end(setup, state, scratch, ship, Fate::Scuttled);
}
