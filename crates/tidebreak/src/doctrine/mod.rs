//! Doctrines: scripted captains with a policy's rights. They see what a ship's observation holds and
//! give orders in the same eleven choices, so whoever watches them can learn to do the same.

mod drifter;
pub mod knowledge;
mod line;
pub mod plan;
mod pursuer;
mod sight;
mod tactics;
#[cfg(test)]
mod tests;
mod wolfpack;

use serde::{Deserialize, Serialize};

pub use knowledge::Sight;
pub use plan::Choices;

use crate::decode;
use crate::orders::Order;
use crate::setup::Setup;
use crate::state::State;

/// A scripted captain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Doctrine {
    /// Random legal orders.
    Drifter = 0,
    /// Straight at the nearest enemy.
    Pursuer = 1,
    /// Keeps its distance and looks after itself.
    Line = 2,
    /// Hunts with the others.
    Wolfpack = 3,
}

impl Doctrine {
    /// From the weakest to the strongest.
    pub const ALL: [Self; 4] = [Self::Drifter, Self::Pursuer, Self::Line, Self::Wolfpack];

    /// As people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["drifter", "pursuer", "line", "wolfpack"][self as usize]
    }

    /// The one called so.
    ///
    /// # Errors
    /// Which names there are.
    pub fn named(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            format!("no doctrine is called {name:?}; there are {known}")
        })
    }
}

/// The eleven choices of a ship under a doctrine.
#[must_use]
pub fn choose(doctrine: Doctrine, setup: &Setup, state: &State, ship: usize) -> Choices {
    let sight = Sight::of(setup, state, ship);
    let figures = &setup.tables.doctrines[doctrine.name()];
    match doctrine {
        Doctrine::Drifter => drifter::decide(&sight, figures),
        Doctrine::Pursuer => pursuer::decide(&sight, figures),
        Doctrine::Line => line::decide(&sight, figures),
        Doctrine::Wolfpack => wolfpack::decide(&sight, figures),
    }
}

/// The same as an order.
#[must_use]
pub fn decide(doctrine: Doctrine, setup: &Setup, state: &State, ship: usize) -> Order {
    decode::order(&choose(doctrine, setup, state, ship).map(i32::from))
}
