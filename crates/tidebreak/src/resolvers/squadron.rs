//! Squadrons launch, fly, fight, and land where there is still a deck.

use crate::condition::{Output, stage};
use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::plugins::squadron::{ENDURANCE, SEA_STATE_MAX, SPEED, mission};
use crate::proposals::{Plugin, Proposals};
use crate::scratch::{Hit, Scratch};
use crate::setup::Setup;
use crate::state::{Cause, Squadrons, State};
use crate::tables::Reach;

const LAUNCH_S: f32 = 20.0;
const RECOVERY_S: f32 = 40.0;
/// Radians a second.
const TURN: f32 = 2.0;
/// A bomb is dropped within this distance of a hull's side, metres.
const DROP_RANGE: f32 = 300.0;
const BOMB: f32 = 60.0;
/// Chance that a bomb strikes.
const BOMB_HITS: f32 = 0.5;
/// How far a patrol fights, metres, and each craft's chance to shoot another down in a second.
const DOGFIGHT_RANGE: f32 = 2000.0;
const DOGFIGHT_KILLS: f32 = 0.04;

/// A second of every squadron.
pub fn resolve(
    setup: &Setup,
    state: &mut State,
    proposals: &Proposals,
    scratch: &mut Scratch,
    journal: &mut Journal,
) {
    for wish in &proposals.craft {
        let row = wish.squadron as usize;
        let squadrons = &mut state.squadrons;
        (squadrons.goal_x[row], squadrons.goal_y[row]) = wish.goal;
        if wish.recall {
            squadrons.stage[row] = stage::RETURNING;
        } else if squadrons.stage[row] == stage::ABOARD && squadrons.craft[row] > 0 {
            squadrons.stage[row] = stage::LAUNCHING;
            squadrons.timer[row] = LAUNCH_S;
        }
    }
    for row in 0..state.squadrons.len() {
        match state.squadrons.stage[row] {
            stage::GONE => {}
            stage::FLYING | stage::RETURNING => fly(setup, state, scratch, journal, row),
            _ => wait(state, journal, row),
        }
    }
}

/// Aboard: timers run, and craft share the fate of their deck.
fn wait(state: &mut State, journal: &mut Journal, row: usize) {
    let carrier = state.squadrons.deck[row] as usize;
    if !state.ships.afloat(carrier) {
        let all = state.squadrons.craft[row];
        let harmer = state.ships.last_harmer[carrier];
        lose_craft(state, journal, row, all, harmer);
        return;
    }
    let squadrons = &mut state.squadrons;
    if squadrons.stage[row] == stage::ABOARD {
        return;
    }
    squadrons.timer[row] -= 1.0;
    if squadrons.timer[row] > 0.0 {
        return;
    }
    if squadrons.stage[row] == stage::RECOVERING {
        squadrons.stage[row] = stage::ABOARD;
        tell_craft(state, journal, row, Kind::SquadronRecovered);
        return;
    }
    squadrons.stage[row] = stage::FLYING;
    squadrons.endurance[row] = ENDURANCE;
    squadrons.armed[row] = squadrons.craft[row];
    squadrons.x[row] = state.ships.x[carrier];
    squadrons.y[row] = state.ships.y[carrier];
    squadrons.heading[row] = state.ships.heading[carrier];
    tell_craft(state, journal, row, Kind::SquadronLaunched);
}

fn tell_craft(state: &mut State, journal: &mut Journal, row: usize, kind: Kind) {
    let squadrons = &state.squadrons;
    let (id, carrier) = (squadrons.id[row], squadrons.carrier[row]);
    let place = (squadrons.x[row], squadrons.y[row]);
    let count = f32::from(squadrons.craft[row]);
    tell(state, journal, kind, id, carrier, 0, 0, place, count, Plugin::Squadron);
}

fn fly(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal, row: usize) {
    let returning = state.squadrons.stage[row] == stage::RETURNING;
    if returning {
        let Some(deck) = deck(state, row) else {
            strand(state, row);
            return;
        };
        state.squadrons.goal_x[row] = state.ships.x[deck];
        state.squadrons.goal_y[row] = state.ships.y[deck];
    }
    let squadrons = &mut state.squadrons;
    squadrons.endurance[row] -= 1.0;
    if squadrons.endurance[row] <= 0.0 {
        strand(state, row);
        return;
    }
    let (dx, dy) =
        (squadrons.goal_x[row] - squadrons.x[row], squadrons.goal_y[row] - squadrons.y[row]);
    let away = (dx * dx + dy * dy).sqrt();
    let (sine, cosine) = libm::sincosf(squadrons.heading[row]);
    let turn = libm::atan2f(cosine * dy - sine * dx, cosine * dx + sine * dy);
    let heading = squadrons.heading[row] + turn.clamp(-TURN, TURN);
    squadrons.heading[row] = crate::resolvers::physics::wrapped(heading);
    let (sine, cosine) = libm::sincosf(squadrons.heading[row]);
    let stride = SPEED.min(away.max(1.0));
    squadrons.x[row] += cosine * stride;
    squadrons.y[row] += sine * stride;
    if returning {
        if away <= SPEED {
            land(state, row);
        }
        return;
    }
    match state.squadrons.mission[row] {
        mission::STRIKE => drop_bombs(setup, state, scratch, row, Reach::SURFACE),
        mission::ASW => drop_bombs(setup, state, scratch, row, Reach::SUBMERGED | Reach::TRANSIT),
        mission::CAP => dogfight(state, journal, row),
        _ => {}
    }
}

/// A deck to land on: the own one, else that of another carrier of the team.
fn deck(state: &mut State, row: usize) -> Option<usize> {
    let ships = &state.ships;
    let own = state.squadrons.deck[row] as usize;
    let team = state.squadrons.team[row];
    let works = |&ship: &usize| {
        ships.fights(ship)
            && ships.team[ship] == team
            && ships.output[ship][Output::Deck as usize] > 0.0
            && ships.sea_state[ship] <= SEA_STATE_MAX
    };
    if works(&own) {
        return Some(own);
    }
    let carriers = state.squadrons.carrier.iter().map(|&carrier| carrier as usize);
    let other = carriers.filter(works).min()?;
    state.squadrons.deck[row] = other as u32;
    Some(other)
}

/// Nowhere to land: the craft come down on the sea and wait there for whoever wins.
fn strand(state: &mut State, row: usize) {
    let squadrons = &mut state.squadrons;
    squadrons.stranded[row] += squadrons.craft[row];
    squadrons.craft[row] = 0;
    squadrons.stage[row] = stage::GONE;
}

fn land(state: &mut State, row: usize) {
    state.squadrons.stage[row] = stage::RECOVERING;
    state.squadrons.timer[row] = RECOVERY_S;
}

/// Every craft drops what it has on the nearest hostile hull under it.
fn drop_bombs(setup: &Setup, state: &mut State, scratch: &mut Scratch, row: usize, places: u8) {
    if state.squadrons.armed[row] == 0 {
        return;
    }
    let (ships, squadrons) = (&state.ships, &state.squadrons);
    let (x, y, team) = (squadrons.x[row], squadrons.y[row], squadrons.team[row]);
    let mut nearest: Option<(f32, u32)> = None;
    scratch.grid.ships.near(x, y, DROP_RANGE + setup.radius_max, |ship| {
        if ships.holder[ship] == team || ships.places(ship) & places == 0 || !ships.fights(ship) {
            return;
        }
        let (dx, dy) = (ships.x[ship] - x, ships.y[ship] - y);
        let gap = (dx * dx + dy * dy).sqrt() - setup.hulls[ship].radius_m;
        if gap <= DROP_RANGE && nearest.is_none_or(|known| (gap, ship as u32) < known) {
            nearest = Some((gap, ship as u32));
        }
    });
    let Some((_, target)) = nearest else { return };
    let id = squadrons.id[row];
    let draws = Draws::of(state.seed);
    for craft in 0..u32::from(squadrons.armed[row]) {
        state.tally.shots += 1;
        if draws.unit(Draw::Weapon, id, state.tick, craft) < BOMB_HITS {
            state.tally.hits += 1;
            scratch.hits.push(Hit {
                target,
                amount: BOMB,
                cause: Cause::Squadron,
                source: squadrons.carrier[row],
                cause_event: 0,
                trace: 0,
                underwater: places != Reach::SURFACE,
                direct: false,
            });
        }
    }
    state.squadrons.armed[row] = 0;
}

/// Patrols fight the nearest hostile squadron in reach.
fn dogfight(state: &mut State, journal: &mut Journal, row: usize) {
    let squadrons = &state.squadrons;
    let (x, y, team) = (squadrons.x[row], squadrons.y[row], squadrons.team[row]);
    let mut nearest: Option<(f32, usize)> = None;
    for other in 0..squadrons.len() {
        let (dx, dy) = (squadrons.x[other] - x, squadrons.y[other] - y);
        let square = dx * dx + dy * dy;
        let open = Squadrons::flies(squadrons.stage[other]) && squadrons.team[other] != team;
        if open
            && square <= DOGFIGHT_RANGE * DOGFIGHT_RANGE
            && nearest.is_none_or(|known| (square, other) < known)
        {
            nearest = Some((square, other));
        }
    }
    let Some((_, other)) = nearest else { return };
    let (id, carrier) = (squadrons.id[row], squadrons.carrier[row]);
    let draws = Draws::of(state.seed);
    let shots = u32::from(squadrons.craft[row]);
    let tick = state.tick;
    let kills =
        (0..shots).filter(|&craft| draws.unit(Draw::Weapon, id, tick, craft) < DOGFIGHT_KILLS);
    let kills = kills.count() as u16;
    if kills > 0 {
        lose_craft(state, journal, other, kills, carrier);
    }
}

/// Craft of a squadron are shot down or go down with their deck.
pub fn lose_craft(state: &mut State, journal: &mut Journal, row: usize, count: u16, by: u32) {
    let squadrons = &mut state.squadrons;
    let left = squadrons.craft[row].saturating_sub(count);
    squadrons.craft[row] = left;
    squadrons.armed[row] = squadrons.armed[row].min(left);
    if left == 0 && squadrons.stage[row] != stage::GONE {
        squadrons.stage[row] = stage::GONE;
        let (id, place) = (squadrons.id[row], (squadrons.x[row], squadrons.y[row]));
        let kind = Kind::SquadronLost;
        tell(state, journal, kind, by, id, 0, 0, place, 0.0, Plugin::Squadron);
    }
}
