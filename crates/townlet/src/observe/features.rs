//! The base, target, personality and status blocks.

use super::map::{Seen, hint, somebody};
use crate::agent::ShiftState;
use crate::annex;
use crate::economy;
use crate::employment;
use crate::numbers::{Micro, NONE, ONE, float};
use crate::options::{AHEAD, EARSHOT, WAIT, free_to_choose};
use crate::state::State;
use crate::town::{TARGETS, Town, way};
use crate::weather::{self, Sky};

fn share(value: Micro) -> f32 {
    float(value) as f32
}

fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// Write all blocks but the social one.
pub fn write(town: &Town, state: &State, seat: usize, seen: &Seen, row: &mut [f32]) {
    let at = town.sight.map;
    base(town, state, seat, seen, &mut row[at..at + 33]);
    let sight = &town.sight;
    if sight.targets.len > 0 {
        targets(town, state, seat, &mut row[sight.targets.at..][..sight.targets.len]);
    }
    if sight.personality.len > 0 {
        let traits = state.agents[seat].traits;
        for (out, value) in row[sight.personality.at..].iter_mut().zip(traits) {
            *out = share(value);
        }
    }
    if sight.status.len > 0 {
        status(town, state, seat, &mut row[sight.status.at..][..sight.status.len]);
    }
    if sight.hours.len > 0 {
        hours(town, state, seat, &mut row[sight.hours.at..][..sight.hours.len]);
    }
    if sight.weather.len > 0 {
        sky(state, seat, &mut row[sight.weather.at..][..sight.weather.len]);
    }
}

fn base(town: &Town, state: &State, seat: usize, seen: &Seen, out: &mut [f32]) {
    let agent = &state.agents[seat];
    let work = &agent.work;
    for (out, need) in out.iter_mut().zip(agent.needs) {
        *out = share(need);
    }
    out[3] = (share(agent.wallet) / 10.0).min(1.0);
    out[4] = (work.lateness as f32 / 10.0).min(1.0);
    let tod = state.tod(town);
    let job = town.jobs.get(usize::from(work.job));
    out[5] = flag(job.is_some_and(|job| tod >= job.start && tod < job.end));
    out[6..8].copy_from_slice(&town.sight.clock[tod as usize]);
    out[8] = share(employment::attendance(state, seat));
    out[9] = (share(work.withheld) / 5.0).min(1.0);
    out[10..15].fill(0.0);
    let shift = match work.shift.state {
        ShiftState::Pre | ShiftState::Await => 10,
        ShiftState::OnTime => 11,
        ShiftState::Late => 12,
        ShiftState::Absent => 13,
        ShiftState::Post => 14,
    };
    out[shift] = 1.0;
    out[15] = f32::from(agent.slot) / town.document.embedding_allocator.max_slots as f32;
    out[16] = flag(agent.reset);
    let age = state.tick - agent.since.min(state.tick);
    out[17] = (age % town.day) as f32 / town.day as f32;
    rivals(town, state, seat, &mut out[18..20]);
    out[20] = town.sight.actions[usize::from(agent.last_option).min(town.sight.actions.len() - 1)];
    out[21] = flag(agent.last_success);
    out[22] = (agent.last_duration as f32 / 60.0).min(1.0);
    out[23] = flag(agent.holding != NONE);
    out[24] = flag(agent.waiting != NONE);
    out[25..29].fill(0.0);
    match hint(town, state, seat) {
        Some((0, -1)) => out[25] = 1.0,
        Some((0, 1)) => out[26] = 1.0,
        Some((1, 0)) => out[27] = 1.0,
        Some((-1, 0)) => out[28] = 1.0,
        _ => {}
    }
    let sight = &town.sight;
    let per = |count: f32, all: usize| {
        let cells = if sight.shares { sight.cells } else { all.max(1) as f32 };
        (count / cells).min(1.0)
    };
    out[29] = per(seen.agents as f32, state.agents.len());
    out[30] = per(seen.objects, town.objects.len());
    out[31] = per(seen.reserved as f32, town.objects.len());
    // Where a chat is a choice, it is a choice because of what this shows.
    out[32] = match agent.company {
        NONE if somebody(seen) && !free_to_choose(state, seat) => near(seen.nearest),
        NONE => 1.0,
        steps => near(u32::from(steps)),
    };
}

/// Steps as a share of what is just out of earshot.
fn near(steps: u32) -> f32 {
    (steps as f32 / f32::from(EARSHOT + 1)).min(1.0)
}

fn rivals(town: &Town, state: &State, seat: usize, out: &mut [f32]) {
    out.fill(0.0);
    if !town.sight.ties {
        return;
    }
    let agent = &state.agents[seat];
    let ties = &agent.ties[..usize::from(agent.known)];
    if ties.is_empty() {
        return;
    }
    // What profiles make of it is their own; all count alike.
    let limit = state.hot.rivalry.avoid;
    let most = ties.iter().map(|tie| tie.rivalry).max().unwrap_or(0);
    out[0] = share(most);
    out[1] = ties.iter().filter(|tie| tie.rivalry >= limit).count() as f32 / 6.0;
}

fn targets(town: &Town, state: &State, seat: usize, out: &mut [f32]) {
    let agent = &state.agents[seat];
    let known = 3 * TARGETS.len();
    let ways = &town.sight.ways[usize::from(agent.tile) * known..][..known.min(out.len())];
    out[..ways.len()].copy_from_slice(ways);
    if out.len() <= known {
        return;
    }
    let home = match agent.bed {
        NONE => [0.0, 0.0, 1.0],
        bed => way(town, agent.tile, town.homes[usize::from(bed)], town.home(bed)),
    };
    let work = match town.jobs.get(usize::from(agent.work.job)) {
        None => [0.0, 0.0, 1.0],
        Some(job) => way(town, agent.tile, job.tile, town.site(agent.work.job)),
    };
    out[known..known + 3].copy_from_slice(&home);
    out[known + 3..known + 6].copy_from_slice(&work);
}

/// Ticks until today's shift begins and ends, over those from which the way there is offered; both
/// are behind an agent without work.
fn hours(town: &Town, state: &State, seat: usize, out: &mut [f32]) {
    let tod = state.tod(town) as f32;
    let ahead = |tick: u32| ((tick as f32 - tod) / AHEAD as f32).clamp(-1.0, 1.0);
    let shift = town.jobs.get(usize::from(state.agents[seat].work.job));
    out.copy_from_slice(&shift.map_or([-1.0; 2], |job| [ahead(job.start), ahead(job.end)]));
}

/// The weather, the own warmth, and whether one cannot step now.
fn sky(state: &State, seat: usize, out: &mut [f32]) {
    let sky = weather::now(state);
    out[0] = flag(sky == Sky::Rainy);
    out[1] = flag(sky == Sky::Cold);
    out[2] = share(state.annex.people.get(seat).map_or(ONE, |person| person.warmth));
    out[3] = flag(annex::held_up(state, seat));
}

fn status(town: &Town, state: &State, seat: usize, out: &mut [f32]) {
    let agent = &state.agents[seat];
    out[0] = flag(agent.work.job != NONE);
    out[1] = (f32::from(agent.items[1]) / 5.0).min(1.0);
    out[2] = (f32::from(agent.items[0]) / 5.0).min(1.0);
    out[3] = (f32::from(agent.items[2]) / 5.0).min(1.0);
    out[4] = flag(state.city.no_power == 0);
    out[5] = flag(state.city.no_water == 0);
    out[6] = economy::price_index(state);
    out[7] = (town.day - 1 - state.tod(town)) as f32 / town.day as f32;
    out[8] = flag(agent.work.queued.is_some() || agent.leaving != 0);
    let bound = town.document.policy_runtime.option_commit_ticks.max(1);
    let left = agent.bound_until.saturating_sub(state.tick);
    out[9] = (left as f32 / bound as f32).min(1.0);
    out[10..18].fill(0.0);
    let option = if town.sight.options { agent.option } else { WAIT };
    out[10 + usize::from(option)] = 1.0;
}
