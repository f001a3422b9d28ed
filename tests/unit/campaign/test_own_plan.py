"""A war by a plan of one's own: the same checks, and the folder keeps the content."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from astrarium.campaign import plan
from astrarium.campaign.folder import WarFolder
from astrarium.cli import main
from astrarium.errors import ConfigError

TEXT = (resources.files("astrarium.campaign") / "data" / "war.toml").read_text("utf-8")
RATE = next(line for line in TEXT.splitlines() if line.startswith("food_per_person"))


def test_the_shipped_plan_as_a_file_is_the_shipped_plan(tmp_path: Path) -> None:
    path = tmp_path / "war.toml"
    path.write_text(TEXT)
    assert plan.load(plan.read(path)) == plan.load()


def test_a_war_keeps_its_plan_and_goes_on_without_the_file(tmp_path: Path) -> None:
    path, out = tmp_path / "mine.toml", tmp_path / "war"
    path.write_text(TEXT.replace(RATE, "food_per_person = 0.5"))
    common = ["campaign", "run", "--days", "1", "--replays", "0", "--out", str(out)]
    with pytest.raises(SystemExit) as stopped:
        main([*common, "--plan", str(path)])
    assert stopped.value.code == 0
    assert WarFolder.open(out).plan.economy.food_per_person == 0.5
    path.write_text(TEXT)
    with pytest.raises(SystemExit) as stopped:
        main([*common, "--plan", str(path)])
    assert stopped.value.code == 2
    path.unlink()
    with pytest.raises(SystemExit) as stopped:
        main(common)
    assert stopped.value.code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = [", "is not TOML"),
        ("a = " + "[" * 50_000, "is not TOML"),
        (TEXT.replace(RATE, "food_per_head = 1.0"), "economy.food_per_head"),
        (TEXT.replace(RATE, "food_per_person = -1.0"), "economy.food_per_person"),
        ("#" * (1 << 20) + "\n", "larger than"),
    ],
)
def test_a_wrong_plan_names_the_file_and_the_key(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words) as caught:
        plan.read(path)
    assert str(path) in str(caught.value)
    assert tomllib.loads(TEXT)
