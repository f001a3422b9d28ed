//! One tactical second, phase by phase. The order of everything that happens is written here.

use crate::arena::Arena;
use crate::grid::Grid;
use crate::journal;
use crate::observe;
use crate::plugins::{damage_control, environment, fire_control, helm, layer, objective, squadron};
use crate::proposals::Proposals;
use crate::resolvers;
use crate::sensing;
use crate::setup::Setup;
use crate::state::{Fate, State};
use crate::tables::Guidance;

/// Let one second pass: the orders in `arena.given` are carried out, and forgotten. A battle that is
/// over stands still.
pub fn advance(arena: &mut Arena) {
    if arena.state.outcome.ended_by != 0 {
        return;
    }
    let Arena { setup, state, given, proposals, journal, scratch } = arena;
    let setup = setup.as_ref();
    // INGEST
    state.event_index = 0;
    state.terms.fill([0.0; 12]);
    scratch.hits.clear();
    scratch.losses.clear();
    resolvers::order::ingest(setup, state, given, journal);

    // SNAPSHOT and PLUGIN: nothing below can write until all have spoken.
    propose(setup, state, &scratch.grid, proposals);
    journal::tell_proposals(state, proposals, journal);

    // RESOLVE, in the one order there is.
    resolvers::order::resolve(state, proposals, scratch);
    resolvers::reservation::resolve(setup, proposals, scratch);
    resolvers::environment::resolve(setup, state, scratch, journal);
    resolvers::layer::resolve(setup, state, proposals, scratch, journal);
    resolvers::weapon::resolve(setup, state, proposals, scratch, journal);
    resolvers::utility::resolve(setup, state, proposals, scratch, journal);
    resolvers::squadron::resolve(setup, state, proposals, scratch, journal);
    resolvers::physics::resolve(setup, state, scratch, journal);
    index(setup, state, &mut scratch.grid);
    resolvers::ordnance::resolve(setup, state, scratch, journal);
    resolvers::combat::resolve(setup, state, scratch, journal);
    resolvers::morale::resolve(setup, state, scratch, journal);
    // APPLY before the sensors look, so that they see what is there now.
    index(setup, state, &mut scratch.grid);
    sensing::resolve(setup, state, &scratch.grid, journal, &mut scratch.senses);
    resolvers::effect::resolve(state, proposals, scratch);
    // Objectives are judged on what combat left, in the very second that decides a battle.
    objective::propose(&objective::View::of(setup, state), &mut proposals.progress);
    journal::tell_progress(state, proposals, journal);
    resolvers::objective::resolve(state, proposals, journal);
    resolvers::termination::resolve(setup, state, journal);
    // EMIT: terms, events and what ships are shown stand ready; the sensors wrote the last of them.
    state.tick += 1;
}

/// Let every plugin speak. Each is handed the columns it reads and its own buffers, and no more.
fn propose(setup: &Setup, state: &State, grid: &Grid, out: &mut Proposals) {
    out.clear();
    let Proposals { helm, point_defence, fire, layers, utilities, craft, .. } = out;
    environment::propose(&environment::View::of(setup, state), &mut out.modifiers);
    helm::propose(&helm::View::of(setup, state), helm);
    let mut wishes = fire_control::Wishes { fire, point_defence, utilities };
    fire_control::propose(&fire_control::View::of(setup, state), grid, &mut wishes);
    layer::propose(&layer::View::of(setup, state), layers, utilities);
    damage_control::propose(&damage_control::View::of(setup, state), &mut out.reserve);
    squadron::propose(&squadron::View::of(setup, state), craft);
}

/// What stands before the first tick: where everything is, and what ships can be shown.
pub fn settle_in(arena: &mut Arena) {
    let Arena { setup, state, scratch, .. } = arena;
    resolvers::environment::weather_at_ships(setup, state);
    index(setup, state, &mut scratch.grid);
    for ship in 0..state.ships.len() {
        observe::show(state, ship);
        if let Some(goal) = &setup.goals[ship] {
            // Rewards are paid for differences, so what holds from the start earns nothing.
            let (value, _) = objective::progress(&objective::View::of(setup, state), ship, goal);
            state.objectives[ship][0] = value;
        }
    }
}

/// Where everything is, for a battle that goes on from a state of it.
pub fn resume(arena: &mut Arena) {
    index(&arena.setup, &arena.state, &mut arena.scratch.grid);
}

/// Sort ships and what can be followed or shot down into cells.
fn index(setup: &Setup, state: &State, grid: &mut Grid) {
    let (ships, rounds) = (&state.ships, &state.rounds);
    let gone = |fate: u8| {
        fate == Fate::Destroyed as u8 || fate == Fate::Scuttled as u8 || fate == Fate::Exited as u8
    };
    grid.ships.rebuild(
        (0..ships.len())
            .filter(|&row| !gone(ships.fate[row]))
            .map(|row| (row as u32, ships.x[row], ships.y[row])),
    );
    let followed = |weapon: u8| {
        matches!(setup.tables.weapon(weapon).guidance, Guidance::Homing | Guidance::Lead)
    };
    grid.rounds.rebuild(
        (0..rounds.len())
            .filter(|&row| followed(rounds.weapon[row]))
            .map(|row| (row as u32, rounds.x[row], rounds.y[row])),
    );
}
