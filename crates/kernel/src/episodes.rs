//! One world's episodes: where their seeds come from, how one ends and the next begins.

use serde::{Deserialize, Serialize};

use crate::arrays::Rows;
use crate::seeds::episode_seed;
use crate::world::{Episode, World};

/// When a world that ended begins its next episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Autoreset {
    /// In the step that ended it: `obs` is already the next episode's, `final_obs` the last.
    SameStep,
    /// In the following step, whose action is ignored and whose reward is 0.
    NextStep,
    /// When asked. Stepping an ended world is an error.
    Disabled,
}

/// Where a world's episodes come from: episode `e` has `episode_seed(root, lane, e)`, except
/// that an explicitly seeded lane uses its root itself for the first.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Lineage {
    pub root: u64,
    pub lane: u32,
    pub explicit: bool,
    pub over: bool,
}

impl Lineage {
    pub fn seed(&self, episode: u64) -> u64 {
        if self.explicit && episode == 0 {
            self.root
        } else {
            episode_seed(self.root, self.lane, episode)
        }
    }
}

/// Begin episode number `episode` of the lineage.
pub(crate) fn begin<W: World>(
    world: &mut W,
    lineage: &mut Lineage,
    rows: &mut Rows<'_>,
    episode: u64,
) {
    let seed = enter(lineage, rows, episode);
    world.reset(seed);
    world.observe(&mut rows.view);
}

/// Note that an episode begins; its seed.
fn enter(lineage: &mut Lineage, rows: &mut Rows<'_>, episode: u64) -> u64 {
    let seed = lineage.seed(episode);
    lineage.over = false;
    *rows.episode = episode;
    *rows.episode_seed = seed;
    seed
}

/// Advance one world by one decision, and past its end as `autoreset` says.
pub(crate) fn step<W: World>(
    world: &mut W,
    lineage: &mut Lineage,
    rows: &mut Rows<'_>,
    autoreset: Autoreset,
) {
    if lineage.over {
        rows.produced.clear();
        rows.produced.stats.fill(0.0);
        let next = *rows.episode + 1;
        begin(world, lineage, rows, next);
        return;
    }
    let outcome = world.step(rows.orders, &mut rows.view, &mut rows.produced);
    keep_final_observations(rows);
    if outcome == Episode::Over {
        if autoreset == Autoreset::SameStep {
            let next = *rows.episode + 1;
            let seed = enter(lineage, rows, next);
            world.follow_on(seed);
            world.observe(&mut rows.view);
        } else {
            lineage.over = true;
        }
    }
}

/// Copy the last observation of every agent that ended in this step.
fn keep_final_observations(rows: &mut Rows<'_>) {
    let agents = rows.view.alive.len();
    let per_agent = rows.final_obs.len() / agents;
    for agent in 0..agents {
        if rows.produced.terminated[agent] | rows.produced.truncated[agent] != 0 {
            let span = agent * per_agent..(agent + 1) * per_agent;
            rows.final_obs[span.clone()].copy_from_slice(&rows.view.obs[span]);
        }
    }
}
