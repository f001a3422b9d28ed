//! Tidebreak as a world of the kernel: agents command ships, doctrines the rest.

mod config;
mod figures;
mod held;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use astrarium_kernel::{Episode, Layout, Orders, Produced, View, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use config::{Config, Document, Helm, Opponent, Side, Source, TERMS, Terms, WEIGHTS};

use crate::arena::Arena;
use crate::battle;
use crate::decode;
use crate::doctrine::{self, Doctrine};
use crate::mask;
use crate::observe;
use crate::orders::{CHOICES, HEADS, Order, Origin};
use crate::portrait;
use crate::reveal;
use crate::state::TRACKS;
use crate::tick;
use figures::Before;
use held::Held;

/// Names of the reward's terms.
pub const TERM_NAMES: &[&str] = &[
    "outcome",
    "damage_dealt",
    "damage_taken",
    "enemy_value_lost",
    "own_value_lost",
    "alive",
    "step",
    "new_track",
    "rejected_order",
    "hazard",
    "objective_progress",
    "objective",
];

/// Choices of the helm, which has none where it is continuous.
const HELM_CHOICES: usize = 10;
/// Heads of the helm.
const HELM_HEADS: usize = 2;
/// What a head does whose choice was not legal: stopped, amidships, nothing.
const REST: [i32; HEADS.len()] = [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/// The term for orders that could not be carried out.
const REJECTED: usize = 8;

/// One battle of a batch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tidebreak {
    #[serde(skip)]
    terms: Option<Arc<Terms>>,
    held: Held,
    /// Choices of the agents that were not legal, in this battle.
    rejected: u32,
    #[serde(skip)]
    before: Vec<Before>,
    /// What was told in the step that ended the battle before this one, until the next step.
    #[serde(skip)]
    ending: Vec<Value>,
}

impl Tidebreak {
    fn terms(&self) -> &Arc<Terms> {
        self.terms.as_ref().expect("a world is made or restored with its settings")
    }

    /// What each agent ordered, for the first tick of a decision. A choice that is not legal is
    /// dropped and counted, whatever it was.
    fn take(&mut self, orders: Orders<'_>) {
        let terms = Arc::clone(self.terms());
        let arena = self.held.arena_mut();
        let first = if terms.document.helm == Helm::Discrete { 0 } else { HELM_HEADS };
        let heads = HEADS.len() - first;
        for (agent, &row) in terms.agents.iter().enumerate() {
            let row = row as usize;
            let mut legal = [0; CHOICES];
            mask::ship(&arena.setup, &arena.state, row, &mut legal);
            let mut choices = REST;
            let mut dropped = 0;
            for (head, &choice) in orders.actions[agent * heads..][..heads].iter().enumerate() {
                let head = first + head;
                let exists = (0..HEADS[head] as i32).contains(&choice);
                if exists && legal[mask::OFFSETS[head] + choice as usize] != 0 {
                    choices[head] = choice;
                } else {
                    dropped += 1;
                }
            }
            let order = match terms.document.helm {
                Helm::Discrete => decode::order(&choices),
                Helm::Continuous => {
                    let mut rest = [0; HEADS.len() - HELM_HEADS];
                    rest.copy_from_slice(&choices[HELM_HEADS..]);
                    let helm = [orders.controls[2 * agent], orders.controls[2 * agent + 1]];
                    decode::hybrid(helm, &rest)
                }
            };
            let before = &mut self.before[agent];
            before.dropped = dropped;
            before.order = order;
            before.target = track_number(arena, row, order.target);
            arena.give(row, order, Origin::External);
        }
    }

    /// What is left of the agents' orders in the later ticks of a decision: the helm, and whatever
    /// is still legal of the rest, aimed at the same contact wherever it is shown now.
    fn carry_on(&mut self) {
        let terms = Arc::clone(self.terms());
        let arena = self.held.arena_mut();
        for (agent, &row) in terms.agents.iter().enumerate() {
            let row = row as usize;
            let mut legal = [0; CHOICES];
            mask::ship(&arena.setup, &arena.state, row, &mut legal);
            let target = slot_of(arena, row, self.before[agent].target);
            let order = trimmed(Order { target, ..self.before[agent].order }, &legal);
            arena.give(row, order, Origin::External);
        }
    }

    /// One tick; whether the battle goes on.
    fn advance(&mut self) -> bool {
        let terms = Arc::clone(self.terms());
        let arena = self.held.arena_mut();
        let is_agent = |ship: usize| terms.agents.contains(&(ship as u32));
        let captains = terms.captains(arena.state.seed);
        battle::command(arena, &captains, is_agent);
        tick::advance(arena);
        !arena.done()
    }

    fn reward(&mut self, produced: &mut Produced<'_>) {
        let terms = Arc::clone(self.terms());
        let arena = self.held.arena();
        for (agent, &row) in terms.agents.iter().enumerate() {
            if !self.before[agent].plays {
                continue;
            }
            let of_tick = &arena.state.terms[row as usize];
            self.rejected += of_tick[REJECTED] as u32;
            let weighted = &mut produced.terms[agent * TERMS..(agent + 1) * TERMS];
            for (at, sum) in weighted.iter_mut().enumerate() {
                *sum += terms.document.weights[at] * of_tick[at];
            }
        }
    }

    fn write_view(&self, view: &mut View<'_>) {
        let (terms, mut arena) = (self.terms(), self.held.looked_at());
        let arena = &mut *arena;
        let per_obs = observe::FLOATS;
        let skipped = if terms.document.helm == Helm::Discrete { 0 } else { HELM_CHOICES };
        let per_mask = CHOICES - skipped;
        let goes_on = arena.state.outcome.ended_by == 0;
        for (agent, &row) in terms.agents.iter().enumerate() {
            let row = row as usize;
            let seen = &mut view.obs[agent * per_obs..(agent + 1) * per_obs];
            observe::ship(&arena.setup, &mut arena.state, row, seen);
            let mut legal = [0; CHOICES];
            mask::ship(&arena.setup, &arena.state, row, &mut legal);
            view.mask[agent * per_mask..(agent + 1) * per_mask].copy_from_slice(&legal[skipped..]);
            view.alive[agent] = u8::from(goes_on && arena.state.ships.fights(row));
        }
    }
}

impl World for Tidebreak {
    type Config = Config;
    const ID: &'static str = "tidebreak-v1";
    const STATE_VERSION: u32 = 3;

    fn layout(config: &Config) -> Layout {
        let terms = &config.terms;
        let agents = terms.agents.len() as u32;
        let (heads, controls) = match terms.document.helm {
            Helm::Discrete => (&HEADS[..], 0),
            Helm::Continuous => (&HEADS[HELM_HEADS..], HELM_HEADS as u32),
        };
        Layout {
            agents,
            obs: observe::FLOATS as u32,
            obs_range: (-1.0, 1.0),
            heads: heads.to_vec(),
            controls,
            terms: TERM_NAMES,
            stats: figures::NAMES,
            events: figures::EVENTS,
            hidden: (reveal::FLOATS + advice_floats(agents as usize)) as u32,
        }
    }

    fn new(config: &Config) -> Self {
        let terms = Arc::clone(&config.terms);
        let arena = Arena::new(Arc::clone(&terms.setup));
        let before = vec![Before::default(); terms.agents.len()];
        Self {
            terms: Some(terms),
            held: Held::live(arena),
            rejected: 0,
            before,
            ending: Vec::new(),
        }
    }

    fn reset(&mut self, seed: u64) {
        let terms = Arc::clone(self.terms());
        let arena = self.held.arena_mut();
        terms.place(seed, &mut arena.setup);
        arena.reset(seed);
        self.rejected = 0;
        self.ending.clear();
    }

    fn follow_on(&mut self, seed: u64) {
        let ending = portrait::happenings(&self.held.arena().journal);
        self.reset(seed);
        self.ending = ending;
    }

    fn observe(&self, view: &mut View<'_>) {
        self.write_view(view);
    }

    fn step(
        &mut self,
        orders: Orders<'_>,
        view: &mut View<'_>,
        produced: &mut Produced<'_>,
    ) -> Episode {
        produced.clear();
        self.held.arena_mut().journal.clear();
        self.ending.clear();
        let terms = Arc::clone(self.terms());
        figures::note(&terms, self.held.arena_mut(), &mut self.before);
        self.take(orders);
        for (agent, before) in self.before.iter().enumerate().filter(|(_, before)| before.plays) {
            let weight = terms.document.weights[REJECTED];
            produced.terms[agent * TERMS + REJECTED] = weight * f32::from(before.dropped);
            self.rejected += u32::from(before.dropped);
        }
        let mut ticks = 0;
        loop {
            let goes_on = self.advance();
            self.reward(produced);
            ticks += 1;
            if !goes_on || ticks == self.terms().document.decision_ticks {
                break;
            }
            self.carry_on();
        }
        for (agent, reward) in produced.reward.iter_mut().enumerate() {
            *reward = produced.terms[agent * TERMS..(agent + 1) * TERMS].iter().sum();
        }
        self.write_view(view);
        let counted = figures::Counted { ticks, rejected: self.rejected };
        figures::tell(&terms, &self.held.arena(), &self.before, counted, produced);
        if view.alive.iter().any(|&alive| alive != 0) { Episode::Running } else { Episode::Over }
    }

    /// The true state, then what each doctrine would choose, agent after agent.
    fn reveal(&self, out: &mut [f32]) {
        let (terms, arena) = (self.terms(), self.held.arena());
        let (truth, advice) = out.split_at_mut(reveal::FLOATS);
        reveal::state(&arena.setup, &arena.state, truth);
        let per_agent = Doctrine::ALL.len() * HEADS.len();
        for (agent, &row) in terms.agents.iter().enumerate() {
            let mut rows =
                advice[agent * per_agent..(agent + 1) * per_agent].chunks_exact_mut(HEADS.len());
            for (doctrine, out) in Doctrine::ALL.into_iter().zip(&mut rows) {
                let choices = doctrine::choose(doctrine, &arena.setup, &arena.state, row as usize);
                for (value, choice) in out.iter_mut().zip(choices) {
                    *value = f32::from(choice);
                }
            }
        }
    }

    fn restored(&mut self, config: &Config) {
        let terms = Arc::clone(&config.terms);
        self.before = vec![Before::default(); terms.agents.len()];
        self.held.revive(&terms);
        self.terms = Some(terms);
    }

    fn watch(&mut self, on: bool) {
        self.held.arena_mut().journal.trace = u8::from(on);
    }

    fn happenings(&self) -> String {
        let now = portrait::happenings(&self.held.arena().journal);
        Value::Array(self.ending.iter().cloned().chain(now).collect()).to_string()
    }

    fn portrait(&self) -> String {
        let arena = self.held.arena();
        portrait::draw(&arena.setup, &arena.state)
    }

    fn check(&self, config: &Config) -> Result<(), String> {
        self.held.check(&config.terms)
    }
}

/// Floats of the doctrines' advice.
fn advice_floats(agents: usize) -> usize {
    agents * Doctrine::ALL.len() * HEADS.len()
}

/// The number of the contact a choice of target means; 0 for none.
fn track_number(arena: &Arena, ship: usize, target: u8) -> u32 {
    let beliefs = &arena.state.beliefs;
    if target == 0 || target > beliefs.shown_count[ship] {
        return 0;
    }
    let row = beliefs.shown[ship][usize::from(target) - 1];
    beliefs.tracks.number[ship * TRACKS + usize::from(row)]
}

/// The choice of target that means the contact of this number now; 0 if it is not shown.
fn slot_of(arena: &Arena, ship: usize, number: u32) -> u8 {
    let beliefs = &arena.state.beliefs;
    let shown = &beliefs.shown[ship][..usize::from(beliefs.shown_count[ship])];
    let tracks = &beliefs.tracks.number[ship * TRACKS..(ship + 1) * TRACKS];
    let slot = shown.iter().position(|&row| number != 0 && tracks[usize::from(row)] == number);
    slot.map_or(0, |slot| slot as u8 + 1)
}

/// An order without what is not legal.
fn trimmed(order: Order, legal: &[u8; CHOICES]) -> Order {
    let mut first = [0; HEADS.len()];
    for head in 1..HEADS.len() {
        first[head] = first[head - 1] + HEADS[head - 1] as usize;
    }
    let keep = |head: usize, choice: u8| {
        if legal[first[head] + usize::from(choice)] != 0 { choice } else { 0 }
    };
    let target = keep(2, order.target);
    let mut fire = 0;
    for group in 0..4 {
        fire |= keep(3 + group, order.fire >> group & 1) << group;
    }
    Order {
        target,
        fire: if target == 0 { 0 } else { fire },
        layer_emission: keep(7, order.layer()) | keep(8, order.emission()) << 4,
        utility: keep(9, order.utility),
        damage_control: keep(10, order.damage_control),
        ..order
    }
}
