"""Step one of PufferLib's C worlds, in a batch, as its own trainer calls it.

Called with a world and the size of the batch. Orders come in one a line, answers go out as JSON:
`steps N` times N calls with random actions, `row` gives the size of an observation.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import tempfile
import time
from typing import Any

import numpy as np

ACTIONS_MIN = 1 << 18
ROWS_MIN = 64
# The other worlds collect their statistics every 128 calls; this one would at every call.
SETTINGS: dict[str, dict[str, Any]] = {"cartpole": {"report_interval": 128}}


def make(world: str, num_worlds: int) -> Any:
    """Return the batch. PufferLib's import leaves a link in the current folder."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        module = importlib.import_module(f"pufferlib.ocean.{world}.{world}")
    return getattr(module, world.capitalize())(num_envs=num_worlds, **SETTINGS.get(world, {}))


def serve(world: str, num_worlds: int) -> None:
    """Answer orders until there are none."""
    batch = make(world, num_worlds)
    rows = max(ROWS_MIN, ACTIONS_MIN // num_worlds)
    choices = int(batch.single_action_space.n)
    generator = np.random.default_rng(0)
    actions = generator.integers(0, choices, (rows, num_worlds), np.int32)
    batch.reset(seed=0)
    at = 0
    for line in sys.stdin:
        order, *number = line.split()
        if order == "row":
            answer = {"bytes": batch.observations[0].nbytes}
        else:
            calls = int(*number)
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(calls):
                batch.step(actions[at])
                at = at + 1 if at + 1 < rows else 0
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            answer = {"steps": calls * num_worlds, "wall_s": wall, "cpu_s": cpu}
        print(json.dumps(answer), flush=True)
    batch.close()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
