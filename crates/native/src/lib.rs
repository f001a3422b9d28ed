//! `astrarium._native`: the kernel and its worlds as Python sees them.
//!
//! Conversions and errors only; every rule lives in a world's crate, every promise in the kernel.

mod batch;
mod errors;
mod forks;
mod held;
mod layout;
mod logging;
mod morphospace;
mod policy;
mod slices;
mod tidebreak;
mod tidebreak_files;
mod views;
mod worlds;

use pyo3::prelude::*;

/// Native worlds of Astrarium.
// An abi3 build runs with the interpreter lock on; nothing here has been audited without it.
#[pymodule(gil_used = true)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::layout::Layout;
    #[pymodule_export]
    use crate::logging::set_log_level;
    #[pymodule_export]
    use crate::morphospace::{FieldVolume, MorphoSpace, Shape};
    #[pymodule_export]
    use crate::policy::{PolicyNetwork, PolicySamples, adam_step, choose_actions};
    #[pymodule_export]
    use crate::tidebreak::{
        Arena, simulate_batch, tidebreak_fleets, tidebreak_package, tidebreak_scenarios,
    };
    #[pymodule_export]
    use crate::tidebreak_files::{
        tidebreak_abouts, tidebreak_classes, tidebreak_diff, tidebreak_explain, tidebreak_fought,
        tidebreak_package_hash, tidebreak_replay_package, tidebreak_settled,
        tidebreak_table_hashes, tidebreak_verify, tidebreak_wholes,
    };
    #[pymodule_export]
    use crate::views::Arrays;

    /// The most worlds one batch may hold.
    #[pymodule_export]
    const WORLDS_MAX: u32 = astrarium_kernel::WORLDS_MAX;
    /// The most threads one batch may use.
    #[pymodule_export]
    const THREADS_MAX: u32 = astrarium_kernel::THREADS_MAX;

    #[pymodule_init]
    fn init(py: Python<'_>) -> PyResult<()> {
        crate::forks::watch(py)
    }

    /// The worlds this build can make.
    #[pyfunction]
    fn world_ids() -> Vec<&'static str> {
        crate::worlds::ids()
    }

    /// The seed of episode `episode` of world `world` in the run of `run_seed`.
    #[pyfunction]
    fn episode_seed(run_seed: u64, world: u32, episode: u64) -> u64 {
        astrarium_kernel::episode_seed(run_seed, world, episode)
    }

    /// What a snapshot says about itself, without its contents.
    #[pyfunction]
    fn snapshot_header(snapshot: &[u8]) -> PyResult<crate::SnapshotHeader> {
        let header = astrarium_kernel::peek(snapshot).map_err(crate::errors::from_snapshot)?;
        Ok((header.world, header.state_version, header.config, header.worlds))
    }
}

/// World id, state version, digest of the config, number of worlds.
type SnapshotHeader = (String, u32, u64, u32);
