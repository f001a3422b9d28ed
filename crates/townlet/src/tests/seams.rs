//! Where one episode ends and the next begins: nothing that happened goes unheard or is told twice.

use astrarium_kernel::{Autoreset, Batch};
use serde_json::Value;

use super::town_of;
use crate::{Config, Townlet};

const TICKS: u32 = 30;

/// A watched town that lives for so many ticks at a time.
fn town(mode: Autoreset) -> Batch<Townlet> {
    let mut document = town_of(6);
    document.env.max_ticks = TICKS;
    let config = Config::new(document).expect("a sound document");
    let mut batch = Batch::new(config, 1, 1, mode).expect("a batch");
    batch.watch(0, true).expect("watched");
    batch.reset(7).expect("reset");
    batch
}

fn told(batch: &Batch<Townlet>) -> Vec<Value> {
    let told = batch.happenings(0).expect("a town");
    serde_json::from_str(&told).expect("events")
}

/// What each step of two episodes tells; shortly before the end of the first something is ordered.
fn two_lives(mode: Autoreset) -> Vec<Vec<Value>> {
    let mut batch = town(mode);
    let mut all = vec![told(&batch)];
    for step in 1..2 * TICKS {
        if step == TICKS {
            for order in [
                r#"{"kill": {"agent_id": "resident_01"}}"#,
                r#"{"config_reload": {"node": "behavior", "document": "{}"}}"#,
            ] {
                batch.command(0, order).expect("a command");
            }
        }
        batch.step().expect("stepped");
        all.push(told(&batch));
        if step == TICKS && mode == Autoreset::Disabled {
            batch.reset_worlds(&[0], None).expect("reset");
            all.push(told(&batch));
        }
        if step == TICKS && mode == Autoreset::NextStep {
            batch.step().expect("stepped");
            all.push(told(&batch));
        }
    }
    all
}

#[test]
fn the_last_step_of_an_episode_is_told_before_the_first_of_the_next() {
    let apart = two_lives(Autoreset::Disabled);
    assert_eq!(two_lives(Autoreset::NextStep), apart);
    let end = TICKS as usize;
    let [last, opening] = [&apart[end], &apart[end + 1]];
    let kinds = |told: &[Value], kind: &str| told.iter().filter(|one| one["event"] == kind).count();
    assert_eq!(kinds(last, "command_applied"), 2);
    assert_eq!(kinds(opening, "agent_spawned"), 6);
    let together = two_lives(Autoreset::SameStep);
    assert_eq!(together[end], [last.clone(), opening.clone()].concat());
    assert_eq!(together[..end], apart[..end]);
    assert_eq!(together[end + 1..], apart[end + 2..]);
    let seqs: Vec<u64> =
        together.iter().flatten().map(|one| one["seq"].as_u64().expect("one")).collect();
    let again = seqs.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
    assert_eq!(again, 1, "numbers begin again with the second episode");
}

#[test]
fn what_was_told_is_forgotten_where_a_town_is_reset_by_hand() {
    let mut batch = town(Autoreset::SameStep);
    for _ in 0..TICKS {
        batch.step().expect("stepped");
    }
    batch.reset(7).expect("reset");
    let opening = told(&batch);
    assert_eq!(opening, told(&town(Autoreset::SameStep)));
    assert!(opening.iter().all(|one| one["tick"] == 0));
}
