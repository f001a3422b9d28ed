//! MorphoSpace: fields (temperature, noise, smoke, …) over a plane of square cells in depth slabs.
//!
//! A [`Space`] keeps one plane per [`Field`] and slab in tiles of 16 × 16 cells. A tile that equals
//! its ambient is not stored, so an empty sea costs nothing and a fading one gives its memory back.
//! [`Stamp`]s write, [`Space::step`] lets fields spread and fade, and queries read: a point, a ray, a
//! volume, or the whole surroundings of an observer as 288 figures.
//!
//! Everything is deterministic: fixed sum orders, `exp` from one pure-Rust source, no clock.

mod diffusion;
mod field;
mod fovea;
mod presets;
mod propagate;
mod query;
mod shape;
mod space;
mod spec;
mod stamp;
mod storing;
mod tile;
mod walk;

pub use field::{Aggregate, Ambient, Field, Rate};
pub use fovea::{FOVEA_FIELDS, FOVEA_SIZE};
pub use presets::{Explosion, Fire, Ping, Presets, Wake};
pub use query::{Ray, Volume};
pub use shape::Shape;
pub use space::Space;
pub use spec::{Edges, FieldError, INNER_STEPS_MAX, SIDE_MAX, SLABS_MAX, Spec};
pub use stamp::{CHANGES_MAX, Change, Falloff, Op, Stamp};
pub use tile::TILE;
