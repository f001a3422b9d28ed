"""Towns saved, looked into and tried from a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from astrarium.cli import BAD_INPUT, main
from astrarium.worlds.townlet import load
from astrarium.worlds.townlet.resuming import resume


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        main(["townlet", "snapshot", *map(str, words)])
    told = capsys.readouterr()
    return int(exit_.value.code or 0), told.out, told.err


@pytest.fixture
def saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "deep" / "kept.json"
    code, out, _ = run(capsys, "save", "kitchen_breakfast", path, "--ticks", 60)
    assert code == 0
    assert f"{load('kitchen_breakfast').config_id} at tick 60" in out
    return path


def test_playing_on_from_a_snapshot_is_playing_on(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later, straight = tmp_path / "later.json", tmp_path / "straight.json"
    assert run(capsys, "save", saved, later, "--ticks", 40)[0] == 0
    assert run(capsys, "save", "kitchen_breakfast", straight, "--ticks", 100)[0] == 0
    ends = [resume(path) for path in (later, straight)]
    assert ends[0].tick == ends[1].tick == 100
    assert ends[0].world.digests() == ends[1].world.digests()
    monitors = [end.company.monitor for end in ends]
    assert monitors[0] is not None
    assert monitors[1] is not None
    assert monitors[0].snapshot() == monitors[1].snapshot()


def test_a_town_can_have_another_seed_and_a_snapshot_cannot(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "seven.json"
    assert run(capsys, "save", "kitchen_breakfast", path, "--ticks", 1, "--seed", 7)[0] == 0
    resumed = resume(path)
    assert (resumed.town.seed, int(resumed.world.episode_seed[0])) == (7, 7)
    code, _, err = run(capsys, "save", saved, path, "--seed", 7)
    assert code == BAD_INPUT
    assert "leave --seed out" in err


def test_a_town_that_ends_is_saved_at_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    town = tmp_path / "short.yaml"
    town.write_text("seed: 2\nenv: {max_ticks: 5}\n")
    path = tmp_path / "end.json"
    assert run(capsys, "save", town, path, "--ticks", 50)[0] == 0
    assert resume(path).tick == 5


def test_what_a_snapshot_is_of(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "inspect", saved)
    assert code == 0
    document = json.loads(saved.read_bytes())
    for words in (document["config_id"], document["core"]["sha256"], document["created_at"]):
        assert words in out
    code, out, _ = run(capsys, "inspect", saved, "--json")
    assert code == 0
    told = json.loads(out)
    assert told["settings"] == document["settings"]
    assert told["core"] == {"sha256": document["core"]["sha256"]}


def test_whether_it_can_go_on(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "validate", saved, "--town", "kitchen_breakfast")
    assert code == 0
    assert f"{int(resume(saved).world.digests()[0]):016x}" in out
    assert "config_reload" not in out
    code, _, err = run(capsys, "validate", saved, "--town", "default", "--strict")
    assert code == BAD_INPUT
    assert "config_id is kitchen_breakfast-" in err
    saved.write_bytes(saved.read_bytes().replace(b'"tick":60', b'"tick":61', 1))
    code, _, err = run(capsys, "validate", saved)
    assert code == BAD_INPUT
    assert "checksum" in err


def test_edited_hot_settings_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    town, path = tmp_path / "mine.yaml", tmp_path / "kept.json"
    town.write_text("seed: 2\n")
    assert run(capsys, "save", town, path, "--ticks", 10)[0] == 0
    town.write_text("seed: 2\nqueue_fairness: {cooldown_ticks: 33}\n")
    code, out, _ = run(capsys, "validate", path, "--town", town)
    assert code == 0
    assert "queue_fairness is another in the town; config_reload puts it in force" in out
