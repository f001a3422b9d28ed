//! The sizes and names of a batch's arrays as a Python object.

use astrarium_kernel as kernel;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Sizes and names of a batch's arrays.
#[pyclass(frozen, get_all, module = "astrarium._native")]
pub struct Layout {
    agents: u32,
    obs_dim: u32,
    obs_range: (f32, f32),
    heads: Py<PyTuple>,
    controls: u32,
    terms: Py<PyTuple>,
    stats: Py<PyTuple>,
    events: Py<PyTuple>,
    hidden: u32,
}

impl Layout {
    pub fn new(py: Python<'_>, layout: &kernel::Layout) -> PyResult<Self> {
        Ok(Self {
            agents: layout.agents,
            obs_dim: layout.obs,
            obs_range: layout.obs_range,
            heads: PyTuple::new(py, &layout.heads)?.unbind(),
            controls: layout.controls,
            terms: PyTuple::new(py, layout.terms)?.unbind(),
            stats: PyTuple::new(py, layout.stats)?.unbind(),
            events: PyTuple::new(py, layout.events)?.unbind(),
            hidden: layout.hidden,
        })
    }
}
