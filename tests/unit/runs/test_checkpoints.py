"""Checkpoints come back as they were, or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from run_parts import checkpoint, edited, facts

from astrarium.runs import CheckpointError, checkpoints, documents, metadata, packing
from astrarium.runs.checkpoints import Checkpoint, RunPosition
from astrarium.runs.journal import JournalEnd

WINDOWS = JournalEnd(3, 30, "00000000000000aa")
EVENTS = JournalEnd(1, 7, "00000000000000bb")


def position() -> RunPosition:
    state = metadata.begin("run", facts(), "now", "0" * 16)
    return RunPosition({"metrics/windows.jsonl": WINDOWS, "events.jsonl": EVENTS}, 2, state, "now")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    checkpoints.save(tmp_path / "000004", checkpoint(4), position())
    return tmp_path / "000004"


def changed(folder: Path, **fields: object) -> None:
    edited(folder / "manifest.json", **fields)


def test_arrays_of_every_kind_come_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    arrays = {
        "turned": rng.normal(size=(3, 5)).T,
        "every_other": np.arange(12, dtype=np.float32)[::2],
        "one": np.array(2**64 - 1, np.uint64),
        "none": np.zeros((0, 3), np.float16),
        "flags": np.array([True, False]),
        "words": rng.integers(0, 2**32, 8, dtype=np.uint32),
    }
    given = Checkpoint(0, 10, {}, arrays, b"", {"policy_arch": "x", "obs_shape": (), "heads": ()})
    checkpoints.save(tmp_path / "000000", given, position())
    loaded, _ = checkpoints.load(tmp_path / "000000", resumable=True)
    assert loaded.policy == {}
    assert loaded.worlds == b""
    assert loaded.trainer.keys() == arrays.keys()
    for name, array in arrays.items():
        assert loaded.trainer[name].dtype == array.dtype
        np.testing.assert_array_equal(loaded.trainer[name], array)


def test_the_whole_or_only_the_policy_is_loaded(folder: Path) -> None:
    given = checkpoint(4)
    whole, manifest = checkpoints.load(folder, resumable=True)
    assert (whole.window_id, whole.env_steps_total) == (4, 50)
    assert (whole.worlds, whole.state) == (given.worlds, given.state)
    np.testing.assert_array_equal(whole.trainer["adam.step"], 4)
    part, _ = checkpoints.load(folder, resumable=False)
    np.testing.assert_array_equal(part.policy["actor.weight"], given.policy["actor.weight"])
    assert (part.trainer, part.worlds) == ({}, b"")
    assert (manifest.world, manifest.trainer_backend) == ("prospector-v2", "ppo")
    assert (manifest.policy_arch, manifest.obs_shape, manifest.heads) == ("mlp-8-tanh-v1", [4], [3])
    assert (manifest.journals["events.jsonl"], manifest.replay_entries) == (EVENTS, 2)


def test_a_thinned_out_checkpoint_still_has_its_policy(folder: Path) -> None:
    assert checkpoints.is_resumable(folder)
    assert checkpoints.resumable_bytes(folder) > 0
    checkpoints.prune(folder)
    assert not checkpoints.is_resumable(folder)
    assert checkpoints.load(folder, resumable=False)[0].window_id == 4
    with pytest.raises(CheckpointError, match="older checkpoints keep only their policy"):
        checkpoints.load(folder, resumable=True)


@pytest.mark.parametrize("name", [checkpoints.POLICY, checkpoints.TRAINER, checkpoints.WORLDS])
def test_a_file_that_changed_is_refused(name: str, folder: Path) -> None:
    place = folder / name
    content = place.read_bytes()
    for damaged in (content[:-1] + bytes([content[-1] ^ 1]), content[:-1], content + b"\0", b""):
        place.write_bytes(damaged)
        with pytest.raises(CheckpointError, match=f"{name} is not what was written there"):
            checkpoints.load(folder, resumable=True)
    place.unlink()
    with pytest.raises(CheckpointError, match=f"{name} is missing"):
        checkpoints.load(folder, resumable=True)
    place.mkdir()
    with pytest.raises(CheckpointError, match="Is a directory"):
        checkpoints.load(folder, resumable=True)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"format": 1}, "has format 1; this build reads 2"),
        ({"kind": "replay"}, "not a checkpoint but a 'replay'"),
        ({"kind": 5}, "is damaged"),
        ({"obs_shape": None}, r"is damaged: .*obs_shape"),
        ({"files": {}}, r"does not list policy\.safetensors"),
        ({"window_id": "4"}, r"is damaged: .*window_id"),
    ],
)
def test_a_manifest_of_something_else_is_refused(
    fields: dict[str, object], message: str, folder: Path
) -> None:
    changed(folder, **fields)
    with pytest.raises(CheckpointError, match=message):
        checkpoints.load(folder, resumable=False)


@pytest.mark.parametrize("field", ["policy_arch", "obs_shape", "heads", "state"])
def test_a_manifest_that_lacks_a_field_is_refused(field: str, folder: Path) -> None:
    place = folder / "manifest.json"
    told = documents.read(place, dict[str, Any])
    del told[field]
    documents.write(place, told)
    with pytest.raises(CheckpointError, match=f"missing required field `{field}`"):
        checkpoints.load(folder, resumable=False)


def test_what_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"not a checkpoint: it has no manifest\.json"):
        checkpoints.load(tmp_path, resumable=False)


def test_a_state_that_nobody_could_load_is_not_saved(tmp_path: Path) -> None:
    bare = Checkpoint(0, 10, {}, {}, b"", {"policy_arch": "x", "heads": []})
    with pytest.raises(CheckpointError, match="lacks 'obs_shape'"):
        checkpoints.save(tmp_path / "000000", bare, position())
    assert list(tmp_path.iterdir()) == []


def test_files_within_limits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(checkpoint(4).worlds)
    content = (folder / checkpoints.WORLDS).read_bytes()
    place = folder / checkpoints.WORLDS
    assert packing.unpack_worlds(place, content, size) == checkpoint(4).worlds
    with pytest.raises(CheckpointError, match=f"unpacks to {size} bytes in place of 3"):
        packing.unpack_worlds(place, content, 3)
    for bad in (content[:-2], b"no frame"):
        with pytest.raises(CheckpointError, match="does not unpack"):
            packing.unpack_worlds(place, bad, size)
    with pytest.raises(CheckpointError, match="holds no arrays"):
        packing.unpack_arrays(place, b"no arrays at all")
    monkeypatch.setattr(checkpoints, "FILE_BYTES_MAX", 10)
    with pytest.raises(CheckpointError, match="would have"):
        checkpoints.load(folder, resumable=False)
    monkeypatch.setattr(packing, "FILE_BYTES_MAX", 10)
    with pytest.raises(CheckpointError, match="load another"):
        packing.unpack_worlds(place, content, size)


def test_only_folders_of_checkpoints_are_listed(tmp_path: Path) -> None:
    assert checkpoints.folders(tmp_path) == []
    for name in ("1000000", "000007", ".building-000001", "notes"):
        (tmp_path / "checkpoints" / name).mkdir(parents=True)
    assert [window for window, _ in checkpoints.folders(tmp_path)] == [7, 1_000_000]


@pytest.mark.parametrize("package", ["safetensors", "zstandard"])
def test_a_missing_library_is_one_line_and_needed_only_here(package: str) -> None:
    code = (
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        "from astrarium.errors import MissingPackageError\n"
        "from astrarium.runs import packing\n"
        "assert 'torch' not in sys.modules\n"
        "try:\n"
        "    packing.pack_arrays({})\n"
        "    packing.pack_worlds(b'')\n"
        "except MissingPackageError as error:\n"
        "    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout == f"{package} is not installed: pip install 'astrarium[train]'\n"
