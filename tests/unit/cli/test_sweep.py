"""`astrarium sweep` as a reader sees it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from astrarium.cli import main
from astrarium.runs import RunFolder

SPACE = """
trials = 2

[base.world]
id = "lanterns-v1"
worlds = 16
settings = { ticks_max = 20 }

[base.policy]
hidden = [8]

[base.ppo]
rollout_steps = 16

[base.run]
total_env_steps = 1500
window_env_steps = 500

[objective]
episodes = 8

[parameters]
"ppo.learning_rate" = { low = 1e-4, high = 1e-2, log = true }
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rates.toml").write_text(SPACE)


def command(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["sweep", *tokens])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def trial_lines(out: str) -> list[str]:
    return [line for line in out.splitlines() if line.startswith("trial  ") and "windows" in line]


def test_the_same_command_goes_on_and_the_best_stand_side_by_side(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = command(capsys, "--space", "rates.toml")
    assert (code, err) == (0, "")
    assert "study: sweeps/rates" in out
    assert len(trial_lines(out)) == 2
    assert "2 trials: 2 finished" in out
    assert "ppo.learning_rate" in out.split("objective")[1]
    code, out, _ = command(
        capsys, "--space", "rates.toml", "--trials", "3", "--markdown", "page.md"
    )
    assert code == 0
    assert "2 trials are there already" in out
    assert len(trial_lines(out)) == 1
    assert "3 trials: 3 finished" in out
    assert Path("page.md").read_text().startswith("# Sweep rates on lanterns-v1\n")


def test_options_of_training_go_on_top_of_the_space(capsys: pytest.CaptureFixture[str]) -> None:
    tokens = ("--space", "rates.toml", "--trials", "1", "--study", "mine", "--root", "there")
    code, _, err = command(capsys, *tokens, "--run.seed", "4", "--ppo.clip", "0.1")
    assert code == 0, err
    config = RunFolder.open(Path("there/mine/trial-0000")).config()
    assert (config["run"]["seed"], config["ppo"]["clip"]) == (4, 0.1)
    code, _, err = command(capsys, *tokens)
    assert code == 2
    assert "another space" in err


def test_a_sweep_whose_trials_all_fail_says_so_and_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wild = ("--ppo.learning-rate", "1e30", "--ppo.max-grad-norm", "1e30")
    Path("rates.toml").write_text(
        SPACE.replace("low = 1e-4, high = 1e-2", "low = 1e29, high = 1e30")
    )
    code, out, _ = command(capsys, "--space", "rates.toml", *wild)
    assert code == 1
    assert "2 trials: 2 failed" in out


def test_windows_are_counted_without_pruning(capsys: pytest.CaptureFixture[str]) -> None:
    Path("rates.toml").write_text(SPACE + '\n[pruning]\nmetric = "none"\n')
    _, out, _ = command(capsys, "--space", "rates.toml", "--trials", "1")
    assert "trial   0 · 3 windows" in out


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("--space", "prospektor-v2"), "did you mean 'prospector-v2'?"),
        (("--space", "rates.toml", "--trials", "0"), "trials"),
        (("--space", "rates.toml", "--workers", "0"), "workers"),
        (("--space", "rates.toml", "--study", "../up"), "../up"),
        (("--space", "rates.toml", "--ppo.clipp", "1"), "Did you mean --ppo.clip?"),
        (("--space", "rates.toml", "--ppo.clip", "7"), "ppo.clip is '7'"),
        (("--space", "rates.toml", "--markdown", "/proc/x/page.md"), "/proc/x/page.md"),
        ((), "--space"),
    ],
)
def test_what_cannot_be_searched_is_refused_before_anything_is_trained(
    capsys: pytest.CaptureFixture[str], tokens: tuple[str, ...], words: str
) -> None:
    code, _, err = command(capsys, *tokens)
    assert code == 2
    assert words in " ".join(err.split())
    assert not Path("sweeps").exists()


@pytest.mark.long
def test_ctrl_c_stops_all_workers_between_windows(capsys: pytest.CaptureFixture[str]) -> None:
    words = [sys.executable, "-m", "astrarium", "sweep", "--space", "rates.toml", "--trials", "2"]
    words += ["--workers", "2", "--run.total-env-steps", "100000000"]
    pipe = subprocess.PIPE
    folders = [Path(f"sweeps/rates/trial-000{number}") for number in range(2)]
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True) as process:
        until = time.monotonic() + 120
        while not all((one / "metrics/windows.jsonl").exists() for one in folders):
            assert time.monotonic() < until
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "the same command goes on from here" in out
    for folder in folders:
        run = RunFolder.open(folder)
        assert run.status() == "interrupted"
        assert run.checkpoints()[-1].resumable
