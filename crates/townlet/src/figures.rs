//! Figures of the episode: how the town has fared so far.

use crate::lifecycle::{AGE_OUT, EVICTION, EXPOSURE, FAINT, KILLED, NEGLECT, UNEMPLOYMENT};
use crate::numbers::{Micro, float};
use crate::relations;
use crate::state::State;
use crate::town::Town;

/// Their names, in order; those that logs of trainings have a field for are called as it is.
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
    "late_help_events",
    "wallet_mean",
    "well_share",
    "meals",
    "shower_complete_events",
    "sleep_complete_events",
    "chat_success_events",
    "chat_failure_events",
    "finished",
    "failed",
    "queue_conflict_events",
    "queue_conflict_intensity_sum",
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
    "rivalry_max_mean",
    "rivalry_max_max",
    "rivalry_avoid_count_mean",
    "rivalry_avoid_count_max",
    "shared_meal_events",
    "shift_takeover_events",
    "chat_quality_mean",
    "utility_outage_events",
    "exits_withheld",
    "punctual_shifts",
    "lived_ticks",
    "well_ticks",
    "chat_quality_sum",
    "exposures",
    "arguments",
    "rage_quits",
    "spiral_days",
    "meals_spoiled",
];

/// Those of a town without optional rules.
pub const ORDINARY: &[&str] = NAMES.split_at(COUNT - 5).0;

/// How many there are.
pub const COUNT: usize = NAMES.len();

/// Count one tick of everyone in play.
pub fn count(state: &mut State) {
    for at in 0..state.order.len() {
        let agent = &mut state.agents[usize::from(state.order[at])];
        state.tally.lived += 1;
        state.tally.well += u64::from(agent.lowest() > 300_000);
    }
}

fn share(part: impl Into<u64>, all: impl Into<u64>) -> f32 {
    let all = all.into();
    if all == 0 { 0.0 } else { (part.into() as f64 / all as f64) as f32 }
}

/// The worst rival of everyone in play, and how many each avoids: sum and most of both.
fn rivalry(state: &State) -> ([Micro; 2], [usize; 2]) {
    let (mut worst, mut avoided) = ([0; 2], [0; 2]);
    for &seat in &state.order {
        let agent = &state.agents[usize::from(seat)];
        let ties = &agent.ties[..usize::from(agent.known)];
        let limit = relations::tolerance(state, usize::from(seat));
        let most = ties.iter().map(|tie| tie.rivalry).max().unwrap_or(0);
        let many = ties.iter().filter(|tie| tie.rivalry >= limit).count();
        worst = [worst[0] + most, worst[1].max(most)];
        avoided = [avoided[0] + many, avoided[1].max(many)];
    }
    (worst, avoided)
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
    let (worst, avoided) = rivalry(state);
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
        (float(worst[0]) / count) as f32,
        float(worst[1]) as f32,
        (avoided[0] as f64 / count) as f32,
        avoided[1] as f32,
        tally.shared_meals as f32,
        tally.takeovers as f32,
        (float(tally.quality) / f64::from(tally.chats.max(1))) as f32,
        tally.outages as f32,
        tally.withheld as f32,
        tally.punctual as f32,
        tally.lived as f32,
        tally.well as f32,
        float(tally.quality) as f32,
        exits(EXPOSURE),
        state.annex.counts.arguments as f32,
        state.annex.counts.rage_quits as f32,
        state.annex.counts.spirals as f32,
        state.annex.counts.spoiled as f32,
    ];
    out.copy_from_slice(&figures[..out.len()]);
    debug_assert!(town.seats >= state.order.len());
}

#[cfg(test)]
mod tests {
    use crate::agent::Tie;
    use crate::numbers::ONE;
    use crate::tests::{Stage, town_of};

    #[test]
    fn rivals_are_told_by_the_worst_and_by_how_many_are_avoided() {
        let mut stage = Stage::new(town_of(4), 1);
        stage.idle(1);
        assert_eq!(stage.stat("rivalry_max_max"), 0.0);
        let agent = &mut stage.state_mut().agents[0];
        agent.profile = 0;
        agent.ties[0] = Tie { other: 1, rivalry: ONE, ..Tie::default() };
        agent.ties[1] = Tie { other: 2, rivalry: ONE / 10, ..Tie::default() };
        agent.known = 2;
        stage.idle(1);
        let most = stage.stat("rivalry_max_max");
        assert!(most > 0.98 && most <= 1.0);
        assert!((stage.stat("rivalry_max_mean") - most / 4.0).abs() < 1e-6);
        assert_eq!(stage.stat("rivalry_avoid_count_max"), 1.0);
        assert_eq!(stage.stat("rivalry_avoid_count_mean"), 0.25);
    }
}
