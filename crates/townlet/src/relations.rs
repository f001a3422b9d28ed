//! One ledger of ties: trust, familiarity and rivalry, each way apart.

use crate::agent::{TIES, Tie};
use crate::chronicle::{CAPACITY, DECAY, REMOVED};
use crate::config::Stage;
use crate::numbers::{Micro, ONE, scaled};
use crate::spawn::manners;
use crate::state::State;
use crate::town::Town;

/// A change of a tie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Trust.
    pub trust: Micro,
    /// Familiarity.
    pub familiarity: Micro,
    /// Rivalry.
    pub rivalry: Micro,
}

impl Change {
    /// A meal together.
    pub const MEAL: Self = Self { trust: 100_000, familiarity: 250_000, rivalry: 0 };
    /// A place in a queue handed over.
    pub const POLITE: Self = Self { trust: 50_000, familiarity: 50_000, rivalry: -50_000 };
    /// Waited for a shower in vain.
    pub const BLOCKED: Self = Self { trust: 0, familiarity: -50_000, rivalry: 150_000 };
    /// The other did not come to work.
    pub const SHIFT_TAKEN: Self = Self { trust: -100_000, familiarity: 0, rivalry: 300_000 };
    /// The other covered for one who was late.
    pub const HELPED: Self = Self { trust: 200_000, familiarity: 100_000, rivalry: -100_000 };
    /// A chat that went wrong.
    pub const SNUBBED: Self = Self { trust: 0, familiarity: -50_000, rivalry: 50_000 };

    /// A conflict of `intensity`.
    #[must_use]
    pub fn conflict(increment: Micro, intensity: Micro) -> Self {
        Self { rivalry: scaled(increment, intensity), ..Self::default() }
    }

    /// A good chat of this quality.
    #[must_use]
    pub fn chat(quality: Micro) -> Self {
        Self { trust: quality / 20, familiarity: quality / 10, rivalry: 0 }
    }
}

/// Apply a change both ways.
pub fn both(town: &Town, state: &mut State, [a, b]: [usize; 2], by: Change, at_work: bool) {
    change(town, state, [a, b], by, at_work);
    change(town, state, [b, a], by, at_work);
}

/// Whether `owner` would begin to hold something of `other` by a change, or does so already.
#[must_use]
pub fn takes(town: &Town, state: &State, [owner, other]: [usize; 2], by: Change) -> bool {
    let agent = &state.agents[owner];
    let known = usize::from(agent.known);
    let entry = crate::numbers::micro(town.document.relationships.entry_threshold);
    known < usize::from(state.hot.rivalry.edges).min(TIES)
        || agent.ties[..known].iter().any(|tie| usize::from(tie.other) == other)
        || (by.trust + by.familiarity - by.rivalry).abs() > entry
}

/// Ledgers hold no more than they may from now on: the weakest ties are lost first.
pub fn trim(state: &mut State) {
    let edges = usize::from(state.hot.rivalry.edges).min(TIES);
    for (seat, agent) in state.agents.iter_mut().enumerate() {
        while usize::from(agent.known) > edges {
            let known = usize::from(agent.known);
            let weakest = (0..known).min_by_key(|&at| strength(&agent.ties[at])).unwrap_or(0);
            state.chronicle.lose(seat, agent.serial, CAPACITY);
            agent.known -= 1;
            agent.ties.copy_within(weakest + 1..known, weakest);
            agent.ties[known - 1] = Tie::default();
        }
    }
}

/// Apply a change to what `owner` holds of `other`.
pub fn change(
    town: &Town,
    state: &mut State,
    [owner, other]: [usize; 2],
    by: Change,
    at_work: bool,
) {
    if town.document.features.stages.relationships == Stage::Off || owner == other {
        return;
    }
    let by = if town.document.features.relationship_modifiers {
        tempered(state.agents[owner].traits, by, at_work)
    } else {
        by
    };
    let edges = usize::from(state.hot.rivalry.edges).min(TIES);
    let entry = crate::numbers::micro(town.document.relationships.entry_threshold);
    let (low, high) = (state.hot.rivalry.min, state.hot.rivalry.max);
    let agent = &mut state.agents[owner];
    let known = usize::from(agent.known);
    let found = agent.ties[..known].iter().position(|tie| usize::from(tie.other) == other);
    let place = match found {
        Some(place) => place,
        None if known < edges => {
            agent.ties[known] = Tie { other: other as u8, ..Tie::default() };
            agent.known += 1;
            known
        }
        None if (by.trust + by.familiarity - by.rivalry).abs() <= entry => return,
        None => {
            let weakest = (0..known).min_by_key(|&at| strength(&agent.ties[at])).unwrap_or(0);
            state.chronicle.lose(owner, agent.serial, CAPACITY);
            agent.ties[weakest] = Tie { other: other as u8, ..Tie::default() };
            weakest
        }
    };
    let tie = &mut agent.ties[place];
    tie.trust = (tie.trust + by.trust).clamp(-ONE, ONE);
    tie.familiarity = (tie.familiarity + by.familiarity).clamp(-ONE, ONE);
    tie.rivalry = (tie.rivalry + by.rivalry).clamp(low, high.max(low));
}

fn strength(tie: &Tie) -> Micro {
    tie.trust.abs() + tie.familiarity.abs() + tie.rivalry
}

/// Forgiveness softens harm; ambition sharpens rivalry at work.
fn tempered([_, forgiveness, ambition]: [Micro; 3], by: Change, at_work: bool) -> Change {
    let soft = ONE - forgiveness / 2;
    let mut rivalry = by.rivalry;
    if rivalry > 0 {
        rivalry = scaled(rivalry, soft);
        if at_work {
            rivalry = scaled(rivalry, ONE + 3 * ambition / 10);
        }
    }
    let harm = |value: Micro| if value < 0 { scaled(value, soft) } else { value };
    Change { trust: harm(by.trust), familiarity: harm(by.familiarity), rivalry }
}

/// Rivalry fades every tick, trust and familiarity every hour; what is nothing is forgotten.
pub fn fade(town: &Town, state: &mut State) {
    if town.document.features.stages.relationships == Stage::Off {
        return;
    }
    let hour = (town.day * 42 / 1000).max(1);
    let on_the_hour = state.tick.is_multiple_of(hour);
    let lost = if on_the_hour {
        crate::numbers::micro(town.document.relationships.decay_per_hour)
    } else {
        0
    };
    let (decay, low, forget) =
        (state.hot.rivalry.decay, state.hot.rivalry.min, state.hot.rivalry.forget);
    let toward_zero = |value: Micro| value.signum() * (value.abs() - lost).max(0);
    state.chronicle.turn(state.tick);
    for (seat, agent) in state.agents.iter_mut().enumerate() {
        let mut at = 0;
        while at < usize::from(agent.known) {
            let tie = &mut agent.ties[at];
            tie.rivalry = (tie.rivalry - decay).max(low);
            if on_the_hour {
                tie.trust = toward_zero(tie.trust);
                tie.familiarity = toward_zero(tie.familiarity);
            }
            if tie.trust.abs() <= forget && tie.familiarity.abs() <= forget && tie.rivalry <= forget
            {
                state.chronicle.lose(seat, agent.serial, DECAY);
                agent.known -= 1;
                agent.ties.copy_within(at + 1..=usize::from(agent.known), at);
                agent.ties[usize::from(agent.known)] = Tie::default();
            } else {
                at += 1;
            }
        }
    }
}

/// Nobody holds anything of `seat` any longer, nor the other way round.
pub fn forget(state: &mut State, seat: usize) {
    for (owner, agent) in state.agents.iter_mut().enumerate() {
        let known = usize::from(agent.known);
        let found = agent.ties[..known].iter().position(|tie| usize::from(tie.other) == seat);
        if let Some(at) = found {
            state.chronicle.lose(owner, agent.serial, REMOVED);
            agent.known -= 1;
            agent.ties.copy_within(at + 1..known, at);
            agent.ties[known - 1] = Tie::default();
        }
    }
    let agent = &mut state.agents[seat];
    for _ in 0..agent.known {
        state.chronicle.lose(seat, agent.serial, REMOVED);
    }
    agent.known = 0;
    agent.ties = [Tie::default(); TIES];
}

/// What `seat` thinks of `other`, all in all.
#[must_use]
pub fn liking(state: &State, seat: usize, other: usize) -> Micro {
    let tie = state.agents[seat].tie(other);
    tie.trust + tie.familiarity - tie.rivalry
}

/// Whether `seat` keeps away from `other`: a rival, and a mind for such things.
#[must_use]
pub fn avoids(state: &State, seat: usize, other: usize) -> bool {
    let agent = &state.agents[seat];
    !agent.desperate() && agent.tie(other).rivalry >= tolerance(state, seat)
}

/// The rivalry from which an agent avoids another; a tolerant profile bears more.
#[must_use]
pub fn tolerance(state: &State, seat: usize) -> Micro {
    let [_, _, tolerance] = manners(state.agents[seat].profile);
    (state.hot.rivalry.avoid * ONE / tolerance).clamp(0, ONE)
}
