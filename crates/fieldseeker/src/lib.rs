//! Fieldseeker: a boat finds a fire by what it feels of the fields around it.
//!
//! MorphoSpace alone, as a world: one agent, two continuous controls, and no view but the foveated
//! one. Nothing tells the boat where it is or where the fire burns; warmth does.

mod rules;
#[cfg(test)]
mod tests;

use astrarium_kernel::{Episode, Layout, Orders, Produced, View, World};
use astrarium_morphospace::{FOVEA_SIZE, Space, Spec};
use serde::{Deserialize, Serialize};

/// Side of the square map.
pub const MAP_M: f32 = 8000.0;
/// Side of a cell.
pub const CELL_M: f32 = 125.0;
/// Seconds a decision lasts; the fields are stepped once in each.
pub const DECISION_S: u32 = 5;
/// Within this distance the fire is reached.
pub const REACHED_M: f32 = 150.0;

/// Settings fixed for the life of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Decisions until the episode is cut off.
    pub ticks_max: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { ticks_max: 120 }
    }
}

/// The whole state of one search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fieldseeker {
    ticks_max: u32,
    seed: u64,
    tick: u32,
    /// Where the boat is.
    boat: (f32, f32),
    /// Radians counter-clockwise from +x, in [-π, π).
    heading: f32,
    /// Metres per second.
    speed: f32,
    /// Where it burns.
    fire: (f32, f32),
    space: Space,
    /// What the boat feels now; follows from the rest.
    #[serde(skip)]
    felt: Vec<f32>,
}

impl Fieldseeker {
    /// From the boat to the fire.
    fn distance_m(&self) -> f32 {
        let (x, y) = (self.fire.0 - self.boat.0, self.fire.1 - self.boat.1);
        (x * x + y * y).sqrt()
    }

    /// The fire is reached, or the time is up.
    fn is_over(&self) -> bool {
        self.distance_m() <= REACHED_M || self.tick >= self.ticks_max
    }

    fn feel(&mut self) {
        let mut felt = [0.0; FOVEA_SIZE];
        self.space.foveated(self.boat, self.heading, &mut felt);
        self.felt.resize(FOVEA_SIZE, 0.0);
        self.felt.copy_from_slice(&felt);
    }

    fn spec() -> Spec {
        Spec::new(MAP_M, MAP_M, CELL_M)
    }
}

impl World for Fieldseeker {
    type Config = Config;
    const ID: &'static str = "fieldseeker-v1";
    const STATE_VERSION: u32 = 1;

    fn layout(_: &Config) -> Layout {
        Layout {
            agents: 1,
            obs: FOVEA_SIZE as u32,
            obs_range: (-1.0, 1.0),
            heads: vec![],
            controls: 2,
            terms: &["nearer", "reached", "time"],
            stats: &["ticks", "distance_m", "reached"],
            events: &["reached"],
            hidden: 6,
        }
    }

    fn new(config: &Config) -> Self {
        let space = Space::new(&Self::spec()).expect("the settings of this world are sound");
        Self {
            ticks_max: config.ticks_max,
            seed: 0,
            tick: 0,
            boat: (0.0, 0.0),
            heading: 0.0,
            speed: 0.0,
            fire: (0.0, 0.0),
            space,
            felt: vec![0.0; FOVEA_SIZE],
        }
    }

    fn reset(&mut self, seed: u64) {
        self.seed = seed;
        self.tick = 0;
        rules::place(self);
        self.feel();
    }

    fn observe(&self, view: &mut View<'_>) {
        view.obs.copy_from_slice(&self.felt);
        view.alive[0] = u8::from(!self.is_over());
    }

    fn step(
        &mut self,
        orders: Orders<'_>,
        view: &mut View<'_>,
        produced: &mut Produced<'_>,
    ) -> Episode {
        produced.clear();
        let before_m = self.distance_m();
        rules::sail(self, orders.controls[0], orders.controls[1]);
        self.tick += 1;
        let episode = rules::endings(self, before_m, produced);
        self.feel();
        self.observe(view);
        episode
    }

    fn reveal(&self, out: &mut [f32]) {
        let (boat, fire) = (self.boat, self.fire);
        out.copy_from_slice(&[boat.0, boat.1, self.heading, self.speed, fire.0, fire.1]);
    }

    fn restored(&mut self, _: &Config) {
        self.feel();
    }

    fn check(&self, config: &Config) -> Result<(), String> {
        if self.ticks_max != config.ticks_max || self.tick > self.ticks_max {
            return Err(format!("tick {} of {} is not reachable", self.tick, self.ticks_max));
        }
        let on_map = |at: (f32, f32)| at.0.abs() <= 0.5 * MAP_M && at.1.abs() <= 0.5 * MAP_M;
        if !on_map(self.boat) || !on_map(self.fire) {
            return Err(format!("boat {:?} or fire {:?} lies off the map", self.boat, self.fire));
        }
        if !self.heading.is_finite() || self.heading.abs() > std::f32::consts::PI {
            return Err(format!("heading {} is more than half a turn", self.heading));
        }
        if !(self.speed >= 0.0 && self.speed <= rules::SPEED_MAX) {
            return Err(format!("a speed of {} m/s", self.speed));
        }
        if *self.space.spec() != Self::spec() {
            return Err("the fields are of another sea".to_owned());
        }
        Ok(())
    }
}
