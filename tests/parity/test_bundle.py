"""A bundle holds everything needed to see a difference again, and is there whole or not at all."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astrarium.errors import AstrariumError
from astrarium.parity import Bundle, BundleError, Case, Pair, bundle, replay, run_case
from astrarium.parity.prospector import PAIR, ReferenceSide, config_hash
from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.reference import V1

NOW = datetime(2001, 2, 3, 4, 5, 6, 789, tzinfo=UTC)


def broken(**changes: Any) -> Pair:
    return replace(PAIR, left=partial(ReferenceSide, rules=replace(V1, **changes)))


def evidence(pair: Pair, case: Case) -> Bundle:
    result = run_case(pair, case)
    assert result.bundle is not None
    return result.bundle


@pytest.fixture(scope="module")
def failing() -> Bundle:
    """Suite C, broken where an episode refines: step 9 of the first."""
    return evidence(broken(refine_alert=3.5), Case("C", 3, 2000.0, 600))


def test_a_bundle_is_complete(failing: Bundle, tmp_path: Path) -> None:
    folder = bundle.save(failing, tmp_path, NOW)
    assert folder.name == "20010203T040506.000789Z_suite-C_seed-3_time-2000"
    files = {path.name for path in folder.iterdir()}
    assert files == {"actions.npy", "python_trace.npz", "native_trace.npz", "mismatch.json"}
    assert np.load(folder / "actions.npy").tolist() == [8, 11, 12, 29, 33, 6, 0, 42, 45, 32]
    told = json.loads((folder / "mismatch.json").read_text())
    assert (told["suite"], told["seed"], told["time_max"]) == ("C", 3, 2000.0)
    assert told["config_hash"] == config_hash(2000.0) != config_hash(8000.0)
    found = told["mismatch"]
    assert (found["step"], found["field"], found["obs_index"]) == (9, "obs", layout.ALERT)
    assert found["abs_diff"] == abs(found["python"] - found["native"]) > found["tol"] == 0
    assert (found["episode"], found["episode_seed"]) == (0, 3)
    states = found["generators_before"]
    assert states["python"] == states["native"]
    assert re.fullmatch("0x[0-9a-f]{16}", states["native"])


def test_traces_show_both_sides_up_to_the_step_that_differs(
    failing: Bundle, tmp_path: Path
) -> None:
    folder = bundle.save(failing, tmp_path, NOW)
    python, native = (np.load(folder / f"{side}_trace.npz") for side in ("python", "native"))
    expected = {"reward", "terminated", "truncated", "dt", "obs"}
    expected |= {f"info_{key}" for key in layout.PARITY_METRICS}
    for trace in (python, native):
        assert expected <= set(trace.files)
        assert trace["obs"].shape == (10, layout.OBS_DIM)
        assert {len(trace[name]) for name in expected} == {10}
    assert np.array_equal(python["obs"][:9], native["obs"][:9])
    assert np.flatnonzero(python["obs"][9] != native["obs"][9])[0] == layout.ALERT


def test_a_bundle_reads_back_equal_and_reproduces(failing: Bundle, tmp_path: Path) -> None:
    loaded = bundle.load(bundle.save(failing, tmp_path, NOW))
    assert loaded.mismatch == failing.mismatch
    assert loaded.case == failing.case
    assert replay(broken(refine_alert=3.5), loaded) == failing.mismatch


def test_a_mended_rule_no_longer_reproduces(failing: Bundle) -> None:
    assert replay(PAIR, failing) is None


def test_a_difference_in_a_later_episode_reproduces(tmp_path: Path) -> None:
    pair = broken(fracture_logit=-3.0)
    failing = evidence(pair, Case("D", 0, 2000.0, 600))
    assert failing.mismatch.episode == 8
    loaded = bundle.load(bundle.save(failing, tmp_path, NOW))
    assert replay(pair, loaded) == failing.mismatch


def test_a_difference_at_the_first_reset_reproduces(tmp_path: Path) -> None:
    pair = broken(threat_est_start=0.4)
    failing = evidence(pair, Case("C", 0, 2000.0, 10))
    loaded = bundle.load(bundle.save(failing, tmp_path, NOW))
    assert len(loaded.actions) == 0
    assert loaded.traces[0]["obs"].shape == (0, layout.OBS_DIM)
    assert loaded.traces[0]["reset_obs"].shape == (1, layout.OBS_DIM)
    assert replay(pair, loaded) == failing.mismatch


def test_values_json_has_no_word_for_survive(failing: Bundle, tmp_path: Path) -> None:
    difference = replace(failing.mismatch.difference, left=float("-inf"), abs_diff=float("inf"))
    odd = replace(failing, mismatch=replace(failing.mismatch, difference=difference))
    loaded = bundle.load(bundle.save(odd, tmp_path, NOW))
    assert loaded.mismatch == odd.mismatch


def test_half_a_bundle_is_never_seen(
    failing: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="disk is full"):
        bundle.save(failing, tmp_path, NOW)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["actions.npy", "native_trace.npz", "mismatch.json"])
def test_a_missing_or_damaged_file_is_named(failing: Bundle, tmp_path: Path, name: str) -> None:
    folder = bundle.save(failing, tmp_path, NOW)
    (folder / name).write_bytes(b"{}")
    with pytest.raises(BundleError, match=str(folder)):
        bundle.load(folder)
    (folder / name).unlink()
    with pytest.raises(BundleError, match=name):
        bundle.load(folder)


def test_another_format_is_refused(failing: Bundle, tmp_path: Path) -> None:
    folder = bundle.save(failing, tmp_path, NOW)
    told = json.loads((folder / "mismatch.json").read_text())
    (folder / "mismatch.json").write_text(json.dumps(told | {"format": 99}))
    with pytest.raises(AstrariumError, match="format 99"):
        bundle.load(folder)
