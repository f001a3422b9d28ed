//! Steps worlds with no Python in the loop, in slices that `astrarium bench` asks for.
//!
//! Whoever compares two loops must measure them in turns: on a shared machine the minutes differ
//! more than the loops do. So this program waits for orders, one a line on standard input, and
//! answers each with one line of JSON.
//!
//! ```text
//! throughput batch WORLD CONFIG NUM_WORLDS THREADS ACTIONS_FILE
//! throughput single WORLD CONFIG ACTIONS_FILE
//! throughput memory
//! ```
//!
//! The file holds little-endian `i32`: whole rows of actions for the batch, used in turn.

mod allocator;
mod batched;
mod clock;
mod memory;
mod orders;
mod single;

use std::io::{BufRead, Write};
use std::process::ExitCode;

use astrarium_kernel::World;
use astrarium_lanterns::Lanterns;
use astrarium_prospector::{ProspectorV1, ProspectorV2};
use astrarium_tidebreak::world::Tidebreak;
use serde::de::DeserializeOwned;

use batched::Batched;
use memory::Memory;
use orders::{Answer, Rows, answer};
use single::Single;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "throughput: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), String> {
    match *arguments {
        ["memory"] => converse(|order| Memory.obey(order)),
        ["batch" | "single", world, ..] if world == Lanterns::ID => step::<Lanterns>(arguments),
        ["batch" | "single", world, ..] if world == ProspectorV1::ID => {
            step::<ProspectorV1>(arguments)
        }
        ["batch" | "single", world, ..] if world == ProspectorV2::ID => {
            step::<ProspectorV2>(arguments)
        }
        ["batch" | "single", world, ..] if world == Tidebreak::ID => step::<Tidebreak>(arguments),
        ["batch" | "single", world, ..] => Err(format!("no world is called {world:?} here")),
        _ => Err("say batch, single or memory, and what it needs; see the source".to_owned()),
    }
}

fn step<W>(arguments: &[&str]) -> Result<(), String>
where
    W: World,
    W::Config: DeserializeOwned,
{
    let settings = |json: &str| -> Result<W::Config, String> {
        serde_json::from_str(json).map_err(|error| format!("config: {error}"))
    };
    match *arguments {
        ["batch", _, config, worlds, threads, file] => {
            let mut batch = Batched::<W>::new(
                settings(config)?,
                orders::whole(worlds)?,
                orders::whole(threads)?,
                Rows::read(file)?,
            )?;
            converse(|order| answer(&mut batch, order))
        }
        ["single", _, config, file] => {
            let mut world = Single::<W>::new(&settings(config)?, Rows::read(file)?)?;
            converse(|order| answer(&mut world, order))
        }
        _ => Err("a batch takes WORLD CONFIG NUM_WORLDS THREADS ACTIONS_FILE".to_owned()),
    }
}

/// Answer every line of standard input until it ends.
fn converse(mut obey: impl FnMut(&str) -> Result<Answer, String>) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let answer = obey(line.trim())?;
        writeln!(out, "{answer}").and_then(|()| out.flush()).map_err(|error| error.to_string())?;
    }
    Ok(())
}
