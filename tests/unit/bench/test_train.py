"""`astrarium bench train` on contenders whose speed is made up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from astrarium.bench import train_page
from astrarium.bench.train import Plan, Row, bench_train, clock_of, comparisons, shortfalls
from astrarium.bench.trainers import contenders
from astrarium.bench.trainers.contenders import Contender, TurnError
from astrarium.bench.trainers.contract import Answer, Task, Timed
from astrarium.bench.trainers.homes import UnavailableError
from astrarium.bench.trainers.limits import flop_per_step

SPEEDS = {"ours": 30.0, "plain": 10.0, "sb3": 20.0, "pufferlib-defaults": 90.0}
LIMITS = {"gemm": 60.0, "bare": 40.0}


class Table:
    """Contenders at a table: each says its speed, and the order of the turns is noted."""

    def __init__(self, **changes: Any) -> None:
        self.speeds: dict[str, Any] = {**SPEEDS, **LIMITS, **changes}
        self.asked: list[tuple[str, str, int]] = []

    def take(self, contender: Contender, task: Task, folder: Path) -> Answer:
        assert folder.is_dir()
        self.asked.append((contender.name, task.world, task.threads))
        speed = self.speeds.get(contender.name, UnavailableError("not installed"))
        if isinstance(speed, Exception):
            raise speed
        # By the wall everybody is half as fast on one core: somebody else had the other half.
        wall = speed / 2 if task.threads == 1 else speed
        rates = Timed([wall, wall, 3 * wall], [speed, speed, 3 * speed])
        settings = {"optimizer": "Adam", "share_collecting": 0.25}
        return Answer(rates, settings, {"torch": "2.15.0"}, task.threads)


def report_of(table: Table, **changes: Any) -> Any:
    plan = replace(Plan(worlds=("dummy-v1",), cores=(1,), rounds=2), **changes)
    return bench_train(plan, lambda _: None, table.take)


def comparison(report: Any, which: str, cores: int = 1) -> dict[str, Any]:
    (found,) = (
        one
        for one in report.results["comparisons"]
        if (one["which"], one["cores"]) == (which, cores)
    )
    return found


def test_ours_is_held_against_the_fastest_that_does_the_same_work() -> None:
    report = report_of(Table())
    assert report.passed
    found = comparison(report, "median")
    assert (found["best_peer"], found["over_best_peer"]) == ("Stable-Baselines3", 1.5)
    assert found["of_limits"] == {
        "bare forward and backward": 0.75,
        "matrix products alone": 0.5,
    }
    assert comparison(report, "best")["ours"] == 90.0


def test_one_core_is_judged_by_processor_time_and_two_by_the_wall() -> None:
    assert (clock_of(1), clock_of(2)) == ("cpu", "wall")
    report = report_of(Table(), cores=(1, 2))
    assert comparison(report, "median", 1)["ours"] == 30.0
    assert comparison(report, "median", 2)["ours"] == 30.0
    (row,) = (
        row for row in report.results["rows"] if (row["contender"], row["cores"]) == ("ours", 1)
    )
    assert row["steps_per_wall_second"]["p50"] == 15.0
    assert row["steps_per_cpu_second"]["p50"] == 30.0
    assert len(row["turns"]) == 2


def test_a_figure_without_processor_time_is_of_the_wall() -> None:
    row = Row(contenders.CONTENDERS[0], "dummy-v1", 1, turns=[Timed([7.0], [])])
    assert row.figure("median") == 7.0
    assert Row(contenders.CONTENDERS[0], "dummy-v1", 1).figure("best") is None


def test_slower_than_a_peer_is_a_miss() -> None:
    report = report_of(Table(sb3=31.0))
    assert report.reasons == [
        "dummy-v1, 1 core: ours is 0.97 times Stable-Baselines3, at least 1 is asked"
    ]
    assert report_of(Table(**{"pufferlib-defaults": 1e9})).passed


def test_who_cannot_be_had_is_told_but_is_no_miss() -> None:
    report = report_of(Table(sb3=UnavailableError("does not install: no network")))
    assert report.passed
    assert comparison(report, "median")["best_peer"] == "plain torch loop"
    assert "- Stable-Baselines3: does not install: no network." in train_page.tables(report)


def test_who_fails_is_a_miss_and_is_not_asked_again() -> None:
    table = Table(plain=TurnError("it broke"))
    report = report_of(table, rounds=3)
    assert report.reasons == ["plain torch loop on dummy-v1, 1 core: it broke"]
    names = [name for name, _, _ in table.asked]
    assert (names.count("plain"), names.count("ours")) == (1, 3)


def test_without_ours_there_is_no_verdict_on_it() -> None:
    rows = [Row(one, "dummy-v1", 1) for one in contenders.CONTENDERS]
    rows[1].turns.append(Timed([5.0], [6.0]))
    found = comparisons(rows)
    assert [(one.ours, one.over_best_peer, one.of_limits) for one in found] == [
        (None, None, {})
    ] * 2
    assert shortfalls(rows, found) == []


def test_turns_alternate_there_and_back() -> None:
    table = Table()
    chosen = contenders.chosen(["ours", "plain", "sb3"])
    report_of(table, contenders=chosen, worlds=("dummy-v1", "prospector-v2"), cores=(1, 2))
    groups = [(world, cores) for cores in (1, 2) for world in ("dummy-v1", "prospector-v2")]
    there = [(name, *group) for group in groups for name in ("ours", "plain", "sb3")]
    back = [(name, *group) for group in groups for name in ("sb3", "plain", "ours")]
    assert table.asked == there + back


def test_the_report_holds_every_sample_and_setting(tmp_path: Path) -> None:
    report = report_of(Table())
    stored = json.loads(report.write(tmp_path / "train.json").read_text())
    assert stored["kind"] == "train"
    assert stored["config"]["task"]["num_worlds"] == 1024
    assert stored["config"]["contenders"] == list(contenders.NAMES)
    assert stored["machine"]["commit"]
    assert len(stored["results"]["loads"]) == 2
    ours = stored["results"]["rows"][0]
    assert ours["turns"][0] == {"wall": [15.0, 15.0, 45.0], "cpu": [30.0, 30.0, 90.0]}
    assert ours["settings"] == {"optimizer": "Adam", "share_collecting": 0.25}


def test_the_page_ranks_by_the_median_and_marks_what_is_no_peer() -> None:
    text = train_page.tables(report_of(Table(), cores=(1, 2)))
    assert text.count("Collecting takes 25% of an iteration of ours") == 2
    one_core = text.split("**dummy-v1, 1 core.**")[1].split("**dummy-v1, 2 cores.**")[0]
    rows = [line for line in one_core.splitlines() if line.startswith("| ")][2:]
    titles = [row.split(" | ")[0].removeprefix("| ") for row in rows]
    assert titles == [
        "*PufferLib, its own defaults*",
        "*matrix products alone*",
        "*bare forward and backward*",
        "Astrarium",
        "Stable-Baselines3",
        "plain torch loop",
    ]
    assert rows[3] == "| Astrarium | 30 | 90 | 0.50 | 6 | torch 2.15.0 |"
    assert "By the median, ours is 1.50 times Stable-Baselines3, 75% of bare" in one_core
    assert "260-128-128-69" in text
    assert "1.26 million operations" in text


def test_operations_of_a_step_are_what_torch_counts() -> None:
    import torch
    from torch import nn
    from torch.utils.flop_counter import FlopCounterMode

    from astrarium.bench.trainers.plain import trunk

    shared, actor, critic = trunk(260, (128, 128)), nn.Linear(128, 69), nn.Linear(128, 1)

    def outputs() -> torch.Tensor:
        features = shared(torch.zeros(8, 260))
        return actor(features).sum() + critic(features).sum()

    with FlopCounterMode(display=False) as counter:
        with torch.no_grad():
            outputs()
        for _ in range(4):
            outputs().backward()
    assert counter.get_total_flops() == 8 * flop_per_step(260, (128, 128), 69, 4)
    assert flop_per_step(260, (128, 128), 69, 4) == 1_257_984


@pytest.mark.parametrize("cores", [1, 2])
def test_a_plan_has_room_for_every_contender(cores: int) -> None:
    table = Table()
    report_of(table, cores=(cores,), rounds=1)
    assert [name for name, _, _ in table.asked] == list(contenders.NAMES)
