//! Harm becomes damage: all of a tick at once, so that two ships may sink each other.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::proposals::Plugin;
use crate::resolvers::{fate, hazard, parts, people};
use crate::scratch::{Hit, Scratch};
use crate::setup::Setup;
use crate::state::{Cause, NOBODY, State};
use crate::tables::SizeClass;

/// Reward terms written here.
mod term {
    pub const DEALT: usize = 1;
    pub const TAKEN: usize = 2;
    pub const HAZARD: usize = 9;
}

/// Sum the harm of the tick by target and apply it once.
pub fn resolve(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal) {
    let slot = (state.tick % 10) as usize;
    for recent in &mut state.ships.recent_damage {
        recent[slot] = 0.0;
    }
    hazard::resolve(setup, state, scratch, journal);
    // Equal keys are equal hits, so the order is the same whoever pushed first.
    scratch.hits.sort_unstable_by_key(|hit| {
        (hit.target, hit.source, hit.cause_event, hit.cause as u8, hit.amount.to_bits())
    });
    let mut first = 0;
    while first < scratch.hits.len() {
        let target = scratch.hits[first].target;
        let mut end = first + 1;
        while end < scratch.hits.len() && scratch.hits[end].target == target {
            end += 1;
        }
        apply(setup, state, scratch, journal, target as usize, first..end);
        first = end;
    }
}

/// What armour leaves of one hit.
fn through_armour(setup: &Setup, ship: usize, hit: &Hit) -> f32 {
    if hit.direct {
        return hit.amount;
    }
    let figures = &setup.tables.damage;
    let share = if hit.underwater { figures.underwater_armour_share } else { 1.0 };
    let armour = setup.hulls[ship].armour * share;
    (hit.amount - armour).max(figures.least_share * hit.amount)
}

/// One target's hits of the tick.
fn apply(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
    span: std::ops::Range<usize>,
) {
    if !state.ships.afloat(ship) {
        return;
    }
    let greatest = setup.hulls[ship].hp;
    soften(setup, scratch, ship, span.clone());
    let total: f32 = scratch.hits[span.clone()].iter().map(|hit| hit.amount).sum();
    if total <= 0.0 {
        return;
    }
    let floor = match setup.hulls[ship].size {
        SizeClass::XL => setup.tables.damage.fate.arcology_hp_floor,
        _ => 0.0,
    };
    let before = state.ships.hp[ship];
    let applied = total.min((before - floor).max(0.0));
    let scale = applied / total;
    for at in span.clone() {
        let hit = scratch.hits[at];
        account(setup, state, &hit, hit.amount * scale);
        // Counted from the target's own first hit: what befalls others is no part of its luck.
        parts::strike(setup, state, journal, &hit, (at - span.start) as u32);
    }
    state.ships.hp[ship] = before - applied;
    let slot = (state.tick % 10) as usize;
    state.ships.recent_damage[ship][slot] += total / greatest;
    people::suffer(setup, state, ship, applied / greatest);
    blame(state, journal, &scratch.hits[span], ship, applied);
    fate::judge(setup, state, scratch, journal, ship, total - applied);
    state.ships.refresh_output(setup, ship);
}

/// Armour, and the most that collisions may do to a hull in one tick.
fn soften(setup: &Setup, scratch: &mut Scratch, ship: usize, span: std::ops::Range<usize>) {
    let mut collided = 0.0;
    for hit in &mut scratch.hits[span.clone()] {
        hit.amount = through_armour(setup, ship, hit);
        if hit.cause == Cause::Collision {
            collided += hit.amount;
        }
    }
    let most = setup.tables.motion.contact.hp_share_max * setup.hulls[ship].hp;
    if collided > most {
        for hit in &mut scratch.hits[span] {
            if hit.cause == Cause::Collision {
                hit.amount *= most / collided;
            }
        }
    }
}

/// Both sides of the ledger, and what rewards are made of.
fn account(setup: &Setup, state: &mut State, hit: &Hit, lost: f32) {
    let ship = hit.target as usize;
    let share = lost / setup.hulls[ship].hp;
    state.ships.taken[ship][hit.cause as usize] += f64::from(lost);
    state.terms[ship][term::TAKEN] += share;
    if matches!(hit.cause, Cause::Collision | Cause::Terrain | Cause::Weather) {
        state.terms[ship][term::HAZARD] += share;
    }
    if hit.source == NOBODY {
        state.dealt_by_nature += f64::from(lost);
        return;
    }
    let source = hit.source as usize;
    state.ships.dealt[source] += f64::from(lost);
    let friend = state.ships.team[source] == state.ships.team[ship];
    let worth = share * setup.values[ship];
    if hit.cause != Cause::Collision {
        state.terms[source][term::DEALT] += if friend { -worth } else { worth };
    }
}

/// Name the greatest contribution, then the lower id, and say what happened. Harm that nobody did
/// finishes what somebody began: it is told as its own doing, and takes no credit.
fn blame(state: &mut State, journal: &mut Journal, hits: &[Hit], ship: usize, lost: f32) {
    let Some(hit) = worst_of_somebody(hits).or_else(|| worst_of_nature(hits)) else { return };
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let (source, cause, trace) = (hit.source, hit.cause_event, hit.trace);
    let (kind, id) = (Kind::Damaged, ship as u32);
    let event =
        tell(state, journal, kind, source, id, cause, trace, place, lost, Plugin::FireControl);
    state.ships.last_harm[ship] = event;
    state.ships.last_trace[ship] = if trace == 0 { event } else { trace };
    if source != NOBODY {
        state.ships.last_harmer[ship] = source;
    }
}

/// The largest hit of whoever did most.
fn worst_of_somebody(hits: &[Hit]) -> Option<&Hit> {
    let mut worst: Option<(f32, &Hit)> = None;
    for of_one in hits.chunk_by(|one, next| one.source == next.source) {
        let sum: f32 = of_one.iter().map(|hit| hit.amount).sum();
        let somebody = of_one[0].source != NOBODY;
        if somebody && worst.is_none_or(|(most, _)| sum > most) {
            worst = largest(of_one.iter()).map(|hit| (sum, hit));
        }
    }
    worst.map(|(_, hit)| hit)
}

/// The largest harm of weather, ground and botched dives, unless fires and water did more: they go
/// on doing what is told already.
fn worst_of_nature(hits: &[Hit]) -> Option<&Hit> {
    let lasting = |hit: &&Hit| hit.cause == Cause::FireAndFlooding;
    let fires: f32 = hits.iter().filter(lasting).map(|hit| hit.amount).sum();
    let worst = largest(hits.iter().filter(|hit| !lasting(hit)))?;
    (worst.amount > fires).then_some(worst)
}

/// The first of the largest.
fn largest<'a>(hits: impl Iterator<Item = &'a Hit>) -> Option<&'a Hit> {
    hits.reduce(|most, hit| if hit.amount > most.amount { hit } else { most })
}
