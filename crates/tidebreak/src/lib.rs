//! Tidebreak: naval battles over three depth layers.
//!
//! What never changes in a battle stands in its setup, what changes in its state; plugins read and
//! propose, resolvers write, and the order of a tick is written in one place.

pub mod arena;
pub mod battle;
pub mod begin;
pub mod columns;
pub mod condition;
pub mod decode;
pub mod doctrine;
pub mod draws;
pub mod engagement;
pub mod events;
pub mod grid;
pub mod hash;
pub mod journal;
pub mod ladder;
pub mod mask;
pub mod modifiers;
pub mod observe;
pub mod orders;
pub mod package;
pub mod plugins;
pub mod portrait;
pub mod proposals;
pub mod replay;
pub mod resolvers;
pub mod result;
pub mod reveal;
pub mod scenario;
pub mod scratch;
pub mod sensing;
pub mod setup;
mod sound;
pub mod state;
mod storing;
mod substrate;
pub mod tables;
pub mod terrain;
pub mod tick;
pub mod world;
