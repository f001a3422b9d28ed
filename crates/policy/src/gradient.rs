//! The PPO loss of a minibatch and its gradient with respect to the network's outputs.
//!
//! For a row with probabilities p over the legal choices, entropy H, chosen action a, advantage A
//! and ratio r of new to old probability:
//!
//! * the surrogate `-min(r A, clip(r) A)` has the derivative `-A r` by the log-probability where
//!   the unclipped side is the smaller one, and 0 elsewhere; the log-probability has `[j = a] - p_j`
//!   by logit j;
//! * the entropy bonus `-c H` has `c p_j (ln p_j + H)` by logit j;
//! * the value loss `(v - R)^2 / 2` has `v - R`; with a clip range, the larger of this and the loss
//!   of the value kept within the range of the old one is taken.

use astrarium_kernel::prefetch;

use crate::softmax::{Heads, Softmax, softmax, weighted_sum};

/// What was remembered of each step of a rollout; rows are picked by index.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// (steps, choices): 1 where legal.
    pub mask: &'a [u8],
    /// (steps, heads).
    pub actions: &'a [i32],
    /// (steps,): log-probability at the time.
    pub log_prob: &'a [f32],
    /// (steps,): value at the time.
    pub value: &'a [f32],
    /// (steps,): as they enter the objective.
    pub advantage: &'a [f32],
    /// (steps,): what the value should have been.
    pub returns: &'a [f32],
}

/// Rows are picked at random from memory, so those of a little later are asked for now.
const ROWS_AHEAD: usize = 8;

impl Samples<'_> {
    fn fetch(&self, at: usize, heads: &Heads) {
        prefetch(self.mask.as_ptr().wrapping_add(at * heads.choices()), heads.choices());
        prefetch(self.actions.as_ptr().wrapping_add(at * heads.count()), 1);
        for column in [self.log_prob, self.value, self.advantage, self.returns] {
            prefetch(column.as_ptr().wrapping_add(at), 1);
        }
    }
}

/// The weights of the loss.
#[derive(Clone, Copy, Debug)]
pub struct Objective {
    /// Range of the ratio around 1.
    pub clip: f32,
    /// Range of the value around the old one; infinite for no clipping.
    pub value_clip: f32,
    /// Weight of the value loss.
    pub value_coef: f32,
    /// Weight of the entropy bonus.
    pub entropy_coef: f32,
    /// Subtracted from every advantage.
    pub advantage_mean: f32,
    /// Multiplied with what is left of it.
    pub advantage_scale: f32,
    /// Weight of one row: one over the rows of the minibatch.
    pub row_weight: f32,
}

/// Sums over rows, for the log.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Surrogate loss.
    pub policy_loss: f64,
    /// Value loss, before its weight.
    pub value_loss: f64,
    /// Entropy.
    pub entropy: f64,
    /// Estimate of the divergence from the old policy: r - 1 - ln r.
    pub divergence: f64,
    /// Rows whose ratio left the range.
    pub clipped: f64,
}

impl Sums {
    /// Take in another's.
    pub fn add(&mut self, other: Self) {
        self.policy_loss += other.policy_loss;
        self.value_loss += other.value_loss;
        self.entropy += other.entropy;
        self.divergence += other.divergence;
        self.clipped += other.clipped;
    }
}

/// Replace each row of `outputs` (logits, then value) by its gradient. Row i of them belongs to
/// step `rows[i]` of the samples.
pub fn gradient(
    heads: &Heads,
    samples: Samples<'_>,
    objective: &Objective,
    rows: &[i64],
    outputs: &mut [f32],
) -> Sums {
    let choices = heads.choices();
    let mut scratch = heads.scratch();
    let mut spare = heads.scratch();
    let mut softmaxes = vec![Softmax::default(); heads.count()];
    let mut sums = Sums::default();
    for (place, (&row, outputs)) in
        rows.iter().zip(outputs.chunks_exact_mut(choices + 1)).enumerate()
    {
        let at = row as usize;
        if let Some(&later) = rows.get(place + ROWS_AHEAD) {
            samples.fetch(later as usize, heads);
        }
        let mask = &samples.mask[at * choices..(at + 1) * choices];
        let actions = &samples.actions[at * heads.count()..(at + 1) * heads.count()];
        let (logits, value) = outputs.split_at_mut(choices);
        let mut log_prob = 0.0;
        for (head, (first, size)) in heads.spans().enumerate() {
            let own = &logits[first..first + size];
            softmaxes[head] = softmax(own, &mask[first..first + size], &mut scratch[head]);
            log_prob += softmaxes[head].log_prob(own[actions[head] as usize]);
        }
        let log_ratio = log_prob - samples.log_prob[at];
        let pull = surrogate(log_ratio, samples.advantage[at], objective, &mut sums);
        for (head, (first, size)) in heads.spans().enumerate() {
            let own = &mut logits[first..first + size];
            let room = (&scratch[head][..], &mut spare[head][..]);
            let entropy = head_gradient(own, room, softmaxes[head], pull, objective);
            own[actions[head] as usize] += pull;
            sums.entropy += f64::from(entropy);
        }
        let (before, returns) = (samples.value[at], samples.returns[at]);
        value[0] = value_gradient(value[0], before, returns, objective, &mut sums);
    }
    sums
}

/// The derivative of the surrogate loss by the log-probability.
#[inline]
fn surrogate(log_ratio: f32, advantage: f32, objective: &Objective, sums: &mut Sums) -> f32 {
    let advantage = (advantage - objective.advantage_mean) * objective.advantage_scale;
    let ratio = log_ratio.exp();
    let kept = ratio.clamp(1.0 - objective.clip, 1.0 + objective.clip);
    let (free, held) = (ratio * advantage, kept * advantage);
    sums.policy_loss -= f64::from(free.min(held));
    sums.divergence += f64::from(ratio) - 1.0 - f64::from(log_ratio);
    sums.clipped += f64::from(u8::from(kept != ratio));
    // Asked this way round, what is not a number goes through instead of reading as clipped.
    if held < free { 0.0 } else { -free * objective.row_weight }
}

/// Replace a head's logits by their gradient but for the choice's own part; its entropy.
#[inline]
fn head_gradient(
    logits: &mut [f32],
    (weights, spare): (&[f32], &mut [f32]),
    softmax: Softmax,
    pull: f32,
    objective: &Objective,
) -> f32 {
    let share = 1.0 / softmax.total;
    let entropy = softmax.log_total - share * weighted_sum(weights, logits, softmax.highest, spare);
    let bonus = objective.entropy_coef * objective.row_weight;
    let shift = entropy - softmax.highest - softmax.log_total;
    for (logit, &weight) in logits.iter_mut().zip(weights) {
        let slope = bonus * (*logit + shift) - pull;
        *logit = if weight > 0.0 { weight * share * slope } else { 0.0 };
    }
    entropy
}

#[inline]
fn value_gradient(
    value: f32,
    before: f32,
    returns: f32,
    objective: &Objective,
    sums: &mut Sums,
) -> f32 {
    let range = objective.value_clip;
    let moved = value - before;
    // A value within the range is kept as it is: adding the difference back may round.
    let kept = if moved.abs() > range { before + moved.clamp(-range, range) } else { value };
    let (free, held) = (value - returns, kept - returns);
    sums.value_loss += 0.5 * f64::from((free * free).max(held * held));
    let slope = if held * held > free * free { 0.0 } else { free };
    objective.value_coef * objective.row_weight * slope
}

#[cfg(test)]
mod tests;
