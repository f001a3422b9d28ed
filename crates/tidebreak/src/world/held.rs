//! A battle that may have come out of a snapshot: its state alone is stored.

use std::cell::{Ref, RefCell, RefMut};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::config::Terms;
use crate::arena::Arena;
use crate::sound;
use crate::state::State;

/// A battle, or the state of one that waits for its setup.
#[derive(Clone, Debug)]
pub struct Held(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Live(RefCell<Box<Arena>>),
    Stored(Box<State>),
}

impl Held {
    /// A battle that can be stepped.
    pub fn live(arena: Arena) -> Self {
        Self(Inner::Live(RefCell::new(Box::new(arena))))
    }

    /// The battle, to look at.
    pub fn arena(&self) -> Ref<'_, Arena> {
        match &self.0 {
            Inner::Live(arena) => Ref::map(arena.borrow(), |arena| &**arena),
            Inner::Stored(_) => unreachable!("the kernel revives what it restores before using it"),
        }
    }

    /// The battle, for whoever sums up its fields while looking: nothing of it changes.
    pub fn looked_at(&self) -> RefMut<'_, Arena> {
        match &self.0 {
            Inner::Live(arena) => RefMut::map(arena.borrow_mut(), |arena| &mut **arena),
            Inner::Stored(_) => unreachable!("the kernel revives what it restores before using it"),
        }
    }

    /// The battle, to be stepped.
    pub fn arena_mut(&mut self) -> &mut Arena {
        match &mut self.0 {
            Inner::Live(arena) => arena.get_mut(),
            Inner::Stored(_) => unreachable!("the kernel revives what it restores before using it"),
        }
    }

    /// Make a stored battle live again.
    pub fn revive(&mut self, terms: &Terms) {
        if let Inner::Stored(state) = &self.0 {
            let mut setup = Arc::clone(&terms.setup);
            terms.place(state.seed, &mut setup);
            let arena = Arena::resumed(setup, (**state).clone());
            *self = Self::live(arena);
        }
    }

    /// Whether the rules could have led here.
    ///
    /// # Errors
    /// What could not be.
    pub fn check(&self, terms: &Terms) -> Result<(), String> {
        match &self.0 {
            Inner::Live(arena) => sound::check(&terms.setup, &arena.borrow().state),
            Inner::Stored(state) => sound::check(&terms.setup, state),
        }
    }
}

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Inner::Live(arena) => arena.borrow().state.serialize(serializer),
            Inner::Stored(state) => state.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Inner::Stored(Box::new(State::deserialize(deserializer)?))))
    }
}
