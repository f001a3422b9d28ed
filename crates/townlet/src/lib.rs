//! Townlet: residents with needs, jobs, queues and rivals live in a small town.
//!
//! What never changes within a configuration stands in [`town`], what a town is in [`state`], and
//! the order of a tick in [`tick`]; every rule has its own file.

mod affordances;
mod agent;
mod annex;
mod blocks;
mod chat;
mod chronicle;
mod citizen;
mod commands;
mod conditions;
pub mod config;
mod crowd;
mod dismissals;
mod drama;
mod draws;
mod economy;
mod employment;
mod errands;
mod events;
mod figures;
mod ghosts;
mod grid;
mod hashes;
mod hot;
mod lifecycle;
mod masks;
mod movement;
mod needs;
mod numbers;
mod observe;
mod options;
mod patience;
mod perturbations;
mod plan;
mod policy;
mod portrait;
mod preconditions;
mod primitives;
mod queues;
mod relations;
mod reloading;
mod reward;
mod scheduler;
mod slots;
mod sound;
mod spawn;
mod spoilage;
mod state;
#[cfg(test)]
mod tests;
mod tick;
mod town;
mod weather;

use std::sync::Arc;

use astrarium_kernel::{Episode, Layout, Orders, Produced, View, World};
use serde::{Deserialize, Serialize};

pub use config::{Config, Document};

use commands::Pending;
use draws::Draws;
use state::State;
use town::Town;

/// One town: the shared tables, and its whole state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Townlet {
    /// As configured.
    #[serde(skip)]
    founded: Arc<Town>,
    /// As it is now: after a reload of more than figures, this town's own.
    #[serde(skip)]
    town: Arc<Town>,
    state: State,
}

impl Townlet {
    /// Begin the episode of `seed`; what is in the log is still told.
    fn begin(&mut self, seed: u64) {
        self.town = Arc::clone(&self.founded);
        let log = std::mem::take(&mut self.state.log);
        self.state = State {
            seed,
            world: Draws::of(seed, "world"),
            events: Draws::of(seed, "events"),
            policy: Draws::of(seed, "policy"),
            log,
            ..State::empty(&self.town)
        };
        tick::begin(&mut self.town, &mut self.state);
    }
}

impl World for Townlet {
    type Config = Config;
    const ID: &'static str = "townlet-v1";
    const STATE_VERSION: u32 = 3;

    fn layout(config: &Config) -> Layout {
        let sight = &config.town.sight;
        let more = config.town.document.features.any_optional();
        Layout {
            agents: config.town.seats as u32,
            obs: sight.width as u32,
            obs_range: (-1.0, 1.0),
            heads: vec![sight.choices as u32],
            controls: 0,
            terms: reward::TERMS,
            stats: if more { figures::NAMES } else { figures::ORDINARY },
            events: if more { events::BITS } else { events::ORDINARY },
            hidden: 2 * config.town.seats as u32,
        }
    }

    fn new(config: &Config) -> Self {
        Self {
            founded: Arc::clone(&config.town),
            town: Arc::clone(&config.town),
            state: State::empty(&config.town),
        }
    }

    fn reset(&mut self, seed: u64) {
        self.state.log.clear();
        self.begin(seed);
    }

    fn follow_on(&mut self, seed: u64) {
        events::close(&self.town, &mut self.state);
        self.begin(seed);
    }

    fn observe(&self, view: &mut View<'_>) {
        observe::write(&self.town, &self.state, view);
    }

    fn step(
        &mut self,
        orders: Orders<'_>,
        view: &mut View<'_>,
        produced: &mut Produced<'_>,
    ) -> Episode {
        produced.clear();
        let episode = tick::advance(&mut self.town, &mut self.state, orders, produced);
        observe::write(&self.town, &self.state, view);
        episode
    }

    /// What the scripted citizen would choose, seat after seat; then who sits there: the number of
    /// the person, counted from 1, or 0 for nobody.
    fn reveal(&self, out: &mut [f32]) {
        let (advice, persons) = out.split_at_mut(self.state.agents.len());
        citizen::advise(&self.town, &self.state, advice);
        for (person, agent) in persons.iter_mut().zip(&self.state.agents) {
            *person = if agent.present() { agent.serial as f32 + 1.0 } else { 0.0 };
        }
    }

    fn restored(&mut self, config: &Config) {
        self.founded = Arc::clone(&config.town);
        self.town = reloading::in_force(&config.town, &self.state).expect("checked before");
        self.state.stand(&self.town);
    }

    fn watch(&mut self, on: bool) {
        self.state.log.watched = on;
    }

    fn happenings(&self) -> String {
        events::as_json(&self.town, &self.state)
    }

    fn portrait(&self) -> String {
        portrait::draw(&self.town, &self.state)
    }

    const BLOCKS: &'static [&'static str] = &blocks::NAMES;

    fn block(&self, name: &str) -> Option<String> {
        blocks::tell(&self.town, &self.state, name).map(|told| told.to_string())
    }

    fn command(&mut self, json: &str) -> Result<u64, String> {
        let command = commands::read(&self.town, &self.state, json)?;
        self.state.commands += 1;
        self.state.pending.push(Pending { number: self.state.commands, command });
        Ok(self.state.commands)
    }

    fn check(&self, config: &Config) -> Result<(), String> {
        let town = reloading::in_force(&config.town, &self.state)?;
        sound::check(&town, &self.state)
    }
}
