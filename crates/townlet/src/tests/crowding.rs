//! Many people in little room: tiles are shared for one tick, and nobody is pushed off its work.

use super::chaos::sound;
use super::{Stage, eventful_town_of, town_of};
use crate::agent::{Now, ShiftState};
use crate::config::Document;
use crate::movement;
use crate::options::{GO_TO_WORK, Intent};
use crate::policy::SEATS;
use crate::sound::check;

/// Scripted lives, sound after every step; how many ghost steps it took.
fn lived(document: Document, seed: u64, ticks: u32) -> f32 {
    let mut stage = Stage::new(document, seed);
    for _ in 0..ticks {
        stage.live(1);
        sound(&stage);
    }
    stage.stat("ghost_steps")
}

#[test]
fn crowds_share_a_tile_by_twos_and_for_one_tick() {
    for (agents, ticks) in [(12, 3000), (24, 2000), (64, 1500)] {
        let ghosts = lived(town_of(agents), 5, ticks);
        assert!(ghosts > 0.0, "{agents} people never met");
        lived(eventful_town_of(agents), 6, ticks / 2);
    }
}

/// A town of four in which a way from west to east, one tile wide, has nothing beside it.
fn corridor() -> Document {
    let mut document = town_of(4);
    let mut rows = vec![".".repeat(48); 48];
    for y in [39, 41] {
        rows[y].replace_range(36..47, "###########");
    }
    document.world.layout = Some(rows);
    document
}

#[test]
fn two_pairs_pass_each_other_in_a_corridor() {
    let mut stage = Stage::new(corridor(), 1);
    let town = std::sync::Arc::clone(&stage.world.town);
    let state = stage.state_mut();
    for (seat, x) in [40, 41, 42, 43].into_iter().enumerate() {
        movement::go(state, seat, town.grid.tile(x, 40), false);
    }
    let ends = [47, 47, 35, 35].map(|x| town.grid.tile(x, 40));
    for _ in 0..60 {
        let mut intents = [Intent::Wait; SEATS];
        for (seat, &end) in ends.iter().enumerate() {
            state.agents[seat].now = Now::default();
            let tile = state.agents[seat].tile;
            if tile != end {
                intents[seat] = Intent::Move(if tile < end { tile + 1 } else { tile - 1 });
            }
        }
        let before: Vec<u16> = state.agents.iter().map(|agent| agent.tile).collect();
        movement::resolve(&town, state, &intents);
        assert_eq!(check(&town, state), Ok(()));
        for (agent, tile) in state.agents.iter().zip(before) {
            assert!(town.grid.manhattan(agent.tile, tile) <= 1, "one step a tick");
        }
        let passed = |seat: usize, x: i32| town.grid.place(state.agents[seat].tile).0.cmp(&x);
        if (0..2).all(|seat| passed(seat, 46).is_ge())
            && (2..4).all(|seat| passed(seat, 36).is_le())
        {
            return;
        }
    }
    panic!("nobody gets past");
}

/// What became of the ticks of shifts that were begun in time.
#[derive(Default)]
struct Worked {
    all: u32,
    unpaid: u32,
    /// Not paid, though paid in the tick before and set on staying.
    pushed: u32,
}

fn worked(agents: u16, seed: u64, days: u32) -> Worked {
    let mut stage = Stage::new(town_of(agents), seed);
    let mut paid = vec![false; usize::from(agents)];
    let mut found = Worked::default();
    for _ in 0..days * stage.world.town.day {
        stage.live(1);
        for (agent, before) in stage.state().agents.iter().zip(&mut paid) {
            if agent.present() && agent.work.shift.state == ShiftState::OnTime {
                found.all += 1;
                found.unpaid += u32::from(!agent.now.paid);
                let stays = agent.option == GO_TO_WORK;
                found.pushed += u32::from(stays && *before && !agent.now.paid);
            }
            *before = agent.now.paid;
        }
    }
    found
}

#[test]
fn whoever_came_to_work_in_time_is_not_pushed_off_it() {
    for seed in 0..3 {
        let twelve = worked(12, seed, 6);
        assert!(twelve.all > 6 * 1000, "{}", twelve.all);
        assert_eq!(twelve.unpaid, 0, "seed {seed}");
        // Where beds and meals are short people leave for them, but nobody makes them.
        for agents in [24, 64] {
            let many = worked(agents, seed, 3);
            assert!(many.all > 3 * 1000, "{}", many.all);
            assert_eq!(many.pushed, 0, "{agents} people, seed {seed}");
        }
    }
}
