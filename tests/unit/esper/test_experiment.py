"""Experiments: what is run, what is remembered, and what is made of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from experiment_cases import outcome, results

from astrarium.errors import ConfigError, CountError
from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.experiment import page, pictures
from astrarium.esper.experiment.arms import ARMS, chosen_arms
from astrarium.esper.experiment.bootstrap import mean_interval
from astrarium.esper.experiment.criteria import Check, judge, missed
from astrarium.esper.experiment.journal import Journal, JournalError
from astrarium.esper.experiment.learned import Policy
from astrarium.esper.experiment.plan import Plan, needed, next_trial
from astrarium.esper.experiment.results import gather
from astrarium.esper.experiment.trial import Trial
from astrarium.machine import facts


def check_of(id_: str, task: str, checks: list[Check]) -> Check:
    return next(one for one in checks if one.id == id_ and task in one.task)


# Intervals


def test_a_bootstrap_of_many_normal_figures_is_the_normal_interval() -> None:
    figures = np.random.default_rng(5).normal(10.0, 2.0, 400)
    found = mean_interval(figures.tolist())
    half = 1.96 * figures.std() / np.sqrt(400)
    assert found.value == pytest.approx(figures.mean())
    assert found.low == pytest.approx(figures.mean() - half, abs=0.02)
    assert found.high == pytest.approx(figures.mean() + half, abs=0.02)


def test_a_bootstrap_of_two_figures_is_their_range() -> None:
    """One sample in four is all of the lower one, which is more than 2.5 %."""
    found = mean_interval([1.0, 3.0])
    assert (found.value, found.low, found.high) == (2.0, 1.0, 3.0)
    assert mean_interval([1.0, 3.0]) == found


def test_one_figure_tells_nothing_of_the_spread_and_none_has_no_mean() -> None:
    assert mean_interval([4.0]).low is None
    with pytest.raises(CountError, match="at least 1 seed"):
        mean_interval([])


# Pairing


def test_differences_are_taken_seed_by_seed() -> None:
    """Both arms vary by 80 points; on the same seeds one is always 1 point ahead."""
    found = results("digits_impaired", {"host_only": [10, 50, 90], "heuristic": [11, 51, 91]})
    task = found.tasks[0]
    assert (task.difference("heuristic", "host_only").low) == pytest.approx(1.0)
    assert task.arms["host_only"].interval("accuracy").low == pytest.approx(10.0, abs=15.0)


def test_outcomes_are_paired_whatever_order_they_finished_in() -> None:
    mixed = [outcome("host_only", 2, 20), outcome("heuristic", 1, 11), outcome("host_only", 1, 10)]
    task = gather([*mixed, outcome("heuristic", 2, 21)], ["host_only", "heuristic"]).tasks[0]
    assert task.difference("heuristic", "host_only").high == pytest.approx(1.0)


def test_arms_on_other_seeds_are_not_compared() -> None:
    found = gather([outcome("host_only", 1), outcome("heuristic", 2)], ["host_only", "heuristic"])
    with pytest.raises(ConfigError, match="ran on other seeds"):
        found.tasks[0].difference("heuristic", "host_only")


# Criteria


@pytest.mark.parametrize(
    ("id_", "task", "theirs", "ours", "met"),
    [
        ("A1", "textures_impaired", [20, 22, 24], [51, 53, 55], "met"),
        ("A1", "textures_impaired", [20, 22, 24], [49, 90, 90], "not met"),
        ("A3", "digits_baseline", [97, 97, 97], [96.5, 97, 96.5], "met"),
        ("A3", "digits_baseline", [97, 97, 97], [97, 97, 93], "not met"),
    ],
)
def test_growth_is_held_to_the_beginning_of_the_interval(
    id_: str, task: str, theirs: list[float], ours: list[float], met: str
) -> None:
    arm = "heuristic" if id_ == "A3" else "heuristic_probe"
    checks = judge(results(task, {"host_only": theirs, arm: ours}))
    found = check_of(id_, task, checks)
    assert (found.state, found.seeds) == (met, 3)
    assert bool(missed(checks)) == (met == "not met")


@pytest.mark.parametrize(
    ("ours", "met"), [([61, 62, 63], "met"), ([60, 62, 63], "not met"), ([40, 99, 99], "not met")]
)
def test_no_better_than_random_growth_is_not_enough(ours: list[float], met: str) -> None:
    grown = {"random_growth": [60.0, 60.0, 60.0], "heuristic_probe": ours}
    assert check_of("A2", "digits", judge(results("digits_impaired", grown))).state == met


@pytest.mark.parametrize(
    ("ours", "met"),
    [
        ([1.4, 1.4, 1.5], "met"),
        ([1.6, 1.6, 1.6], "not met"),
        ([0.1, 0.1, 2.2], "not met"),
    ],
)
def test_copying_must_lose_half_a_nat_on_nearly_every_seed(ours: list[float], met: str) -> None:
    """Too little on all seeds is not enough, and neither is much on some and harm on others."""
    found = results("copy_lm", {"host_only": [2.0] * 3, "heuristic_probe": ours}, loss=True)
    assert check_of("A4", "copy_lm", judge(found)).state == met


def test_a_single_seed_meets_nothing() -> None:
    found = results("digits_impaired", {"host_only": [10.0], "heuristic_probe": [99.0]})
    assert check_of("A1", "digits_impaired", judge(found)).state == "not met"


def test_what_was_not_run_is_not_tried_and_not_missed() -> None:
    checks = judge(results("digits_impaired", {"host_only": [1.0, 2.0]}))
    assert {one.state for one in checks} == {"not tried"}
    assert {one.task for one in checks} == {"digits_impaired"}
    assert missed(checks) == []


def test_a_second_run_must_be_equal_but_for_its_times() -> None:
    first = [outcome("host_only", 1, 50.0), outcome("host_only", 2, 60.0)]
    slower = outcome("host_only", 1, 50.0, repeat=1, wall_s=9.0)
    equal = [*first, slower, outcome("host_only", 2, 60.0, repeat=1)]
    other = [*first, slower, outcome("host_only", 2, 60.3, repeat=1)]
    half = [*first, slower]
    states = [check_of("A6", "", judge(gather(o, ["host_only"]))) for o in (equal, other, half)]
    assert [one.state for one in states] == ["met", "not met", "not tried"]
    assert states[1].told == "differs: digits_impaired host_only seed 2"


# What is run


def test_arms_and_tasks_that_mean_nothing_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"'host_onyl'.*did you mean 'host_only'"):
        chosen_arms(["host_onyl"])
    with pytest.raises(ConfigError, match="add that arm"):
        chosen_arms(["host_only", "static_final"])
    arms = chosen_arms(["host_only"])
    with pytest.raises(ConfigError, match="noise for timing"):
        Plan(("noise",), arms, (1,))
    with pytest.raises(ConfigError, match="did you mean 'copy_lm'"):
        Plan(("copy_ml",), arms, (1,))
    with pytest.raises(ConfigError, match="at least 1 task"):
        Plan(("copy_lm",), (), (1,))


def test_data_that_is_missing_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASTRARIUM_CIFAR10", raising=False)
    with pytest.raises(DatasetError, match="ASTRARIUM_CIFAR10"):
        Plan(("cifar_baseline",), chosen_arms(["host_only"]), (1,))


UNLEARNED = [name for name in ARMS if name != "ppo"]


def test_a_learnt_arm_runs_on_the_task_it_was_learnt_on() -> None:
    arms = chosen_arms(["host_only", "ppo"])
    with pytest.raises(ConfigError, match=r"train one \(astrarium train esper-copy-lm-v1\)"):
        Plan(("copy_lm",), arms, (7,))
    policy = Policy("digits_impaired", Path("runs/a"), 3, "a@3")
    plan = Plan(("copy_lm", "digits_impaired"), arms, (7,), policies=(policy,))
    assert [(one.task, one.policy) for one in plan.trials() if one.arm == "ppo"] == [
        ("digits_impaired", "a@3")
    ]
    with pytest.raises(ConfigError, match="learnt on digits_impaired, which is none of the tasks"):
        Plan(("copy_lm",), chosen_arms(["host_only"]), (7,), policies=(policy,))
    with pytest.raises(ConfigError, match="policies has two for digits_impaired"):
        Plan(("digits_impaired",), arms, (7,), policies=(policy, replace(policy, id="b@3")))


def test_a_topology_is_trained_from_scratch_once_it_was_grown() -> None:
    plan = Plan(("copy_lm",), chosen_arms(UNLEARNED), (7, 8), budget_epochs=9)
    trials = list(plan.trials())
    static = [one for one in trials if one.arm == "static_final"]
    grown = Trial("copy_lm", "heuristic_probe", 7, 9)
    assert needed(static[0]) == grown
    assert next_trial(static, []) is None
    assert next_trial(static, [grown]) == static[0]
    assert len(trials) == 2 * len(UNLEARNED)
    assert {one.budget_epochs for one in trials} == {9}


# The journal


def test_a_journal_forgets_only_the_line_that_was_being_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "new")
    journal.add(outcome("host_only", 1))
    journal.add(outcome("host_only", 2))
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-20])
    again = Journal(tmp_path / "new")
    assert [trial.seed for trial in again.finished] == [1]
    again.add(outcome("host_only", 2))
    assert again.path.read_bytes() == whole
    assert Journal(tmp_path / "new").finished == journal.finished


def test_a_line_that_is_no_trial_is_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add(outcome("host_only", 1))
    with journal.path.open("a") as file:
        file.write('{"trial": 3}\n')
    with pytest.raises(JournalError, match=r"trials.jsonl:2 is no trial"):
        Journal(tmp_path)


# What is told


def test_the_page_holds_every_arm_difference_and_criterion() -> None:
    grown = {"host_only": [10.0, 20.0], "random_growth": [30.0, 50.0], "heuristic_probe": [70, 90]}
    found = results("digits_impaired", grown)
    plan = Plan(("digits_impaired",), chosen_arms(tuple(grown)), (0, 1))
    text = page.page(plan, found, judge(found), facts(), {"digits_impaired": ["a.png"]})
    assert "| heuristic_probe | 80.0 [70.0, 90.0] | 70.0 (seed 0) |" in text
    assert "| heuristic_probe less host_only | +65.0 [+60.0, +70.0] |" in text
    assert "![digits_impaired](a.png)" in text
    assert "+65.0 [+60.0, +70.0] | 2 | met |" in text
    assert "2 at abc" not in text
    assert "6 at abc" in text


def test_pictures_are_drawn() -> None:
    found = results("digits_impaired", {"host_only": [10.0, 20.0], "heuristic": [70.0, 90.0]})
    for draw in (pictures.pareto, pictures.courses):
        assert draw(found.tasks[0]).startswith(b"\x89PNG")
    share, right = pictures.course(found.tasks[0].arms["host_only"])
    # Halfway between the two epochs, and as it was after the last.
    assert np.interp(0.7, share, right[0]) == pytest.approx(15.0, abs=0.1)
    assert right[1][-1] == 20.0
