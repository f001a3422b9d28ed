//! Those who miss too many shifts lose their place in town, a few at a time.

use crate::employment::absences;
use crate::events::{Event, Reason};
use crate::lifecycle::UNEMPLOYMENT;
use crate::numbers::float;
use crate::state::State;
use crate::town::Town;

/// The queue of those who lose their place in town over their absences.
pub fn tick(town: &Town, state: &mut State) {
    if state.tod(town) == 0 {
        state.dismissals_today = 0;
    }
    let rules = state.hot.employment;
    let mut first: Option<(u32, usize)> = None;
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let work = &state.agents[seat].work;
        if state.agents[seat].leaving != 0 || (work.absent == 0 && !work.approved) {
            continue;
        }
        if work.approved {
            dismiss(state, seat, "manual_approve");
            continue;
        }
        let absences = absences(town, state, seat);
        let limit = rules.max_absent;
        if state.agents[seat].work.queued.is_none() && limit > 0 && absences >= limit {
            enqueue(state, seat, rules.queue_limit);
        }
        let Some(since) = state.agents[seat].work.queued else { continue };
        if state.tick - since > rules.review {
            dismiss(state, seat, "auto_review");
        } else if first.is_none_or(|(earliest, _)| since < earliest) {
            first = Some((since, seat));
        }
    }
    if let Some((_, seat)) = first
        && (rules.daily_cap == 0 || state.dismissals_today < rules.daily_cap)
    {
        dismiss(state, seat, "daily_cap");
    }
}

fn enqueue(state: &mut State, seat: usize, limit: u32) {
    state.agents[seat].work.queued = Some(state.tick);
    state.tell(Event::new("employment_exit_pending").of(seat));
    let queued = state.agents.iter().filter(|agent| agent.present() && agent.work.queued.is_some());
    let count = queued.count() as u32;
    if count > limit {
        state.tell(Event::new("employment_exit_queue_overflow").value(f64::from(count)));
    }
}

fn dismiss(state: &mut State, seat: usize, reason: Reason) {
    state.dismissals_today += 1;
    let agent = &mut state.agents[seat];
    agent.work.approved = false;
    agent.leaving = UNEMPLOYMENT;
    let lost = float(agent.work.withheld);
    state.tell(Event::new("employment_exit_processed").of(seat).because(reason).value(lost));
}
