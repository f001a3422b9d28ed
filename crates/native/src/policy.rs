//! The passes over rows of `astrarium-policy`, on NumPy arrays.

use astrarium_policy::{Choices, Chosen, Heads, Objective, Samples, choose, gradient};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;

use crate::{errors, slices};

fn read<'a, T: Element>(
    name: &str,
    array: &'a PyReadonlyArrayDyn<'_, T>,
    len: usize,
) -> PyResult<&'a [T]> {
    slices::sized(name, slices::read(name, array)?, len)
}

fn write<'a, T: Element>(
    name: &str,
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
    len: usize,
) -> PyResult<&'a mut [T]> {
    slices::sized(name, slices::write(name, array)?, len)
}

/// Rows choose their actions: by uniform numbers (rows, heads), or the likeliest without them.
///
/// A row of `outputs` is the logits of all heads, then anything, then the value.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "one array each")]
pub fn choose_actions(
    py: Python<'_>,
    heads: Vec<usize>,
    outputs: PyReadonlyArrayDyn<'_, f32>,
    mask: PyReadonlyArrayDyn<'_, u8>,
    uniform: Option<PyReadonlyArrayDyn<'_, f32>>,
    mut actions: PyReadwriteArrayDyn<'_, i32>,
    mut log_prob: PyReadwriteArrayDyn<'_, f32>,
    mut value: PyReadwriteArrayDyn<'_, f32>,
) -> PyResult<()> {
    let heads = Heads::new(heads);
    let rows = outputs.as_array().shape().first().copied().unwrap_or(0);
    let stride = outputs.as_array().len() / rows.max(1);
    if stride <= heads.choices() {
        return Err(errors::length("a row of outputs", stride, heads.choices() + 1));
    }
    let drawn = match &uniform {
        Some(numbers) => Some(read("uniform", numbers, rows * heads.count())?),
        None => None,
    };
    let from = Choices {
        outputs: read("outputs", &outputs, rows * stride)?,
        stride,
        value_at: stride - 1,
        mask: read("mask", &mask, rows * heads.choices())?,
        uniform: drawn,
    };
    let into = Chosen {
        actions: write("actions", &mut actions, rows * heads.count())?,
        log_prob: write("log_prob", &mut log_prob, rows)?,
        value: write("value", &mut value, rows)?,
    };
    py.detach(|| choose(&heads, from, into));
    Ok(())
}

/// What a rollout remembered, flat over its steps: made once, used for every minibatch.
#[pyclass(frozen, module = "astrarium._native")]
pub struct PolicySamples {
    heads: Heads,
    steps: usize,
    mask: Py<numpy::PyArrayDyn<u8>>,
    actions: Py<numpy::PyArrayDyn<i32>>,
    log_prob: Py<numpy::PyArrayDyn<f32>>,
    value: Py<numpy::PyArrayDyn<f32>>,
    advantage: Py<numpy::PyArrayDyn<f32>>,
    returns: Py<numpy::PyArrayDyn<f32>>,
}

#[pymethods]
impl PolicySamples {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "one array each")]
    fn new(
        py: Python<'_>,
        heads: Vec<usize>,
        mask: Py<numpy::PyArrayDyn<u8>>,
        actions: Py<numpy::PyArrayDyn<i32>>,
        log_prob: Py<numpy::PyArrayDyn<f32>>,
        value: Py<numpy::PyArrayDyn<f32>>,
        advantage: Py<numpy::PyArrayDyn<f32>>,
        returns: Py<numpy::PyArrayDyn<f32>>,
    ) -> PyResult<Self> {
        use numpy::PyUntypedArrayMethods;
        let steps = log_prob.bind(py).len();
        let heads = Heads::new(heads);
        for (name, given, expected) in [
            ("mask", mask.bind(py).len(), steps * heads.choices()),
            ("actions", actions.bind(py).len(), steps * heads.count()),
            ("value", value.bind(py).len(), steps),
            ("advantage", advantage.bind(py).len(), steps),
            ("returns", returns.bind(py).len(), steps),
        ] {
            if given != expected {
                return Err(errors::length(name, given, expected));
            }
        }
        Ok(Self { heads, steps, mask, actions, log_prob, value, advantage, returns })
    }

    /// Replace each row of `outputs` (logits of all heads, then the value) by the gradient of the
    /// PPO loss; sums over the rows of policy loss, value loss, entropy, divergence and clipped.
    ///
    /// `objective` is clip, value clip, value coefficient, entropy coefficient, mean of the
    /// advantages, their scale, and the weight of a row.
    fn gradient(
        &self,
        py: Python<'_>,
        objective: [f32; 7],
        rows: PyReadonlyArray1<'_, i64>,
        mut outputs: PyReadwriteArrayDyn<'_, f32>,
    ) -> PyResult<[f64; 5]> {
        use numpy::PyArrayMethods;
        let (steps, heads) = (self.steps, &self.heads);
        let rows = rows.as_slice().map_err(|_| errors::not_contiguous("rows"))?;
        if let Some(row) = rows.iter().find(|&&row| row < 0 || row >= steps as i64) {
            return Err(errors::no_such_row(*row, steps));
        }
        let mask = self.mask.bind(py).readonly();
        let actions = self.actions.bind(py).readonly();
        let log_prob = self.log_prob.bind(py).readonly();
        let value = self.value.bind(py).readonly();
        let advantage = self.advantage.bind(py).readonly();
        let returns = self.returns.bind(py).readonly();
        let samples = Samples {
            mask: read("mask", &mask, steps * heads.choices())?,
            actions: read("actions", &actions, steps * heads.count())?,
            log_prob: read("log_prob", &log_prob, steps)?,
            value: read("value", &value, steps)?,
            advantage: read("advantage", &advantage, steps)?,
            returns: read("returns", &returns, steps)?,
        };
        let outputs = write("outputs", &mut outputs, rows.len() * (heads.choices() + 1))?;
        let [clip, value_clip, value_coef, entropy_coef, mean, scale, row_weight] = objective;
        let objective = Objective {
            clip,
            value_clip,
            value_coef,
            entropy_coef,
            advantage_mean: mean,
            advantage_scale: scale,
            row_weight,
        };
        let sums = py.detach(|| gradient(heads, samples, &objective, rows, outputs));
        Ok([sums.policy_loss, sums.value_loss, sums.entropy, sums.divergence, sums.clipped])
    }
}
