//! What happened and why, kept in a ring.
//!
//! Ids are given out whether events are kept or not, so the level of tracing changes no bit of the
//! battle. A drained event stays in the ring until newer ones need its place: a sinking can still
//! be explained by an order that was drained minutes before.

use crate::events::{Event, Kind};
use crate::proposals::{Origin, Plugin, Proposals, Wish};
use crate::state::{NOBODY, State};

/// The ring of events of one battle.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// 0 counts, 1 keeps events, 2 keeps every proposal too.
    pub trace: u8,
    /// Events that were overwritten before anybody drained them.
    pub overflow: u64,
    /// In the order told, once round the ring; ids rise from `oldest` on.
    ring: Vec<Event>,
    /// Where the oldest event stands once the ring is full.
    oldest: usize,
    /// Events told since the last drain that still stand in the ring.
    fresh: usize,
}

impl Journal {
    /// Events the ring holds.
    pub const ROOM: usize = 65_536;

    /// An empty ring at this level of tracing; it takes memory only if it keeps events.
    #[must_use]
    pub fn new(trace: u8) -> Self {
        let ring = Vec::with_capacity(if trace > 0 { Self::ROOM } else { 0 });
        Self { trace, ring, ..Self::default() }
    }

    /// Forget every event and keep the memory: a battle began anew or was restored.
    pub fn clear(&mut self) {
        self.ring.clear();
        self.oldest = 0;
        self.fresh = 0;
        self.overflow = 0;
    }

    /// Events that still stand in the ring.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ring.len()
    }

    /// Whether nothing has been kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// Every event in the ring, oldest first.
    pub fn kept(&self) -> impl Iterator<Item = &Event> {
        let (late, early) = self.ring.split_at(self.oldest);
        early.iter().chain(late)
    }

    /// What was told since the last drain, oldest first; they count as read from now on.
    pub fn drain(&mut self) -> impl Iterator<Item = Event> + '_ {
        let read = self.ring.len() - self.fresh;
        self.fresh = 0;
        self.kept().skip(read).copied()
    }

    /// What was told since the last drain, without counting it as read.
    pub fn unread(&self) -> impl Iterator<Item = &Event> {
        self.kept().skip(self.ring.len() - self.fresh)
    }

    /// One event, if it still stands in the ring.
    #[must_use]
    pub fn find(&self, id: u64) -> Option<&Event> {
        let (late, early) = self.ring.split_at(self.oldest);
        [early, late].into_iter().find_map(|part| {
            part.binary_search_by_key(&id, |event| event.id).ok().map(|at| &part[at])
        })
    }

    /// The chain of causes that led to an event, its root first and itself last. A chain whose
    /// beginning has left the ring begins at the oldest link that is still there.
    #[must_use]
    pub fn explain(&self, id: u64) -> Vec<Event> {
        let mut chain = Vec::new();
        let mut next = id;
        while let Some(event) = self.find(next) {
            chain.push(*event);
            // A cause was told before what it led to, so a chain always ends.
            if event.cause >= event.id {
                break;
            }
            next = event.cause;
        }
        chain.reverse();
        chain
    }

    fn keep(&mut self, event: Event) {
        if self.ring.len() < Self::ROOM {
            self.ring.push(event);
            self.fresh += 1;
            return;
        }
        self.ring[self.oldest] = event;
        self.oldest = (self.oldest + 1) % Self::ROOM;
        if self.fresh == Self::ROOM {
            self.overflow += 1;
        } else {
            self.fresh += 1;
        }
    }
}

/// Say that something happened and get the event's id: the tick in the high part, and in the low 24
/// bits a count from 1, so that 0 can mean no event. With `trace` 0 the event is a root: an order
/// or a draw of the environment.
#[allow(clippy::too_many_arguments, reason = "an event is a flat record")]
pub fn tell(
    state: &mut State,
    journal: &mut Journal,
    kind: Kind,
    source: u32,
    target: u32,
    cause: u64,
    trace: u64,
    (x, y): (f32, f32),
    value: f32,
    plugin: Plugin,
) -> u64 {
    state.event_index += 1;
    let id = (u64::from(state.tick) << 24) | u64::from(state.event_index & 0x00ff_ffff);
    if journal.trace > 0 {
        let trace = if trace == 0 { id } else { trace };
        journal.keep(Event {
            id,
            cause,
            trace,
            kind,
            source,
            target,
            x,
            y,
            value,
            plugin: plugin as u8,
        });
    }
    id
}

/// Record what every plugin asked for, where all outputs are kept. The ids they would have are used up
/// at any level, so that those of what follows from them are the same.
pub fn tell_proposals(state: &mut State, proposals: &Proposals, journal: &mut Journal) {
    if journal.trace < 2 {
        state.event_index += proposals.len() as u32;
        return;
    }
    proposals.each(&mut |wish| tell_wish(state, journal, wish));
}

/// Record the facts about objectives in the same way.
pub fn tell_progress(state: &mut State, proposals: &Proposals, journal: &mut Journal) {
    if journal.trace < 2 {
        state.event_index += proposals.progress.len() as u32;
        return;
    }
    proposals.each_progress(&mut |wish| tell_wish(state, journal, wish));
}

fn tell_wish(state: &mut State, journal: &mut Journal, wish: Wish) {
    let source = wish.origin.source as usize;
    let place = match state.ships.x.get(source) {
        Some(&x) => (x, state.ships.y[source]),
        None => (0.0, 0.0),
    };
    let Origin { source, plugin, cause, trace, .. } = wish.origin;
    let kind = Kind::Proposed;
    tell(state, journal, kind, source, wish.about, cause, trace, place, wish.value, plugin);
}

/// Events as drawings and logs read them: an array of objects, absent facts left out.
#[must_use]
pub fn words<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<serde_json::Value> {
    events.map(one_in_words).collect()
}

fn one_in_words(event: &Event) -> serde_json::Value {
    let mut told = serde_json::json!({
        "id": event.id,
        "cause": event.cause,
        "trace": event.trace,
        "kind": event.kind,
        "x": tenths(event.x),
        "y": tenths(event.y),
        "value": event.value,
        "tick": event.id >> 24,
    });
    if event.source != NOBODY {
        told["source"] = event.source.into();
    }
    if event.target != NOBODY {
        told["target"] = event.target.into();
    }
    told
}

/// Rounded to a tenth of a metre.
fn tenths(metres: f32) -> f64 {
    (f64::from(metres) * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: u64, cause: u64) -> Event {
        let (source, target, plugin) = (NOBODY, 3, 0);
        Event {
            id,
            cause,
            trace: 1,
            kind: Kind::PartLost,
            source,
            target,
            x: 1.26,
            y: 0.0,
            value: 0.0,
            plugin,
        }
    }

    #[test]
    fn an_explanation_begins_at_the_root() {
        let mut journal = Journal::new(1);
        for (id, cause) in [(1, 0), (2, 0), (3, 1), (4, 2), (5, 3)] {
            journal.keep(event(id, cause));
        }
        let chain: Vec<u64> = journal.explain(5).iter().map(|event| event.id).collect();
        assert_eq!(chain, [1, 3, 5]);
        assert!(journal.explain(99).is_empty());
    }

    #[test]
    fn a_drained_event_is_told_once_and_can_still_be_explained() {
        let mut journal = Journal::new(1);
        journal.keep(event(1, 0));
        assert_eq!(journal.drain().count(), 1);
        journal.keep(event(2, 1));
        let drained: Vec<u64> = journal.drain().map(|event| event.id).collect();
        assert_eq!(drained, [2]);
        assert_eq!(journal.explain(2).len(), 2);
    }

    #[test]
    fn a_full_ring_overwrites_its_oldest_and_counts_what_nobody_read() {
        let mut journal = Journal::new(1);
        for id in 1..=Journal::ROOM as u64 {
            journal.keep(event(id, 0));
        }
        assert_eq!(journal.drain().count(), Journal::ROOM);
        let first_new = Journal::ROOM as u64 + 1;
        for id in first_new..first_new + Journal::ROOM as u64 {
            journal.keep(event(id, 0));
        }
        assert_eq!(journal.overflow, 0);
        journal.keep(event(3 * Journal::ROOM as u64, 0));
        assert_eq!((journal.overflow, journal.len()), (1, Journal::ROOM));
        assert!(journal.find(first_new).is_none());
        assert!(journal.find(first_new + 1).is_some());
        let ids: Vec<u64> = journal.kept().map(|event| event.id).collect();
        assert!(ids.is_sorted());
    }

    #[test]
    fn words_leave_out_whoever_is_nobody() {
        let told = words([event(1 << 24 | 7, 0)].iter());
        assert_eq!(told[0]["kind"], "part_lost");
        assert_eq!(told[0]["tick"], 1);
        assert_eq!(told[0]["x"], 1.3);
        assert!(told[0].get("source").is_none());
        assert_eq!(told[0]["target"], 3);
    }
}
