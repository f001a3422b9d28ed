//! Figures of the episode: how the town has fared so far.

use crate::lifecycle::{AGE_OUT, EVICTION, FAINT, KILLED, NEGLECT, UNEMPLOYMENT};
use crate::numbers::float;
use crate::state::State;
use crate::town::Town;

/// Their names, in order.
pub const NAMES: &[&str] = &[
    "ticks",
    "population",
    "exits",
    "faints",
    "evictions",
    "unemployed",
    "neglected",
    "aged_out",
    "killed",
    "hospitalised",
    "arrivals",
    "on_time_share",
    "shifts",
    "missed_shifts",
    "late_starts",
    "late_help",
    "wallet_mean",
    "well_share",
    "meals",
    "showers",
    "sleeps",
    "chats",
    "chat_failures",
    "finished",
    "failed",
    "conflicts",
    "conflict_intensity",
    "ghost_steps",
    "rotations",
    "cooldown_refusals",
    "rent_missed",
    "invalid_actions",
    "decisions",
    "option_switches",
    "clipped_share",
    "city_events",
    "forced_slot_reuse",
    "need_mean",
    "tied_share",
];

/// How many there are.
pub const COUNT: usize = NAMES.len();

/// Count one tick of everyone in play.
pub fn count(state: &mut State) {
    for at in 0..state.order.len() {
        let agent = &mut state.agents[usize::from(state.order[at])];
        state.tally.lived += 1;
        state.tally.well += u32::from(agent.lowest() > 300_000);
    }
}

fn share(part: u32, all: u32) -> f32 {
    if all == 0 { 0.0 } else { (f64::from(part) / f64::from(all)) as f32 }
}

/// Write them all.
pub fn write(town: &Town, state: &State, out: &mut [f32]) {
    let tally = &state.tally;
    let exits = |reason: u8| tally.exits[usize::from(reason)] as f32;
    let people = state.order.iter().map(|&seat| &state.agents[usize::from(seat)]);
    let (mut wallets, mut needs, mut tied) = (0, 0, 0u32);
    for agent in people {
        wallets += agent.wallet;
        needs += agent.needs.iter().sum::<i64>();
        let ties = &agent.ties[..usize::from(agent.known)];
        let close = ties.iter().any(|tie| tie.trust > 300_000 || tie.familiarity > 300_000);
        tied += u32::from(close);
    }
    let count = state.order.len().max(1) as f64;
    let figures: [f32; COUNT] = [
        state.tick as f32,
        state.order.len() as f32,
        tally.exits.iter().sum::<u32>() as f32,
        exits(FAINT),
        exits(EVICTION),
        exits(UNEMPLOYMENT),
        exits(NEGLECT),
        exits(AGE_OUT),
        exits(KILLED),
        tally.hospitalised as f32,
        tally.arrivals as f32,
        if tally.shifts == 0 { 1.0 } else { share(tally.punctual, tally.shifts) },
        tally.shifts as f32,
        tally.missed as f32,
        tally.late as f32,
        tally.helped as f32,
        (float(wallets) / count) as f32,
        share(tally.well, tally.lived),
        tally.meals as f32,
        tally.showers as f32,
        tally.sleeps as f32,
        tally.chats as f32,
        tally.snubs as f32,
        tally.finished as f32,
        tally.failed as f32,
        tally.conflicts as f32,
        float(tally.intensity) as f32,
        tally.ghosts as f32,
        tally.rotations as f32,
        tally.cooldowns as f32,
        tally.unpaid as f32,
        tally.invalid as f32,
        tally.decisions as f32,
        tally.switches as f32,
        share(tally.clipped, tally.lived),
        tally.events as f32,
        tally.forced as f32,
        (float(needs) / count / 3.0) as f32,
        share(tied, state.order.len() as u32),
    ];
    out.copy_from_slice(&figures);
    debug_assert!(town.seats >= state.order.len());
}
