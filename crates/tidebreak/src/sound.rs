//! Whether a state that was read back could have come out of the rules.

use crate::setup::Setup;
use crate::state::{State, TRACKS};

/// Refuse a state whose tables do not fit each other or the battle.
///
/// # Errors
/// What does not fit.
pub fn check(setup: &Setup, state: &State) -> Result<(), String> {
    let ships = setup.hulls.len();
    ragged(state)?;
    for (name, rows, expected) in [
        ("ships", state.ships.len(), ships),
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
    rows(setup, state)?;
    if state.tick > setup.time_limit || state.outcome.ended_by > 3 {
        return Err(format!("tick {} or the way it ended is impossible", state.tick));
    }
    Ok(())
}

/// Columns of one table are equally long.
fn ragged(state: &State) -> Result<(), String> {
    let mut last: Option<(&'static str, usize)> = None;
    let mut fault = None;
    state.for_each_column(&mut |table, column, cells| {
        let rows = cells.rows();
        match last {
            Some((known, expected)) if known == table => {
                if rows != expected && fault.is_none() {
                    fault = Some(format!("{table}.{column} has {rows} rows, not {expected}"));
                }
            }
            _ => last = Some((table, rows)),
        }
    });
    fault.map_or(Ok(()), Err)
}

/// Rows that others are looked up by lead somewhere.
fn rows(setup: &Setup, state: &State) -> Result<(), String> {
    let (ships, mounts) = (&state.ships, state.mounts.len());
    let weapons = setup.tables.weapons.weapons.len();
    for ship in 0..ships.len() {
        let last = u64::from(ships.mount_first[ship]) + u64::from(ships.mount_count[ship]);
        let sound = last <= mounts as u64
            && ships.layer[ship] < 3
            && ships.layer_next[ship] < 3
            && ships.emission[ship] < 3
            && usize::from(ships.team[ship]) < setup.package.teams.len()
            && usize::from(ships.holder[ship]) < setup.package.teams.len()
            && usize::from(ships.hull[ship]) < setup.tables.hulls.len()
            && usize::from(state.beliefs.used[ship]) <= TRACKS
            && state.beliefs.shown_count[ship] <= 16;
        if !sound {
            return Err(format!("ship {ship} points to a row that is not there"));
        }
        let shown = &state.beliefs.shown[ship][..usize::from(state.beliefs.shown_count[ship])];
        if shown.iter().any(|&row| row >= state.beliefs.used[ship]) {
            return Err(format!("ship {ship} is shown a contact it does not have"));
        }
    }
    let kinds = state.mounts.weapon.iter().chain(&state.rounds.weapon);
    if kinds.clone().any(|&kind| usize::from(kind) >= weapons) {
        return Err("a mount or round is of a weapon that is not there".to_owned());
    }
    let owners =
        state.mounts.ship.iter().chain(&state.rounds.shooter).chain(&state.squadrons.carrier);
    if owners.clone().any(|&ship| ship as usize >= ships.len()) {
        return Err("a mount, round or squadron belongs to a ship that is not there".to_owned());
    }
    Ok(())
}
