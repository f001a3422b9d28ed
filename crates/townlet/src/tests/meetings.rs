//! Meetings bind persons, wherever they sit, and as many as the town says.

use super::{Stage, town_of};
use crate::agent::Tie;
use crate::config::{ActionMode, Variant};
use crate::movement;
use crate::numbers::micro;
use crate::perturbations::{self, Cause};
use crate::scheduler;

fn meet(stage: &mut Stage, agents: &[&str], location: &str, starts_in: u32) -> &'static str {
    stage.order(
        &serde_json::json!({ "arrange_meet": { "agents": agents, "location": location,
            "starts_in": starts_in, "duration": 60 } })
        .to_string(),
    );
    stage.idle(1);
    let told = stage.events().iter().find(|event| event.kind.starts_with("command_"));
    told.map(|event| event.reason).expect("an answer")
}

fn bound(stage: &Stage) -> Vec<usize> {
    let agents = stage.state().agents.iter().enumerate();
    agents.filter(|(_, agent)| agent.meeting != 0).map(|(seat, _)| seat).collect()
}

#[test]
fn those_who_are_sent_to_meet_go_there_and_are_free_again() {
    let mut stage = Stage::new(town_of(4), 1);
    for (agents, location, refused) in [
        (&["resident_01"][..], "cafe", "E_INVALID_ARG"),
        (&["resident_01", "resident_01"], "cafe", "E_INVALID_ARG"),
        (&["resident_01", "nobody"], "cafe", "E_UNKNOWN_AGENT"),
        (&["resident_01", "resident_02"], "moon", "E_INVALID_ARG"),
    ] {
        assert_eq!(meet(&mut stage, agents, location, 0), refused);
    }
    let guests = ["resident_01", "resident_02", "resident_04"];
    assert_eq!(meet(&mut stage, &guests, "cafe", 5), "");
    assert_eq!(bound(&stage), [0usize; 0]);
    stage.idle(5);
    assert_eq!(bound(&stage), [0, 1, 3]);
    stage.idle(50);
    let town = &stage.world.town;
    let cafe = town.objects.iter().position(|object| object.id == "fridge_1").expect("a fridge");
    for seat in 0..4 {
        let near = town.distance(cafe, stage.state().agents[seat].tile) <= 3;
        assert_eq!(near, seat != 2, "{seat}");
    }
    stage.idle(10);
    assert_eq!(bound(&stage), [0usize; 0]);
}

#[test]
fn guests_are_shown_the_way_to_the_meeting_until_they_are_there() {
    for mode in [ActionMode::Option, ActionMode::Primitive] {
        let mut document = town_of(2);
        document.policy_runtime.action_mode = mode;
        document.features.systems.observations = Variant::Full;
        let mut stage = Stage::new(document, 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        let cafe = town.objects.iter().position(|object| object.id == "fridge_1").expect("one");
        // The other one is there already, and in nobody's way.
        movement::go(stage.state_mut(), 1, town.grid.tile(12, 26), false);
        let hints = |stage: &Stage| {
            let features = &stage.obs[town.sight.map..];
            [features[25], features[26], features[27], features[28]]
        };
        let paths = |stage: &Stage| {
            let cells = town.sight.window * town.sight.window;
            stage.obs[4 * cells..6 * cells].iter().any(|&step| step != 0.0)
        };
        assert_eq!((hints(&stage), paths(&stage)), ([0.0; 4], false));
        assert_eq!(meet(&mut stage, &["resident_01", "resident_02"], "cafe", 0), "");
        for _ in 0..60 {
            let way = town.distance(cafe, stage.state().agents[0].tile);
            let shown = hints(&stage).iter().position(|&step| step == 1.0);
            assert_eq!((shown.is_some(), paths(&stage)), (way > 3, way > 3), "{way} steps away");
            let Some(shown) = shown else { break };
            // Hints go north, south, east, west; moves north, east, south, west.
            let moves = if mode == ActionMode::Primitive { [1, 3, 2, 4][shown] } else { 0 };
            stage.step(&[moves, 0]);
            assert_eq!(town.distance(cafe, stage.state().agents[0].tile), way - 1);
        }
        assert!(town.distance(cafe, stage.state().agents[0].tile) <= 3);
    }
}

#[test]
fn whoever_takes_the_seat_of_a_guest_is_not_invited() {
    for (guests, left, cancelled) in [
        (&["resident_01", "resident_02", "resident_03"][..], vec![1, 2], 0),
        (&["resident_01", "resident_02"], vec![], 1),
    ] {
        let mut stage = Stage::new(town_of(3), 1);
        stage.state_mut().city.spared[0] = 5000;
        assert_eq!(meet(&mut stage, guests, "cafe", 60), "");
        stage.order(r#"{"kill": {"agent_id": "resident_01"}}"#);
        let mut found = 0;
        for _ in 0..60 {
            stage.idle(1);
            let events = stage.events().iter();
            found += events.filter(|event| event.kind == "perturbation_cancelled").count();
        }
        assert!(stage.state().agents[0].present() && stage.state().id_of(0) == "resident_01#1");
        assert_eq!(stage.state().city.spared[0], 0, "a newcomer has not been a guest yet");
        assert_eq!((bound(&stage), found), (left, cancelled));
    }
}

#[test]
fn a_meeting_has_as_many_guests_as_the_town_says() {
    let mut document = town_of(6);
    for (_, spec) in &mut document.perturbations.specs.0 {
        spec.max_participants = 4;
    }
    let mut stage = Stage::new(document, 1);
    let rivals = [(1, 4, 0.9), (4, 5, 0.5), (1, 2, 0.3), (0, 3, 0.8)];
    for (owner, other, rivalry) in rivals {
        let agent = &mut stage.state_mut().agents[owner];
        agent.ties[usize::from(agent.known)] =
            Tie { other, rivalry: micro(rivalry), ..Tie::default() };
        agent.known += 1;
    }
    let mut found = |most, spared: [u32; 6]| {
        stage.state_mut().city.spared = spared.to_vec();
        scheduler::rivals(stage.state_mut(), most, Cause::Drawn)
            .map(|(seats, count)| seats[..count].to_vec())
    };
    assert_eq!(found(2, [0; 6]), Some(vec![1, 4]), "the worst pair");
    assert_eq!(found(4, [0; 6]), Some(vec![1, 4, 5, 2]), "then who is at odds with them");
    let fifth: std::collections::BTreeSet<_> =
        (0..40).filter_map(|_| found(5, [0; 6])).map(|seats| seats[4]).collect();
    assert_eq!(fifth, [0, 3].into(), "equals are drawn");
    assert_eq!(found(2, [0, 100, 0, 0, 0, 0]), Some(vec![0, 3]), "who met lately is left out");
    let town = std::sync::Arc::clone(&stage.world.town);
    let spec = town.specs.iter().position(|spec| spec.id == "arranged_meet").expect("a spec");
    let planned = perturbations::plan(&town, stage.state_mut(), (spec, 2), 0, Cause::Drawn);
    let planned = planned.expect("guests");
    assert_eq!(planned.invited()[..2], [0, 3], "by the numbers of the persons");
    assert_eq!(planned.invited().len(), 4);
}
