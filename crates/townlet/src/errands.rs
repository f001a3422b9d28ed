//! Errands: which object serves an option soonest, and how an agent goes after it.

use crate::affordances;
use crate::events::Event;
use crate::movement::toward;
use crate::numbers::NONE;
use crate::options::{GET_CLEAN, GET_FED, Intent, SHOP, SLEEP, conclude};
use crate::queues;
use crate::relations;
use crate::state::State;
use crate::town::{MEAL, Town};

/// Go after an object: ask for it when near, wait for the turn, begin when there.
pub fn pursue(town: &Town, state: &mut State, seat: usize) -> Intent {
    let agent = &state.agents[seat];
    let held = agent.holding != NONE && agent.holding == agent.target;
    let fits = agent.target != NONE
        && affordances::promising(town, state, seat, agent.goal, agent.target)
        && (held || cooled(town, state, seat, agent.target));
    if !fits {
        queues::leave(town, state, seat);
        let found = target(town, state, seat, state.agents[seat].option);
        let Some((object, goal)) = found else {
            for goal in means(town, state.agents[seat].option) {
                note_blocked(town, state, seat, goal);
            }
            conclude(town, state, seat, false);
            return Intent::Wait;
        };
        if let Some((rival, object)) = note_blocked(town, state, seat, goal) {
            state.agents[seat].now.avoided = 1;
            state.tell(Event::new("rivalry_avoidance").of(seat).with(rival).at(object));
        }
        state.agents[seat].target = object;
        state.agents[seat].goal = goal;
    }
    let agent = &state.agents[seat];
    let object = agent.target;
    let distance = town.distance(usize::from(object), agent.tile);
    if agent.holding == object {
        // Nobody begins on a shared tile: a ghost is about to be pushed aside.
        return if distance == 0 && !agent.ghost {
            Intent::Start(agent.goal)
        } else {
            toward(town, state, seat, usize::from(object))
        };
    }
    if agent.waiting == object {
        let near = u32::from(state.things[usize::from(object)].waiting) <= state.hot.queue.nodes;
        let reach = if near { 2 } else { 4 };
        return if distance > reach {
            toward(town, state, seat, usize::from(object))
        } else {
            Intent::Wait
        };
    }
    if distance <= 2 {
        Intent::Request(object)
    } else {
        toward(town, state, seat, usize::from(object))
    }
}

fn cooled(town: &Town, state: &State, seat: usize, object: u8) -> bool {
    state.cooldowns[seat * town.objects.len() + usize::from(object)] <= state.tick
}

/// The affordances an option may use, best first.
#[must_use]
pub fn means(town: &Town, option: u8) -> [u8; 2] {
    let roles = &town.roles;
    match option {
        GET_FED => [roles.eat, roles.cook],
        GET_CLEAN => [roles.shower, roles.clothes],
        SHOP => [roles.buy, NONE],
        SLEEP => [roles.sleep, NONE],
        _ => [NONE, NONE],
    }
}

/// Whether an agent has a meal with it that it may eat right now.
#[must_use]
pub fn has_packed(town: &Town, state: &State, seat: usize) -> bool {
    let packed = town.roles.packed;
    state.agents[seat].items[MEAL] > 0
        && packed != NONE
        && town.affordances[usize::from(packed)].kind == NONE
        && affordances::promising(town, state, seat, packed, NONE)
}

/// The object that serves an option soonest: the walk, and those who are before it.
#[must_use]
pub fn target(town: &Town, state: &State, seat: usize, option: u8) -> Option<(u8, u8)> {
    for goal in means(town, option) {
        let Some(what) = town.affordances.get(usize::from(goal)) else { continue };
        // A manifest may let it be done anywhere; then there is nothing to go to.
        let Some(objects) = town.by_kind.get(usize::from(what.kind)) else { continue };
        let mut best = None;
        for &object in objects {
            let usable = cooled(town, state, seat, object)
                && affordances::promising(town, state, seat, goal, object)
                && shunned(town, state, seat, object).is_none();
            if usable {
                let cost = delay(town, state, seat, object, what.duration);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, object));
                }
            }
        }
        if let Some((_, object)) = best {
            return Some((object, goal));
        }
    }
    None
}

/// Ticks until an agent could begin at an object, roughly. One's own bed comes first.
#[must_use]
pub fn delay(town: &Town, state: &State, seat: usize, object: u8, duration: u32) -> u32 {
    let thing = &state.things[usize::from(object)];
    let before =
        u32::from(thing.waiting) + u32::from(thing.holder != NONE && thing.holder != seat as u8);
    let walk = u32::from(town.distance(usize::from(object), state.agents[seat].tile));
    let own = town.beds.get(usize::from(state.agents[seat].bed)) == Some(&object);
    (walk + before * duration).saturating_sub(if own && before == 0 { 6 } else { 0 })
}

/// Tell of the first object for `goal` that was not even considered because a rival is at it; who,
/// and where.
fn note_blocked(town: &Town, state: &mut State, seat: usize, goal: u8) -> Option<(usize, u8)> {
    let kind = usize::from(town.affordances.get(usize::from(goal))?.kind);
    let objects = town.by_kind.get(kind)?.iter().copied();
    let (rival, object) = objects
        .into_iter()
        .find_map(|object| Some((shunned(town, state, seat, object)?, object)))?;
    let event = Event::new("policy.guardrail.block").of(seat).with(rival).at(object);
    state.tell(event.because("queue_rivalry"));
    Some((rival, object))
}

/// The rival that keeps an agent away from an object: its holder, or somebody who waits for it.
fn shunned(town: &Town, state: &State, seat: usize, object: u8) -> Option<usize> {
    let index = usize::from(object);
    let thing = &state.things[index];
    let waiting = &state.queues[index * town.seats..][..usize::from(thing.waiting)];
    let there = [thing.holder].into_iter().filter(|&holder| holder != NONE);
    let there = there.chain(waiting.iter().copied()).map(usize::from);
    let mut others = there.filter(|&other| other != seat);
    others.find(|&other| relations::avoids(state, seat, other))
}
