//! The named streams of a battle's seed.

use astrarium_kernel::Stream;

/// What a draw is for. The number is the stream and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the streams")]
pub enum Draw {
    Scenario = 0,
    Sensor = 1,
    Weapon = 2,
    Damage = 3,
    Layer = 4,
    Weather = 5,
    Morale = 6,
    Boarding = 7,
    Doctrine = 8,
    ElectronicWarfare = 9,
}

/// All streams of one battle.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    seed: u64,
}

impl Draws {
    /// Of this battle.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        Self { seed }
    }

    /// Four random words: draws of one event that need not be told apart by index.
    #[must_use]
    pub fn words(self, draw: Draw, entity: u32, tick: u32, index: u32) -> [u32; 4] {
        Stream::new(self.seed, draw as u32).words(entity, tick, index)
    }

    /// A float in [0, 1).
    #[must_use]
    pub fn unit(self, draw: Draw, entity: u32, tick: u32, index: u32) -> f32 {
        Stream::new(self.seed, draw as u32).unit(entity, tick, index)
    }

    /// A pair of independent normal values of unit variance (Box and Muller's way).
    #[must_use]
    pub fn normal_pair(self, draw: Draw, entity: u32, tick: u32, index: u32) -> (f32, f32) {
        let words = Stream::new(self.seed, draw as u32).words(entity, tick, index);
        let first = ((words[0] >> 8) as f32 + 1.0) * (1.0 / 16_777_216.0);
        let second = (words[1] >> 8) as f32 * (1.0 / 16_777_216.0);
        let radius = (-2.0 * libm::logf(first)).sqrt();
        let angle = std::f32::consts::TAU * second;
        (radius * libm::cosf(angle), radius * libm::sinf(angle))
    }
}
