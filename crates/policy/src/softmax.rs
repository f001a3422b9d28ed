//! One head's probabilities over its legal choices.

use crate::exponential::exp;

/// Floats summed side by side: fixed, so that every build adds in the same order.
pub(crate) const LANES: usize = 8;

/// How the choices of a row divide into heads.
#[derive(Clone, Debug)]
pub struct Heads {
    sizes: Vec<usize>,
    choices: usize,
}

impl Heads {
    /// Heads of these sizes, side by side.
    #[must_use]
    pub fn new(sizes: Vec<usize>) -> Self {
        let choices = sizes.iter().sum();
        Self { sizes, choices }
    }

    /// Number of heads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Choices of all heads together.
    #[must_use]
    pub fn choices(&self) -> usize {
        self.choices
    }

    /// First choice and size of each head.
    pub(crate) fn spans(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.sizes.iter().scan(0, |next, &size| {
            let first = *next;
            *next += size;
            Some((first, size))
        })
    }

    /// Room for the weights of each head, padded to whole lanes.
    pub(crate) fn scratch(&self) -> Vec<Vec<f32>> {
        self.sizes.iter().map(|size| vec![0.0; size.next_multiple_of(LANES)]).collect()
    }
}

/// What one head makes of a row: `weights / total` are the probabilities.
#[derive(Clone, Copy, Default)]
pub(crate) struct Softmax {
    /// Sum of the weights.
    pub total: f32,
    /// Its logarithm.
    pub log_total: f32,
    /// The highest legal logit.
    pub highest: f32,
}

impl Softmax {
    /// The log-probability of a legal choice with this logit.
    #[inline]
    pub fn log_prob(&self, logit: f32) -> f32 {
        logit - self.highest - self.log_total
    }
}

/// Fill `weights` with exp(logit - highest) where legal and 0 elsewhere, the padding included.
/// `logits` and `mask` have the head's size; one choice at least is legal.
#[inline]
pub(crate) fn softmax(logits: &[f32], mask: &[u8], weights: &mut [f32]) -> Softmax {
    let size = logits.len();
    // Each loop does one thing over plain slices: this is the shape compilers vectorise.
    for ((weight, &logit), &legal) in weights.iter_mut().zip(logits).zip(mask) {
        *weight = if legal == 0 { f32::NEG_INFINITY } else { logit };
    }
    weights[size..].fill(f32::NEG_INFINITY);
    let highest =
        fold(weights, f32::NEG_INFINITY, |top, value| if value > top { value } else { top });
    for weight in weights.iter_mut() {
        *weight = exp(*weight - highest);
    }
    let total = fold(weights, 0.0, |sum, weight| sum + weight);
    Softmax { total, log_total: total.ln(), highest }
}

/// Sum over choices of `weight * (value - shift)`; `values` are as many as the head has choices.
#[inline]
pub(crate) fn weighted_sum(weights: &[f32], values: &[f32], shift: f32, spare: &mut [f32]) -> f32 {
    for ((product, &weight), &value) in spare.iter_mut().zip(weights).zip(values) {
        *product = if weight > 0.0 { weight * (value - shift) } else { 0.0 };
    }
    fold(spare, 0.0, |sum, product| sum + product)
}

/// `values`, a multiple of `LANES` long, put together lane by lane and the lanes in pairs.
#[inline(always)]
fn fold(values: &[f32], start: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [start; LANES];
    for chunk in values.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] = join(lanes[lane], chunk[lane]);
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] = join(lanes[lane], lanes[lane + width]);
        }
        width /= 2;
    }
    lanes[0]
}
