//! How far every ship is with its objective, judged on the world after combat.
//!
//! It runs last of all plugins, so the second that decides a battle counts, as do the last steps made
//! in it.

use crate::proposals::{Origin, Plugin, Progress};
use crate::setup::{Aim, Goal, Setup};
use crate::state::{Fate, Ships, State};

/// What the plugin reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    setup: &'a Setup,
    tick: u32,
    objectives: &'a [[f32; 2]],
    team_value: &'a [[f64; 2]],
    team: &'a [u8],
    fate: &'a [u8],
    hp: &'a [f32],
    x: &'a [f32],
    y: &'a [f32],
}

impl<'a> View<'a> {
    /// Of the world as it stands.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State) -> Self {
        let Ships { team, fate, hp, x, y, .. } = &state.ships;
        let (objectives, team_value) = (&state.objectives, &state.team_value);
        Self { setup, tick: state.tick, objectives, team_value, team, fate, hp, x, y }
    }

    fn lost(&self, ship: usize) -> bool {
        self.fate[ship] != Fate::Operational as u8 && self.fate[ship] != Fate::Exited as u8
    }

    fn hp_share(&self, ship: usize) -> f32 {
        self.hp[ship] / self.setup.hulls[ship].hp
    }

    fn exited(&self, ship: usize) -> bool {
        self.fate[ship] == Fate::Exited as u8
    }
}

/// A fact for every ship whose objective is open.
pub fn propose(view: &View<'_>, out: &mut Vec<Progress>) {
    for ship in 0..view.fate.len() {
        let Some(goal) = &view.setup.goals[ship] else { continue };
        if view.objectives[ship][1] != 0.0 {
            continue;
        }
        let (value, mut settled) = progress(view, ship, goal);
        // What is open when the battle's own time is up is judged with the battle's outcome.
        let before_the_end = goal.deadline < view.setup.time_limit;
        if settled == 0.0 && before_the_end && view.tick + 1 >= goal.deadline {
            settled = at_deadline(view, ship, goal);
        }
        let origin = Origin {
            source: ship as u32,
            plugin: Plugin::Objective,
            sequence: 0,
            cause: 0,
            trace: 0,
        };
        out.push(Progress { origin, ship: ship as u32, value, settled });
    }
}

/// The progress of a ship's goal, 0 to 1, and whether it is met (1), failed (-1) or open (0).
pub fn progress(view: &View<'_>, ship: usize, goal: &Goal) -> (f32, f32) {
    match goal.aim {
        Aim::Destroy | Aim::Raid => against(view, ship, goal),
        Aim::Protect => protects(view, ship, goal),
        Aim::Evade | Aim::Deliver => goes(view, ship, goal),
    }
}

/// What was done to the targets, or to the enemy as a whole. Of a group `at_least` must be lost.
fn against(view: &View<'_>, ship: usize, goal: &Goal) -> (f32, f32) {
    if !goal.targets.is_empty() {
        return against_targets(view, goal);
    }
    let own = usize::from(view.team[ship]);
    let enemies = || view.team_value.iter().enumerate().filter(|&(team, _)| team != own);
    let start: f64 = enemies().map(|(_, value)| value[0]).sum();
    let left: f64 = enemies().map(|(_, value)| value[1]).sum();
    let taken = if start > 0.0 { (1.0 - left / start) as f32 } else { 0.0 };
    let raid = view.setup.tables.objectives.raid_value_share;
    let needed = if goal.aim == Aim::Raid { raid } else { 1.0 };
    let value = (taken / needed).min(1.0);
    (value, if taken >= needed { 1.0 } else { 0.0 })
}

/// Ships lost, and the mean harm of those that can still be: below 1 until enough are lost.
fn against_targets(view: &View<'_>, goal: &Goal) -> (f32, f32) {
    let (mut lost, mut within_reach, mut harm) = (0, 0, 0.0);
    for &target in &goal.targets {
        let target = target as usize;
        if view.lost(target) {
            lost += 1;
        } else if !view.exited(target) {
            within_reach += 1;
            harm += 1.0 - view.hp_share(target);
        }
    }
    if lost >= goal.at_least {
        return (1.0, 1.0);
    }
    let mean = if within_reach > 0 { harm / within_reach as f32 } else { 0.0 };
    let value = (lost as f32 + mean) / goal.at_least as f32;
    (value, if lost + within_reach < goal.at_least { -1.0 } else { 0.0 })
}

/// The mean health of what it guards, 1 for what left the map. Of a group `at_least` must be kept.
fn protects(view: &View<'_>, ship: usize, goal: &Goal) -> (f32, f32) {
    let own = [ship as u32];
    let (assets, at_least) =
        if goal.assets.is_empty() { (&own[..], 1) } else { (&goal.assets[..], goal.at_least) };
    let (mut kept, mut safe, mut health) = (0, 0, 0.0);
    for &asset in assets {
        let asset = asset as usize;
        if view.exited(asset) {
            safe += 1;
            kept += 1;
            health += 1.0;
        } else if !view.lost(asset) {
            kept += 1;
            health += view.hp_share(asset);
        }
    }
    if kept < at_least {
        return (0.0, -1.0);
    }
    (health / assets.len() as f32, if safe >= at_least { 1.0 } else { 0.0 })
}

/// The way to the destination, as a share of the whole; leaving the map counts as arriving.
fn goes(view: &View<'_>, ship: usize, goal: &Goal) -> (f32, f32) {
    if view.exited(ship) {
        return (1.0, 1.0);
    }
    if view.lost(ship) {
        return (0.0, -1.0);
    }
    let place = goal.destination.or_else(|| goal.zone.map(|(x, y, _)| (x, y)));
    let Some((x, y)) = place else {
        return ((view.tick as f32 / goal.deadline.max(1) as f32).min(1.0), 0.0);
    };
    let start = &view.setup.package.ships[ship].initial_state;
    let away = |from_x: f32, from_y: f32| {
        let (dx, dy) = (from_x - x, from_y - y);
        (dx * dx + dy * dy).sqrt()
    };
    let whole = away(start.x as f32, start.y as f32).max(1.0);
    let left = away(view.x[ship], view.y[ship]);
    let usual = view.setup.tables.objectives.arrived_m;
    let arrived = goal.zone.map_or(usual, |(_, _, radius)| radius);
    let value = (1.0 - left / whole).clamp(0.0, 1.0);
    (value, if left <= arrived { 1.0 } else { 0.0 })
}

/// What an open objective counts as when its time is up.
fn at_deadline(view: &View<'_>, ship: usize, goal: &Goal) -> f32 {
    match goal.aim {
        Aim::Protect => 1.0,
        Aim::Evade if !view.lost(ship) => 1.0,
        _ => -1.0,
    }
}
