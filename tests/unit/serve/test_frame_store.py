"""Frames are sent as they are stored, and a damaged file is named."""

import asyncio
import gzip
import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from served_runs import long_replay

from astrarium.runs import ReplayError, replays
from astrarium.serve import frame_store as module
from astrarium.serve.frame_store import FrameStore, ReplayGoneError, StoredReplay

ALL = 1 << 60


def write(path: Path, frames: int = 40) -> list[bytes]:
    """A replay file; its frames as lines."""
    content = replays.encode(long_replay(frames))
    path.write_bytes(replays.compress(content))
    return content.split(b"\n")[1:-1]


def unpacked(path: Path) -> StoredReplay:
    stored = StoredReplay(path, None)
    stored.unpack()
    return stored


def test_a_slice_is_the_files_own_lines_with_commas(tmp_path: Path) -> None:
    lines = write(tmp_path / "a.gz")
    stored = unpacked(tmp_path / "a.gz")
    assert stored.frames == len(lines) == 40
    assert stored.error is None
    assert stored.read(3, 7) == b",".join(lines[3:7])
    assert stored.read(0, 40) == b",".join(lines)
    assert stored.read(5, 5) == b""
    assert stored.header_line.startswith(b'{"kind":"header"')


@settings(max_examples=50, deadline=None)
@given(limit=st.integers(1, 200_000), batch=st.integers(1, 60), first=st.integers(0, 39))
def test_chunks_cover_every_frame_once_and_close_where_they_should(
    limit: int, batch: int, first: int
) -> None:
    stored, lines = _forty()
    at, joined = first, []
    while at < 40:
        end = stored.end_within(at, min(at + batch, 40), limit)
        assert end > at
        size = sum(len(line) + 1 for line in lines[at:end])
        assert stored.bytes_of(at, end) == size
        # Without its last frame a chunk would not have reached the limit.
        assert size - len(lines[end - 1]) - 1 < limit
        assert end - at == batch or size >= limit or end == 40
        joined.append(stored.read(at, end))
        at = end
    assert b",".join(joined) == b",".join(lines[first:])


_kept: list[tuple[StoredReplay, list[bytes]]] = []


def _forty() -> tuple[StoredReplay, list[bytes]]:
    if not _kept:
        path = Path(os.environ.get("TMPDIR", "/tmp")) / f"astrarium-frames-{os.getpid()}.gz"
        lines = write(path)
        _kept.append((unpacked(path), lines))
        path.unlink()
    return _kept[0]


def test_the_first_frames_come_before_the_last_are_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.gz")
    gate, real = threading.Event(), module._unpacked

    def halting(path: Path):
        whole = b"".join(real(path))
        half = whole.index(b"\n", len(whole) // 2) + 1
        yield whole[:half]
        assert gate.wait(30)
        yield whole[half:]

    monkeypatch.setattr(module, "_unpacked", halting)

    async def story() -> None:
        store = FrameStore(1 << 30)
        stored = store.open(tmp_path / "a.gz")
        await stored.reach(5)
        assert 5 <= stored.frames < 40
        assert not stored.done
        assert len(json.loads(b"[" + stored.read(0, 5) + b"]")) == 5
        gate.set()
        await stored.reach(ALL)
        assert stored.frames == 40
        store.close()

    asyncio.run(story())


def _rewritten(path: Path, change) -> None:
    path.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes()))))


@pytest.mark.parametrize(
    ("damage", "words", "readable"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-200]), "ends too early", None),
        (lambda path: path.write_bytes(b"not gzip"), "cannot be unpacked", 0),
        (lambda path: path.write_bytes(b""), "cannot be unpacked", 0),
        (lambda path: _rewritten(path, lambda text: b""), "is empty", 0),
        (lambda path: _rewritten(path, lambda text: text[:-1]), "within a line", 39),
        (
            lambda path: _rewritten(path, lambda text: text.replace(b'"frame_index":7,', b"")),
            ":9 is no frame",
            7,
        ),
        (
            lambda path: _rewritten(
                path, lambda text: text.replace(b'"frame_index":7,', b'"frame_index":8,')
            ),
            ":9 has frame_index 8, not 7",
            7,
        ),
        (
            lambda path: _rewritten(
                path, lambda text: text.replace(b'"render_state":{', b'"render_state":1,"x":{', 1)
            ),
            "render_state is not an object",
            0,
        ),
        (
            lambda path: _rewritten(
                path, lambda text: text.replace(b"observation", b"\xff\xfe", 1)
            ),
            "is no frame",
            0,
        ),
    ],
)
def test_a_damaged_file_is_named_and_what_comes_before_the_damage_stays(
    tmp_path: Path, damage, words: str, readable: int | None
) -> None:
    path = tmp_path / "replay.jsonl.gz"
    lines = write(path)
    damage(path)
    stored = unpacked(path)
    assert stored.done
    assert isinstance(stored.error, ReplayError)
    assert str(path) in str(stored.error)
    assert words in str(stored.error)
    if readable is not None:
        assert stored.frames == readable
    assert stored.read(0, stored.frames) == b",".join(lines[: stored.frames])


def test_a_file_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.gz"
    write(path)
    monkeypatch.setattr(replays, "REPLAY_BYTES_MAX", 5_000)
    assert "more than a replay may hold" in str(unpacked(path).error)
    path.write_bytes(gzip.compress(b"[" * 100_000))
    monkeypatch.setattr(replays, "REPLAY_BYTES_MAX", 1 << 30)
    monkeypatch.setattr(replays, "LINE_BYTES_MAX", 50_000)
    assert "more than a replay may hold" in str(unpacked(path).error)


def test_a_second_gzip_member_and_padding_are_read_on(tmp_path: Path) -> None:
    path = tmp_path / "two.gz"
    lines = write(path)
    whole = gzip.decompress(path.read_bytes())
    half = whole.index(b"\n", len(whole) // 2) + 1
    path.write_bytes(gzip.compress(whole[:half]) + b"\0" * 9 + gzip.compress(whole[half:]))
    stored = unpacked(path)
    assert stored.error is None
    assert stored.read(0, 40) == b",".join(lines)


def test_the_store_keeps_within_its_budget_and_readers_keep_what_they_hold(tmp_path: Path) -> None:
    async def story() -> None:
        lines = write(tmp_path / "0.gz")
        one = sum(len(line) + 1 for line in lines)
        store = FrameStore(2 * one)
        first = store.open(tmp_path / "0.gz")
        await first.reach(ALL)
        assert store.open(tmp_path / "0.gz") is first
        for number in range(1, 5):
            write(tmp_path / f"{number}.gz")
            await store.open(tmp_path / f"{number}.gz").reach(ALL)
            assert store.bytes_held <= 3 * one
        assert store.open(tmp_path / "0.gz") is not first
        assert first.read(0, 40) == b",".join(lines)
        store.close()

    asyncio.run(story())


def test_handles_are_given_back(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    write(path)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        unpacked(path)
    assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_a_file_that_was_replaced_is_unpacked_again(tmp_path: Path) -> None:
    async def story() -> None:
        store = FrameStore(1 << 30)
        write(tmp_path / "a.gz", 5)
        await store.open(tmp_path / "a.gz").reach(ALL)
        write(tmp_path / "b.gz", 9)
        (tmp_path / "b.gz").replace(tmp_path / "a.gz")
        stored = store.open(tmp_path / "a.gz")
        await stored.reach(ALL)
        assert stored.frames == 9
        (tmp_path / "a.gz").unlink()
        with pytest.raises(ReplayGoneError):
            store.open(tmp_path / "a.gz")
        store.close()

    asyncio.run(story())


def test_the_timeline_adds_up(tmp_path: Path) -> None:
    lines = write(tmp_path / "a.gz", 9_000)
    shown = unpacked(tmp_path / "a.gz").timeline.shown(["sell"])
    frames = [json.loads(line) for line in lines]
    assert (shown["frames"], shown["ticks"], shown["stride"]) == (9_000, 9_000, 3)
    assert len(shown["reward"]) == 3_000
    assert sum(shown["reward"]) == pytest.approx(sum(frame["reward"] for frame in frames))
    events = [(at, name) for at, frame in enumerate(frames) for name in frame["events"]]
    assert [(one["frame"], one["name"]) for one in shown["events"]] == events
    assert sum(shown["terms"].values()) == pytest.approx(sum(shown["reward"]), abs=1e-3)
