//! Restoring hostile bytes: refused and nothing changed, or taken and playable.
#![no_main]

use astrarium_kernel::{Autoreset, Batch, World, digest_bytes};
use astrarium_lanterns::{Config as LanternsConfig, Lanterns};
use astrarium_prospector::{Config as ProspectorConfig, ProspectorV2};
use libfuzzer_sys::fuzz_target;

const WORLDS: usize = 2;
/// Where a snapshot's header begins: after the mark, the format and the two lengths.
const HEADER_AT: usize = 22;

fuzz_target!(|data: &[u8]| {
    attack::<Lanterns>(LanternsConfig { ticks_max: 20 }, data);
    let config = ProspectorConfig { time_max: 40.0, invalid_action_penalty: 0.01 };
    attack::<ProspectorV2>(config, data);
});

fn attack<W: World>(config: W::Config, data: &[u8]) {
    let mut batch = Batch::<W>::new(config, WORLDS as u64, 1, Autoreset::SameStep)
        .expect("the counts are in range");
    play(&mut batch, 3);
    let whole = batch.snapshot().expect("no rule has panicked");
    try_to_restore(&mut batch, data);
    // A valid checksum lets the bytes reach the header, a valid header the body.
    try_to_restore(&mut batch, &sealed(data.to_vec()));
    let length = u32::from_le_bytes(whole[10..14].try_into().expect("four bytes"));
    let mut framed = [&whole[..HEADER_AT + length as usize], data].concat();
    framed[14..HEADER_AT].copy_from_slice(&(data.len() as u64).to_le_bytes());
    try_to_restore(&mut batch, &sealed(framed));
    try_to_restore(&mut batch, &sealed(edited(&whole[..whole.len() - 8], data)));
}

/// A real snapshot with up to three bytes changed, each (where, what): few enough to be accepted.
fn edited(content: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut content = content.to_vec();
    for edit in edits.chunks_exact(3).take(3) {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % content.len();
        content[at] = edit[2];
    }
    content
}

fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let checksum = digest_bytes(&content);
    content.extend_from_slice(&checksum.to_le_bytes());
    content
}

fn try_to_restore<W: World>(batch: &mut Batch<W>, bytes: &[u8]) {
    let before = digests(batch);
    if batch.restore(bytes).is_err() {
        assert_eq!(digests(batch), before, "a refused snapshot changes nothing");
        return;
    }
    play(batch, 24);
}

/// Orders of every kind, one after another.
fn play<W: World>(batch: &mut Batch<W>, turns: i32) {
    for turn in 0..turns {
        for (index, order) in batch.arrays_mut().actions.as_mut_slice().iter_mut().enumerate() {
            *order = (turn * 7 + index as i32 * 3) % 70;
        }
        batch.step().expect("an accepted state can be played");
        let seen = batch.arrays_mut().obs.as_mut_slice();
        assert!(seen.iter().all(|value| (-1.0..=1.0).contains(value)), "in the declared range");
    }
}

fn digests<W: World>(batch: &Batch<W>) -> [u64; WORLDS] {
    let mut digests = [0; WORLDS];
    batch.digests(&mut digests).expect("one entry per world");
    digests
}
