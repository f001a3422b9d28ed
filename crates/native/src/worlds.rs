//! The worlds of this build: one line each.

use astrarium_kernel::{AnyBatch, Autoreset, Batch, World};
use pyo3::PyResult;
use serde::de::DeserializeOwned;

use crate::errors;

type Maker = fn(&str, u64, u64, Autoreset) -> PyResult<Box<dyn AnyBatch>>;

const WORLDS: &[(&str, Maker)] = &[
    entry::<astrarium_fieldseeker::Fieldseeker>(),
    entry::<astrarium_lanterns::Lanterns>(),
    entry::<astrarium_prospector::ProspectorV1>(),
    entry::<astrarium_prospector::ProspectorV2>(),
    entry::<astrarium_tidebreak::world::Tidebreak>(),
    entry::<astrarium_townlet::Townlet>(),
];

const fn entry<W>() -> (&'static str, Maker)
where
    W: World,
    W::Config: DeserializeOwned,
{
    (W::ID, make_one::<W>)
}

fn make_one<W>(
    config_json: &str,
    num_worlds: u64,
    threads: u64,
    autoreset: Autoreset,
) -> PyResult<Box<dyn AnyBatch>>
where
    W: World,
    W::Config: DeserializeOwned,
{
    let config =
        serde_json::from_str(config_json).map_err(|error| errors::config(W::ID, &error))?;
    let batch = Batch::<W>::new(config, num_worlds, threads, autoreset);
    Ok(Box::new(batch.map_err(errors::from_batch)?))
}

/// Names of all worlds, in table order.
pub fn ids() -> Vec<&'static str> {
    WORLDS.iter().map(|(id, _)| *id).collect()
}

/// A batch of the world called `id`.
pub fn make(
    id: &str,
    config_json: &str,
    num_worlds: u64,
    threads: u64,
    autoreset: Autoreset,
) -> PyResult<Box<dyn AnyBatch>> {
    match WORLDS.iter().find(|(known, _)| *known == id) {
        Some((_, maker)) => maker(config_json, num_worlds, threads, autoreset),
        None => Err(errors::unknown_world(id, &ids())),
    }
}
