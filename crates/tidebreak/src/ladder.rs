//! Doctrines against each other: every seed is fought twice, with sides swapped.

use std::sync::Arc;

use crate::arena::Arena;
use crate::battle;
use crate::doctrine::Doctrine;
use crate::scenario::{Scenario, ScenarioError};
use crate::setup::Setup;

/// Where each doctrine has to beat the one before.
pub const SCENARIOS: [&str; 3] = ["duel", "submarine_ambush", "fleet_action"];
/// On these seeds, each from both sides. Doctrines are tuned on others.
pub const SEEDS: std::ops::RangeInclusive<u64> = 40_001..=40_200;
/// Share of the games it has to win.
pub const SHARE: f64 = 0.7;
/// The 97.5th percentile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// What a series of games led to, as the first player sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Games won, by the side played: first team, second team.
    pub won: [u32; 2],
    /// Games drawn, likewise.
    pub drawn: [u32; 2],
    /// Games lost, likewise.
    pub lost: [u32; 2],
    /// Games that ended because a side had nothing left, an objective was settled, or time was up.
    pub ended_by: [u32; 3],
    /// Seconds of all games together.
    pub ticks: u64,
}

impl Score {
    /// Games in all.
    #[must_use]
    pub fn games(&self) -> u32 {
        let sides = self.won.iter().chain(&self.drawn).chain(&self.lost);
        sides.sum()
    }

    /// Share of games won.
    #[must_use]
    pub fn share(&self) -> f64 {
        f64::from(self.won[0] + self.won[1]) / f64::from(self.games().max(1))
    }

    /// Wilson's 95 % interval of that share.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let (share, games) = (self.share(), f64::from(self.games().max(1)));
        let middle = share + Z * Z / (2.0 * games);
        let half = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
        let scale = 1.0 + Z * Z / games;
        ((middle - half) / scale, (middle + half) / scale)
    }

    /// Both series together.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for side in 0..2 {
            self.won[side] += other.won[side];
            self.drawn[side] += other.drawn[side];
            self.lost[side] += other.lost[side];
        }
        for (count, more) in self.ended_by.iter_mut().zip(other.ended_by) {
            *count += more;
        }
        self.ticks += other.ticks;
        self
    }

    fn count(&mut self, side: usize, arena: &Arena) {
        let outcome = arena.state.outcome;
        let counts = if outcome.winner == u8::MAX {
            &mut self.drawn
        } else if usize::from(outcome.winner) == side {
            &mut self.won
        } else {
            &mut self.lost
        };
        counts[side] += 1;
        self.ended_by[usize::from(outcome.ended_by).clamp(1, 3) - 1] += 1;
        self.ticks += u64::from(arena.state.tick);
    }
}

/// Fight every seed twice: `ours` commands the first team, then the second.
///
/// # Errors
/// A scenario that nobody ships.
pub fn series(
    scenario: &str,
    ours: Doctrine,
    theirs: Doctrine,
    seeds: impl Iterator<Item = u64>,
) -> Result<Score, ScenarioError> {
    let scenario = Scenario::named(scenario)?;
    let mut arena = None;
    let mut score = Score::default();
    for seed in seeds {
        let arena = match &mut arena {
            Some(arena) => {
                let Arena { setup, .. } = arena;
                scenario.place(seed, Arc::make_mut(setup));
                arena
            }
            none => none.insert(Arena::new(Arc::new(first_of(&scenario, seed)?))),
        };
        for side in 0..2 {
            let captains = if side == 0 { [ours, theirs] } else { [theirs, ours] };
            arena.reset(seed);
            battle::fight(arena, &captains);
            score.count(side, arena);
        }
    }
    Ok(score)
}

fn first_of(scenario: &Scenario, seed: u64) -> Result<Setup, ScenarioError> {
    Setup::new(scenario.package(seed)).map_err(|error| ScenarioError::File {
        name: scenario.name().to_owned(),
        problem: error.to_string(),
    })
}
