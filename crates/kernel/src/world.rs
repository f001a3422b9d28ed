//! The contract every world keeps, and the rows it reads and writes.

use serde::{Serialize, de::DeserializeOwned};

/// The sizes and names of a world's arrays. Fixed for the life of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Agent slots per world (`m`).
    pub agents: u32,
    /// Floats one agent sees (`D`).
    pub obs: u32,
    /// Least and greatest value of any observation.
    pub obs_range: (f32, f32),
    /// Choices of each discrete action head, in order (`H` heads, `K` choices in all).
    pub heads: Vec<u32>,
    /// Continuous controls per agent (`C`), each in -1..1.
    pub controls: u32,
    /// Names of the reward's terms, in the order they are added (`R`).
    pub terms: &'static [&'static str],
    /// Names of the episode figures (`S`).
    pub stats: &'static [&'static str],
    /// Names of the event bits, lowest first; at most 32.
    pub events: &'static [&'static str],
    /// Floats of the hidden state that [`World::reveal`] writes; 0 if it has none to show.
    pub hidden: u32,
}

impl Layout {
    /// Entries of one agent's mask: the choices of all heads together.
    #[must_use]
    pub fn choices(&self) -> u32 {
        self.heads.iter().sum()
    }
}

/// What the agents of one world ask for in one step.
#[derive(Clone, Copy, Debug)]
pub struct Orders<'a> {
    /// One index per head, agent after agent.
    pub actions: &'a [i32],
    /// Continuous controls, agent after agent; always finite.
    pub controls: &'a [f32],
}

/// What the agents of one world can see between steps. Rows keep their contents from step to
/// step, so a world may rewrite only what changed.
#[derive(Debug)]
pub struct View<'a> {
    /// Observations, agent after agent.
    pub obs: &'a mut [f32],
    /// 1 where a choice is legal, agent after agent.
    pub mask: &'a mut [u8],
    /// 1 where the slot holds an agent in play.
    pub alive: &'a mut [u8],
}

/// What one step of one world produced. Rows still hold the last step: write every entry, or
/// begin with [`Produced::clear`].
#[derive(Debug)]
pub struct Produced<'a> {
    /// One reward per agent: the sum of its terms, in order.
    pub reward: &'a mut [f32],
    /// The named terms, agent after agent.
    pub terms: &'a mut [f32],
    /// 1 where the agent's episode ended by the rules.
    pub terminated: &'a mut [u8],
    /// 1 where it was cut off.
    pub truncated: &'a mut [u8],
    /// Event bits per agent.
    pub events: &'a mut [u32],
    /// Episode figures so far; final where the episode ended.
    pub stats: &'a mut [f32],
}

impl Produced<'_> {
    /// Zero everything but the figures.
    pub fn clear(&mut self) {
        self.reward.fill(0.0);
        self.terms.fill(0.0);
        self.terminated.fill(0);
        self.truncated.fill(0);
        self.events.fill(0);
    }
}

/// Whether the episode goes on after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Episode {
    /// At least one agent is still in play, or may yet arrive.
    Running,
    /// The episode is over for the whole world.
    Over,
}

/// One world: its whole state, and rules that are pure in (config, seed, actions).
///
/// A world holds no clock, does no I/O and draws randomness only from its seed. Its serialised
/// form is its identity: the digest and the snapshot are taken from it, so it holds no `usize`,
/// no hash map and nothing that depends on the platform.
pub trait World: Clone + Send + Serialize + DeserializeOwned + 'static {
    /// Settings fixed for the life of a batch.
    type Config: Clone + Send + Sync + Serialize + 'static;

    /// The registered name, with its version: `prospector-v2`.
    const ID: &'static str;

    /// Raised whenever the stored form of the state changes.
    const STATE_VERSION: u32;

    /// The arrays this world needs under `config`.
    fn layout(config: &Self::Config) -> Layout;

    /// A world waiting for its first reset.
    fn new(config: &Self::Config) -> Self;

    /// Bytes at the front of the struct that every step reads: fetched ahead of time.
    const HOT_BYTES: usize = 0;

    /// This world will be stepped next: fetch what the hot bytes point at and what will change.
    #[inline]
    fn warm(&self, _view: &View<'_>) {}

    /// Begin the episode of `seed`, forgetting everything before.
    fn reset(&mut self, seed: u64);

    /// Begin the episode of `seed` in the step that ended the one before. As [`World::reset`], but
    /// what happened in that step has not been asked for yet and is still to be told.
    fn follow_on(&mut self, seed: u64) {
        self.reset(seed);
    }

    /// Write the whole view. Must change nothing.
    fn observe(&self, view: &mut View<'_>);

    /// Advance one decision, bring the view up to date and report.
    ///
    /// An agent that ends leaves its last observation in the view; the kernel keeps it as its
    /// final observation. An illegal or out-of-range action has one documented effect and never
    /// panics.
    fn step(
        &mut self,
        orders: Orders<'_>,
        view: &mut View<'_>,
        produced: &mut Produced<'_>,
    ) -> Episode;

    /// Write the state agents cannot see, for planners, teaching and drawings. Must change nothing.
    fn reveal(&self, _out: &mut [f32]) {}

    /// A state read back has passed [`World::check`]: take up again what it shares with its batch.
    fn restored(&mut self, _config: &Self::Config) {}

    /// Begin or stop keeping the happenings of each step. Must not affect the state's digest.
    fn watch(&mut self, _on: bool) {}

    /// What happened in the last step, if watched: a JSON array, each happening once. Where the step
    /// ended an episode and began the next one, that of the ended one comes first.
    fn happenings(&self) -> String {
        "[]".to_owned()
    }

    /// The state in words and numbers, for drawing: a JSON object, or null where there is none.
    fn portrait(&self) -> String {
        "null".to_owned()
    }

    /// Names of what [`World::block`] tells.
    const BLOCKS: &'static [&'static str] = &[];

    /// One part of the state that a portrait leaves out, as JSON, worked out for whoever asks;
    /// nothing where no part has this name.
    fn block(&self, _name: &str) -> Option<String> {
        None
    }

    /// Queue an order from outside, as JSON; the rules take it up when its time has come. Returns
    /// its number among those of the episode, from 1, under which its outcome is told.
    ///
    /// # Errors
    /// Why it was not understood.
    fn command(&mut self, _json: &str) -> Result<u64, String> {
        Err("this world takes no commands".to_owned())
    }

    /// Refuse a restored state that breaks an invariant the rules rely on.
    ///
    /// # Errors
    /// The invariant, in words.
    fn check(&self, config: &Self::Config) -> Result<(), String>;
}
