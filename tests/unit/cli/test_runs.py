"""`astrarium runs` as a reader sees it, and as a program does."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astrarium.cli import app, main
from astrarium.runs import Checkpoint, RunFacts, RunWriter
from astrarium.telemetry.events import CheckpointWritten, UpdateFinished, WindowClosed

Shown = Callable[..., str]


@pytest.fixture(autouse=True)
def _a_narrow_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Shown:
    def call(*tokens: str, status: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["runs", *tokens])
        captured = capsys.readouterr()
        assert ended.value.code == status, captured.err
        return captured.err if status else captured.out

    return call


def begin(run_id: str = "first", **settings: Any) -> RunWriter:
    facts = RunFacts("ppo", 10_000, 1_000, "prospector-v2", {"cpu": "abacus"}, "0badcafe", ())
    config = {"world": {"id": "prospector-v2"}, "ppo": {"gamma": 0.99, **settings}}
    return RunWriter.create(Path("runs"), config, facts, run_id)


def window(writer: RunWriter, window_id: int, **figures: float | None) -> None:
    end = 1_000 * (window_id + 1)
    writer.append_event(UpdateFinished(window_id, end, end, entropy=2.0 - window_id))
    writer.append_window(
        {
            "run_id": writer.run_id,
            "window_id": window_id,
            "window_complete": True,
            "env_steps_start": end - 1_000,
            "env_steps_end": end,
            "env_steps_total": end,
            "env_steps_in_window": 1_000,
            "episodes_completed": 3,
            "return_mean": None,
            "profit_mean": None,
            "survival_rate": None,
            "reward_mean": 0.5,
            **figures,
        }
    )
    writer.append_event(WindowClosed(window_id, end))


def a_run(run_id: str = "first", *, factor: float = 1.0, **settings: Any) -> RunWriter:
    """A run of three windows, the first without an episode's end, still being written."""
    writer = begin(run_id, **settings)
    window(writer, 0)
    window(writer, 1, return_mean=10.0 * factor, profit_mean=250.0 * factor, survival_rate=0.25)
    arrays = {"weights": np.zeros(3, np.float32)}
    state = {"policy_arch": "none", "obs_shape": [1], "heads": [2]}
    place = writer.save_checkpoint(Checkpoint(1, 2_000, arrays, arrays, b"worlds", state))
    writer.append_event(CheckpointWritten(1, str(place.relative_to(writer.folder))))
    window(writer, 2, return_mean=7.5 * factor, profit_mean=-1250.0 * factor, survival_rate=1.0)
    return writer


def test_no_runs_yet_says_how_to_make_one(shown: Shown) -> None:
    assert json.loads(shown("list", "--json")) == []
    assert "astrarium train" in shown("list")
    assert "there is no run in runs" in shown("show", status=2)


def test_runs_are_listed_newest_first(shown: Shown) -> None:
    a_run("first").finish()
    writer = a_run("second")
    lines = shown("list").splitlines()
    assert lines[0].split() == [
        *("run", "kind", "world", "player", "status", "ticks", "windows"),
        *("best", "return", "last", "profit", "when"),
    ]
    assert lines[1].split()[:4] == ["second", "training", "prospector-v2", "ppo"]
    assert lines[2].split()[:4] == ["first", "training", "prospector-v2", "ppo"]
    assert re.search(r"3\.00 k +3 +10 +-1,250 +\d+ s ago", lines[1])
    assert "and 1 more" in shown("list", "--limit", "1")
    first, second = json.loads(shown("list", "--json"))[::-1]
    assert (first["status"], second["status"]) == ("completed", "running")
    assert (first["return_best"], first["profit_last"], first["windows"]) == (10.0, -1250.0, 3)
    writer.finish()


@pytest.mark.parametrize("width", ["40", "60", "80", "120"])
def test_tables_fit_and_nothing_is_cut(
    shown: Shown, terminal: Callable[[int], None], width: str
) -> None:
    a_run("20300102T030405Z-0badcafe").finish()
    a_run("20300102T030405Z-0badcafe-2").finish()
    terminal(int(width))
    for text in (shown("list"), shown("show").split("Next:")[0]):
        assert "…" not in text
        assert "\x1b" not in text
        table = [line for line in text.splitlines() if "  /" not in line and "runs/" not in line]
        assert max(map(len, table)) <= int(width)
    assert "20300102T030405Z-0badcafe" in shown("list")


def test_one_broken_run_does_not_spoil_the_list(shown: Shown) -> None:
    a_run("whole").finish()
    broken = Path("runs/broken")
    broken.mkdir()
    (broken / "run_metadata.json").write_text("{")
    text = shown("list")
    assert "whole" in text
    assert "run_metadata.json is damaged" in text
    assert [one["status"] for one in json.loads(shown("list", "--json"))] == ["completed", "broken"]


def test_a_run_is_shown_with_all_that_can_be_done_with_it(shown: Shown) -> None:
    a_run().finish()
    text = shown("show", "first")
    for word in ("prospector-v2", "completed", "3.00 k of 10 k, 30%", "abacus", "0badcafe"):
        assert word in text
    for title in ("return_mean", "profit_mean", "survival_rate", "reward_mean"):
        assert title in text
    assert "checkpoints: 1, the newest of window 1, resumable from 1" in text
    commands = re.findall(r"^  (astrarium .+)$", text, re.M)
    assert len(commands) == 2
    for command in commands:
        app.parse_args(shlex.split(command)[1:], exit_on_error=False, print_error=False)


def test_windows_without_a_figure_have_no_point_and_a_dash(shown: Shown) -> None:
    a_run().finish()
    told = json.loads(shown("show", "first", "--json"))
    assert told["curves"]["return_mean"] == [[2000.0, 10.0], [3000.0, 7.5]]
    assert told["windows"][0]["return_mean"] is None
    row = next(line for line in shown("show").splitlines() if line.startswith("0 "))
    assert row.split() == ["0", "1.00", "k", "3", "-", "-", "-", "0.5"]


def test_a_run_that_is_being_written_can_be_shown(shown: Shown) -> None:
    writer = a_run()
    with Path("runs/first/metrics/windows.jsonl").open("a") as file:
        file.write('{"window_id": 3, "env_st')
    told = json.loads(shown("show", "--json"))
    assert (told["status"], len(told["windows"])) == ("running", 3)
    begin("fresh")
    told = json.loads(shown("show", "fresh", "--json"))
    assert (told["windows"], told["curves"], told["best_replay"]) == ([], {}, None)
    assert "fresh" in shown("show", "fresh")
    assert "fresh" in shown("compare", "fresh", "first")
    writer.finish()


def test_figures_are_chosen_by_name(shown: Shown) -> None:
    a_run().finish()
    told = json.loads(shown("show", "--curves", "entropy,reward_mean", "--windows", "1", "--json"))
    assert list(told["curves"]) == ["entropy", "reward_mean"]
    assert [row["window_id"] for row in told["windows"]] == [2]
    assert "did you mean 'entropy'" in shown("show", "--curves", "entrpy", status=2)


@pytest.mark.parametrize("command", ["show", "compare", "export"])
def test_an_unknown_run_is_answered_with_the_nearest(shown: Shown, command: str) -> None:
    a_run("first").finish()
    more = {"show": [], "compare": ["first"], "export": ["out"]}[command]
    assert "did you mean 'first'" in shown(command, "frst", *more, status=2)


def test_runs_are_compared_by_settings_figures_and_curves(shown: Shown) -> None:
    a_run("first").finish()
    a_run("second", factor=2.0, gamma=0.9).finish()
    text = shown("compare", "first", "second")
    assert re.search(r"ppo\.gamma +0\.99 +0\.9", text)
    assert re.search(r"return_mean +7\.5 +15", text)
    assert "• first" in text
    assert "x second" in text
    told = json.loads(shown("compare", "first", "runs/second", "--json"))
    assert told["runs"] == ["first", "second"]
    assert told["settings"] == {"ppo.gamma": [0.99, 0.9]}
    assert told["figures"]["profit_mean"] == [-1250.0, -2500.0]


def test_curves_have_colours_where_there_are_any(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_run("first").finish()
    a_run("second", factor=2.0).finish()
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in shown("compare", "first", "second")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[38" not in shown("compare", "first", "second")


def test_a_comparison_is_written_as_picture_and_page(shown: Shown) -> None:
    a_run("first").finish()
    a_run("second", factor=2.0, gamma=0.9).finish()
    told = json.loads(
        shown("compare", "first", "second", "--png", "c.png", "--html", "d/c.html", "--json")
    )
    assert told["files"] == ["c.png", "d/c.html"]
    assert Path("c.png").read_bytes().startswith(b"\x89PNG")
    page = Path("d/c.html").read_text("utf-8")
    for word in ("<svg", "first", "second", "ppo.gamma", "0.9"):
        assert word in page


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("compare", "first"), "two runs or more"),
        (("compare", "first", "runs/first"), "named twice"),
        (("compare", "first", "empty", "--png", "/proc/x.png"), "cannot write /proc/x.png"),
        (("compare", "empty", "empty2", "--png", "x.png"), "no window yet"),
        (("list", "--limit", "0"), "limit"),
        (("show", "--windows", "0"), "windows"),
        (("export", "first", "/proc/x", "--to", "csv"), "cannot write /proc/x"),
    ],
)
def test_bad_input_exits_with_two(shown: Shown, tokens: tuple[str, ...], words: str) -> None:
    a_run("first").finish()
    for run_id in ("empty", "empty2"):
        begin(run_id).finish()
    error = shown(*tokens, status=2)
    assert error.startswith("error: ")
    assert words in error


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_tables_are_exported(shown: Shown, form: str) -> None:
    a_run().finish()
    told = json.loads(shown("export", "latest", "out", "--to", form, "--json"))
    assert told["files"] == [f"out/windows.{form}", f"out/events.{form}"]
    assert all(Path(file).stat().st_size > 0 for file in told["files"])


def test_a_tensorboard_log_is_exported_once(shown: Shown) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    a_run().finish()
    text = shown("export", "first", "board", "--to", "tensorboard")
    assert "tensorboard --logdir board" in text
    read = EventAccumulator("board").Reload()
    points = [(one.step, one.value) for one in read.Scalars("window/return_mean")]
    assert points == [(2000, 10.0), (3000, 7.5)]
    error = shown("export", "first", "board", "--to", "tensorboard", status=2)
    assert "choose another folder" in error


@pytest.mark.long
def test_an_offline_wandb_run_is_exported(tmp_path: Path) -> None:
    """In a process of its own: the library keeps one state, and a service, for all of it."""
    a_run().finish()
    env = {name: value for name, value in os.environ.items() if not name.startswith("WANDB")}
    env |= {"HOME": str(tmp_path / "home"), "WANDB_BASE_URL": "http://127.0.0.1:9"}
    command = [sys.executable, "-m", "astrarium", "runs", "export", "first", "sent"]
    done = subprocess.run(
        [*command, "--to", "wandb", "--json"], env=env, capture_output=True, text=True, timeout=100
    )
    assert (done.returncode, done.stderr) == (0, "")
    files = json.loads(done.stdout)["files"]
    (log,) = [Path(file) for file in files if file.endswith("run-first.wandb")]
    assert b"return_mean" in log.read_bytes()
    assert b"model-first" in log.read_bytes()


def test_a_missing_plotter_costs_the_curves_only(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_run().finish()
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    text = shown("show")
    assert 'no curves: plotext is not installed: pip install "astrarium[train]"' in text
    assert "Next:" in text
