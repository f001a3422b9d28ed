//! Commands: typed, queued, applied in order at the next drain. Who may give them is not decided
//! here.

mod city;
mod people;
mod reading;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::chat;
use crate::events::Event;
use crate::lifecycle::KILLED;
use crate::numbers::{NONE, ONE, micro};
use crate::perturbations;
use crate::reloading::{self, Reloaded};
use crate::state::State;
use crate::town::Town;
use crate::weather;
use city::{meet, trigger};
use people::{bring, move_to, possess, seat_of, set_need, set_price, set_ties};

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
    PerturbationCancel { event_id: String },
    /// Put a hot node of the configuration, as JSON, in force.
    ConfigReload { node: String, document: String },
    /// No order but what is left of some: nodes in force that are not the configuration's. Stands
    /// before all that wait, and only there.
    Reloaded(Box<Reloaded>),
    /// Let it rain until this is taken back.
    Rain { on: bool },
}

impl Command {
    /// What it is called in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Spawn { .. } => "spawn",
            Self::Teleport { .. } => "teleport",
            Self::Setneed { .. } => "setneed",
            Self::Price { .. } => "price",
            Self::ForceChat { .. } => "force_chat",
            Self::SetRel { .. } => "set_rel",
            Self::ArrangeMeet { .. } => "arrange_meet",
            Self::Possess { .. } => "possess",
            Self::Kill { .. } => "kill",
            Self::ToggleMortality { .. } => "toggle_mortality",
            Self::SetExitCap { .. } => "set_exit_cap",
            Self::SetSpawnDelay { .. } => "set_spawn_delay",
            Self::SetDeathThreshold { .. } => "set_death_threshold",
            Self::EmploymentApprove { .. } => "employment_approve",
            Self::EmploymentDefer { .. } => "employment_defer",
            Self::PerturbationTrigger { .. } => "perturbation_trigger",
            Self::PerturbationCancel { .. } => "perturbation_cancel",
            Self::ConfigReload { .. } => "config_reload",
            Self::Reloaded(_) => "reloaded",
            Self::Rain { .. } => "rain",
        }
    }
}

/// A command that waits for the drain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// Its number among those of the episode, from 1; 0 for none of them.
    pub number: u64,
    /// The command.
    pub command: Command,
}

/// Commands that may wait for one drain.
pub const PENDING_MAX: usize = 1024;

/// Why a command was refused.
pub type Refused = &'static str;

/// A command in JSON.
///
/// # Errors
/// Why it is none, and for a reload everything that speaks against it now.
pub fn read(town: &Town, state: &State, json: &str) -> Result<Command, String> {
    if state.pending.len() >= PENDING_MAX {
        return Err("too many commands wait for the next step; step first".to_owned());
    }
    let command = reading::command(json)?;
    if let Command::ConfigReload { node, document } = &command {
        reloading::rehearse(town, node, document)?;
    }
    Ok(command)
}

/// Apply everything queued, in order of arrival.
pub fn drain(town: &mut Arc<Town>, state: &mut State) {
    let kept = usize::from(state.reloaded().is_some());
    if state.pending.len() == kept {
        return;
    }
    for Pending { number, command } in state.pending.split_off(kept) {
        let (name, planned) = (command.name(), state.city.count);
        let applied = match command {
            Command::ConfigReload { node, document } => {
                reloading::reload(town, state, &node, &document)
            }
            other => apply(town, state, other),
        };
        let outcome = match applied {
            Ok(()) => Event::new("command_applied"),
            Err(reason) => Event::new("command_refused").because(reason),
        };
        state.tell_with(outcome, |state| {
            let mut told = json!({ "command": name, "number": number });
            if state.city.count > planned {
                told["event_id"] = json!(perturbations::name_of(state.city.count));
            }
            told
        });
    }
}

fn apply(town: &Town, state: &mut State, command: Command) -> Result<(), Refused> {
    match command {
        Command::Spawn { agent_id, position, job_id, wallet } => {
            let seat = bring(town, state, agent_id, position, job_id.as_deref())?;
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
            set_need(town, state, seat, &need, micro(value.clamp(0.0, 1.0)).clamp(0, ONE))
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
            // What operators bring about pays nobody: rewards are for what people do themselves.
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
            if min == 0 || min > max || max > 10_000 {
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
            let found = perturbations::number_of(&event_id)
                .is_some_and(|id| perturbations::cancel(town, state, id));
            return if found { Ok(()) } else { Err("E_UNKNOWN_EVENT") };
        }
        Command::Rain { on } if !weather::order_rain(town, state, on) => return Err("E_DISABLED"),
        _ => {}
    }
    Ok(())
}
