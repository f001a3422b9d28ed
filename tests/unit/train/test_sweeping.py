"""Sweeps: spaces that are refused before they waste time, studies that go on where they stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.train.space import Space, read_space, space_names
from astrarium.train.study import Duty, Standing, TrialRow, Worker
from astrarium.train.sweep_report import page
from astrarium.train.sweeping import Sweep
from astrarium.worlds import parse_config

BASE = {
    "world": {"id": "lanterns-v1", "worlds": 16, "settings": {"ticks_max": 20}},
    "policy": {"hidden": [8]},
    "ppo": {"rollout_steps": 16},
    "run": {"total_env_steps": 1500, "window_env_steps": 300, "device": "cpu"},
}
RATES = {"ppo.learning_rate": {"low": 1e-4, "high": 1e-2, "log": True}, "ppo.epochs": [1, 2]}


def space(parameters: dict[str, Any] = RATES, **changes: Any) -> Space:
    told = {"objective": {"episodes": 8}, "pruning": {"metric": "none"}, **changes}
    made = parse_config(Space, {"base": BASE, "parameters": parameters, **told})
    made.check()
    return made


def nobody(_: Standing) -> None:
    pass


def never() -> bool:
    return False


def after(windows: int) -> Callable[[], bool]:
    """Somebody who says stop when asked for the so-manieth time."""
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > windows

    return stop


def figures(row: TrialRow) -> tuple[Any, ...]:
    return row.number, row.state, row.value, row.parameters, row.windows


# Spaces


def test_the_spaces_that_ship_can_be_searched() -> None:
    assert "prospector-v2" in space_names()
    for name in space_names():
        config = read_space(name, {}).base_config()
        assert (config.run.threads, config.run.eval_episodes) == (1, 0)


def test_settings_from_outside_go_on_top_of_the_base() -> None:
    longer = read_space("prospector-v2", {"run": {"total_env_steps": 123, "threads": 4}})
    run = longer.base_config().run
    assert (run.total_env_steps, run.threads) == (123, 4)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"ppo.clipp": [0.1, 0.2]}, "unknown key 'ppo.clipp'; did you mean 'clip'?"),
        ({"ppo.clip": {"low": 0.1, "high": 1.5}}, "ppo.clip is 1.5"),
        ({"ppo.epochs": [1, 0]}, "ppo.epochs is 0"),
        ({"ppo.clip": {"low": 0.3, "high": 0.1}}, "low must be less"),
        ({"ppo.clip": {"low": 0, "high": 0.1, "log": True}}, "no logarithm"),
        ({"ppo.clip": {"low": 0.1, "hihg": 0.2}}, "hihg"),
        ({"ppo.clip": {"low": "a", "high": 0.2}}, "ppo.clip.range.low is 'a': "),
        ({"ppo.clip": {"low": True, "high": 2}}, "give a finite number"),
        ({"ppo.clip": [0.1]}, "ppo.clip.choices is [0.1]: "),
        ({"run.id": ["a", "b"]}, "gives each run its own"),
        ({"world.settings.ticks_mex": [10, 20]}, "did you mean 'ticks_max'?"),
        ({}, "parameters"),
    ],
)
def test_a_space_with_a_trial_that_could_not_be_is_refused(
    tmp_path: Path, parameters: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        space(parameters)
    assert words in str(refused.value)


def test_a_space_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    for given, words in (
        ("prospektor-v2", "did you mean 'prospector-v2'?"),
        (str(tmp_path / "gone.toml"), "cannot read"),
    ):
        with pytest.raises(ConfigError) as refused:
            read_space(given, {})
        assert words in str(refused.value)


# Studies


def test_every_trial_is_a_run_of_the_settings_the_journal_tells(tmp_path: Path) -> None:
    shapes = {**RATES, "policy.hidden": [[8], [8, 4]], "ppo.minibatches": {"low": 2, "high": 3}}
    sweep = Sweep(space(shapes), tmp_path, "one")
    done = sweep.run(3, 1, tell=nobody, stop=never)
    assert [row.state for row in done.rows] == ["complete"] * 3
    for row in done.rows:
        assert row.run == tmp_path / "one" / f"trial-{row.number:04d}"
        run = RunFolder.open(row.run)
        assert run.status() == "completed"
        config = run.config()
        assert config["run"]["threads"] == 1
        assert config["run"]["seed"] == row.number
        for key, value in row.parameters.items():
            section, name = key.split(".")
            assert config[section][name] == value
        assert isinstance(row.parameters["ppo.minibatches"], int)
    assert [row.value for row in done.ranked] == sorted((r.value for r in done.rows), reverse=True)
    assert set(sweep.importances()) == set(shapes)


def test_a_study_goes_on_where_it_stopped_and_repeats_with_its_seed(tmp_path: Path) -> None:
    told: list[int] = []
    first = Sweep(space(), tmp_path, "first").run(2, 1, tell=nobody, stop=never)
    again = Sweep(space(), tmp_path, "first")
    more = again.run(3, 1, tell=lambda standing: told.append(len(standing.finished)), stop=never)
    assert [figures(row) for row in more.rows[:2]] == [figures(row) for row in first.rows]
    assert len(more.rows) == 3
    assert told[0] == 2
    # Enough is enough.
    assert again.run(3, 1, tell=nobody, stop=never) == more
    second = Sweep(space(), tmp_path, "second").run(2, 1, tell=nobody, stop=never)
    assert [figures(row) for row in second.rows] == [figures(row) for row in first.rows]
    other = Sweep(space(seed=1), tmp_path, "other").run(1, 1, tell=nobody, stop=never)
    assert other.rows[0].parameters != first.rows[0].parameters


def test_what_a_worker_left_is_taken_up_from_its_checkpoint(tmp_path: Path) -> None:
    straight = Sweep(space(), tmp_path, "straight").run(1, 1, tell=nobody, stop=never)
    sweep = Sweep(space(), tmp_path, "stopped")
    # Once before the trial, then after its first and its second window.
    left = sweep.run(1, 1, tell=nobody, stop=after(2))
    run = RunFolder.open(left.rows[0].run)
    assert (left.rows[0].state, run.status()) == ("running", "interrupted")
    windows = len(run.windows())
    assert 0 < windows < 5
    done = sweep.run(1, 1, tell=nobody, stop=never)
    assert figures(done.rows[0]) == figures(straight.rows[0])
    resumed = [event for event in run.events() if event["kind"] == "run_resumed"]
    assert [event["window_id"] for event in resumed] == [windows - 1]


def test_a_trial_killed_before_its_first_checkpoint_begins_again(tmp_path: Path) -> None:
    sweep = Sweep(space(), tmp_path, "killed")
    folder = tmp_path / "killed"
    asked = Worker(sweep.space, folder, Duty(0, 1, 0, ())).study.ask()
    sweep.space.suggest(asked)
    done = sweep.run(1, 1, tell=nobody, stop=never)
    assert (len(done.rows), done.rows[0].state) == (1, "complete")


def test_a_trial_below_the_median_is_given_up_cleanly(tmp_path: Path) -> None:
    """Keepers who have five ticks can light fewer lamps than those who have twenty."""
    wanted = space(
        {"world.settings.ticks_max": [5, 20]},
        pruning={"metric": "return_mean", "startup_trials": 1, "warmup_windows": 1},
    )
    sweep = Sweep(wanted, tmp_path, "pruned")
    study = Worker(wanted, sweep.folder, Duty(0, 2, 0, ())).study
    for ticks in (20, 5):
        study.enqueue_trial({"world.settings.ticks_max": ticks})
    done = sweep.run(2, 1, tell=nobody, stop=never)
    assert [row.state for row in done.rows] == ["complete", "pruned"]
    assert done.rows[1].windows == 2
    given_up = RunFolder.open(done.rows[1].run)
    assert (given_up.status(), len(given_up.windows())) == ("interrupted", 2)
    assert [row.number for row in done.ranked] == [0]


def test_settings_that_break_a_training_fail_their_trial_only(tmp_path: Path) -> None:
    wild = space({"ppo.learning_rate": [1e-3, 1e30]}, base=BASE | {"ppo": {"max_grad_norm": 1e30}})
    sweep = Sweep(wild, tmp_path, "wild")
    study = Worker(wild, sweep.folder, Duty(0, 2, 0, ())).study
    for rate in (1e30, 1e-3):
        study.enqueue_trial({"ppo.learning_rate": rate})
    done = sweep.run(2, 1, tell=nobody, stop=never)
    assert [row.state for row in done.rows] == ["fail", "complete"]
    assert "not finite" in str(done.rows[0].error)


def test_the_last_window_can_be_the_objective(tmp_path: Path) -> None:
    last = space(objective={"kind": "last_window"})
    done = Sweep(last, tmp_path, "last").run(1, 1, tell=nobody, stop=never)
    whole = [row for row in RunFolder.open(done.rows[0].run).windows() if row["window_complete"]]
    assert done.rows[0].value == whole[-1]["return_mean"]


def test_a_study_of_another_space_is_not_mixed_in(tmp_path: Path) -> None:
    Sweep(space(), tmp_path, "one")
    Sweep(space(trials=7), tmp_path, "one")
    for other in (space(seed=3), space(objective={"episodes": 9})):
        with pytest.raises(ConfigError, match="another space"):
            Sweep(other, tmp_path, "one")
    written = json.loads((tmp_path / "one" / "space.json").read_text())
    assert written["base"]["world"]["id"] == "lanterns-v1"


@pytest.mark.long
def test_workers_share_a_study_and_make_exactly_as_many_trials_as_asked(tmp_path: Path) -> None:
    done = Sweep(space(), tmp_path, "shared").run(3, 2, tell=nobody, stop=never)
    assert [row.state for row in done.rows] == ["complete"] * 3
    assert len({row.parameters["ppo.learning_rate"] for row in done.rows}) == 3


def test_the_page_tells_every_trial_and_what_decided(tmp_path: Path) -> None:
    shapes = space({**RATES, "policy.hidden": [[8], [8, 4]]})
    rows = [
        TrialRow(
            0, "complete", 1.5, {"ppo.epochs": 1, "policy.hidden": [8, 4]}, 5, 1.0, tmp_path, None
        ),
        TrialRow(1, "pruned", 9.0, {"ppo.epochs": 2, "policy.hidden": [8]}, 2, 1.0, tmp_path, None),
        TrialRow(
            2, "complete", 2.5, {"ppo.epochs": 2, "policy.hidden": [8]}, 5, 1.0, tmp_path, None
        ),
    ]
    text = page("mine", shapes, Standing(rows, 3), {"ppo.epochs": 0.75, "policy.hidden": 0.25})
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert table[2].startswith("| 2 | 2.500 | finished | 5 |")
    assert table[3].startswith("| 0 | 1.500 | finished | 5 |")
    assert "8×4" in table[3]
    assert table[4].startswith("| 1 | - | given up | 2 |")
    assert "| ppo.epochs | 0.750 |" in table
    many = [TrialRow(at, "complete", float(at), {}, 5, 1.0, tmp_path, None) for at in range(30)]
    best = page("mine", shapes, Standing(many, 30), {})
    assert "The best 20 trials" in best
    assert "| 29 |" in best
    assert "| 9 |" not in best
