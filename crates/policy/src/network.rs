//! A policy without memory over many rows: acting, and the gradient of a minibatch.
//!
//! Rows are cut into chunks, and chunks into shares, by numbers that do not depend on how many
//! threads there are; shares are added in order. So neither does any result.

use std::sync::{Mutex, PoisonError};

use astrarium_kernel::{Workers, prefetch};

use crate::choose::{Choices, Chosen, choose};
use crate::gradient::{Objective, Samples, Sums, gradient};
use crate::layers::{Layers, Pass};
use crate::softmax::Heads;

/// Rows that go through all layers together: about half a megabyte on the way.
const CHUNK_ROWS: usize = 256;
/// Smaller chunks would spend their time on reading weights.
const CHUNK_ROWS_LEAST: usize = 64;
/// Rows are cut into at least so many chunks where they are large enough.
const CHUNKS: usize = 4;
/// Sums of gradients that are kept apart until the end, one after another on the same thread.
const SHARES: usize = 16;
/// Parameters that are added up together.
const SPAN: usize = 8192;
const ROWS_AHEAD: usize = 8;

/// Observations less their mean, times a factor, within limits.
#[derive(Clone, Copy, Debug)]
pub struct Scale<'a> {
    /// (width,).
    pub mean: &'a [f32],
    /// (width,).
    pub factor: &'a [f32],
    /// Largest size of a scaled number.
    pub limit: f32,
}

/// What agents see, one row each.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// (rows, width).
    pub obs: &'a [f32],
    /// How they are scaled before the first layer, if at all.
    pub scale: Option<Scale<'a>>,
}

/// Some steps of a rollout, and what is to be made of them.
#[derive(Clone, Copy, Debug)]
pub struct Minibatch<'a> {
    /// Of all steps.
    pub sight: Sight<'a>,
    /// Of all steps.
    pub samples: Samples<'a>,
    /// The steps that count.
    pub rows: &'a [i64],
    /// The weights of the loss.
    pub objective: Objective,
}

/// A network with the threads and the memory to use it.
pub struct Network {
    heads: Heads,
    layers: Layers,
    workers: Workers,
    passes: Vec<Mutex<Pass>>,
    shares: Vec<(Vec<f32>, Sums)>,
}

impl Network {
    /// The outputs are the logits of `heads` and the value.
    pub fn new(heads: Heads, layers: Layers, workers: Workers) -> Self {
        assert_eq!(layers.outputs(), heads.choices() + 1);
        let passes = (0..workers.count()).map(|_| Mutex::new(Pass::new(&layers, CHUNK_ROWS)));
        Self { heads, passes: passes.collect(), layers, workers, shares: Vec::new() }
    }

    /// Choose for every row; `uniform` and what it means are those of [`Choices`].
    pub fn act(
        &mut self,
        parameters: &[f32],
        sight: Sight<'_>,
        mask: &[u8],
        uniform: &[f32],
        into: Chosen<'_>,
    ) -> Result<(), String> {
        let Self { heads, layers, workers, passes, .. } = self;
        let (count, choices) = (heads.count(), heads.choices());
        let size = chunk_rows(into.value.len());
        let mut chunks: Vec<(usize, Chosen<'_>)> = into
            .actions
            .chunks_mut(size * count)
            .zip(into.log_prob.chunks_mut(size))
            .zip(into.value.chunks_mut(size))
            .map(|((actions, log_prob), value)| Chosen { actions, log_prob, value })
            .enumerate()
            .collect();
        share(workers, &mut chunks, |thread, (chunk, into)| {
            let (first, rows) = (*chunk * size, into.value.len());
            let mut pass = lock(&passes[thread]);
            bring(layers, sight, first, rows, &mut pass);
            pass.forward(layers, parameters, rows);
            let from = Choices {
                outputs: pass.outputs(layers, rows),
                stride: choices + 1,
                value_at: choices,
                mask: &mask[first * choices..(first + rows) * choices],
                uniform: Some(&uniform[first * count..(first + rows) * count]),
            };
            let Chosen { actions, log_prob, value } = into;
            choose(heads, from, Chosen { actions, log_prob, value });
        })
    }

    /// What every row is worth.
    pub fn value(
        &mut self,
        parameters: &[f32],
        sight: Sight<'_>,
        into: &mut [f32],
    ) -> Result<(), String> {
        let Self { layers, workers, passes, .. } = self;
        let width = layers.outputs();
        let size = chunk_rows(into.len());
        let mut chunks: Vec<_> = into.chunks_mut(size).enumerate().collect();
        share(workers, &mut chunks, |thread, (chunk, into)| {
            let rows = into.len();
            let mut pass = lock(&passes[thread]);
            bring(layers, sight, *chunk * size, rows, &mut pass);
            pass.forward(layers, parameters, rows);
            let outputs = pass.outputs(layers, rows).chunks_exact(width);
            for (value, row) in into.iter_mut().zip(outputs) {
                *value = row[width - 1];
            }
        })
    }

    /// The gradient of a minibatch's loss by every parameter, into `out`.
    pub fn gradient(
        &mut self,
        parameters: &[f32],
        minibatch: &Minibatch<'_>,
        out: &mut [f32],
    ) -> Result<Sums, String> {
        let Self { heads, layers, workers, passes, shares } = self;
        let rows = minibatch.rows;
        let chunks: Vec<&[i64]> = rows.chunks(chunk_rows(rows.len())).collect();
        let count = chunks.len().min(SHARES);
        while shares.len() < count {
            shares.push((vec![0.0; layers.parameters()], Sums::default()));
        }
        let mut used: Vec<_> = shares[..count].iter_mut().enumerate().collect();
        share(workers, &mut used, |thread, (first, (into, sums))| {
            let mut pass = lock(&passes[thread]);
            *sums = Sums::default();
            for (at, rows) in chunks.iter().skip(*first).step_by(SHARES).enumerate() {
                gather(layers, minibatch.sight, rows, &mut pass);
                pass.forward(layers, parameters, rows.len());
                let outputs = pass.outputs(layers, rows.len());
                sums.add(gradient(heads, minibatch.samples, &minibatch.objective, rows, outputs));
                pass.backward(layers, parameters, rows.len(), into, at == 0);
            }
        })?;
        let used = &shares[..count];
        let mut spans: Vec<_> = out.chunks_mut(SPAN).enumerate().collect();
        share(workers, &mut spans, |_, (span, out)| {
            out.fill(0.0);
            for (part, _) in used {
                for (sum, x) in out.iter_mut().zip(&part[*span * SPAN..]) {
                    *sum += x;
                }
            }
        })?;
        let mut sums = Sums::default();
        used.iter().for_each(|(_, part)| sums.add(*part));
        Ok(sums)
    }
}

fn chunk_rows(rows: usize) -> usize {
    rows.div_ceil(CHUNKS).clamp(CHUNK_ROWS_LEAST, CHUNK_ROWS)
}

/// Do `work` to every job, jobs going round the threads.
fn share<J: Send>(
    workers: &mut Workers,
    jobs: &mut [J],
    work: impl Fn(usize, &mut J) + Sync,
) -> Result<(), String> {
    if let [job] = jobs {
        // Not worth waking anybody.
        work(0, job);
        return Ok(());
    }
    let threads = workers.count() as usize;
    let jobs: Vec<Mutex<&mut J>> = jobs.iter_mut().map(Mutex::new).collect();
    workers.run(&|thread| {
        for job in jobs.iter().skip(thread as usize).step_by(threads) {
            work(thread as usize, &mut lock(job));
        }
    })
}

/// Nobody leaves a pass or a job half done but by a panic, which ends the call.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Rows `first` and those after it, scaled, into the first stage of `pass`.
fn bring(layers: &Layers, sight: Sight<'_>, first: usize, rows: usize, pass: &mut Pass) {
    let width = layers.inputs();
    let inputs = pass.inputs(layers, rows);
    inputs.copy_from_slice(&sight.obs[first * width..(first + rows) * width]);
    for row in inputs.chunks_exact_mut(width) {
        scaled(row, sight.scale);
    }
}

/// The rows of a list, scaled, into the first stage of `pass`.
fn gather(layers: &Layers, sight: Sight<'_>, rows: &[i64], pass: &mut Pass) {
    let width = layers.inputs();
    let inputs = pass.inputs(layers, rows.len());
    for (place, (&row, into)) in rows.iter().zip(inputs.chunks_exact_mut(width)).enumerate() {
        if let Some(&later) = rows.get(place + ROWS_AHEAD) {
            prefetch(sight.obs.as_ptr().wrapping_add(later as usize * width), 4 * width);
        }
        let at = row as usize * width;
        into.copy_from_slice(&sight.obs[at..at + width]);
        scaled(into, sight.scale);
    }
}

fn scaled(row: &mut [f32], scale: Option<Scale<'_>>) {
    let Some(scale) = scale else { return };
    for ((x, mean), factor) in row.iter_mut().zip(scale.mean).zip(scale.factor) {
        *x = ((*x - mean) * factor).clamp(-scale.limit, scale.limit);
    }
}

#[cfg(test)]
mod tests;
