//! A crew may sink its own hull when the hull is past saving, or where the battle says so.

mod captains;

use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::battle;
use astrarium_tidebreak::draws::{Draw, Draws};
use astrarium_tidebreak::mask::{self, OFFSETS, head};
use astrarium_tidebreak::orders::{CHOICES, HEADS, Order, Origin};
use astrarium_tidebreak::package::Fidelity;
use astrarium_tidebreak::state::Fate;
use astrarium_tidebreak::{decode, tick};

const WEST: f64 = std::f64::consts::PI;
const SCUTTLE: u8 = 5;

fn pair(class: &str) -> Arena {
    captains::begin(captains::staged(&[
        ("blue", class, 0.0, 0.0, 0.0),
        ("red", "corvette", 15_000.0, 0.0, WEST),
    ]))
}

/// Puts the first hull at a share of its hit points, with so many fires and leaks.
fn hurt(arena: &mut Arena, share: f32, fires: u32, leaks: u32) {
    arena.state.ships.hp[0] = share * arena.setup.hulls[0].hp;
    arena.state.ships.burning[0] = ((1_u16 << fires) - 1) as u8;
    arena.state.ships.wet[0] = ((1_u16 << leaks) - 1) as u8;
}

fn offered(arena: &Arena) -> bool {
    let mut legal = [0; CHOICES];
    mask::ship(&arena.setup, &arena.state, 0, &mut legal);
    legal[OFFSETS[head::UTILITY] + usize::from(SCUTTLE)] != 0
}

#[test]
fn the_order_is_carried_out_exactly_where_the_mask_offers_it() {
    for class in ["skimmer", "corvette", "frigate", "transport", "dreadnought", "arcology"] {
        for (share, fires, leaks, any_time) in [
            (1.0, 0, 0, false),
            (0.01, 0, 0, false),
            (1.0, 1, 1, false),
            (0.5, 1, 1, false),
            (0.01, 1, 0, false),
            (0.01, 0, 1, false),
            (1.0, 0, 0, true),
        ] {
            let mut arena = pair(class);
            Arc::make_mut(&mut arena.setup).package.scuttle_any_time = any_time;
            hurt(&mut arena, share, fires, leaks);
            let large = class == "arcology";
            // A hundredth of a large hull outlasts one fire or leak among its eight compartments.
            let doomed = share < 0.1 && fires + leaks > 0 && class != "dreadnought";
            let may = !large && (any_time || doomed);
            assert_eq!(offered(&arena), may, "{class} {share} {fires} {leaks} {any_time}");
            arena.give(0, Order { utility: SCUTTLE, ..Order::default() }, Origin::External);
            tick::advance(&mut arena);
            assert_eq!(arena.state.tally.rejected_orders, 1 - u32::from(may), "{class}");
            let scuttled = arena.state.ships.fate[0] == Fate::Scuttled as u8;
            assert_eq!(scuttled, may, "{class} {share} {fires} {leaks} {any_time}");
        }
    }
}

#[test]
fn more_harm_never_saves_a_hull_and_better_crews_save_more() {
    let mut arena = pair("dreadnought");
    let limit = |arena: &mut Arena, fires: u32, leaks: u32| {
        let past = |share: &u32| {
            hurt(arena, *share as f32 / 1_000.0, fires, leaks);
            arena.state.ships.past_saving(&arena.setup, 0)
        };
        (1..=1_000).rev().find(past).unwrap_or(0)
    };
    assert_eq!(limit(&mut arena, 0, 0), 0, "nothing eats at a sound hull");
    let mut before = 0;
    for count in 1..=8 {
        let now = limit(&mut arena, count, 0);
        assert!(now > before, "{count} fires: {now} {before}");
        assert!(limit(&mut arena, count, count) > now, "leaks make it worse");
        before = now;
    }
    arena.state.ships.engineering[0] = 1.0;
    assert!(limit(&mut arena, 8, 8) > 0);
    let skilled = limit(&mut arena, 8, 8);
    arena.state.ships.engineering[0] = 0.0;
    assert!(limit(&mut arena, 8, 8) > skilled);
}

#[test]
fn most_hulls_that_are_past_saving_are_lost_in_battle() {
    let (mut doomed, mut lost) = (0, 0);
    for seed in 1..=12 {
        let mut arena = captains::battle("skirmish", seed, Fidelity::F0);
        let mut past = [false; 4];
        while !arena.done() {
            let captains = [astrarium_tidebreak::doctrine::Doctrine::Line; 2];
            battle::command(&mut arena, &captains, |_| false);
            tick::advance(&mut arena);
            for (row, past) in past.iter_mut().enumerate() {
                let ships = &arena.state.ships;
                *past |= ships.fights(row) && ships.past_saving(&arena.setup, row);
            }
        }
        for (row, _) in past.iter().enumerate().filter(|(_, past)| **past) {
            doomed += 1;
            lost += u32::from(!arena.state.ships.fights(row));
        }
    }
    assert!(doomed >= 5 && 2 * lost > doomed, "{lost} of {doomed} were lost");
}

/// Every head drawn evenly from what the mask offers, until the battle is over.
fn play_any_legal_choice(seed: u64, any_time: bool) -> u32 {
    let mut arena = captains::battle("duel", seed, Fidelity::F0);
    Arc::make_mut(&mut arena.setup).package.scuttle_any_time = any_time;
    let draws = Draws::of(seed);
    while !arena.done() {
        for ship in 0..arena.state.ships.len() {
            let mut legal = [0; CHOICES];
            mask::ship(&arena.setup, &arena.state, ship, &mut legal);
            let mut choices = [0; HEADS.len()];
            for (at, choice) in choices.iter_mut().enumerate() {
                let offered: Vec<i32> = (0..HEADS[at] as i32)
                    .filter(|&one| legal[OFFSETS[at] + one as usize] != 0)
                    .collect();
                let unit =
                    draws.unit(Draw::Doctrine, ship as u32, arena.state.tick, 100 + at as u32);
                *choice = offered[((unit * offered.len() as f32) as usize).min(offered.len() - 1)];
            }
            arena.give(ship, decode::order(&choices), Origin::External);
        }
        tick::advance(&mut arena);
    }
    arena.state.tick
}

#[test]
fn uniform_legal_play_lasts() {
    let mean = |any_time| {
        (1..=20).map(|seed| play_any_legal_choice(seed, any_time)).sum::<u32>() as f32 / 20.0
    };
    let (switched_on, usual) = (mean(true), mean(false));
    assert!(switched_on < 10.0, "{switched_on} s where ships may scuttle at any time");
    assert!(usual > 200.0, "{usual} s");
}
