//! The trace runner as a program: its records, its episodes, its refusals.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prospector::trace::RECORD;
use prospector::{Config, State};

fn runner(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_prospector-trace");
    Command::new(program).args(arguments).output().expect("cargo built the program")
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn trace_of(name: &str, seed: u64, actions: &[u8]) -> Vec<u8> {
    let (from, to) = (scratch(&format!("{name}.actions")), scratch(&format!("{name}.trace")));
    fs::write(&from, actions).expect("a scratch file");
    let (from, to) = (from.to_str().expect("a plain path"), to.to_str().expect("a plain path"));
    let seed = seed.to_string();
    let output = runner(&["--seed", &seed, "--actions", from, "--out", to]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(to).expect("the trace just written")
}

#[test]
fn records_are_packed_and_episodes_follow_by_seed() {
    // The last seed, so that the next episode's wraps to 0.
    let actions = [8, 200, 68, 6, 68, 33];
    let trace = trace_of("packed", u64::MAX, &actions);
    assert_eq!(trace.len(), RECORD * actions.len());
    let mut state = State::new(Config::default(), u64::MAX);
    for (t, record) in trace.chunks_exact(RECORD).enumerate() {
        if t == 3 || t == 5 {
            state.reset(state.seed().wrapping_add(1));
        }
        let result = state.step(actions[t]);
        assert_eq!(record[..4], (t as u32).to_le_bytes());
        assert_eq!(record[4], actions[t]);
        assert_eq!(record[5..7], result.dt.to_le_bytes());
        assert_eq!(record[7..11], result.reward.to_le_bytes());
        assert_eq!(record[11..14], [result.terminated, 0, result.invalid_action]);
        assert_eq!(record[14..16], result.action.to_le_bytes());
        assert_eq!(record[16..20], result.obs[0].to_le_bytes());
        assert_eq!(record[1052..1056], result.obs[259].to_le_bytes());
        assert_eq!(record[1056..1060], result.credits.to_le_bytes());
        assert_eq!(record[1104..], result.cargo_utilization_avg.to_le_bytes());
    }
    assert_eq!(state.seed(), 1);
}

#[test]
fn no_actions_make_an_empty_trace() {
    assert!(trace_of("empty", 0, &[]).is_empty());
}

#[test]
fn bad_requests_are_named_and_end_with_status_2() {
    let actions = scratch("refused.actions");
    fs::write(&actions, [6]).expect("a scratch file");
    let actions = actions.to_str().expect("a plain path");
    let refused: [(&[&str], &str); 8] = [
        (&[], "--seed is missing"),
        (&["--seed", "1", "--actions", actions], "--out is missing"),
        (&["--seed"], "--seed needs a value"),
        (&["--seed", "1", "--seed", "2"], "--seed is given twice"),
        (&["--sed", "1"], "unknown option \"--sed\""),
        (&["--seed", "-1", "--actions", actions, "--out", "x"], "--seed is \"-1\""),
        (&["--seed", "1", "--actions", "no/such/file", "--out", "x"], "cannot read the actions"),
        (&["--seed", "1", "--actions", actions, "--out", "no/such/x"], "cannot write the trace"),
    ];
    for (arguments, words) in refused {
        let output = runner(arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
}
