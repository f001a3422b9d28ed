//! Random draws: the fixed set of samplers the rules use, over one PCG32 stream.

use astrarium_kernel::{Jump, Pcg32};
use serde::{Deserialize, Serialize};
use std::f32::consts::TAU;

use crate::float::{exp, ln};
use crate::waves;

const STREAM: u64 = 54;
/// Keeps logarithms of a unit draw finite.
const UNIT_MIN: f32 = 1e-8;

/// The jump over `draws` words of this generator.
pub const fn jump_over(draws: u64) -> Jump {
    Jump::over(draws, STREAM)
}

/// The ship's one generator. Stored as its 64-bit state: the stream never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// A fresh generator.
    pub const fn new(seed: u64) -> Self {
        Self { state: Pcg32::new(seed, STREAM).state() }
    }

    /// A generator continued from `state`.
    pub const fn at(state: u64) -> Self {
        Self { state }
    }

    /// The state to continue from.
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// Skip draws nobody needs yet.
    #[inline]
    pub const fn jump(&mut self, jump: &Jump) {
        let mut pcg = Pcg32::at(self.state, STREAM);
        pcg.jump(jump);
        self.state = pcg.state();
    }

    /// The next 32-bit word.
    #[inline]
    pub const fn word(&mut self) -> u32 {
        let mut pcg = Pcg32::at(self.state, STREAM);
        let word = pcg.next_u32();
        self.state = pcg.state();
        word
    }

    /// A float in 0..=1: the word over 2^32, rounded once to single precision, so 1.0 can occur.
    #[inline]
    pub const fn unit(&mut self) -> f32 {
        // Rounding the word and scaling by a power of two rounds exactly once.
        self.word() as f32 * (1.0 / 4_294_967_296.0)
    }

    /// A whole number in `low..high`, by remainder.
    #[inline]
    pub const fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + self.word() % (high - low)
    }

    /// A float in `low..=high`.
    #[inline]
    pub const fn uniform(&mut self, (low, high): (f32, f32)) -> f32 {
        low + (high - low) * self.unit()
    }

    /// An exponential draw with mean 1.
    #[inline]
    pub fn expo(&mut self) -> f32 {
        -ln(at_least_min(self.unit()))
    }

    /// The words of one normal draw, for [`normals`].
    #[inline]
    pub const fn normal_pair(&mut self) -> NormalPair {
        let radius = at_least_min(self.unit());
        let angle = TAU * self.unit();
        NormalPair { radius, angle }
    }

    /// `N` standard normal draws, one after another.
    #[inline]
    pub fn normals<const N: usize>(&mut self) -> [f32; N] {
        normals(std::array::from_fn(|_| self.normal_pair()))
    }

    /// A normal draw. The second value of the Box-Muller pair is never used.
    #[inline]
    pub fn normal(&mut self, mu: f32, sd: f32) -> f32 {
        let [z] = self.normals();
        mu + sd * z
    }

    /// A log-normal draw.
    #[inline]
    pub fn lognormal(&mut self, mu: f32, sd: f32) -> f32 {
        exp(self.normal(mu, sd))
    }

    /// A Beta(3, 2) draw from five exponentials.
    pub fn beta32(&mut self) -> f32 {
        let mut a = 0.0;
        for _ in 0..3 {
            a += self.expo();
        }
        let mut b = 0.0;
        for _ in 0..2 {
            b += self.expo();
        }
        if a + b <= 0.0 { 0.5 } else { a / (a + b) }
    }

    /// A flat Dirichlet draw over six shares.
    pub fn dirichlet6(&mut self) -> [f32; 6] {
        let shares: [f32; 6] = std::array::from_fn(|_| self.expo());
        let sum = shares.iter().fold(0.0, |sum, share| sum + share);
        if sum <= 0.0 { [1.0 / 6.0; 6] } else { shares.map(|share| share / sum) }
    }
}

/// Two unit draws waiting to become one normal draw.
#[derive(Clone, Copy, Debug)]
pub struct NormalPair {
    radius: f32,
    angle: f32,
}

impl NormalPair {
    /// A pair that stands for no draw.
    pub const ZERO: Self = Self { radius: 1.0, angle: 0.0 };
}

/// Standard normal numbers of pairs drawn before, by Box and Muller.
///
/// Drawing all words first lets the generator's chain of multiplications overlap with the float
/// functions; computing all numbers together lets their arithmetic run on vectors.
#[inline]
pub fn normals<const N: usize>(pairs: [NormalPair; N]) -> [f32; N] {
    let radius = pairs.map(|pair| ln(pair.radius));
    let angle = waves::cos(pairs.map(|pair| pair.angle));
    std::array::from_fn(|index| (-2.0 * radius[index]).sqrt() * angle[index])
}

#[inline]
const fn at_least_min(u: f32) -> f32 {
    if u < UNIT_MIN { UNIT_MIN } else { u }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tau_is_twice_single_precision_pi() {
        assert_eq!(TAU.to_bits(), (2.0f32 * std::f32::consts::PI).to_bits());
        assert_eq!(TAU.to_bits(), 0x40c9_0fdb);
    }

    #[test]
    fn samplers_match_the_check_values_of_seed_42() {
        let fresh = || Dice::new(42);
        let mut dice = fresh();
        assert_eq!(
            [dice.unit(), dice.unit(), dice.unit(), dice.unit()],
            [0.630_310_24, 0.481_566_67, 0.727_008_04, 0.514_937_6]
        );
        let mut dice = fresh();
        let range = (0.05, 0.35);
        assert_eq!(
            [dice.uniform(range), dice.uniform(range), dice.uniform(range)],
            [0.239_093_05, 0.194_469_99, 0.268_102_4]
        );
        let mut dice = fresh();
        assert_eq!(
            [dice.expo(), dice.expo(), dice.expo()],
            [0.461_543_14, 0.730_710_6, 0.318_817_73]
        );
        let mut dice = fresh();
        assert_eq!(
            [dice.normal(0.0, 1.0), dice.normal(0.0, 1.0), dice.normal(0.0, 1.0)],
            [-0.954_336_94, -0.795_006_33, 0.219_600_62]
        );
        assert_eq!(fresh().beta32(), 0.613_178_13);
        assert_eq!(
            fresh().dirichlet6(),
            [0.171_466_38, 0.271_463_93, 0.118_442_94, 0.246_572_58, 0.107_568_294, 0.084_485_89]
        );
    }
}
