//! Sensing: what each ship notices, what it believes, and what ships tell each other.
//!
//! Runs late in a tick, so the next decision sees this tick. Everything that does not depend on who
//! looks is gathered once; a ship then considers the nearest entities some sense of it could reach,
//! draws for those, and looks along lines only for what it noticed.

mod candidates;
pub mod detection;
pub mod figures;
mod jamming;
#[cfg(test)]
mod link_tests;
pub mod links;
mod lookout;
mod scouts;
pub mod signature;
pub mod sound;
#[cfg(test)]
pub(crate) mod tests;
pub mod tracks;

use crate::condition::Output;
use crate::draws::Draws;
use crate::grid::Grid;
use crate::journal::Journal;
use crate::observe;
use crate::plugins::squadron::mission;
use crate::setup::Setup;
use crate::state::{Link, State, TRACKS};

use candidates::Unsorted;
use detection::{CANDIDATES, Candidate, Watch};
use lookout::Newcomer;
use signature::Signature;

/// Bits of `Tracks::sources`.
pub mod source {
    #![allow(missing_docs, reason = "the names say it")]
    pub const RADAR: u8 = 1;
    pub const SONAR: u8 = 1 << 1;
    pub const VISUAL: u8 = 1 << 2;
    pub const ESM: u8 = 1 << 3;
    /// The last news came from a friend.
    pub const LINK: u8 = 1 << 4;
    /// A friend's news that is good enough to fire at.
    pub const REMOTE: u8 = 1 << 5;
    /// Has been of fire-control quality before, so being so again is no discovery.
    pub const ONCE_AIMED: u8 = 1 << 6;
    /// The ship's own senses.
    pub const SENSES: u8 = RADAR | SONAR | VISUAL | ESM;
}

/// Most teams a battle can have.
const TEAMS: usize = 4;

/// Memory of one tick, used again in the next.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// By row of ships, then rounds, then squadrons.
    signatures: Vec<Signature>,
    /// What each ship's wake adds to the noise of its cell at most, dB.
    wakes_db: Vec<f32>,
    /// How strongly each ship is jammed, 0..1.
    jammed: Vec<f32>,
    /// Hulls of each team that fight.
    team_sizes: Vec<u32>,
    /// Places of the squadrons that can be noticed at all.
    flying: Vec<u32>,
    /// Rows of the scouts among them.
    scouts: Vec<u32>,
    candidates: Vec<Candidate>,
    unsorted: Unsorted,
    newcomers: Vec<Newcomer>,
    reports: Vec<Link>,
    /// Where each entity's reports begin in the queue.
    entity_rows: Vec<u32>,
    /// Each team's entities among those.
    team_entities: Vec<(u32, u32)>,
}

impl Memory {
    /// With room for a battle.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        let ships = setup.hulls.len();
        let entities = 64 + 10 * ships;
        Self {
            signatures: Vec::with_capacity(entities),
            wakes_db: vec![0.0; ships],
            jammed: vec![0.0; ships],
            team_sizes: vec![0; TEAMS],
            flying: Vec::with_capacity(ships),
            scouts: Vec::with_capacity(ships),
            candidates: Vec::with_capacity(entities),
            unsorted: Unsorted::new(),
            newcomers: Vec::with_capacity(CANDIDATES),
            reports: Vec::with_capacity(16 * ships),
            entity_rows: Vec::with_capacity(16 * ships + 1),
            team_entities: vec![(0, 0); TEAMS],
        }
    }
}

/// What damage and lightning leave of a ship's sensors, 0..1.
#[inline]
#[must_use]
pub fn health(state: &State, ship: usize) -> f32 {
    if state.ships.blinded[ship] > 0 {
        0.0
    } else {
        state.ships.output[ship][Output::Sensors as usize]
    }
}

/// The sensor resolver.
pub fn resolve(
    setup: &Setup,
    state: &mut State,
    grid: &Grid,
    journal: &mut Journal,
    memory: &mut Memory,
) {
    listen_to_hulls(setup, state, memory);
    signature::gather(setup, state, &mut memory.signatures);
    find_flying(state, memory);
    jamming::measure(setup, state, memory);
    let loudest_db = memory.signatures.iter().map(|one| one.level_db).fold(0.0, f32::max);
    let draws = Draws::of(state.seed);
    links::index(state, memory);
    for ship in 0..state.ships.len() {
        if !state.ships.fights(ship) {
            continue;
        }
        tracks::age(&mut state.beliefs, &setup.tables.sensors.track, ship);
        let watch = Watch::of(
            setup,
            state,
            ship,
            &memory.signatures[ship],
            memory.wakes_db[ship],
            loudest_db,
            memory.jammed[ship] * setup.tables.sensors.jammer.radar_loss,
        );
        candidates::gather(setup, state, grid, &watch, memory);
        lookout::look(setup, state, draws, &watch, memory);
        lookout::welcome(state, journal, ship, memory);
        scouts::look(setup, state, grid, draws, journal, memory, ship);
        jamming::haunt(setup, state, draws, &watch, memory.jammed[ship]);
        links::receive(setup, state, memory, ship);
    }
    // Tables of many ships are larger than a cache, so all that is left is done with each at once.
    memory.reports.clear();
    for ship in 0..state.ships.len() {
        if state.ships.fights(ship) {
            lookout::let_go(setup, state, journal, ship);
            lookout::discover(state, ship);
            links::report(setup, state, memory, ship);
        }
        observe::show(state, ship);
    }
    links::send(state, memory);
}

/// Note which squadrons can be noticed: most lie aboard, and every ship would have to look at them.
fn find_flying(state: &State, memory: &mut Memory) {
    let first = state.ships.len() + state.rounds.len();
    memory.flying.clear();
    let aloft = (first..).zip(&memory.signatures[first..]).filter(|(_, one)| one.places != 0);
    memory.flying.extend(aloft.map(|(at, _)| at as u32));
    let scouts = memory.flying.iter().map(|at| at - first as u32);
    let scouting = |row: &u32| state.squadrons.mission[*row as usize] == mission::SCOUT;
    memory.scouts.clear();
    memory.scouts.extend(scouts.filter(scouting));
}

/// Measure how loud each hull is now, and count teams.
fn listen_to_hulls(setup: &Setup, state: &mut State, memory: &mut Memory) {
    memory.team_sizes.fill(0);
    for ship in 0..state.ships.len() {
        let before = state.ships.level_db[ship];
        let now = sound::level(setup, state, ship);
        state.ships.level_db[ship] = now;
        let wake = &setup.tables.fields.presets.wake;
        memory.wakes_db[ship] = before.max(now) - wake.below_db;
        if state.ships.fights(ship) {
            memory.team_sizes[usize::from(state.ships.holder[ship])] += 1;
        }
    }
}

/// A row of a ship's table was given to another track: the ship aims at it no longer.
fn lose_aim(state: &mut State, ship: usize, row: usize) {
    if usize::from(state.ships.target_slot[ship]) == row - ship * TRACKS {
        state.ships.target_slot[ship] = u8::MAX;
    }
}
