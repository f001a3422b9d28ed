//! Commands about the whole town: meetings, city events, settings.

use super::Refused;
use super::people::seat_of;
use crate::config;
use crate::numbers::{NONE, ONE, micro};
use crate::perturbations::{self, Cause, GUESTS};
use crate::state::State;
use crate::town::{Town, VENUES};

pub fn meet(
    town: &Town,
    state: &mut State,
    agents: &[String],
    location: &str,
    [starts_in, duration]: [u32; 2],
) -> Result<(), Refused> {
    let venue = VENUES.iter().position(|known| *known == location).ok_or("E_INVALID_ARG")?;
    let specs = &town.specs[..town.drawn];
    let spec = specs.iter().position(|spec| spec.kind == config::PerturbationKind::ArrangedMeet);
    let spec = spec.ok_or("E_INVALID_ARG")?;
    if !(2..=GUESTS).contains(&agents.len()) {
        return Err("E_INVALID_ARG");
    }
    may_be_planned(state, [starts_in, duration])?;
    let seats: Vec<usize> = agents.iter().map(|id| seat_of(state, id)).collect::<Result<_, _>>()?;
    if seats.iter().enumerate().any(|(at, seat)| seats[..at].contains(seat)) {
        return Err("E_INVALID_ARG");
    }
    state.city.count += 1;
    let starts = state.tick + starts_in;
    let mut happening = perturbations::Happening {
        id: state.city.count,
        spec: spec as u8,
        starts,
        ends: starts + duration,
        magnitude: ONE,
        place: venue as u8,
        ..perturbations::Happening::default()
    };
    happening.invite(state, &seats);
    state.city.pending.push(happening);
    Ok(())
}

pub fn trigger(
    town: &Town,
    state: &mut State,
    name: &str,
    [starts_in, duration]: [u32; 2],
    target: Option<String>,
    magnitude: Option<f64>,
) -> Result<(), Refused> {
    let specs = &town.specs[..town.drawn];
    let index = specs.iter().position(|spec| spec.id == name).ok_or("E_UNKNOWN_SPEC")?;
    let spec = &town.specs[index];
    let factor = micro(magnitude.unwrap_or(1.0));
    if !(ONE / 2..=3 * ONE).contains(&factor) {
        return Err("E_INVALID_ARG");
    }
    may_be_planned(state, [starts_in, duration])?;
    let factor = if magnitude.is_some() { factor } else { spec.magnitude[0] };
    let place = match target {
        None => spec.targets.first().copied().unwrap_or(NONE),
        Some(name) => town.spec_target(spec.kind, &name).ok_or("E_INVALID_ARG")?,
    };
    let planned = perturbations::plan(town, state, (index, place), factor, Cause::Ordered);
    let mut happening = planned.ok_or("E_NO_ELIGIBLE_AGENTS")?;
    happening.starts = state.tick + starts_in;
    happening.ends = happening.starts + duration;
    state.city.pending.push(happening);
    Ok(())
}

/// Whether there is room for another event, and its time is one the town may live to see.
fn may_be_planned(state: &State, [starts_in, duration]: [u32; 2]) -> Result<(), Refused> {
    if starts_in > 1_000_000 || !(1..=1_000_000).contains(&duration) {
        return Err("E_INVALID_ARG");
    }
    let count = state.city.active.len() + state.city.pending.len();
    if count < perturbations::EVENTS_MAX { Ok(()) } else { Err("E_TOO_MANY_EVENTS") }
}
