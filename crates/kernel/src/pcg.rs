//! PCG32 (XSH-RR 64/32): a small sequential generator with O(log n) jumps.

use serde::{Deserialize, Serialize};

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// One PCG32 generator. Each stream number selects an independent sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pcg32 {
    state: u64,
    increment: u64,
}

/// A jump over a fixed number of draws on a fixed stream, folded into one multiply and one add.
///
/// Worlds that skip draws nobody has looked at yet precompute these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    multiplier: u64,
    increment: u64,
}

impl Jump {
    /// The jump over `draws` words of a generator on `stream`.
    #[must_use]
    pub const fn over(draws: u64, stream: u64) -> Self {
        let (mut multiplier, mut increment) = (1u64, 0u64);
        let (mut base_multiplier, mut base_increment) = (MULTIPLIER, (stream << 1) | 1);
        let mut left = draws;
        while left > 0 {
            if left & 1 == 1 {
                multiplier = multiplier.wrapping_mul(base_multiplier);
                increment = increment.wrapping_mul(base_multiplier).wrapping_add(base_increment);
            }
            base_increment = base_multiplier.wrapping_add(1).wrapping_mul(base_increment);
            base_multiplier = base_multiplier.wrapping_mul(base_multiplier);
            left >>= 1;
        }
        Self { multiplier, increment }
    }
}

impl Pcg32 {
    /// Seed as the published `pcg32_srandom_r` does.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        let increment = (stream << 1) | 1;
        // From state 0, one step leaves `increment`; the seed is added and one more step taken.
        let state = increment.wrapping_add(seed).wrapping_mul(MULTIPLIER).wrapping_add(increment);
        Self { state, increment }
    }

    /// A generator continued from a stored state.
    #[must_use]
    pub const fn at(state: u64, stream: u64) -> Self {
        Self { state, increment: (stream << 1) | 1 }
    }

    /// The next 32-bit word.
    #[inline]
    pub const fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
        xorshifted.rotate_right((old >> 59) as u32)
    }

    /// Move as if the words of `jump` had been drawn. The jump must be of this stream.
    #[inline]
    pub const fn jump(&mut self, jump: &Jump) {
        self.state = self.state.wrapping_mul(jump.multiplier).wrapping_add(jump.increment);
    }

    /// The 64-bit state, enough to continue with [`Pcg32::at`].
    #[inline]
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn matches_the_published_demo_sequence() {
        let mut rng = Pcg32::new(42, 54);
        let words: Vec<u32> = (0..6).map(|_| rng.next_u32()).collect();
        assert_eq!(
            words,
            [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e]
        );
    }

    #[test]
    fn seeds_at_the_ends_of_the_range_match_known_words() {
        let first = |seed| Pcg32::new(seed, 54).next_u32();
        assert_eq!(first(0), 1_203_932_051);
        assert_eq!(first(1), 2_607_537_577);
        assert_eq!(first(u64::MAX), 290_611_831);
    }

    proptest! {
        #[test]
        fn a_jump_equals_drawing(seed: u64, stream in 0u64..1 << 62, draws in 0u64..500) {
            let mut jumped = Pcg32::new(seed, stream);
            let mut drawn = jumped;
            jumped.jump(&Jump::over(draws, stream));
            for _ in 0..draws {
                drawn.next_u32();
            }
            prop_assert_eq!(jumped, drawn);
        }
    }
}
