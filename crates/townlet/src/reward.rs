//! Rewards: named parts in a fixed order, guarded so that nothing dying is paid for.

use astrarium_kernel::Produced;

use crate::agent::Agent;
use crate::config::Stage;
use crate::events::bit;
use crate::lifecycle::{
    AGE_OUT, EVICTION, KILLED, UNEMPLOYMENT, exit_bit, exposed, neglect_ticks, neglects_itself,
};
use crate::numbers::float;
use crate::spawn::{INDUSTRIOUS, SOCIALITE, STOIC};
use crate::state::State;
use crate::town::Town;

/// Names of the parts, in the order they are added.
pub const TERMS: &[&str] = &[
    "survival",
    "needs_penalty",
    "wage",
    "punctuality",
    "social_bonus",
    "social_penalty",
    "social_avoidance",
    "shaping",
    "clip_adjustment",
    "terminal_penalty",
];
/// How many there are.
pub const COUNT: usize = TERMS.len();
const CLIP: usize = 8;
const TERMINAL: usize = 9;

/// How well off an agent is, as shaping sees it: 0 at best.
#[inline]
#[must_use]
pub fn potential(town: &Town, agent: &Agent) -> f64 {
    let rewards = &town.document.rewards;
    let weights = rewards.needs_weights.values();
    let deficits = agent.needs.map(|need| 1.0 - float(need));
    -rewards.needs_scale
        * (weights[0] * deficits[0] + weights[1] * deficits[1] + weights[2] * deficits[2])
}

/// The reward of everyone in play, and what each part of it is.
pub fn pay(town: &Town, state: &mut State, exiting: u64, produced: &mut Produced<'_>) {
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let ends = exiting >> seat & 1 == 1;
        let mut parts = parts(town, state, seat, ends);
        guard(town, state, seat, ends, &mut parts);
        let terms = &mut produced.terms[seat * COUNT..][..COUNT];
        for (term, part) in terms.iter_mut().zip(parts) {
            *term = part as f32;
        }
        produced.reward[seat] = total(&parts) as f32;
        produced.terminated[seat] = u8::from(ends);
        let agent = &mut state.agents[seat];
        produced.events[seat] = agent.now.bits | if ends { exit_bit(agent.leaving) } else { 0 };
    }
}

/// The sum of the parts, in their order.
fn total(parts: &[f64]) -> f64 {
    parts.iter().fold(0.0, |sum, part| sum + part)
}

fn parts(town: &Town, state: &mut State, seat: usize, ends: bool) -> [f64; COUNT] {
    let rewards = &town.document.rewards;
    let weights = rewards.needs_weights.values();
    let agent = &mut state.agents[seat];
    let deficits = agent.needs.map(|need| 1.0 - float(need));
    let [hunger, hygiene, energy] = deficits;
    let penalty = weights[0] * hunger * hunger
        + weights[1] * hygiene * hygiene
        + weights[2] * energy * energy;
    let now = agent.now;
    let paid = f64::from(u8::from(now.paid)) - f64::from(u8::from(now.withheld));
    let kind = !agent.desperate();
    let avoids = kind && town.document.features.stages.social_rewards >= Stage::C2;
    let mut parts = [0.0; COUNT];
    parts[0] = rewards.survival_tick;
    parts[1] = -rewards.needs_scale * penalty;
    parts[2] = rewards.wage_rate * paid;
    parts[3] = rewards.punctuality_bonus * float(now.punctual);
    parts[4] = if kind { now.bonus } else { 0.0 };
    parts[5] = now.penalty;
    parts[6] = if avoids { rewards.social.avoidance * f64::from(now.avoided) } else { 0.0 };
    if town.document.shaping.use_potential {
        let before = agent.potential;
        agent.potential = if ends {
            0.0
        } else {
            -rewards.needs_scale
                * (weights[0] * hunger + weights[1] * hygiene + weights[2] * energy)
        };
        parts[7] = town.document.shaping.gamma * agent.potential - before;
    }
    if town.document.features.behavior.reward_multipliers {
        lean(agent.profile, &mut parts);
    }
    parts
}

/// A profile enjoys its own more and suffers it less.
fn lean(profile: u8, parts: &mut [f64; COUNT]) {
    let (factor, which): (f64, &[usize]) = match profile {
        SOCIALITE => (1.2, &[4, 5, 6]),
        INDUSTRIOUS => (1.25, &[2, 3]),
        STOIC => (1.1, &[0]),
        _ => return,
    };
    for &part in which {
        parts[part] *= if parts[part] > 0.0 { factor } else { 1.0 / factor };
    }
}

/// Guardrails, in order: the death window, the tick's clip, the life's clip, the exit's penalty.
fn guard(town: &Town, state: &mut State, seat: usize, ends: bool, parts: &mut [f64; COUNT]) {
    let rewards = &town.document.rewards;
    let raw = total(&parts[..CLIP]);
    let mut kept = raw;
    if kept > 0.0 && (ends || near_death(town, state, seat)) {
        kept = 0.0;
        state.agents[seat].now.bits |= bit("guardrail");
    }
    let clip = rewards.clip.clip_per_tick;
    kept = kept.clamp(-clip, clip);
    let most = rewards.clip.clip_per_episode;
    let agent = &mut state.agents[seat];
    let after = (agent.episode + kept).clamp(-most, most);
    // Where the life's clip does not bind, the sum is left as it is, to the last bit.
    if after != agent.episode + kept {
        kept = after - agent.episode;
    }
    agent.episode = after;
    parts[CLIP] = kept - raw;
    if parts[CLIP] != 0.0 && raw.abs() > clip {
        state.tally.clipped += 1;
    }
    if ends {
        parts[TERMINAL] = match state.agents[seat].leaving {
            EVICTION | UNEMPLOYMENT => rewards.eviction_penalty,
            AGE_OUT | KILLED => 0.0,
            _ => rewards.faint_penalty,
        };
    }
}

/// Whether an agent is so close to its exit that nothing may please it.
fn near_death(town: &Town, state: &State, seat: usize) -> bool {
    let window = town.document.rewards.clip.no_positive_within_death_ticks;
    let agent = &state.agents[seat];
    let triggered = agent.triggered != 0 && state.tick - agent.triggered.min(state.tick) <= window;
    let fainting = agent.faint > 0 && agent.faint + window >= state.hot.mortality.faint_ticks;
    // Unlike a faint's, this count outlives the low need: whoever has recovered is not near its exit.
    let neglecting = neglects_itself(town, state, seat)
        && u32::from(agent.neglected) + window >= neglect_ticks(town);
    let cold = exposed(state, seat);
    let freezing = cold > 0 && cold + window >= town.document.features.weather.exposure_ticks;
    agent.leaving != 0
        || agent.work.queued.is_some()
        || triggered
        || fainting
        || neglecting
        || freezing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Stage, eventful_town_of};

    #[test]
    fn the_parts_sum_to_what_is_left_after_all_guardrails() {
        let mut document = eventful_town_of(8);
        document.rewards.clip.clip_per_tick = 0.02;
        document.rewards.clip.clip_per_episode = 1.0;
        let mut stage = Stage::new(document, 3);
        let town = std::sync::Arc::clone(&stage.world.town);
        let mut cut = 0;
        for tick in 0..1500u32 {
            if tick % 3 == 0 {
                stage.live(1)
            } else {
                stage.idle(1)
            }
            let mut state = stage.state().clone();
            for seat in 0..8 {
                let ends = (tick as usize + seat).is_multiple_of(7);
                let before = state.agents[seat].episode;
                let mut parts = parts(&town, &mut state, seat, ends);
                guard(&town, &mut state, seat, ends, &mut parts);
                let kept = state.agents[seat].episode - before + parts[TERMINAL];
                assert!((total(&parts) - kept).abs() < 1e-9, "{parts:?}");
                cut += u32::from(parts[CLIP] != 0.0);
            }
        }
        assert!(cut > 100, "{cut}");
    }
}
