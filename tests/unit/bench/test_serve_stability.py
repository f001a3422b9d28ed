"""`astrarium bench stability`: what counts as drift, and that it runs."""

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from astrarium.bench import serve_stability
from astrarium.bench.serve_clients import Server
from astrarium.bench.serve_stability import (
    QUICK,
    _answer_faults,
    _reasons,
    bench_stability,
    growth,
    index_faults,
    tables,
)
from astrarium.runs import ReplayEntry, RunFolder, documents, names, replay_index

sys.path.insert(0, str(Path(__file__).parents[1] / "serve"))

from served_runs import write_run

MB = 1 << 20


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    write_run(tmp_path, windows=3, frames=4)
    return RunFolder.find(tmp_path, "run")


def rewrite(run: RunFolder, change: Callable[[list[ReplayEntry]], list[ReplayEntry]]) -> None:
    index = run.replay_index()
    entries = change(list(index.entries))
    replay_index.write(run.folder, replay_index.ReplayIndex(index.run_id, entries), "now")


def test_a_sound_run_has_no_faults(run: RunFolder) -> None:
    assert index_faults(run, 3) == []


def test_every_kind_of_damage_is_named(run: RunFolder) -> None:
    last = run.replay_index().entries[-1]
    change = msgspec.structs.replace
    for entries, words in (
        (lambda e: e[:-1], "2 replays and 3 windows in place of 3"),
        (lambda e: [*e[:-1], change(last, run_id="other")], "another run"),
        (lambda e: [*e[1:], e[0]], "window ids fall"),
        (lambda e: [e[0], e[0], last], "ids repeat"),
        (lambda e: [*e[:-1], change(last, steps=5)], "4 frames, 5 steps"),
    ):
        before = (run.folder / names.REPLAY_INDEX).read_bytes()
        rewrite(run, entries)
        faults = index_faults(run, 3)
        assert any(words in fault for fault in faults), (words, faults)
        (run.folder / names.REPLAY_INDEX).write_bytes(before)
    metadata = run.metadata()
    documents.write(run.folder / names.METADATA, {**metadata, "latest_replay": None})
    assert index_faults(run, 3) == ["the latest replay is not listed"]
    documents.write(run.folder / names.METADATA, metadata)
    (run.folder / last.replay_path).write_bytes(b"")
    (fault,) = index_faults(run, 3)
    assert last.replay_id in fault


def test_answers_that_drift_are_named(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"/api/v1/runs?limit=500": [1, 2], "/api/v1/runs/run/replays": [3, 2]}

    def counts(server: Server, paths: list[str], requests: int) -> list[int]:
        return given.get(paths[0], [16, 0])

    monkeypatch.setattr(serve_stability, "_counts", counts)
    assert _answer_faults(Server(0, 0), run, 1, QUICK) == [
        "the catalogue had 1 to 2 runs in place of 1",
        "the index had 2 to 3 replays in place of 3",
        "1 of 2 pages of frames were empty",
    ]


def test_growth_is_told_from_the_first_answers_on() -> None:
    cycles = [
        {"run_id": "a", "faults": [], "before_bytes": 10 * MB, "after_bytes": 50 * MB},
        {"run_id": "b", "faults": [], "before_bytes": 50 * MB, "after_bytes": 75 * MB},
    ]
    assert growth(cycles) == 25 * MB
    assert growth(cycles[:1]) == 40 * MB
    (reason,) = _reasons({"cycles": cycles, "growth_bytes": growth(cycles)})
    assert "memory grew by 26.2 MB" in reason


def test_a_run_trained_under_a_server_does_not_drift() -> None:
    told: list[str] = []
    report = bench_stability(QUICK, told.append)
    assert report.reasons == []
    (cycle,) = report.results["cycles"]
    assert cycle["replays"] == 4
    assert told == ["cycle 1 of 1: training", "cycle 1 of 1: asking"]
    assert "| stability-0 | 4 | 0 |" in tables(report)
