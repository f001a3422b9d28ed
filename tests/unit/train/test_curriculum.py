"""Going up a ladder of battles, and on where it was broken off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.train import climbing, curriculum, training
from astrarium.train.climbing import go_up, rounds_of
from astrarium.train.config import layered
from astrarium.train.curriculum import Climb, Curriculum, Rules, check, curriculum_of, next_rung

CALM = {"scenario": "duel", "opponent": "pursuer"}
RUNGS = [CALM, {"scenario": "skirmish", "opponent": "line"}]
SHORT = {"games": 2, "promote": 0.0, "demote": 0.0, "round_ticks": 640, "rounds_max": 3}
TRAINING = {
    "world": {
        "id": "tidebreak-v1",
        "worlds": 2,
        "settings": {"decision_ticks": 10, "fidelity": "F0"},
    },
    "policy": {"hidden": [8]},
    "ppo": {"rollout_steps": 16, "epochs": 1, "minibatches": 1},
    "run": {"device": "cpu", "threads": 1, "window_env_steps": 320},
}


def climb_in(root: Path, *layers, **rules) -> Climb:
    rungs = rules.pop("rungs", RUNGS)
    whole = Curriculum(**{"preset": "tidebreak-v1", "rungs": rungs, **SHORT, **rules})
    return Climb(whole, layered(TRAINING, *layers), root)


@pytest.mark.parametrize(
    ("at", "share", "after"),
    [
        (0, 0.70, 1),
        (0, 0.695, 0),
        (2, 0.70, 3),
        (2, 0.40, 2),
        (2, 0.395, 1),
        (0, 0.395, 0),
        (0, 0.0, 0),
        (5, 1.0, 6),
    ],
)
def test_who_wins_often_goes_up_and_who_loses_often_down(at: int, share: float, after: int) -> None:
    assert next_rung(at, share, Rules()) == after


def nobody(*_: object) -> None:
    """Told of progress, says nothing."""


def test_every_round_goes_on_from_the_one_before_on_its_rung(tmp_path: Path) -> None:
    rounds = go_up(climb_in(tmp_path), nobody)
    assert [(one.rung, one.next_rung, one.games) for one in rounds] == [(0, 1, 2), (1, 2, 2)]
    first, second = (RunFolder.open(tmp_path / f"round-00{at}").config() for at in (0, 1))
    assert first["run"]["init_from"] is None
    assert second["run"]["init_from"] == str(tmp_path / "round-000")
    assert second["world"]["settings"]["scenario"] == "skirmish"
    assert second["world"]["settings"]["opponent"] == "line"
    assert json.loads((tmp_path / "curriculum.json").read_text())["rounds"][1]["won"] >= 0


def test_who_never_wins_often_enough_ends_with_the_last_round(tmp_path: Path) -> None:
    rounds = go_up(climb_in(tmp_path, promote=1.0, demote=1.0, rounds_max=2, rungs=[CALM]), nobody)
    assert len(rounds) == 2
    assert [one.next_rung for one in rounds] == [0, 0]


def weights(root: Path) -> list[bytes]:
    policy = RunFolder.open(root / "round-001").load_checkpoint("latest").policy
    return [policy[name].tobytes() for name in sorted(policy)]


def test_a_climb_that_is_killed_again_and_again_comes_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = go_up(climb_in(tmp_path / "whole"), nobody)
    parted = climb_in(tmp_path / "parted")
    kills = iter(range(100))

    def kill_in_training(number: int, at: int, share: float) -> None:
        # Before the first checkpoint of the first round, later in it, and in the second round.
        if share < 1.0 and next(kills) in (1, 4, 6):
            raise KeyboardInterrupt

    def kill_before_the_games(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    broken = 0
    with monkeypatch.context() as patch:
        patch.setattr(climbing, "meet", kill_before_the_games)
        for _ in range(8):
            try:
                go_up(parted, kill_in_training)
            except KeyboardInterrupt:
                broken += 1
    assert broken == 8
    assert rounds_of(parted) == []
    assert RunFolder.open(parted.run_of(0)).status() == "completed"
    for _ in range(8):
        try:
            assert go_up(parted, kill_in_training) == whole
            break
        except KeyboardInterrupt:
            continue
    assert rounds_of(parted) == whole
    assert weights(tmp_path / "whole") == weights(tmp_path / "parted")

    def again(*_: object, **__: object) -> None:
        raise AssertionError("a finished round was trained again")

    monkeypatch.setattr(training, "start", again)
    monkeypatch.setattr(training, "resume", again)
    assert go_up(parted, nobody) == whole


def test_a_folder_of_another_climb_is_refused_but_more_rounds_are_not(tmp_path: Path) -> None:
    go_up(climb_in(tmp_path, rounds_max=1), nobody)
    with pytest.raises(ConfigError, match="another --root"):
        go_up(climb_in(tmp_path, games=4), nobody)
    with pytest.raises(ConfigError, match="another --root"):
        go_up(climb_in(tmp_path, {"run": {"seed": 3}}), nobody)
    assert len(go_up(climb_in(tmp_path, {"run": {"threads": 2}}), nobody)) == 2


def test_rounds_are_judged_on_seeds_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []
    meet = climbing.meet

    def watched(*given, seed: int, **options):
        seeds.append(seed)
        return meet(*given, seed=seed, **options)

    monkeypatch.setattr(climbing, "meet", watched)
    go_up(climb_in(tmp_path), nobody)
    assert seeds == [400_000, 401_000]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('preset = "tidebreak-v1"\nrungs = []', "rungs"),
        ('rungs = [{ scenario = "duel", opponent = "line" }]', "preset is missing"),
        ('preset = "x"\nrungs = [{ scenario = "duel" }]', "opponent is missing"),
        ('preset = "x"\ngames = 3\nrungs = [{ scenario = "a", opponent = "b" }]', "games is 3"),
        ('preset = "x"\npromot = 1.0\nrungs = []', "did you mean 'promote'"),
        (
            'preset = "x"\npromote = 0.3\nrungs = [{ scenario = "a", opponent = "b" }]',
            "demote is 0.4, above promote",
        ),
        ("rungs = ", "not TOML"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_by_name(
    tmp_path: Path, text: str, words: str
) -> None:
    place = tmp_path / "mine.toml"
    place.write_text(text)
    with pytest.raises(ConfigError, match=words):
        curriculum_of("tidebreak-v1", place)


def test_rungs_that_are_nowhere_are_refused_before_anything_is_learned(tmp_path: Path) -> None:
    for rung, words in (
        ({"scenario": "duel", "opponent": "persuer"}, "did you mean 'pursuer'"),
        ({"scenario": "atlantis", "opponent": "line"}, "scenario"),
    ):
        with pytest.raises(ConfigError, match=words):
            go_up(climb_in(tmp_path, rungs=[CALM, rung]), nobody)
    with pytest.raises(ConfigError, match=r"policy\.groups"):
        check(climb_in(tmp_path, {"policy": {"groups": {"one": [0]}}}))
    elsewhere = {"world": {"id": "lanterns-v1", "settings": {}}}
    with pytest.raises(ConfigError, match="two sides"):
        check(climb_in(tmp_path, elsewhere))
    assert not list(tmp_path.iterdir())


def test_every_curriculum_that_ships_is_sound(tmp_path: Path) -> None:
    for world in curriculum.shipped():
        assert worlds.get(world).duels
        found = curriculum_of(world, None)
        assert (found.games, found.promote, found.demote) == (200, 0.70, 0.40)
        check(Climb(found, layered({"world": {"id": world}}), tmp_path))
    with pytest.raises(ConfigError, match="--file"):
        curriculum_of("lanterns-v1", None)
