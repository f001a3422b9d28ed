"""Asking for more than there is: typed errors, and nothing left behind."""

import copy
import os
import pickle
import subprocess
import sys

import pytest

import astrarium
from astrarium.errors import CountError, SnapshotError, UncopyableError

LINUX = sys.platform == "linux"
# glibc ends a process whose new thread finds no room for its own variables. What is tested is the
# refusal of the thread itself, so the allocator keeps some room back for those that did start.
ROOM_IN_RESERVE = {"MALLOC_ARENA_MAX": "1", "MALLOC_TOP_PAD_": str(32 << 20)}


def run_with_little_memory(megabytes: int, code: str) -> str:
    """What `code` prints in a process that may not address more than so much."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20,) * 2)\n"
    done = subprocess.run(
        [sys.executable, "-c", "import astrarium\nastrarium.worlds.ids()\n" + limit + code],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **ROOM_IN_RESERVE},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not LINUX, reason="limits on address space are Linux's")
def test_a_batch_larger_than_memory_is_refused() -> None:
    """It once ended the interpreter: a failed allocation aborts unless it is asked for kindly."""
    out = run_with_little_memory(
        2000,
        "try:\n    astrarium.make_vec('prospector-v2', 2**19)\n"
        "except astrarium.OutOfMemoryError as error:\n    print(error)\n",
    )
    assert "524288 worlds" in out
    assert "make a smaller one" in out


@pytest.mark.skipif(not LINUX, reason="limits on address space are Linux's")
def test_threads_the_system_refuses_are_told_and_none_is_left() -> None:
    out = run_with_little_memory(
        450,
        "import threading, os\n"
        "try:\n    astrarium.make_vec('prospector-v2', 256, threads=256)\n"
        "except astrarium.CountError as error:\n    print(error)\n"
        "print('threads', len(os.listdir('/proc/self/task')))\n",
    )
    assert "of 256 threads; make the batch with fewer" in out
    assert int(out.rsplit("threads ", 1)[1]) < 16


@pytest.mark.parametrize(("count", "threads"), [(0, 1), (2**20 + 1, 1), (1, 0), (1, 257)])
def test_counts_out_of_range_name_the_real_limits(count: int, threads: int) -> None:
    with pytest.raises(CountError, match=r"1 to (1,048,576|256)$"):
        astrarium.make_vec("prospector-v2", count, threads=threads)


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_batch_cannot_be_pickled_or_copied(copied) -> None:
    with pytest.raises(UncopyableError, match="fork"):
        copied(astrarium.make_vec("lanterns-v1", 2))


def test_an_ended_world_cannot_be_restored_where_no_step_would_reset_it() -> None:
    ended = astrarium.make_vec("prospector-v2", 2, autoreset="disabled")
    ended.step([[68], [6]])
    target = astrarium.make_vec("prospector-v2", 2)
    before = target.digests()
    with pytest.raises(SnapshotError, match="world 0 of the snapshot has ended"):
        target.restore(ended.snapshot())
    assert (target.digests() == before).all()
    astrarium.make_vec("prospector-v2", 2, autoreset="next_step").restore(ended.snapshot())


def test_a_cut_snapshot_is_told_apart_from_a_damaged_one() -> None:
    world = astrarium.make_vec("lanterns-v1", 3)
    whole = world.snapshot()
    with pytest.raises(SnapshotError, match=f"{len(whole) - 1} bytes, at least {len(whole)}"):
        world.restore(whole[:-1])
    with pytest.raises(SnapshotError, match="damaged"):
        world.restore(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    with pytest.raises(SnapshotError, match="make a batch of 3 to restore it"):
        astrarium.make_vec("lanterns-v1", 2).restore(whole)
