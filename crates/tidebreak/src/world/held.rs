//! A battle that may have come out of a snapshot: its state alone is stored.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::config::Terms;
use crate::arena::Arena;
use crate::state::State;

/// A battle, or the state of one that waits for its setup.
#[derive(Clone, Debug)]
pub struct Held(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Live(Box<Arena>),
    Stored(Box<State>),
}

impl Held {
    /// A battle that can be stepped.
    pub fn live(arena: Arena) -> Self {
        Self(Inner::Live(Box::new(arena)))
    }

    /// The battle.
    pub fn arena(&self) -> &Arena {
        match &self.0 {
            Inner::Live(arena) => arena,
            Inner::Stored(_) => unreachable!("the kernel revives what it restores before using it"),
        }
    }

    /// The battle, to be stepped.
    pub fn arena_mut(&mut self) -> &mut Arena {
        match &mut self.0 {
            Inner::Live(arena) => arena,
            Inner::Stored(_) => unreachable!("the kernel revives what it restores before using it"),
        }
    }

    /// Make a stored battle live again.
    pub fn revive(&mut self, terms: &Terms) {
        if let Inner::Stored(state) = &self.0 {
            let mut setup = Arc::clone(&terms.setup);
            terms.place(state.seed, &mut setup);
            let arena = Arena::resumed(setup, (**state).clone());
            self.0 = Inner::Live(Box::new(arena));
        }
    }

    /// Whether the rules could have led here.
    ///
    /// # Errors
    /// What could not be.
    pub fn check(&self, terms: &Terms) -> Result<(), String> {
        match &self.0 {
            Inner::Live(arena) => arena.state.check(&terms.setup),
            Inner::Stored(state) => state.check(&terms.setup),
        }
    }
}

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Inner::Live(arena) => arena.state.serialize(serializer),
            Inner::Stored(state) => state.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Inner::Stored(Box::new(State::deserialize(deserializer)?))))
    }
}
