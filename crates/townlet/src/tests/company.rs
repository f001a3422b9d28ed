//! Looking for company: around what stands in the way, and how a chat ends the option.

use super::{Stage, town_of};
use crate::config::{ActionMode, Document};
use crate::movement;
use crate::numbers::{NONE, ONE};
use crate::options::{EARSHOT, GO_HOME, SOCIALISE, WAIT};

/// Primitive: talk to the first neighbour.
const TALK: i32 = 14;

/// Two people on these tiles of a town, whose chats go well or not.
fn two(mut document: Document, places: [[u16; 2]; 2], well: bool) -> Stage {
    document.features.behavior.personality_profiles = false;
    document.relationships.chat_success = if well { 1.0 } else { 0.0 };
    let mut stage = Stage::new(document, 1);
    for (seat, [x, y]) in places.into_iter().enumerate() {
        let tile = stage.world.town.grid.tile(x, y);
        movement::go(stage.state_mut(), seat, tile, false);
    }
    // What is seen and may be chosen follows from where they stand when a tick opens.
    rest(&mut stage);
    stage
}

/// One tick in which nobody does anything.
fn rest(stage: &mut Stage) {
    stage.state_mut().agents.iter_mut().for_each(|agent| agent.needs = [ONE; 3]);
    stage.idle(1);
}

fn offered(stage: &Stage) -> bool {
    stage.mask[usize::from(SOCIALISE)] == 1
}

/// How far the nearest is, as it is seen.
fn nearest(stage: &Stage) -> f32 {
    stage.obs[stage.world.town.sight.map + 32]
}

#[test]
fn an_object_between_two_is_walked_around() {
    // A fridge, and a column of beds end to end from tile to tile.
    for places in [[[11, 24], [13, 24]], [[12, 23], [12, 25]], [[13, 24], [15, 24]]] {
        let mut stage = two(town_of(2), places, true);
        assert!(offered(&stage));
        assert_eq!(nearest(&stage), 4.0 / f32::from(EARSHOT + 1), "around it");
        for _ in 0..3 {
            assert_eq!(stage.state().tally.chats, 0);
            stage.step(&[SOCIALISE.into(), WAIT.into()]);
        }
        assert_eq!(stage.state().tally.chats, 1, "two steps and a word");
        assert!(stage.state().agents[0].last_success);
    }
}

/// A town with a wall from north to south, and a gap in the last row.
fn walled() -> Document {
    let mut document = town_of(2);
    let mut rows = vec![".".repeat(48); 48];
    for row in &mut rows[..47] {
        row.replace_range(30..31, "#");
    }
    document.world.layout = Some(rows);
    document
}

#[test]
fn company_behind_a_wall_counts_as_far_as_the_way_around() {
    let mut stage = two(walled(), [[29, 20], [31, 20]], true);
    assert!(!offered(&stage), "two tiles away, and fifty on foot");
    assert_eq!(stage.state().agents[0].company, NONE);
    stage.step(&[SOCIALISE.into(), WAIT.into()]);
    assert_eq!(stage.state().tally.invalid, 1);
    let mut stage = two(walled(), [[29, 44], [31, 44]], true);
    assert!(offered(&stage));
    assert_eq!(stage.state().agents[0].company, 8);
    for _ in 0..15 {
        stage.step(&[SOCIALISE.into(), WAIT.into()]);
    }
    assert_eq!(stage.state().tally.chats, 1);
}

#[test]
fn nobody_gets_through_a_ring_of_others() {
    let mut document = town_of(6);
    document.relationships.chat_success = 1.0;
    let mut stage = Stage::new(document, 1);
    // The first in the middle, the second out of reach, the others around the first, and rivals.
    let places = [[36, 20], [39, 20], [36, 19], [37, 20], [36, 21], [35, 20]];
    for (seat, [x, y]) in places.into_iter().enumerate() {
        let tile = stage.world.town.grid.tile(x, y);
        movement::go(stage.state_mut(), seat, tile, false);
    }
    rest(&mut stage);
    let agent = &mut stage.state_mut().agents[0];
    for (at, tie) in agent.ties[..4].iter_mut().enumerate() {
        (tie.other, tie.rivalry) = (at as u8 + 2, ONE);
    }
    agent.known = 4;
    stage.look();
    stage.step(&[SOCIALISE.into(), 0, 0, 0, 0, 0]);
    let agent = &stage.state().agents[0];
    assert_eq!((agent.last_option, agent.last_success), (SOCIALISE, false));
    assert_eq!(stage.state().tally.invalid, 0, "others may step aside, so it was offered");
}

#[test]
fn a_chat_that_fails_is_no_success() {
    for mode in [ActionMode::Option, ActionMode::Primitive] {
        for well in [true, false] {
            let mut document = town_of(2);
            document.policy_runtime.action_mode = mode;
            let mut stage = two(document, [[40, 40], [41, 40]], well);
            let before = !well;
            stage.state_mut().agents[0].last_success = before;
            let talk = if mode == ActionMode::Option { i32::from(SOCIALISE) } else { TALK };
            stage.step(&[talk, 0]);
            let tally = &stage.state().tally;
            assert_eq!((tally.chats, tally.snubs), (well.into(), (!well).into()));
            let agent = &stage.state().agents[0];
            assert_eq!(agent.last_success, well, "{mode:?}");
            let seen = stage.obs[stage.world.town.sight.map + 21];
            assert_eq!(seen, f32::from(u8::from(well)));
            assert_eq!((agent.option, i32::from(agent.last_option)), (WAIT, talk));
        }
    }
}

#[test]
fn whoever_walks_away_is_followed() {
    let mut stage = two(town_of(2), [[40, 41], [40, 40]], true);
    stage.step(&[SOCIALISE.into(), GO_HOME.into()]);
    assert_eq!(stage.state().tally.chats, 0, "the step came before the word");
    assert_eq!(stage.state().agents[0].option, SOCIALISE, "nobody said anything yet");
    stage.state_mut().agents[1].option = WAIT;
    for chats in [0, 1] {
        stage.step(&[WAIT.into(), WAIT.into()]);
        assert_eq!(stage.state().tally.chats, chats);
    }
}
