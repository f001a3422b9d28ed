"""Captures: what a teacher did, in files that cannot be changed unnoticed."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium import worlds
from astrarium.runs import documents
from astrarium.train import captures
from astrarium.train.captures import Capture, Facts, Steps
from astrarium.train.errors import CaptureError, DegenerateCapturesError
from astrarium.train.teaching import Lesson, capture, teacher_called

LANTERNS = worlds.get("lanterns-v1")
BOT = "nearest_dark_lamp"


def captured(episodes: int = 3, **lesson) -> list[Capture]:
    settings = LANTERNS.config(ticks_max=12)
    asked = Lesson(episodes=episodes, **lesson)
    return capture(LANTERNS, BOT, teacher_called(LANTERNS, BOT), asked, settings)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    captures.write(tmp_path / "set", captured())
    return tmp_path / "set"


def test_a_set_comes_back_as_it_was_written(folder: Path) -> None:
    for before, after in zip(captured(), captures.read(folder), strict=True):
        assert before.facts == after.facts
        for name in Steps.__slots__:
            one, other = getattr(before.steps, name), getattr(after.steps, name)
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype


def test_the_same_lesson_is_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    captures.write(tmp_path / "again", captured())
    one, other = (
        {p.name: p.read_bytes() for p in f.iterdir()} for f in (folder, tmp_path / "again")
    )
    assert one == other


def test_what_is_captured_does_not_depend_on_the_batch() -> None:
    """Twenty episodes take two batches; the nineteenth alone is a part of one."""
    together = captured(20)
    alone = captured(1, seed=200_019)
    last = together[-2:]
    assert [one.facts for one in last] == [one.facts for one in alone]
    np.testing.assert_array_equal(last[0].steps.obs, alone[0].steps.obs)


def test_a_trajectory_is_one_agent_from_first_sight_to_end() -> None:
    for one in captured():
        steps, facts = one.steps, one.facts
        assert facts.timesteps == len(steps.rewards) == len(steps.value_preds) - 1
        assert steps.dones[:-1].sum() == 0
        assert (facts.ending == "open") == (steps.dones[-1] == 0)
        bot = LANTERNS.bots[BOT]
        np.testing.assert_array_equal(bot(steps.obs, steps.action_mask), steps.actions)


def test_an_episode_that_is_left_is_open() -> None:
    assert {one.facts.ending for one in captured(steps_max=5)} == {"open"}
    assert {one.facts.timesteps for one in captured(steps_max=5)} == {5}


def test_tags_are_what_happened_and_what_was_said(folder: Path, tmp_path: Path) -> None:
    manifest = captures.read_manifest(folder)
    assert manifest.missing(["lamp_lit"]) == []
    assert manifest.missing(["outage", "lamp_lit", "low_money"]) == ["low_money", "outage"]
    said = captures.write(tmp_path / "said", captured(1, tags=("outage",)))
    assert said.missing(["outage"]) == []


def test_an_event_cannot_be_claimed() -> None:
    with pytest.raises(CaptureError, match="lamp_lit cannot be given as a tag"):
        captured(1, tags=("lamp_lit",))


def test_a_capture_says_how_good_it_is() -> None:
    for one in captured():
        told, steps = one.facts.quality_metrics, one.steps
        terms = sum(value for name, value in told.items() if name.startswith("term_"))
        assert terms == pytest.approx(told["return_total"], abs=1e-5)
        assert told["return_total"] == float(steps.rewards.sum(dtype=np.float64))
        assert told["choices"] == captures.had_choice(steps).sum()
        assert told["illegal_orders"] == 0.0
        _, counts = np.unique(steps.actions[captures.had_choice(steps)], axis=0, return_counts=True)
        assert told["one_action_share"] == counts.max() / told["choices"]


@pytest.mark.parametrize("suffix", ["npz", "json"])
def test_a_file_that_was_changed_is_refused(folder: Path, suffix: str) -> None:
    victim = sorted(folder.glob(f"2*.{suffix}"))[0]
    content = bytearray(victim.read_bytes())
    content[len(content) // 2] ^= 1
    victim.write_bytes(content)
    with pytest.raises(CaptureError, match=f"{victim.name} is not what its manifest says"):
        captures.read(folder)


def test_a_file_that_is_gone_is_named(folder: Path) -> None:
    victim = sorted(folder.glob("*.npz"))[0]
    victim.unlink()
    with pytest.raises(CaptureError, match=victim.name):
        captures.read(folder)


def edited(folder: Path, change) -> None:
    path = folder / "manifest.json"
    manifest = documents.read(path, dict)
    change(manifest)
    documents.write(path, manifest)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m["captures"].append(m["captures"][0]), "same trajectory_id"),
        (lambda m: m.update(format=9), "format 9"),
        (lambda m: m.update(kind="checkpoint"), "damaged"),
        (lambda m: m.update(config_ids=["other"]), "one world and lesson"),
        (lambda m: m["captures"][0].update(trajectory_id="../set/x"), "is no file"),
    ],
)
def test_a_manifest_that_was_changed_is_refused(folder: Path, change, words: str) -> None:
    edited(folder, change)
    with pytest.raises(CaptureError, match=words):
        captures.read(folder)


def test_a_copy_under_another_name_is_refused(folder: Path) -> None:
    """One of the two could be learned from while the other judges."""

    def copy(manifest) -> None:
        first = manifest["captures"][0]
        for suffix in ("npz", "json"):
            source = folder / f"{first['trajectory_id']}.{suffix}"
            (folder / f"copy.{suffix}").write_bytes(source.read_bytes())
        manifest["captures"].append({**first, "trajectory_id": "copy"})

    edited(folder, copy)
    with pytest.raises(CaptureError, match="same npz_sha256"):
        captures.read(folder)


def test_arrays_of_another_shape_are_refused_even_with_the_right_digest(folder: Path) -> None:
    manifest = captures.read_manifest(folder)
    name = manifest.captures[0].trajectory_id
    with np.load(folder / f"{name}.npz") as arrays:
        changed = {**arrays, "value_preds": arrays["value_preds"][:-1]}
    np.savez_compressed(folder / f"{name}.npz", **changed)
    digest = hashlib.sha256((folder / f"{name}.npz").read_bytes()).hexdigest()
    edited(folder, lambda m: m["captures"][0].update(npz_sha256=digest))
    with pytest.raises(CaptureError, match="value_preds has shape"):
        captures.read(folder)


def shown(actions: list[int]) -> Capture:
    """A capture of these actions and nothing else."""
    count = len(actions)
    facts = Facts(
        agent_id="a", trajectory_id="t", feature_names=["x"], action_names=[["0", "1"]],
        timesteps=count, tags=[], quality_metrics={}, world="w", config_id="c", variant="v",
        teacher="t", episode_seed=0, ending="terminated",
    )  # fmt: skip
    zeros = np.zeros(count, np.float32)
    steps = Steps(
        zeros[:, None], np.array(actions)[:, None], np.ones((count, 2), np.uint8), zeros,
        np.zeros(count + 1, np.float32), zeros, np.zeros(count, np.uint8),
    )  # fmt: skip
    return Capture(steps, facts)


@settings(deadline=None)
@given(rare=st.integers(0, 12))
def test_one_action_may_be_95_in_100_and_not_more(rare: int) -> None:
    one = shown([0] * (100 - rare) + [1] * rare)
    if rare >= 5:
        captures.check_varied([one])
    else:
        with pytest.raises(DegenerateCapturesError, match=r"the action \(0,\)"):
            captures.check_varied([one])


def test_where_one_action_is_legal_nothing_was_chosen() -> None:
    one = shown([0] * 10 + [1] * 2)
    one.steps.action_mask[:8, 1] = 0
    assert captures.had_choice(one.steps).tolist() == [False] * 8 + [True] * 4
    captures.check_varied([one])
    one.steps.action_mask[10:, 0] = 0
    with pytest.raises(DegenerateCapturesError, match=r"100.0% of 2 decisions"):
        captures.check_varied([one])
    one.steps.action_mask[:, 1] = 0
    with pytest.raises(DegenerateCapturesError, match="more than one legal action"):
        captures.check_varied([one])
