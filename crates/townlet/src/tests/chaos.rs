//! Kills and outages: whatever is thrown at a town, its invariants hold.

use super::{Stage, town_of};
use crate::draws::Draws;
use crate::events::bit;
use crate::movement;
use crate::numbers::{NONE, ONE};
use crate::options::{GET_CLEAN, GET_FED};
use crate::perturbations::EVENTS_MAX;
use crate::sound::check;
use crate::state::State;
use crate::town::FOOD_RAW;

/// Among the stocks of an object.
const RAW_INGREDIENTS: usize = 1;

/// What must hold after every step.
pub fn sound(stage: &Stage) {
    let (town, state) = (&stage.world.town, stage.state());
    if let Err(why) = check(town, state) {
        panic!("tick {}: {why}", state.tick);
    }
    for (seat, agent) in state.agents.iter().enumerate() {
        assert!(agent.wallet >= 0 && agent.needs.iter().all(|need| (0..=ONE).contains(need)));
        assert!(agent.holding == NONE || agent.waiting == NONE, "holder and waiter at once");
        for tie in &agent.ties[..usize::from(agent.known)] {
            assert!(tie.trust.abs() <= ONE && tie.familiarity.abs() <= ONE);
            assert!((0..=ONE).contains(&tie.rivalry) && usize::from(tie.other) != seat);
        }
        if !agent.present() {
            assert!(agent.holding == NONE && agent.waiting == NONE && agent.known == 0);
        } else if agent.about() {
            assert_eq!(usize::from(state.ground[usize::from(agent.place())]), seat + 1);
            assert!(town.grid.walkable[usize::from(agent.tile)] != 0);
            let entered = agent.now.bits & bit("ghost_step") != 0;
            assert!(!agent.ghost || entered, "a tile is shared for one tick");
        }
    }
    let taken = state.ground.iter().filter(|&&seat| seat != 0).count();
    let about = state.agents.iter().filter(|agent| agent.about()).count();
    assert_eq!(taken, about, "a tile for everyone");
    assert!(stage.obs.iter().all(|value| (-1.0..=1.0).contains(value)));
    for (seat, reward) in stage.reward.iter().enumerate() {
        // Each was rounded from a double: half a unit in the last place, no more.
        let terms = stage.terms[seat * 10..][..10].iter().map(|&term| f64::from(term));
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
        let reward = f64::from(*reward);
        let half = f64::from(f32::EPSILON) / 2.0;
        assert!((sum - reward).abs() <= half * (size + reward.abs()) + 1e-15);
    }
}

/// Events are numbered without a gap, so none is told twice or lost.
pub fn told_once(state: &State, next: &mut u64) {
    let worded = state.log.worded.iter().map(|event| event["seq"].as_u64());
    for seq in worded.chain(state.log.events.iter().map(|event| Some(event.seq))) {
        assert_eq!(seq, Some(*next));
        *next += 1;
    }
    assert_eq!(state.annex.seq, *next);
}

#[test]
fn random_kills_leave_nothing_behind() {
    let mut stage = Stage::new(town_of(8), 11);
    let mut draws = Draws::of(11, "kills");
    let mut next = stage.state().annex.seq;
    let mut persons = std::collections::BTreeMap::new();
    for _ in 0..10_000 {
        if draws.below(50) == 0 && !stage.state().order.is_empty() {
            let at = draws.below(stage.state().order.len() as u32) as usize;
            let id = stage.state().id_of(usize::from(stage.state().order[at]));
            stage.order(&format!(r#"{{"kill": {{"agent_id": "{id}"}}}}"#));
        }
        let advice = stage.advice();
        stage.step(&advice);
        told_once(stage.state(), &mut next);
        sound(&stage);
        let state = stage.state();
        for seat in state.order.iter().map(|&seat| usize::from(seat)) {
            let serial = state.agents[seat].serial;
            let first = *persons.entry(state.id_of(seat)).or_insert(serial);
            assert_eq!(first, serial, "{} is somebody else now", state.id_of(seat));
        }
    }
    assert_eq!(persons.len(), stage.state().persons as usize, "each had an id of its own");
    let names = stage.state().agents.iter().map(|agent| agent.generation);
    assert!(names.max() > Some(10), "and many came in the place of others");
    assert!(stage.stat("killed") > 100.0);
}

/// One who starves in seat 0, and for how long that has counted.
#[derive(Default)]
struct Starving {
    ticks: u32,
    paused_until: u32,
    paused: u32,
}

impl Starving {
    /// Before a tick: nothing but hunger befalls it, and without power nobody is blamed for that.
    fn starve(&mut self, stage: &mut Stage) {
        let town = std::sync::Arc::clone(&stage.world.town);
        let state = stage.state_mut();
        let tick = state.tick;
        let specs = state.city.active.iter().map(|one| &town.specs[usize::from(one.spec)].id);
        if specs.into_iter().any(|id| id == "blackout") {
            self.paused_until = tick + 1 + 60;
        }
        let agent = &mut state.agents[0];
        (agent.needs, agent.wallet, agent.work.last_wage) = ([0, ONE, ONE], ONE, tick);
        if agent.present() && tick >= self.paused_until {
            self.ticks += 1;
        } else if agent.present() {
            self.paused += 1;
        }
    }

    /// After it: it leaves in the thirtieth tick that counts, and in no other.
    fn look(&mut self, stage: &Stage) {
        assert_eq!(stage.terminated[0] == 1, self.ticks == 30, "after {} ticks", self.ticks);
        self.ticks %= 30;
    }
}

/// Whoever has an object uses it, or has not had it for long.
fn nothing_is_stuck(stage: &Stage) {
    let state = stage.state();
    for agent in state.agents.iter().filter(|agent| agent.holding != NONE) {
        let fresh = state.tick <= agent.held_since + state.hot.queue.hold + 1;
        let used = agent.running != NONE && agent.runs_until >= state.tick;
        assert!(used || agent.running == NONE && fresh);
    }
}

#[test]
fn outages_abort_refund_and_leave_nothing_occupied() {
    let mut document = town_of(8);
    document.lifecycle.max_exits_per_day = 64;
    document.lifecycle.exit_cooldown_ticks = 0;
    let mut stage = Stage::new(document, 12);
    let mut draws = Draws::of(12, "outages");
    let mut starving = Starving::default();
    let mut aborted = 0;
    for _ in 0..10_000 {
        if draws.below(60) == 0 {
            let spec = ["blackout", "outage"][draws.below(2) as usize];
            stage.order(&format!(
                r#"{{"perturbation_trigger": {{"spec": "{spec}", "starts_in": 0, "duration": 7,
                   "target": null, "magnitude": null}}}}"#
            ));
        }
        starving.starve(&mut stage);
        let before = stage.state().clone();
        let mut advice = stage.advice();
        advice[0] = 0;
        stage.step(&advice);
        sound(&stage);
        nothing_is_stuck(&stage);
        starving.look(&stage);
        let others = stage.terminated[1..].iter().all(|&ended| ended == 0);
        assert!(others, "nobody else leaves, whatever fails");
        for event in stage.events() {
            if event.kind == "affordance_fail" && event.reason == "utility_outage" {
                aborted += 1;
                let seat = usize::from(event.agent);
                let (agent, payer) = (&stage.state().agents[seat], &before.agents[seat]);
                assert!(agent.running == NONE && agent.holding == NONE && agent.paid == 0);
                let wage = agent.earned - payer.earned;
                assert_eq!(agent.wallet, payer.wallet + payer.paid + wage, "the price comes back");
                let own = u16::from(payer.gave_item);
                assert_eq!(agent.items[FOOD_RAW], payer.items[FOOD_RAW] + own);
            }
        }
    }
    assert!(aborted > 0, "some outage fell into a shower or a meal being cooked");
    assert!(stage.stat("faints") > 10.0 && starving.paused > 1000);
}

/// Money, stock of the object, and food of one's own that was brought in place of money.
#[test]
fn what_an_outage_cuts_short_is_given_back_to_the_last_unit() {
    let cases = [
        ("stove_1", GET_FED, 0, "blackout", [150_000, 1, 0]),
        ("stove_1", GET_FED, 2, "blackout", [0, 1, 1]),
        ("shower_1", GET_CLEAN, 2, "blackout", [200_000, 0, 0]),
        ("shower_1", GET_CLEAN, 2, "outage", [200_000, 0, 0]),
    ];
    for (id, option, own, spec, cost) in cases {
        let mut stage = Stage::new(town_of(1), 12);
        let town = std::sync::Arc::clone(&stage.world.town);
        let thing = |id: &str| town.objects.iter().position(|one| one.id == id).expect("there");
        let used = thing(id);
        let state = stage.state_mut();
        for fridge in ["fridge_1", "fridge_2"] {
            state.things[thing(fridge)].stock = [0; 4]; // or nobody would cook
        }
        state.agents[0].items[FOOD_RAW] = own;
        let beside = town.grid.step(town.objects[used].tile, 2).expect("a tile");
        movement::go(state, 0, beside, false);
        stage.look();
        let goods = |stage: &Stage| {
            let (agent, thing) = (&stage.state().agents[0], &stage.state().things[used]);
            [agent.wallet, thing.stock[RAW_INGREDIENTS].into(), agent.items[FOOD_RAW].into()]
        };
        let before = goods(&stage);
        let runs = |stage: &Stage| stage.state().agents[0].running != NONE;
        for _ in 0..9 {
            stage.step(&[i32::from(option)]);
        }
        assert!(runs(&stage), "{id}");
        let spent: Vec<i64> =
            before.iter().zip(goods(&stage)).map(|(had, has)| had - has).collect();
        assert_eq!(spent, cost, "{id} with {own} of one's own");
        stage.order(&format!(
            r#"{{"perturbation_trigger": {{"spec": "{spec}", "starts_in": 0, "duration": 7,
               "target": null, "magnitude": null}}}}"#
        ));
        let aborted = (0..3).any(|_| {
            stage.idle(1);
            stage.events().iter().any(|event| event.reason == "utility_outage")
        });
        assert!(aborted && !runs(&stage), "{id}, {spec}");
        assert_eq!(goods(&stage), before, "{id} with {own} of one's own, {spec}");
    }
}

/// Exits that a facility's failure may have caused wait until it works again and a grace is over.
#[test]
fn an_outage_and_its_grace_suspend_collapses() {
    let mut stage = Stage::new(town_of(4), 13);
    stage.order(
        r#"{"perturbation_trigger": {"spec": "blackout", "starts_in": 0, "duration": 50,
            "target": null, "magnitude": null}}"#,
    );
    stage.idle(1);
    let resumes = stage.state().tick + 50 + 60;
    let mut left = None;
    for _ in 0..200 {
        stage.state_mut().agents[0].needs[0] = 0;
        stage.idle(1);
        if stage.terminated[0] == 1 {
            left = Some(stage.state().tick - 1);
            break;
        }
    }
    assert_eq!(left, Some(resumes + 29), "thirty ticks in a row after the grace");
}

#[test]
fn there_is_an_end_to_ordered_events() {
    let mut stage = Stage::new(town_of(4), 14);
    for _ in 0..300 {
        stage.order(
            r#"{"perturbation_trigger": {"spec": "outage", "starts_in": 0, "duration": 900000,
                "target": null, "magnitude": null}}"#,
        );
    }
    stage.idle(2);
    assert_eq!(stage.state().city.active.len(), EVENTS_MAX);
    assert_eq!(usize::from(stage.state().city.no_water), EVENTS_MAX);
}
