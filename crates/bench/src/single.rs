//! One world by itself, without the batch around it.

use astrarium_kernel::{Episode, Orders, Produced, View, World, digest_of, episode_seed};

use crate::orders::{Loop, Rows};

/// A world and the rows a batch would keep for it.
pub struct Single<W: World> {
    world: W,
    rows: Rows,
    width: usize,
    ticks: Option<usize>,
    episode: u64,
    seed: u64,
    obs: Vec<f32>,
    mask: Vec<u8>,
    alive: Vec<u8>,
    controls: Vec<f32>,
    reward: Vec<f32>,
    terms: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    events: Vec<u32>,
    stats: Vec<f32>,
}

impl<W: World> Single<W> {
    pub fn new(config: &W::Config, rows: Rows) -> Result<Self, String> {
        let layout = W::layout(config);
        let agents = layout.agents as usize;
        let width = agents * layout.heads.len();
        rows.fit(width)?;
        let mut single = Self {
            world: W::new(config),
            rows,
            width,
            ticks: layout.stats.iter().position(|&name| name == "dt"),
            episode: 0,
            seed: 0,
            obs: vec![0.0; agents * layout.obs as usize],
            mask: vec![0; agents * layout.choices() as usize],
            alive: vec![0; agents],
            controls: vec![0.0; agents * layout.controls as usize],
            reward: vec![0.0; agents],
            terms: vec![0.0; agents * layout.terms.len()],
            terminated: vec![0; agents],
            truncated: vec![0; agents],
            events: vec![0; agents],
            stats: vec![0.0; layout.stats.len()],
        };
        single.begin();
        Ok(single)
    }

    /// The seeds are those of world 0 of a batch, so that both do the same work.
    fn begin(&mut self) {
        self.world.reset(episode_seed(self.seed, 0, self.episode));
        let (obs, mask, alive) = (&mut self.obs[..], &mut self.mask[..], &mut self.alive[..]);
        self.world.observe(&mut View { obs, mask, alive });
    }

    fn step(&mut self) {
        self.reward.fill(0.0);
        self.terms.fill(0.0);
        self.terminated.fill(0);
        self.truncated.fill(0);
        self.events.fill(0);
        let outcome = self.world.step(
            Orders { actions: self.rows.next(self.width), controls: &self.controls },
            &mut View { obs: &mut self.obs, mask: &mut self.mask, alive: &mut self.alive },
            &mut Produced {
                reward: &mut self.reward,
                terms: &mut self.terms,
                terminated: &mut self.terminated,
                truncated: &mut self.truncated,
                events: &mut self.events,
                stats: &mut self.stats,
            },
        );
        if outcome == Episode::Over {
            self.episode += 1;
            self.begin();
        }
    }
}

impl<W: World> Loop for Single<W> {
    fn worlds(&self) -> u64 {
        1
    }

    fn steps(&mut self, calls: u64) -> Result<(), String> {
        (0..calls).for_each(|_| self.step());
        Ok(())
    }

    fn resets(&mut self, calls: u64) -> Result<(), String> {
        for _ in 0..calls {
            (self.seed, self.episode) = (self.seed + 1, 0);
            self.begin();
        }
        Ok(())
    }

    fn count(&mut self, calls: u64) -> Result<(f64, u64), String> {
        let (before, mut ticks) = (self.episode, 0.0);
        for _ in 0..calls {
            self.step();
            ticks += self.ticks.map_or(1.0, |at| f64::from(self.stats[at]));
        }
        Ok((ticks, self.episode - before))
    }

    fn digest(&self) -> Result<u64, String> {
        Ok(digest_of(&self.world))
    }
}
