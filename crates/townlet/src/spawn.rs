//! Arrivals: the first residents, and those who come after somebody left.

use crate::agent::{Agent, Presence, ShiftState};
use crate::annex;
use crate::employment;
use crate::events::{Event, bit, figure};
use crate::hashes::{blake2s, sha256};
use crate::numbers::{Micro, NEEDS, NONE, ONE, micro, scaled};
use crate::slots;
use crate::state::{Arrival, State};
use crate::town::{CLOTHES, FOOD_RAW, Town};

/// Profiles, in the order of the table.
pub const PROFILES: [&str; 5] = ["balanced", "socialite", "industrious", "stoic", "newcomer"];
/// Chats.
pub const SOCIALITE: u8 = 1;
/// Works.
pub const INDUSTRIOUS: u8 = 2;
/// Endures.
pub const STOIC: u8 = 3;
/// Traits of its own.
pub const NEWCOMER: u8 = 4;

/// Extroversion, forgiveness, ambition of each profile.
const TRAITS: [[Micro; 3]; 4] = [
    [0, 0, 0],
    [600_000, 100_000, -100_000],
    [-200_000, -100_000, 500_000],
    [-300_000, 500_000, -200_000],
];
/// What each profile makes of the decay of hunger, hygiene, energy.
const DECAY: [[Micro; NEEDS]; 5] = [
    [ONE, ONE, ONE],
    [ONE, 1_100_000, ONE],
    [ONE, ONE, 900_000],
    [950_000, ONE, ONE],
    [ONE, ONE, ONE],
];

/// How each profile behaves: what it makes of somebody pleasant, of the time to leave for work, and of
/// the rivalry from which it avoids others (which is divided by this).
const MANNERS: [[Micro; 3]; 5] = [
    [ONE, ONE, ONE],
    [1_300_000, ONE, ONE],
    [ONE, 1_400_000, ONE],
    [ONE, ONE, 600_000],
    [ONE, ONE, ONE],
];
/// Needs of newcomers, whatever the first residents begin with.
const RESTED: Micro = 800_000;

/// `chat_preference`, `work_affinity` and `conflict_tolerance` of a profile.
#[inline]
#[must_use]
pub fn manners(profile: u8) -> [Micro; 3] {
    MANNERS[usize::from(profile)]
}

/// Everyone who is there at the first tick.
pub fn residents(town: &Town, state: &mut State) {
    for origin in 0..town.names.len() {
        settle(town, state, origin as u16, None, Coming::Resident);
    }
}

/// Newcomers that are due.
pub fn arrive(town: &Town, state: &mut State) {
    let mut at = 0;
    while at < state.arrivals.len() {
        let Arrival { due, origin } = state.arrivals[at];
        if due <= state.tick
            && settle(town, state, origin, Some(town.bus_stop), Coming::Newcomer).is_some()
        {
            state.arrivals.remove(at);
        } else {
            at += 1;
        }
    }
}

/// As what somebody comes to town.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coming {
    /// One of the first.
    Resident,
    /// Somebody in the place of one who left.
    Newcomer,
    /// Brought by an operator, who may say with which job.
    Ordered(Option<u8>),
}

/// Give a person a seat, a slot, a home and a tile; nothing if one of them is missing.
pub fn settle(
    town: &Town,
    state: &mut State,
    origin: u16,
    near: Option<u16>,
    coming: Coming,
) -> Option<usize> {
    let newcomer = coming == Coming::Newcomer;
    let seat = state.agents.iter().position(|agent| agent.presence == Presence::Absent)?;
    let bed = home_of(town, state);
    let goal = near.unwrap_or_else(|| match bed {
        NONE => town.bus_stop,
        _ => town.homes[usize::from(bed)],
    });
    let tile = town.grid.nearest(goal, |tile| state.ground[usize::from(tile)] == 0)?;
    let slot = slots::allocate(town, state, seat)?;
    let generation = state.generations[usize::from(origin)];
    state.generations[usize::from(origin)] += 1;
    let serial = state.persons;
    state.persons += 1;
    let rent = state.hot.economy.rent;
    let needs =
        if newcomer { [RESTED; NEEDS] } else { town.document.population.needs.values().map(micro) };
    state.agents[seat] = Agent {
        presence: Presence::Present,
        tile,
        bed,
        slot,
        serial,
        origin,
        generation,
        reset: true,
        mask: 1,
        since: state.tick,
        needs,
        wallet: scaled(rent, micro(town.document.population.wallet_in_rents)),
        ..Agent::empty()
    };
    state.agents[seat].items[FOOD_RAW] = 1;
    state.agents[seat].items[CLOTHES] = 1;
    state.ground[usize::from(tile)] = seat as u8 + 1;
    state.sort();
    character(town, state, seat, newcomer);
    profession(town, state, seat, coming);
    state.agents[seat].potential = crate::reward::potential(town, &state.agents[seat]);
    introduce(state, seat, newcomer);
    Some(seat)
}

fn introduce(state: &mut State, seat: usize, newcomer: bool) {
    if newcomer {
        state.tally.arrivals += 1;
        state.agents[seat].now.bits |= bit("arrived");
        state.tell(Event::new("agent_respawn").of(seat));
    }
    state.tell(Event::new("agent_spawned").of(seat).value(figure(state.agents[seat].wallet)));
}

/// The bed with the fewest owners.
fn home_of(town: &Town, state: &State) -> u8 {
    let owners = |bed: usize| {
        let owned = state.agents.iter().filter(|agent| agent.present());
        owned.filter(|agent| usize::from(agent.bed) == bed).count()
    };
    (0..town.beds.len()).min_by_key(|&bed| (owners(bed), bed)).map_or(NONE, |bed| bed as u8)
}

/// Who it is: the hash of its id, traits, how fast it tires, how long it lives.
fn character(town: &Town, state: &mut State, seat: usize, newcomer: bool) {
    let id = state.id_of(seat);
    let hash = blake2s(id.as_bytes());
    state.agents[seat].sign.copy_from_slice(&hash[..8]);
    annex::settle(state, seat, &id);
    let profile = profile(town, state, &id, newcomer);
    let traits = if profile == NEWCOMER {
        state.newcomers += 1;
        [2, 3, 5].map(|base| 2 * halton(state.newcomers, base) - ONE)
    } else {
        TRAITS[usize::from(profile)]
    };
    let rates = town.document.rewards.decay_rates.values().map(micro);
    let factors = DECAY[usize::from(profile)];
    let life = match town.document.lifecycle.age_out_days {
        None => u32::MAX,
        Some([low, high]) => state.world.between(low * town.day, high * town.day),
    };
    let agent = &mut state.agents[seat];
    agent.profile = profile;
    agent.traits = traits;
    agent.decay = std::array::from_fn(|need| scaled(rates[need], factors[need]));
    agent.until = agent.since.saturating_add(life);
}

fn profile(town: &Town, state: &State, id: &str, newcomer: bool) -> u8 {
    let named = |name: &str| PROFILES.iter().position(|known| *known == name).unwrap_or(0) as u8;
    if let Some(&fixed) = town.document.personalities.overrides.get(id) {
        return fixed as u8;
    }
    if !town.document.features.behavior.personality_profiles {
        return 0;
    }
    if newcomer {
        return NEWCOMER;
    }
    let hash = sha256(&[&state.seed.to_le_bytes()[..], id.as_bytes()].concat());
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    let weights = &town.document.personalities.distribution.0;
    let total: f64 = weights.iter().map(|(_, weight)| weight.max(0.0)).sum();
    let mut rest = u64::from_le_bytes(first) as f64 / 18_446_744_073_709_551_616.0 * total;
    for (name, weight) in weights {
        rest -= weight.max(0.0);
        if rest < 0.0 {
            return named(name);
        }
    }
    0
}

/// The Halton sequence, in millionths.
fn halton(mut index: u32, base: u32) -> Micro {
    let (mut value, mut share) = (0, ONE);
    while index > 0 {
        share /= i64::from(base);
        value += share * i64::from(index % base);
        index /= base;
    }
    value
}

/// The job it has from the first tick on, if any.
fn profession(town: &Town, state: &mut State, seat: usize, coming: Coming) {
    let job = match coming {
        Coming::Ordered(Some(job)) => Some(job),
        Coming::Resident | Coming::Ordered(None) => employment::vacancy(town, state),
        Coming::Newcomer => {
            let chance = micro(town.document.lifecycle.newcomer_job_chance);
            let hired = state.world.happens(chance);
            if hired { employment::vacancy(town, state) } else { None }
        }
    };
    let tod = state.tod(town);
    let tick = state.tick;
    let work = &mut state.agents[seat].work;
    work.last_wage = tick;
    if let Some(job) = job {
        work.job = job;
        if tod > 0 && tod >= town.jobs[usize::from(job)].start {
            work.shift.state = ShiftState::Post;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halton_fills_the_interval_evenly() {
        let firsts: Vec<Micro> = (1..=4).map(|index| halton(index, 2)).collect();
        assert_eq!(firsts, [500_000, 250_000, 750_000, 125_000]);
        assert_eq!(halton(1, 5), 200_000);
    }
}
