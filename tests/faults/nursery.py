"""Trainers that live and die at will: loaded once, then forked for every life.

Reads orders from standard input, one JSON object a line, and answers each with a line when the life
is over: how it ended, and how often it had turned to the disk.
"""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import pytest
from faulty_disk import Disk

from astrarium import machine
from astrarium.train import training
from astrarium.train.config import layered


def settle(patch: pytest.MonkeyPatch) -> None:
    """Replays name the commit, and nobody must commit while runs are compared."""
    here = dataclasses.replace(machine.facts(), commit="0123456789ab")
    patch.setattr(machine, "facts", lambda: here)


def live(order: dict[str, Any], calls: int) -> None:
    """Train in a folder; killed by the kernel ahead of the chosen call to the disk."""
    os.chdir(order["home"])
    patch = pytest.MonkeyPatch()
    settle(patch)
    disk = Disk(patch)

    def die(call: int) -> None:
        if call == order.get("die_at"):
            os.kill(os.getpid(), signal.SIGKILL)

    with disk.watching(die):
        if order.get("resume"):
            training.resume(Path(order["resume"]), threads=order.get("threads"))
        else:
            training.start(layered(order["config"]))
    os.write(calls, str(disk.calls).encode())


def main() -> None:
    """Serve until there are no more orders."""
    print("ready", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        told, calls = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(told)
            try:
                live(order, calls)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        os.close(calls)
        if order.get("kill_after") is not None:
            time.sleep(order["kill_after"])
            # Perhaps it is through; its number is its own until it is waited for.
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        with os.fdopen(told) as counted:
            count = counted.read()
        code = os.waitstatus_to_exitcode(status)
        print(json.dumps({"code": code, "calls": int(count or 0)}), flush=True)


if __name__ == "__main__":
    main()
