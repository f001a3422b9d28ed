//! Both directions against plain loops in 64 bits.

use proptest::prelude::*;

use super::*;

fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed;
    let mut draw = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| draw()).collect()
}

/// The outputs of one row, and the sum of outputs times `slope`.
fn plainly(layers: &Layers, parameters: &[f64], row: &[f32], slope: &[f32]) -> (Vec<f64>, f64) {
    let mut now: Vec<f64> = row.iter().copied().map(f64::from).collect();
    let count = layers.layers().len();
    for (at, layer) in layers.layers().enumerate() {
        now = (0..layer.outputs)
            .map(|unit| {
                let first = layer.weights + unit * layer.inputs;
                let sum: f64 = parameters[layer.biases + unit]
                    + now.iter().zip(&parameters[first..]).map(|(x, w)| x * w).sum::<f64>();
                match layers.bend {
                    _ if at + 1 == count => sum,
                    Bend::Relu => sum.max(0.0),
                    Bend::Tanh => sum.tanh(),
                }
            })
            .collect();
    }
    let loss = now.iter().zip(slope).map(|(y, s)| y * f64::from(*s)).sum();
    (now, loss)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn outputs_and_slopes_are_those_of_the_formulas(
        sizes in prop::collection::vec(1_usize..9, 2..5),
        rows in 1_usize..6,
        tanh in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let layers = Layers::new(sizes, if tanh { Bend::Tanh } else { Bend::Relu });
        let parameters = numbers(seed, layers.parameters());
        let exact: Vec<f64> = parameters.iter().copied().map(f64::from).collect();
        let obs = numbers(seed ^ 1, rows * layers.inputs());
        let slopes = numbers(seed ^ 2, rows * layers.outputs());
        // More room than needed, with something in it.
        let mut pass = Pass::new(&layers, rows + 2);
        pass.stages.iter_mut().for_each(|stage| stage.fill(9.0));
        pass.inputs(&layers, rows).copy_from_slice(&obs);
        pass.forward(&layers, &parameters, rows);
        let mut wanted = 0.0;
        let each = || obs.chunks(layers.inputs()).zip(slopes.chunks(layers.outputs()));
        let outputs = pass.outputs(&layers, rows).to_vec();
        for ((row, slope), found) in each().zip(outputs.chunks(layers.outputs())) {
            let (truth, loss) = plainly(&layers, &exact, row, slope);
            wanted += loss;
            for (y, truth) in found.iter().zip(truth) {
                prop_assert!((f64::from(*y) - truth).abs() < 1e-4, "{y} for {truth}");
            }
        }
        pass.outputs(&layers, rows).copy_from_slice(&slopes);
        let mut into = vec![7.0; layers.parameters()];
        pass.backward(&layers, &parameters, rows, &mut into, true);
        let step = 1e-6;
        for (at, found) in into.iter().enumerate() {
            let mut moved = exact.clone();
            moved[at] += step;
            let ahead: f64 = each().map(|(row, slope)| plainly(&layers, &moved, row, slope).1).sum();
            let slope = (ahead - wanted) / step;
            prop_assert!((f64::from(*found) - slope).abs() < 1e-3, "{found} for {slope} at {at}");
        }
        // A second time on top of the first.
        let once = into.clone();
        pass.outputs(&layers, rows).copy_from_slice(&slopes);
        pass.backward(&layers, &parameters, rows, &mut into, false);
        for (twice, once) in into.iter().zip(once) {
            prop_assert!((twice - 2.0 * once).abs() <= 1e-5 * (1.0 + once.abs()));
        }
    }
}

#[test]
fn what_is_not_a_number_shows_in_the_outputs() {
    for bend in [Bend::Relu, Bend::Tanh] {
        let layers = Layers::new(vec![2, 3, 1], bend);
        let mut parameters = numbers(5, layers.parameters());
        parameters[1] = f32::NAN;
        let mut pass = Pass::new(&layers, 1);
        pass.inputs(&layers, 1).fill(1.0);
        pass.forward(&layers, &parameters, 1);
        assert!(pass.outputs(&layers, 1)[0].is_nan());
    }
}

#[test]
fn the_tangent_is_as_good_as_its_type() {
    for step in -200_000..200_000 {
        let x = step as f32 * 1e-4;
        assert!((f64::from(tanh(x)) - f64::from(x).tanh()).abs() < 2e-7, "{x}");
    }
    assert_eq!((tanh(f32::INFINITY), tanh(f32::NEG_INFINITY)), (1.0, -1.0));
}
