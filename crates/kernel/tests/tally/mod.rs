//! A world for the kernel's own tests: two counters that draw, leave, and break on command.

use astrarium_kernel::{Autoreset, Batch, Episode, Layout, Orders, Produced, Stream, View, World};
use serde::{Deserialize, Serialize};

/// The choice at which a rule panics.
pub const BREAK: i32 = 13;
/// The seed at which resetting panics.
pub const BREAKING_SEED: u64 = 0xbad;
/// Add a drawn number to the count.
pub const DRAW: i32 = 1;
/// Leave the game.
pub const LEAVE: i32 = 2;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Config {
    pub ticks_max: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tally {
    ticks_max: u32,
    seed: u64,
    tick: u32,
    counts: [u32; 2],
    present: [bool; 2],
    pull: f32,
}

impl World for Tally {
    type Config = Config;
    const ID: &'static str = "tally-v1";
    const STATE_VERSION: u32 = 1;

    fn layout(_: &Config) -> Layout {
        Layout {
            agents: 2,
            obs: 3,
            obs_range: (0.0, 1e9),
            heads: vec![3],
            controls: 1,
            terms: &["drawn"],
            stats: &["ticks"],
            events: &["left"],
            hidden: 0,
        }
    }

    fn new(config: &Config) -> Self {
        Self {
            ticks_max: config.ticks_max,
            seed: 0,
            tick: 0,
            counts: [0; 2],
            present: [true; 2],
            pull: 0.0,
        }
    }

    fn reset(&mut self, seed: u64) {
        assert_ne!(seed, BREAKING_SEED, "the seed broke");
        *self = Self { seed, ..Self::new(&Config { ticks_max: self.ticks_max }) };
    }

    fn observe(&self, view: &mut View<'_>) {
        view.mask.fill(1);
        for (agent, row) in view.obs.chunks_exact_mut(3).enumerate() {
            row[0] = self.counts[agent] as f32;
            row[1] = self.tick as f32;
            row[2] = (self.seed % 1000) as f32;
            view.alive[agent] = u8::from(self.present[agent]);
        }
    }

    fn step(
        &mut self,
        orders: Orders<'_>,
        view: &mut View<'_>,
        produced: &mut Produced<'_>,
    ) -> Episode {
        produced.clear();
        produced.clear();
        self.tick += 1;
        let stream = Stream::new(self.seed, 0);
        for agent in 0..2 {
            if !self.present[agent] {
                continue;
            }
            match orders.actions[agent] {
                DRAW => {
                    let drawn = stream.below(6, agent as u32, self.tick, 0);
                    self.counts[agent] += drawn;
                    produced.terms[agent] = drawn as f32;
                    produced.reward[agent] = drawn as f32;
                }
                LEAVE => {
                    self.present[agent] = false;
                    produced.terminated[agent] = 1;
                    produced.events[agent] = 1;
                }
                BREAK => panic!("the rule broke"),
                _ => {}
            }
            self.pull += orders.controls[agent];
            if self.tick == self.ticks_max && self.present[agent] {
                produced.truncated[agent] = 1;
            }
        }
        produced.stats[0] = self.tick as f32;
        self.observe(view);
        let over = self.tick == self.ticks_max || !self.present.contains(&true);
        if over { Episode::Over } else { Episode::Running }
    }

    fn check(&self, config: &Config) -> Result<(), String> {
        if self.tick > config.ticks_max {
            return Err(format!("tick {} is past the end", self.tick));
        }
        Ok(())
    }
}

/// A batch of tallies.
pub fn batch(worlds: u64, threads: u64, autoreset: Autoreset, ticks_max: u32) -> Batch<Tally> {
    Batch::new(Config { ticks_max }, worlds, threads, autoreset).expect("counts are in range")
}

/// Fill in one action for every agent of every world.
pub fn order(batch: &mut Batch<Tally>, actions: &[i32]) {
    let orders = batch.arrays_mut().actions.as_mut_slice();
    for (order, &action) in orders.iter_mut().zip(actions.iter().cycle()) {
        *order = action;
    }
}
