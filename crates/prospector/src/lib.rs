//! Prospector: one ship mines and trades in an asteroid belt.
//!
//! A step takes one of 69 actions and a whole number of ticks. Two editions share the code:
//! version 1 is frozen to the bit, version 2 is the repaired game. The order of a step stands in
//! [`Prospector::advance`]; each rule has its file under `rules/`.

mod belt;
mod config;
mod draws;
mod edition;
mod figures;
mod float;
mod market;
mod observe;
mod params;
mod reveal;
mod rocks;
mod rules;
mod ship;
mod turn;
mod waves;

use std::marker::PhantomData;
use std::mem::offset_of;

use astrarium_kernel::{Episode, Layout, Orders, Produced, View, World, prefetch};
use serde::{Deserialize, Serialize};

pub use config::Config;
pub use edition::{Edition, One, Two};
pub use figures::FIGURES;
pub use params::{ACTIONS, OBS};
pub use turn::Turn;

use belt::Belt;
use draws::Dice;
use edition::{After, Before};
use market::Market;
use rocks::Rocks;
use rules::{act, environment};
use ship::{Ledger, Ship};
use turn::event;

/// Prospector version 1.
pub type ProspectorV1 = Prospector<One>;
/// Prospector version 2.
pub type ProspectorV2 = Prospector<Two>;

/// The whole state of one episode, in one fixed-size block: what every step reads comes first.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
#[repr(C)]
pub struct Prospector<E: Edition> {
    config: Config,
    dice: Dice,
    ship: Ship,
    ledger: Ledger,
    market: Market,
    over: bool,
    belt: Belt,
    rocks: Rocks,
    edition: PhantomData<E>,
}

impl<E: Edition> Prospector<E> {
    /// Play one action; an index of 69 or more counts as an impossible hold.
    ///
    /// The order of a step: action, then everything that happens anyway, then the verdict.
    pub fn advance(&mut self, action: u8) -> Turn {
        if self.over {
            return Turn::after_the_end();
        }
        let before = Before {
            ship: self.ship,
            value_lost: self.ledger.value_lost,
            cargo_value: self.market.value(&self.ship.cargo),
        };
        let known = usize::from(action) < ACTIONS;
        let resolved = if known { action } else { act::HOLD };
        let mut turn = Turn::of(i16::from(resolved));
        let done = act::apply(self, resolved, &mut turn);
        if done.is_err() || !known {
            turn.invalid = true;
            turn.events |= event::INVALID_ACTION;
            turn.dt = 1;
            act::hold(&mut self.ship);
        }
        environment::pass_time(self, &mut turn);
        self.judge(&mut turn);
        let after = After {
            ship: &self.ship,
            ledger: &self.ledger,
            cargo_value: self.market.value(&self.ship.cargo),
            config: &self.config,
        };
        turn.terms = E::terms(&before, &after, &turn);
        turn.reward = turn.terms[..E::TERMS.len()].iter().fold(0.0, |sum, term| sum + term);
        turn
    }

    /// Decide whether the episode is over, and why.
    fn judge(&mut self, turn: &mut Turn) {
        if self.ship.hull <= 0.0 {
            turn.events |= event::DESTROYED;
        }
        if self.ship.fuel <= 0.0 && !self.ship.docked() {
            turn.events |= event::STRANDED;
        }
        if turn.events & (event::DESTROYED | event::STRANDED) != 0 {
            turn.terminated = true;
            turn.survival = 0.0;
        }
        turn.truncated = !turn.terminated && self.ledger.time_left <= 0.0;
        self.over = turn.terminated || turn.truncated;
    }

    /// Bring `view` up to date after `turn`.
    pub fn refresh(&self, turn: &Turn, view: &mut View<'_>) {
        observe::refresh(self, turn.touched, view);
    }

    /// The episode's figures after `turn`, named by [`FIGURES`].
    #[must_use]
    pub fn figures(&self, turn: &Turn) -> [f32; FIGURES.len()] {
        figures::figures(self, turn)
    }

    /// The generator's state, for comparing implementations.
    #[must_use]
    pub fn generator_state(&self) -> u64 {
        self.dice.state()
    }

    /// The settings in force.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }
}

impl<E: Edition> World for Prospector<E> {
    type Config = Config;
    const ID: &'static str = E::ID;
    const STATE_VERSION: u32 = 1;
    const HOT_BYTES: usize = offset_of!(Self, belt);

    fn layout(_: &Config) -> Layout {
        Layout {
            agents: 1,
            obs: OBS as u32,
            obs_range: (-1.0, 1.0),
            heads: vec![ACTIONS as u32],
            controls: 0,
            terms: E::TERMS,
            stats: FIGURES,
            events: event::NAMES,
            hidden: reveal::HIDDEN as u32,
        }
    }

    fn new(config: &Config) -> Self {
        Self {
            config: config.sound(),
            dice: Dice::new(0),
            ship: Ship::FRESH,
            ledger: Ledger::default(),
            market: Market::default(),
            over: false,
            belt: Belt::EMPTY,
            rocks: Rocks::EMPTY,
            edition: PhantomData,
        }
    }

    #[inline]
    fn warm(&self, view: &View<'_>) {
        observe::warm(view);
        let node = self.ship.node;
        prefetch(&raw const self.belt.nodes[usize::from(node)], size_of::<belt::Node>());
        self.rocks.warm(node);
    }

    fn reset(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.ship = Ship::FRESH;
        self.ledger = Ledger { time_left: self.config.time_max, ..Ledger::default() };
        self.over = false;
        self.belt.draw(&mut self.dice, &E::PARAMS);
        self.rocks.place(self.belt.count, &mut self.dice);
        self.market = Market::draw(&mut self.dice, &E::PARAMS);
    }

    fn observe(&self, view: &mut View<'_>) {
        observe::write(self, view);
    }

    fn step(
        &mut self,
        orders: Orders<'_>,
        view: &mut View<'_>,
        produced: &mut Produced<'_>,
    ) -> Episode {
        // Whatever does not fit a byte is as out of range as 69.
        let action = u8::try_from(orders.actions[0]).unwrap_or(ACTIONS as u8);
        let turn = self.advance(action);
        self.refresh(&turn, view);
        produced.reward[0] = turn.reward;
        produced.terms.copy_from_slice(&turn.terms[..E::TERMS.len()]);
        produced.terminated[0] = u8::from(turn.terminated);
        produced.truncated[0] = u8::from(turn.truncated);
        produced.events[0] = turn.events;
        produced.stats.copy_from_slice(&self.figures(&turn));
        if self.over { Episode::Over } else { Episode::Running }
    }

    fn reveal(&self, out: &mut [f32]) {
        reveal::reveal(self, out);
    }

    fn check(&self, config: &Config) -> Result<(), String> {
        if self.config != config.sound() {
            return Err("taken under other settings".to_owned());
        }
        self.belt.check()?;
        self.rocks.check()?;
        self.market.check()?;
        self.ship.check()?;
        self.ledger.check(self.config.time_max)?;
        if self.ship.node >= self.belt.count {
            return Err(format!("node {} of {}", self.ship.node, self.belt.count));
        }
        if self.ship.selected.is_some_and(|slot| slot >= self.rocks.count(self.ship.node)) {
            return Err("a rock is selected that does not exist".to_owned());
        }
        Ok(())
    }
}
