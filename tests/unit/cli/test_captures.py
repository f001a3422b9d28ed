"""`astrarium captures`, `train --init-from` and `runs ppo-log`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from astrarium.cli import main

SHORT = ["--world.settings.ticks-max", "20", "--policy.hidden", "16"]
RUN = [
    *("train", "lanterns-v1", *SHORT, "--world.worlds", "4", "--ppo.rollout-steps", "16"),
    *("--run.total-env-steps", "256", "--run.window-env-steps", "128", "--run.device", "cpu"),
    *("--run.eval-episodes", "0", "--run.threads", "1", "--quiet"),
]


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return int(left.value.code or 0)


def said(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def test_from_a_teacher_to_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    record = ("captures", "record", "lanterns-v1", "nearest_dark_lamp", "set", "--episodes", "3")
    assert run(*record, "--tag", "evening", "--json", *SHORT) == 0
    told = said(capsys)
    assert (told["trajectories"], told["world"]) == (6, "lanterns-v1")
    assert "evening" in told["tags"]
    assert run("captures", "check", "set", "--require", "evening", "lamp_lit", "--json") == 0
    assert said(capsys)["missing_tags"] == []
    assert run("captures", "check", "set", "--require", "evening", "outage", "--json") == 1
    assert said(capsys)["missing_tags"] == ["outage"]
    # Three evenings are not enough, and the exit status says so.
    assert run("captures", "clone", "set", "policy", *SHORT, "--epochs", "1", "--json") == 1
    assert said(capsys)["passed"] is False
    assert run(*RUN, "--init-from", "policy", "--sinks.ppo-log", "--run.id", "one") == 0
    log = str(tmp_path / "runs" / "one" / "sinks" / "ppo.ndjson")
    capsys.readouterr()
    beside = ("--baseline", log, "--relative-max", "0", "--json")
    assert run("runs", "ppo-log", "validate", log, *beside) == 0
    told = said(capsys)
    assert (told["lines"], told["faults"]) == (4, [])
    with Path(log).open("a") as file:
        file.write("{}\n")
    assert run("runs", "ppo-log", "validate", log) == 1
    assert run(*RUN, "--init-from", "one", "--run.id", "two") == 0
    saved = json.loads((tmp_path / "runs" / "two" / "config.json").read_text())
    assert saved["run"]["init_from"] == str(tmp_path / "runs" / "one")
    capsys.readouterr()
    assert run(*RUN, "--init-from", "policy", "--policy.hidden", "17") == 2
    assert "mlp-13-16-relu" in (words := capsys.readouterr().err)
    assert "mlp-13-16x17-relu" in words
    assert run("train", "--resume", "one", "--init-from", "policy") == 2
