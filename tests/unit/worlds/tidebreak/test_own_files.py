"""Scenarios and tables of one's own: read at the edge, kept by content, checked as the shipped."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astrarium import _native
from astrarium.errors import ConfigError, SnapshotError
from astrarium.runs.replaying import config_hash
from astrarium.worlds import get, make_vec
from astrarium.worlds.tidebreak import TidebreakConfig
from astrarium.worlds.tidebreak.scenarios import draw

SCENARIO = """
about = "Two corvettes, very close."
limit_s = 120
size_m = [24000.0, 24000.0]
distance_m = [2000.0, 3000.0]
bearing_deg = [0.0, 360.0]

[weather]
sea_state = [0.0, 1.0]
visibility_km = [20.0, 20.0]
wind = [0.0, 4.0]

[[team]]
id = "blue"
name = "Blue"

[[team]]
id = "red"
name = "Red"

[[group]]
team = "blue"
hull = "corvette"
count = 2
spacing_m = 500.0

[[group]]
team = "red"
hull = "corvette"
count = 1
"""
DATA = Path(__file__).parents[4] / "crates" / "tidebreak" / "data"


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "close.toml"
    path.write_text(SCENARIO)
    return path


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    folder.mkdir()
    text = (DATA / "objectives.toml").read_text()
    (folder / "objectives.toml").write_text(text)
    weapons = (DATA / "weapons.toml").read_text()
    (folder / "weapons.toml").write_text(weapons)
    return folder


def wounded(tables: Path) -> None:
    """Change a figure that every battle feels."""
    path = tables / "hulls.toml"
    lines = (DATA / "hulls.toml").read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("hp"))
    lines = [
        f"{'hp = 7.0' if i == at or line.startswith('hp') else line}"
        for i, line in enumerate(lines)
    ]
    path.write_text("\n".join(lines) + "\n")


def test_a_scenario_file_is_fought_and_its_content_kept(scenario: Path) -> None:
    world = make_vec("tidebreak-v1", 2, config={"scenario": scenario})
    assert world.layout.agents == 2
    config: Any = world.config
    assert (config.scenario, config.scenario_text) == ("close", SCENARIO)
    scenario.unlink()
    again = make_vec("tidebreak-v1", 2, config=config.model_dump(mode="json"))
    assert again.digests().tolist() == world.digests().tolist()
    assert get("tidebreak-v1").under(config).agent_names == ("blue_0", "blue_1")


def test_an_edited_scenario_is_another_config(scenario: Path) -> None:
    world = make_vec("tidebreak-v1", config={"scenario": scenario})
    before: Any = world.config
    scenario.write_text(SCENARIO.replace("limit_s = 120", "limit_s = 121"))
    edited = make_vec("tidebreak-v1", config={"scenario": scenario})
    after: Any = edited.config
    assert config_hash(before) != config_hash(after)
    with pytest.raises(SnapshotError, match="config"):
        edited.restore(world.snapshot())


def test_settings_without_own_files_keep_their_form_and_hash() -> None:
    assert not {"scenario_text", "tables"} & TidebreakConfig().model_dump().keys()
    assert "tables" not in TidebreakConfig().model_dump_json()


def test_own_tables_change_the_battles_and_equal_ones_do_not(tables: Path) -> None:
    def after(**given: Any) -> list[int]:
        world = make_vec("tidebreak-v1", 2, config=given, opponent="line", decision_ticks=10)
        for _ in range(3):
            world.step(np.zeros_like(world.actions))
        return world.digests().tolist()

    shipped = after()
    assert after(tables=tables) == shipped
    wounded(tables)
    assert after(tables=tables) != shipped
    assert after() == shipped


def test_a_string_is_never_a_path(scenario: Path, tables: Path) -> None:
    with pytest.raises(ConfigError, match="no scenario is called"):
        make_vec("tidebreak-v1", config={"scenario": str(scenario)})
    with pytest.raises(ConfigError, match="tables"):
        make_vec("tidebreak-v1", config={"tables": str(tables)})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("limit_s = 120", "limit_s = oops", "line 3"),
        ("limit_s = 120", "limit_seconds = 120", "limit_seconds"),
        ('hull = "corvette"', 'hull = "galleon"', "galleon"),
        ("sea_state = [0.0, 1.0]", "sea_state = [0.0, 99.0]", "sea_state"),
    ],
)
def test_a_wrong_scenario_names_file_place_and_what_is_wrong(
    scenario: Path, old: str, new: str, words: str
) -> None:
    scenario.write_text(SCENARIO.replace(old, new))
    with pytest.raises(ConfigError, match=words) as caught:
        make_vec("tidebreak-v1", config={"scenario": scenario})
    assert str(scenario) in str(caught.value)


def test_wrong_tables_name_file_line_and_what_is_allowed(tables: Path) -> None:
    weapons = tables / "weapons.toml"
    text = weapons.read_text()
    weapons.write_text("seeker_look_seconds = 3\n" + text)
    with pytest.raises(ConfigError, match=r"table weapons: line 1: unknown field") as caught:
        make_vec("tidebreak-v1", config={"tables": tables})
    assert str(tables) in str(caught.value)
    weapons.rename(tables / "wepons.toml")
    with pytest.raises(ConfigError, match="did you mean 'weapons'"):
        make_vec("tidebreak-v1", config={"tables": tables})


def test_files_that_are_no_plain_text_of_a_sensible_size_are_refused(tmp_path: Path) -> None:
    def refusal(path: Path) -> str:
        with pytest.raises(ConfigError) as caught:
            make_vec("tidebreak-v1", config={"scenario": path})
        return str(caught.value)

    assert "No such file" in refusal(tmp_path / "missing.toml")
    os.mkfifo(tmp_path / "pipe.toml")
    assert "is not a file" in refusal(tmp_path / "pipe.toml")
    (tmp_path / "large.toml").write_text("#" * (1 << 20) + "\n")
    assert "larger than 1,048,576 bytes" in refusal(tmp_path / "large.toml")
    (tmp_path / "bytes.toml").write_bytes(b"about = \xff")
    assert "not UTF-8" in refusal(tmp_path / "bytes.toml")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 100_000)
    assert "deep" in refusal(tmp_path / "deep.toml")


def test_other_worlds_take_no_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="ticks_max is a path"):
        make_vec("lanterns-v1", config={"ticks_max": tmp_path})


def test_a_package_is_drawn_from_a_file(scenario: Path) -> None:
    package = draw(scenario, 5)
    assert package.battle_id.startswith("close-")
    assert len(package.ships) == 3
    assert draw(scenario, 5) == package


def test_text_that_is_too_long_is_refused_in_the_core_too() -> None:
    with pytest.raises(ConfigError, match="larger than"):
        _native.tidebreak_fleets("duel", None, {"hulls": "#" * ((1 << 20) + 1)})
