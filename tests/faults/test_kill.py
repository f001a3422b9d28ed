"""A real training process, killed with a real signal at a random moment, again and again."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from run_parts import checkpoint, replay, row

from astrarium.runs import NoCheckpointError, RunFolder, RunWriter

ROUNDS = 5
TRAINER = """
import sys
from pathlib import Path
from run_parts import *
from astrarium.runs import NoCheckpointError, RunWriter
import shutil

def tell(*words):
    print(*words, flush=True)

folder = Path(sys.argv[1]) / "run"
try:
    writer, point = RunWriter.resume(folder)
    at = point.window_id
    tell("resumed", at)
    after_checkpoint(writer, at)
    tell("replay", at)
except (FileNotFoundError, NoCheckpointError):
    shutil.rmtree(folder, ignore_errors=True)
    writer, at = new_run(folder.parent), -1
    tell("began")
while True:
    at += 1
    writer.append_window(row(at))
    tell("row", at)
    writer.save_checkpoint(checkpoint(at))
    tell("checkpoint", at)
    after_checkpoint(writer, at)
    tell("replay", at)
"""


def read_everything(folder: Path) -> None:
    """As a server would: every file is whole or not there."""
    run = RunFolder.open(folder)
    assert run.status() == "running"
    rows = run.windows()
    assert rows == [row(at) for at in range(len(rows))]
    run.events()
    for entry in run.replay_index().entries:
        assert run.replay(entry.replay_id) == replay(entry.window_id)
    try:
        latest = run.load_checkpoint()
    except NoCheckpointError:
        return
    assert latest.state == checkpoint(latest.window_id).state


def one_life(root: Path, moments: random.Random, patient: bool) -> list[list[str]]:
    """Train for a while and kill; what the process said it had done.

    A patient killer waits for a checkpoint, and reads on the side; another may catch it at any
    moment.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", TRAINER, str(root)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1] / "unit" / "runs",
    )
    assert process.stdout is not None
    told: list[list[str]] = []
    if patient:
        while last(told, "checkpoint") == -1:
            told.append(process.stdout.readline().split())
        end = time.monotonic() + moments.uniform(0.0, 0.5)
        while time.monotonic() < end:
            read_everything(root / "run")
    else:
        time.sleep(moments.uniform(0.3, 1.2))
    process.kill()
    told += [line.split() for line in process.stdout]
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL
    return told


def last(told: list[list[str]], *words: str) -> int:
    """The last window of which one of these was said."""
    return max((int(line[1]) for line in told if line[0] in words), default=-1)


def test_nothing_that_was_promised_is_lost(tmp_path: Path) -> None:
    seed = random.randrange(1 << 32)
    moments = random.Random(seed)
    saved = -1
    for number in range(ROUNDS):
        told = one_life(tmp_path, moments, patient=number % 2 == 0)
        where = f"seed {seed}, round {number}: {told}"
        if not told and saved == -1:
            continue
        assert (saved == -1) or told == [] or told[0][0] == "resumed", where
        run = RunFolder.open(tmp_path / "run")
        assert run.status() == "killed", where
        saved = max(saved, last(told, "resumed", "checkpoint"))
        found = max((one.window_id for one in run.checkpoints()), default=-1)
        assert saved <= found <= saved + 1, where
        rows = max(saved, last(told, "row"))
        assert rows <= len(run.windows()) - 1, where
        replays = [entry.window_id for entry in run.replay_index().entries]
        assert last(told, "replay") <= max(replays, default=-1), where
    assert saved >= 2, f"seed {seed}: every patient round saved a checkpoint"
    writer, point = RunWriter.resume(tmp_path / "run")
    assert point.window_id >= saved
    assert writer.metadata["resumes"]
    assert not list((tmp_path / "run").rglob(".building-*"))
    writer.pause()
