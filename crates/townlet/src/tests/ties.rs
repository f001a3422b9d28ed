//! What people hold of each other: how chats go, what changes a tie, who is forgotten.

use super::{Stage, town_of};
use crate::agent::{TIES, Tie};
use crate::chat;
use crate::citizen;
use crate::config::Stage as Social;
use crate::movement;
use crate::numbers::{Micro, ONE, micro, scaled};
use crate::options::{GO_TO_WORK, SOCIALISE, WAIT, favourite};
use crate::queues;
use crate::relations::{self, Change};
use crate::spawn::{INDUSTRIOUS, SOCIALITE};

const SHOWER: u8 = 10;

fn tie(stage: &mut Stage, [owner, other]: [usize; 2], [trust, familiarity, rivalry]: [f64; 3]) {
    let agent = &mut stage.state_mut().agents[owner];
    let [trust, familiarity, rivalry] = [trust, familiarity, rivalry].map(micro);
    agent.ties[usize::from(agent.known)] = Tie { other: other as u8, trust, familiarity, rivalry };
    agent.known += 1;
}

fn parts(tie: Tie) -> [Micro; 3] {
    [tie.trust, tie.familiarity, tie.rivalry]
}

#[test]
fn chats_go_as_well_as_the_two_get_on() {
    // Extroversion, trust, familiarity, rivalry; the chance and the quality, in millionths.
    for (ext, held, chance, quality) in [
        (0.0, [0.0, 0.0, 0.0], 700_000, 500_000),
        (1.0, [1.0, 1.0, 0.0], 980_000, 1_000_000),
        (-1.0, [-1.0, -1.0, 1.0], 392_000, 100_000),
        (0.6, [0.5, -0.5, 0.5], 724_500, 630_000),
    ] {
        let mut stage = Stage::new(town_of(2), 1);
        tie(&mut stage, [0, 1], held);
        stage.state_mut().agents[0].traits[0] = micro(ext);
        assert_eq!(chat::chance(&stage.world.town, stage.state(), 0, 1), chance);
        assert_eq!(chat::quality(stage.state(), 0, 1), quality);
    }
}

#[test]
fn character_tempers_what_a_tie_suffers() {
    let plain = |by: Change| [by.trust, by.familiarity, by.rivalry];
    // With a forgiveness of 0.5 harm counts for three quarters; with an ambition of 0.5 rivalry at
    // work for 1.15 of that.
    for (by, at_work, tempered) in [
        (Change::MEAL, false, plain(Change::MEAL)),
        (Change::POLITE, false, [50_000, 50_000, 0]),
        (Change::BLOCKED, false, [0, -37_500, 112_500]),
        (Change::SHIFT_TAKEN, true, [-75_000, 0, 258_750]),
        (Change::SHIFT_TAKEN, false, [-75_000, 0, 225_000]),
    ] {
        for modifiers in [false, true] {
            let mut document = town_of(2);
            document.features.relationship_modifiers = modifiers;
            let mut stage = Stage::new(document, 1);
            let town = std::sync::Arc::clone(&stage.world.town);
            stage.state_mut().agents[0].traits = [0, ONE / 2, ONE / 2];
            relations::change(&town, stage.state_mut(), [0, 1], by, at_work);
            let [trust, familiarity, rivalry] = plain(by);
            let raw = [trust, familiarity, rivalry.max(0)];
            let expected = if modifiers { tempered } else { raw };
            assert_eq!(parts(stage.state().agents[0].tie(1)), expected, "{by:?}");
        }
    }
}

#[test]
fn the_outgoing_grow_familiar_faster() {
    for (modifiers, familiarity) in [(true, 60_000), (false, 50_000)] {
        let mut document = town_of(2);
        document.features.relationship_modifiers = modifiers;
        let mut stage = Stage::new(document, 1);
        stage.state_mut().agents[0].traits = [ONE / 2, 0, 0];
        stage.order(
            r#"{"force_chat": {"speaker": "resident_01", "listener": "resident_02", "quality": 0.5}}"#,
        );
        stage.idle(1);
        assert_eq!(parts(stage.state().agents[0].tie(1)), [25_000, familiarity, 0]);
    }
}

#[test]
fn a_full_ledger_takes_only_what_matters_and_drops_the_weakest() {
    let mut stage = Stage::new(town_of(8), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    for other in 1..=TIES {
        tie(&mut stage, [0, other], [0.1 * other as f64, 0.0, if other == 1 { 0.5 } else { 0.0 }]);
    }
    let others = |stage: &Stage| stage.state().agents[0].ties.map(|tie| tie.other);
    // 0.05 + 0.05 + 0.05 is no more than 0.2; a meal is.
    relations::change(&town, stage.state_mut(), [0, 7], Change::POLITE, false);
    assert_eq!(others(&stage), [1, 2, 3, 4, 5, 6]);
    relations::change(&town, stage.state_mut(), [0, 7], Change::MEAL, false);
    assert_eq!(others(&stage), [1, 7, 3, 4, 5, 6], "rivalry counts, so the second is the weakest");
    assert_eq!(parts(stage.state().agents[0].tie(7)), [100_000, 250_000, 0]);
}

#[test]
fn nearly_nothing_is_forgotten() {
    let mut stage = Stage::new(town_of(4), 1);
    tie(&mut stage, [0, 1], [0.05, -0.05, 0.05]);
    tie(&mut stage, [0, 2], [0.05, -0.06, 0.05]);
    tie(&mut stage, [0, 3], [0.0, 0.0, 0.06]);
    stage.state_mut().tick = 1;
    let town = std::sync::Arc::clone(&stage.world.town);
    relations::fade(&town, stage.state_mut());
    let agent = &stage.state().agents[0];
    assert_eq!((agent.known, agent.ties[0].other, agent.ties[1].other), (2, 2, 3));
    assert_eq!(agent.ties[1].rivalry, 59_800);
}

#[test]
fn quarrels_are_worse_in_longer_queues() {
    let told = |boost: f64, waiting: u8| {
        let mut stage = Stage::new(town_of(2), 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        stage.state_mut().agents.iter_mut().for_each(|agent| agent.traits = [0; 3]);
        stage.state_mut().log.clear();
        stage.state_mut().things[usize::from(SHOWER)].waiting = waiting;
        queues::conflict(&town, stage.state_mut(), SHOWER, [0, 1], "occupied", micro(boost));
        let told: serde_json::Value =
            serde_json::from_str(&crate::events::as_json(&town, stage.state())).expect("JSON");
        assert_eq!(told[0]["queue_length"], waiting);
        let rivalry = stage.state().agents[1].tie(0).rivalry;
        assert_eq!(rivalry, stage.state().agents[0].tie(1).rivalry);
        let intensity = stage.state().tally.intensity;
        assert_eq!(rivalry, scaled(400_000, intensity).min(ONE));
        intensity
    };
    for (boost, waiting, intensity) in
        [(0.4, 0, 0.4), (0.4, 1, 0.4), (1.5, 3, 2.0), (0.0, 1, 0.1), (1.5, 30, 5.0)]
    {
        assert_eq!(told(boost, waiting), micro(intensity));
    }
}

#[test]
fn whoever_lets_go_hands_over_to_the_one_it_likes_best() {
    for (success, desperate, next) in
        [(true, false, 2), (false, false, 2), (true, true, 1), (false, true, 1)]
    {
        let mut stage = Stage::new(town_of(3), 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        tie(&mut stage, [0, 2], [0.5, 0.0, 0.0]);
        let state = stage.state_mut();
        for seat in 0..3 {
            state.tick += 1;
            queues::request(&town, state, seat, SHOWER);
            queues::assign(&town, state, SHOWER);
        }
        if desperate {
            state.agents[0].needs[0] = micro(0.14);
        }
        let before = state.agents[next].tie(0).trust;
        state.log.clear();
        queues::release(&town, state, 0, success);
        assert_eq!(usize::from(state.things[usize::from(SHOWER)].holder), next);
        assert_eq!(state.agents[next].tie(0).trust, before + 50_000);
        let told: Vec<_> = state.log.events.iter().map(|one| (one.kind, one.other)).collect();
        assert_eq!(told, [("queue_interaction", next as u8), ("queue_polite", next as u8)]);
        assert_eq!(state.cooldowns[usize::from(SHOWER)] > 0, success, "a failure clears it");
        assert_eq!(state.tally.rotations, u32::from(!desperate));
    }
}

#[test]
fn ties_that_cannot_be_set_are_refused() {
    let order = |stage: &mut Stage| {
        stage.order(
            r#"{"set_rel": {"a": "resident_01", "b": "resident_08", "trust": 0.5,
                "familiarity": 0.25, "rivalry": 0.125}}"#,
        );
        stage.idle(1);
        let told = stage.events().iter().find(|event| event.kind.starts_with("command_"));
        told.map(|event| event.reason).expect("an answer")
    };
    let mut document = town_of(8);
    document.features.stages.social_rewards = Social::Off;
    document.features.stages.relationships = Social::Off;
    assert_eq!(order(&mut Stage::new(document, 1)), "E_DISABLED");
    for (entry, owner, reason) in
        [(0.2, 0, ""), (0.5, 0, "E_LEDGER_FULL"), (0.5, 7, "E_LEDGER_FULL")]
    {
        let mut document = town_of(8);
        document.relationships.entry_threshold = entry;
        let mut stage = Stage::new(document, 1);
        for other in 1..=TIES {
            tie(&mut stage, [owner, other], [0.9, 0.0, 0.0]);
        }
        assert_eq!(order(&mut stage), reason);
        let held = [(0, 7), (7, 0)].map(|(a, b)| parts(stage.state().agents[a].tie(b)));
        let set = if reason.is_empty() { [500_000, 250_000, 125_000] } else { [0; 3] };
        assert_eq!(held, [set; 2], "both or none");
        // Whom one knows already takes no more room.
        stage.state_mut().agents[0].ties[0].other = 7;
        stage.state_mut().agents[7].ties[0].other = 0;
        stage.state_mut().agents[7].known = stage.state().agents[7].known.max(1);
        assert_eq!(order(&mut stage), "");
    }
}

#[test]
fn a_forced_chat_leaves_what_a_good_one_would_or_is_refused() {
    let order = |stage: &mut Stage, speaker: &str, listener: &str| {
        stage.order(&format!(
            r#"{{"force_chat": {{"speaker": "{speaker}", "listener": "{listener}", "quality": 1.0}}}}"#
        ));
        stage.idle(1);
        let told = stage.events().iter().find(|event| event.kind.starts_with("command_"));
        told.map(|event| event.reason).expect("an answer")
    };
    let mut stage = Stage::new(town_of(2), 1);
    stage.state_mut().agents.iter_mut().for_each(|agent| agent.traits = [0; 3]);
    assert_eq!(order(&mut stage, "resident_01", "resident_01"), "E_INVALID_ARG");
    assert_eq!(order(&mut stage, "resident_01", "nobody"), "E_UNKNOWN_AGENT");
    stage.state_mut().agents[1].running = 3;
    stage.state_mut().agents[1].runs_until = 100;
    assert_eq!(order(&mut stage, "resident_01", "resident_02"), "E_BUSY_TARGET");
    assert!(stage.state().agents.iter().all(|agent| agent.known == 0), "nothing has changed");
    stage.state_mut().agents[1].running = crate::numbers::NONE;
    assert_eq!(order(&mut stage, "resident_01", "resident_02"), "");
    for (owner, other) in [(0, 1), (1, 0)] {
        let held = stage.state().agents[owner].tie(other);
        assert_eq!(parts(held), [50_000, 100_000, 0]);
    }
}

/// Three people in the open: the second stands nearer to the first than the third.
fn three(traits: [Micro; 3], profile: u8) -> Stage {
    let mut stage = Stage::new(town_of(3), 1);
    for (seat, x) in [30, 32, 36].into_iter().enumerate() {
        let tile = stage.world.town.grid.tile(x, 42);
        let state = stage.state_mut();
        movement::go(state, seat, tile, false);
        state.agents[seat].needs = [ONE; 3];
        state.agents[seat].mask |= 1 << SOCIALISE;
        state.agents[seat].traits = traits;
        state.agents[seat].profile = profile;
    }
    stage.look();
    stage
}

#[test]
fn citizens_talk_to_the_one_they_like_best_not_to_the_nearest() {
    let choose = |stage: &Stage| {
        let (town, state) = (&stage.world.town, stage.state());
        (favourite(town, state, 0), citizen::advice(town, state, 0))
    };
    let outgoing = [600_000, 0, 0];
    let mut stage = three(outgoing, 0);
    assert_eq!(choose(&stage), (Some(1), SOCIALISE), "strangers are alike, so the nearest");
    tie(&mut stage, [0, 1], [0.0, 0.0, 0.3]);
    assert_eq!(choose(&stage), (Some(2), SOCIALISE));
    tie(&mut stage, [0, 2], [0.0, 0.0, 0.4]);
    assert_eq!(choose(&stage), (Some(1), WAIT), "nobody is worth it");
    stage.state_mut().agents[0].needs[0] = micro(0.14);
    stage.state_mut().agents[0].ties[1].rivalry = 0;
    assert_eq!(choose(&stage).0, Some(1), "the desperate take whom there is");
    // What draws to the other, 0.06 here, counts for 1.3 of itself with those who like to chat.
    for (profile, advice) in [(0, WAIT), (SOCIALITE, SOCIALISE)] {
        let mut stage = three(outgoing, profile);
        for other in [1, 2] {
            tie(&mut stage, [0, other], [0.0, 0.0, 0.07]);
        }
        assert_eq!(choose(&stage).1, advice);
    }
}

#[test]
fn who_likes_to_work_goes_there_earlier_if_nothing_presses() {
    for (profile, early, advice) in
        [(0, 20, GO_TO_WORK), (0, 21, WAIT), (INDUSTRIOUS, 28, GO_TO_WORK), (INDUSTRIOUS, 29, WAIT)]
    {
        let mut stage = three([0; 3], profile);
        let town = std::sync::Arc::clone(&stage.world.town);
        let state = stage.state_mut();
        let job = state.agents[0].work.job;
        let way = town.distance(town.site(job), state.agents[0].tile);
        state.tick = town.jobs[usize::from(job)].start - u32::from(way) - early;
        state.agents[0].mask |= 1 << GO_TO_WORK;
        assert_eq!(citizen::advice(&town, stage.state(), 0), advice, "{profile} {early}");
    }
}
