//! What can be asked of a loop, and the rows of actions it walks through.

use std::fmt::{Display, Formatter};

use crate::allocator;
use crate::clock::Watch;

/// One line of JSON: names and numbers only, so no quoting is needed.
pub struct Answer(pub Vec<(&'static str, f64)>);

impl Display for Answer {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let pairs: Vec<String> =
            self.0.iter().map(|(name, value)| format!("\"{name}\": {value:?}")).collect();
        write!(out, "{{{}}}", pairs.join(", "))
    }
}

/// Something that steps worlds.
pub trait Loop {
    /// Worlds advanced by one call.
    fn worlds(&self) -> u64;
    /// Take the next rows of actions, `calls` of them.
    fn steps(&mut self, calls: u64) -> Result<(), String>;
    /// Begin a new episode everywhere, `calls` times.
    fn resets(&mut self, calls: u64) -> Result<(), String>;
    /// Step as [`Loop::steps`] does and count ticks and episodes, which takes time of its own.
    fn count(&mut self, calls: u64) -> Result<(f64, u64), String>;
    /// All worlds' digests, XORed.
    fn digest(&self) -> Result<u64, String>;
}

/// Obey one order: `steps`, `resets`, `count` or `grow` and a number of calls, or `digest`.
pub fn answer(subject: &mut dyn Loop, order: &str) -> Result<Answer, String> {
    let words: Vec<&str> = order.split_whitespace().collect();
    match *words.as_slice() {
        ["digest"] => {
            let digest = subject.digest()?;
            // Two halves: a JSON number holds 53 bits exactly.
            let halves = (digest >> 32, digest & 0xffff_ffff);
            Ok(Answer(vec![("high", halves.0 as f64), ("low", halves.1 as f64)]))
        }
        ["steps", calls] => timed(subject, whole(calls)?, |subject, calls| subject.steps(calls)),
        ["resets", calls] => timed(subject, whole(calls)?, |subject, calls| subject.resets(calls)),
        ["count", calls] => {
            let calls = whole(calls)?;
            let (ticks, episodes) = subject.count(calls)?;
            let steps = (calls * subject.worlds()) as f64;
            Ok(Answer(vec![("steps", steps), ("ticks", ticks), ("episodes", episodes as f64)]))
        }
        ["grow", calls] => grow(subject, whole(calls)?),
        _ => Err(format!("{order:?} is no order; say steps, resets, count, grow or digest")),
    }
}

fn timed(
    subject: &mut dyn Loop,
    calls: u64,
    work: fn(&mut dyn Loop, u64) -> Result<(), String>,
) -> Result<Answer, String> {
    let watch = Watch::start();
    work(subject, calls)?;
    let (wall_s, cpu_s) = watch.read();
    let worlds = (calls * subject.worlds()) as f64;
    Ok(Answer(vec![("steps", worlds), ("wall_s", wall_s), ("cpu_s", cpu_s)]))
}

fn grow(subject: &mut dyn Loop, calls: u64) -> Result<Answer, String> {
    // Asking for the resident size allocates, so it stays outside the two tallies.
    let resident = allocator::resident_bytes();
    let before = allocator::tally();
    subject.steps(calls)?;
    let after = allocator::tally();
    let resident_after = allocator::resident_bytes();
    Ok(Answer(vec![
        ("steps", (calls * subject.worlds()) as f64),
        ("allocations", (after.allocations - before.allocations) as f64),
        ("heap_bytes", (after.live_bytes - before.live_bytes) as f64),
        ("resident_bytes", (resident_after - resident) as f64),
    ]))
}

/// A whole number of an order.
pub fn whole(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("{word:?} is no whole number"))
}

/// Actions drawn beforehand, handed out row after row and then again from the first.
pub struct Rows {
    actions: Vec<i32>,
    next: usize,
}

impl Rows {
    /// Every number of the file.
    pub fn read(file: &str) -> Result<Self, String> {
        let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        let actions = bytes
            .chunks_exact(4)
            .map(|four| i32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect();
        Ok(Self { actions, next: 0 })
    }

    /// Whether the numbers make whole rows of `width`.
    pub fn fit(&self, width: usize) -> Result<(), String> {
        if self.actions.is_empty() || !self.actions.len().is_multiple_of(width) {
            return Err(format!("{} actions are not rows of {width}", self.actions.len()));
        }
        Ok(())
    }

    /// The next row, `width` long.
    pub fn next(&mut self, width: usize) -> &[i32] {
        let first = self.next;
        self.next = if first + width < self.actions.len() { first + width } else { 0 };
        &self.actions[first..first + width]
    }
}
