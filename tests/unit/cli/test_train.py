"""`astrarium train` as somebody at a terminal meets it: small trainings, all real."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from astrarium.cli import main, watching
from astrarium.cli.train import app, chosen_config, given_settings
from astrarium.runs import RunFolder
from astrarium.runs.windows import TIMING_FIELDS
from astrarium.train.config import TrainConfig, preset
from astrarium.train.training import Progress, resume, start

LANTERNS = ("lanterns-v1", "--world.settings.ticks-max", "20")
TINY = (
    *("--world.worlds", "16", "--policy.hidden", "16", "--ppo.rollout-steps", "16"),
    *("--run.eval-episodes", "2", "--run.threads", "1"),
)
SMALL = (*TINY, "--run.total-env-steps", "2000", "--run.window-env-steps", "600")
LONG = (*TINY, "--run.total-env-steps", "18000", "--run.window-env-steps", "6000")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def command(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["train", *tokens])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def given(*tokens: str) -> dict[str, Any]:
    """What the parser makes of options."""
    _, bound, _ = app.parse_args(list(tokens), exit_on_error=False, print_error=False)
    settings = bound.arguments.get("settings")
    return {} if settings is None else given_settings(settings)


# Options and layers


def test_only_the_options_given_are_settings() -> None:
    assert given() == {}
    tokens = ("--ppo.clip", "0.1", "--run.seed", "3", "--policy.hidden", "128", "64")
    assert given(*tokens) == {
        "ppo": {"clip": 0.1},
        "run": {"seed": 3},
        "policy": {"hidden": (128, 64)},
    }
    assert given("--ppo.no-normalise-rewards") == {"ppo": {"normalise_rewards": False}}
    # The same as the default, but said.
    assert given("--ppo.epochs", "4") == {"ppo": {"epochs": 4}}


@pytest.mark.parametrize(
    "tokens",
    [
        ("--world.settings.time-max", "500", "--world.settings.mode", "calm"),
        ("--world.settings.time_max", "500", "--world.settings.mode", "calm"),
        ("--world.settings", '{"time_max": 500, "mode": "calm"}'),
    ],
)
def test_settings_of_the_world_are_options_too(tokens: tuple[str, ...]) -> None:
    assert given(*tokens) == {"world": {"settings": {"time_max": 500, "mode": "calm"}}}


def test_preset_file_and_command_line_win_in_this_order(tmp_path: Path) -> None:
    below = preset("prospector-v2")
    file = tmp_path / "mine.toml"
    file.write_text("[ppo]\ngamma = 0.5\nclip = 0.4\n")
    config = chosen_config(None, None, file, given("--ppo.clip", "0.1"))
    assert (config.ppo.gamma, config.ppo.clip) == (0.5, 0.1)
    assert config.ppo.learning_rate == below["ppo"]["learning_rate"]
    assert config.ppo.adam_epsilon == TrainConfig().ppo.adam_epsilon


def test_the_config_of_a_run_begins_another_one(tmp_path: Path) -> None:
    saved = chosen_config("lanterns-v1", None, None, {"run": {"id": "one", "seed": 4}})
    file = tmp_path / "config.json"
    file.write_text(saved.model_dump_json())
    again = chosen_config(None, None, file, {})
    assert (again.run.id, again.run.seed, again.world.id) == (None, 4, "lanterns-v1")


def test_policies_of_groups_can_be_told_on_the_command_line() -> None:
    settings = given("--policy.groups.left", "0", "--policy.groups.others", "1,2")
    config = chosen_config("lanterns-v1", None, None, settings)
    assert config.policy.groups == {"left": (0,), "others": (1, 2)}


def test_the_world_decides_on_the_preset_unless_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "lanterns.toml"
    file.write_text('[world]\nid = "lanterns-v1"\n')
    large = preset("prospector-v2")["world"]["worlds"]
    small = preset("lanterns-v1")["world"]["worlds"]
    assert len({large, small, TrainConfig().world.worlds}) == 3
    for config, expected in (
        (chosen_config("prospector-v2", None, None, {}), ("prospector-v2", large)),
        (chosen_config("lanterns-v1", None, None, {}), ("lanterns-v1", small)),
        (chosen_config(None, None, file, {}), ("lanterns-v1", small)),
        (
            chosen_config(None, None, None, given("--world.id", "lanterns-v1")),
            ("lanterns-v1", small),
        ),
        (chosen_config("lanterns-v1", "prospector-v2", None, {}), ("lanterns-v1", large)),
    ):
        assert (config.world.id, config.world.worlds) == expected


def test_help_tells_every_setting_with_its_default(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    code, out, _ = command(capsys, "--help")
    assert code == 0
    for section, field in TrainConfig.model_fields.items():
        for name in getattr(field.annotation, "model_fields", {}):
            option = f"--{section}.{name.replace('_', '-')}"
            # Every command calls the folder of runs --root.
            assert ("--root" if option == "--run.root" else option) in out
    assert "--run.root" not in out
    assert re.search(r"--ppo.clip FLOAT .*default: 0.2", out)
    assert "Passes over a rollout" in out


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("--ppo.clipp", "0.1"), "Did you mean --ppo.clip?"),
        (("--ppo.clip", "5"), "ppo.clip is '5'"),
        (("--ppo.epochs", "few"), "ppo.epochs is 'few'"),
        (("nowhere-v1",), "nowhere-v1"),
        (("--preset", "prospektor-v2"), "did you mean 'prospector-v2'?"),
        (("--config", "gone.toml"), "gone.toml"),
        (("--config", "wrong.toml"), "wrong.toml: unknown key 'ppo.clipp'; did you mean 'clip'?"),
        (("--quiet", "--json"), "exclude each other"),
        (("lanterns-v1", "--world.id", "prospector-v2"), "differ"),
        (("--resume", "gone"), "no run is called 'gone'"),
        (("--resume", "gone"), "another folder of runs with --root"),
        (("lanterns-v1", "--resume", "gone"), "leave out"),
        (("--resume", "gone", "--ppo.clip", "0.1"), "leave out ppo.clip"),
        (("--world.settings.time-maxx", "5", *SMALL), "time_max"),
    ],
)
def test_what_cannot_be_trained_is_refused_with_advice(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tokens: tuple[str, ...], words: str
) -> None:
    (tmp_path / "wrong.toml").write_text("[ppo]\nclipp = 0.1\n")
    code, _, err = command(capsys, *tokens)
    assert code == 2
    assert words in " ".join(err.split())
    assert not (tmp_path / "runs").exists()


# What it says


def test_one_line_for_every_window_then_what_was_reached(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = command(capsys, *LANTERNS, *SMALL, "--run.id", "first")
    assert (code, err) == (0, "")
    lines = [line for line in out.splitlines() if line.startswith("window")]
    assert [line.split("·")[0].split()[1] for line in lines] == ["0", "1", "2", "3"]
    assert "return" in lines[0]
    assert "\x1b" not in out
    assert "completed: 2.05 k ticks" in out
    assert "run: runs/first" in out
    assert "best replay: replay-" in out
    for way in ("evaluate first", "replay show first best", "runs show first"):
        assert f"astrarium {way}" in out


def test_json_is_the_rows_of_the_run_and_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = command(capsys, *LANTERNS, *SMALL, "--run.id", "first", "--json")
    assert code == 0
    *windows, end = map(json.loads, out.splitlines())
    rows = RunFolder.open(Path("runs/first")).windows()
    assert windows == [{"kind": "window", **row} for row in rows]
    assert (end["kind"], end["status"], end["folder"]) == ("end", "completed", "runs/first")
    assert end["env_steps_total"] == rows[-1]["env_steps_total"]
    assert end["best_replay"]["run_id"] == "first"


def test_quiet_says_only_where(capsys: pytest.CaptureFixture[str]) -> None:
    quiet = ("--quiet", "--root", "elsewhere", "--run.id", "first")
    assert command(capsys, *LANTERNS, *SMALL, *quiet) == (0, "elsewhere/first\n", "")


def test_hints_name_the_root_where_it_is_not_the_usual_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = command(capsys, *LANTERNS, *SMALL, "--root", "there", "--run.id", "first")
    assert "astrarium evaluate first --root there" in out


def progress(done: int, **changes: Any) -> Progress:
    fields: dict[str, Any] = {
        "folder": Path("runs/x"),
        "env_steps_total": done,
        "target_env_steps": 6_000_000,
        "calls_total": done // 2,
        "closed": (),
        "replay": None,
    }
    return Progress(**fields | changes)


def test_the_bar_shows_the_moment_and_windows_pass_above_it() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    moments = iter((0.0, 2.0))
    bar = watching.Bar(console, ("profit_mean", "survival_rate"), clock=lambda: next(moments))
    row = {
        "window_id": 0,
        "window_complete": True,
        "env_steps_total": 1_000_000,
        "return_mean": 12.345,
        "profit_mean": 9876.0,
        "survival_rate": 0.875,
        "steps_per_second": 123_000.0,
    }
    bar.tell(progress(0))
    bar.tell(progress(1_000_000, closed=(row,)))
    with console.capture() as shown:
        console.print(bar)
    lines = shown.get().splitlines()
    assert lines[0].endswith("1.00 M/6.00 M ticks, 0:00:10 left")
    assert lines[1].startswith("250 k steps/s, 500 k ticks/s · return 12.35 · profit 9,876")
    assert max(map(len, lines)) <= 80
    above = console.file.getvalue()  # type: ignore[attr-defined]
    assert "window   0 · 1.00 M ticks · return 12.35 · profit 9,876 · survival 87.5%" in above
    bar.heard()
    with console.capture() as shown:
        console.print(bar)
    assert watching.STOPPING in shown.get()


# Stopping, breaking, going on


def lasting(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows without what differs between two equal runs."""
    return [{k: v for k, v in row.items() if k not in (*TIMING_FIELDS, "run_id")} for row in rows]


def start_and_stop(
    run_id: str, *tokens: str, signals: tuple[signal.Signals, ...]
) -> subprocess.CompletedProcess[str]:
    """Train in a process of its own and send it these once a window has closed."""
    words = [sys.executable, "-m", "astrarium", "train", *tokens, "--run.id", run_id]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, bufsize=1) as process:
        assert process.stdout is not None
        seen = ""
        while "window   0" not in seen:
            line = process.stdout.readline()
            assert line, process.stderr.read() if process.stderr else ""
            seen += line
        for one in signals:
            os.kill(process.pid, one)
        out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(words, process.returncode, seen + out, err)


def test_ctrl_c_finishes_the_window_and_the_run_goes_on_as_if_it_had_not_stopped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tokens = (*LANTERNS, *LONG)
    stopped = start_and_stop("stopped", *tokens, signals=(signal.SIGINT,))
    assert stopped.returncode == 130, stopped.stderr
    assert watching.STOPPING in stopped.stderr
    assert "astrarium train --resume stopped" in stopped.stdout
    run = RunFolder.open(Path("runs/stopped"))
    assert run.status() == "interrupted"
    assert run.checkpoints()[-1].window_id == run.windows()[-1]["window_id"] < 3
    code, out, err = command(capsys, "--resume", "stopped")
    assert code == 0, err
    assert "completed" in out
    assert command(capsys, *tokens, "--run.id", "straight", "--quiet")[0] == 0
    straight = RunFolder.open(Path("runs/straight"))
    assert lasting(run.windows()) == lasting(straight.windows())
    code, _, err = command(capsys, "--resume", "stopped")
    assert code == 2
    assert "is complete" in err


def test_a_window_that_was_stopped_at_has_a_checkpoint_even_if_none_was_due() -> None:
    config = chosen_config("lanterns-v1", None, None, given(*LANTERNS, *SMALL))
    run = config.run.model_copy(update={"checkpoint_every_windows": 100})
    answers = iter((False, True))
    outcome = start(config.model_copy(update={"run": run}), stop=lambda: next(answers))
    assert outcome.status == "interrupted"
    folder = RunFolder.open(outcome.folder)
    assert [one.window_id for one in folder.checkpoints()] == [0, 1]
    # What was best before the stop is not forgotten.
    ended = resume(outcome.folder)
    assert ended.status == "completed"
    assert ended.best_replay == folder.replay_index().select(tag="best_so_far")[0]


def test_a_second_signal_stops_at_once_and_the_last_checkpoint_is_good() -> None:
    # Two signals of one kind can arrive as one; these cannot.
    both = (signal.SIGINT, signal.SIGTERM)
    stopped = start_and_stop("stopped", *LANTERNS, *LONG, signals=both)
    assert stopped.returncode == 130, stopped.stderr
    assert "go on from window 0: astrarium train --resume stopped" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    run = RunFolder.open(Path("runs/stopped"))
    assert run.status() == "interrupted"
    assert run.load_checkpoint(resumable=True).window_id == 0


def test_a_number_that_is_not_finite_is_named_with_the_way_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wild = ("--ppo.learning-rate", "1e30", "--ppo.max-grad-norm", "1e30")
    code, out, err = command(capsys, *LANTERNS, *SMALL, *wild, "--run.id", "wild", "--json")
    assert code == 2
    words = " ".join(err.split())
    assert "not finite" in words
    assert "lower ppo.learning_rate" in words
    assert "astrarium train --config runs/wild/config.json" in words
    end = json.loads(out.splitlines()[-1])
    assert (end["kind"], end["status"]) == ("end", "failed")
    assert RunFolder.open(Path("runs/wild")).status() == "failed"


def test_a_run_can_be_begun_anew_from_the_config_of_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command(capsys, *LANTERNS, *SMALL, "--run.id", "first", "--quiet")[0] == 0
    again = ("--config", "runs/first/config.json", "--run.id", "second", "--quiet")
    assert command(capsys, *again)[0] == 0
    first, second = (RunFolder.open(Path("runs") / name).windows() for name in ("first", "second"))
    assert lasting(first) == lasting(second)
