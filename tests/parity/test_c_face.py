"""The C face, reached as any foreign language would, against the other two implementations."""

import ctypes
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from astrarium.parity import Pair, StepRecord, cases, run_case
from astrarium.parity.prospector import PAIR, ReferenceSide
from astrarium.worlds import make_vec
from astrarium.worlds.prospector import layout
from astrarium.worlds.vector import Floats

RESULT = np.dtype(
    [
        ("obs", "<f4", layout.OBS_DIM),
        ("reward", "<f4"),
        *[(name, "u1") for name in ("terminated", "truncated", "invalid_action", "padding")],
        ("dt", "<u2"),
        ("action", "<i2"),
        *[(name, "<f4") for name in layout.INFO_METRICS],
    ]
)


def open_library(path: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(path))
    pointer, word = ctypes.c_void_p, ctypes.c_uint64
    library.prospector_create.restype = pointer
    library.prospector_create.argtypes = [pointer, word]
    library.prospector_destroy.argtypes = [pointer]
    library.prospector_reset.argtypes = [pointer, word, pointer]
    library.prospector_step.argtypes = [pointer, ctypes.c_uint8, pointer]
    library.prospector_reset_many.argtypes = [pointer, pointer, ctypes.c_uint32, pointer]
    library.prospector_step_many.argtypes = [pointer, pointer, ctypes.c_uint32, pointer]
    return library


class CSide:
    """One handle as a side; the generator cannot be seen through it."""

    name = "c"
    metric_names = layout.PARITY_METRICS
    generator = None

    def __init__(self, time_max: float, path: Path) -> None:
        self._library = open_library(path)
        config = np.array([time_max, 0.0], dtype=np.float32)
        self._handle = self._library.prospector_create(config.ctypes.data, 0)
        self._result = np.zeros(1, dtype=RESULT)

    def __del__(self) -> None:
        self._library.prospector_destroy(self._handle)

    def reset(self, seed: int) -> Floats:
        obs = np.empty(layout.OBS_DIM, dtype=np.float32)
        self._library.prospector_reset(self._handle, seed, obs.ctypes.data)
        return obs

    def step(self, action: int) -> StepRecord:
        # Whatever does not fit a byte is as far out of range as 69.
        byte = action if 0 <= action <= 255 else layout.OUT_OF_RANGE
        self._library.prospector_step(self._handle, byte, self._result.ctypes.data)
        result = self._result[0].copy()
        return StepRecord(
            obs=result["obs"],
            reward=result["reward"],
            terminated=bool(result["terminated"]),
            truncated=bool(result["truncated"]),
            dt=int(result["dt"]),
            invalid_action=bool(result["invalid_action"]),
            action=int(result["action"]),
            metrics=np.array([result[name] for name in self.metric_names], dtype=np.float32),
            generator=None,
        )


@pytest.fixture(scope="module")
def library(c_artifacts: dict[str, Path]) -> Path:
    return c_artifacts["library"]


def test_a_result_has_1108_bytes() -> None:
    assert RESULT.itemsize == 1108


def test_c_face_agrees_with_the_native_batch(library: Path) -> None:
    pair = replace(PAIR, left=partial(CSide, path=library))
    for case in cases("ABCDEFG", seeds=2, time_max=(60.0, 2000.0), steps=400):
        result = run_case(pair, case)
        assert result.bundle is None, (str(case), result.bundle.mismatch)


def test_c_face_agrees_with_the_reference_down_to_the_resolved_action(library: Path) -> None:
    pair = Pair(PAIR.world, ReferenceSide, partial(CSide, path=library), PAIR.config_hash)
    for case in cases("AG", seeds=1, time_max=(50.0,), steps=300):
        result = run_case(pair, case)
        assert result.bundle is None, (str(case), result.bundle.mismatch)


def test_replies_after_the_end_agree_with_the_reference(library: Path) -> None:
    """Also after a time-out, which reads as terminated from then on."""
    for time_max, action in ((3.0, layout.HOLD), (2000.0, layout.CASH_OUT)):
        sides = ReferenceSide(time_max), CSide(time_max, library)
        for side in sides:
            side.reset(11)
        for _ in range(6):
            python, c = (side.step(action) for side in sides)
            assert replace(python, generator=None, obs=c.obs, metrics=c.metrics) == c
            assert np.array_equal(python.obs, c.obs)
            assert np.array_equal(python.metrics, c.metrics)
        assert (c.terminated, c.truncated, c.action, c.dt) == (True, False, -1, 0)


def test_step_many_equals_a_batch_of_the_native_world(library: Path) -> None:
    n, steps = 64, 300
    c = open_library(library)
    seeds = np.arange(n, dtype=np.uint64) + 500
    handles = np.array([c.prospector_create(None, 0) for _ in range(n)], dtype=np.uint64)
    obs = np.empty((n, layout.OBS_DIM), dtype=np.float32)
    c.prospector_reset_many(handles.ctypes.data, seeds.ctypes.data, n, obs.ctypes.data)
    world = make_vec("prospector-v1", n, autoreset="same_step")
    world.reset_with_seeds(seeds)
    assert np.array_equal(obs, world.obs[:, 0])
    rng, results = np.random.default_rng(3), np.zeros(n, dtype=RESULT)
    over = np.zeros(n, dtype=np.bool_)
    for _ in range(steps):
        actions = rng.integers(0, 256, n) % 75
        c.prospector_step_many(
            handles.ctypes.data, actions.astype(np.uint8).ctypes.data, n, results.ctypes.data
        )
        world.step(actions)
        # A batch begins again by itself; compare each ship up to the end of its first episode.
        live = ~over
        ended = (world.terminated[:, 0] | world.truncated[:, 0]).astype(np.bool_)
        seen = np.where(ended[:, None], world.final_obs[:, 0], world.obs[:, 0])
        assert np.array_equal(results["obs"][live], seen[live])
        assert np.array_equal(results["reward"][live], world.reward[live, 0])
        assert np.array_equal(results["terminated"][live], world.terminated[live, 0])
        for index, name in enumerate(layout.INFO_METRICS):
            assert np.array_equal(results[name][live], world.stats[live, index]), name
        over |= ended
        assert (results["action"][over & live] != -1).all()
    assert over.sum() > n // 2
    for handle in handles.tolist():
        c.prospector_destroy(handle)
