//! The ladder of doctrines: thousands of battles, so it runs when asked for (`cargo test --release -p
//! astrarium-tidebreak --test ladder -- --ignored`).

use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::ladder::{SCENARIOS, SEEDS, SHARE, series};

#[test]
#[ignore = "thousands of battles"]
fn each_doctrine_beats_the_one_before() {
    let mut wrong = Vec::new();
    for scenario in SCENARIOS {
        for pair in Doctrine::ALL.windows(2) {
            let score = series(scenario, pair[1], pair[0], SEEDS).expect("a shipped scenario");
            assert_eq!(score.games(), 400);
            if score.share() < SHARE {
                let names = (pair[1].name(), pair[0].name());
                wrong.push(format!("{scenario}: {names:?} {:.3}", score.share()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_series_is_the_same_every_time_and_counts_every_game() {
    let play = || series("duel", Doctrine::Pursuer, Doctrine::Drifter, 1..=4).expect("shipped");
    let score = play();
    assert_eq!(score, play());
    assert_eq!(score.games(), 8);
    assert_eq!(score.ended_by.iter().sum::<u32>(), 8);
}

#[test]
fn an_unknown_scenario_is_named_with_those_there_are() {
    let refused = series("atlantis", Doctrine::Line, Doctrine::Line, 1..=1);
    assert!(refused.is_err_and(|error| error.to_string().contains("duel")));
}
