//! Whether a state that was read back could have come out of the rules.

use crate::setup::Setup;
use crate::state::{State, TRACKS};

mod cells;

type Checked = Result<(), String>;

/// Refuse a state whose tables do not fit each other or the battle, or that holds what no battle
/// comes to.
///
/// # Errors
/// What does not fit.
pub fn check(setup: &Setup, state: &State) -> Checked {
    columns(state)?;
    lengths(setup, state)?;
    clock(setup, state)?;
    seas(setup, state)?;
    cells::check(setup, state)?;
    shown(state)
}

/// Columns of one table are equally long, and every figure in them is one.
fn columns(state: &State) -> Checked {
    let mut last: Option<(&'static str, usize)> = None;
    let mut fault = None;
    state.for_each_column(&mut |table, column, cells| {
        let rows = cells.rows();
        if let Some(row) = cells.first_unsound() {
            let cell = cells.words(row);
            fault.get_or_insert(format!("{table}.{column} of row {row} is {cell}"));
        }
        match last {
            Some((known, expected)) if known == table => {
                if rows != expected {
                    fault
                        .get_or_insert(format!("{table}.{column} has {rows} rows, not {expected}"));
                }
            }
            _ => last = Some((table, rows)),
        }
    });
    fault.map_or(Ok(()), Err)
}

/// There is a row for whatever has one.
fn lengths(setup: &Setup, state: &State) -> Checked {
    let given = &setup.package.ships;
    let ships = given.len();
    let mounts: usize = given.iter().map(|ship| ship.weapons.len()).sum();
    let squadrons: usize = given.iter().map(|ship| ship.squadrons.len()).sum();
    for (name, rows, expected) in [
        ("ships", state.ships.len(), ships),
        ("mounts", state.mounts.len(), mounts),
        ("squadrons", state.squadrons.len(), squadrons),
        ("beliefs.tracks", state.beliefs.tracks.len(), ships * TRACKS),
        ("beliefs.used", state.beliefs.used.len(), ships),
        ("beliefs.next_number", state.beliefs.next_number.len(), ships),
        ("beliefs.shown", state.beliefs.shown.len(), ships),
        ("beliefs.shown_count", state.beliefs.shown_count.len(), ships),
        ("objectives", state.objectives.len(), ships),
        ("terms", state.terms.len(), ships),
        ("orders", state.orders.len(), ships),
        ("team_value", state.team_value.len(), setup.package.teams.len()),
    ] {
        if rows != expected {
            return Err(format!("{name} has {rows} rows; this battle has {expected}"));
        }
    }
    Ok(())
}

/// When it is, and how it ended.
fn clock(setup: &Setup, state: &State) -> Checked {
    let winner = state.outcome.winner;
    let won = winner == u8::MAX || usize::from(winner) < setup.package.teams.len();
    if state.tick > setup.time_limit || state.outcome.ended_by > 3 || !won {
        return Err(format!("tick {} or the way it ended is impossible", state.tick));
    }
    if state.seed == 0 || state.substep != u64::from(state.tick) * u64::from(setup.substeps) {
        return Err(format!("the seed or substep {} is impossible", state.substep));
    }
    Ok(())
}

/// Fields lie over this battle's map and spread as here. What they hold is checked where they are
/// read; their ambient goes by the weather, which every seed draws anew.
fn seas(setup: &Setup, state: &State) -> Checked {
    let wanted = setup.fields.spec();
    for (name, sea) in [("fields", &state.fields), ("wakes", &state.wakes)] {
        let given = sea.spec();
        let same = given.origin == wanted.origin
            && given.cell_m == wanted.cell_m
            && given.slabs == wanted.slabs
            && given.rates == wanted.rates
            && sea.cells() == setup.fields.cells();
        if !same {
            return Err(format!("the {name} are those of another map"));
        }
    }
    Ok(())
}

/// What ships are shown are contacts that they have.
fn shown(state: &State) -> Checked {
    let beliefs = &state.beliefs;
    for ship in 0..state.ships.len() {
        let (used, count) = (beliefs.used[ship], usize::from(beliefs.shown_count[ship]));
        let rows = beliefs.shown[ship].get(..count);
        let sound = usize::from(used) <= TRACKS
            && rows.is_some_and(|rows| rows.iter().all(|&row| row < used));
        if !sound {
            return Err(format!("ship {ship} is shown a contact it does not have"));
        }
    }
    Ok(())
}
