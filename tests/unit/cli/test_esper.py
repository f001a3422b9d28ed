"""`astrarium esper` as a reader sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from astrarium.cli import main
from astrarium.esper.experiment import journal as experiment_journal
from astrarium.runs import documents
from astrarium.runs.journal import Journal, end_of

SMALL = ("--arms", "host_only", "random_growth", "--seeds", "2", "--first-seed", "100")
TINY = ("digits_impaired", *SMALL, "--budget-epochs", "2")


def command(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["esper", *tokens])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def test_tasks_tell_what_they_need(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASTRARIUM_CIFAR10", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    code, out, _ = command(capsys, "tasks")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line}
    assert code == 0
    assert rows["digits_impaired"][1:6] == ["1,090", "5", "300", "built", "in"]
    assert rows["cifar_baseline"][1:5] == ["6,418", "6", "300", "missing"]
    assert rows["noise"][3] == "timing"


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("noise",), "noise for timing"),
        (("digits_impared",), "did you mean 'digits_impaired'"),
        (("digits_impaired", "--arms", "hosts_only"), "did you mean 'host_only'"),
        (("digits_impaired", "--seeds", "0"), "seeds"),
        (("digits_impaired", "--budget-epochs", "0"), "budget_epochs"),
        (("digits_impaired", "--device", "cuda"), "torch sees no GPU"),
    ],
)
def test_what_cannot_be_run_is_refused_at_once(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tokens: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    code, _, err = command(capsys, "experiment", *tokens, "--root", str(tmp_path / "new"))
    assert code == 2
    assert words in err
    assert not (tmp_path / "new").exists()


@pytest.mark.timeout(900)  # Three processes load torch, which on a crowded machine takes minutes.
def test_an_experiment_goes_on_and_does_not_depend_on_workers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    two, one = tmp_path / "two", tmp_path / "one"
    code, out, err = command(capsys, "experiment", *TINY, "--root", str(two), "--workers", "2")
    assert (code, err) == (0, "")
    assert out.count(" epochs · ") == 4
    report = json.loads((two / "experiment.json").read_text())
    assert report["config"]["seeds"] == [100, 101]
    arms = {arm["arm"]: arm for arm in report["results"]["tasks"][0]["arms"]}
    assert [trial["epochs"] for trial in arms["host_only"]["trials"]] == [2, 2]
    text = (two / "experiment.md").read_text()
    for name in ("pareto", "courses"):
        picture = f"experiment-digits_impaired-{name}.png"
        assert picture in text
        assert (two / picture).read_bytes().startswith(b"\x89PNG")

    # As if it had been killed while it wrote the last trial.
    whole = (two / "trials.jsonl").read_bytes()
    one.mkdir()
    (one / "trials.jsonl").write_bytes(whole[:-30])
    page = tmp_path / "page.md"
    code, out, _ = command(
        capsys,
        *("experiment", *TINY, "--root", str(one), "--markdown", str(page)),
        *("--workers", "1", "--twice"),
    )
    assert code == 0
    assert "3 of 8 trials are there already" in out
    assert out.count(" epochs · ") == 5
    # What one process ran in turns is what two ran side by side.
    first, second = (
        experiment_journal.Journal(two).finished,
        experiment_journal.Journal(one).finished,
    )
    assert [second[key].lasting() for key in first] == [first[key].lasting() for key in first]
    report = json.loads((one / "experiment.json").read_text())
    (check,) = (each for each in report["results"]["criteria"] if each["id"] == "A6")
    assert (check["state"], check["seeds"]) == ("met", 2)
    assert page.exists()


def test_hosts_are_grown_asked_and_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    where = ("--root", str(tmp_path))
    code, out, _ = command(capsys, "grow", "--hosts", "1", "--epochs", "2", "--run", "a", *where)
    assert code == 0
    assert str(tmp_path / "a") in out
    code, _, err = command(capsys, "experiment", "--policies", str(tmp_path / "a"), *where)
    assert code == 2
    assert "holds no policy yet" in err
    code, out, _ = command(capsys, "query", "SELECT count(*) AS n FROM epochs", "--json", *where)
    assert json.loads(out) == {"rows": [{"n": 2}], "cut": False}
    code, out, _ = command(capsys, "query", "SELECT epoch FROM epochs", *where)
    assert [line.strip() for line in out.splitlines()] == ["epoch", "1", "2"]
    code, out, _ = command(capsys, "runs", "--json", *where)
    (run,) = json.loads(out)
    assert (run["task"], run["controller"], run["gates"]) == (
        "digits_impaired",
        "heuristic_probe",
        "permissive",
    )
    code, out, _ = command(capsys, "overview", "a", "--json", *where)
    told = json.loads(out)
    assert (told["status"], told["episodes"], told["hosts"][0]["epoch"]) == ("completed", 1, 2)
    code, out, _ = command(capsys, "plot", *where, "--out", str(tmp_path / "drawn"))
    assert code == 0
    assert [one.name for one in (tmp_path / "drawn").iterdir()] == ["host-000-episode-00000.png"]
    place = tmp_path / "a" / "world_events.jsonl"
    log = Journal(place, end_of(place))
    log.append({"kind": "EPOCH_COMPLETE"})
    state = documents.read(tmp_path / "a" / "run_metadata.json", dict[str, Any])
    state["journals"]["world_events.jsonl"] = log.end
    documents.write(tmp_path / "a" / "run_metadata.json", state)
    log.close()
    code, _, err = command(capsys, "overview", "a", *where)
    assert code == 2
    assert re.search(r"a/world_events.jsonl:\d+: no world event has the kind 'EPOCH_COMPLETE'", err)


def test_views_are_listed_with_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = command(capsys, "views", "--json")
    assert code == 0
    assert {"view": "trends", "summary": "rounds beside those before them"} in json.loads(out)


TIMEOUTS = ("harness", "tamiyo-timeout", "--timeout-ms", "20")


def test_a_drill_writes_its_figures_and_is_held_to_earlier_ones(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first = ("--output-dir", str(tmp_path / "first"), "--markdown-report", str(tmp_path / "t.md"))
    code, out, _ = command(capsys, *TIMEOUTS, *first)
    assert code == 0
    assert "controller timeouts of evaluations" in out
    assert "1 of 2, grafting 0" in out
    told = json.loads((tmp_path / "first" / "tamiyo_timeout_metrics.json").read_text("utf-8"))
    assert told["metrics"]["evaluations"] == 2.0
    assert "| controller timeouts" in (tmp_path / "t.md").read_text("utf-8")
    summary = tmp_path / "first" / "summary.csv"
    rows = "x,x,1,0,cpu,steady_train,epoch_ms_p50,1e-9\n"
    summary.write_text(summary.read_text("utf-8") + rows)
    steady = ("harness", "steady-train", "--epochs", "1", "--output-dir", str(tmp_path / "next"))
    code, out, _ = command(capsys, *steady, "--baseline", str(summary))
    assert code == 1
    assert "epoch_ms_p50 was 1e-09" in out


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("query", "SELECT * FROM epoch"), "there are the views"),
        (("query", "SELECT 1", "--limit", "0"), "limit"),
        (("overview", "nobody"), "no run is called 'nobody'"),
        (("grow", "digits_impared"), "did you mean 'digits_impaired'"),
        (("grow", "--epochs", "1"), "epochs"),
    ],
)
def test_what_cannot_be_looked_at_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tokens: tuple[str, ...], words: str
) -> None:
    code, _, err = command(capsys, *tokens, "--root", str(tmp_path))
    assert code == 2
    assert words in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("rollback", "--device", "tpu"), "give cpu or cuda"),
        (("rollback", "--deadline-ms", "0"), "deadline_ms"),
        (("rollback", "--epochs", "0"), "epochs"),
        (("kasmina-prefetch", "--jitter-ms", "50"), "jitter_ms"),
        (("rollback", "--baseline", "nothing.csv"), "cannot read"),
    ],
)
def test_a_drill_that_cannot_be_run_is_refused_at_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tokens: tuple[str, ...], words: str
) -> None:
    code, _, err = command(capsys, "harness", *tokens, "--output-dir", str(tmp_path / "out"))
    assert code == 2
    assert words in err
    assert not (tmp_path / "out").exists()
