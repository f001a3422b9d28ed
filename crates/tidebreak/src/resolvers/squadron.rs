//! Squadrons launch, fly, fight, and land where there is still a deck.

use crate::condition::{Output, stage};
use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::plugins::squadron::mission;
use crate::proposals::{Plugin, Proposals};
use crate::scratch::{Hit, Scratch};
use crate::setup::Setup;
use crate::state::{Cause, Squadrons, State};
use crate::tables::Reach;

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
            squadrons.timer[row] = setup.tables.squadrons.launch_s;
            squadrons.cause[row] = wish.origin.cause;
            squadrons.trace[row] = wish.origin.trace;
        }
    }
    for row in 0..state.squadrons.len() {
        match state.squadrons.stage[row] {
            stage::GONE => {}
            stage::FLYING | stage::RETURNING => fly(setup, state, scratch, journal, row),
            _ => wait(setup, state, journal, row),
        }
    }
}

/// Aboard: timers run, and craft go down with their deck. One that leaves the map takes them along.
fn wait(setup: &Setup, state: &mut State, journal: &mut Journal, row: usize) {
    let carrier = state.squadrons.deck[row] as usize;
    if state.ships.sunk(carrier) {
        let all = state.squadrons.craft[row];
        let ships = &state.ships;
        let why = (ships.last_harm[carrier], ships.last_trace[carrier]);
        lose_craft(state, journal, row, all, ships.last_harmer[carrier], why);
        return;
    }
    let squadrons = &mut state.squadrons;
    let launches = squadrons.stage[row] == stage::LAUNCHING;
    if launches && !state.ships.fights(carrier) {
        squadrons.stage[row] = stage::ABOARD;
    }
    if squadrons.stage[row] == stage::ABOARD {
        return;
    }
    // A deck in half its health takes twice as long.
    squadrons.timer[row] -= state.ships.output[carrier][Output::Deck as usize];
    if squadrons.timer[row] > 0.0 {
        return;
    }
    if squadrons.stage[row] == stage::RECOVERING {
        squadrons.stage[row] = stage::ABOARD;
        tell_craft(state, journal, row, Kind::SquadronRecovered);
        return;
    }
    squadrons.stage[row] = stage::FLYING;
    squadrons.endurance[row] = setup.tables.squadrons.endurance_s;
    squadrons.hp[row] = setup.tables.squadrons.craft_hp;
    squadrons.armed[row] = squadrons.craft[row];
    squadrons.x[row] = state.ships.x[carrier];
    squadrons.y[row] = state.ships.y[carrier];
    squadrons.heading[row] = state.ships.heading[carrier];
    let event = tell_craft(state, journal, row, Kind::SquadronLaunched);
    let squadrons = &mut state.squadrons;
    squadrons.cause[row] = event;
    if squadrons.trace[row] == 0 {
        squadrons.trace[row] = event;
    }
}

/// Say what became of a squadron, by what sent it up.
fn tell_craft(state: &mut State, journal: &mut Journal, row: usize, kind: Kind) -> u64 {
    let squadrons = &state.squadrons;
    let (id, carrier) = (squadrons.id[row], squadrons.carrier[row]);
    let place = (squadrons.x[row], squadrons.y[row]);
    let count = f32::from(squadrons.craft[row]);
    let (cause, trace) = (squadrons.cause[row], squadrons.trace[row]);
    tell(state, journal, kind, id, carrier, cause, trace, place, count, Plugin::Squadron)
}

fn fly(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal, row: usize) {
    let figures = &setup.tables.squadrons;
    let returning = state.squadrons.stage[row] == stage::RETURNING;
    if returning {
        let Some(deck) = deck(setup, state, row) else {
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
    let heading = squadrons.heading[row] + turn.clamp(-figures.turn_rate, figures.turn_rate);
    squadrons.heading[row] = crate::resolvers::physics::wrapped(heading);
    let (sine, cosine) = libm::sincosf(squadrons.heading[row]);
    let stride = figures.speed.min(away.max(1.0));
    squadrons.x[row] += cosine * stride;
    squadrons.y[row] += sine * stride;
    if returning {
        if away <= figures.speed {
            land(setup, state, row);
        }
        return;
    }
    match state.squadrons.mission[row] {
        mission::STRIKE => drop_bombs(setup, state, scratch, journal, row, Reach::SURFACE),
        mission::ASW => {
            let places = Reach::SUBMERGED | Reach::TRANSIT;
            drop_bombs(setup, state, scratch, journal, row, places);
        }
        mission::CAP => dogfight(setup, state, journal, row),
        // Scouts only look; see the sensors.
        _ => {}
    }
}

/// A deck to land on: the own one, else that of another carrier of the team.
fn deck(setup: &Setup, state: &mut State, row: usize) -> Option<usize> {
    let ships = &state.ships;
    let own = state.squadrons.deck[row] as usize;
    let team = state.squadrons.team[row];
    let works = |&ship: &usize| {
        ships.fights(ship)
            && ships.team[ship] == team
            && ships.output[ship][Output::Deck as usize] > 0.0
            && ships.sea_state[ship] <= setup.tables.squadrons.sea_state_max
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

fn land(setup: &Setup, state: &mut State, row: usize) {
    state.squadrons.stage[row] = stage::RECOVERING;
    state.squadrons.timer[row] = setup.tables.squadrons.recovery_s;
}

/// Every craft drops what it has on the nearest hostile hull under it.
fn drop_bombs(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    row: usize,
    places: u8,
) {
    let figures = &setup.tables.squadrons.bomb;
    if state.squadrons.armed[row] == 0 {
        return;
    }
    let (ships, squadrons) = (&state.ships, &state.squadrons);
    let (x, y, team) = (squadrons.x[row], squadrons.y[row], squadrons.team[row]);
    let mut nearest: Option<(f32, u32)> = None;
    scratch.grid.ships.near(x, y, figures.range_m + setup.radius_max, |ship| {
        if ships.holder[ship] == team || ships.places(ship) & places == 0 || !ships.fights(ship) {
            return;
        }
        let (dx, dy) = (ships.x[ship] - x, ships.y[ship] - y);
        let gap = (dx * dx + dy * dy).sqrt() - setup.hulls[ship].radius_m;
        if gap <= figures.range_m && nearest.is_none_or(|known| (gap, ship as u32) < known) {
            nearest = Some((gap, ship as u32));
        }
    });
    let Some((_, target)) = nearest else { return };
    let (cause_event, trace) = tell_attack(state, journal, row, target);
    let (id, carrier) = (state.squadrons.id[row], state.squadrons.carrier[row]);
    let draws = Draws::of(state.seed);
    for craft in 0..u32::from(state.squadrons.armed[row]) {
        state.tally.shots += 1;
        if draws.unit(Draw::Weapon, id, state.tick, craft) < figures.hit_chance {
            state.tally.hits += 1;
            scratch.hits.push(Hit {
                target,
                amount: figures.damage,
                cause: Cause::Squadron,
                source: carrier,
                cause_event,
                trace,
                underwater: places != Reach::SURFACE,
                direct: false,
            });
        }
    }
    state.squadrons.armed[row] = 0;
}

/// Say that craft let go of what they carry or open fire: the event and its root.
fn tell_attack(state: &mut State, journal: &mut Journal, row: usize, target: u32) -> (u64, u64) {
    let squadrons = &state.squadrons;
    let (kind, id) = (Kind::Fired, squadrons.id[row]);
    let (cause, trace) = (squadrons.cause[row], squadrons.trace[row]);
    let (place, count) = ((squadrons.x[row], squadrons.y[row]), f32::from(squadrons.armed[row]));
    let plugin = Plugin::Squadron;
    let event = tell(state, journal, kind, id, target, cause, trace, place, count, plugin);
    (event, if trace == 0 { event } else { trace })
}

/// Patrols fight the nearest hostile squadron in reach.
fn dogfight(setup: &Setup, state: &mut State, journal: &mut Journal, row: usize) {
    let figures = &setup.tables.squadrons.dogfight;
    let squadrons = &state.squadrons;
    let (x, y, team) = (squadrons.x[row], squadrons.y[row], squadrons.team[row]);
    let mut nearest: Option<(f32, usize)> = None;
    for other in 0..squadrons.len() {
        let (dx, dy) = (squadrons.x[other] - x, squadrons.y[other] - y);
        let square = dx * dx + dy * dy;
        let open = Squadrons::flies(squadrons.stage[other]) && squadrons.team[other] != team;
        if open
            && square <= figures.range_m * figures.range_m
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
    let strikes =
        (0..shots).filter(|&craft| draws.unit(Draw::Weapon, id, tick, craft) < figures.hit_chance);
    let strikes = strikes.count();
    if strikes > 0 {
        let why = tell_attack(state, journal, row, squadrons.id[other]);
        let damage = strikes as f32 * figures.damage;
        hurt_craft(setup, state, journal, other, damage, (carrier, why));
    }
}

/// Hit points come off the craft that leads; when it falls the next one does.
fn hurt_craft(
    setup: &Setup,
    state: &mut State,
    journal: &mut Journal,
    row: usize,
    damage: f32,
    (by, why): (u32, (u64, u64)),
) {
    let whole = setup.tables.squadrons.craft_hp;
    let mut left = state.squadrons.hp[row] - damage;
    let mut down = 0;
    while left <= 0.0 {
        left += whole;
        down += 1;
    }
    state.squadrons.hp[row] = left;
    if down > 0 {
        lose_craft(state, journal, row, down, by, why);
    }
}

/// Craft of a squadron are shot down or go down with their deck; `why` is the event that did it and
/// the root of its chain.
pub fn lose_craft(
    state: &mut State,
    journal: &mut Journal,
    row: usize,
    count: u16,
    by: u32,
    (cause, trace): (u64, u64),
) {
    let squadrons = &mut state.squadrons;
    let left = squadrons.craft[row].saturating_sub(count);
    squadrons.craft[row] = left;
    squadrons.armed[row] = squadrons.armed[row].min(left);
    if left == 0 && squadrons.stage[row] != stage::GONE {
        squadrons.stage[row] = stage::GONE;
        let (id, place) = (squadrons.id[row], (squadrons.x[row], squadrons.y[row]));
        let kind = Kind::SquadronLost;
        tell(state, journal, kind, by, id, cause, trace, place, 0.0, Plugin::Squadron);
    }
}
