"""The index of runs: kept, not rebuilt, whatever happens to the folders."""

import json
import shutil
from pathlib import Path

import pytest
from served_runs import add_window, new_run, write_run

from astrarium.runs import RunNameError, RunNotFoundError, documents, names
from astrarium.serve import catalogue as module
from astrarium.serve.catalogue import Catalogue


@pytest.fixture
def runs(tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path, 0.000_001)


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every run that is read from now on."""
    seen: list[str] = []
    real = module._read

    def read(folder, run_id, stamp):
        seen.append(run_id)
        return real(folder, run_id, stamp)

    monkeypatch.setattr(module, "_read", read)
    return seen


def ids(runs: Catalogue) -> list[str]:
    return [one.row.run_id for one in runs.runs()]


def test_a_missing_root_is_an_empty_catalogue(tmp_path: Path) -> None:
    assert Catalogue(tmp_path / "nowhere", 1).runs() == []


def test_the_run_updated_last_comes_first_and_broken_ones_last(
    tmp_path: Path, runs: Catalogue
) -> None:
    for run_id in ("a", "b", "c"):
        write_run(tmp_path, run_id, windows=1, frames=3)
    (tmp_path / "b" / names.METADATA).write_text("{")
    (tmp_path / "empty").mkdir()
    assert ids(runs) == ["c", "a", "b"]
    broken = runs.find("b").row
    assert broken.status == "broken"
    assert broken.problem is not None
    assert str(tmp_path) not in broken.problem
    assert "runs/b/run_metadata.json" in broken.problem


def test_a_row_tells_world_seed_and_the_best_replay(tmp_path: Path, runs: Catalogue) -> None:
    _, best = write_run(tmp_path, "run", windows=2, frames=3)
    row = runs.find("run").row
    assert (row.world, row.seed, row.replay_count) == ("prospector-v2", 3, 2)
    assert row.best_replay is not None
    assert row.best_replay.replay_id == best
    told = json.loads(runs.find("run").encoded)
    assert told["best_replay"]["replay_id"] == best
    assert told["problem"] is None


def test_a_run_is_read_again_only_when_it_changed(
    tmp_path: Path, runs: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path, "still", windows=1, frames=3)
    writer = new_run(tmp_path, "moving")
    seen = reads(monkeypatch)
    assert sorted(one.row.run_id for _, one in runs.sweep().changed) == ["moving", "still"]
    seen.clear()
    assert runs.sweep().changed == []
    assert seen == []
    add_window(writer, 0)
    ((earlier, now),) = runs.sweep().changed
    assert earlier is not None
    assert (earlier.row.windows_emitted, now.row.windows_emitted) == (0, 1)
    assert seen == ["moving"]
    writer.finish()


def test_a_killed_run_is_noticed_though_no_file_changes(tmp_path: Path, runs: Catalogue) -> None:
    writer = new_run(tmp_path)
    assert runs.find("run").row.status == "running"
    runs.sweep()
    writer._lock.release()
    ((_, now),) = runs.sweep().changed
    assert now.row.status == "killed"


def test_deleted_runs_go(tmp_path: Path, runs: Catalogue) -> None:
    write_run(tmp_path, "run", windows=1, frames=3)
    runs.sweep()
    shutil.rmtree(tmp_path / "run")
    assert runs.sweep().gone == ["run"]
    assert ids(runs) == []
    with pytest.raises(RunNotFoundError):
        runs.find("run")


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "runs"
    write_run(outside, "secret", windows=1, frames=3)
    write_run(root, "run", windows=1, frames=3)
    (root / "linked").symlink_to(outside / "secret")
    runs = Catalogue(root, 1)
    assert ids(runs) == ["run"]
    with pytest.raises(RunNotFoundError):
        runs.find("linked")
    (root / "run" / names.METADATA).unlink()
    (root / "run" / names.METADATA).symlink_to(outside / "secret" / names.METADATA)
    runs.sweep()
    assert runs.find("run").row.status == "broken"


@pytest.mark.parametrize("name", ["..", ".", "a/b", "", "a" * 129, "-a", "a\0", "a\n"])
def test_ids_that_no_run_can_have_are_refused(runs: Catalogue, name: str) -> None:
    with pytest.raises(RunNameError):
        runs.find(name)


def test_a_damaged_index_leaves_the_run_in_the_list(tmp_path: Path, runs: Catalogue) -> None:
    write_run(tmp_path, "run", windows=1, frames=3)
    documents.write(tmp_path / "run" / names.REPLAY_INDEX, {"schema_version": 7})
    row = runs.find("run").row
    assert (row.status, row.replay_count) == ("completed", 0)
    assert row.problem is not None
    assert "schema_version 7" in row.problem


def test_thousands_of_runs_are_read_once(
    tmp_path: Path, runs: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "pattern", "run", windows=1, frames=3)
    text = (tmp_path / "pattern" / "run" / names.METADATA).read_text()
    for number in range(2_000):
        folder = tmp_path / f"run-{number:04d}"
        folder.mkdir()
        (folder / names.METADATA).write_text(text)
    seen = reads(monkeypatch)
    assert len(runs.runs()) == 2_000
    assert len(seen) == 2_000
    runs.sweep()
    assert len(seen) == 2_000


def test_a_list_costs_no_look_at_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path, "run", windows=1, frames=3)
    runs = Catalogue(tmp_path, 3600.0)
    assert ids(runs) == ["run"]

    def look(*_: object) -> None:
        raise AssertionError("looked")

    monkeypatch.setattr(module, "_folders", look)
    monkeypatch.setattr(module, "_stamp", look)
    for _ in range(100):
        assert ids(runs) == ["run"]
    assert 3590 < runs.rest_seconds <= 3600


def test_a_folder_that_takes_long_to_look_over_is_left_alone_for_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter([100.0, 102.0, 103.0])
    runs = Catalogue(tmp_path, 1.0)
    monkeypatch.setattr(module.time, "monotonic", lambda: next(moments))
    runs.sweep()
    assert runs.rest_seconds == 39.0
