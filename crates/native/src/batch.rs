//! A batch of worlds as a Python object.

use std::sync::Arc;

use astrarium_kernel::{AnyBatch, Autoreset, BatchError};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArrayDyn,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::held::{Held, guarded};
use crate::layout::Layout;
use crate::views::Arrays;
use crate::{errors, slices, worlds};

/// The batch itself, owned by its Python object and by every view of its arrays.
pub type Core = Held<Box<dyn AnyBatch>>;

/// n worlds of one kind and all their arrays.
#[pyclass(frozen, module = "astrarium._native")]
pub struct Batch {
    core: Arc<Core>,
    #[pyo3(get)]
    arrays: Py<Arrays>,
    #[pyo3(get)]
    layout: Py<Layout>,
    #[pyo3(get)]
    world_id: &'static str,
    #[pyo3(get)]
    num_worlds: u32,
    #[pyo3(get)]
    threads: u32,
}

impl Batch {
    fn wrap(py: Python<'_>, batch: Box<dyn AnyBatch>) -> PyResult<Self> {
        let (world_id, num_worlds, threads) =
            (batch.world_id(), batch.num_worlds(), batch.threads());
        let layout = batch.layout().clone();
        let core = Arc::new(Core::new(batch, "batch", threads));
        let arrays = Arrays::new(py, &core, core.take()?.arrays(), &layout, num_worlds)?;
        Ok(Self {
            core,
            arrays: Py::new(py, arrays)?,
            layout: Py::new(py, Layout::new(py, &layout)?)?,
            world_id,
            num_worlds,
            threads,
        })
    }

    /// Run `work` on the batch with the interpreter lock given away.
    fn with<T, F>(&self, py: Python<'_>, work: F) -> PyResult<T>
    where
        T: Send,
        F: FnOnce(&mut dyn AnyBatch) -> Result<T, BatchError> + Send,
    {
        self.core.with(py, |batch| work(&mut **batch).map_err(errors::from_batch))
    }
}

fn autoreset_of(name: &str) -> PyResult<Autoreset> {
    match name {
        "same_step" => Ok(Autoreset::SameStep),
        "next_step" => Ok(Autoreset::NextStep),
        "disabled" => Ok(Autoreset::Disabled),
        _ => Err(errors::autoreset(name)),
    }
}

/// Copied out, so that no other thread can change them while the lock is away.
fn copied<T: numpy::Element + Copy>(array: &PyReadonlyArray1<'_, T>) -> Vec<T> {
    array.as_array().iter().copied().collect()
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        py: Python<'_>,
        world_id: &str,
        config_json: &str,
        num_worlds: u64,
        threads: u64,
        autoreset: &str,
    ) -> PyResult<Self> {
        let autoreset = autoreset_of(autoreset)?;
        let batch =
            guarded(py, || worlds::make(world_id, config_json, num_worlds, threads, autoreset))?;
        Self::wrap(py, batch)
    }

    /// Begin episode 0 of run `seed` in every world.
    fn reset(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.with(py, move |batch| batch.reset(seed))
    }

    /// Begin an episode with exactly `seeds[i]` in world i.
    fn reset_with_seeds(&self, py: Python<'_>, seeds: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        let seeds = copied(&seeds);
        self.with(py, move |batch| batch.reset_with_seeds(&seeds))
    }

    /// Begin the next episode of the chosen worlds; with `seeds`, episodes of exactly those.
    #[pyo3(signature = (indices, seeds))]
    fn reset_worlds(
        &self,
        py: Python<'_>,
        indices: PyReadonlyArray1<'_, u32>,
        seeds: Option<PyReadonlyArray1<'_, u64>>,
    ) -> PyResult<()> {
        let indices = copied(&indices);
        let seeds = seeds.map(|seeds| copied(&seeds));
        self.with(py, move |batch| batch.reset_worlds(&indices, seeds.as_deref()))
    }

    /// Advance every world by one decision, taken from `actions` and `controls`.
    fn step(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |batch| batch.step())
    }

    /// As `step`; what the agents see next also lands in `obs` (n, m, D) and `mask` (n, m, K).
    fn step_into(
        &self,
        py: Python<'_>,
        mut obs: PyReadwriteArrayDyn<'_, f32>,
        mut mask: PyReadwriteArrayDyn<'_, u8>,
    ) -> PyResult<()> {
        let (obs, mask) = (slices::write("obs", &mut obs)?, slices::write("mask", &mut mask)?);
        self.with(py, |batch| batch.step_into(obs, mask))
    }

    /// A 64-bit digest of each world's state.
    fn digests<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let mut digests = vec![0; self.num_worlds as usize];
        self.with(py, |batch| batch.digests(&mut digests))?;
        Ok(digests.into_pyarray(py))
    }

    /// The state agents cannot see, one row per world.
    fn reveal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mut shape = [self.num_worlds as usize, 0];
        let rows = self.with(py, |batch| {
            shape[1] = batch.layout().hidden as usize;
            let mut rows = vec![0.0; shape[0] * shape[1]];
            batch.reveal(&mut rows).map(|()| rows)
        })?;
        rows.into_pyarray(py).reshape(shape)
    }

    /// Every world as versioned, checked bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, |batch| batch.snapshot())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Continue from a snapshot of a batch of this size, world and config.
    fn restore(&self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        self.with(py, |batch| batch.restore(snapshot))
    }

    /// Begin or stop keeping what happens in world `index`.
    fn watch(&self, py: Python<'_>, index: u32, on: bool) -> PyResult<()> {
        self.with(py, move |batch| batch.watch(index, on))
    }

    /// What happened in world `index` in the last step, as a JSON array; empty if not watched.
    fn happenings(&self, py: Python<'_>, index: u32) -> PyResult<String> {
        self.with(py, move |batch| batch.happenings(index))
    }

    /// World `index` as JSON, for drawing; null where a world has no portrait.
    fn portrait(&self, py: Python<'_>, index: u32) -> PyResult<String> {
        self.with(py, move |batch| batch.portrait(index))
    }

    /// Names of what `block` tells.
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names = self.with(py, |batch| Ok(batch.blocks()))?;
        PyTuple::new(py, names)
    }

    /// One part of world `index` that its portrait leaves out, as JSON.
    fn block(&self, py: Python<'_>, index: u32, name: &str) -> PyResult<String> {
        self.with(py, move |batch| batch.block(index, name))
    }

    /// Queue a command, as JSON, in world `index`; its number there.
    fn command(&self, py: Python<'_>, index: u32, json: &str) -> PyResult<u64> {
        self.with(py, move |batch| batch.command(index, json))
    }

    /// A new batch holding copies of the chosen worlds, in that order.
    fn fork(
        &self,
        py: Python<'_>,
        indices: PyReadonlyArray1<'_, u32>,
        threads: u64,
    ) -> PyResult<Self> {
        let indices = copied(&indices);
        let batch = self.with(py, move |batch| batch.fork(&indices, threads))?;
        Self::wrap(py, batch)
    }
}
