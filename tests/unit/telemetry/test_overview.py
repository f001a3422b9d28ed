"""Figures of runs, and in what runs differ."""

from __future__ import annotations

from typing import Any

import pytest

from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.telemetry import overview
from astrarium.telemetry.overview import RunFigures


def figures(run_id: str, *returns: float | None) -> RunFigures:
    rows: list[dict[str, Any]] = [
        {"window_id": at, "env_steps_total": 100 * at, "return_mean": one}
        for at, one in enumerate(returns)
    ]
    return RunFigures(run_id, rows, [{"env_steps_total": 50, "entropy": 1.5}])


def test_nulls_are_passed_over() -> None:
    one = figures("a", None, 4.0, 7.0, 2.0, None)
    assert (one.last("return_mean"), one.best("return_mean")) == (2.0, 7.0)
    assert figures("a", None).last("return_mean") is None
    assert figures("a").best("return_mean") is None


def test_a_window_that_is_not_complete_does_not_count_beside_others() -> None:
    rows = figures("a", 4.0, 7.0, -100.0).windows
    rows[2]["window_complete"] = False  # type: ignore[index]
    assert RunFigures("a", rows, ()).last("return_mean") == 7.0
    assert RunFigures("a", rows[2:], ()).last("return_mean") == -100.0


def test_a_figure_is_looked_for_in_windows_and_then_in_updates() -> None:
    one = figures("a", 4.0)
    assert one.curve("entropy").values == [1.5]
    assert one.curve("entropy").label == "a"
    assert one.fields() == ["window_id", "return_mean", "entropy"]


def test_a_run_is_read_with_all_its_policies(run: Any) -> None:
    run.update(1, 700, policy="hunters", entropy=1.0)
    run.update(1, 700, policy="gatherers", entropy=None)
    run.window(0)
    run.update(2, 1700, policy="gatherers", entropy=3.0)
    run.append(run.events, {"kind": "of_a_newer_version"})
    read = overview.figures_of(RunFolder.open(run.folder))
    assert read.curve("hunters/entropy").values == [1.0]
    assert read.curve("gatherers/entropy").values == [3.0]
    assert len(read.updates) == 2
    assert overview.figures_of(RunFolder.open(run.folder), updates=False).updates == ()


def test_panels_are_those_worth_looking_at_or_those_asked_for() -> None:
    runs = [figures("a", 1.0, 2.0), figures("b", None)]
    assert [one.title for one in overview.panels(runs, None, 4)] == ["return_mean", "entropy"]
    assert [one.title for one in overview.panels(runs, None, 1)] == ["return_mean"]
    (asked,) = overview.panels(runs, ["window_id"], 1)
    assert [one.label for one in asked.curves] == ["a", "b"]
    with pytest.raises(ConfigError, match="did you mean 'return_mean'"):
        overview.panels(runs, ["return_men"], 4)
    with pytest.raises(ConfigError, match="none yet"):
        overview.panels([RunFigures("c", (), ())], ["return_mean"], 4)


def test_final_figures_stand_side_by_side() -> None:
    final = overview.final_figures([figures("a", 1.0, None), figures("b")])
    assert final == {"env_steps_total": [100.0, 50.0], "return_mean": [1.0, None]}


def test_settings_that_differ_are_named_to_the_leaf() -> None:
    one = {"ppo": {"gamma": 0.99, "clip": 0.2}, "run": {"id": None}, "same": [1, 2], "empty": {}}
    two = {"ppo": {"gamma": 0.9, "clip": 0.2}, "run": {"id": "x"}, "same": [1, 2], "more": True}
    assert overview.differences([one, two]) == {
        "ppo.gamma": [0.99, 0.9],
        "run.id": [None, "x"],
        "empty": [{}, None],
        "more": [None, True],
    }
    assert overview.differences([one, one]) == {}
