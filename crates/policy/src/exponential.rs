//! An exponential that compilers turn into vector code.

/// Below this the result is replaced by zero; the next smaller one would be subnormal.
const LOWEST: f32 = -87.0;
const LOG2_E: f32 = std::f32::consts::LOG2_E;
/// ln 2 in two parts: the first has few bits, so that a multiple of it is exact.
const LN2_HIGH: f32 = 0.693_359_4;
const LN2_LOW: f32 = -2.121_944_4e-4;
/// Adding it leaves no fraction bits, which rounds to the nearest integer without a branch.
const TO_INTEGER: f32 = 12_582_912.0;

/// e to the power of `x`, for `x` at most 0, within two units in the last place.
///
/// The polynomial is the Taylor series on the remainder of at most ln 2 / 2 in size: seven terms
/// leave an error below half a unit.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let clamped = if x > LOWEST { x } else { LOWEST };
    let shifted = clamped * LOG2_E + TO_INTEGER;
    let power = shifted - TO_INTEGER;
    let rest = (clamped - power * LN2_HIGH) - power * LN2_LOW;
    let mut sum = 1.0 / 5040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * rest + coefficient;
    }
    // The low bits of `shifted` are the power itself; moved up and biased, they are an exponent.
    let scale = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    if x > LOWEST { sum * scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn is_within_two_units_of_the_true_value() {
        let mut worst = 0.0_f64;
        for step in 0..870_000 {
            let x = -(step as f32) * 1e-4;
            let truth = f64::from(x).exp();
            worst = worst.max((f64::from(exp(x)) - truth).abs() / truth);
        }
        assert!(worst < 2.0 * f64::from(f32::EPSILON), "{worst}");
    }

    #[test]
    fn is_one_at_zero_and_zero_far_below() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(-1e30), 0.0);
    }
}
