//! Blocks for panels: what they say is what the state holds.

use serde_json::{Value, json};

use super::{Stage, eventful_town_of, town_of};
use crate::agent::ShiftState;
use crate::blocks::NAMES;
use crate::numbers::NONE;

fn entries(block: &Value) -> &serde_json::Map<String, Value> {
    block.as_object().expect("an object")
}

#[test]
fn every_block_is_an_object_and_none_has_another_name() {
    for mut document in [town_of(8), eventful_town_of(8)] {
        document.perturbations.enabled = true;
        let mut stage = Stage::new(document, 3);
        for _ in 0..12 {
            stage.live(100);
            for name in NAMES {
                assert!(stage.world_block(name).is_object(), "{name}");
            }
        }
        assert!(astrarium_kernel::World::block(&stage.world, "weather forecast").is_none());
    }
}

#[test]
fn asking_changes_nothing() {
    let mut asked = Stage::new(town_of(4), 3);
    let mut unasked = Stage::new(town_of(4), 3);
    for _ in 0..50 {
        asked.live(10);
        unasked.live(10);
        for name in NAMES {
            asked.world_block(name);
        }
        assert_eq!(
            astrarium_kernel::digest_of(&asked.world),
            astrarium_kernel::digest_of(&unasked.world)
        );
    }
}

#[test]
fn the_clock_tells_tick_day_and_hour() {
    let mut stage = Stage::new(town_of(2), 3);
    assert_eq!(stage.world_block("clock"), json!({ "tick": 0, "day": 0, "tod": 0 }));
    stage.live(1234);
    let day = stage.world.town.day;
    assert_eq!(day, 1000);
    assert_eq!(stage.world_block("clock"), json!({ "tick": 1234, "day": 1, "tod": 234 }));
}

#[test]
fn jobs_tell_shifts_meals_and_wages() {
    let mut stage = Stage::new(town_of(6), 2);
    stage.live(700);
    let jobs = stage.world_block("jobs");
    let (mut at_work, mut eaten) = (0, 0);
    for (seat, agent) in stage.state().agents.iter().enumerate() {
        let told = &jobs[stage.state().id_of(seat)];
        let job = &stage.world.town.jobs[usize::from(agent.work.job)];
        let due = (job.start..job.end).contains(&stage.state().tod(&stage.world.town));
        assert_eq!(told["on_shift"], due);
        assert_eq!(told["job_id"], job.id.as_str());
        assert_eq!(told["meals_consumed"], agent.done[1]);
        assert_eq!(told["wages_earned"], agent.earned as f64 / 1e6);
        assert_eq!(told["basket_cost"], 3.1);
        at_work += u32::from(due && agent.work.shift.state == ShiftState::OnTime);
        eaten += agent.done[1];
    }
    assert!(at_work > 0 && eaten > 0);
}

#[test]
fn the_exit_queue_is_told_in_the_order_it_is_served() {
    let mut stage = Stage::new(town_of(4), 2);
    for (seat, since) in [(0, 30), (2, 10), (3, 20)] {
        stage.state_mut().agents[seat].work.queued = Some(since);
    }
    stage.state_mut().dismissals_today = 1;
    let block = stage.world_block("employment");
    let pending = block["pending"].as_array().expect("a queue").iter();
    let waiting: Vec<_> = pending.map(|one| (&one["agent_id"], &one["since"])).collect();
    let name = |number: u32| json!(format!("resident_{number:02}"));
    let (third, fourth, first) = (name(3), name(4), name(1));
    let expected = [(&third, &json!(10)), (&fourth, &json!(20)), (&first, &json!(30))];
    assert_eq!(waiting, expected);
    assert_eq!(block["pending_count"], 3);
    assert_eq!((&block["exits_today"], &block["daily_exit_cap"]), (&json!(1), &json!(2)));
    assert_eq!((&block["queue_limit"], &block["review_window"]), (&json!(8), &json!(1000)));
}

#[test]
fn what_runs_is_told_with_how_far_it_is() {
    let mut stage = Stage::new(town_of(6), 2);
    let mut seen = 0;
    for _ in 0..300 {
        stage.live(1);
        let block = stage.world_block("affordance_runtime");
        let busy = stage.state().agents.iter().filter(|agent| agent.running != NONE).count();
        assert_eq!(entries(&block["running"]).len(), busy);
        for one in entries(&block["running"]).values() {
            let progress = one["progress"].as_f64().expect("a share");
            assert!((0.0..1.0).contains(&progress));
            seen += usize::from(progress > 0.5);
        }
    }
    assert!(seen > 20);
}

#[test]
fn queues_and_their_counts_are_told() {
    let mut stage = Stage::new(town_of(8), 5);
    let mut waited = 0;
    for _ in 0..900 {
        stage.live(1);
        let block = stage.world_block("conflict");
        for (id, queue) in entries(&block["queues"]) {
            let at = stage.world.town.objects.iter().position(|object| object.id == *id);
            let thing = &stage.state().things[at.expect("an object")];
            let told = queue["entries"].as_array().expect("a queue").len();
            assert_eq!(told, usize::from(thing.waiting));
            assert_eq!(queue["holder"].is_null(), thing.holder == NONE);
            waited += told;
        }
    }
    assert!(waited > 0);
    let (block, tally) = (stage.world_block("queue_metrics"), stage.state().tally);
    assert_eq!(block["conflict_events"], tally.conflicts);
    assert_eq!(block["rotation_events"], tally.rotations);
    assert!(block["intensity_sum"].as_f64() > Some(0.0));
}

#[test]
fn what_rests_is_told_until_when() {
    let mut document = town_of(6);
    document.perturbations.enabled = true;
    let mut stage = Stage::new(document, 2);
    let (mut specs, mut agents) = (0, 0);
    for _ in 0..4000 {
        stage.live(1);
        let cooldowns = &stage.world_block("perturbations")["cooldowns"];
        for until in ["spec", "agents"].iter().flat_map(|key| entries(&cooldowns[key]).values()) {
            assert!(until.as_u64() > Some(u64::from(stage.state().tick)));
        }
        specs += entries(&cooldowns["spec"]).len();
        agents += entries(&cooldowns["agents"]).len();
    }
    assert!(specs > 0 && agents > 0);
}

#[test]
fn the_digest_of_the_manifest_is_the_one_a_reload_tells() {
    let mut stage = Stage::new(town_of(2), 2);
    let before = stage.world_block("affordance_manifest")["checksum"].clone();
    let mut node = stage.world.town.document.affordances.clone();
    node.affordances[0].duration += 1;
    let document = serde_json::to_string(&node).expect("JSON");
    let order = json!({ "config_reload": { "node": "affordances", "document": document } });
    stage.order(&order.to_string());
    stage.idle(1);
    let told: Vec<Value> =
        serde_json::from_str(&astrarium_kernel::World::happenings(&stage.world)).expect("JSON");
    let reloaded = told.iter().find(|one| one["event"] == "config_reloaded").expect("a reload");
    assert_eq!(reloaded["old_checksum"], before);
    assert_eq!(reloaded["new_checksum"], stage.world_block("affordance_manifest")["checksum"]);
}
