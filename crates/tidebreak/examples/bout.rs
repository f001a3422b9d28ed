//! One pairing of doctrines on seeds to tune by, and what each side did and suffered: `cargo run
//! --release -p astrarium-tidebreak --example bout SCENARIO OURS THEIRS GAMES [doctrine.figure=value
//! ...]`. A scenario is a shipped one or a file. Figures given replace those of the table for this run.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::battle;
use astrarium_tidebreak::doctrine::Doctrine;
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::setup::Setup;
use astrarium_tidebreak::state::CAUSES;
use astrarium_tidebreak::tables::{TableTexts, Tables};

/// The ladder is judged on others.
const FIRST_SEED: u64 = 20_001;
const CAUSE_NAMES: [&str; CAUSES] = [
    "gun",
    "torpedo",
    "missile",
    "special",
    "mine",
    "defence",
    "squadron",
    "collision",
    "terrain",
    "weather",
    "fire",
    "transition",
];

/// What one player did and suffered from one side.
#[derive(Clone, Debug, Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
    ended_by: [u32; 3],
    ticks: u64,
    fired: Vec<u32>,
    taken: [f64; CAUSES],
    lost_hulls: Vec<u32>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scenario, ours, theirs, games, changes @ ..] = &arguments[..] else {
        panic!("give a scenario, two doctrines and a number of games");
    };
    let tables: &'static Tables = Box::leak(Box::new(with(changes)));
    let ours = Doctrine::named(ours).expect("a doctrine");
    let theirs = Doctrine::named(theirs).expect("a doctrine");
    let games: u64 = games.parse().expect("a number of games");
    let scenario = chosen(scenario);
    let mut tallies = vec![Tally::default(); 4];
    for seed in FIRST_SEED..FIRST_SEED + games / 2 {
        let mut setup = Setup::new(scenario.package(seed)).expect("a battle");
        setup.tables = tables;
        let mut arena = Arena::new(Arc::new(setup));
        for side in 0..2 {
            let captains = if side == 0 { [ours, theirs] } else { [theirs, ours] };
            arena.reset(seed);
            battle::fight(&mut arena, &captains);
            for team in 0..2 {
                let player = usize::from(team != side);
                count(&arena, team, &mut tallies[2 * player + side]);
            }
        }
    }
    let won: u32 = tallies[..2].iter().map(|tally| tally.won).sum();
    say(&format!("{} beats {} in {:.1} %", ours.name(), theirs.name(), {
        100.0 * f64::from(won) / games as f64
    }));
    for (at, tally) in tallies.iter().enumerate() {
        let player = if at < 2 { ours } else { theirs };
        // The second player sits on the other side of the same games.
        let side = if at < 2 { at } else { 3 - at };
        tell(player, side, tally, tables);
    }
}

fn chosen(scenario: &str) -> Scenario {
    if Path::new(scenario).extension().is_none_or(|kind| kind != "toml") {
        return Scenario::named(scenario).expect("a scenario");
    }
    let text = std::fs::read_to_string(scenario).expect("a file that can be read");
    Scenario::read(scenario, &text).expect("a legal scenario")
}

/// The shipped tables with these figures of doctrines replaced.
fn with(changes: &[String]) -> Tables {
    let mut texts = TableTexts::shipped();
    let mut doctrines: toml::Table = toml::from_str(texts.doctrines).expect("the shipped table");
    for change in changes {
        let (path, value) = change.split_once('=').expect("doctrine.figure=value");
        let (doctrine, figure) = path.split_once('.').expect("doctrine.figure");
        let value: toml::Table = toml::from_str(&format!("value = {value}")).expect("a value");
        let figures = doctrines[doctrine].as_table_mut().expect("a doctrine");
        figures.insert(figure.to_owned(), value["value"].clone());
    }
    let text = toml::to_string(&doctrines).expect("written");
    texts.doctrines = Box::leak(text.into_boxed_str());
    Tables::read(&texts).expect("legal figures")
}

fn count(arena: &Arena, team: usize, tally: &mut Tally) {
    let state = &arena.state;
    let winner = state.outcome.winner;
    if winner == u8::MAX {
        tally.drawn += 1;
    } else if usize::from(winner) == team {
        tally.won += 1;
    } else {
        tally.lost += 1;
    }
    tally.ended_by[usize::from(state.outcome.ended_by) - 1] += 1;
    tally.ticks += u64::from(state.tick);
    let tables = arena.setup.tables;
    tally.fired.resize(tables.weapons.weapons.len(), 0);
    tally.lost_hulls.resize(tables.hulls.len(), 0);
    let ours = |ship: usize| usize::from(arena.setup.teams[ship]) == team;
    for ship in (0..state.ships.len()).filter(|&ship| ours(ship)) {
        for (sum, harm) in tally.taken.iter_mut().zip(state.ships.taken[ship]) {
            *sum += harm;
        }
        tally.lost_hulls[usize::from(state.ships.hull[ship])] +=
            u32::from(!state.ships.fights(ship));
    }
    for mount in 0..state.mounts.len() {
        if ours(state.mounts.ship[mount] as usize) {
            let weapon = usize::from(state.mounts.weapon[mount]);
            tally.fired[weapon] += u32::from(state.mounts.fired[mount]);
        }
    }
}

fn tell(player: Doctrine, side: usize, tally: &Tally, tables: &Tables) {
    let games = f64::from((tally.won + tally.drawn + tally.lost).max(1));
    let mut line = format!(
        "{:<8} as {}: won {} drawn {} lost {}  decided {:?}  {:.0} s\n   fired",
        player.name(),
        if side == 0 { "first " } else { "second" },
        tally.won,
        tally.drawn,
        tally.lost,
        tally.ended_by,
        tally.ticks as f64 / games,
    );
    for (weapon, fired) in tables.weapons.weapons.iter().zip(&tally.fired) {
        if *fired > 0 {
            line += &format!(" {} {:.1}", weapon.name, f64::from(*fired) / games);
        }
    }
    line += "\n   harmed by";
    for (name, harm) in CAUSE_NAMES.iter().zip(tally.taken) {
        if harm > 0.0 {
            line += &format!(" {name} {:.0}", harm / games);
        }
    }
    line += "\n   lost";
    for (hull, lost) in tables.hulls.iter().zip(&tally.lost_hulls) {
        if *lost > 0 {
            line += &format!(" {} {:.2}", hull.name, f64::from(*lost) / games);
        }
    }
    say(&line);
}

fn say(line: &str) {
    writeln!(std::io::stdout(), "{line}").expect("written");
}
