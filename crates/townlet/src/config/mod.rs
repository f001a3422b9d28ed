//! The configuration: the document as written, and the tables built from it once.

mod document;
mod life;
mod manifest;
mod optional;
mod ordered;
mod perturbations;
mod rewards;
mod seeing;
mod work;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use document::*;
pub use life::*;
pub use manifest::*;
pub use optional::*;
pub use ordered::Ordered;
pub use perturbations::*;
pub use rewards::*;
pub use seeing::*;
pub use work::*;

use crate::town::Town;

/// A checked document with its tables, shared by all towns of a batch.
#[derive(Clone, Debug)]
pub struct Config {
    /// The tables.
    pub town: Arc<Town>,
}

impl Config {
    /// Build the tables of `document`.
    ///
    /// # Errors
    /// The first thing wrong with it: the field, and what it may be.
    pub fn new(document: Document) -> Result<Self, String> {
        Ok(Self { town: Arc::new(Town::build(document)?) })
    }
}

impl Serialize for Config {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.town.document.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Document::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
