//! Each doctrine against the one before: `cargo run --release -p astrarium-tidebreak --example
//! ladder [games] [scenario ...]`.

use std::io::Write;
use std::process::Command;

use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::ladder::{SCENARIOS, SEEDS, Score, series};

const THREADS: u64 = 2;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let games: u64 =
        arguments.next().map_or(400, |given| given.parse().expect("a number of games"));
    let mut scenarios: Vec<String> = arguments.collect();
    if scenarios.is_empty() {
        scenarios = SCENARIOS.map(str::to_owned).to_vec();
    }
    writeln!(std::io::stdout(), "{}", whereabouts()).expect("written");
    for scenario in &scenarios {
        for pair in Doctrine::ALL.windows(2) {
            tell(scenario, pair[1], pair[0], &played(scenario, pair[1], pair[0], games / 2));
        }
    }
}

/// The commit and the machine, so that a table can name where it comes from.
fn whereabouts() -> String {
    let told =
        Command::new("git").args(["describe", "--always", "--dirty", "--abbrev=12"]).output();
    let commit = told.ok().filter(|told| told.status.success());
    let commit = commit.and_then(|told| String::from_utf8(told.stdout).ok()).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let system = (std::env::consts::OS, std::env::consts::ARCH);
    format!("commit {} on {} {}, {cores} cores", commit.trim(), system.0, system.1)
}

fn played(scenario: &str, ours: Doctrine, theirs: Doctrine, seeds: u64) -> Score {
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..THREADS)
            .map(|share| {
                let first = *SEEDS.start();
                let own = (first..first + seeds).filter(move |seed| seed % THREADS == share);
                scope
                    .spawn(move || series(scenario, ours, theirs, own).expect("a shipped scenario"))
            })
            .collect();
        let scores = shares.into_iter().map(|share| share.join().expect("a thread of its own"));
        scores.fold(Score::default(), |sum, score| sum.and(&score))
    })
}

fn tell(scenario: &str, ours: Doctrine, theirs: Doctrine, score: &Score) {
    let (low, high) = score.interval();
    let [decided, settled, timed_out] = score.ended_by;
    let [first, second] = score.won;
    writeln!(
        std::io::stdout(),
        "{scenario:<17} {:<9} beats {:<8} {:5.1} % [{:.1}, {:.1}]  won {first}+{second} drawn {} \
         lost {}  decided {decided} settled {settled} time {timed_out}  mean {} s",
        ours.name(),
        theirs.name(),
        100.0 * score.share(),
        100.0 * low,
        100.0 * high,
        score.drawn[0] + score.drawn[1],
        score.lost[0] + score.lost[1],
        score.ticks / u64::from(score.games().max(1)),
    )
    .expect("written");
}
