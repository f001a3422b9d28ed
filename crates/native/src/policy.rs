//! The policy of `astrarium-policy`, on NumPy arrays.

use astrarium_kernel::Workers;
use astrarium_policy::{
    Bend, Choices, Chosen, Course, Heads, Layers, Minibatch, Network, Objective, Samples, Scale,
    Sight, Stride, adam, choose,
};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;

use crate::held::Held;
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

/// A step of Adam against `gradient`, shortened to `norm_max`; its length before. If that is not
/// finite, nothing has moved.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "one array or number each")]
pub fn adam_step(
    py: Python<'_>,
    mut parameters: PyReadwriteArrayDyn<'_, f32>,
    mut mean: PyReadwriteArrayDyn<'_, f32>,
    mut square: PyReadwriteArrayDyn<'_, f32>,
    gradient: PyReadonlyArrayDyn<'_, f32>,
    number: u32,
    rate: f32,
    betas: (f32, f32),
    epsilon: f32,
    norm_max: f32,
) -> PyResult<f64> {
    let gradient = slices::read("gradient", &gradient)?;
    let course = Course {
        parameters: write("parameters", &mut parameters, gradient.len())?,
        mean: write("mean", &mut mean, gradient.len())?,
        square: write("square", &mut square, gradient.len())?,
    };
    let (beta1, beta2) = betas;
    let stride = Stride { number, rate, beta1, beta2, epsilon, norm_max };
    Ok(py.detach(|| adam(course, gradient, &stride)))
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
}

impl PolicySamples {
    /// Do `work` with everything remembered, as slices.
    fn read<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Samples<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        use numpy::PyArrayMethods;
        let (steps, heads) = (self.steps, &self.heads);
        let mask = self.mask.bind(py).readonly();
        let actions = self.actions.bind(py).readonly();
        let log_prob = self.log_prob.bind(py).readonly();
        let value = self.value.bind(py).readonly();
        let advantage = self.advantage.bind(py).readonly();
        let returns = self.returns.bind(py).readonly();
        work(Samples {
            mask: read("mask", &mask, steps * heads.choices())?,
            actions: read("actions", &actions, steps * heads.count())?,
            log_prob: read("log_prob", &log_prob, steps)?,
            value: read("value", &value, steps)?,
            advantage: read("advantage", &advantage, steps)?,
            returns: read("returns", &returns, steps)?,
        })
    }
}

type Scaling<'py> = (PyReadonlyArrayDyn<'py, f32>, PyReadonlyArrayDyn<'py, f32>, f32);

fn sight<'a>(
    obs: &'a PyReadonlyArrayDyn<'_, f32>,
    scale: Option<&'a Scaling<'_>>,
    rows: usize,
    width: usize,
) -> PyResult<Sight<'a>> {
    let scale = match scale {
        Some((mean, factor, limit)) => Some(Scale {
            mean: read("mean", mean, width)?,
            factor: read("factor", factor, width)?,
            limit: *limit,
        }),
        None => None,
    };
    Ok(Sight { obs: read("obs", obs, rows * width)?, scale })
}

/// A network of plain layers with threads of its own; its parameters stay with the caller.
///
/// Observations are scaled on the way in by `scale`: mean, factor, and the largest size of the
/// result.
#[pyclass(frozen, module = "astrarium._native")]
pub struct PolicyNetwork {
    held: Held<Network>,
    heads: Heads,
    layers: Layers,
}

#[pymethods]
impl PolicyNetwork {
    /// `sizes` are those of an observation and of the hidden layers.
    #[new]
    fn new(
        heads: Vec<usize>,
        mut sizes: Vec<usize>,
        activation: &str,
        threads: u32,
    ) -> PyResult<Self> {
        let bend = match activation {
            "relu" => Bend::Relu,
            "tanh" => Bend::Tanh,
            _ => return Err(errors::activation(activation)),
        };
        let heads = Heads::new(heads);
        sizes.push(heads.choices() + 1);
        let layers = Layers::new(sizes, bend);
        let workers =
            Workers::new(threads).map_err(|started| errors::threads_refused(threads, started))?;
        let network = Network::new(heads.clone(), layers.clone(), workers);
        Ok(Self { held: Held::new(network, "network", threads), heads, layers })
    }

    /// As `choose_actions`, from observations.
    #[pyo3(signature = (parameters, obs, scale, mask, uniform, actions, log_prob, value))]
    #[allow(clippy::too_many_arguments, reason = "one array each")]
    fn act(
        &self,
        py: Python<'_>,
        parameters: PyReadonlyArrayDyn<'_, f32>,
        obs: PyReadonlyArrayDyn<'_, f32>,
        scale: Option<Scaling<'_>>,
        mask: PyReadonlyArrayDyn<'_, u8>,
        uniform: PyReadonlyArrayDyn<'_, f32>,
        mut actions: PyReadwriteArrayDyn<'_, i32>,
        mut log_prob: PyReadwriteArrayDyn<'_, f32>,
        mut value: PyReadwriteArrayDyn<'_, f32>,
    ) -> PyResult<()> {
        let (heads, layers) = (&self.heads, &self.layers);
        let value = slices::write("value", &mut value)?;
        let rows = value.len();
        let parameters = read("parameters", &parameters, layers.parameters())?;
        let sight = sight(&obs, scale.as_ref(), rows, layers.inputs())?;
        let mask = read("mask", &mask, rows * heads.choices())?;
        let uniform = read("uniform", &uniform, rows * heads.count())?;
        let into = Chosen {
            actions: write("actions", &mut actions, rows * heads.count())?,
            log_prob: write("log_prob", &mut log_prob, rows)?,
            value,
        };
        self.held.with(py, |network| {
            network.act(parameters, sight, mask, uniform, into).map_err(errors::panicked)
        })
    }

    /// What every row is worth.
    fn value(
        &self,
        py: Python<'_>,
        parameters: PyReadonlyArrayDyn<'_, f32>,
        obs: PyReadonlyArrayDyn<'_, f32>,
        scale: Option<Scaling<'_>>,
        mut value: PyReadwriteArrayDyn<'_, f32>,
    ) -> PyResult<()> {
        let value = slices::write("value", &mut value)?;
        let parameters = read("parameters", &parameters, self.layers.parameters())?;
        let sight = sight(&obs, scale.as_ref(), value.len(), self.layers.inputs())?;
        self.held
            .with(py, |network| network.value(parameters, sight, value).map_err(errors::panicked))
    }

    /// The gradient of the PPO loss of some `rows` of the rollout, into `out`; sums over the rows
    /// of policy loss, value loss, entropy, divergence and clipped.
    ///
    /// `objective` is clip, value clip, value coefficient, entropy coefficient, mean of the
    /// advantages, their scale, and the weight of a row.
    #[allow(clippy::too_many_arguments, reason = "one array each")]
    fn gradient(
        &self,
        py: Python<'_>,
        parameters: PyReadonlyArrayDyn<'_, f32>,
        obs: PyReadonlyArrayDyn<'_, f32>,
        scale: Option<Scaling<'_>>,
        samples: &PolicySamples,
        rows: PyReadonlyArray1<'_, i64>,
        objective: [f32; 7],
        mut out: PyReadwriteArrayDyn<'_, f32>,
    ) -> PyResult<[f64; 5]> {
        let steps = samples.steps;
        if samples.heads.choices() != self.heads.choices() {
            return Err(errors::length("heads", samples.heads.choices(), self.heads.choices()));
        }
        let rows = rows.as_slice().map_err(|_| errors::not_contiguous("rows"))?;
        if let Some(row) = rows.iter().find(|&&row| row < 0 || row >= steps as i64) {
            return Err(errors::no_such_row(*row, steps));
        }
        let count = self.layers.parameters();
        let parameters = read("parameters", &parameters, count)?;
        let out = write("out", &mut out, count)?;
        let sight = sight(&obs, scale.as_ref(), steps, self.layers.inputs())?;
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
        let sums = samples.read(py, |samples| {
            let minibatch = Minibatch { sight, samples, rows, objective };
            self.held.with(py, |network| {
                network.gradient(parameters, &minibatch, out).map_err(errors::panicked)
            })
        })?;
        Ok([sums.policy_loss, sums.value_loss, sums.entropy, sums.divergence, sums.clipped])
    }
}
