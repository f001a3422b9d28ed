//! Resolvers: the only writers, in the order of a tick.

pub mod combat;
pub mod contact;
pub mod effect;
pub mod environment;
pub mod fate;
pub mod hazard;
pub mod layer;
pub mod morale;
pub mod objective;
pub mod order;
pub mod ordnance;
pub mod parts;
pub mod people;
pub mod physics;
pub mod reservation;
pub mod seeker;
pub mod squadron;
pub mod termination;
pub mod utility;
pub mod weapon;
