//! A battle of a scenario, fought once by doctrines and then again by the same orders against the
//! clock.

use std::hint::black_box;
use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::orders::{CHOICES, Order, Origin};
use astrarium_tidebreak::package::{BattlePackage, Fidelity};
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::setup::Setup;
use astrarium_tidebreak::{battle, mask, observe, tick};

use crate::clock;

/// Both sides of every battle that is timed.
pub const CAPTAINS: [Doctrine; 2] = [Doctrine::Line, Doctrine::Line];

/// What is done in a tick besides letting it pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Besides {
    /// Nothing.
    Nothing,
    /// Every ship in play is shown what it sees and what it may do.
    Observing,
    /// That, and doctrines decide anew for every ship.
    Everything,
}

/// Battles of one scenario, under one seed each, with the orders of every tick.
pub struct Fought {
    battles: Vec<Battle>,
}

struct Battle {
    arena: Arena,
    orders: Vec<Vec<(Order, Origin)>>,
    end: u64,
}

impl Fought {
    /// Fight them for the first time, each for so many ticks at most.
    pub fn new(scenario: &str, fidelity: Fidelity, seeds: u64, ticks: usize) -> Self {
        let first = |seed| Battle::first(begin(scenario, fidelity, seed), ticks);
        Self { battles: (1..=seeds).map(first).collect() }
    }

    /// Ticks of a processor second, everything fought once more.
    pub fn rate(&mut self, besides: Besides) -> f64 {
        let ticks: usize = self.battles.iter().map(|battle| battle.orders.len()).sum();
        let spent: f64 = self.battles.iter_mut().map(|battle| battle.again(besides)).sum();
        ticks as f64 / spent
    }

    /// Microseconds of one look of one ship, everything fought once more.
    pub fn look_us(&mut self) -> f64 {
        let (mut looks, mut spent) = (0, 0.0);
        for Battle { arena, orders, .. } in &mut self.battles {
            arena.reset(arena.setup.package.seed);
            for given in &*orders {
                arena.given.copy_from_slice(given);
                tick::advance(arena);
                // All of a tick on one reading of the clock, which takes as long as a short look.
                spent += clock::seconds(|| looks += look(arena));
            }
        }
        spent * 1e6 / f64::from(looks)
    }
}

impl Battle {
    fn first(mut arena: Arena, ticks: usize) -> Self {
        let mut orders = Vec::new();
        while !arena.done() && orders.len() < ticks {
            battle::command(&mut arena, &CAPTAINS, |_| false);
            orders.push(arena.given.clone());
            tick::advance(&mut arena);
        }
        let end = arena.state.state_hash();
        Self { arena, orders, end }
    }

    /// Processor seconds of the same battle again.
    fn again(&mut self, besides: Besides) -> f64 {
        self.arena.reset(self.arena.setup.package.seed);
        let (arena, orders) = (&mut self.arena, &self.orders);
        let spent = clock::seconds(|| {
            for given in orders {
                if besides == Besides::Everything {
                    battle::command(arena, &CAPTAINS, |_| false);
                }
                arena.given.copy_from_slice(given);
                tick::advance(arena);
                if besides != Besides::Nothing {
                    look(arena);
                    choose(arena);
                }
            }
        });
        assert_eq!(self.arena.state.state_hash(), self.end, "the same orders, another battle");
        spent
    }
}

/// A battle of a scenario at its start.
fn begin(scenario: &str, fidelity: Fidelity, seed: u64) -> Arena {
    let scenario = Scenario::named(scenario).expect("a shipped scenario");
    let package = BattlePackage { fidelity, ..scenario.package(seed) };
    Arena::new(Arc::new(Setup::new(package).expect("a sound package")))
}

/// Show every ship in play what it sees; how many there are.
fn look(arena: &mut Arena) -> u32 {
    let mut seen = [0.0; observe::FLOATS];
    let Arena { setup, state, .. } = arena;
    let mut looks = 0;
    for ship in 0..state.ships.len() {
        if state.ships.fights(ship) {
            observe::ship(setup, state, ship, &mut seen);
            black_box(&seen);
            looks += 1;
        }
    }
    looks
}

/// Tell every ship in play what it may do.
fn choose(arena: &Arena) {
    let mut legal = [0; CHOICES];
    for ship in 0..arena.state.ships.len() {
        if arena.state.ships.fights(ship) {
            mask::ship(&arena.setup, &arena.state, ship, &mut legal);
            black_box(&legal);
        }
    }
}
