//! Queues, hunger, rent and arrivals, each set up to show one rule.

use super::{Stage, town_of};
use crate::agent::Presence;
use crate::events::bit;
use crate::numbers::{HYGIENE, ONE, micro};
use crate::options::{GET_CLEAN, WAIT};

#[test]
fn three_agents_share_one_shower_and_all_come_clean() {
    let mut document = town_of(3);
    document.affordances.objects.retain(|object| object.id != "shower_2");
    document.perturbations.specs.0.clear();
    let mut stage = Stage::new(document, 1);
    for agent in &mut stage.state_mut().agents {
        agent.needs = [ONE, micro(0.3), ONE];
    }
    for _ in 0..150 {
        let choose = |seat: usize| {
            let agent = &stage.state().agents[seat];
            let washes = agent.done[2] == 0 && agent.mask >> GET_CLEAN & 1 == 1;
            i32::from(if washes { GET_CLEAN } else { WAIT })
        };
        let actions = [choose(0), choose(1), choose(2)];
        stage.step(&actions);
        super::chaos::sound(&stage);
    }
    for agent in &stage.state().agents {
        assert_eq!(agent.done[2], 1, "showers of {}", agent.serial);
        assert!(agent.needs[HYGIENE] > micro(0.55));
    }
    assert!(stage.stat("queue_conflict_events") > 0.0, "waiting makes friction");
}

/// Ten who all have to wash at one shower, for five days.
#[test]
fn ten_agents_share_one_shower_for_five_days() {
    let mut document = town_of(10);
    document.affordances.objects.retain(|object| object.id != "shower_2");
    document.perturbations.specs.0.clear();
    let mut stage = Stage::new(document, 1);
    let (mut waits, mut rivals) = (0, 0);
    for _ in 0..5000 {
        stage.live(1);
        super::chaos::sound(&stage);
        let agents = stage.state().agents.iter();
        let ties = agents.flat_map(|agent| &agent.ties[..usize::from(agent.known)]);
        rivals += ties.filter(|tie| tie.rivalry > 0).count();
        waits += stage.state().things.iter().map(|thing| u32::from(thing.waiting)).sum::<u32>();
    }
    let state = stage.state();
    let showers: Vec<u32> = state.agents.iter().map(|agent| agent.done[2]).collect();
    assert!(showers.iter().all(|&count| count > 0), "showers of each: {showers:?}");
    assert!(
        waits > 0
            && stage.stat("queue_conflict_events") > 0.0
            && stage.stat("queue_conflict_intensity_sum") > 0.0
    );
    assert!(rivals > 0, "friction makes rivals");
}

#[test]
fn who_starves_collapses_and_is_replaced_while_the_others_go_on() {
    let mut stage = Stage::new(town_of(4), 2);
    stage.state_mut().agents[0].needs[0] = micro(0.02);
    let mut twin = Stage::new(town_of(4), 2);
    let mut left_at = None;
    for _ in 0..80 {
        for town in [&mut stage, &mut twin] {
            let mut advice = town.advice();
            advice[0] = 0;
            town.step(&advice);
        }
        // Nothing about the others differs from a town in which nobody starves.
        assert_eq!(stage.state().agents[1..], twin.state().agents[1..]);
        assert_eq!((&stage.bits[1..], &stage.reward[1..]), (&twin.bits[1..], &twin.reward[1..]));
        if stage.terminated[0] == 1 {
            assert!(stage.bits[0] & bit("faint") != 0);
            assert!(stage.terms[9] <= -1.0 && stage.reward[0] <= -1.0);
            assert!(stage.obs[..stage.layout.obs as usize].iter().any(|&value| value != 0.0));
            left_at = Some(stage.state().tick - 1);
        }
        if left_at.is_some() && stage.state().agents[0].presence == Presence::Present {
            assert!(stage.bits[0] & bit("arrived") != 0);
            break;
        }
    }
    let left_at = left_at.expect("somebody fainted");
    assert_eq!(left_at, 29, "thirty ticks in a row");
    let newcomer = &stage.state().agents[0];
    assert_eq!(newcomer.presence, Presence::Present);
    let waited = newcomer.since - left_at;
    assert!((5..=20).contains(&waited), "came after {waited} ticks");
    assert_eq!(stage.state().id_of(0), "resident_01#1");
    assert_eq!(newcomer.serial, 4);
    let harm = ["near_death", "hospitalised", "faint", "eviction", "unemployment", "neglect"];
    for _ in 0..1000 {
        stage.live(1);
        assert!(harm.iter().all(|name| stage.bits[1..].iter().all(|bits| bits & bit(name) == 0)));
    }
    assert!((1..4).all(|seat| stage.state().agents[seat].serial == seat as u32));
}

/// No food in town: everyone's hunger falls, and only what follows from it happens.
#[test]
fn without_food_people_collapse_and_newcomers_follow() {
    let mut stage = Stage::new(town_of(4), 2);
    let mut left = Vec::new();
    let mut came = Vec::new();
    for _ in 0..1500 {
        for agent in &mut stage.state_mut().agents {
            agent.items = [0; 3];
        }
        for thing in &mut stage.state_mut().things {
            thing.stock[..3].fill(0);
        }
        stage.live(1);
        let tick = stage.state().tick;
        for seat in 0..4 {
            if stage.terminated[seat] == 1 {
                assert!(stage.bits[seat] & (bit("faint") | bit("neglect")) != 0);
                left.push(tick - 1);
            }
            if stage.bits[seat] & bit("arrived") != 0 {
                came.push(tick);
            }
        }
    }
    assert_eq!(left.len(), 4, "two a day: {left:?}");
    assert!(left[1] < 1000 && left[2] >= 1000 && left.is_sorted_by(|a, b| a + 120 <= *b));
    for (left, came) in left.iter().zip(&came) {
        assert!((5..=20).contains(&(came - left)), "{left} {came}");
    }
}

#[test]
fn who_cannot_pay_is_evicted_after_a_day_of_grace() {
    let mut stage = Stage::new(town_of(4), 3);
    let mut evicted = None;
    for _ in 0..3200 {
        let agent = &mut stage.state_mut().agents[0];
        agent.needs = [ONE; 3];
        agent.wallet = 0;
        let advice = stage.advice();
        stage.step(&advice);
        stage.state_mut().agents[0].wallet = 0;
        if stage.terminated[0] == 1 {
            evicted = Some((stage.state().tick - 1, stage.terms[9], stage.bits[0]));
            break;
        }
    }
    let (tick, penalty, bits) = evicted.expect("an eviction");
    assert_eq!(tick, 2999, "two unpaid days, and a day to recover");
    assert_eq!(penalty, -2.0);
    assert!(bits & bit("eviction") != 0);
}

/// Who keeps part of the rent in the purse has not recovered by that; who earns it afterwards has.
#[test]
fn a_purse_that_was_never_opened_for_the_rent_is_no_recovery() {
    for (earns, expected) in [(0.0, Some(2999)), (0.7, Some(2999)), (0.8, None)] {
        let mut document = town_of(1);
        document.population.wallet_in_rents = 0.9;
        document.employment.enforce_job_loop = false;
        let mut stage = Stage::new(document, 3);
        let mut evicted = None;
        for tick in 0..3500 {
            let agent = &mut stage.state_mut().agents[0];
            (agent.needs, agent.work.last_wage) = ([ONE; 3], tick);
            if tick == 2500 {
                agent.wallet += micro(earns);
            }
            stage.idle(1);
            if tick == 999 {
                assert_eq!(stage.state().agents[0].wallet, 0, "what was there is taken");
            }
            if stage.terminated[0] == 1 {
                evicted = Some(tick);
                break;
            }
        }
        // More than half a rent, which is 1.5, within the day after the second that was missed.
        assert_eq!(evicted, expected, "{earns}");
    }
}

/// Prices rise and wages stop: the rent is missed twice, then comes a day to recover.
#[test]
fn a_spike_and_a_wage_cut_end_in_an_eviction() {
    let mut document = town_of(4);
    document.population.wallet_in_rents = 0.9;
    let mut stage = Stage::new(document, 3);
    stage.order(
        r#"{"perturbation_trigger": {"spec": "price_spike", "starts_in": 0, "duration": 900,
            "target": "global", "magnitude": 3.0}}"#,
    );
    let (mut missed, mut evicted) = (Vec::new(), None);
    for _ in 0..3500 {
        let agent = &mut stage.state_mut().agents[0];
        // Hungry enough to buy, never so hungry that something else ends it.
        agent.needs = agent.needs.map(|need| need.max(micro(0.2)));
        let (wallet, earned) = (agent.wallet, agent.earned);
        stage.live(1);
        let agent = &mut stage.state_mut().agents[0];
        assert!(agent.wallet <= wallet + micro(0.6), "wages and refunds only");
        agent.wallet -= (agent.earned - earned).min(agent.wallet);
        let tick = stage.state().tick - 1;
        if stage.bits[0] & bit("rent_missed") != 0 {
            missed.push(tick);
        }
        if stage.terminated[0] == 1 {
            evicted = Some((tick, stage.terms[9], stage.bits[0] & bit("eviction") != 0));
            break;
        }
    }
    assert_eq!(missed[..2], [999, 1999]);
    assert_eq!(evicted, Some((2999, -2.0, true)));
}

#[test]
fn three_collapses_at_once_leave_one_by_one() {
    let mut stage = Stage::new(town_of(6), 4);
    for seat in 0..3 {
        stage.state_mut().agents[seat].needs[0] = 0;
    }
    let mut exits = Vec::new();
    let mut hospital = 0;
    for _ in 0..400 {
        let mut advice = stage.advice();
        for choice in &mut advice[..3] {
            *choice = 0;
        }
        stage.step(&advice);
        for seat in 0..3 {
            if stage.terminated[seat] == 1 {
                exits.push(stage.state().tick - 1);
            }
            hospital += u32::from(stage.bits[seat] & bit("hospitalised") != 0);
        }
    }
    assert_eq!(exits.len(), 2, "at most two a day: {exits:?}");
    assert!(exits[1] - exits[0] >= 120);
    assert_eq!(hospital, 2);
    assert!(stage.state().agents.iter().any(|agent| agent.hospital));
}

#[test]
fn newcomers_in_a_crowd_find_a_place() {
    let mut document = town_of(8);
    document.population.seats = Some(11);
    let mut stage = Stage::new(document, 5);
    stage.live(50);
    for (place, name) in ["ann", "ben", "cem"].into_iter().enumerate() {
        let y = 24 + place;
        stage.order(&format!(
            r#"{{"spawn": {{"agent_id": "{name}", "position": [1, {y}], "job_id": null, "wallet": null}}}}"#
        ));
        stage.live(2);
    }
    assert_eq!(stage.state().order.len(), 11);
    stage.live(3000);
    assert_eq!(stage.stat("exits"), 0.0);
    let moved = |seat: usize| stage.state().agents[seat].done.iter().sum::<u32>() > 0;
    assert!((0..11).all(moved), "everyone has done something");
}
