//! How fast battles are on this machine: `cargo run --release -p astrarium-tidebreak --example speed
//! [quick]`. Prints one line of JSON, every figure with all its samples; the Python bench reads it.

mod clock;
#[path = "../../tests/counting/mod.rs"]
#[allow(dead_code, reason = "bytes are counted by the tests")]
mod counting;
mod crowd;
mod fought;

use astrarium_kernel::World;
use astrarium_tidebreak::package::Fidelity;
use astrarium_tidebreak::scenario::Scenario;
use astrarium_tidebreak::world::{Config, Document, Tidebreak};

use crowd::Crowd;
use fought::{Besides, Fought};

#[global_allocator]
static GLOBAL: counting::Counting = counting::Counting;

/// What to measure, and how long.
struct Plan {
    repeats: usize,
    /// Of a battle, at most.
    ticks: usize,
    /// Ships of the crowds, fewest first.
    crowds: &'static [usize],
    crowd_ticks: u32,
    /// Calls in one sample of a short call.
    calls: u32,
}

const WHOLE: Plan = Plan {
    repeats: 7,
    ticks: usize::MAX,
    crowds: &[64, 128, 256, 512, 1024],
    crowd_ticks: 60,
    calls: 2000,
};
const QUICK: Plan = Plan { repeats: 2, ticks: 20, crowds: &[16, 32], crowd_ticks: 3, calls: 10 };

/// Seeds of duels in one sample: one is over in a thousandth of a second.
const DUELS: u64 = 16;
/// Seeds of larger battles.
const BATTLES: u64 = 2;

/// Something to be timed once more: its name and how.
struct Task {
    name: String,
    sample: Box<dyn FnMut() -> f64>,
    samples: Vec<f64>,
}

impl Task {
    fn new(name: impl Into<String>, sample: impl FnMut() -> f64 + 'static) -> Self {
        Self { name: name.into(), sample: Box::new(sample), samples: Vec::new() }
    }
}

fn battles(plan: &Plan) -> Vec<Task> {
    let (f0, f1) = (Fidelity::F0, Fidelity::F1);
    let named = [
        ("duel_f0", "duel", f0, Besides::Observing),
        ("duel_f1", "duel", f1, Besides::Observing),
        ("duel_f0_unseen", "duel", f0, Besides::Nothing),
        ("duel_f1_unseen", "duel", f1, Besides::Nothing),
        ("convoy_escort_f1", "convoy_escort", f1, Besides::Observing),
        ("fleet_action_f1", "fleet_action", f1, Besides::Observing),
        ("fleet_action_f1_unseen", "fleet_action", f1, Besides::Nothing),
    ];
    let mut tasks: Vec<Task> = named
        .into_iter()
        .map(|(name, scenario, fidelity, besides)| {
            let seeds = if scenario == "duel" { DUELS } else { BATTLES };
            let mut fought = Fought::new(scenario, fidelity, seeds, plan.ticks);
            Task::new(name, move || fought.rate(besides))
        })
        .collect();
    tasks.extend(Scenario::names().map(|name| {
        let mut fought = Fought::new(name, f1, BATTLES, plan.ticks);
        Task::new(format!("whole_{name}"), move || fought.rate(Besides::Everything))
    }));
    tasks
}

fn crowds(plan: &Plan) -> Vec<Task> {
    let crowd = |&ships: &usize| {
        let mut crowd = Crowd::new(ships, plan.crowd_ticks);
        Task::new(format!("crowd_{}", crowd.ships), move || crowd.rate())
    };
    plan.crowds.iter().map(crowd).collect()
}

/// How often memory is asked for by battles that were fought before, all ships observed.
fn asked(plan: &Plan) -> Vec<Task> {
    [("asked_duel", "duel"), ("asked_fleet_action", "fleet_action")]
        .into_iter()
        .map(|(name, scenario)| {
            let mut fought = Fought::new(scenario, Fidelity::F1, 1, plan.ticks);
            // The first battles find out how much room the tables need; later ones use it again.
            for _ in 0..2 {
                fought.rate(Besides::Observing);
            }
            Task::new(name, move || {
                let before = counting::asked();
                fought.rate(Besides::Observing);
                (counting::asked() - before) as f64
            })
        })
        .collect()
}

/// Microseconds of short calls.
fn calls(plan: &Plan) -> Vec<Task> {
    let calls = plan.calls;
    let mut tasks: Vec<Task> = [("observe_f0_us", Fidelity::F0), ("observe_f1_us", Fidelity::F1)]
        .into_iter()
        .map(|(name, fidelity)| {
            let mut duels = Fought::new("duel", fidelity, DUELS, plan.ticks);
            Task::new(name, move || duels.look_us())
        })
        .collect();
    let document = Document { fidelity: "F1".to_owned(), ..Document::default() };
    let mut duel = Tidebreak::new(&Config::new(document).expect("sound settings"));
    let mut seed = 0;
    tasks.push(Task::new("reset_us", move || {
        let spent = clock::seconds(|| {
            for _ in 0..calls {
                seed += 1;
                duel.reset(seed);
            }
        });
        spent * 1e6 / f64::from(calls)
    }));
    tasks
}

#[allow(clippy::print_stdout)]
fn main() {
    let quick = std::env::args().nth(1).is_some_and(|word| word == "quick");
    let plan = if quick { QUICK } else { WHOLE };
    let mut tasks = battles(&plan);
    tasks.extend(crowds(&plan));
    tasks.extend(calls(&plan));
    tasks.extend(asked(&plan));
    // In turns, there and back: one minute of a shared machine differs from the next.
    for turn in 0..plan.repeats {
        let count = tasks.len();
        for at in 0..count {
            let task = &mut tasks[if turn % 2 == 0 { at } else { count - 1 - at }];
            let sample = (task.sample)();
            task.samples.push(sample);
        }
    }
    let rows: Vec<String> =
        tasks.iter().map(|task| format!("\"{}\": {:?}", task.name, task.samples)).collect();
    println!("{{{}}}", rows.join(", "));
}
