//! A step of Adam along a gradient that is shortened where it is too long.

/// How far and how smoothly to go.
#[derive(Clone, Copy, Debug)]
pub struct Stride {
    /// Which step this is, from 1.
    pub number: u32,
    /// Learning rate.
    pub rate: f32,
    /// How much of the mean stays.
    pub beta1: f32,
    /// How much of the square stays.
    pub beta2: f32,
    /// Added to the root of the square.
    pub epsilon: f32,
    /// Longest gradient that is followed as it is.
    pub norm_max: f32,
}

/// What an optimiser moves and remembers, element by element.
#[derive(Debug)]
pub struct Course<'a> {
    /// What is moved.
    pub parameters: &'a mut [f32],
    /// Running mean of the gradient.
    pub mean: &'a mut [f32],
    /// Running mean of its square.
    pub square: &'a mut [f32],
}

/// Sums kept side by side, so that they can be added as a vector; in one order everywhere.
const LANES: usize = 16;

/// Move against `gradient`; its length before it was shortened. If that is not finite, nothing
/// has moved.
pub fn adam(course: Course<'_>, gradient: &[f32], stride: &Stride) -> f64 {
    let length = length(gradient);
    if !length.is_finite() {
        return length;
    }
    let limit = f64::from(stride.norm_max);
    let factor = if length > limit { limit / (length + 1e-6) } else { 1.0 } as f32;
    let missing = |beta: f32| 1.0 - f64::from(beta).powi(stride.number as i32);
    let pace = (f64::from(stride.rate) / missing(stride.beta1)) as f32;
    let whole = (1.0 / missing(stride.beta2)) as f32;
    let (fresh1, fresh2) = (1.0 - stride.beta1, 1.0 - stride.beta2);
    let moved = course.parameters.iter_mut().zip(course.mean).zip(course.square).zip(gradient);
    for (((parameter, mean), square), slope) in moved {
        let slope = slope * factor;
        *mean += fresh1 * (slope - *mean);
        *square = stride.beta2 * *square + fresh2 * slope * slope;
        *parameter -= pace * *mean / ((*square * whole).sqrt() + stride.epsilon);
    }
    length
}

fn length(gradient: &[f32]) -> f64 {
    let mut sums = [0.0_f64; LANES];
    let (chunks, rest) = gradient.as_chunks::<LANES>();
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += f64::from(*x) * f64::from(*x);
        }
    }
    for (sum, x) in sums.iter_mut().zip(rest) {
        *sum += f64::from(*x) * f64::from(*x);
    }
    sums.iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRIDE: Stride =
        Stride { number: 1, rate: 0.1, beta1: 0.9, beta2: 0.999, epsilon: 1e-5, norm_max: 1.0 };

    #[test]
    fn steps_are_those_of_the_formulas() {
        let gradients = [[0.3_f32, -0.4, 0.0], [2.0, 1.0, -2.0], [-0.1, 0.2, 0.05]];
        let (mut found, mut mean, mut square) = ([1.0_f32, 2.0, 3.0], [0.0; 3], [0.0; 3]);
        let mut truth = [1.0_f64, 2.0, 3.0];
        let (mut first, mut second) = ([0.0_f64; 3], [0.0_f64; 3]);
        for (at, gradient) in gradients.iter().enumerate() {
            let number = at as u32 + 1;
            let course = Course { parameters: &mut found, mean: &mut mean, square: &mut square };
            let length = adam(course, gradient, &Stride { number, ..STRIDE });
            let exact = gradient.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
            assert!((length - exact).abs() < 1e-6);
            for unit in 0..3 {
                let slope = f64::from(gradient[unit]) / exact.max(1.0);
                first[unit] = 0.9 * first[unit] + 0.1 * slope;
                second[unit] = 0.999 * second[unit] + 0.001 * slope * slope;
                let mean = first[unit] / (1.0 - 0.9_f64.powi(number as i32));
                let square = second[unit] / (1.0 - 0.999_f64.powi(number as i32));
                truth[unit] -= 0.1 * mean / (square.sqrt() + 1e-5);
                assert!((f64::from(found[unit]) - truth[unit]).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn a_gradient_that_is_not_finite_moves_nothing() {
        for bad in [f32::NAN, f32::INFINITY] {
            let mut gradient = vec![0.1; 40];
            gradient[37] = bad;
            let (mut parameters, mut mean, mut square) =
                (vec![1.0; 40], vec![0.5; 40], vec![0.2; 40]);
            let course =
                Course { parameters: &mut parameters, mean: &mut mean, square: &mut square };
            assert!(!adam(course, &gradient, &STRIDE).is_finite());
            assert!(parameters.iter().all(|x| *x == 1.0));
            assert!(mean.iter().all(|x| *x == 0.5) && square.iter().all(|x| *x == 0.2));
        }
    }
}
