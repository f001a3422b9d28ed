"""Short real runs: that every face does the same work, never how fast."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from astrarium.bench import stepping, verdict
from astrarium.bench.faces import SINGLY, Face, Opener, Workload, chosen_faces, workloads
from astrarium.bench.loops import Count, PythonLoop, Slice
from astrarium.bench.peers import Peer
from astrarium.bench.report import ReportError, read_json
from astrarium.cli import main
from astrarium.errors import ConfigError

needs_cargo = pytest.mark.skipif(shutil.which("cargo") is None, reason="there is no cargo")
UNIFORM, WITHOUT_LAST = workloads("prospector-v1")


def status_of(*tokens: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(tokens))
    return int(str(ended.value.code))


@pytest.fixture
def opener(tmp_path: Path) -> Opener:
    return Opener(("rust", "c", "python"), tmp_path, profile="dev")


def test_actions_are_uniform_over_every_head(opener: Opener) -> None:
    actions = opener.draw(UNIFORM, 64)
    assert (actions.min(), actions.max()) == (0, 68)
    assert opener.draw(WITHOUT_LAST, 64).max() == 67
    (lanterns,) = workloads("lanterns-v1")
    assert lanterns.actions == "uniform 0..2 × 0..1"
    drawn = opener.draw(lanterns, 8)
    assert drawn.shape[1:] == (8, 2, 2)
    assert drawn.max(axis=(0, 1, 2)).tolist() == [2, 1]


@needs_cargo
@pytest.mark.parametrize("world", ["prospector-v1", "prospector-v2", "lanterns-v1"])
@pytest.mark.parametrize(("size", "threads"), [(SINGLY, 1), (1, 1), (9, 2)])
def test_the_rust_loop_does_what_python_does(
    opener: Opener, world: str, size: int, threads: int
) -> None:
    actions = opener.draw(workloads(world)[0], size)
    ours = opener.open("python", world, size, threads, actions)
    peer = opener.open("rust", world, size, threads, actions)
    try:
        assert ours.steps(150).steps == peer.steps(150).steps == 150 * max(1, size)
        assert ours.count(100) == peer.count(100)
        assert isinstance(ours, PythonLoop)
        assert ours.digest() == peer.digest()  # type: ignore[attr-defined]
        assert ours.resets(2).steps == peer.resets(2).steps
    finally:
        ours.close()
        peer.close()


@needs_cargo
@pytest.mark.parametrize("size", [SINGLY, 5])
def test_the_c_face_steps_and_resets(opener: Opener, size: int) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no cc")
    actions = opener.draw(UNIFORM, size)
    loop = opener.open("c", "prospector-v1", size, 1, actions)
    try:
        assert loop.steps(10).steps == 10 * max(1, size)
        count = loop.count(400)
        assert count.ticks > count.steps
        assert count.episodes > 0
        assert loop.resets(3).steps == 3 * max(1, size)
    finally:
        loop.close()


@needs_cargo
def test_a_peer_that_refuses_says_why(opener: Opener) -> None:
    actions = opener.draw(UNIFORM, 4)
    loop = opener.open("rust", "prospector-v1", 3_000_000, 1, actions)
    with pytest.raises(ReportError, match="3000000"):
        loop.steps(1)
    loop.close()


def test_a_face_that_cannot_be_built_is_reported_with_the_reason(tmp_path: Path) -> None:
    opener = Opener(("rust",), tmp_path)
    opener._peers["rust"] = Peer(None, "Rust is not installed")
    plan = stepping.Plan(("prospector-v1",), (1,), (1,), ("rust",), seconds=0.001, repeats=1)
    measured = stepping.measure(plan, opener, lambda _: None)
    assert measured.rows == []
    assert measured.unavailable == [
        {"face": "rust", "world": "prospector-v1", "reason": "Rust is not installed"}
    ]


def row(face: Face, seconds: float, workload: Workload = UNIFORM, **at: int) -> stepping.Row:
    slices = [Slice(1e6, seconds * jitter, seconds * jitter) for jitter in (1.0, 3.0, 0.9)]
    size, threads = at.get("size", 1024), at.get("threads", 1)
    return stepping.Row(workload, face, size, threads, 1, slices, Count(10, 13, 1), slices)


def test_figures_are_held_against_what_is_asked() -> None:
    rows = [
        row("python", 0.4),
        row("python", 0.5, WITHOUT_LAST),
        row("rust", 0.39),
        row("python", 1.0, size=8192),
        row("python", 0.5, size=8192, threads=2),
    ]
    grown = [{"face": "rust", "steps": 1e7, "allocations": 0, "heap_bytes": 0, "resident_bytes": 1}]
    checks = verdict.judge(stepping.Measured(rows), grown)
    assert [check.passed for check in checks] == [True, False, True, True, True, True, True, False]
    values = [check.value for check in checks]
    # Judged by the fastest slice (0.9 of the usual time), with the median told beside it.
    assert values[:2] == [pytest.approx(2.5e6 / 0.9), pytest.approx(2e6 / 0.9)]
    assert [check.median for check in checks[:2]] == [pytest.approx(2.5e6), pytest.approx(2e6)]
    assert values[3] == pytest.approx(0.4 / 0.39 - 1)
    assert values[4] == pytest.approx(2.0)
    assert len(verdict.reasons(checks, stepping.Measured(rows))) == 2


def test_what_was_not_measured_is_not_missed() -> None:
    checks = verdict.judge(stepping.Measured(), [])
    assert {check.passed for check in checks} == {None}
    assert verdict.reasons(checks, stepping.Measured()) == []


def test_different_states_after_the_same_actions_are_a_failure() -> None:
    measured = stepping.Measured()
    measured.same_work.append(
        {"world": "w", "actions": "a", "num_worlds": 1, "equal": False, "digests": {}}
    )
    (reason,) = verdict.reasons([], measured)
    assert "different states" in reason


def test_a_quick_run_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "worlds.json"
    short = ("--seconds", "0.002", "--repeats", "2", "--quick", "--json", str(path))
    tokens = ("--worlds", "prospector-v1", "--sizes", "0", "2", "--through", "python", *short)
    assert status_of("bench", "worlds", *tokens) == 0
    report = read_json(path)
    assert {row["num_worlds"] for row in report["results"]["rows"]} == {"singly", 2}
    assert all(row["ticks_per_step"] >= 1 for row in report["results"]["rows"])
    assert all(one["equal"] for one in report["results"]["same_work"])
    assert report["results"]["growth"][0]["face"] == "python"


def test_a_quick_matrix_and_its_floor(tmp_path: Path) -> None:
    matrix, floor = tmp_path / "matrix.json", tmp_path / "floor.json"
    short = ("--threads", "1", "--seconds", "0.01", "--repeats", "2")
    tokens = ("--modes", "env_only", "--sizes", "0", "2", *short)
    assert status_of("bench", "matrix", *tokens, "--json", str(matrix)) == 0
    states = {one["name"]: one["status"] for one in read_json(matrix)["results"]["candidates"]}
    assert states == {
        "native, singly, 1 thread": "ok",
        "native, n=2, 1 thread": "ok",
        "reference, singly, 1 thread": "ok",
        "reference, n=2, 1 thread": "skipped",
    }
    # Whether the floor holds is the machine's business; that it was tried is ours.
    status_of("bench", "floor", str(matrix), "--json", str(floor))
    assert read_json(floor)["results"]["modes"]["env_only"]["mean"] > 0


def test_a_face_nobody_knows_is_refused_with_advice() -> None:
    with pytest.raises(ConfigError, match="did you mean 'python'"):
        chosen_faces(["pyton"])
    assert chosen_faces(["python", "rust"]) == ("rust", "python")
    assert status_of("bench", "worlds", "--sizes", "-1") == 2
