//! `prospector-trace --seed N --actions FILE --out FILE`: play bytes as actions, write a trace.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use prospector::trace;
use thiserror::Error;

const USAGE: &str = "usage: prospector-trace --seed N --actions FILE --out FILE";
const BAD_INPUT: u8 = 2;

/// Why there is no trace.
#[derive(Debug, Error)]
enum TraceError {
    #[error("{0} is given twice")]
    Twice(&'static str),
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("{0} needs a value")]
    NoValue(&'static str),
    #[error("unknown option {0:?}")]
    Unknown(String),
    #[error("--seed is {0:?}; give a whole number from 0 to 18446744073709551615")]
    Seed(String),
    #[error("cannot read the actions in {path:?}: {error}")]
    Actions { path: PathBuf, error: io::Error },
    #[error("{0} actions are more than a trace can number")]
    TooMany(usize),
    #[error("cannot write the trace to {path:?}: {error}")]
    Out { path: PathBuf, error: io::Error },
}

struct Request {
    seed: u64,
    actions: PathBuf,
    out: PathBuf,
}

fn main() -> ExitCode {
    match parse(std::env::args_os().skip(1)).and_then(|request| run(&request)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}\n{USAGE}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn parse(words: impl Iterator<Item = std::ffi::OsString>) -> Result<Request, TraceError> {
    const NAMES: [&str; 3] = ["--seed", "--actions", "--out"];
    let mut words = words;
    let mut given = [const { None }; 3];
    while let Some(word) = words.next() {
        let Some(option) = NAMES.iter().position(|name| word == *name) else {
            return Err(TraceError::Unknown(word.to_string_lossy().into_owned()));
        };
        let value = words.next().ok_or(TraceError::NoValue(NAMES[option]))?;
        if given[option].replace(value).is_some() {
            return Err(TraceError::Twice(NAMES[option]));
        }
    }
    let [seed, actions, out] = given;
    let seed = seed.ok_or(TraceError::Missing(NAMES[0]))?;
    Ok(Request {
        seed: seed
            .to_str()
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| TraceError::Seed(seed.to_string_lossy().into_owned()))?,
        actions: actions.ok_or(TraceError::Missing(NAMES[1]))?.into(),
        out: out.ok_or(TraceError::Missing(NAMES[2]))?.into(),
    })
}

fn run(request: &Request) -> Result<(), TraceError> {
    let actions = fs::read(&request.actions)
        .map_err(|error| TraceError::Actions { path: request.actions.clone(), error })?;
    if u32::try_from(actions.len()).is_err() {
        return Err(TraceError::TooMany(actions.len()));
    }
    write(request, &actions).map_err(|error| TraceError::Out { path: request.out.clone(), error })
}

fn write(request: &Request, actions: &[u8]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(&request.out)?);
    trace::write(request.seed, actions, &mut out)?;
    out.flush()
}
