"""The trace runner's records are the reference's, episodes included."""

import subprocess
from pathlib import Path

import numpy as np

from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.reference import ReferenceProspector

RECORD = np.dtype(
    [
        ("t", "<u4"),
        ("action", "u1"),
        ("dt", "<u2"),
        ("reward", "<f4"),
        *[(name, "u1") for name in ("terminated", "truncated", "invalid")],
        ("resolved", "<i2"),
        ("obs", "<f4", layout.OBS_DIM),
        ("info", "<f4", len(layout.PARITY_METRICS)),
    ]
)


def test_records_equal_the_reference(c_artifacts: dict[str, Path], tmp_path: Path) -> None:
    assert RECORD.itemsize == 1108
    seed = 2**64 - 3
    actions = np.random.default_rng(1).integers(0, 80, 900).astype(np.uint8)
    (tmp_path / "actions.bin").write_bytes(actions.tobytes())
    names = ["--seed", str(seed), "--actions", "actions.bin", "--out", "trace.bin"]
    subprocess.run([c_artifacts["runner"], *names], cwd=tmp_path, check=True)
    records = np.fromfile(tmp_path / "trace.bin", dtype=RECORD)
    assert len(records) == len(actions)

    world = ReferenceProspector()
    world.reset(seed)
    episodes = 0
    for t, (action, record) in enumerate(zip(actions.tolist(), records, strict=True)):
        result = world.step(action)
        told = (t, action, result.dt, result.reward, result.terminated, result.truncated)
        assert record.tolist()[:6] == told
        assert (record["invalid"], record["resolved"]) == (result.invalid_action, result.action)
        assert record["obs"].tobytes() == result.obs.tobytes()
        info = [result.metrics[name] for name in layout.PARITY_METRICS]
        assert record["info"].tolist() == info
        if result.terminated or result.truncated:
            episodes += 1
            world.reset((seed + episodes) % 2**64)
    assert episodes > 3, "the seeds must have wrapped"
