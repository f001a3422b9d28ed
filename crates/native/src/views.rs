//! NumPy views of a batch's arrays, made once and valid for as long as any of them lives.

use std::sync::Arc;

use astrarium_kernel::{self as kernel, Shared};
use numpy::ndarray::{ArrayView, Dim, Dimension, IntoDimension, Ix};
use numpy::{Element, PyArray, PyArrayMethods};
use pyo3::prelude::*;

use crate::batch::Core;

/// Keeps the memory under the views alive. It is the base of every view, and it is not the batch
/// object: that one holds the views, and NumPy arrays take no part in cycle collection.
#[pyclass(frozen, module = "astrarium._native")]
struct Memory {
    _core: Arc<Core>,
}

/// One NumPy array per array of the batch; `actions` and `controls` may be written.
#[pyclass(frozen, get_all, module = "astrarium._native")]
pub struct Arrays {
    obs: Py<PyAny>,
    final_obs: Py<PyAny>,
    mask: Py<PyAny>,
    alive: Py<PyAny>,
    actions: Py<PyAny>,
    controls: Py<PyAny>,
    reward: Py<PyAny>,
    terms: Py<PyAny>,
    terminated: Py<PyAny>,
    truncated: Py<PyAny>,
    events: Py<PyAny>,
    stats: Py<PyAny>,
    episode_seed: Py<PyAny>,
    episode: Py<PyAny>,
}

impl Arrays {
    /// Views of `arrays`, which `core` must own.
    pub fn new(
        py: Python<'_>,
        core: &Arc<Core>,
        arrays: &kernel::Arrays,
        layout: &kernel::Layout,
        num_worlds: u32,
    ) -> PyResult<Self> {
        let memory = Bound::new(py, Memory { _core: Arc::clone(core) })?.into_any();
        let (n, m) = (num_worlds as usize, layout.agents as usize);
        let per_agent = |width: usize| [n, m, width];
        let obs = per_agent(layout.obs as usize);
        Ok(Self {
            obs: read_only(&memory, &arrays.obs, obs)?,
            final_obs: read_only(&memory, &arrays.final_obs, obs)?,
            mask: read_only(&memory, &arrays.mask, per_agent(layout.choices() as usize))?,
            alive: read_only(&memory, &arrays.alive, [n, m])?,
            actions: writable(&memory, &arrays.actions, per_agent(layout.heads.len())).into_any(),
            controls: writable(&memory, &arrays.controls, per_agent(layout.controls as usize))
                .into_any(),
            reward: read_only(&memory, &arrays.reward, [n, m])?,
            terms: read_only(&memory, &arrays.terms, per_agent(layout.terms.len()))?,
            terminated: read_only(&memory, &arrays.terminated, [n, m])?,
            truncated: read_only(&memory, &arrays.truncated, [n, m])?,
            events: read_only(&memory, &arrays.events, [n, m])?,
            stats: read_only(&memory, &arrays.stats, [n, layout.stats.len()])?,
            episode_seed: read_only(&memory, &arrays.episode_seed, [n])?,
            episode: read_only(&memory, &arrays.episode, [n])?,
        })
    }
}

fn writable<T, const N: usize>(
    memory: &Bound<'_, PyAny>,
    array: &Shared<T>,
    shape: [Ix; N],
) -> Py<PyArray<T, Dim<[Ix; N]>>>
where
    T: Element + Copy + Default,
    [Ix; N]: IntoDimension<Dim = Dim<[Ix; N]>>,
    Dim<[Ix; N]>: Dimension,
{
    assert_eq!(array.len(), shape.iter().product::<usize>(), "a view covers its array");
    // SAFETY: the pointer is valid for `len` elements, which is the product of the shape, and
    // the array neither moves nor is freed while `memory`, the base of the view, lives.
    unsafe {
        let view = ArrayView::from_shape_ptr(shape, array.as_ptr().cast_const());
        PyArray::borrow_from_array(&view, memory.clone()).unbind()
    }
}

/// What the kernel writes is not the caller's to change. The flag cannot be raised again from
/// Python, because the base is no buffer.
fn read_only<T, const N: usize>(
    memory: &Bound<'_, PyAny>,
    array: &Shared<T>,
    shape: [Ix; N],
) -> PyResult<Py<PyAny>>
where
    T: Element + Copy + Default,
    [Ix; N]: IntoDimension<Dim = Dim<[Ix; N]>>,
    Dim<[Ix; N]>: Dimension,
{
    let view = writable(memory, array, shape).into_bound(memory.py());
    Ok(view.try_readwrite()?.make_nonwriteable().as_any().clone().unbind())
}
