//! The configuration: the document as written, and the tables built from it once.

mod document;
mod life;
mod manifest;
mod ordered;
mod perturbations;
mod rewards;
mod work;

pub use document::*;
pub use life::*;
pub use manifest::*;
pub use ordered::Ordered;
pub use perturbations::*;
pub use rewards::*;
pub use work::*;
