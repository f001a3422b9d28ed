//! Single-precision functions.
//!
//! Version 1 is judged bit for bit against traces made with glibc. On Linux these are glibc's
//! own functions; elsewhere the platform's, which may differ in the last place.

/// Natural logarithm.
#[inline]
pub fn ln(x: f32) -> f32 {
    x.ln()
}

/// `ln(1 + x)`.
#[inline]
pub fn ln_1p(x: f32) -> f32 {
    x.ln_1p()
}

/// `e` to the `x`.
#[inline]
pub fn exp(x: f32) -> f32 {
    x.exp()
}

/// `x` to the `n` for a small whole `n`. The first power is exact, so it needs no call.
#[inline]
pub fn pow(x: f32, n: u16) -> f32 {
    if n == 1 { x } else { x.powf(f32::from(n)) }
}

/// The logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `x` held in `low..=high`. (`f32::clamp` panics on a bad range and treats NaN otherwise.)
#[inline]
pub fn clamp(x: f32, low: f32, high: f32) -> f32 {
    // Two plain selects become one `max` and one `min` instruction; a chain does not.
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// The lesser of two ordinary numbers; the first when equal.
#[inline]
pub fn min(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The greater of two ordinary numbers; the first when equal.
#[inline]
pub fn max(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
