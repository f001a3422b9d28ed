//! Who misses too many shifts loses its place: in turn, a few a day, unless somebody intervenes.

use super::{Stage, town_of};
use crate::config::Switch;
use crate::events::{Reason, bit};
use crate::numbers::ONE;
use crate::state::State;

/// Six residents, of whom the first `absent` have missed three shifts; nobody is in need.
fn stage(absent: usize, change: impl FnOnce(&mut crate::config::Document)) -> Stage {
    let mut document = town_of(6);
    document.lifecycle.exit_cooldown_ticks = 0;
    document.lifecycle.max_exits_per_day = 50;
    change(&mut document);
    let mut stage = Stage::new(document, 21);
    for seat in 0..absent {
        miss(stage.state_mut(), seat);
    }
    stage
}

fn miss(state: &mut State, seat: usize) {
    let work = &mut state.agents[seat].work;
    work.absences[..3].fill(state.tick / 1000);
    work.absent = 3;
}

/// One idle tick; what was told in it of dismissals: the event, whose, why.
fn tick(stage: &mut Stage) -> Vec<(&'static str, u8, Reason)> {
    let now = stage.state().tick;
    for agent in &mut stage.state_mut().agents {
        agent.needs = [ONE; 3];
        agent.wallet = 10 * ONE;
        agent.work.last_wage = now;
    }
    stage.idle(1);
    let told = stage.events().iter().filter(|event| event.kind.starts_with("employment_exit"));
    told.map(|event| (event.kind, event.agent, event.reason)).collect()
}

fn order(stage: &mut Stage, name: &str, seat: usize) {
    let id = stage.state().id_of(seat);
    stage.order(&format!(r#"{{"{name}": {{"agent_id": "{id}"}}}}"#));
}

#[test]
fn the_head_of_the_queue_leaves_while_the_day_allows() {
    let mut stage = stage(4, |_| {});
    let first = tick(&mut stage);
    let pending: Vec<u8> = (0..4).collect();
    let joined = first.iter().filter(|told| told.0 == "employment_exit_pending");
    assert_eq!(joined.map(|told| told.1).collect::<Vec<_>>(), pending, "each once");
    assert_eq!(first.last(), Some(&("employment_exit_processed", 0, "daily_cap")));
    assert!(stage.bits[0] & bit("unemployment") != 0 && stage.terms[9] == -2.0);
    assert_eq!(tick(&mut stage), [("employment_exit_processed", 1, "daily_cap")]);
    for _ in 2..1000 {
        assert_eq!(tick(&mut stage), [], "two a day");
    }
    // A review lasts a day, so the last one need not wait for another.
    assert_eq!(tick(&mut stage), [("employment_exit_processed", 2, "daily_cap")]);
    assert_eq!(tick(&mut stage), [("employment_exit_processed", 3, "auto_review")]);
}

#[test]
fn a_review_that_takes_too_long_ends_in_an_exit_whatever_the_cap() {
    let mut stage = stage(3, |document| {
        document.employment.daily_exit_cap = 1;
        document.employment.exit_review_window = 10;
    });
    tick(&mut stage);
    for _ in 0..10 {
        assert_eq!(tick(&mut stage), []);
    }
    let both = [1, 2].map(|seat| ("employment_exit_processed", seat, "auto_review"));
    assert_eq!(tick(&mut stage), both);
}

#[test]
fn an_operator_approves_at_once_and_defers_with_forgiveness() {
    let mut stage = stage(2, |document| document.employment.daily_exit_cap = 1);
    tick(&mut stage);
    order(&mut stage, "employment_defer", 1);
    assert_eq!(tick(&mut stage), [("employment_exit_deferred", 1, "")]);
    let work = &stage.state().agents[1].work;
    assert!(work.queued.is_none() && work.absent == 0, "not queued again at once");
    order(&mut stage, "employment_defer", 1);
    assert_eq!(tick(&mut stage), []);
    let refused = stage.events().iter().find(|event| event.kind == "command_refused");
    assert_eq!(refused.map(|event| event.reason), Some("E_NOT_QUEUED"));
    order(&mut stage, "employment_approve", 4);
    assert_eq!(tick(&mut stage), [("employment_exit_manual_request", 4, "")]);
    let left = tick(&mut stage);
    assert_eq!(left, [("employment_exit_processed", 4, "manual_approve")], "beyond the cap");
    assert_eq!(stage.terminated[4], 1);
}

#[test]
fn a_queue_beyond_its_limit_is_told() {
    let mut stage = stage(3, |document| {
        document.employment.exit_queue_limit = 1;
        document.employment.daily_exit_cap = 1;
    });
    let told = tick(&mut stage);
    let over = told.iter().filter(|told| told.0 == "employment_exit_queue_overflow");
    assert_eq!(over.count(), 2, "for the second and the third");
}

/// Where nobody leaves, absences are counted anew and nobody is dismissed tick after tick.
#[test]
fn without_exits_a_dismissal_is_told_once() {
    let mut stage = stage(1, |document| {
        document.lifecycle.training_mode = Switch::Off;
        document.employment.exit_review_window = 3;
    });
    let first = tick(&mut stage);
    assert_eq!(first.last(), Some(&("employment_exit_processed", 0, "daily_cap")));
    assert_eq!(stage.terminated, [0; 6]);
    for _ in 0..20 {
        assert_eq!(tick(&mut stage), []);
    }
}
