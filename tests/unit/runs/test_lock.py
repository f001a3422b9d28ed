"""One writer at a time, and readers who know whether there is one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from astrarium.runs import RunBusyError, RunNotFoundError, lock
from astrarium.runs.lock import RunLock


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "_PATIENCE_SECONDS", 0.03)


def test_a_lock_is_held_until_it_is_released(tmp_path: Path) -> None:
    assert not lock.is_held(tmp_path)
    first = RunLock(tmp_path)
    assert lock.is_held(tmp_path)
    with pytest.raises(RunBusyError, match="another process is writing"):
        RunLock(tmp_path)
    assert lock.is_held(tmp_path)
    first.release()
    assert not lock.is_held(tmp_path)
    RunLock(tmp_path).release()


def test_a_reader_is_not_taken_for_a_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking takes the lock for a moment; a writer that comes just then waits."""
    RunLock(tmp_path).release()
    code = (
        "import fcntl, os, sys, time\n"
        "handle = os.open(sys.argv[1], os.O_RDONLY)\n"
        "fcntl.flock(handle, fcntl.LOCK_SH)\n"
        "print('asking', flush=True)\n"
        "time.sleep(0.2)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "run.lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "asking\n"
        assert not lock.is_held(tmp_path)
        monkeypatch.setattr(lock, "_PATIENCE_SECONDS", 20)
        RunLock(tmp_path).release()


def test_the_system_lets_go_when_a_writer_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from astrarium.runs.lock import RunLock\n"
        "held = RunLock(pathlib.Path(sys.argv[1]))\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "held\n"
        assert lock.is_held(tmp_path)
        writer.kill()
        writer.wait()
        assert not lock.is_held(tmp_path)


def test_there_is_no_lock_where_there_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunNotFoundError, match="there is no run in"):
        RunLock(tmp_path / "gone")
