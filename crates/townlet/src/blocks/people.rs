//! Blocks about persons: their work, their characters, their ties, what they do.

use serde_json::{Map, Value, json};

use super::{everybody, those};
use crate::agent::Tie;
use crate::chronicle::{LOSSES, WINDOW};
use crate::employment as work;
use crate::numbers::{Micro, NONE};
use crate::portrait::{decimal, shift_state, ties};
use crate::spawn::PROFILES;
use crate::state::State;
use crate::town::Town;

/// Friends and rivals that a summary names.
const NAMED: usize = 3;

/// Everybody's shift, wages and meals.
pub fn jobs(town: &Town, state: &State) -> Value {
    let basket = decimal(state.hot.economy.basket(&state.prices));
    let tod = state.tod(town);
    everybody(state, |seat| {
        let agent = &state.agents[seat];
        let job = town.jobs.get(usize::from(agent.work.job));
        let [cooked, eaten, ..] = agent.done;
        json!({
            "job_id": job.map(|job| &job.id),
            "on_shift": job.is_some_and(|job| (job.start..job.end).contains(&tod)),
            "shift_state": shift_state(agent.work.shift.state),
            "attendance_ratio": decimal(work::attendance(state, seat)),
            "late_ticks_today": agent.work.shift.late,
            "lateness_counter": agent.work.lateness,
            "absent_shifts_7d": work::absences(town, state, seat),
            "wages_withheld": decimal(agent.work.withheld),
            "wages_earned": decimal(agent.earned),
            "meals_cooked": cooked,
            "meals_consumed": eaten,
            "basket_cost": basket,
            "exit_pending": agent.work.queued.is_some(),
        })
    })
}

/// Who waits to be dismissed, those first who have waited longest, and by which rules.
pub fn employment(_: &Town, state: &State) -> Value {
    let queued =
        |&seat: &u8| state.agents[usize::from(seat)].work.queued.map(|since| (since, seat));
    let mut waiting: Vec<(u32, u8)> = state.order.iter().filter_map(queued).collect();
    // As the queue is served: equal ones in the order of their embedding slots.
    waiting.sort_by_key(|&(since, _)| since);
    let pending = waiting.iter().map(
        |&(since, seat)| json!({ "agent_id": state.id_of(usize::from(seat)), "since": since }),
    );
    let rules = &state.hot.employment;
    json!({
        "pending": pending.collect::<Vec<_>>(),
        "pending_count": waiting.len(),
        "exits_today": state.dismissals_today,
        "daily_exit_cap": rules.daily_cap,
        "queue_limit": rules.queue_limit,
        "review_window": rules.review,
    })
}

/// Who everybody is.
pub fn personalities(town: &Town, state: &State) -> Value {
    everybody(state, |seat| {
        let agent = &state.agents[seat];
        let [extroversion, forgiveness, ambition] = agent.traits.map(decimal);
        let mut traits = json!({
            "extroversion": extroversion,
            "forgiveness": forgiveness,
            "ambition": ambition,
        });
        if let Some(person) = state.annex.people.get(seat)
            && town.document.features.patience
        {
            traits["patience"] = json!(decimal(person.patience));
            traits["frugal"] = json!(decimal(person.frugal));
        }
        json!({ "profile": PROFILES[usize::from(agent.profile)], "traits": traits })
    })
}

/// Everybody's ties.
pub fn relationships(_: &Town, state: &State) -> Value {
    everybody(state, |seat| Value::Object(ties(state, &state.agents[seat])))
}

/// Everybody's best friends and worst rivals, and how many ties were lost.
pub fn relationship_summary(_: &Town, state: &State) -> Value {
    let since = state.tick - state.tick % WINDOW;
    json!({
        "agents": everybody(state, |seat| friends_and_rivals(state, seat)),
        "lost_ties": {
            "window_ticks": WINDOW,
            "since": since,
            "current": lost(state, 0),
            "previous": lost(state, 1),
        },
    })
}

fn friends_and_rivals(state: &State, seat: usize) -> Value {
    let agent = &state.agents[seat];
    let known = &agent.ties[..usize::from(agent.known)];
    let named = |worth: fn(&Tie) -> Micro| {
        let mut best: Vec<&Tie> = known.iter().filter(|tie| worth(tie) > 0).collect();
        best.sort_by_key(|tie| std::cmp::Reverse(worth(tie)));
        let names = best.iter().take(NAMED).map(|tie| state.id_of(usize::from(tie.other)));
        names.collect::<Value>()
    };
    json!({
        "friends": named(|tie| tie.trust + tie.familiarity - tie.rivalry),
        "rivals": named(|tie| tie.rivalry),
    })
}

/// Ties lost in a window, by reason, and by the owners who are still there.
fn lost(state: &State, window: usize) -> Value {
    let counted =
        |counts: &[u32]| -> Value { LOSSES.iter().copied().zip(counts.iter().copied()).collect() };
    let seats = state.order.iter().map(|&seat| usize::from(seat));
    let owners = seats.filter_map(|seat| {
        let row = &state.chronicle.losses[seat];
        let counts = row.counts[window].map(u32::from);
        let own = row.person == state.agents[seat].serial && counts != [0; LOSSES.len()];
        own.then(|| (state.id_of(seat), counted(&counts)))
    });
    json!({
        "by_reason": counted(&state.chronicle.lost[window]),
        "by_owner": owners.collect::<Map<_, _>>(),
    })
}

/// Who is using what, and how far they are.
pub fn affordance_runtime(town: &Town, state: &State) -> Value {
    let busy = |&seat: &u8| (state.agents[usize::from(seat)].running != NONE).then_some(seat);
    let running = state.order.iter().filter_map(busy).map(|seat| {
        let agent = &state.agents[usize::from(seat)];
        let what = &town.affordances[usize::from(agent.running)];
        let object = (what.kind != NONE).then(|| &town.objects[usize::from(agent.holding)].id);
        let duration = (agent.runs_until - agent.ran_from).max(1);
        let done = state.tick.saturating_sub(agent.ran_from).min(duration);
        let told = json!({
            "affordance_id": what.id,
            "object_id": object,
            "started": agent.ran_from,
            "ends": agent.runs_until,
            "progress": f64::from(done) / f64::from(duration),
            "paid": decimal(agent.paid),
        });
        (state.id_of(usize::from(seat)), told)
    });
    json!({ "running": running.collect::<Map<_, _>>() })
}

/// Those held by an operator.
pub fn possessed_agents(_: &Town, state: &State) -> Value {
    json!({ "agents": those(state, |seat| state.agents[seat].possessed) })
}

/// Exits and arrivals: what is allowed, who waits, who is on the way.
pub fn lifecycle(_: &Town, state: &State) -> Value {
    let rules = &state.hot.mortality;
    let arrivals = state
        .arrivals
        .iter()
        .map(|one| json!({ "due": one.due, "after": state.names.get(usize::from(one.origin)) }));
    let [low, high] = rules.spawn_delay;
    json!({
        "mortality": rules.on,
        "exits_today": state.exits_today,
        "daily_exit_cap": rules.daily_cap,
        "no_exit_before": state.exit_after,
        "spawn_delay": { "min": low, "max": high },
        "death_threshold": { "need": "hunger", "value": decimal(rules.faint_at), "ticks": rules.faint_ticks },
        "in_hospital": those(state, |seat| state.agents[seat].hospital),
        "leaving": those(state, |seat| state.agents[seat].leaving != 0),
        "arrivals": arrivals.collect::<Vec<_>>(),
    })
}
