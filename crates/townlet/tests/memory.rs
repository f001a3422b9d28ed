//! What a town takes: nothing per tick, little at all, and no more after a million ticks.
//!
//! One test only beside the long one: the count is the whole process's.

mod counting;

use astrarium_kernel::{Autoreset, Batch};
use astrarium_townlet::{Config, Document, Townlet};

#[global_allocator]
static GLOBAL: counting::Counting = counting::Counting;

/// The most a town may take, arrays included.
const BYTES_MAX: i64 = 2_000_000;

fn towns(agents: u16, worlds: u64, optional: bool) -> Batch<Townlet> {
    let mut document = Document::default();
    if optional {
        let features = &mut document.features;
        features.weather.enabled = true;
        features.weather.warmth = true;
        features.spoilage.enabled = true;
        features.drama.enabled = true;
        features.patience = true;
    }
    document.population.agents = agents;
    document.env.max_ticks = 100_000_000;
    document.perturbations.enabled = true;
    let config = Config::new(document).expect("a sound document");
    let mut batch = Batch::new(config, worlds, 1, Autoreset::SameStep).expect("a batch");
    batch.reset(7).expect("reset");
    batch
}

/// A legal choice for everyone: random ones tire people out, so that some leave and others come.
fn choose(batch: &mut Batch<Townlet>, words: &mut u64) {
    let choices = batch.layout().choices() as usize;
    let arrays = batch.arrays_mut();
    let rows = arrays.mask.as_mut_slice().chunks_exact(choices);
    for (action, mask) in arrays.actions.as_mut_slice().iter_mut().zip(rows) {
        *words ^= *words << 13;
        *words ^= *words >> 7;
        *words ^= *words << 17;
        let legal = mask.iter().filter(|&&bit| bit == 1).count() as u64;
        let pick = ((*words >> 32) * legal) >> 32;
        let nth = (0..choices).filter(|&choice| mask[choice] == 1).nth(pick as usize);
        *action = nth.unwrap_or(0) as i32;
    }
}

fn bit(batch: &Batch<Townlet>, name: &str) -> u32 {
    let at = batch.layout().events.iter().position(|known| *known == name);
    1 << at.expect("an event of this name")
}

/// A newcomer's name has to be written down; nothing else in a step asks for memory.
fn nothing_is_allocated_per_tick(optional: bool) {
    let mut batch = towns(8, 4, optional);
    let arrived = bit(&batch, "arrived");
    let mut words = 3;
    let (mut arrivals, mut steady) = (0, 0);
    for tick in 0..8000 {
        choose(&mut batch, &mut words);
        let before = counting::asked();
        batch.step().expect("stepped");
        let asked = counting::asked() - before;
        if tick < 500 {
            continue;
        }
        if batch.arrays_mut().events.as_mut_slice().iter().any(|bits| bits & arrived != 0) {
            arrivals += 1;
        } else {
            steady += 1;
            assert_eq!(asked, 0, "allocations in tick {tick}");
        }
    }
    assert!(arrivals > 0 && steady > 6500, "{arrivals} arrivals, {steady} others");
}

/// What one more town costs, its arrays and a few lived hours included.
fn bytes_of_a_town(agents: u16) -> i64 {
    let out_with = |worlds: u64| {
        let before = counting::bytes_out();
        let mut batch = towns(agents, worlds, true);
        let mut words = 5;
        for _ in 0..200 {
            choose(&mut batch, &mut words);
            batch.step().expect("stepped");
        }
        counting::bytes_out() - before
    };
    (out_with(17) - out_with(1)) / 16
}

fn kill_somebody(batch: &mut Batch<Townlet>, word: u64) {
    let portrait = batch.portrait(0).expect("a portrait");
    let town: serde_json::Value = serde_json::from_str(&portrait).expect("JSON");
    let agents = town["agents"].as_object().expect("agents");
    if !agents.is_empty() {
        let id = agents.keys().nth(word as usize % agents.len()).expect("an agent");
        let order = serde_json::json!({ "kill": { "agent_id": id } });
        batch.command(0, &order.to_string()).expect("a command");
    }
}

/// Ticks until a town has had all the quarrels it keeps.
const FILLING: u32 = 20_000;

/// Live for `ticks`, with somebody killed now and then; the last tenths must take what the second did.
fn grows_by_nothing(ticks: u32) {
    let mut batch = towns(8, 1, true);
    let mut words = 11;
    let mut hidden = vec![0.0; batch.layout().hidden as usize];
    let (mut bytes, mut sizes) = (Vec::new(), Vec::new());
    for tick in 1..=FILLING + ticks {
        if tick % 500 == 0 {
            kill_somebody(&mut batch, words);
        }
        if tick % 3 == 0 {
            choose(&mut batch, &mut words);
        } else {
            batch.reveal(&mut hidden).expect("revealed");
            let orders = batch.arrays_mut().actions.as_mut_slice();
            for (order, &advice) in orders.iter_mut().zip(&hidden) {
                *order = advice as i32;
            }
        }
        batch.step().expect("stepped");
        if tick > FILLING && (tick - FILLING).is_multiple_of(ticks / 10) {
            sizes.push(batch.snapshot().expect("a snapshot").len());
            bytes.push(counting::bytes_out());
        }
    }
    let killed = batch.layout().stats.iter().position(|name| *name == "killed");
    let killed = batch.arrays_mut().stats.as_mut_slice()[killed.expect("a figure")];
    assert!(killed > ticks as f32 / 600.0, "only {killed} were killed");
    let (first, last) = (bytes[1], bytes[9]);
    assert!(last - first < 4096, "live bytes {bytes:?}");
    // Numbers are stored with as many bytes as they need, so that snapshots grow a little whenever the
    // people of the last 256 quarrels outgrow a byte. What piles up grows in the second half too.
    let (first, last) = (sizes[4] as f64, sizes[9] as f64);
    assert!(last < 1.05 * first, "bytes of the snapshot {sizes:?}");
    assert!(last < 1.25 * sizes[1] as f64, "bytes of the snapshot {sizes:?}");
}

#[test]
fn towns_are_small_and_steady() {
    nothing_is_allocated_per_tick(false);
    nothing_is_allocated_per_tick(true);
    for agents in [8, 64] {
        let bytes = bytes_of_a_town(agents);
        assert!(bytes < BYTES_MAX, "{bytes} bytes for {agents} agents");
    }
    grows_by_nothing(20_000);
}

#[test]
#[ignore = "a minute: a million ticks"]
fn a_million_ticks_leave_nothing_behind() {
    grows_by_nothing(1_000_000);
}
