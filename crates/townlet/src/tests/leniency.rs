//! Where nobody is blamed, nobody leaves, or the town helps out.

use super::{Stage, town_of};
use crate::affordances;
use crate::agent::{Agent, ShiftState};
use crate::config::Switch;
use crate::employment;
use crate::lifecycle::neglect_ticks;
use crate::movement;
use crate::numbers::{ENERGY, HUNGER, HYGIENE, ONE, micro};
use crate::queues;

const SHOWER: u8 = 10;
const TROUBLE: [&str; 3] = ["outage", "facility_closure", "price_spike"];

/// Somebody with a shift from 180 to 360 is at the shower or waits for it at `tod`, when something
/// happens; whether the shift is excused.
fn excused(tod: u32, trouble: &str, waits: bool) -> bool {
    let mut stage = Stage::new(town_of(2), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    stage.state_mut().agents.iter_mut().for_each(|agent| agent.work.job = 0);
    stage.state_mut().tick = tod - 1;
    if tod > 180 {
        // It came in time and has left its work for a shower.
        let shift = &mut stage.state_mut().agents[0].work.shift;
        (shift.came, shift.state) = (true, ShiftState::OnTime);
    }
    let state = stage.state_mut();
    let seats = if waits { [1, 0] } else { [0, 1] };
    for (seat, y) in seats.into_iter().zip([21, 22]) {
        movement::go(state, seat, town.grid.tile(20, y), false);
        queues::request(&town, state, seat, SHOWER);
        queues::assign(&town, state, SHOWER);
    }
    affordances::start(&town, state, seats[0], 0);
    assert_eq!(state.agents[seats[0]].running, 0);
    let target = if trouble == "facility_closure" { "\"shower_1\"" } else { "null" };
    stage.order(&format!(
        r#"{{"perturbation_trigger": {{"spec": "{trouble}", "starts_in": 0, "duration": 30,
           "target": {target}, "magnitude": null}}}}"#
    ));
    stage.idle(2);
    stage.state().agents[0].work.shift.excused
}

#[test]
fn only_a_facility_on_the_way_to_a_shift_excuses_it() {
    // The way to work takes 14 ticks from here, and 20 more to be early.
    for (tod, trouble, waits, expected) in [
        (100, "outage", false, false),
        (150, "outage", false, true),
        (250, "outage", false, true),
        (360, "outage", false, false),
        (250, "price_spike", false, false),
        (250, "facility_closure", true, true),
        (100, "facility_closure", true, false),
        (250, "facility_closure", false, true),
    ] {
        assert!(TROUBLE.contains(&trouble));
        assert_eq!(excused(tod, trouble, waits), expected, "{tod} {trouble} {waits}");
    }
}

/// The first day of somebody with a shift from 180 to 360 who comes so many ticks late or never, is
/// excused from this tick on, and is there for ten ticks.
fn excused_day(arrives: Option<u32>, excused_at: u32) -> (Stage, Vec<&'static str>) {
    let mut stage = Stage::new(town_of(1), 6);
    let town = std::sync::Arc::clone(&stage.world.town);
    let (site, away) = (town.jobs[0].tile, town.grid.tile(2, 40));
    let mut told = Vec::new();
    movement::go(stage.state_mut(), 0, away, false);
    for tick in 0..400 {
        let state = stage.state_mut();
        state.agents[0].needs = [ONE; 3];
        if tick == excused_at {
            employment::excuse(&town, state, 0);
        }
        if let Some(late) = arrives.filter(|late| [180 + late, 190 + late].contains(&tick)) {
            movement::go(state, 0, if tick == 180 + late { site } else { away }, false);
        }
        stage.idle(1);
        told.extend(stage.events().iter().filter(|one| one.agent == 0).map(|one| one.kind));
    }
    (stage, told)
}

#[test]
fn an_excused_shift_leaves_no_trace_but_the_wage_it_did_not_bring() {
    for (arrives, ticks) in [(None, 0), (Some(10), 10), (Some(100), 10)] {
        let (stage, told) = excused_day(arrives, 180);
        let agent = &stage.state().agents[0];
        assert_eq!(agent.work.shift.state, ShiftState::Post);
        assert_eq!((agent.work.lateness, agent.work.absent, agent.work.shifts), (0, 0, 0));
        assert_eq!((agent.work.withheld, agent.earned), (0, ticks * micro(0.02)));
        assert_eq!(agent.wallet, micro(1.5 * 1.5) + agent.earned);
        assert_eq!(employment::attendance(stage.state(), 0), ONE);
        assert_eq!((stage.state().tally.late, stage.state().tally.shifts), (0, 0));
        assert!(told.is_empty(), "{told:?}");
    }
    let (stage, told) = excused_day(None, 211 + 10);
    assert_eq!(told, ["job_late", "shift_absent"], "it was missed before");
    assert_eq!(stage.state().agents[0].work.shifts, 1);
}

#[test]
fn what_cannot_begin_excuses_only_if_the_city_is_to_blame() {
    for (outage, expected) in [(1, true), (0, false)] {
        let mut stage = Stage::new(town_of(1), 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        let state = stage.state_mut();
        state.agents[0].work.job = 0;
        state.agents[0].wallet = 0;
        state.tick = 250;
        movement::go(state, 0, town.grid.tile(20, 21), false);
        queues::request(&town, state, 0, SHOWER);
        queues::assign(&town, state, SHOWER);
        state.city.no_water = outage;
        affordances::start(&town, state, 0, 0);
        assert_eq!(state.agents[0].work.shift.excused, expected);
    }
}

#[test]
fn nobody_is_evicted_while_prices_are_raised_or_shortly_after() {
    let mut stage = Stage::new(town_of(1), 1);
    stage.order(
        r#"{"perturbation_trigger": {"spec": "price_spike", "starts_in": 0, "duration": 50,
            "target": "global", "magnitude": 2.0}}"#,
    );
    stage.idle(1);
    let resumes = 1 + 50 + 60;
    stage.state_mut().agents[0].grace_until = 10;
    stage.state_mut().agents[0].wallet = 0;
    while stage.terminated[0] == 0 {
        stage.idle(1);
    }
    assert_eq!((stage.state().tick - 1, stage.terms[9]), (resumes, -2.0));
}

/// Trouble from tick 11 on for 20 ticks and a grace of 60: the ticks of 120 that count as neglect, need
/// by need, and as hunger, while all needs are unmet.
fn counted(trouble: &str, target: &str) -> ([u16; 3], u32) {
    let count = |unmet: usize| {
        let mut document = town_of(1);
        document.lifecycle.faint_ticks = 1000;
        let mut stage = Stage::new(document, 1);
        stage.order(&format!(
            r#"{{"perturbation_trigger": {{"spec": "{trouble}", "starts_in": 10, "duration": 20,
                "target": {target}, "magnitude": null}}}}"#
        ));
        for _ in 0..120 {
            stage.state_mut().agents[0].needs = [ONE; 3];
            stage.state_mut().agents[0].needs[unmet] = 0;
            stage.idle(1);
        }
        (stage.state().agents[0].neglected, stage.state().agents[0].faint)
    };
    let [hunger, hygiene, energy] = [HUNGER, HYGIENE, ENERGY].map(count);
    ([hunger.0, hygiene.0, energy.0], hunger.1)
}

#[test]
fn trouble_pauses_only_what_it_keeps_people_from() {
    let (all, rest) = (120, 120 - 80);
    for (trouble, target, neglected) in [
        ("outage", "null", [all, rest, all]),
        // Stoves and showers need power.
        ("blackout", "null", [rest, rest, all]),
        ("facility_closure", "\"shower_1\"", [all, rest, all]),
        ("facility_closure", "\"fridge_2\"", [rest, all, all]),
        ("facility_closure", "\"till_1\"", [rest, all, all]),
        ("facility_closure", "\"bed_3\"", [all, all, rest]),
        ("price_spike", "\"global\"", [all; 3]),
    ] {
        let expected = (neglected, u32::from(neglected[HUNGER]));
        assert_eq!(counted(trouble, target), expected, "{trouble} {target}");
    }
}

type Spoil = fn(&mut Agent, u32);

#[test]
fn where_nobody_leaves_each_condition_is_counted_by_itself() {
    let conditions: [(&str, Spoil); 5] = [
        ("faint", |agent, _| (agent.faint, agent.needs[0]) = (29, 0)),
        ("eviction", |agent, _| (agent.grace_until, agent.wallet) = (1, 0)),
        ("neglect", |agent, ticks| {
            agent.neglect[5] = ticks as u16;
            agent.neglected = ticks as u16;
        }),
        ("age_out", |agent, _| agent.until = 1),
        ("unemployment", |agent, _| agent.work.approved = true),
    ];
    for (reason, spoil) in conditions {
        let mut document = town_of(2);
        document.lifecycle.training_mode = Switch::Off;
        let mut stage = Stage::new(document, 1);
        stage.idle(2);
        let ticks = neglect_ticks(&stage.world.town);
        let agent = &mut stage.state_mut().agents[0];
        (agent.unpaid, agent.neglect[4], agent.neglected) = (1, 7, 7);
        spoil(agent, ticks);
        // Hunger is a neglected need, too.
        let kept = match reason {
            "neglect" => 0,
            "faint" => 7 + 10,
            _ => 7,
        };
        let mut told = Vec::new();
        for _ in 0..10 {
            stage.idle(1);
            assert_eq!(stage.terminated, [0, 0]);
            let events = stage.events().iter().filter(|one| one.kind == "agent_exit_withheld");
            told.extend(events.map(|event| (event.agent, event.reason)));
        }
        assert_eq!(told, [(0, reason)]);
        assert_eq!((stage.stat("exits_withheld"), stage.stat("exits")), (1.0, 0.0));
        assert_eq!(stage.state().agents[0].neglected, kept, "{reason}");
    }
}

#[test]
fn who_lies_ill_comes_home_when_nobody_may_leave_any_more() {
    let mut stage = Stage::new(town_of(2), 1);
    stage.order(r#"{"set_exit_cap": {"cap": 0}}"#);
    stage.state_mut().agents[0].needs[0] = 0;
    stage.idle(40);
    assert!(stage.state().agents[0].hospital);
    stage.order(r#"{"toggle_mortality": {"on": false}}"#);
    stage.idle(2);
    assert!(stage.state().agents[0].about() && stage.state().agents[0].leaving == 0);
    super::chaos::sound(&stage);
}

#[test]
fn an_operator_sets_when_hunger_is_a_collapse() {
    let order = |stage: &mut Stage, value: f64, ticks: u32| {
        stage.order(&format!(
            r#"{{"set_death_threshold": {{"value": {value}, "ticks": {ticks}}}}}"#
        ));
        stage.idle(1);
        let told = stage.events().iter().find(|event| event.kind.starts_with("command_"));
        told.map(|event| event.reason).expect("an answer")
    };
    let mut stage = Stage::new(town_of(1), 1);
    assert_eq!(order(&mut stage, 1.5, 3), "E_INVALID_ARG");
    assert_eq!(order(&mut stage, 0.5, 0), "E_INVALID_ARG");
    assert_eq!(order(&mut stage, 0.5, 3), "");
    stage.state_mut().agents[0].needs[0] = micro(0.5);
    let ends = [0; 3].map(|_| {
        stage.idle(1);
        stage.terminated[0]
    });
    assert_eq!(ends, [0, 0, 1]);
}

#[test]
fn a_stipend_comes_with_the_day_and_newcomers_come_rested() {
    let mut document = town_of(1);
    document.economy.stipend_per_day = 0.5;
    document.population.needs.hunger = 0.35;
    let mut stage = Stage::new(document, 1);
    assert_eq!(stage.state().agents[0].needs[0], micro(0.35));
    let mut paid = Vec::new();
    for tick in 0..1100 {
        stage.state_mut().agents[0].needs = [ONE; 3];
        let before = stage.state().agents[0].wallet;
        stage.idle(1);
        let gained = stage.state().agents[0].wallet - before;
        if gained > 0 {
            paid.push((tick, gained));
        }
    }
    assert_eq!(paid, [(0, ONE / 2), (1000, ONE / 2)]);
    stage.order(r#"{"kill": {"agent_id": "resident_01"}}"#);
    while stage.bits[0] & crate::events::bit("arrived") == 0 {
        stage.idle(1);
    }
    assert_eq!(stage.state().agents[0].needs, [micro(0.8); 3]);
}
