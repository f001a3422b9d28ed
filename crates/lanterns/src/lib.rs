//! Lanterns: two keepers walk a ring and keep its lamps burning while the wind blows them out.
//!
//! The smallest world that uses everything the kernel offers: two agents, two action heads, a
//! mask, named randomness, reward terms, events, and a keeper who can be lost while the other
//! goes on. It is the template that `tools/new_world.py` copies.

mod observe;
mod rules;

use astrarium_kernel::{Episode, Layout, Orders, Produced, View, World};
use serde::{Deserialize, Serialize};

/// Cells of the ring; cell 0 holds the oil depot.
pub const CELLS: u8 = 16;
/// Lamps around the ring.
pub const LAMPS: usize = 4;
/// Keepers walking it.
pub const KEEPERS: usize = 2;
/// Oil a keeper can carry; one unit burns away every tick.
pub const OIL_MAX: u8 = 24;
/// Oil it takes to light a lamp.
pub const OIL_PER_LAMP: u8 = 2;

/// Settings fixed for the life of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Ticks until the episode is cut off.
    pub ticks_max: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { ticks_max: 200 }
    }
}

/// One keeper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keeper {
    /// Where on the ring.
    pub cell: u8,
    /// Oil left; at 0 the keeper is lost.
    pub oil: u8,
}

/// One lamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lamp {
    /// Where on the ring; never the depot.
    pub cell: u8,
    /// Burning now.
    pub lit: bool,
}

/// The whole state of one ring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lanterns {
    ticks_max: u32,
    seed: u64,
    tick: u32,
    keepers: [Keeper; KEEPERS],
    lamps: [Lamp; LAMPS],
    lamps_lit: u32,
}

impl World for Lanterns {
    type Config = Config;
    const ID: &'static str = "lanterns-v1";
    const STATE_VERSION: u32 = 1;

    fn layout(_: &Config) -> Layout {
        Layout {
            agents: KEEPERS as u32,
            obs: observe::OBS as u32,
            obs_range: (-1.0, 1.0),
            heads: vec![rules::MOVES, rules::TASKS],
            controls: 0,
            terms: &["lamp", "lost"],
            stats: &["ticks", "lamps_lit", "keepers_lost"],
            events: &["ignored_order", "lamp_lit", "refilled", "lost"],
            hidden: 0,
        }
    }

    fn new(config: &Config) -> Self {
        Self {
            ticks_max: config.ticks_max,
            seed: 0,
            tick: 0,
            keepers: [Keeper::default(); KEEPERS],
            lamps: [Lamp::default(); LAMPS],
            lamps_lit: 0,
        }
    }

    fn reset(&mut self, seed: u64) {
        *self = Self { seed, ..Self::new(&Config { ticks_max: self.ticks_max }) };
        rules::place(self);
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
        produced.clear();
        let in_play = self.keepers.map(|keeper| keeper.oil > 0);
        for (index, order) in orders.actions.chunks_exact(2).enumerate() {
            if in_play[index] {
                rules::act(self, index, order[0], order[1], produced);
            }
        }
        rules::wind(self);
        self.tick += 1;
        let episode = rules::endings(self, in_play, produced);
        self.observe(view);
        episode
    }

    fn check(&self, config: &Config) -> Result<(), String> {
        let cells = self.keepers.iter().map(|keeper| keeper.cell);
        let cells = cells.chain(self.lamps.iter().map(|lamp| lamp.cell));
        if cells.into_iter().any(|cell| cell >= CELLS) {
            return Err(format!("a cell lies outside the ring of {CELLS}"));
        }
        if self.keepers.iter().any(|keeper| keeper.oil > OIL_MAX) {
            return Err(format!("a keeper carries more than {OIL_MAX} oil"));
        }
        if self.ticks_max != config.ticks_max || self.tick > self.ticks_max {
            return Err(format!("tick {} of {} is not reachable", self.tick, self.ticks_max));
        }
        if self.lamps_lit / KEEPERS as u32 > self.tick {
            return Err(format!("{} lamps lit in {} ticks", self.lamps_lit, self.tick));
        }
        Ok(())
    }
}
