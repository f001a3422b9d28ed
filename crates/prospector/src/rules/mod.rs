//! The rules, one system a file. [`crate::Prospector::advance`] holds the order they run in.

pub mod act;
pub mod environment;
pub mod mine;
pub mod pirates;
pub mod survey;
pub mod travel;
