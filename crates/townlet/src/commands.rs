//! Commands: typed, queued, applied in order at the next drain. Who may give them is not decided
//! here.

use serde::{Deserialize, Serialize};

use crate::affordances;
use crate::chat;
use crate::config;
use crate::economy;
use crate::events::Event;
use crate::hot::{self, PRICE_KEYS};
use crate::lifecycle::KILLED;
use crate::movement;
use crate::numbers::{NEED_NAMES, NONE, ONE, micro};
use crate::options::WAIT;
use crate::perturbations;
use crate::queues;
use crate::relations::{self, Change};
use crate::spawn;
use crate::state::State;
use crate::town::{Town, VENUES};

/// What can be ordered. In JSON: `{"setneed": {"agent_id": "resident_01", ...}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Bring somebody new to town.
    Spawn { agent_id: String, position: [u16; 2], job_id: Option<String>, wallet: Option<f64> },
    /// Put somebody elsewhere.
    Teleport { agent_id: String, position: [u16; 2] },
    /// Set a need.
    Setneed { agent_id: String, need: String, value: f64 },
    /// Set a base price.
    Price { key: String, value: f64 },
    /// Make two talk.
    ForceChat { speaker: String, listener: String, quality: f64 },
    /// Set what two hold of each other.
    SetRel { a: String, b: String, trust: f64, familiarity: f64, rivalry: f64 },
    /// Send agents to a venue.
    ArrangeMeet { agents: Vec<String>, location: String, starts_in: u32, duration: u32 },
    /// Take or give back control.
    Possess { agent_id: String, acquire: bool },
    /// Take somebody out of town.
    Kill { agent_id: String },
    /// Whether conditions lead to exits.
    ToggleMortality { on: bool },
    /// Exits a day.
    SetExitCap { cap: u32 },
    /// Ticks to a replacement.
    SetSpawnDelay { min: u32, max: u32 },
    /// When hunger is a collapse.
    SetDeathThreshold { value: f64, ticks: u32 },
    /// Let a queued exit happen now.
    EmploymentApprove { agent_id: String },
    /// Take somebody out of the exit queue and forgive the absences.
    EmploymentDefer { agent_id: String },
    /// Start a city event.
    PerturbationTrigger {
        spec: String,
        starts_in: u32,
        duration: u32,
        target: Option<String>,
        magnitude: Option<f64>,
    },
    /// Cancel one.
    PerturbationCancel { event_id: u32 },
    /// Put a hot node of the configuration, as JSON, in force.
    ConfigReload { node: String, document: String },
}

/// A command that waits for the drain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// The command.
    pub command: Command,
}

/// Why a command was refused.
pub type Refused = &'static str;

/// Apply everything queued, in order of arrival.
pub fn drain(town: &Town, state: &mut State) {
    if state.pending.is_empty() {
        return;
    }
    for Pending { command } in std::mem::take(&mut state.pending) {
        match apply(town, state, command) {
            Ok(()) => state.tell(Event::new("command_applied")),
            Err(reason) => state.tell(Event::new("command_refused").because(reason)),
        }
    }
}

fn apply(town: &Town, state: &mut State, command: Command) -> Result<(), Refused> {
    match command {
        Command::Spawn { agent_id, position, job_id, wallet } => {
            let job = job_id.map(|id| job_of(town, &id)).transpose()?;
            let seat = bring(town, state, agent_id, position)?;
            if let Some(job) = job {
                state.agents[seat].work.job = job;
            }
            if let Some(wallet) = wallet {
                state.agents[seat].wallet = micro(wallet.clamp(0.0, 1e6));
            }
            Ok(())
        }
        Command::Teleport { agent_id, position } => {
            let seat = seat_of(state, &agent_id)?;
            move_to(town, state, seat, position)
        }
        Command::Setneed { agent_id, need, value } => {
            let seat = seat_of(state, &agent_id)?;
            let need = NEED_NAMES.iter().position(|known| *known == need).ok_or("E_INVALID_ARG")?;
            state.agents[seat].needs[need] = micro(value.clamp(0.0, 1.0)).clamp(0, ONE);
            Ok(())
        }
        Command::Price { key, value } => set_price(town, state, &key, value),
        Command::ForceChat { speaker, listener, quality } => {
            let pair = [seat_of(state, &speaker)?, seat_of(state, &listener)?];
            if pair[0] == pair[1] {
                return Err("E_INVALID_ARG");
            }
            if state.agents[pair[1]].running != NONE {
                return Err("E_BUSY_TARGET");
            }
            chat::conclude(town, state, pair, true, micro(quality.clamp(0.0, 1.0)));
            Ok(())
        }
        Command::SetRel { a, b, trust, familiarity, rivalry } => {
            let pair = [seat_of(state, &a)?, seat_of(state, &b)?];
            set_ties(town, state, pair, [trust, familiarity, rivalry])
        }
        Command::Possess { agent_id, acquire } => possess(town, state, &agent_id, acquire),
        Command::Kill { agent_id } => {
            let seat = seat_of(state, &agent_id)?;
            state.agents[seat].leaving = KILLED;
            Ok(())
        }
        Command::EmploymentApprove { agent_id } => {
            let seat = seat_of(state, &agent_id)?;
            state.agents[seat].work.approved = true;
            state.tell(Event::new("employment_exit_manual_request").of(seat));
            Ok(())
        }
        Command::EmploymentDefer { agent_id } => {
            let seat = seat_of(state, &agent_id)?;
            let work = &mut state.agents[seat].work;
            work.queued.take().ok_or("E_NOT_QUEUED")?;
            work.absent = 0;
            state.tell(Event::new("employment_exit_deferred").of(seat));
            Ok(())
        }
        other => apply_to_town(town, state, other),
    }
}

fn apply_to_town(town: &Town, state: &mut State, command: Command) -> Result<(), Refused> {
    let mortality = &mut state.hot.mortality;
    match command {
        Command::ToggleMortality { on } => mortality.on = on,
        Command::SetExitCap { cap } => mortality.daily_cap = cap,
        Command::SetSpawnDelay { min, max } => {
            if min == 0 || min > max {
                return Err("E_INVALID_ARG");
            }
            mortality.spawn_delay = [min, max];
        }
        Command::SetDeathThreshold { value, ticks } => {
            if !(0.0..=1.0).contains(&value) || ticks == 0 {
                return Err("E_INVALID_ARG");
            }
            mortality.faint_at = micro(value);
            mortality.faint_ticks = ticks;
        }
        Command::ArrangeMeet { agents, location, starts_in, duration } => {
            return meet(town, state, &agents, &location, [starts_in, duration]);
        }
        Command::PerturbationTrigger { spec, starts_in, duration, target, magnitude } => {
            return trigger(town, state, &spec, [starts_in, duration], target, magnitude);
        }
        Command::PerturbationCancel { event_id } => {
            let found = perturbations::cancel(town, state, event_id);
            return if found { Ok(()) } else { Err("E_UNKNOWN_EVENT") };
        }
        Command::ConfigReload { node, document } => return reload(town, state, &node, &document),
        _ => {}
    }
    Ok(())
}

fn seat_of(state: &State, id: &str) -> Result<usize, Refused> {
    let mut seats = state.order.iter().map(|&seat| usize::from(seat));
    seats.find(|&seat| state.id_of(seat) == id).ok_or("E_UNKNOWN_AGENT")
}

fn job_of(town: &Town, id: &str) -> Result<u8, Refused> {
    let found = town.jobs.iter().position(|job| job.id == id);
    found.map(|job| job as u8).ok_or("E_INVALID_ARG")
}

fn free_tile(town: &Town, state: &State, [x, y]: [u16; 2]) -> Result<u16, Refused> {
    if x >= town.grid.width || y >= town.grid.height {
        return Err("E_INVALID_ARG");
    }
    let tile = usize::from(town.grid.tile(x, y));
    let free = town.grid.walkable[tile] != 0 && state.ground[tile] == 0;
    if free { Ok(tile as u16) } else { Err("E_BLOCKED_TILE") }
}

fn bring(town: &Town, state: &mut State, id: String, at: [u16; 2]) -> Result<usize, Refused> {
    let tile = free_tile(town, state, at)?;
    if id.is_empty() || id.contains('#') || state.names.contains(&id) || state.names.len() > 60_000
    {
        return Err("E_INVALID_ARG");
    }
    state.names.push(id);
    state.generations.push(0);
    let origin = state.names.len() as u16 - 1;
    spawn::settle(town, state, origin, Some(tile), false).ok_or_else(|| {
        state.names.pop();
        state.generations.pop();
        "E_NO_FREE_SEAT"
    })
}

fn move_to(town: &Town, state: &mut State, seat: usize, at: [u16; 2]) -> Result<(), Refused> {
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

fn possess(town: &Town, state: &mut State, id: &str, acquire: bool) -> Result<(), Refused> {
    let seat = seat_of(state, id)?;
    if state.agents[seat].possessed == acquire {
        return Err(if acquire { "E_ALREADY_POSSESSED" } else { "E_INVALID_ARG" });
    }
    if acquire && state.agents[seat].running == town.roles.sleep && town.roles.sleep != NONE {
        return Err("E_BUSY_TARGET");
    }
    drop_everything(town, state, seat);
    state.agents[seat].possessed = acquire;
    Ok(())
}

fn set_price(town: &Town, state: &mut State, key: &str, value: f64) -> Result<(), Refused> {
    let index = PRICE_KEYS.iter().position(|known| *known == key).ok_or("E_INVALID_ARG")?;
    if !(0.0..=10.0).contains(&value) {
        return Err("E_INVALID_ARG");
    }
    state.hot.economy.prices[index] = micro(value);
    economy::reprice(state);
    economy::check_basket(town, state);
    Ok(())
}

fn set_ties(
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
    // A change large enough to enter a full ledger makes the tie; then it is set.
    relations::both(town, state, pair, Change::MEAL, false);
    for [owner, other] in [pair, [pair[1], pair[0]]] {
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

fn meet(
    town: &Town,
    state: &mut State,
    agents: &[String],
    location: &str,
    [starts_in, duration]: [u32; 2],
) -> Result<(), Refused> {
    let venue = VENUES.iter().position(|known| *known == location).ok_or("E_INVALID_ARG")?;
    let spec =
        town.specs.iter().position(|spec| spec.kind == config::PerturbationKind::ArrangedMeet);
    let spec = spec.ok_or("E_INVALID_ARG")?;
    if !(2..=8).contains(&agents.len()) || duration == 0 {
        return Err("E_INVALID_ARG");
    }
    let mut guests = [NONE; 8];
    for (place, id) in guests.iter_mut().zip(agents) {
        *place = seat_of(state, id)? as u8;
    }
    state.city.count += 1;
    let starts = state.tick + starts_in;
    state.city.pending.push(perturbations::Happening {
        id: state.city.count,
        spec: spec as u8,
        starts,
        ends: starts + duration,
        magnitude: ONE,
        place: venue as u8,
        guests,
        count: agents.len() as u8,
        prices: 0,
    });
    Ok(())
}

fn trigger(
    town: &Town,
    state: &mut State,
    name: &str,
    [starts_in, duration]: [u32; 2],
    target: Option<String>,
    magnitude: Option<f64>,
) -> Result<(), Refused> {
    let index = town.specs.iter().position(|spec| spec.id == name).ok_or("E_UNKNOWN_SPEC")?;
    let spec = &town.specs[index];
    let factor = micro(magnitude.unwrap_or(1.0));
    if !(ONE / 2..=3 * ONE).contains(&factor) || !(1..=1_000_000).contains(&duration) {
        return Err("E_INVALID_ARG");
    }
    let factor = if magnitude.is_some() { factor } else { spec.magnitude[0] };
    let place = match target {
        None => spec.targets.first().copied().unwrap_or(NONE),
        Some(name) => town.spec_target(spec.kind, &name).ok_or("E_INVALID_ARG")?,
    };
    let planned = perturbations::plan(town, state, index, place, factor);
    let mut happening = planned.ok_or("E_NO_ELIGIBLE_AGENTS")?;
    happening.starts = state.tick.saturating_add(starts_in);
    happening.ends = happening.starts.saturating_add(duration);
    state.city.pending.push(happening);
    Ok(())
}

/// Put a hot node in force; anything wrong leaves the town as it was.
fn reload(town: &Town, state: &mut State, node: &str, document: &str) -> Result<(), Refused> {
    let mut next = town.document.clone();
    let parsed = match node {
        "queue_fairness" => serde_json::from_str(document).map(|node| next.queue_fairness = node),
        "conflict.rivalry" => {
            serde_json::from_str(document).map(|node| next.conflict.rivalry = node)
        }
        "economy" => serde_json::from_str(document).map(|node| next.economy = node),
        "employment" => serde_json::from_str(document).map(|node| next.employment = node),
        "behavior" => serde_json::from_str(document).map(|node| next.behavior = node),
        _ => return Err("E_NOT_HOT"),
    };
    let checked = parsed.map_err(|_| ()).and_then(|()| Town::build(next).map_err(|_| ()));
    let Ok(built) = checked else {
        state.tell(Event::new("config_reload_rejected"));
        return Err("E_INVALID_ARG");
    };
    // These three are part of tables that all towns share.
    let fixed = |document: &config::Document| {
        let economy = &document.economy;
        [economy.cook_energy_cost, economy.cook_hygiene_cost, economy.wage_income]
    };
    if fixed(&built.document) != fixed(&town.document) {
        state.tell(Event::new("config_reload_rejected"));
        return Err("E_NOT_HOT");
    }
    let fresh: hot::Hot = built.hot;
    match node {
        "queue_fairness" => state.hot.queue = fresh.queue,
        "conflict.rivalry" => state.hot.rivalry = fresh.rivalry,
        "economy" => state.hot.economy = fresh.economy,
        "employment" => state.hot.employment = fresh.employment,
        _ => state.hot.behavior = fresh.behavior,
    }
    economy::reprice(state);
    state.tell(Event::new("config_reloaded"));
    Ok(())
}
