//! What a citizen expects of its day: when it must leave for work, and how needs and money stand then.

use crate::agent::ShiftState;
use crate::annex;
use crate::citizen::SERVED_BY;
use crate::errands;
use crate::numbers::{ENERGY, Micro, ONE};
use crate::options::GET_FED;
use crate::state::State;
use crate::town::{Affordance, Job, Town};

/// Ticks left over for a queue or somebody in the way.
const SLACK: u32 = 10;
/// Ticks from the end of a shift or of a night to the next chance to see to a need.
const AFTERWARDS: u32 = 60;
/// A citizen prepares for work in the last so many ticks in which there is time for it.
pub const PREPARING: u32 = 120;
/// Ticks a citizen wants between waking and leaving for work.
const MORNING: u32 = 60;
/// Share of the day, in thousandths, at which the night begins: 22:00.
const NIGHTFALL: u32 = 750;
/// Share of the day, in thousandths, at which the night ends: 06:00.
const DAWN: u32 = 83;
/// How much of a need should be left above half its threshold.
const SPARE: Micro = 30_000;
/// How far above its threshold energy may be for a citizen to go to bed in the evening. Whoever
/// slept by day goes to bed with the others, or would sleep by day for ever.
const EVENING_ENERGY: Micro = 350_000;
/// How far above its threshold energy may be for a citizen to go to bed before dawn, when most have
/// slept already.
const MORNING_ENERGY: Micro = 150_000;

/// The use that an option for `need` is there for.
fn remedy(town: &Town, need: usize) -> Option<&Affordance> {
    let [first, second] = errands::means(town, SERVED_BY[need]);
    let known = |index: u8| town.affordances.get(usize::from(index));
    known(first).or_else(|| known(second))
}

/// The job of an agent whose shift of today is not over. In the first tick of a day the shift is
/// still yesterday's.
fn job_ahead<'a>(town: &'a Town, state: &State, seat: usize) -> Option<&'a Job> {
    let work = &state.agents[seat].work;
    let job = town.jobs.get(usize::from(work.job))?;
    let tod = state.tod(town);
    (tod < job.end && (tod == 0 || work.shift.state != ShiftState::Post)).then_some(job)
}

/// Whether a need would be too low after so many ticks, and is low enough for a remedy to help now.
fn fails_within(town: &Town, state: &State, seat: usize, need: usize, ticks: u32) -> bool {
    let agent = &state.agents[seat];
    let later = agent.needs[need] - agent.decay[need] * i64::from(ticks);
    let gain = remedy(town, need).map_or(0, |remedy| remedy.effects[need]);
    later < state.hot.behavior.thresholds[need] / 2 + SPARE && agent.needs[need] <= ONE - gain / 2
}

/// Whether a need would be too low at the end of today's shift.
#[must_use]
pub fn fails_at_work(town: &Town, state: &State, seat: usize, need: usize) -> bool {
    let tod = state.tod(town);
    let ahead = job_ahead(town, state, seat).filter(|job| tod < job.start);
    ahead.is_some_and(|job| fails_within(town, state, seat, need, job.end - tod + AFTERWARDS))
}

/// Whether a need would be too low after a night's sleep, and there is time and money to see to it.
#[must_use]
pub fn fails_overnight(town: &Town, state: &State, seat: usize, need: usize) -> bool {
    let night = remedy(town, ENERGY).map_or(0, |sleep| sleep.duration);
    fails_within(town, state, seat, need, night + AFTERWARDS)
        && !short_of_money(town, state, seat, need)
        && spare_ticks(town, state, seat, need).is_some_and(|spare| spare >= night + MORNING)
}

/// Whether it is time to go to bed: at night, tired enough, and early enough for the next shift.
#[must_use]
pub fn bedtime(town: &Town, state: &State, seat: usize) -> bool {
    let tod = state.tod(town) * 1000;
    let above = match (tod >= NIGHTFALL * town.day, tod < DAWN * town.day) {
        (true, _) => EVENING_ENERGY,
        (_, true) => MORNING_ENERGY,
        _ => return false,
    };
    state.agents[seat].needs[ENERGY] < state.hot.behavior.thresholds[ENERGY] + above
        && spare_ticks(town, state, seat, ENERGY).is_some_and(|spare| spare >= MORNING)
}

/// Whether to sleep by day: energy would not last to the end of the coming night's sleep.
#[must_use]
pub fn needs_nap(town: &Town, state: &State, seat: usize) -> bool {
    let night = remedy(town, ENERGY).map_or(0, |sleep| sleep.duration);
    let awake = (NIGHTFALL * town.day / 1000).saturating_sub(state.tod(town));
    fails_within(town, state, seat, ENERGY, awake + night)
        && spare_ticks(town, state, seat, ENERGY).is_some()
}

/// Whether paying for a need would leave too little for the rent, with what is still earned today.
#[must_use]
pub fn short_of_money(town: &Town, state: &State, seat: usize, need: usize) -> bool {
    let price = remedy(town, need).and_then(|remedy| state.prices.get(usize::from(remedy.price)));
    let Some(price) = price else { return false };
    let tod = state.tod(town);
    let ahead = job_ahead(town, state, seat)
        .filter(|_| state.agents[seat].work.shift.state != ShiftState::Absent);
    let wage = ahead.map_or(0, |job| job.wage * i64::from(job.end - job.start.max(tod)));
    state.agents[seat].wallet + wage - price < state.hot.economy.rent
}

/// Ticks left before it is time to leave for work if a need is served first; nothing if it cannot
/// be served before that, all there are for an agent without work.
#[must_use]
pub fn spare_ticks(town: &Town, state: &State, seat: usize, need: usize) -> Option<u32> {
    let agent = &state.agents[seat];
    let Some(job) = town.jobs.get(usize::from(agent.work.job)) else { return Some(u32::MAX) };
    let option = SERVED_BY[need];
    let (ticks, tile) = if option == GET_FED && errands::has_packed(town, state, seat) {
        (town.affordances[usize::from(town.roles.packed)].duration, agent.tile)
    } else {
        let (object, goal) = errands::target(town, state, seat, option)?;
        let duration = town.affordances[usize::from(goal)].duration;
        let delay = errands::delay(town, state, seat, object, duration);
        let ticks = delay * annex::pace(town, state, seat, true) + duration;
        (ticks, town.objects[usize::from(object)].tile)
    };
    // The way to work begins beside the object, whose own tile is blocked.
    let site = town.site(agent.work.job);
    let beside = (0..4).filter_map(|step| town.grid.step(tile, step));
    let commute = beside.map(|tile| u32::from(town.distance(site, tile))).min().unwrap_or(0);
    let commute = commute * annex::pace(town, state, seat, true);
    let until = if job_ahead(town, state, seat).is_some() {
        job.start.saturating_sub(state.tod(town))
    } else {
        job.start + town.day - state.tod(town)
    };
    until.checked_sub(ticks + commute + state.hot.behavior.buffer + SLACK)
}
