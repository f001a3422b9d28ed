//! Commands about persons, their ties and the prices they pay.

use super::Refused;
use crate::affordances;
use crate::config::Stage;
use crate::economy;
use crate::employment;
use crate::events::Event;
use crate::hot::PRICE_KEYS;
use crate::movement;
use crate::numbers::{Micro, NEED_NAMES, NONE, micro};
use crate::options::WAIT;
use crate::queues;
use crate::relations::{self, Change};
use crate::spawn::{self, Coming};
use crate::state::State;
use crate::town::{Part, Town};

pub fn seat_of(state: &State, id: &str) -> Result<usize, Refused> {
    let mut seats = state.order.iter().map(|&seat| usize::from(seat));
    seats.find(|&seat| state.id_of(seat) == id).ok_or("E_UNKNOWN_AGENT")
}

/// The job of this name, if there is room in it for one more.
fn job_of(town: &Town, state: &State, id: &str) -> Result<u8, Refused> {
    let found = town.jobs.iter().position(|job| job.id == id).map(|job| job as u8);
    let job = found.ok_or("E_INVALID_ARG")?;
    if employment::has_room(town, state, job) { Ok(job) } else { Err("E_JOB_FULL") }
}

fn free_tile(town: &Town, state: &State, [x, y]: [u16; 2]) -> Result<u16, Refused> {
    if x >= town.grid.width || y >= town.grid.height {
        return Err("E_INVALID_ARG");
    }
    let tile = usize::from(town.grid.tile(x, y));
    let free = town.grid.walkable[tile] != 0 && state.ground[tile] == 0;
    if free { Ok(tile as u16) } else { Err("E_BLOCKED_TILE") }
}

pub fn bring(
    town: &Town,
    state: &mut State,
    id: String,
    at: [u16; 2],
    job: Option<&str>,
) -> Result<usize, Refused> {
    let job = job.map(|name| job_of(town, state, name)).transpose()?;
    let tile = free_tile(town, state, at)?;
    if id.is_empty() || id.contains('#') || state.names.contains(&id) || state.names.len() > 60_000
    {
        return Err("E_INVALID_ARG");
    }
    state.names.push(id);
    state.generations.push(0);
    let origin = state.names.len() as u16 - 1;
    spawn::settle(town, state, origin, Some(tile), Coming::Ordered(job)).ok_or_else(|| {
        state.names.pop();
        state.generations.pop();
        "E_NO_FREE_SEAT"
    })
}

pub fn move_to(town: &Town, state: &mut State, seat: usize, at: [u16; 2]) -> Result<(), Refused> {
    let tile = free_tile(town, state, at)?;
    if state.agents[seat].hospital {
        return Err("E_BUSY_TARGET");
    }
    drop_everything(town, state, seat);
    movement::go(state, seat, tile, false);
    state.tell(Event::new("agent_teleported").of(seat));
    Ok(())
}

/// The context is new: what an agent did or waited for is given up.
fn drop_everything(town: &Town, state: &mut State, seat: usize) {
    affordances::abort(town, state, seat, "released");
    queues::leave(town, state, seat);
    let agent = &mut state.agents[seat];
    agent.option = WAIT;
    agent.bound_until = 0;
    agent.target = NONE;
    agent.goal = NONE;
    agent.reset = true;
}

pub fn possess(town: &Town, state: &mut State, id: &str, acquire: bool) -> Result<(), Refused> {
    let seat = seat_of(state, id)?;
    if state.agents[seat].possessed == acquire {
        return Err(if acquire { "E_ALREADY_POSSESSED" } else { "E_INVALID_ARG" });
    }
    let running = town.affordances.get(usize::from(state.agents[seat].running));
    if acquire && running.is_some_and(|what| what.part == Part::Sleep) {
        return Err("E_BUSY_TARGET");
    }
    drop_everything(town, state, seat);
    state.agents[seat].possessed = acquire;
    Ok(())
}

pub fn set_need(
    town: &Town,
    state: &mut State,
    seat: usize,
    need: &str,
    value: Micro,
) -> Result<(), Refused> {
    if need == "warmth" && town.document.features.weather.warmth {
        state.annex.people[seat].warmth = value;
        return Ok(());
    }
    let need = NEED_NAMES.iter().position(|known| *known == need).ok_or("E_INVALID_ARG")?;
    state.agents[seat].needs[need] = value;
    Ok(())
}

pub fn set_price(town: &Town, state: &mut State, key: &str, value: f64) -> Result<(), Refused> {
    let index = PRICE_KEYS.iter().position(|known| *known == key).ok_or("E_INVALID_ARG")?;
    if !(0.0..=10.0).contains(&value) {
        return Err("E_INVALID_ARG");
    }
    state.hot.economy.prices[index] = micro(value);
    economy::reprice(state);
    economy::check_basket(town, state);
    Ok(())
}

pub fn set_ties(
    town: &Town,
    state: &mut State,
    pair: [usize; 2],
    [trust, familiarity, rivalry]: [f64; 3],
) -> Result<(), Refused> {
    let signed = -1.0..=1.0;
    let fits = signed.contains(&trust) && signed.contains(&familiarity);
    if pair[0] == pair[1] || !fits || !(0.0..=1.0).contains(&rivalry) {
        return Err("E_INVALID_ARG");
    }
    if town.document.features.stages.relationships == Stage::Off {
        return Err("E_DISABLED");
    }
    let ways = [pair, [pair[1], pair[0]]];
    if !ways.iter().all(|&way| relations::takes(town, state, way, Change::MEAL)) {
        return Err("E_LEDGER_FULL");
    }
    // A change large enough to enter a full ledger makes the tie; then it is set.
    relations::both(town, state, pair, Change::MEAL, false);
    for [owner, other] in ways {
        let agent = &mut state.agents[owner];
        let known = usize::from(agent.known);
        let ties = agent.ties[..known].iter_mut();
        for tie in ties.filter(|tie| usize::from(tie.other) == other) {
            tie.trust = micro(trust);
            tie.familiarity = micro(familiarity);
            tie.rivalry = micro(rivalry);
        }
    }
    Ok(())
}
