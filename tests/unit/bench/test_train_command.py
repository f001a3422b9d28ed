"""`astrarium bench train` and `astrarium bench peers` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from astrarium.bench import pages
from astrarium.bench import train as train_bench
from astrarium.bench.report import Report
from astrarium.bench.trainers import contenders, homes
from astrarium.bench.trainers.contenders import Contender, TurnError
from astrarium.bench.trainers.contract import Answer, Task, Timed
from astrarium.cli import main


@pytest.fixture(autouse=True)
def plans(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[train_bench.Plan]:
    """The plans that were made; nobody really takes a turn."""
    monkeypatch.chdir(tmp_path)
    made: list[train_bench.Plan] = []
    measure = train_bench.bench_train

    def take(contender: Contender, task: Task, folder: Path) -> Answer:
        if contender.name == "bare":
            raise TurnError("it broke")
        return Answer(Timed([5.0], [6.0]))

    def note(plan: train_bench.Plan, tell: Any) -> Report:
        made.append(plan)
        return measure(plan, tell, take)

    monkeypatch.setattr(train_bench, "bench_train", note)
    return made


def status_of(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["bench", *words])
    return int(str(ended.value.code))


def test_a_plan_as_it_is_typed(plans: list[train_bench.Plan], tmp_path: Path) -> None:
    assert status_of("train", "--cores", "2", "--rounds", "4", "--json", "r.json") == 0
    assert status_of("train", "--quick", "--contenders", "sb3", "ours") == 0
    whole, quick = plans
    assert (whole.cores, whole.rounds, whole.contenders) == ((2,), 4, contenders.CONTENDERS)
    assert whole.task.num_worlds == 1024
    assert json.loads((tmp_path / "r.json").read_text())["kind"] == "train"
    assert (quick.cores, quick.rounds, quick.task) == ((1, 2), 1, train_bench.QUICK)
    assert [one.name for one in quick.contenders] == ["ours", "sb3"]
    assert len(list((tmp_path / "bench-reports").glob("train-*.json"))) == 1


def test_the_page_is_filled(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{pages.begin('train')}\n{pages.END}\nafter\n")
    assert status_of("train", "--page", str(page)) == 0
    text = page.read_text()
    assert "| Astrarium | 6 | 6 |" in text
    assert text.endswith("after\n")


def test_a_failure_counts_when_enforced() -> None:
    assert status_of("train") == 0
    assert status_of("train", "--enforce") == 2
    assert status_of("train", "--enforce", "--contenders", "ours", "plain") == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("train --cores 0", "cores has 0"),
        ("train --rounds 0", "rounds has 0"),
        ("train --contenders plane", "did you mean 'plain'"),
        ("train --page absent.md", "cannot read absent.md"),
        ("train --json /proc/b.json", "cannot write /proc/b.json"),
        ("peers --names ray", "no trainer is called 'ray'"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(
    words: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    plans: list[train_bench.Plan],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(homes, "install", None)
    assert status_of(*words.split()) == 2
    assert message in capsys.readouterr().err
    assert plans == []


def test_peers_are_installed_one_by_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reasons = {"pufferlib": "ValueError: no network"}
    monkeypatch.setattr(homes, "install", lambda name, tell: reasons.get(name))
    assert status_of("peers") == 0
    assert capsys.readouterr().out.splitlines() == [
        "pufferlib: does not install: ValueError: no network",
        "rllib: installed",
        "sample_factory: installed",
    ]
