//! What is paid for company, and where a reward is cut.

use super::{Stage, town_of};
use crate::agent::Tie;
use crate::config::{Document, Stage as Social};
use crate::movement;
use crate::numbers::{Micro, ONE, micro};
use crate::options::{GET_CLEAN, SOCIALISE, WAIT};
use crate::queues;

/// A term of an agent, in millionths.
fn term(stage: &Stage, seat: usize, name: &str) -> Micro {
    let at = crate::reward::TERMS.iter().position(|known| *known == name).expect("a term");
    micro(stage.terms[seat * crate::reward::COUNT + at].into())
}

#[test]
fn a_tick_and_a_life_are_cut_on_both_sides() {
    for sign in [-1.0, 1.0] {
        let mut document = town_of(1);
        document.rewards.clip.clip_per_tick = 0.01;
        let mut stage = Stage::new(document.clone(), 1);
        // From destitute to satisfied, or back, is worth far more than the clip.
        let [before, after] = if sign > 0.0 { [0, ONE] } else { [ONE, 0] };
        let swing = |stage: &mut Stage| {
            stage.state_mut().agents[0].needs = [before; 3];
            stage.idle(1);
            stage.state_mut().agents[0].needs = [after; 3];
            stage.idle(1);
        };
        swing(&mut stage);
        assert_eq!(stage.reward[0], sign as f32 * 0.01);
        let adjusted = term(&stage, 0, "clip_adjustment") as f64;
        assert!(adjusted * sign < 0.0, "{adjusted}");
        document.rewards.clip.clip_per_tick = 1.0;
        document.rewards.clip.clip_per_episode = 1.0;
        let mut stage = Stage::new(document, 1);
        stage.state_mut().agents[0].needs = [before; 3];
        stage.idle(1);
        stage.state_mut().agents[0].needs = [after; 3];
        stage.state_mut().agents[0].episode = sign * 0.995;
        stage.idle(1);
        assert_eq!(stage.reward[0], (sign * (1.0 - 0.995)) as f32);
        assert_eq!(stage.state().agents[0].episode, sign);
        stage.state_mut().agents[0].needs = [before; 3];
        stage.state_mut().agents[0].potential = 0.0;
        stage.idle(1);
        assert!(stage.bits[0] & crate::events::bit("guardrail") == 0, "a limit is no guardrail");
        stage.order(r#"{"kill": {"agent_id": "resident_01"}}"#);
        stage.idle(40);
        let newcomer = &stage.state().agents[0];
        assert!(newcomer.present() && newcomer.episode.abs() < 0.5, "another life");
    }
}

/// Two people side by side, of whom the first talks to the second; how it goes is certain.
fn chat(rewards: Social, well: bool, needs: Micro) -> Stage {
    let mut document = town_of(2);
    document.features.behavior.personality_profiles = false;
    document.features.stages.relationships = Social::C3;
    document.features.stages.social_rewards = rewards;
    document.relationships.chat_success = if well { 1.0 } else { 0.0 };
    let mut stage = Stage::new(document, 1);
    let tiles = [40, 41].map(|x| stage.world.town.grid.tile(x, 40));
    for (seat, tile) in tiles.into_iter().enumerate() {
        movement::go(stage.state_mut(), seat, tile, false);
        let agent = &mut stage.state_mut().agents[seat];
        let other = 1 - seat as u8;
        agent.ties[0] = Tie { other, trust: ONE / 2, familiarity: 400_000, rivalry: 200_000 };
        agent.known = 1;
    }
    stage.state_mut().agents[1].ties[0].trust = 0;
    stage.look();
    stage.state_mut().agents[0].mask |= 1 << SOCIALISE;
    stage.state_mut().agents[0].needs = [needs; 3];
    stage.step(&[SOCIALISE.into(), WAIT.into()]);
    assert_eq!(
        (stage.state().tally.chats, stage.state().tally.snubs),
        (well.into(), (!well).into())
    );
    stage
}

#[test]
fn company_is_paid_for_by_stage_and_never_in_dire_need() {
    // 0.1 q (0.01 + 0.3 trust + 0.2 familiarity): q is the speaker's, 0.6.
    for (rewards, needs, expected) in [
        (Social::Off, ONE, [0, 0]),
        (Social::C1, ONE, [14_400, 5_400]),
        (Social::C2, ONE, [14_400, 5_400]),
        // By 1.06 and 0.96: each by its own trust and rivalry.
        (Social::C3, ONE, [15_264, 5_184]),
        (Social::C1, micro(0.14), [0, 5_400]),
    ] {
        let stage = chat(rewards, true, needs);
        assert_eq!([0, 1].map(|seat| term(&stage, seat, "social_bonus")), expected, "{rewards:?}");
    }
    for (rewards, expected) in [(Social::Off, [0, 0]), (Social::C1, [-5_000, -2_500])] {
        let stage = chat(rewards, false, ONE);
        assert_eq!([0, 1].map(|seat| term(&stage, seat, "social_penalty")), expected);
    }
}

#[test]
fn a_chat_that_an_operator_orders_changes_ties_and_pays_nobody() {
    for rewards in [Social::C1, Social::C3] {
        let mut document = town_of(2);
        document.features.stages.relationships = Social::C3;
        document.features.stages.social_rewards = rewards;
        let mut stage = Stage::new(document, 1);
        stage.idle(1);
        stage.order(
            r#"{"force_chat": {"speaker": "resident_01", "listener": "resident_02", "quality": 1.0}}"#,
        );
        let mut bits = 0;
        for _ in 0..3 {
            stage.idle(1);
            bits |= stage.bits[0];
            for seat in [0, 1] {
                assert_eq!(term(&stage, seat, "social_bonus"), 0);
                assert_eq!(stage.state().agents[seat].now.bonus, 0.0, "nor is it owed");
            }
        }
        assert!(bits & crate::events::bit("chat_success") != 0, "it is told like any other");
        assert!(stage.state().agents[0].tie(1).trust > 0);
    }
}

#[test]
fn an_avoided_quarrel_pays_from_the_second_stage_on() {
    for (rewards, hygiene, expected) in [
        (Social::C1, micro(0.5), 0),
        (Social::C2, micro(0.5), 5_000),
        (Social::C3, micro(0.5), 5_000),
        (Social::C2, micro(0.14), 0),
    ] {
        let mut document: Document = town_of(2);
        document.features.stages.relationships = Social::C3;
        document.features.stages.social_rewards = rewards;
        let mut stage = Stage::new(document, 1);
        let town = std::sync::Arc::clone(&stage.world.town);
        let state = stage.state_mut();
        movement::go(state, 1, town.grid.tile(20, 21), false);
        queues::request(&town, state, 1, 10);
        queues::assign(&town, state, 10);
        state.agents[0].needs = [ONE, hygiene, ONE];
        state.agents[0].profile = 0;
        state.agents[0].ties[0] = Tie { other: 1, rivalry: ONE, ..Tie::default() };
        state.agents[0].known = 1;
        stage.step(&[GET_CLEAN.into(), WAIT.into()]);
        assert_eq!(term(&stage, 0, "social_avoidance"), expected, "{rewards:?}");
    }
}
