//! Shifts: every day, in ticks of the day, with pay, lateness and absence.

use crate::agent::{ABSENCES, SHIFTS, Shift, ShiftState};
use crate::chronicle;
use crate::events::{Event, Reason, bit};
use crate::numbers::{Micro, NONE, ONE};
use crate::relations::{self, Change};
use crate::state::State;
use crate::town::{Job, Town};

/// Ticks around the start over which punctuality falls to nothing: half an hour.
const HALF_HOUR: i64 = 21;
/// Days over which absences count.
const WEEK: u32 = 7;

/// Whether an agent stands at its place of work.
#[inline]
#[must_use]
pub fn on_site(town: &Town, state: &State, seat: usize) -> bool {
    let agent = &state.agents[seat];
    agent.about() && is_site(town, state, seat, agent.tile)
}

/// Whether a tile belongs to an agent's place of work.
#[inline]
#[must_use]
pub fn is_site(town: &Town, state: &State, seat: usize, tile: u16) -> bool {
    let job = town.jobs.get(usize::from(state.agents[seat].work.job));
    job.is_some_and(|job| town.grid.chebyshev(tile, job.tile) <= job.radius)
}

/// Whether an agent is where it should be, in its shift or shortly before.
#[must_use]
pub fn on_duty(town: &Town, state: &State, seat: usize) -> bool {
    let due = matches!(
        state.agents[seat].work.shift.state,
        ShiftState::Await | ShiftState::OnTime | ShiftState::Late
    );
    due && on_site(town, state, seat)
}

/// One tick of everyone's work.
pub fn tick(town: &Town, state: &mut State) {
    let tod = state.tod(town);
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let Some(job) = town.jobs.get(usize::from(state.agents[seat].work.job)) else { continue };
        if tod == 0 {
            state.agents[seat].work.shift = Shift::default();
        }
        if tod < job.start {
            let soon = tod + state.hot.behavior.buffer >= job.start;
            let shift = &mut state.agents[seat].work.shift;
            // Somebody hired after today's shift is done with it.
            if shift.state != ShiftState::Post {
                shift.state = if soon { ShiftState::Await } else { ShiftState::Pre };
            }
        } else if tod < job.end {
            if state.agents[seat].work.shift.state != ShiftState::Post {
                on_shift(town, state, seat, job, tod - job.start);
                // The tick after that belongs to tomorrow's shift.
                if tod + 1 == town.day {
                    close(state, seat, job);
                }
            }
        } else if state.agents[seat].work.shift.state != ShiftState::Post {
            close(state, seat, job);
        }
    }
}

fn on_shift(town: &Town, state: &mut State, seat: usize, job: &Job, elapsed: u32) {
    let rules = state.hot.employment;
    let [grace, cutoff, slack] = [rules.grace, rules.cutoff, rules.slack];
    let grace = job.windows[0].unwrap_or(grace);
    let cutoff = job.windows[1].unwrap_or(cutoff);
    let slack = job.windows[2].unwrap_or(slack);
    if state.agents[seat].hospital {
        let shift = &mut state.agents[seat].work.shift;
        shift.excused |= shift.state != ShiftState::Absent;
        return;
    }
    let there = on_site(town, state, seat);
    let shift = &mut state.agents[seat].work.shift;
    if shift.state == ShiftState::Absent {
        withhold(state, seat, job);
        return;
    }
    if there {
        shift.away = 0;
        if !shift.came {
            shift.came = true;
            arrive(state, seat, job, elapsed, grace);
        }
        pay(state, seat, job);
    } else if shift.excused {
        // Nobody asks why it is not there, and nobody pays it.
    } else if !shift.came {
        if elapsed <= grace {
            shift.state = ShiftState::Await;
        } else if elapsed <= cutoff {
            late(state, seat, job, elapsed);
            late_tick(state, seat, job);
        } else {
            absent(town, state, seat, job, "shift_absent");
        }
    } else {
        shift.away += 1;
        if shift.away > slack {
            absent(town, state, seat, job, "shift_departed_early");
        } else if shift.state == ShiftState::Late {
            late_tick(state, seat, job);
        }
    }
    help(town, state, seat);
}

/// In the first late tick of a shift in which a coworker is there, that one stands in.
fn help(town: &Town, state: &mut State, seat: usize) {
    let shift = state.agents[seat].work.shift;
    if shift.state != ShiftState::Late || shift.helped || shift.excused {
        return;
    }
    if let Some(other) = coworker(town, state, seat) {
        state.agents[seat].work.shift.helped = true;
        state.tally.helped += 1;
        state.tell(Event::new("employment_helped_when_late").of(seat).with(other));
        relations::both(town, state, [seat, other], Change::HELPED, true);
    }
}

fn arrive(state: &mut State, seat: usize, job: &Job, elapsed: u32, grace: u32) {
    let late_by = i64::from(elapsed).min(HALF_HOUR);
    state.agents[seat].now.punctual = ONE - late_by * ONE / HALF_HOUR;
    if elapsed > grace && !state.agents[seat].work.shift.excused {
        late(state, seat, job, elapsed);
    } else {
        state.agents[seat].work.shift.state = ShiftState::OnTime;
    }
}

fn pay(state: &mut State, seat: usize, job: &Job) {
    let tick = state.tick;
    let agent = &mut state.agents[seat];
    agent.wallet += job.wage;
    agent.earned += job.wage;
    agent.now.paid = true;
    agent.work.last_wage = tick;
    if agent.work.shift.state == ShiftState::OnTime {
        agent.work.shift.on_time += 1;
    }
}

fn withhold(state: &mut State, seat: usize, job: &Job) {
    let agent = &mut state.agents[seat];
    agent.work.withheld += job.wage;
    agent.now.withheld = true;
}

fn charge(state: &mut State, seat: usize, amount: Micro) {
    if state.hot.employment.enforced {
        let wallet = &mut state.agents[seat].wallet;
        *wallet = (*wallet - amount).max(0);
    }
}

/// A city event has kept an agent from what it was doing: nobody blames it for the shift it is on or
/// should be on its way to, unless it had missed that already.
pub fn excuse(town: &Town, state: &mut State, seat: usize) {
    let agent = &state.agents[seat];
    let Some(job) = town.jobs.get(usize::from(agent.work.job)) else { return };
    let tod = state.tod(town);
    let way = u32::from(town.distance(town.site(agent.work.job), agent.tile));
    let concerned = tod + way + state.hot.behavior.buffer >= job.start && tod < job.end;
    if concerned && !matches!(agent.work.shift.state, ShiftState::Absent | ShiftState::Post) {
        state.agents[seat].work.shift.excused = true;
    }
}

/// Late for the first time today.
fn late(state: &mut State, seat: usize, job: &Job, elapsed: u32) {
    let shift = &mut state.agents[seat].work.shift;
    shift.state = ShiftState::Late;
    if shift.was_late {
        return;
    }
    shift.was_late = true;
    state.agents[seat].work.lateness += 1;
    state.agents[seat].now.bits |= bit("job_late");
    state.tally.late += 1;
    charge(state, seat, job.lateness);
    state.tell(Event::new("job_late").of(seat).value(f64::from(elapsed)));
}

fn late_tick(state: &mut State, seat: usize, job: &Job) {
    state.agents[seat].work.shift.late += 1;
    let amount = job.penalties[0].unwrap_or(state.hot.employment.late_tick);
    charge(state, seat, amount);
    withhold(state, seat, job);
}

fn absent(town: &Town, state: &mut State, seat: usize, job: &Job, reason: Reason) {
    state.agents[seat].work.shift.state = ShiftState::Absent;
    withhold(state, seat, job);
    let amount = job.penalties[1].unwrap_or(state.hot.employment.absence);
    charge(state, seat, amount);
    state.agents[seat].now.bits |= bit("shift_absent");
    state.tell(Event::new(reason).of(seat));
    if let Some(other) = coworker(town, state, seat) {
        state.tally.takeovers += 1;
        state.tell(Event::new("employment_took_my_shift").of(seat).with(other));
        let by = Change::SHIFT_TAKEN;
        chronicle::quarrel(state, [seat, other], NONE, "employment_shift_taken", by, 0);
        relations::both(town, state, [seat, other], Change::SHIFT_TAKEN, true);
    }
    if !state.hot.employment.enforced {
        return;
    }
    state.tally.missed += 1;
    let day = state.tick / town.day;
    let work = &mut state.agents[seat].work;
    if usize::from(work.absent) == ABSENCES {
        work.absences.rotate_left(1);
        work.absent -= 1;
    }
    work.absences[usize::from(work.absent)] = day;
    work.absent += 1;
    if absences(town, state, seat) + 1 == state.hot.employment.max_absent {
        state.tell(Event::new("employment_warning").of(seat));
    }
}

/// Somebody with the same job who is there.
fn coworker(town: &Town, state: &State, seat: usize) -> Option<usize> {
    let job = state.agents[seat].work.job;
    let mut others = state.order.iter().map(|&other| usize::from(other));
    others.find(|&other| {
        other != seat && state.agents[other].work.job == job && on_site(town, state, other)
    })
}

/// The shift is over: remember how it went, unless it was excused.
fn close(state: &mut State, seat: usize, job: &Job) {
    let work = &mut state.agents[seat].work;
    let shift = work.shift;
    work.shift.state = ShiftState::Post;
    if shift.excused {
        return;
    }
    let scheduled = job.end - job.start;
    if usize::from(work.shifts) == SHIFTS {
        work.shares.rotate_left(1);
        work.shifts -= 1;
    }
    work.shares[usize::from(work.shifts)] = shift.on_time * 1_000_000 / scheduled;
    work.shifts += 1;
    state.tally.shifts += 1;
    state.tally.punctual += u32::from(shift.came && !shift.was_late);
}

/// The mean share of the last shifts, in millionths; nothing missed counts as all.
#[must_use]
pub fn attendance(state: &State, seat: usize) -> Micro {
    let work = &state.agents[seat].work;
    let count = u32::from(work.shifts).min(state.hot.employment.window) as usize;
    if count == 0 {
        return ONE;
    }
    let last = &work.shares[usize::from(work.shifts) - count..usize::from(work.shifts)];
    last.iter().map(|&share| i64::from(share)).sum::<i64>() / count as i64
}

/// Absences of the last week.
#[must_use]
pub fn absences(town: &Town, state: &State, seat: usize) -> u32 {
    let day = state.tick / town.day;
    let work = &state.agents[seat].work;
    let days = work.absences[..usize::from(work.absent)].iter();
    days.filter(|&&missed| missed + WEEK > day).count() as u32
}

fn holders(state: &State, job: usize) -> usize {
    let held = state.agents.iter().filter(|agent| agent.present());
    held.filter(|agent| usize::from(agent.work.job) == job).count()
}

/// Whether one more may have a job.
#[must_use]
pub fn has_room(town: &Town, state: &State, job: u8) -> bool {
    holders(state, usize::from(job)) < usize::from(town.jobs[usize::from(job)].capacity)
}

/// The job with the fewest holders that has room; the first declared of those.
#[must_use]
pub fn vacancy(town: &Town, state: &State) -> Option<u8> {
    let open = (0..town.jobs.len() as u8).filter(|&job| has_room(town, state, job));
    open.min_by_key(|&job| (holders(state, usize::from(job)), job))
}

/// Those without work take what is open, at the beginning of a day.
pub fn hire(town: &Town, state: &mut State) {
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        if state.agents[seat].work.job == NONE
            && let Some(job) = vacancy(town, state)
        {
            state.agents[seat].work.job = job;
            state.agents[seat].work.last_wage = state.tick;
        }
    }
}
