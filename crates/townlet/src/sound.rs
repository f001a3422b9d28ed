//! What a state must keep for the rules to bear it: asked of every state read back.

use crate::agent::{ABSENCES, Agent, SHIFTS, TIES};
use crate::annex::{Annex, Person};
use crate::commands::Command;
use crate::numbers::{NONE, ONE};
use crate::state::State;
use crate::town::Town;

/// Refuse a state whose sizes or indices the rules could not bear.
///
/// # Errors
/// What is wrong, in words.
pub fn check(town: &Town, state: &State) -> Result<(), String> {
    let objects = town.objects.len();
    let sizes = [
        ("agents", state.agents.len(), town.seats),
        ("objects", state.things.len(), objects),
        ("queues", state.queues.len(), objects * town.seats),
        ("cooldowns", state.cooldowns.len(), objects * town.seats),
        ("slots", state.slots.len(), usize::from(town.document.embedding_allocator.max_slots)),
        ("specs", state.city.cooled.len(), town.specs.len()),
        ("starts", state.city.starts.len(), town.specs.len()),
        ("spared", state.city.spared.len(), town.seats),
        ("people", state.annex.people.len(), Annex::empty(town).people.len()),
        ("generations", state.generations.len(), state.names.len()),
    ];
    for (name, found, expected) in sizes {
        if found != expected {
            return Err(format!("{found} {name} where the town has {expected}"));
        }
    }
    for (seat, agent) in state.agents.iter().enumerate() {
        check_agent(town, state, agent).map_err(|why| format!("seat {seat}: {why}"))?;
    }
    if let Some(seat) = state.annex.people.iter().position(|person| !is_sound(town, person)) {
        return Err(format!("seat {seat}: what optional rules remember is out of range"));
    }
    let mut order: Vec<u8> = state.order.clone();
    order.sort_unstable();
    let present =
        (0..state.agents.len() as u8).filter(|&seat| state.agents[usize::from(seat)].present());
    if !order.into_iter().eq(present) {
        return Err("the order does not list the seats in play".to_owned());
    }
    check_tiles(state)?;
    check_things(town, state)?;
    state.chronicle.check(town.seats, objects, state.tick)?;
    if state.pending.iter().skip(1).any(|one| matches!(one.command, Command::Reloaded(_))) {
        return Err("what was reloaded stands among the commands that wait".to_owned());
    }
    let events = state.city.active.iter().chain(&state.city.pending);
    for event in events {
        if usize::from(event.spec) >= town.specs.len() || event.count > 8 {
            return Err(format!("event {} is of no kind this town has", event.id));
        }
    }
    Ok(())
}

/// Everybody has a tile to itself, and a ghost besides shares that of one who is none, alone.
fn check_tiles(state: &State) -> Result<(), String> {
    let about = || state.agents.iter().filter(|agent| agent.about());
    for agent in about() {
        let place = agent.place();
        if about().filter(|other| other.place() == place).count() > 1 {
            return Err(format!("tile {place} is the place of more than one"));
        }
        let here = || about().filter(|other| other.tile == agent.tile);
        let hosts = here().filter(|other| !other.ghost).count();
        if agent.ghost && (hosts != 1 || here().count() != 2) {
            return Err(format!("tile {} is not shared by one and its ghost", agent.tile));
        }
    }
    Ok(())
}

fn check_things(town: &Town, state: &State) -> Result<(), String> {
    for (index, thing) in state.things.iter().enumerate() {
        let id = &town.objects[index].id;
        if usize::from(thing.waiting) > town.seats {
            return Err(format!("{id}: {} wait", thing.waiting));
        }
        let queue = &state.queues[index * town.seats..][..usize::from(thing.waiting)];
        let waits = |&seat: &u8| {
            state
                .agents
                .get(usize::from(seat))
                .is_some_and(|agent| usize::from(agent.waiting) == index)
        };
        if !queue.iter().all(waits) {
            return Err(format!("{id}: the queue names somebody who does not wait"));
        }
        let holder = state.agents.get(usize::from(thing.holder));
        if thing.holder != NONE && holder.is_none_or(|agent| usize::from(agent.holding) != index) {
            return Err(format!("{id}: the holder does not hold it"));
        }
    }
    Ok(())
}

fn is_sound(town: &Town, person: &Person) -> bool {
    let opponent = person.opponent == NONE || usize::from(person.opponent) < town.seats;
    let habits = [person.patience, person.frugal];
    let in_range = (0..=ONE).contains(&person.warmth)
        && habits.iter().all(|habit| (-ONE..=ONE).contains(habit));
    opponent && in_range && person.pantry.is_sound()
}

fn check_agent(town: &Town, state: &State, agent: &Agent) -> Result<(), String> {
    let index = |name: &str, value: u8, count: usize| {
        if value == NONE || usize::from(value) < count {
            Ok(())
        } else {
            Err(format!("{name} {value} of {count}"))
        }
    };
    index("target", agent.target, town.objects.len())?;
    index("goal", agent.goal, town.offered)?;
    index("holding", agent.holding, town.objects.len())?;
    index("waiting", agent.waiting, town.objects.len())?;
    index("running", agent.running, town.affordances.len())?;
    index("job", agent.work.job, town.jobs.len())?;
    index("bed", agent.bed, town.beds.len())?;
    let in_range = agent.needs.iter().all(|need| (0..=ONE).contains(need));
    if !in_range || agent.wallet < 0 {
        return Err("a need or the wallet is out of range".to_owned());
    }
    if usize::from(agent.tile) >= town.grid.tiles()
        || usize::from(agent.slot) >= state.slots.len()
        || agent.option > 7
        || agent.leaving > 7
        || agent.profile > 4
        || usize::from(agent.known) > TIES
        || usize::from(agent.work.shifts) > SHIFTS
        || usize::from(agent.work.absent) > ABSENCES
        || usize::from(agent.origin) >= state.names.len().max(1)
    {
        return Err("an index is out of range".to_owned());
    }
    let known = &agent.ties[..usize::from(agent.known)];
    if known.iter().any(|tie| usize::from(tie.other) >= town.seats) {
        return Err("a tie leads to no seat".to_owned());
    }
    Ok(())
}
