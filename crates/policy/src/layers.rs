//! Fully connected layers with a bend between them, forward and back, for a chunk of rows that
//! goes through all of them before it leaves the cache.
//!
//! Parameters are one slice: weights (outputs, inputs) and biases of the first layer, then those of
//! the next.

use matrixmultiply::sgemm;

use crate::exponential::exp;

/// What stands between two layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// Nothing below zero.
    Relu,
    /// The hyperbolic tangent.
    Tanh,
}

/// The shape of a network.
#[derive(Clone, Debug)]
pub struct Layers {
    sizes: Vec<usize>,
    bend: Bend,
}

/// Where a layer's numbers stand in the parameters, and how it maps.
#[derive(Clone, Copy)]
struct Layer {
    weights: usize,
    biases: usize,
    inputs: usize,
    outputs: usize,
}

impl Layers {
    /// `sizes` are those of observations, hidden layers and outputs: at least two.
    pub fn new(sizes: Vec<usize>, bend: Bend) -> Self {
        assert!(sizes.len() >= 2, "a network has inputs and outputs");
        Self { sizes, bend }
    }

    /// Floats of an observation.
    pub fn inputs(&self) -> usize {
        self.sizes[0]
    }

    /// Floats of a row of outputs.
    pub fn outputs(&self) -> usize {
        self.sizes[self.sizes.len() - 1]
    }

    /// Weights and biases together.
    pub fn parameters(&self) -> usize {
        self.layers().map(|layer| layer.outputs * (layer.inputs + 1)).sum()
    }

    fn layers(&self) -> impl DoubleEndedIterator<Item = Layer> + ExactSizeIterator {
        let mut at = 0;
        let layers: Vec<Layer> = self
            .sizes
            .windows(2)
            .map(|pair| {
                let (inputs, outputs) = (pair[0], pair[1]);
                let (weights, biases) = (at, at + inputs * outputs);
                at = biases + outputs;
                Layer { weights, biases, inputs, outputs }
            })
            .collect();
        layers.into_iter()
    }
}

/// One thread's memory for chunks of some rows.
pub struct Pass {
    /// (rows, size): what goes into the first layer, and what comes out of each.
    stages: Vec<Vec<f32>>,
    /// Slopes of one layer's inputs, and of the next one's.
    slopes: [Vec<f32>; 2],
}

impl Pass {
    /// Room for `rows` rows.
    pub fn new(layers: &Layers, rows: usize) -> Self {
        let widest = layers.sizes.iter().copied().max().unwrap_or(0);
        let slope = || vec![0.0; rows * widest];
        Self {
            stages: layers.sizes.iter().map(|size| vec![0.0; rows * size]).collect(),
            slopes: [slope(), slope()],
        }
    }

    /// Where the observations of `rows` rows belong.
    pub fn inputs(&mut self, layers: &Layers, rows: usize) -> &mut [f32] {
        &mut self.stages[0][..rows * layers.inputs()]
    }

    /// What `forward` left of `rows` rows; before `backward`, their slopes belong here.
    pub fn outputs(&mut self, layers: &Layers, rows: usize) -> &mut [f32] {
        let last = self.stages.len() - 1;
        &mut self.stages[last][..rows * layers.outputs()]
    }

    /// From inputs to outputs.
    pub fn forward(&mut self, layers: &Layers, parameters: &[f32], rows: usize) {
        let last = self.stages.len() - 2;
        for (at, layer) in layers.layers().enumerate() {
            let (below, above) = self.stages.split_at_mut(at + 1);
            let above = &mut above[0][..rows * layer.outputs];
            let weights = &parameters[layer.weights..layer.biases];
            let given = Matrix::by_rows(&below[at], layer.inputs);
            let turned = Matrix::by_columns(weights, layer.inputs);
            multiply([rows, layer.inputs, layer.outputs], given, turned, 0.0, above);
            let biases = &parameters[layer.biases..layer.biases + layer.outputs];
            for row in above.chunks_exact_mut(layer.outputs) {
                add(row, biases);
            }
            if at < last {
                layers.bend.apply(above);
            }
        }
    }

    /// From the slopes of the outputs, which stand in their place, to those of the parameters:
    /// added to `into`, or written over it where it is `fresh`.
    pub fn backward(
        &mut self,
        layers: &Layers,
        parameters: &[f32],
        rows: usize,
        into: &mut [f32],
        fresh: bool,
    ) {
        let keep = if fresh { 0.0 } else { 1.0 };
        let count = self.stages.len() - 1;
        let (stages, outputs) = self.stages.split_at_mut(count);
        let [even, odd] = &mut self.slopes;
        let (mut slope, mut spare) = (&mut outputs[0], even);
        let mut next = Some(odd);
        for (at, layer) in layers.layers().enumerate().rev() {
            let size = [layer.outputs, rows, layer.inputs];
            let turned = Matrix::by_columns(slope, layer.outputs);
            let given = Matrix::by_rows(&stages[at], layer.inputs);
            multiply(size, turned, given, keep, &mut into[layer.weights..layer.biases]);
            let biases = &mut into[layer.biases..layer.biases + layer.outputs];
            if fresh {
                biases.fill(0.0);
            }
            for row in slope[..rows * layer.outputs].chunks_exact(layer.outputs) {
                add(biases, row);
            }
            if at == 0 {
                return;
            }
            let weights = Matrix::by_rows(&parameters[layer.weights..layer.biases], layer.inputs);
            let size = [rows, layer.outputs, layer.inputs];
            let below = &mut spare[..rows * layer.inputs];
            multiply(size, Matrix::by_rows(slope, layer.outputs), weights, 0.0, below);
            layers.bend.back(below, &stages[at]);
            // The outputs' own memory is not taken for slopes of other layers: it may be too short.
            let free = next.take().unwrap_or(slope);
            (slope, spare) = (spare, free);
        }
    }
}

impl Bend {
    // Compared this way round, both let through what is not a number.
    fn apply(self, values: &mut [f32]) {
        match self {
            Self::Relu => values.iter_mut().for_each(|x| *x = if *x < 0.0 { 0.0 } else { *x }),
            Self::Tanh => values.iter_mut().for_each(|x| *x = tanh(*x)),
        }
    }

    /// `slopes` of bent values become those of the values before.
    fn back(self, slopes: &mut [f32], bent: &[f32]) {
        let pairs = slopes.iter_mut().zip(bent);
        match self {
            Self::Relu => pairs.for_each(|(d, y)| *d = if *y <= 0.0 { 0.0 } else { *d }),
            Self::Tanh => pairs.for_each(|(d, y)| *d *= 1.0 - y * y),
        }
    }
}

#[inline(always)]
fn tanh(x: f32) -> f32 {
    let shrunk = exp(-2.0 * x.abs());
    let size = (1.0 - shrunk) / (1.0 + shrunk);
    if x.is_nan() { x } else { size.copysign(x) }
}

fn add(into: &mut [f32], row: &[f32]) {
    for (sum, x) in into.iter_mut().zip(row) {
        *sum += x;
    }
}

/// A matrix somewhere in memory, read by rows or by columns.
#[derive(Clone, Copy)]
struct Matrix<'a> {
    numbers: &'a [f32],
    /// From one row to the next, and from one column to the next.
    strides: [usize; 2],
}

impl<'a> Matrix<'a> {
    /// Rows of `width` numbers.
    fn by_rows(numbers: &'a [f32], width: usize) -> Self {
        Self { numbers, strides: [width, 1] }
    }

    /// Rows of `width` numbers, turned into columns.
    fn by_columns(numbers: &'a [f32], width: usize) -> Self {
        Self { numbers, strides: [1, width] }
    }

    /// Whether `rows` by `columns` of it are there.
    fn holds(&self, rows: usize, columns: usize) -> bool {
        let [down, across] = self.strides;
        rows * columns == 0 || (rows - 1) * down + (columns - 1) * across < self.numbers.len()
    }
}

/// `into` (rows, columns) = `keep` times itself + `left` (rows, inner) times `right`.
fn multiply(
    [rows, inner, columns]: [usize; 3],
    left: Matrix<'_>,
    right: Matrix<'_>,
    keep: f32,
    into: &mut [f32],
) {
    assert!(left.holds(rows, inner) && right.holds(inner, columns));
    assert_eq!(into.len(), rows * columns);
    let [left_down, left_across] = left.strides.map(|stride| stride as isize);
    let [right_down, right_across] = right.strides.map(|stride| stride as isize);
    // SAFETY: all three matrices lie within their slices, as just checked, and `into` is not
    // shared with the other two.
    unsafe {
        sgemm(
            rows,
            inner,
            columns,
            1.0,
            left.numbers.as_ptr(),
            left_down,
            left_across,
            right.numbers.as_ptr(),
            right_down,
            right_across,
            keep,
            into.as_mut_ptr(),
            columns as isize,
            1,
        );
    }
}

#[cfg(test)]
mod tests;
