//! Courage: what losses and damage do to it, and when a crew strikes its colours.

use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::resolvers::fate;
use crate::scratch::Scratch;
use crate::setup::Setup;
use crate::state::{Fate, NOBODY, State, TRACKS};
use crate::tables::SizeClass;

/// Morale, fatigue and surrender of a tick.
pub fn resolve(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal) {
    let figures = &setup.tables.crew;
    let slot = (state.tick % 10) as usize;
    for ship in 0..state.ships.len() {
        if !state.ships.fights(ship) {
            continue;
        }
        let hurt = state.ships.recent_damage[ship][slot];
        let morale = state.ships.morale[ship] + figures.morale.per_damage_share * hurt;
        state.ships.morale[ship] = morale.clamp(0.0, 1.0);
        if in_contact(state, ship) {
            let tired = state.ships.fatigue[ship] + figures.fatigue.per_s_in_contact;
            state.ships.fatigue[ship] = tired.min(1.0);
        }
    }
    mourn_all(setup, state, scratch, 0);
    if state.tick.is_multiple_of(figures.surrender.every_s as u32) {
        // Crews waver by what they know before anybody strikes: a panic takes one round after another.
        let known = scratch.losses.len();
        for ship in 0..state.ships.len() {
            if state.ships.fights(ship) {
                waver(setup, state, scratch, journal, ship);
            }
        }
        mourn_all(setup, state, scratch, known);
    }
}

/// Everybody feels the losses of this tick from the `first` one on.
fn mourn_all(setup: &Setup, state: &mut State, scratch: &Scratch, first: usize) {
    for &(lost, _) in &scratch.losses[first..] {
        mourn(setup, state, lost as usize);
    }
}

/// Whether a ship knows of an enemy.
fn in_contact(state: &State, ship: usize) -> bool {
    let first = ship * TRACKS;
    let rows = first..first + usize::from(state.beliefs.used[ship]);
    state.beliefs.tracks.iff[rows].contains(&4)
}

/// A loss is felt by friends near it and by all enemies.
fn mourn(setup: &Setup, state: &mut State, lost: usize) {
    let figures = &setup.tables.crew.morale;
    let ships = &mut state.ships;
    let (x, y, team) = (ships.x[lost], ships.y[lost], ships.team[lost]);
    let near = figures.ally_lost_within_m * figures.ally_lost_within_m;
    for ship in 0..ships.len() {
        let (dx, dy) = (ships.x[ship] - x, ships.y[ship] - y);
        let change = if ships.team[ship] != team {
            figures.per_enemy_lost
        } else if ship != lost && dx * dx + dy * dy <= near {
            figures.per_ally_lost
        } else {
            0.0
        };
        ships.morale[ship] = (ships.morale[ship] + change).clamp(0.0, 1.0);
    }
}

/// Whether a crew gives up, by a draw below its threshold.
fn waver(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
) {
    // What is lived in is besieged, not taken: that is for the campaign.
    if setup.hulls[ship].size == SizeClass::XL {
        return;
    }
    let figures = &setup.tables.crew.surrender;
    let morale = state.ships.morale[ship];
    // Nobody above the highest possible threshold has to be asked.
    if morale >= figures.threshold + figures.isolated {
        return;
    }
    let team = state.ships.team[ship];
    let proud = setup.faction_morale[usize::from(team)] > figures.high_faction_morale;
    let alone = isolated(setup, state, scratch, ship);
    let threshold = figures.threshold + if alone { figures.isolated } else { 0.0 }
        - if proud { figures.high_faction_bonus } else { 0.0 };
    if morale >= threshold {
        return;
    }
    let id = ship as u32;
    let drawn = Draws::of(state.seed).unit(Draw::Morale, id, state.tick, 0);
    if drawn >= figures.chance * (threshold - morale) / threshold {
        return;
    }
    let Some(captor) = captor(state, ship) else { return };
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let (source, cause) = (state.ships.last_harmer[ship], state.ships.last_harm[ship]);
    let trace = state.ships.last_trace[ship];
    let kind = Kind::Surrendered;
    let plugin = Plugin::DamageControl;
    tell(state, journal, kind, id, source, cause, trace, place, morale, plugin);
    state.tally.surrenders += 1;
    state.tally.captures += 1;
    state.ships.holder[ship] = captor;
    fate::end(setup, state, scratch, ship, Fate::Surrendered);
}

fn isolated(setup: &Setup, state: &State, scratch: &Scratch, ship: usize) -> bool {
    let reach = setup.tables.crew.morale.ally_lost_within_m;
    let ships = &state.ships;
    let (x, y) = (ships.x[ship], ships.y[ship]);
    let mut alone = true;
    scratch.grid.ships.near(x, y, reach, |other| {
        let (dx, dy) = (ships.x[other] - x, ships.y[other] - y);
        let near = dx * dx + dy * dy <= reach * reach;
        let friend = other != ship && ships.team[other] == ships.team[ship];
        alone &= !(near && friend && ships.fights(other));
    });
    alone
}

/// The team that takes the prize: whoever hurt it last, else the nearest enemy that still fights.
fn captor(state: &State, ship: usize) -> Option<u8> {
    let ships = &state.ships;
    let team = ships.team[ship];
    let harmer = ships.last_harmer[ship];
    if harmer != NOBODY && ships.team[harmer as usize] != team {
        return Some(ships.team[harmer as usize]);
    }
    let away = |other: usize| {
        let (dx, dy) = (ships.x[other] - ships.x[ship], ships.y[other] - ships.y[ship]);
        dx * dx + dy * dy
    };
    (0..ships.len())
        .filter(|&other| ships.team[other] != team && ships.fights(other))
        .min_by(|&one, &other| away(one).total_cmp(&away(other)))
        .map(|other| ships.team[other])
}
