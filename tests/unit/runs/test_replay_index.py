"""Tags and the ways to find a replay by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from run_parts import edited

from astrarium.runs import MILESTONES, DamagedRunError, ReplayEntry, ReplayIndex, replay_index


def entry(window_id: int, *tags: str, **changed: Any) -> ReplayEntry:
    told: dict[str, Any] = {
        "run_id": "run",
        "window_id": window_id,
        "replay_id": f"replay-{window_id:06d}-00000000",
        "replay_path": f"replays/replay-{window_id:06d}-00000000.jsonl.gz",
        "checkpoint_path": f"checkpoints/{window_id:06d}",
        "tags": list(tags),
        "trainer_backend": "ppo",
        "return_total": 0.0,
        "steps": 4,
        "profit": None,
        "survival": None,
        "terminated": True,
        "truncated": False,
        "checkpoint_env_steps_total": 10,
        "created_at": "2031-05-06T07:08:09.000Z",
        "sha256": "0" * 64,
    }
    return ReplayEntry(**(told | changed))


def tags(return_total: float, profit: float | None, survival: float | None) -> list[str]:
    earlier = [entry(0, return_total=2.0), entry(1, return_total=20.0)]
    return replay_index.tags_for(earlier, return_total, profit, survival, MILESTONES)


def test_the_best_so_far_is_strictly_better() -> None:
    assert replay_index.tags_for([], -5.0, None, None, MILESTONES) == [
        "every_window",
        "best_so_far",
    ]
    assert tags(20.0, None, None) == ["every_window", "milestone:return:10"]
    assert tags(20.5, None, None)[1] == "best_so_far"


def test_milestones_come_in_order_and_count_when_reached() -> None:
    assert tags(25.0, 500.0, 1.0) == [
        "every_window",
        "best_so_far",
        "milestone:profit:100",
        "milestone:profit:500",
        "milestone:return:10",
        "milestone:return:25",
        "milestone:survival:1",
    ]
    assert tags(0.0, 99.999, 0.999) == ["every_window"]


def test_milestones_are_written_short_and_never_twice() -> None:
    steps = {"profit": (0.0, 1e-9, 0.1, 0.123456789, 1200.0)}
    assert replay_index.tags_for([], 0.0, 2000.0, None, steps)[2:] == [
        "milestone:profit:0",
        "milestone:profit:0.1",
        "milestone:profit:0.123457",
        "milestone:profit:1200",
    ]


@pytest.fixture
def index() -> ReplayIndex:
    return ReplayIndex(
        "run",
        [
            entry(0, "every_window", "best_so_far"),
            entry(3, "every_window"),
            entry(3, "every_window", "x", replay_id="replay-000003-00000001"),
            entry(3, "x", "best_so_far", created_at="2031-05-06T07:08:10.000Z"),
        ],
    )


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, [3, 2, 1, 0]),
        ({"tag": "best_so_far"}, [3, 0]),
        ({"tags_any": ["x", "best_so_far"]}, [3, 2, 0]),
        ({"tags_all": ["x", "every_window"]}, [2]),
        ({"tag": "best_so_far", "tags_all": ["x"]}, [3]),
        ({"window_id": 3}, [3, 2, 1]),
        ({"window_id": 0, "tag": "x"}, []),
        ({"limit": 2}, [3, 2]),
        ({"tag": "every_window", "limit": 1}, [2]),
    ],
)
def test_entries_are_found_newest_first(
    wanted: dict[str, Any], found: list[int], index: ReplayIndex
) -> None:
    assert index.select(**wanted) == [index.entries[at] for at in found]


def test_an_index_comes_back(tmp_path: Path, index: ReplayIndex) -> None:
    assert replay_index.read(tmp_path, "run") == ReplayIndex("run", ())
    replay_index.write(tmp_path, index, "2031-05-06T07:08:09.000Z")
    assert replay_index.read(tmp_path, "run") == index
    assert index.find("replay-000003-00000001") is index.entries[2]
    assert index.find("replay-000009-00000001") is None
    told = json.loads((tmp_path / "replay_index.json").read_text())
    assert (told["schema_version"], told["run_id"]) == (2, "run")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"schema_version": 1}, "schema_version 1; this build reads 2"),
        ({"run_id": "other"}, "index of run 'other', not of 'run'"),
        ({"entries": {}}, "entries"),
        ({"entries": [{"run_id": "run"}]}, "missing required field"),
    ],
)
def test_another_index_is_refused(
    fields: dict[str, Any], message: str, tmp_path: Path, index: ReplayIndex
) -> None:
    replay_index.write(tmp_path, index, "now")
    edited(tmp_path / "replay_index.json", **fields)
    with pytest.raises(DamagedRunError, match=message):
        replay_index.read(tmp_path, "run")
