//! Sines and cosines of several angles at once, equal to glibc's to the last bit.
//!
//! The library's functions branch on the quadrant, and a random angle makes the processor guess
//! wrong about every other time. Here every lane is computed the same way, in double precision,
//! without a branch, so that lanes run side by side.
//!
//! The polynomials are the best of their degrees on an eighth of a turn (found by Remez
//! exchange): the sine's of degree 7 in absolute error over r, the cosine's of degree 8 in
//! absolute error. glibc's come from the same problem, so both round alike: for every float
//! below [`LARGE`] the results are equal, which a test checks one by one.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Angles from here on go to the library, which reduces them in another way.
const LARGE: f32 = 120.0;

/// The cosine of every angle.
#[inline]
pub fn cos<const N: usize>(angles: [f32; N]) -> [f32; N] {
    waves(angles, 1, f32::cos)
}

/// The sine of every angle.
#[inline]
pub fn sin<const N: usize>(angles: [f32; N]) -> [f32; N] {
    waves(angles, 0, f32::sin)
}

#[inline(always)]
fn waves<const N: usize>(angles: [f32; N], quarter: u64, library: fn(f32) -> f32) -> [f32; N] {
    let mut values = angles.map(|angle| wave(f64::from(angle), quarter) as f32);
    if angles.iter().fold(0.0, |most: f32, angle| most.max(angle.abs())) >= LARGE {
        for (value, angle) in values.iter_mut().zip(angles) {
            if angle.abs() >= LARGE {
                *value = library(angle);
            }
        }
    }
    values
}

/// The sine of `x` plus `quarter` quarter turns.
#[inline(always)]
fn wave(x: f64, quarter: u64) -> f64 {
    // Adding and taking away 1.5 * 2^52 rounds to a whole number and leaves it in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    // A right angle in double precision, in two parts whose multiples are exact: the angle left
    // over is rounded once, as if by a fused multiply-add.
    const RIGHT_HIGH: f64 = f64::from_bits(FRAC_PI_2.to_bits() & !0xf_ffff);
    const RIGHT_LOW: f64 = FRAC_PI_2 - RIGHT_HIGH;

    let rounded = x * FRAC_2_PI + ROUND;
    let turns = rounded - ROUND;
    let quadrant = rounded.to_bits().wrapping_add(quarter);
    let r = (x - turns * RIGHT_HIGH) - turns * RIGHT_LOW;
    let z = r * r;
    let odd = r + r
        * z
        * (-0.166_666_549_437_006_34
            + z * (0.008_332_178_146_107_218 + z * -0.000_195_172_989_769_839_14));
    let even = 1.0
        + z * (-0.499_999_997_251_084_6
            + z * (0.041_666_623_324_370_81
                + z * (-0.001_388_676_379_517_938 + z * 0.000_024_390_450_774_246_06)));
    // Chosen by bits: written as a condition it would become the very branch to avoid.
    let pick = (quadrant & 1).wrapping_neg();
    let value = (odd.to_bits() & !pick) | (even.to_bits() & pick);
    f64::from_bits(value ^ ((quadrant & 2) << 62))
}

/// The library on other systems rounds otherwise; there is nothing to be equal to.
#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// Compare every `stride`-th float below [`LARGE`] and some beyond.
    fn compare(stride: usize) {
        let last = (2.0 * LARGE).to_bits();
        for bits in (1..=last).step_by(stride) {
            let x = f32::from_bits(bits);
            let [up, down] = sin([x, -x]);
            assert_eq!(up.to_bits(), x.sin().to_bits(), "sin {x:e}");
            assert_eq!(down.to_bits(), (-x).sin().to_bits(), "sin -{x:e}");
            let [up] = cos([x]);
            assert_eq!(up.to_bits(), x.cos().to_bits(), "cos {x:e}");
        }
    }

    #[test]
    fn a_sample_of_all_angles_equals_the_library() {
        compare(211);
    }

    #[test]
    #[ignore = "a minute: every float there is"]
    fn every_angle_equals_the_library() {
        compare(1);
    }
}
