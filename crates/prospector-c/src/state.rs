//! What a handle points to: a world, its view and its last seed, in one block.

use astrarium_kernel::{View, World};
use astrarium_prospector::{ACTIONS, OBS, ProspectorV1};

use crate::{Config, Result};

/// One ship in one episode. The view is kept so that a step only rewrites what it changed.
#[derive(Clone, Debug)]
pub struct State {
    world: ProspectorV1,
    seed: u64,
    obs: [f32; OBS],
    mask: [u8; ACTIONS],
    alive: [u8; 1],
}

impl State {
    /// At the beginning of the episode of `seed`.
    #[must_use]
    pub fn new(config: Config, seed: u64) -> Self {
        let world = ProspectorV1::new(&astrarium_prospector::Config {
            time_max: config.time_max,
            invalid_action_penalty: config.invalid_action_penalty,
        });
        let mut state = Self { world, seed, obs: [0.0; OBS], mask: [0; ACTIONS], alive: [0] };
        state.reset(seed);
        state
    }

    /// Begin the episode of `seed`; the settings stay.
    pub fn reset(&mut self, seed: u64) {
        self.seed = seed;
        self.world.reset(seed);
        let Self { world, obs, mask, alive, .. } = self;
        world.observe(&mut View { obs, mask, alive });
    }

    /// Play one action; an index of 69 or more counts as an impossible hold.
    pub fn step(&mut self, action: u8) -> Result {
        let Self { world, obs, mask, alive, .. } = self;
        let turn = world.advance(action);
        world.refresh(&turn, &mut View { obs, mask, alive });
        Result::of(world, &turn, obs)
    }

    /// What the ship sees now.
    #[must_use]
    pub const fn obs(&self) -> &[f32; OBS] {
        &self.obs
    }

    /// The seed of the episode.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }
}
