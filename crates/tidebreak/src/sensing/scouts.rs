//! Scouts: craft that look for the ship they fly from, as long as its link reaches them.

use crate::draws::Draws;
use crate::grid::Grid;
use crate::journal::Journal;
use crate::resolvers::environment::weather_at;
use crate::setup::Setup;
use crate::state::State;

use super::detection::Watch;
use super::{Memory, candidates, links, lookout};

/// Let every scout of a ship look, and put what it sees into the ship's table.
pub(super) fn look(
    setup: &Setup,
    state: &mut State,
    grid: &Grid,
    draws: Draws,
    journal: &mut Journal,
    memory: &mut Memory,
    ship: usize,
) {
    for at in 0..memory.scouts.len() {
        let row = memory.scouts[at] as usize;
        if state.squadrons.deck[row] as usize != ship {
            continue;
        }
        let scout = memory.signatures[state.ships.len() + state.rounds.len() + row];
        let home = memory.signatures[ship];
        let (dx, dy) = (scout.x - home.x, scout.y - home.y);
        if dx * dx + dy * dy > home.link_m * home.link_m {
            continue;
        }
        let quality_max = links::carried(setup, links::tier(setup, state, ship));
        let sky = weather_at(setup, state, scout.x, scout.y);
        let watch = Watch::of_scout(setup, ship, &scout, &home, sky.visibility_km, quality_max);
        candidates::gather(setup, state, grid, &watch, memory);
        lookout::look(setup, state, draws, &watch, memory);
        lookout::welcome(state, journal, ship, memory);
    }
}
