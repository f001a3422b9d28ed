//! Micro-units: every scalar that accumulates is a whole number of millionths.

/// A count of millionths.
pub type Micro = i64;

/// One whole unit.
pub const ONE: Micro = 1_000_000;
/// No seat, object, job, affordance or option.
pub const NONE: u8 = u8::MAX;
/// Needs, in order: hunger, hygiene, energy.
pub const NEEDS: usize = 3;
/// Names of the needs.
pub const NEED_NAMES: [&str; NEEDS] = ["hunger", "hygiene", "energy"];
/// Index of hunger.
pub const HUNGER: usize = 0;
/// Index of hygiene.
pub const HYGIENE: usize = 1;
/// Index of energy.
pub const ENERGY: usize = 2;

/// A decimal of the document, rounded half to even.
#[must_use]
pub fn micro(value: f64) -> Micro {
    (value * 1e6).round_ties_even() as Micro
}

/// `value` times `factor`, both in millionths, rounded half to even.
#[must_use]
pub fn scaled(value: Micro, factor: Micro) -> Micro {
    let product = value * factor;
    let (quotient, rest) = (product.div_euclid(ONE), product.rem_euclid(ONE));
    match (2 * rest).cmp(&ONE) {
        std::cmp::Ordering::Less => quotient,
        std::cmp::Ordering::Greater => quotient + 1,
        std::cmp::Ordering::Equal => quotient + (quotient & 1),
    }
}

/// As a float, for observations and rewards.
#[inline]
#[must_use]
pub fn float(value: Micro) -> f64 {
    value as f64 * 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_to_even() {
        assert_eq!(micro(0.000_000_5), 0);
        assert_eq!(micro(0.000_001_5), 2);
        assert_eq!(scaled(1, 500_000), 0);
        assert_eq!(scaled(3, 500_000), 2);
        assert_eq!(scaled(-1, 500_000), 0);
        assert_eq!(scaled(1200, 950_000), 1140);
    }
}
