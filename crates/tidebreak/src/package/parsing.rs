//! From text to a document, with a mark wherever a number stands that no float can hold.
//!
//! Some writers print bare `NaN` and `Infinity`, and `1e400` is JSON that no float can hold. A refusal
//! of the whole text would not say where the number is; so each is marked, refused where it is read,
//! and ignored like anything else where nobody reads it.

use serde_json::Value;

use super::reading::{Path, Reading};

/// The mark, as it is written: a list in a list of texts, which no field of a package takes.
const MARK: &[u8] = br#"[["not finite"]]"#;

/// Whether a number stood here that is none, or that is too large.
pub(super) fn not_finite(value: &Value) -> bool {
    only(value).and_then(only).is_some_and(|text| text == "not finite")
}

/// What a list of one holds.
fn only(value: &Value) -> Option<&Value> {
    value.as_array().filter(|list| list.len() == 1)?.first()
}

/// The document.
pub(super) fn parse(json: &[u8]) -> Reading<Value> {
    serde_json::from_slice(json).or_else(|error| {
        let marked = mark(json).and_then(|marked| serde_json::from_slice(&marked).ok());
        marked.ok_or_else(|| {
            let problem = format!("is not JSON: {error}");
            Path::Root.refuse(problem, "give one JSON object in UTF-8")
        })
    })
}

/// The text with marks in the place of what no float can hold, if there is any.
fn mark(json: &[u8]) -> Option<Vec<u8>> {
    let mut marked = Vec::with_capacity(json.len() + 64);
    let (mut in_text, mut escaped, mut at, mut found) = (false, false, 0, false);
    while at < json.len() {
        let rest = &json[at..];
        let length = if in_text { 0 } else { figure(rest) };
        if length > 0 {
            let strange = no_float_holds(&rest[..length]);
            marked.extend_from_slice(if strange { MARK } else { &rest[..length] });
            found |= strange;
            at += length;
            continue;
        }
        match rest[0] {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            _ => {}
        }
        marked.push(rest[0]);
        at += 1;
    }
    found.then_some(marked)
}

const WORDS: [&[u8]; 3] = [b"NaN", b"Infinity", b"-Infinity"];

/// How long the number is that begins here; 0 for none.
fn figure(rest: &[u8]) -> usize {
    if let Some(word) = WORDS.into_iter().find(|word| rest.starts_with(word)) {
        return word.len();
    }
    let of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let begins = rest[0].is_ascii_digit() || rest[0] == b'-';
    if begins { rest.iter().take_while(|byte| of_number(byte)).count() } else { 0 }
}

/// Whether this is a number, and no float can hold it.
fn no_float_holds(figure: &[u8]) -> bool {
    WORDS.contains(&figure)
        || (well_formed(figure) && serde_json::from_slice::<f64>(figure).is_err())
}

/// Whether JSON knows this as a number, however large.
fn well_formed(figure: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = figure.strip_prefix(b"-").unwrap_or(figure);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        rest = &fraction[digits(fraction)..];
        if rest.len() == fraction.len() {
            return false;
        }
    }
    let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) else {
        return rest.is_empty();
    };
    let signed = exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-"));
    let exponent = signed.unwrap_or(exponent);
    !exponent.is_empty() && digits(exponent) == exponent.len()
}
