//! Agent-steps per second on one core: `cargo run --release -p astrarium-townlet --example speed`.
//!
//! Observations and masks are written in every step. `random` takes a legal option at random,
//! `citizens` asks the scripted citizen, whose thinking counts too. Only agents in play count, and
//! only the first day of a town: later most people of a crowded one lie ill or wait, which costs
//! next to nothing and would make it look fast.

use std::io::Write;
use std::time::Instant;

use astrarium_kernel::{Autoreset, Batch};
use astrarium_townlet::{Config, Document, Townlet};

const CHOICES: usize = 8;
const DAY: usize = 1000;

fn main() {
    for agents in [8u16, 64] {
        for citizens in [false, true] {
            let rate = measure(agents, citizens);
            let who = if citizens { "citizens" } else { "random" };
            let mut out = std::io::stdout();
            writeln!(out, "{agents:>2} agents, {who:<8} {rate:>10.0} agent-steps/s")
                .expect("written");
        }
    }
}

fn measure(agents: u16, citizens: bool) -> f64 {
    let mut document = Document::default();
    document.population.agents = agents;
    let config = Config::new(document).expect("a sound document");
    let worlds = 512 / u64::from(agents);
    let mut batch = Batch::<Townlet>::new(config, worlds, 1, Autoreset::SameStep).expect("made");
    let mut words = 0x9E37_79B9_7F4A_7C15u64;
    let mut hidden = vec![0.0; worlds as usize * batch.layout().hidden as usize];
    let (mut spent, mut steps) = (0.0, 0u64);
    while spent < 3.0 {
        batch.reset(1).expect("reset");
        let begun = Instant::now();
        for _ in 0..DAY {
            choose(&mut batch, citizens, &mut hidden, &mut words);
            let alive = batch.arrays_mut().alive.as_mut_slice();
            steps += alive.iter().map(|&here| u64::from(here)).sum::<u64>();
            batch.step().expect("stepped");
        }
        spent += begun.elapsed().as_secs_f64();
    }
    steps as f64 / spent
}

fn choose(batch: &mut Batch<Townlet>, citizens: bool, hidden: &mut [f32], words: &mut u64) {
    let seats = batch.layout().agents as usize;
    if citizens {
        batch.reveal(hidden).expect("revealed");
        let actions = batch.arrays_mut().actions.as_mut_slice();
        for (orders, row) in actions.chunks_exact_mut(seats).zip(hidden.chunks_exact(2 * seats)) {
            for (order, &advice) in orders.iter_mut().zip(row) {
                *order = advice as i32;
            }
        }
        return;
    }
    let worlds = batch.num_worlds() as usize;
    for at in 0..worlds * seats {
        let arrays = batch.arrays_mut();
        let mask = &arrays.mask.as_mut_slice()[at * CHOICES..][..CHOICES];
        let legal = mask.iter().filter(|&&bit| bit == 1).count() as u64;
        *words ^= *words << 13;
        *words ^= *words >> 7;
        *words ^= *words << 17;
        let pick = ((*words >> 32) * legal) >> 32;
        let nth = (0..CHOICES).filter(|&choice| mask[choice] == 1).nth(pick as usize);
        arrays.actions.as_mut_slice()[at] = nth.unwrap_or(0) as i32;
    }
}
