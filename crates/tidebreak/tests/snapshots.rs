//! Snapshots: what battles come to is taken back, and what none comes to is refused or does no harm.

mod captains;

use astrarium_kernel::digest_bytes;
use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::mask;
use astrarium_tidebreak::observe;
use astrarium_tidebreak::orders::CHOICES;
use astrarium_tidebreak::tick;
use captains::drawing::{self, Luck};

/// Where the seal of a snapshot stands, and where what it seals begins.
const SEAL: usize = 16;
const BODY: usize = 24;
/// Tables stand before the fields, which check what they hold themselves.
const TABLES: usize = 20_000;
/// Numbers at the ends of some range, or beyond it.
const STRANGE: [u8; 13] = [0, 1, 2, 5, 16, 31, 33, 127, 128, 200, 240, 254, 255];

/// Look at everything that anybody is shown.
fn look(arena: &mut Arena) {
    let mut seen = [0.0; observe::FLOATS];
    let mut legal = [0; CHOICES];
    for ship in 0..arena.state.ships.len() {
        observe::ship(&arena.setup, &mut arena.state, ship, &mut seen);
        mask::ship(&arena.setup, &arena.state, ship, &mut legal);
    }
    assert_ne!(arena.state.state_hash(), 0);
}

#[test]
fn whatever_a_battle_comes_to_is_taken_back() {
    for number in 0..44 {
        let mut arena = drawing::anything(number);
        let mut other = Arena::new(std::sync::Arc::clone(&arena.setup));
        while !arena.done() {
            captains::run(&mut arena, 17, |arena| {
                captains::scramble(arena, number);
            });
            if let Err(words) = other.load(&arena.snapshot()) {
                panic!("battle {number} at {}: {words}", arena.state.tick);
            }
        }
    }
}

/// The snapshot with a few bytes of its tables changed and the seal renewed.
fn mutated(snapshot: &[u8], luck: &mut Luck) -> Vec<u8> {
    let mut bytes = snapshot.to_vec();
    let open = (bytes.len() - BODY).min(TABLES);
    for _ in 0..1 + luck.below(2) {
        bytes[BODY + luck.below(open)] = STRANGE[luck.below(STRANGE.len())];
    }
    let seal = digest_bytes(&bytes[BODY..]);
    bytes[SEAL..BODY].copy_from_slice(&seal.to_le_bytes());
    bytes
}

/// How many of so many mutated snapshots of a battle were refused, and how many went on.
fn tried(number: u32, trials: u32) -> (u32, u32) {
    let mut arena = drawing::anything(number);
    captains::run(&mut arena, 60 + number, |arena| captains::scramble(arena, number));
    let snapshot = arena.snapshot();
    let mut luck = Luck::of(u64::from(number) + 1);
    let mut counts = (0, 0);
    for _ in 0..trials {
        if arena.load(&mutated(&snapshot, &mut luck)).is_err() {
            counts.0 += 1;
            continue;
        }
        counts.1 += 1;
        for _ in 0..3 {
            captains::charge(&mut arena);
            tick::advance(&mut arena);
            look(&mut arena);
        }
    }
    counts
}

/// A change that is not refused must do no harm; that is what a panic would say.
fn tried_in(battles: u32, trials: u32) {
    let each = (0..battles).map(|number| tried(number, trials));
    let (refused, went_on) = each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let few = battles * trials / 10;
    assert!(refused > few && went_on > few, "{refused} refused, {went_on} went on");
}

#[test]
fn a_sealed_snapshot_with_strange_cells_is_refused_or_goes_on() {
    tried_in(24, 25);
}

#[test]
#[ignore = "thousands of mutated snapshots"]
fn thousands_of_sealed_snapshots_with_strange_cells_do_no_harm() {
    tried_in(88, 250);
}
