"""`astrarium play` as a reader sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from astrarium.bench.report import read_json
from astrarium.cli import main


def shown(capsys: pytest.CaptureFixture[str], *tokens: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["play", *tokens])
    captured = capsys.readouterr()
    assert ended.value.code == 0, captured.err
    return captured.out


@pytest.mark.parametrize("width", ["80", "120"])
@pytest.mark.parametrize("world", ["prospector-v1", "prospector-v2", "lanterns-v1"])
def test_the_table_fits_and_nothing_is_cut(
    capsys: pytest.CaptureFixture[str], terminal: Callable[[int], None], width: str, world: str
) -> None:
    terminal(int(width))
    text = shown(capsys, world, "--episodes", "20")
    assert "random_legal" in text
    assert "digest " in text
    assert "…" not in text
    table = text.split("player", 1)[1].split("Next:")[0]
    assert max(len(line) for line in table.splitlines()) <= int(width)
    assert "\x1b" not in text


def test_the_digest_does_not_depend_on_threads(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (
        shown(capsys, "--episodes", "12", "--bots", "random_legal", "--threads", threads)
        for threads in ("1", "2")
    )
    assert one.split("digest ")[1][:16] == two.split("digest ")[1][:16]


def test_the_report_holds_every_episode(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    bots = ("--bots", "market_timer,random_legal")
    shown(capsys, "prospector-v1", "--episodes", "3", *bots, "--seed", "40", "--json", str(path))
    report = read_json(path)
    assert {"generated_at", "run_id", "config", "bots", "summary", "digest"} <= set(report)
    assert [row["seed"] for row in report["bots"]["market_timer"]] == [40, 41, 42]
    assert report["summary"]["random_legal"]["episode_count"] == 3


@pytest.mark.parametrize(
    "tokens",
    [
        ("nowhere-v1",),
        ("--episodes", "0"),
        ("--bots", "nobody"),
        ("--bots", ""),
        ("--seed", "-1"),
        ("--threads", "0"),
    ],
)
def test_bad_input_exits_with_two(
    capsys: pytest.CaptureFixture[str], tokens: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", *tokens])
    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "reason"), [("/proc/x.json", "No such file"), (".", "Is a directory")]
)
def test_a_report_that_could_not_be_written_is_refused_before_anything_is_played(
    place: str,
    reason: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["play", "--json", place])
    assert ended.value.code == 2
    captured = capsys.readouterr()
    assert f"error: cannot write {place}: {reason}" in captured.err
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == []


def test_only_players_that_see_the_hidden_state_are_called_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "with sight of the hidden state"
    few = ("--episodes", "1", "--threads", "1")
    assert f"planner: {words}" in shown(capsys, "prospector-v2", *few, "--bots", "planner,hauler")
    assert words not in shown(capsys, "tidebreak-v1", *few, "--bots", "drifter")
