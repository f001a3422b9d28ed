//! Towns played through: a stage to step one on, and what every one of them must keep.

mod blocks;
mod chaos;
mod company;
mod crowding;
mod dismissals;
mod documents;
mod drama;
mod exactness;
mod fairness;
mod foresight;
mod hardship;
mod kitchen;
mod leniency;
mod livability;
mod lives;
mod meetings;
mod nonsense;
mod orders;
mod possession;
mod queueing;
mod refusals;
mod reloads;
mod resuming;
mod rewards;
mod scenarios;
mod seams;
mod shifts;
mod sight;
mod telling;
mod ties;
mod weather;
mod workdays;

use astrarium_kernel::{Episode, Layout, Orders, Produced, View, World};

use crate::config::{Chances, Config, Document};
use crate::events::Event;
use crate::state::State;
use crate::{Townlet, citizen};

/// One town with its rows.
pub struct Stage {
    pub world: Townlet,
    pub layout: Layout,
    pub obs: Vec<f32>,
    pub mask: Vec<u8>,
    pub alive: Vec<u8>,
    pub reward: Vec<f32>,
    pub terms: Vec<f32>,
    pub terminated: Vec<u8>,
    pub truncated: Vec<u8>,
    pub bits: Vec<u32>,
    pub stats: Vec<f32>,
}

impl Stage {
    pub fn new(document: Document, seed: u64) -> Self {
        let config = Config::new(document).expect("a sound document");
        Self::of(&config, seed)
    }

    pub fn of(config: &Config, seed: u64) -> Self {
        let layout = Townlet::layout(config);
        let agents = layout.agents as usize;
        let mut stage = Self {
            world: Townlet::new(config),
            obs: vec![0.0; agents * layout.obs as usize],
            mask: vec![0; agents * layout.choices() as usize],
            alive: vec![0; agents],
            reward: vec![0.0; agents],
            terms: vec![0.0; agents * layout.terms.len()],
            terminated: vec![0; agents],
            truncated: vec![0; agents],
            bits: vec![0; agents],
            stats: vec![0.0; layout.stats.len()],
            layout,
        };
        stage.world.watch(true);
        stage.world.reset(seed);
        stage.look();
        stage
    }

    fn look(&mut self) {
        let town = std::sync::Arc::clone(&self.world.town);
        self.world.state.look_around(&town);
        let mut view = View { obs: &mut self.obs, mask: &mut self.mask, alive: &mut self.alive };
        self.world.observe(&mut view);
    }

    pub fn step(&mut self, actions: &[i32]) -> Episode {
        let mut view = View { obs: &mut self.obs, mask: &mut self.mask, alive: &mut self.alive };
        let mut produced = Produced {
            reward: &mut self.reward,
            terms: &mut self.terms,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            events: &mut self.bits,
            stats: &mut self.stats,
        };
        self.world.step(Orders { actions, controls: &[] }, &mut view, &mut produced)
    }

    /// What the scripted citizens choose now.
    pub fn advice(&self) -> Vec<i32> {
        let mut advice = vec![0.0; self.state().agents.len()];
        citizen::advise(&self.world.town, &self.world.state, &mut advice);
        advice.into_iter().map(|choice| choice as i32).collect()
    }

    /// Let the scripted citizens live.
    pub fn live(&mut self, ticks: u32) {
        for _ in 0..ticks {
            let advice = self.advice();
            self.step(&advice);
        }
    }

    /// Let nobody do anything.
    pub fn idle(&mut self, ticks: u32) {
        let wait = vec![0; self.state().agents.len()];
        for _ in 0..ticks {
            self.step(&wait);
        }
    }

    pub fn state(&self) -> &State {
        &self.world.state
    }

    pub fn state_mut(&mut self) -> &mut State {
        &mut self.world.state
    }

    pub fn events(&self) -> &[Event] {
        &self.state().log.events
    }

    pub fn stat(&self, name: &str) -> f32 {
        let at = self.layout.stats.iter().position(|known| *known == name);
        self.stats[at.expect("a figure of this name")]
    }

    /// A block of the town, which must have it.
    pub fn world_block(&self, name: &str) -> serde_json::Value {
        let told = self.world.block(name).expect("a block of this name");
        serde_json::from_str(&told).expect("JSON")
    }

    pub fn order(&mut self, json: &str) {
        self.world.command(json).expect("a command");
    }
}

/// The default town with this many residents and a long episode.
pub fn town_of(agents: u16) -> Document {
    let mut document = Document::default();
    document.population.agents = agents;
    document.env.max_ticks = 1_000_000;
    document
}

/// The same with every rule that is off by default.
pub fn eventful_town_of(agents: u16) -> Document {
    let mut document = town_of(agents);
    let features = &mut document.features;
    features.weather.enabled = true;
    features.weather.warmth = true;
    features.weather.chances = Chances { sunny: 0.4, rainy: 0.3, cold: 0.3 };
    features.spoilage.enabled = true;
    features.drama.enabled = true;
    features.drama.argument_rivalry = 0.05;
    features.drama.argument_rest_ticks = 20;
    features.patience = true;
    document.observations.include_weather = true;
    document
}
