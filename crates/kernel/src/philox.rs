//! Philox 4x32-10: randomness addressed by counter, so no draw depends on another.

const MULTIPLIER_0: u32 = 0xD251_1F53;
const MULTIPLIER_1: u32 = 0xCD9E_8D57;
const WEYL_0: u32 = 0x9E37_79B9;
const WEYL_1: u32 = 0xBB67_AE85;
const ROUNDS: u32 = 10;

/// The four words at `counter` under `key`.
#[inline]
#[must_use]
pub const fn philox4x32(key: u64, counter: [u32; 4]) -> [u32; 4] {
    let (mut key_0, mut key_1) = (key as u32, (key >> 32) as u32);
    let [mut c0, mut c1, mut c2, mut c3] = counter;
    let mut round = 0;
    while round < ROUNDS {
        let product_0 = MULTIPLIER_0 as u64 * c0 as u64;
        let product_1 = MULTIPLIER_1 as u64 * c2 as u64;
        c0 = (product_1 >> 32) as u32 ^ c1 ^ key_0;
        c1 = product_1 as u32;
        c2 = (product_0 >> 32) as u32 ^ c3 ^ key_1;
        c3 = product_0 as u32;
        key_0 = key_0.wrapping_add(WEYL_0);
        key_1 = key_1.wrapping_add(WEYL_1);
        round += 1;
    }
    [c0, c1, c2, c3]
}

/// One named stream of a seed: draws are addressed by (subject, tick, index).
///
/// Two streams never share a counter, so adding a draw to one rule cannot disturb another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: u64,
    stream: u32,
}

impl Stream {
    /// The stream numbered `stream` of `seed`.
    #[inline]
    #[must_use]
    pub const fn new(seed: u64, stream: u32) -> Self {
        Self { key: seed, stream }
    }

    /// Four words for one subject at one tick.
    #[inline]
    #[must_use]
    pub const fn words(&self, subject: u32, tick: u32, index: u32) -> [u32; 4] {
        philox4x32(self.key, [index, tick, subject, self.stream])
    }

    /// A float in [0, 1) with 24 random bits.
    #[inline]
    #[must_use]
    pub const fn unit(&self, subject: u32, tick: u32, index: u32) -> f32 {
        (self.words(subject, tick, index)[0] >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// An integer in `0..bound`, by multiply-shift. `bound` of 0 gives 0.
    #[inline]
    #[must_use]
    pub const fn below(&self, bound: u32, subject: u32, tick: u32, index: u32) -> u32 {
        ((self.words(subject, tick, index)[0] as u64 * bound as u64) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known-answer vectors shipped with Random123 (kat_vectors, philox 4x32 10).
    #[test]
    fn matches_the_published_check_vectors() {
        assert_eq!(philox4x32(0, [0; 4]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            philox4x32(u64::MAX, [u32::MAX; 4]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            philox4x32(0x299f_31d0_a409_3822, [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn streams_subjects_ticks_and_indices_are_all_apart() {
        let at = |stream, subject, tick, index| Stream::new(7, stream).words(subject, tick, index);
        let base = at(0, 0, 0, 0);
        for other in [at(1, 0, 0, 0), at(0, 1, 0, 0), at(0, 0, 1, 0), at(0, 0, 0, 1)] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn bounded_draws_stay_below_the_bound() {
        let stream = Stream::new(3, 0);
        assert!((0..1000).all(|i| stream.below(6, 0, 0, i) < 6));
        assert!((0..1000).all(|i| (0.0..1.0).contains(&stream.unit(0, 0, i))));
        assert_eq!(stream.below(0, 0, 0, 0), 0);
    }
}
