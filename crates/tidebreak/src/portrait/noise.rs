//! The noise of each layer as a coarse picture: one byte a square, in dB.

use serde_json::{Map, Value, json};

use crate::sensing::sound;
use crate::setup::Setup;
use crate::state::State;

use super::layer_name;

/// Ticks between two pictures.
const EVERY_TICKS: u32 = 5;
/// Squares along the longer side at most.
const SQUARES: f32 = 48.0;
/// Smallest square, metres: below it the field itself is no finer.
const SQUARE_MIN_M: f32 = 500.0;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The pictures by layer, in the ticks that have them and where fields are more than their ambient. A
/// layer below the surface in which nothing is to be heard is left out.
pub(super) fn charts(setup: &Setup, state: &State) -> Option<Value> {
    if !setup.senses.fields || !state.tick.is_multiple_of(EVERY_TICKS) {
        return None;
    }
    let (min, max) = (setup.terrain.min, setup.terrain.max);
    let (width, height) = (max.0 - min.0, max.1 - min.1);
    let cell = (width.max(height) / SQUARES).max(SQUARE_MIN_M);
    let (columns, rows) = ((width / cell).ceil() as u32, (height / cell).ceil() as u32);
    let mut layers = Map::new();
    let mut values = Vec::with_capacity((columns * rows) as usize);
    for layer in 0..3 {
        values.clear();
        for row in 0..rows {
            for column in 0..columns {
                let x = min.0 + (column as f32 + 0.5) * cell;
                let y = min.1 + (row as f32 + 0.5) * cell;
                values.push(sound::at(state, (x, y), layer).clamp(0.0, 255.0) as u8);
            }
        }
        if layer == 0 || values.iter().any(|value| *value != values[0]) {
            layers.insert(layer_name(layer).to_owned(), base64(&values).into());
        }
    }
    Some(json!({ "w": columns, "h": rows, "cell": cell, "layers": layers }))
}

/// Base64 with padding, as every reader of JSON knows it.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = u32::from(three[0]) << 16
            | u32::from(*three.get(1).unwrap_or(&0)) << 8
            | u32::from(*three.get(2).unwrap_or(&0));
        for digit in 0..4 {
            let value = (word >> (18 - 6 * digit) & 63) as usize;
            text.push(if digit <= three.len() { char::from(DIGITS[value]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_pads_as_everybody_does() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"f"), "Zg==");
        assert_eq!(base64(b"fo"), "Zm8=");
        assert_eq!(base64(b"foo"), "Zm9v");
        assert_eq!(base64(&[255, 254, 253, 0]), "//79AA==");
    }
}
