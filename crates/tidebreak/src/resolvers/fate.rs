//! How hulls end: sunk, disabled, scuttled, struck colours.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::resolvers::{parts, people};
use crate::scratch::Scratch;
use crate::setup::Setup;
use crate::state::{Fate, NOBODY, State, flag};
use crate::tables::SizeClass;

/// Reward terms written here.
const ENEMY_LOST: usize = 3;
const FRIEND_LOST: usize = 4;

/// See whether a hull that was hurt is lost. `beyond` is the damage that found no hit points.
pub fn judge(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
    beyond: f32,
) {
    parts::lose_magazine(setup, state, ship);
    let Some(fate) = verdict(setup, state, ship, beyond) else { return };
    if state.ships.fate[ship] == fate as u8 {
        return;
    }
    // A prize that is hit no harder than before stays a prize.
    if fate == Fate::Disabled && !state.ships.fights(ship) {
        return;
    }
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let kind = if fate == Fate::Disabled { Kind::Disabled } else { Kind::Destroyed };
    let (source, cause) = (state.ships.last_harmer[ship], state.ships.last_harm[ship]);
    let (trace, id) = (state.ships.last_trace[ship], ship as u32);
    let plugin = Plugin::DamageControl;
    tell(state, journal, kind, source, id, cause, trace, place, 0.0, plugin);
    end(setup, state, scratch, ship, fate);
}

/// The fate a hull has earned, if any.
fn verdict(setup: &Setup, state: &State, ship: usize, beyond: f32) -> Option<Fate> {
    let figures = &setup.tables.damage.fate;
    let hull = &setup.hulls[ship];
    let dead = state.ships.hp[ship] <= 0.0;
    if hull.size == SizeClass::XL {
        return None;
    }
    if hull.damage_tier == 2 {
        let gone = state.ships.parts[ship].iter().filter(|&&health| health <= 0.0).count();
        if gone >= figures.compartments_gone as usize {
            return Some(Fate::Destroyed);
        }
        return dead.then_some(Fate::Disabled);
    }
    if !dead {
        return None;
    }
    let sinks = hull.damage_tier == 0
        || state.ships.wet[ship] != 0
        || beyond > figures.overkill_share * hull.hp;
    Some(if sinks { Fate::Destroyed } else { Fate::Disabled })
}

/// Give a hull its fate: who profits, who mourns, what goes down with it.
pub fn end(setup: &Setup, state: &mut State, scratch: &mut Scratch, ship: usize, fate: Fate) {
    let was_whole = state.ships.fights(ship);
    state.ships.fate[ship] = fate as u8;
    let flags = match fate {
        Fate::Destroyed | Fate::Scuttled => flag::DESTROYED,
        Fate::Surrendered => flag::SURRENDERED,
        _ => 0,
    };
    state.ships.flags[ship] |= flags;
    if matches!(fate, Fate::Destroyed | Fate::Scuttled) {
        go_down(setup, state, ship, fate);
    }
    if fate == Fate::Surrendered {
        people::surrender(state, ship);
    }
    if was_whole && fate != Fate::Exited {
        lose_value(setup, state, scratch, ship);
    }
}

fn go_down(setup: &Setup, state: &mut State, ship: usize, fate: Fate) {
    let first = state.ships.mount_first[ship] as usize;
    for mount in first..first + state.ships.mount_count[ship] as usize {
        state.mounts.lost[mount] += state.mounts.rounds[mount];
        state.mounts.rounds[mount] = 0;
    }
    // Nobody has to go down with a ship that its own crew opens to the sea.
    if fate == Fate::Destroyed {
        people::sink(setup, state, ship);
    }
    let ships = &mut state.ships;
    ships.surge[ship] = 0.0;
    ships.sway[ship] = 0.0;
    ships.burning[ship] = 0;
    ships.wet[ship] = 0;
}

fn lose_value(setup: &Setup, state: &mut State, scratch: &mut Scratch, ship: usize) {
    let value = setup.values[ship];
    let team = state.ships.team[ship];
    let harmer = state.ships.last_harmer[ship];
    state.team_value[usize::from(team)][1] -= f64::from(value);
    scratch.losses.push((ship as u32, harmer));
    if harmer != NOBODY && state.ships.team[harmer as usize] != team {
        state.terms[harmer as usize][ENEMY_LOST] += value;
        state.tally.kills += 1;
    }
    let friends = setup.teams.iter().filter(|&&other| other == team).count() as f32;
    for friend in 0..state.ships.len() {
        if state.ships.team[friend] == team {
            state.terms[friend][FRIEND_LOST] += value / friends;
        }
    }
}
