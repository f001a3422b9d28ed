"""Hosts under a scripted controller leave run folders that can be asked and drawn."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from little_hosts import TASK, little_data
from rich.console import Console

from astrarium import worlds
from astrarium.cli import main, runs_page
from astrarium.cli.watching import window_words
from astrarium.esper import growing
from astrarium.esper.contracts.happenings import TABLE, decode
from astrarium.esper.entry import EsperConfig
from astrarium.esper.growing import Grown, Growth, grow
from astrarium.esper.plots import episodes_of, picture
from astrarium.esper.queries import QueryError, ask
from astrarium.esper.views import columns_of, summary_of, view_kinds, view_names
from astrarium.esper.world import EsperWorld
from astrarium.runs import RunFolder, documents
from astrarium.runs.journal import Journal, end_of
from astrarium.telemetry import overview

NAMED = (
    *("raw_events", "runs", "epochs", "ppo_updates", "batch_epochs", "trends", "seed_lifecycle"),
    *("morphology_causal_log", "topology_manifests", "decisions", "action_distribution"),
    *("rewards", "batch_stats", "phase_occupancy", "shapley_computed", "anomalies"),
    *("run_confounders", "episode_outcomes", "reward_calibration"),
)


def little(*given: Any, **settings: Any) -> EsperWorld:
    return EsperWorld(*given, data=little_data(), **settings)


def growth(epochs: int = 40, controller: Any = "random_growth") -> Growth:
    return Growth(TASK, controller, hosts=2, seed=1, config=EsperConfig(epochs=epochs))


def grown_in(root: Path, run: str, **given: Any) -> tuple[str, Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "EsperWorld", little)
        return grow(growth(), root, run, **given)


@cache
def root() -> Path:
    """A folder with one run, for all who only read."""
    place = Path(mkdtemp(prefix="grown"))
    assert grown_in(place, "first")[0] == "completed"
    return place


def told(folder: Path) -> list[dict[str, Any]]:
    return [{**line, "at": ""} for line in RunFolder.open(folder).world_events()]


def test_a_run_is_grown_to_its_end_and_again_the_same(tmp_path: Path) -> None:
    standings: list[Grown] = []
    _, folder = grown_in(tmp_path, "again", tell=standings.append)
    assert told(folder) == told(root() / "first")
    assert [one.epoch for one in standings] == list(range(1, 41))
    run = RunFolder.open(folder)
    assert run.status() == "completed"
    assert [row["env_steps_total"] for row in run.windows()] == [20, 40, 60, 80]
    kinds = {line["kind"] for line in told(folder)}
    assert {"SEED_FOSSILIZED", "TOPOLOGY_MANIFEST_RECORDED", "EPISODE_OUTCOME"} <= kinds


def test_a_run_that_is_stopped_can_be_read(tmp_path: Path) -> None:
    asked = iter([False, False, True])
    status, folder = grown_in(tmp_path, "stopped", stop=lambda: next(asked))
    assert status == "interrupted" == RunFolder.open(folder).status()
    whole = told(root() / "first")
    assert told(folder) == whole[: len(told(folder))]
    assert ask(tmp_path, "SELECT max(epoch) FROM epochs").rows == ((2,),)


def test_a_run_that_is_killed_by_the_keyboard_can_be_read(tmp_path: Path) -> None:
    def cut(_: Grown) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grown_in(tmp_path, "cut", tell=cut)
    assert RunFolder.open(tmp_path / "cut").status() == "interrupted"


@pytest.mark.parametrize("view", view_names())
def test_every_view_can_be_asked(view: str) -> None:
    answer = ask(root(), f"SELECT * FROM {view}", limit=5)
    assert len(answer.columns) == len(set(answer.columns)) > 1
    assert summary_of(view)


def test_there_is_a_view_for_everything_that_is_told() -> None:
    assert set(NAMED) <= set(view_names())
    assert sum(map(len, view_kinds().values())) == len(TABLE)
    for kinds in view_kinds().values():
        # Fields of one name are of one type, or one column could not show them.
        types = [columns_of([kind]) for kind in kinds]
        for one in types:
            assert one.items() <= columns_of(kinds).items()


def test_views_agree_with_the_lines() -> None:
    epochs = [line for line in told(root() / "first") if line["kind"] == "EPOCH_COMPLETED"]
    answer = ask(root(), "SELECT env, epoch, val_accuracy, seeds FROM epochs ORDER BY line")
    assert [row[:3] for row in answer.rows] == [
        (one["env"], one["epoch"], one["val_accuracy"]) for one in epochs
    ]
    seeds = sum(len(one["seeds"]) for one in epochs)
    assert ask(root(), "SELECT count(*) FROM seed_epochs").rows == ((seeds,),)
    shares = ask(root(), "SELECT env, sum(value) FROM rewards GROUP BY env ORDER BY env").rows
    earned = ask(root(), "SELECT env, episode_reward FROM episode_outcomes ORDER BY env").rows
    assert [row[1] for row in shares] == pytest.approx([row[1] for row in earned])


def test_windows_lists_and_curves_have_the_accuracy_hosts_ended_with() -> None:
    outcomes = "SELECT avg(final_accuracy), avg(committed_accuracy) FROM episode_outcomes"
    final, committed = ask(root(), outcomes).rows[0]
    *_, last = RunFolder.open(root() / "first").windows()
    assert last["final_accuracy"] == pytest.approx(final, rel=1e-6)
    assert last["final_committed_accuracy"] == pytest.approx(committed, rel=1e-6)
    figures = overview.figures_of(RunFolder.open(root() / "first"))
    assert figures.last("final_accuracy") == last["final_accuracy"]
    panels = overview.panels([figures], None, 4)
    assert {"final_accuracy", "accuracy_mean"} <= {panel.title for panel in panels}
    row = {**last, "window_complete": False}
    words = window_words(row, tuple(worlds.get("esper-digits-impaired-v1").outcomes))
    assert f"final_accuracy {last['final_accuracy']:.2f}" in words


def test_a_figure_that_only_an_incomplete_window_has_is_shown() -> None:
    rows = [
        {"window_id": 0, "window_complete": True, "env_steps_total": 5, "final_accuracy": None},
        {"window_id": 1, "window_complete": False, "env_steps_total": 7, "final_accuracy": 50.0},
    ]
    assert overview.RunFigures("one", rows, ()).last("final_accuracy") == 50.0


def test_the_list_of_runs_shows_the_accuracy(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["runs", "list", "--root", str(root()), "--json"])
    (listed,) = json.loads(capsys.readouterr().out)
    assert listed["accuracy_last"] > 0.0
    console = Console(width=200, record=True, file=StringIO())
    runs_page.print_list(console, [listed])
    shown = console.export_text()
    assert "last accuracy" in shown
    assert "last profit" not in shown


def test_an_answer_is_cut_at_its_limit() -> None:
    answer = ask(root(), "SELECT * FROM epochs", limit=3)
    assert (len(answer.rows), answer.cut) == (3, True)


def test_files_are_read_anew_for_each_question(tmp_path: Path) -> None:
    assert ask(tmp_path, "SELECT count(*) FROM runs").rows == ((0,),)
    grown_in(tmp_path, "later", stop=lambda: True)
    assert ask(tmp_path, "SELECT run_id, status FROM runs").rows == (("later", "interrupted"),)


@pytest.mark.parametrize(
    "sql",
    [
        "COPY runs TO '/tmp/stolen.csv'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/etc/*')",
        "ATTACH '/tmp/other.db'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "DROP VIEW runs",
        "SELECT 1; SELECT 2",
        "SELECT * FROM root",
        "SELEC 1",
        "",
    ],
)
def test_what_is_no_question_about_runs_is_refused(sql: str) -> None:
    with pytest.raises(QueryError):
        ask(root(), sql)
    assert not Path("/tmp/stolen.csv").exists()


def test_a_question_about_nothing_there_is_told_what_there_is() -> None:
    with pytest.raises(QueryError, match="epochs, morphology_causal_log"):
        ask(root(), "SELECT * FROM epoch")


def _lose_metadata(folder: Path) -> None:
    (folder / "run_metadata.json").write_bytes(b"\xff{")


def _odd_line(folder: Path) -> None:
    place = folder / "world_events.jsonl"
    log = Journal(place, end_of(place))
    log.append({"kind": "MOON_LANDED"})
    log.close()
    state = documents.read(folder / "run_metadata.json", dict[str, Any])
    _edit(folder, journals=state["journals"] | {"world_events.jsonl": log.end})


def _cut_line(folder: Path) -> None:
    lines = (folder / "world_events.jsonl").read_text()
    (folder / "world_events.jsonl").write_text(lines[:-40] + "\n")


def _odd_status(folder: Path) -> None:
    _edit(folder, status="asleep")


def _odd_resumes(folder: Path) -> None:
    _edit(folder, resumes=7)


def _odd_count(folder: Path) -> None:
    _edit(folder, env_steps_total=2**70)


def _odd_name(folder: Path) -> None:
    _edit(folder, started_at=["yesterday"])


def _edit(folder: Path, **fields: Any) -> None:
    place = folder / "run_metadata.json"
    documents.write(place, documents.read(place, dict[str, Any]) | fields)


@pytest.mark.parametrize(
    "damage",
    [_lose_metadata, _odd_line, _cut_line, _odd_status, _odd_resumes, _odd_count, _odd_name],
)
def test_one_damaged_run_is_left_out_and_named(
    tmp_path: Path, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    for run in ("first", "odd"):
        shutil.copytree(root() / "first", tmp_path / run)
    damage(tmp_path / "odd")
    answer = ask(tmp_path, "SELECT DISTINCT run_id FROM raw_events")
    assert answer.rows == (("first",),)
    (problem,) = answer.left_out
    assert problem.startswith("run odd is left out: ")
    for tokens in (("runs",), ("query", "SELECT run_id, status FROM runs")):
        with pytest.raises(SystemExit) as ended:
            main(["esper", *tokens, "--root", str(tmp_path), "--json"])
        captured = capsys.readouterr()
        assert ended.value.code == 0
        found = json.loads(captured.out)
        rows = found["rows"] if isinstance(found, dict) else found
        assert [row["run_id"] for row in rows] == ["first"]
        assert "warning: run odd is left out" in captured.err


def test_a_line_nobody_knows_is_named_with_its_place(tmp_path: Path) -> None:
    shutil.copytree(root() / "first", tmp_path / "odd")
    _odd_line(tmp_path / "odd")
    (problem,) = ask(tmp_path, "SELECT 1").left_out
    assert re.search(r"world_events.jsonl:\d+: .*MOON_LANDED", problem)


def test_hosts_can_be_drawn() -> None:
    news = [decode(line) for line in told(root() / "first")]
    assert episodes_of(news) == [(0, 0), (1, 0)]
    assert picture(news, 0, 0, "png").startswith(b"\x89PNG")
    drawn = picture(news, 1, 0, "svg")
    assert drawn == picture(news, 1, 0, "svg")
    assert b"<svg" in drawn
