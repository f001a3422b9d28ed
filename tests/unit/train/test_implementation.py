"""A training with the readable reference is the training with the native core, to the bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_runs import small

from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.runs.replaying import verify
from astrarium.runs.replays import read
from astrarium.runs.windows import TIMING_FIELDS
from astrarium.train import training


def config_in(root: Path, implementation: str, world: str = "prospector-v1") -> Any:
    run = {"root": root, "id": implementation, "total_env_steps": 500, "window_env_steps": 200}
    section = {
        "id": world,
        "settings": {"time_max": 60},
        "worlds": 3,
        "implementation": implementation,
    }
    return small({"world": section, "run": {**run, "eval_episodes": 1, "eval_steps_max": 20}})


def trained(root: Path, implementation: str) -> RunFolder:
    return RunFolder.open(training.start(config_in(root, implementation)).folder)


def test_windows_weights_and_returns_are_equal(tmp_path: Path) -> None:
    native, reference = trained(tmp_path, "native"), trained(tmp_path, "reference")
    left_out = {"run_id", *TIMING_FIELDS}
    rows = [
        [{key: value for key, value in row.items() if key not in left_out} for row in run.windows()]
        for run in (native, reference)
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 3
    for kind in ("policy", "trainer"):
        one, two = (getattr(run.load_checkpoint("latest"), kind) for run in (native, reference))
        assert one.keys() == two.keys()
        assert all(np.array_equal(one[name], two[name]) for name in one)
    returns = [run.replay_index().entries[-1].return_total for run in (native, reference)]
    assert returns[0] == returns[1]
    told = reference.metadata()
    assert told["ppo_env_impl_requested"] == told["ppo_env_impl_selected"] == "reference"
    assert told["ppo_vector_backend_selected"] == "reference_batch"
    assert native.metadata()["ppo_env_impl_selected"] == "native"
    entry = reference.replay_index().entries[-1]
    replay = read(reference.folder / entry.replay_path)
    assert replay.header["implementation"] == "reference"
    assert verify(replay, entry).holds


def test_a_run_of_the_reference_resumes(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", "reference")
    config = config_in(tmp_path / "parts", "reference")
    part = training.start(config, stop=lambda: True)
    assert part.status == "interrupted"
    training.resume(part.folder)
    one, two = (
        run.load_checkpoint("latest").policy for run in (whole, RunFolder.open(part.folder))
    )
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_worlds_with_one_implementation_refuse_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="prospector-v2 has only a native one"):
        training.start(config_in(tmp_path, "reference", "prospector-v2"))
    assert list(tmp_path.iterdir()) == []
