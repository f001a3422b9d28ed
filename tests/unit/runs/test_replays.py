"""Replays: the same bytes for the same episode, and nothing else is taken for one."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from run_parts import frame, header, replay

from astrarium.runs import Replay, ReplayError, replays


def written(path: Path, *lines: dict[str, Any]) -> Path:
    place = path / "some.jsonl.gz"
    place.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))
    return place


def without(told: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != name}


def test_a_replay_comes_back(tmp_path: Path) -> None:
    place = tmp_path / "some.jsonl.gz"
    place.write_bytes(replays.compress(replays.encode(replay(7))))
    read = replays.read(place)
    assert read == replay(7)
    assert read.header["seed"] == 7
    lines = gzip.decompress(place.read_bytes()).splitlines()
    assert len(lines) == 5
    assert b" " not in lines[1]


def test_the_same_episode_is_the_same_bytes() -> None:
    content = replays.encode(replay(1))
    assert content == replays.encode(replay(1))
    assert replays.compress(content) == replays.compress(content)
    assert replays.compress(content)[4:8] == bytes(4), "no time in it"
    assert replays.new_replay_id(12, content) == replays.new_replay_id(12, content)
    assert replays.new_replay_id(12, content).startswith("replay-000012-")
    assert replays.new_replay_id(12, content) != replays.new_replay_id(
        12, replays.encode(replay(2))
    )


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    plain = Replay(header(), [frame(0, reward=0.5, render_state={"observation": [0.25, 1.0]})])
    observation = np.array([0.25, 1], np.float32)
    given = Replay(
        header(), [frame(0, reward=np.float32(0.5), render_state={"observation": observation})]
    )
    assert replays.encode(given) == replays.encode(plain)


def test_several_agents_and_controls_have_lists(tmp_path: Path) -> None:
    several = frame(
        0,
        action=[[1, 0], [2, 1]],
        controls=[[0.5], [-1.0]],
        reward=[0.5, 0.0],
        terminated=[True, False],
        truncated=[False, False],
        terms=[{"sell": 0.5}, {"sell": 0.0}],
        policy=[{"value": 1.0, "probability": 0.5, "probabilities": [[0.5, 0.5]]}, None],
    )
    assert replays.read(written(tmp_path, header(), several)).frames == [several]


REQUIRED = ("schema_version", "frame_index", "t", "dt", "action", "reward", "terminated")
REQUIRED += ("truncated", "render_state", "events")


@pytest.mark.parametrize("name", REQUIRED)
def test_a_frame_that_lacks_a_field_is_refused(name: str, tmp_path: Path) -> None:
    place = written(tmp_path, header(), frame(0), without(frame(1), name))
    with pytest.raises(ReplayError, match=f"gz:3 is no frame: .*{name}"):
        replays.read(place)


def test_a_frame_may_lack_info(tmp_path: Path) -> None:
    bare = {name: value for name, value in frame(0).items() if name in REQUIRED}
    assert replays.read(written(tmp_path, header(), bare)).frames == [bare]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schema_version", 2),
        ("frame_index", -1),
        ("frame_index", 3),
        ("frame_index", True),
        ("dt", 0),
        ("dt", 1.5),
        ("t", "2"),
        ("render_state", []),
        ("render_state", None),
        ("events", "fracture"),
        ("events", [1]),
        ("reward", None),
        ("terminated", 1),
    ],
)
def test_a_frame_with_a_wrong_field_is_neither_read_nor_written(
    field: str, value: Any, tmp_path: Path
) -> None:
    wrong = frame(0, **{field: value})
    with pytest.raises(ReplayError, match=field):
        replays.read(written(tmp_path, header(), wrong))
    with pytest.raises(ReplayError, match=f"frame 0 .*{field}"):
        replays.encode(Replay(header(), [wrong]))


def test_a_reward_that_is_not_finite_is_not_written() -> None:
    with pytest.raises(ReplayError, match=r"frame 0 is no frame: .*reward"):
        replays.encode(Replay(header(), [frame(0, reward=float("nan"))]))


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (header(format=2), "has format 2; this build reads 1"),
        (header(kind="frame"), "is no header"),
        (without(header(), "seed"), "seed"),
        (frame(0), "is no header"),
    ],
)
def test_a_wrong_header_is_refused(first: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match=message):
        replays.read(written(tmp_path, first, frame(0)))
    with pytest.raises(ReplayError, match=message):
        replays.encode(Replay(first, [frame(0)]))


def test_files_that_are_no_replays_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "some.jsonl.gz"
    with pytest.raises(ReplayError, match="there is no"):
        replays.read(place)
    whole = replays.compress(replays.encode(replay()))
    for content, message in (
        (b"", "is no header"),
        (b"plain text", "cannot be unpacked"),
        (whole[:-9], "cannot be unpacked"),
        (gzip.compress(replays.encode(replay())[:-1]), "ends within a line"),
        (gzip.compress(b"[" * 20_000 + b"\n"), "is no header"),
    ):
        place.write_bytes(content)
        with pytest.raises(ReplayError, match=message):
            replays.read(place)


def test_a_file_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "bomb.jsonl.gz"
    place.write_bytes(gzip.compress(bytes(replays.LINE_BYTES_MAX + 10)))
    assert place.stat().st_size < 20_000
    with pytest.raises(ReplayError, match="more than a replay may hold"):
        replays.read(place)
    monkeypatch.setattr(replays, "REPLAY_BYTES_MAX", len(replays.encode(replay())) - 1)
    with pytest.raises(ReplayError, match="more than a replay may hold"):
        replays.read(written(tmp_path, header(), *(frame(index) for index in range(4))))
    with pytest.raises(ReplayError, match="record fewer steps"):
        replays.encode(replay())


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_a_damaged_file_is_refused_or_still_whole(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(replays.compress(replays.encode(replay())))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    place = tmp_path / "some.jsonl.gz"
    place.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        read = replays.read(place)
    except ReplayError:
        return
    assert read == replay()
