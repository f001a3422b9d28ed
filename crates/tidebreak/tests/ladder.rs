//! The ladder of doctrines: thousands of battles, so it runs when asked for (`cargo test --release -p
//! astrarium-tidebreak --test ladder -- --ignored`).

use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::ladder::{SCENARIOS, SEEDS, SHARE, series};

/// The rung that is not reached: a pursuer's boats spend their torpedoes at the end of their reach, on
/// the screen, and then close in with empty tubes.
const SHORT: [(&str, Doctrine); 1] = [("submarine_ambush", Doctrine::Pursuer)];

#[test]
#[ignore = "thousands of battles"]
fn each_doctrine_beats_the_one_before_but_where_it_is_known_not_to() {
    let mut wrong = Vec::new();
    for scenario in SCENARIOS {
        for pair in Doctrine::ALL.windows(2) {
            let score = series(scenario, pair[1], pair[0], SEEDS).expect("a shipped scenario");
            assert_eq!(score.games(), 400);
            // A rung that is reached after all has to leave the list.
            if (score.share() < SHARE) != SHORT.contains(&(scenario, pair[1])) {
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
