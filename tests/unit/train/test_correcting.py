"""A pupil strays, and its teacher says what it would have done there."""

from pathlib import Path

import numpy as np
import pytest

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.train import captures
from astrarium.train.beginning import checkpoint_at
from astrarium.train.cloning import clone
from astrarium.train.config import TrainConfig, layered
from astrarium.train.correcting import Answers, Correction, ask
from astrarium.train.demonstrations import Demonstrations
from astrarium.train.imitation import Study, one_thread
from astrarium.train.player import player_of
from astrarium.train.policy import Shape
from astrarium.train.teaching import Lesson, capture, teacher_called
from astrarium.worlds import ladder
from astrarium.worlds.config import parse_config

ENTRY = worlds.get("lanterns-v1")
SETTINGS = parse_config(ENTRY.config, None, where=ENTRY.id)
TEACHER = "nearest_dark_lamp"
KNOWN = ladder.policies(ENTRY)
SMALL = Correction(rounds=2, worlds=4, steps=60, share=0.5)


def answers(pupil: ladder.Policy, *, seed: int = 3, round_: int = 0) -> Answers:
    return ask(ENTRY, SETTINGS, KNOWN[TEACHER], pupil, SMALL, seed=seed, round_=round_)


def test_the_teacher_answers_for_what_the_pupil_saw() -> None:
    found = answers(KNOWN["random_legal"])
    assert 0 < len(found.obs) < SMALL.worlds * SMALL.steps * 8
    told = ENTRY.bots[TEACHER](found.obs[:, np.newaxis], found.mask[:, np.newaxis])
    np.testing.assert_array_equal(found.actions, told[:, 0])


def test_only_choices_are_asked_about() -> None:
    assert (answers(KNOWN["random_legal"]).mask.sum(-1) > len(ENTRY.action_names)).all()


def test_the_same_seed_and_round_ask_the_same() -> None:
    pupil = KNOWN["random_legal"]
    first, again, later = answers(pupil), answers(pupil), answers(pupil, round_=1)
    np.testing.assert_array_equal(first.obs, again.obs)
    assert not np.array_equal(first.obs, later.obs)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown") / "captures"
    lesson = Lesson(episodes=8, steps_max=200)
    captures.write(folder, capture(ENTRY, TEACHER, teacher_called(ENTRY, TEACHER), lesson))
    return folder


def config(**policy: object) -> TrainConfig:
    return layered({"world": {"id": ENTRY.id}, "policy": {"hidden": [32], **policy}})


def test_answers_teach_nothing_about_values(shown: Path) -> None:
    known = captures.read(shown, captures.read_manifest(shown))
    world = ENTRY.make(SETTINGS, 1, 1, "same_step")
    demonstrations = Demonstrations(known, Shape.of(world.layout), 0.99)
    before = len(demonstrations.obs)
    found = answers(KNOWN["random_legal"])
    demonstrations.add(found)
    assert len(demonstrations.obs) == before + len(found.obs)
    assert demonstrations.values[:before].isfinite().all()
    assert demonstrations.values[before:].isnan().all()
    assert demonstrations.legal[before:].all()


def lit(place: Path) -> float:
    """What a clone brings home from unseen episodes."""
    world = ENTRY.make(SETTINGS, 1, 1, "same_step")
    pupil = player_of(checkpoint_at(place), config(), world.layout, "pupil", greedy=True)
    with one_thread():
        played = ladder.play(ENTRY, "pupil", pupil, ladder.Rules(episodes=32, seed=5), SETTINGS)
    return float(played.columns["return_total"].mean())


def test_a_corrected_clone_plays_better_than_one_that_only_watched(
    shown: Path, tmp_path: Path
) -> None:
    study, often = Study(epochs=20), Correction(rounds=3, worlds=16, steps=200, epochs=10)
    clone(shown, tmp_path / "plain", config(), study)
    clone(shown, tmp_path / "corrected", config(), study, often)
    assert lit(tmp_path / "corrected") > 1.5 * lit(tmp_path / "plain")


def test_a_policy_with_memory_is_not_corrected(shown: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="without memory"):
        clone(shown, tmp_path / "one", config(memory="gru"), Study(), SMALL)
