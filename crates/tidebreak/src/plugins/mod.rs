//! Plugins: pure functions from the frozen world to proposals.
//!
//! Each takes a view that holds the columns it reads and nothing else, so what a plugin depends on
//! can be read off its type; none can write.

pub mod damage_control;
pub mod environment;
pub mod fire_control;
pub mod helm;
pub mod layer;
pub mod objective;
mod point_defence;
pub mod squadron;
