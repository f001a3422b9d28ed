//! Reading JSON field by field, so that every refusal knows the path of what it refuses.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::PackageError;
use super::parsing::not_finite;

/// Where in the document a value stands; spelt out only when something is wrong with it.
#[derive(Clone, Copy)]
pub(super) enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    fn spell(&self, into: &mut String) {
        match self {
            Path::Root => {}
            Path::Field(parent, name) => {
                parent.spell(into);
                if !into.is_empty() {
                    into.push('.');
                }
                into.push_str(name);
            }
            Path::Item(parent, index) => {
                parent.spell(into);
                into.push_str(&format!("[{index}]"));
            }
        }
    }

    /// The refusal of what stands here.
    pub(super) fn refuse(
        &self,
        problem: impl Into<String>,
        fix: impl Into<String>,
    ) -> PackageError {
        let mut path = String::new();
        self.spell(&mut path);
        PackageError { path, problem: problem.into(), fix: fix.into() }
    }
}

/// One value and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Node<'v, 'p> {
    pub value: &'v Value,
    pub path: Path<'p>,
}

/// The result of reading something.
pub(super) type Reading<T> = Result<T, PackageError>;

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a yes or no",
        Value::Number(number) if number.as_f64().is_some_and(|value| value.fract() != 0.0) => {
            "a number with a fraction"
        }
        Value::Number(number) if number.is_f64() => "too large a number or one with a point",
        Value::Number(_) => "an integer",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl<'v> Node<'v, '_> {
    fn mismatch(&self, wanted: &str) -> PackageError {
        let problem = if not_finite(self.value) {
            "is not a finite number".to_owned()
        } else {
            format!("is {}, not {wanted}", kind_of(self.value))
        };
        self.path.refuse(problem, format!("give {wanted}"))
    }

    /// An object, to be read field by field.
    pub(super) fn object(&self) -> Reading<Fields<'v, '_>> {
        let Value::Object(map) = self.value else { return Err(self.mismatch("an object")) };
        Ok(Fields { map, path: &self.path })
    }

    /// A finite number within `range`; integers count.
    pub(super) fn number(&self, range: RangeInclusive<f64>) -> Reading<f64> {
        let wanted = if not_finite(self.value) { "a finite number" } else { "a number" };
        let number = self.value.as_f64().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| self.mismatch(wanted))?;
        if !range.contains(&number) {
            return Err(self.path.refuse(
                format!("{number} is out of range"),
                format!("give a number from {} to {}", range.start(), range.end()),
            ));
        }
        // A negative zero would make two equal packages hash differently.
        Ok(number + 0.0)
    }

    /// An integer within `range`.
    pub(super) fn integer(&self, range: RangeInclusive<u64>) -> Reading<u64> {
        if self.value.as_i64().is_some_and(|number| number < 0) {
            return Err(self.path.refuse(
                format!("{} is out of range", self.value),
                format!("give an integer from {} to {}", range.start(), range.end()),
            ));
        }
        let number = self.value.as_u64().ok_or_else(|| self.mismatch("an integer"))?;
        if !range.contains(&number) {
            return Err(self.path.refuse(
                format!("{number} is out of range"),
                format!("give an integer from {} to {}", range.start(), range.end()),
            ));
        }
        Ok(number)
    }

    /// An integer that fits 32 bits, up to `most`.
    pub(super) fn count(&self, most: u32) -> Reading<u32> {
        Ok(self.integer(0..=u64::from(most))? as u32)
    }

    /// Yes or no.
    pub(super) fn yes_or_no(&self) -> Reading<bool> {
        self.value.as_bool().ok_or_else(|| self.mismatch("true or false"))
    }

    /// A text of at least `least` and at most `most` characters.
    pub(super) fn text(&self, least: usize, most: usize) -> Reading<String> {
        let text = self.value.as_str().ok_or_else(|| self.mismatch("a text"))?;
        let length = text.chars().count();
        if length < least || length > most {
            return Err(self.path.refuse(
                format!("has {length} characters"),
                format!("give {least} to {most} characters"),
            ));
        }
        Ok(text.to_owned())
    }

    /// A name: a text that says something and is not endless.
    pub(super) fn name(&self) -> Reading<String> {
        self.text(1, 64)
    }

    /// One of the names that `known` lists, as its place there.
    pub(super) fn one_of(&self, what: &str, known: &[&str]) -> Reading<usize> {
        let name = self.value.as_str().ok_or_else(|| self.mismatch("a text"))?;
        let place = known.iter().position(|candidate| *candidate == name);
        place.ok_or_else(|| self.unknown(what, name, known))
    }

    /// The refusal of a name that nobody knows, with the nearest one that somebody does.
    pub(super) fn unknown(&self, what: &str, name: &str, known: &[&str]) -> PackageError {
        let fix = nearest(name, known).map_or_else(
            || format!("known are {}", known.join(", ")),
            |near| format!("did you mean \"{near}\"?"),
        );
        let shown: String = name.chars().take(64).collect();
        self.path.refuse(format!("\"{shown}\" is no {what}"), fix)
    }

    /// A list of `least` to `most` items.
    pub(super) fn list<T>(
        &self,
        least: usize,
        most: usize,
        mut read: impl FnMut(Node<'v, '_>) -> Reading<T>,
    ) -> Reading<Vec<T>> {
        let items = self.value.as_array().filter(|_| !not_finite(self.value));
        let items = items.ok_or_else(|| self.mismatch("a list"))?;
        if items.len() < least || items.len() > most {
            return Err(self.path.refuse(
                format!("has {} items", items.len()),
                if least == most {
                    format!("give exactly {least}")
                } else {
                    format!("give {least} to {most}")
                },
            ));
        }
        items
            .iter()
            .enumerate()
            .map(|(index, value)| read(Node { value, path: Path::Item(&self.path, index) }))
            .collect()
    }

    /// A list of exactly `N` numbers within `range`.
    pub(super) fn numbers<const N: usize>(&self, range: RangeInclusive<f64>) -> Reading<[f64; N]> {
        let list = self.list(N, N, |node| node.number(range.clone()))?;
        let mut numbers = [0.0; N];
        numbers.copy_from_slice(&list);
        Ok(numbers)
    }
}

/// The fields of an object. Those that nobody asks for are ignored.
#[derive(Clone, Copy)]
pub(super) struct Fields<'v, 'p> {
    map: &'v Map<String, Value>,
    path: &'p Path<'p>,
}

impl<'v> Fields<'v, '_> {
    /// A field that must be there.
    pub(super) fn need<T>(
        &self,
        name: &str,
        read: impl FnOnce(Node<'v, '_>) -> Reading<T>,
    ) -> Reading<T> {
        let path = Path::Field(self.path, name);
        let Some(value) = self.map.get(name) else {
            return Err(path.refuse("is missing", format!("add \"{name}\"")));
        };
        read(Node { value, path })
    }

    /// A field that may be missing or null.
    pub(super) fn may<T>(
        &self,
        name: &str,
        read: impl FnOnce(Node<'v, '_>) -> Reading<T>,
    ) -> Reading<Option<T>> {
        match self.map.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(Node { value, path: Path::Field(self.path, name) }).map(Some),
        }
    }

    /// A field that may be missing, and then is what is usual. It is never null.
    pub(super) fn or<T>(
        &self,
        name: &str,
        usual: T,
        read: impl FnOnce(Node<'v, '_>) -> Reading<T>,
    ) -> Reading<T> {
        if self.map.contains_key(name) { self.need(name, read) } else { Ok(usual) }
    }

    /// Every field in the order of names.
    pub(super) fn each<T>(
        &self,
        mut read: impl FnMut(&'v str, Node<'v, '_>) -> Reading<T>,
    ) -> Reading<Vec<(String, T)>> {
        let mut names: Vec<&'v String> = self.map.keys().collect();
        names.sort();
        names
            .into_iter()
            .map(|name| {
                let node = Node { value: &self.map[name], path: Path::Field(self.path, name) };
                Ok((name.clone(), read(name, node)?))
            })
            .collect()
    }
}

/// The known name that is fewest letters away, if it is near enough to be meant.
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    // Longer than any name we know: not a slip, and comparing it would take long.
    if name.len() > 64 {
        return None;
    }
    known
        .iter()
        .map(|candidate| (letters_apart(name, candidate), *candidate))
        .min()
        .filter(|(apart, candidate)| *apart <= 1 + candidate.len() / 4)
        .map(|(_, candidate)| candidate)
}

fn letters_apart(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (place, other) in right.iter().enumerate() {
            let swap = diagonal + usize::from(letter != *other);
            diagonal = row[place + 1];
            row[place + 1] = swap.min(row[place] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
