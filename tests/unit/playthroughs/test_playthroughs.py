"""Scenarios are read with care; transcripts are minted with a reason and compared line by line."""

from dataclasses import replace
from pathlib import Path

import pydantic
import pytest

from astrarium import playthroughs, worlds
from astrarium.cli import main
from astrarium.errors import ConfigError
from astrarium.playthroughs import Scenario, scenario, wording
from astrarium.playthroughs.players import player_of
from astrarium.worlds import WorldEntry

LANTERNS = worlds.get("lanterns-v1")
SHORT = Scenario(name="short", about="a few ticks", seed=7, steps=5, bot="nearest_dark_lamp")


def declare(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorldEntry:
    """Lanterns with other scenarios."""
    path = tmp_path / "scenarios.toml"
    path.write_text(text, "utf-8")
    monkeypatch.setattr(scenario, "scenarios_path", lambda _: path)
    return LANTERNS


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("bot = 'nearest_dark_lamp'\nrandom_legal = 1", "not bot and random_legal"),
        ("", "exactly one of bot, random_legal and orders, not none"),
        ("bot = 'nearest_lamp'", "did you mean 'nearest_dark_lamp'"),
        ("bot = 'nearest_dark_lamp'\nsede = 3", "unknown key 'sede'; did you mean 'seed'"),
        ("random_legal = 1\nconfig = { tick_max = 3 }", "did you mean 'ticks_max'"),
        ("orders = [['left', 'rest', 'left', 'rest']]", "orders has 1 rows"),
        ("random_legal = -1", "random_legal is -1"),
    ],
)
def test_a_wrong_scenario_is_named_with_its_remedy(
    fields: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"[lanterns-v1.short]\nabout = 'x'\nseed = 7\nsteps = 2\n{fields}\n"
    entry = declare(text, tmp_path, monkeypatch)
    with pytest.raises(ConfigError, match=message) as caught:
        playthroughs.scenarios_of(entry)
    assert "lanterns-v1.short" in str(caught.value)


def test_broken_toml_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = declare("[lanterns-v1.short\n", tmp_path, monkeypatch)
    with pytest.raises(ConfigError, match=r"scenarios\.toml"):
        playthroughs.scenarios_of(entry)


def test_an_unknown_scenario_is_met_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'bad_orders'"):
        playthroughs.find(LANTERNS, "bad_order")


def test_listed_orders_are_checked_against_the_names() -> None:
    for row, message in (
        (("left", "rest"), "has 2 choices; give 4"),
        (("left", "rest", "lift", "rest"), "no choice is called 'lift'; did you mean 'left'"),
    ):
        one = Scenario(name="listed", about="x", seed=1, steps=1, orders=(row,))
        with pytest.raises(ConfigError, match=message):
            player_of(LANTERNS, one)


def test_random_legal_orders_are_legal_and_depend_on_their_seed_alone() -> None:
    def orders(seed: int) -> list[str]:
        one = Scenario(name="lots", about="x", seed=7, steps=12, random_legal=seed)
        lines = playthroughs.written(LANTERNS, one)
        assert not any("ignored_order" in line for line in lines)
        return [line for line in lines if line.startswith("# orders")]

    assert orders(1) == orders(1) != orders(2)


def test_a_transcript_says_when_the_episode_is_over() -> None:
    ended = SHORT.model_copy(update={"config": {"ticks_max": 3}})
    assert "# over after 3 steps" in playthroughs.written(LANTERNS, ended)
    assert "# left after 5 steps" in playthroughs.written(LANTERNS, SHORT)


def test_minting_needs_a_reason_and_keeps_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs a reason"):
        playthroughs.mint(LANTERNS, SHORT, tmp_path, "  ")
    assert list(tmp_path.iterdir()) == []
    path = playthroughs.mint(LANTERNS, SHORT, tmp_path, "because\nit is new").path
    assert "minted  because it is new\n\n# tick 0" in path.read_text("utf-8")
    assert playthroughs.verify(LANTERNS, SHORT, tmp_path).holds


def test_minting_again_without_a_change_keeps_the_first_reason(tmp_path: Path) -> None:
    path = playthroughs.mint(LANTERNS, SHORT, tmp_path, "first").path
    before = path.read_bytes()
    assert playthroughs.mint(LANTERNS, SHORT, tmp_path, "second").holds
    assert path.read_bytes() == before


def test_a_changed_line_is_shown_as_a_difference(tmp_path: Path) -> None:
    path = playthroughs.mint(LANTERNS, SHORT, tmp_path, "first").path
    path.write_text(path.read_text("utf-8").replace("oil 0.9583", "oil 0.9584", 1), "utf-8")
    answer = playthroughs.verify(LANTERNS, SHORT, tmp_path)
    assert not answer.holds
    removed = [line for line in answer.difference.splitlines() if line.startswith("-keeper")]
    added = [line for line in answer.difference.splitlines() if line.startswith("+keeper")]
    assert len(removed) == 1
    assert "oil 0.9584" in removed[0]
    assert "oil 0.9583" in added[0]


def test_a_long_difference_is_cut(tmp_path: Path) -> None:
    long = SHORT.model_copy(update={"steps": 60})
    playthroughs.mint(LANTERNS, long, tmp_path, "first")
    other = long.model_copy(update={"seed": 8})
    assert "more lines of difference" in playthroughs.verify(LANTERNS, other, tmp_path).difference


def test_transcripts_without_a_scenario_are_strays(tmp_path: Path) -> None:
    path = playthroughs.mint(LANTERNS, SHORT, tmp_path, "first").path
    assert playthroughs.strays(LANTERNS, tmp_path) == [path]


def test_numbered_names_are_folded_only_where_nothing_is_missing() -> None:
    assert wording.summary(["left", "stay"]) == ["left", "stay"]
    assert wording.summary(f"rock_{k}" for k in range(8)) == ["rock_0..7"]
    assert wording.summary(["rock_0", "rock_2"]) == ["rock_0|2"]
    grid = [f"sell_{c}_{b}pct" for c in range(3) for b in (25, 50)]
    assert wording.summary(grid) == ["sell_0..2_25|50pct"]
    assert wording.summary(grid[1:]) == grid[1:]


def test_parts_get_a_line_and_arrays_a_bracket() -> None:
    fields = [("fuel", "1"), ("price[iron]", "2"), ("price[ice]", "3"), ("rock[0].size", "4")]
    assert list(wording.listed("ship", fields)) == [
        "ship  fuel 1  price[iron 2  ice 3]",
        "    rock[0]  size 4",
    ]
    lines = list(wording.wrapped("  label", ["word"] * 40))
    assert max(map(len, lines)) <= wording.WIDTH
    assert all(line.startswith("      word") for line in lines[1:])


def test_a_bot_is_no_scenario_field_by_accident() -> None:
    with pytest.raises(pydantic.ValidationError):
        Scenario(name="Bad Name", about="x", seed=1, steps=1, bot="b")


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["playthrough", *words])
    return int(caught.value.code or 0)


def test_the_command_mints_verifies_and_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--folder", str(tmp_path))
    assert run("verify", "lanterns-v1", *place) == 1
    assert run("mint", "lanterns-v1", "--all", "--reason", "a test", *place) == 0
    assert run("verify", "lanterns-v1", *place) == 0
    capsys.readouterr()
    assert run("mint", "lanterns-v1", "bad_orders", *place) == 0
    assert "is unchanged" in capsys.readouterr().out
    assert run("show", "lanterns-v1", "--scenario", "bad_orders") == 0
    shown = capsys.readouterr().out
    kept = (tmp_path / "lanterns-v1" / "bad_orders.txt").read_text("utf-8")
    assert shown.strip() == kept.replace("minted  a test\n", "").strip()


def test_the_command_refuses_to_mint_without_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("mint", "lanterns-v1", "--all", "--folder", str(tmp_path)) == 2
    assert "needs a reason" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert run("mint", "lanterns-v1", "--folder", str(tmp_path)) == 2
    assert "name one scenario" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["/proc/nowhere", "taken"])
def test_a_folder_that_cannot_be_written_is_named_before_anything_is_played(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").touch()
    monkeypatch.setattr(playthroughs, "verify", None)
    assert run("mint", "lanterns-v1", "--all", "--reason", "x", "--folder", place) == 2
    assert f"error: cannot write {place}/lanterns-v1/" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_transcript_that_is_no_text_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lanterns-v1" / "bad_orders.txt"
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe")
    assert run("verify", "lanterns-v1", "--folder", str(tmp_path)) == 2
    assert f"{path} is not UTF-8 text" in capsys.readouterr().err
    path.unlink()
    path.mkdir()
    assert run("verify", "lanterns-v1", "--folder", str(tmp_path)) == 2
    assert f"error: {path}: Is a directory" in capsys.readouterr().err


def test_the_command_asks_for_the_reason_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("rich.prompt.Prompt.ask", lambda *_: "I was asked")
    assert run("mint", "lanterns-v1", "bad_orders", "--folder", str(tmp_path)) == 0
    text = (tmp_path / "lanterns-v1" / "bad_orders.txt").read_text("utf-8")
    assert "minted  I was asked\n" in text


def test_a_world_without_scenarios_is_told_where_to_write_them(tmp_path: Path) -> None:
    class Elsewhere(LANTERNS.config):
        """A config of this test's module, beside which there are no scenarios."""

    entry = replace(LANTERNS, config=Elsewhere)
    assert playthroughs.scenarios_of(entry) == ()
    assert playthroughs.scenarios_path(entry) == Path(__file__).parent / "scenarios.toml"
