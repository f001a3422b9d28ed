//! A C program, compiled by the system's compiler against the header and the static library.
#![cfg(unix)]

use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use prospector::{Config, Result};

/// Where cargo put the static library. Not the copy one folder up, which `cargo test` leaves stale.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    test.with_file_name("libprospector.a")
}

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("tests/check.c", "check"));

fn compile(source: &str, name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiled = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
        .arg(here.join("include"))
        .arg(here.join(source))
        // Named by path, or the linker would prefer the shared library beside it.
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output()
        .expect("`cc` must be on the PATH");
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    program
}

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM.as_path()).args(arguments).output().expect("the program just built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_c_program_finds_every_promise_kept() {
    let output = run(&[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn the_example_plays_an_episode_to_its_end() {
    let example = compile("examples/episode.c", "episode");
    let output = Command::new(&example).arg("7").output().expect("the program just built");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let line = text(&output.stdout);
    assert!(line.starts_with("seed 7: ") && line.contains(" steps"), "{line}");
}

macro_rules! fields {
    ($($field:ident),*) => {
        [$((stringify!($field), offset_of!(Result, $field))),*]
    };
}

#[test]
fn c_and_rust_see_the_same_bytes() {
    let fields = fields!(
        obs,
        reward,
        terminated,
        truncated,
        invalid_action,
        padding,
        dt,
        action,
        credits,
        net_profit,
        profit_per_tick,
        survival,
        overheat_ticks,
        pirate_encounters,
        value_lost_to_pirates,
        fuel_used,
        hull_damage,
        tool_wear,
        scan_count,
        mining_ticks,
        cargo_utilization_avg,
        time_remaining
    );
    // Fields touch, so a field ends where the next begins.
    let ends = fields.iter().skip(1).map(|(_, offset)| *offset).chain([size_of::<Result>()]);
    let mut expected: Vec<String> = fields
        .iter()
        .zip(ends)
        .map(|((name, offset), end)| format!("{name} {offset} {}", end - offset))
        .collect();
    expected.push(format!("result 0 {}", size_of::<Result>()));
    expected.push(format!("config.time_max {} 4", offset_of!(Config, time_max)));
    let penalty = offset_of!(Config, invalid_action_penalty);
    expected.push(format!("config.invalid_action_penalty {penalty} 4"));
    let seen = text(&run(&["layout"]).stdout);
    assert_eq!(seen.lines().collect::<Vec<_>>(), expected);
}
