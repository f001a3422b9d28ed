//! Nothing depends on the number of threads, nor a row on its company.

use super::*;
use crate::layers::Bend;

const WIDTH: usize = 7;
const STEPS: usize = 5000;

fn numbers(seed: u32, count: usize) -> Vec<f32> {
    let mut state = u64::from(seed) + 1;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        })
        .collect()
}

fn network(threads: u32) -> Network {
    let layers = Layers::new(vec![WIDTH, 9, 6], Bend::Relu);
    Network::new(Heads::new(vec![2, 3]), layers, Workers::new(threads).expect("threads"))
}

struct Rollout {
    obs: Vec<f32>,
    mask: Vec<u8>,
    actions: Vec<i32>,
    columns: [Vec<f32>; 4],
}

impl Rollout {
    fn new() -> Self {
        Self {
            obs: numbers(1, STEPS * WIDTH),
            mask: vec![1; STEPS * 5],
            actions: (0..STEPS * 2).map(|at| (at % 2) as i32).collect(),
            columns: [2, 3, 4, 5].map(|seed| numbers(seed, STEPS)),
        }
    }

    fn minibatch<'a>(&'a self, rows: &'a [i64], scale: Option<Scale<'a>>) -> Minibatch<'a> {
        let [log_prob, value, advantage, returns] = &self.columns;
        let (mask, actions) = (&self.mask[..], &self.actions[..]);
        Minibatch {
            sight: Sight { obs: &self.obs, scale },
            samples: Samples { mask, actions, log_prob, value, advantage, returns },
            rows,
            objective: Objective {
                clip: 0.2,
                value_clip: f32::INFINITY,
                value_coef: 0.5,
                entropy_coef: 0.01,
                advantage_mean: 0.0,
                advantage_scale: 1.0,
                row_weight: 1.0 / rows.len() as f32,
            },
        }
    }
}

#[test]
fn a_gradient_is_the_same_for_any_number_of_threads_and_the_sum_of_its_rows() {
    let rollout = Rollout::new();
    let count = network(1).layers.parameters();
    let parameters = numbers(9, count);
    // One chunk, two, one for each share, and more than that.
    for size in [1, 64, 65, 300, 4096, 4999] {
        let rows: Vec<i64> = (0..size).map(|at| (at * 7 % STEPS) as i64).collect();
        let minibatch = rollout.minibatch(&rows, None);
        let results: Vec<(Vec<f32>, Sums)> = [1, 2, 3, 8]
            .map(|threads| {
                let mut network = network(threads);
                let mut out = vec![5.0; count];
                // Whatever was there before.
                network
                    .gradient(&parameters, &rollout.minibatch(&[0; 700], None), &mut out)
                    .expect("no panic");
                let sums = network.gradient(&parameters, &minibatch, &mut out).expect("no panic");
                (out, sums)
            })
            .into();
        assert!(results.iter().all(|result| *result == results[0]), "{size} rows");
        let mut total = vec![0.0_f64; count];
        let mut alone = network(1);
        let mut out = vec![0.0; count];
        for row in &rows {
            let mut one = rollout.minibatch(std::slice::from_ref(row), None);
            one.objective = minibatch.objective;
            alone.gradient(&parameters, &one, &mut out).expect("no panic");
            total.iter_mut().zip(&out).for_each(|(sum, x)| *sum += f64::from(*x));
        }
        for (found, truth) in results[0].0.iter().zip(total) {
            assert!((f64::from(*found) - truth).abs() < 1e-4 * (1.0 + truth.abs()));
        }
    }
}

#[test]
fn acting_and_valuing_do_not_depend_on_threads_or_company() {
    let rollout = Rollout::new();
    let rows = 1000;
    let (mean, factor) = (vec![0.1; WIDTH], vec![3.0; WIDTH]);
    let scale = Some(Scale { mean: &mean, factor: &factor, limit: 2.0 });
    let uniform: Vec<f32> = numbers(6, rows * 2).iter().map(|x| 0.5 * (x + 1.0)).collect();
    let act = |threads: u32, span: std::ops::Range<usize>| {
        let mut network = network(threads);
        let parameters = numbers(9, network.layers.parameters());
        let count = span.len();
        let (mut actions, mut log_prob) = (vec![0; count * 2], vec![0.0; count]);
        let (mut value, mut again) = (vec![0.0; count], vec![0.0; count]);
        let sight = Sight { obs: &rollout.obs[span.start * WIDTH..span.end * WIDTH], scale };
        let mask = &rollout.mask[span.start * 5..span.end * 5];
        let uniform = &uniform[span.start * 2..span.end * 2];
        let into = Chosen { actions: &mut actions, log_prob: &mut log_prob, value: &mut value };
        network.act(&parameters, sight, mask, uniform, into).expect("no panic");
        network.value(&parameters, sight, &mut again).expect("no panic");
        assert_eq!(value, again);
        (actions, log_prob, value)
    };
    let whole = act(1, 0..rows);
    assert_eq!(act(3, 0..rows), whole);
    let part = act(2, 300..900);
    assert_eq!(part.0, whole.0[600..1800]);
    assert_eq!((&part.1[..], &part.2[..]), (&whole.1[300..900], &whole.2[300..900]));
}
