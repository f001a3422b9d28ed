//! Figures of an episode and what happened to each agent, told from what the state holds before and
//! after a step, so that tracing changes none of them.

use astrarium_kernel::Produced;

use super::config::{Side, Terms};
use crate::arena::Arena;
use crate::orders::Order;
use crate::state::{Fate, flag};

/// Figures of an episode: of the agents' side, blue where both are. Rejected orders are those of the
/// agents, whatever their side.
pub const NAMES: &[&str] = &[
    "won",
    "lost",
    "draw",
    "ticks",
    "dt",
    "value_left_own",
    "value_left_enemy",
    "damage_dealt",
    "damage_taken",
    "shots",
    "hits",
    "kills",
    "ships_lost",
    "torpedoes_fired",
    "rejected_orders",
    "ended_by",
];

/// What may happen to an agent in a step.
pub const EVENTS: &[&str] = &[
    "invalid_action",
    "fired",
    "hit_taken",
    "damage_dealt",
    "track_gained",
    "fire",
    "flooding",
    "layer_changed",
    "disabled",
    "destroyed",
    "surrendered",
    "captured",
    "exited",
    "battle_won",
    "battle_lost",
    "battle_drawn",
];

/// What an agent's ship was before a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    /// Whether it was in play.
    pub plays: bool,
    /// What it was told to do.
    pub order: Order,
    /// Choices that were not legal.
    pub dropped: u8,
    /// Number of the contact it was told to aim at.
    pub target: u32,
    hp: f32,
    dealt: f64,
    fired: u32,
    flags: u16,
    layer: u8,
    tracks: u32,
}

/// What the world has counted itself.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// Ticks of the step.
    pub ticks: u32,
    /// Choices of the agents that were not legal, since the battle began.
    pub rejected: u32,
}

/// Remember every agent's ship.
pub fn note(terms: &Terms, arena: &Arena, before: &mut [Before]) {
    let goes_on = arena.state.outcome.ended_by == 0;
    for (was, &row) in before.iter_mut().zip(&terms.agents) {
        let row = row as usize;
        *was = look(arena, row);
        was.plays = goes_on && arena.state.ships.fights(row);
    }
}

fn look(arena: &Arena, row: usize) -> Before {
    let (ships, beliefs) = (&arena.state.ships, &arena.state.beliefs);
    Before {
        plays: false,
        order: Order::default(),
        dropped: 0,
        target: 0,
        hp: ships.hp[row],
        dealt: ships.dealt[row],
        fired: fired(arena, row, |_| true),
        flags: ships.flags[row],
        layer: ships.layer[row],
        tracks: beliefs.next_number[row],
    }
}

/// Rounds that a ship has fired, of the weapons that count.
fn fired(arena: &Arena, row: usize, counts: impl Fn(u8) -> bool) -> u32 {
    let first = arena.state.ships.mount_first[row] as usize;
    let mounts = &arena.state.mounts;
    (first..first + arena.state.ships.mount_count[row] as usize)
        .filter(|&mount| counts(mounts.weapon[mount]))
        .map(|mount| u32::from(mounts.fired[mount]))
        .sum()
}

/// Tell endings, events and figures.
pub fn tell(
    terms: &Terms,
    arena: &Arena,
    before: &[Before],
    counted: Counted,
    produced: &mut Produced<'_>,
) {
    let outcome = arena.state.outcome;
    let out_of_time = outcome.ended_by == 3;
    for (agent, &row) in terms.agents.iter().enumerate() {
        let (was, row) = (&before[agent], row as usize);
        if !was.plays {
            continue;
        }
        produced.events[agent] = events(arena, row, was);
        let fights = arena.state.ships.fights(row);
        produced.terminated[agent] = u8::from(!fights || (outcome.ended_by != 0 && !out_of_time));
        produced.truncated[agent] = u8::from(fights && out_of_time);
    }
    stats(terms, arena, counted, produced.stats);
}

fn events(arena: &Arena, row: usize, was: &Before) -> u32 {
    let (state, now) = (&arena.state, look(arena, row));
    let began = |bit: u16| now.flags & !was.flags & bit != 0;
    let fate = |fate: Fate| state.ships.fate[row] == fate as u8;
    let ended = state.outcome.ended_by != 0;
    let (winner, team) = (state.outcome.winner, arena.setup.teams[row]);
    let happened = [
        was.dropped > 0,
        now.fired > was.fired,
        now.hp < was.hp,
        now.dealt > was.dealt,
        now.tracks > was.tracks,
        began(flag::ON_FIRE),
        began(flag::FLOODING),
        now.layer != was.layer,
        fate(Fate::Disabled),
        fate(Fate::Destroyed) || fate(Fate::Scuttled),
        fate(Fate::Surrendered),
        fate(Fate::Captured),
        fate(Fate::Exited),
        ended && winner == team,
        ended && winner != team && winner != u8::MAX,
        ended && winner == u8::MAX,
    ];
    happened.iter().enumerate().fold(0, |bits, (at, &on)| bits | u32::from(on) << at)
}

fn stats(terms: &Terms, arena: &Arena, counted: Counted, out: &mut [f32]) {
    let state = &arena.state;
    let own = usize::from(terms.document.side == Side::Red);
    let outcome = state.outcome;
    let ended = outcome.ended_by != 0;
    let left = |team: usize| {
        let [start, left] = state.team_value[team];
        if start > 0.0 { (left / start) as f32 } else { 0.0 }
    };
    let mut sums = [0.0_f64; 7];
    for row in 0..state.ships.len() {
        let ours = usize::from(arena.setup.teams[row]) == own;
        let gone = state.ships.fate[row] != 0 && state.ships.fate[row] != Fate::Exited as u8;
        if ours {
            sums[0] += state.ships.dealt[row];
            sums[1] += state.ships.taken[row].iter().sum::<f64>();
            sums[2] += f64::from(fired(arena, row, |_| true));
            sums[3] += f64::from(state.ships.hits[row]);
            sums[5] += f64::from(u8::from(gone));
            let torpedo = |weapon: u8| {
                arena.setup.tables.weapon(weapon).group == crate::tables::WeaponGroup::Torpedo
            };
            sums[6] += f64::from(fired(arena, row, torpedo));
        } else {
            sums[4] += f64::from(u8::from(gone));
        }
    }
    let figures = [
        f32::from(u8::from(ended && usize::from(outcome.winner) == own)),
        f32::from(u8::from(ended && usize::from(outcome.winner) == 1 - own)),
        f32::from(u8::from(ended && outcome.winner == u8::MAX)),
        state.tick as f32,
        counted.ticks as f32,
        left(own),
        left(1 - own),
        sums[0] as f32,
        sums[1] as f32,
        sums[2] as f32,
        sums[3] as f32,
        sums[4] as f32,
        sums[5] as f32,
        sums[6] as f32,
        counted.rejected as f32,
        f32::from(outcome.ended_by),
    ];
    out.copy_from_slice(&figures);
}
