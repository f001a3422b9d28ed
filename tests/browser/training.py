"""Real runs, made by the command a person would use."""

import os
import subprocess
import sys
from pathlib import Path


def train(root: Path, run_id: str, *, seed: int, windows: int = 3) -> None:
    """A real training of a few seconds."""
    settings = {
        "root": root,
        "run.id": run_id,
        "run.seed": seed,
        "run.total-env-steps": 4096 * windows,
        "run.window-env-steps": 4096,
        "run.eval-episodes": 1,
        "run.eval-steps-max": 200,
        "world.worlds": 16,
        "ppo.rollout-steps": 64,
        "policy.hidden": 32,
    }
    arguments = [text for name, value in settings.items() for text in (f"--{name}", str(value))]
    subprocess.run(
        [sys.executable, "-m", "astrarium", "train", "prospector-v2", "--quiet", *arguments],
        check=True,
        capture_output=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
