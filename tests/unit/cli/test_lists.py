"""Commands that list things: no id is cut at any width, and `--json` gives one array of objects."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bot_runs import write_run
from rich.console import Console
from rich.text import Text

from astrarium.bench.tables import new_table, print_table
from astrarium.campaign import plan, warring
from astrarium.cli import main

LISTS = {
    ("worlds",): "world",
    ("tidebreak", "scenarios"): "scenario",
    ("esper", "tasks"): "task",
    ("esper", "views"): "view",
    ("esper", "runs"): "run_id",
    ("runs", "list"): "run_id",
    ("replay", "list", "a-run-with-a-name-of-fifty-characters-or-even-more"): "replay_id",
    ("campaign", "list"): "war",
}
"""Every command that lists things, and the field that names one of them."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with runs, replays and wars."""
    folder = tmp_path_factory.mktemp("lists")
    write_run(folder / "runs", "a-run-with-a-name-of-fifty-characters-or-even-more")
    write_run(folder / "runs", "esper-like", world="esper-digits-impaired-v1", replays=False)
    war = folder / "wars" / "a-war-with-a-name-of-fifty-characters-or-even-more"
    warring.new_war(war, plan.load(plan.shipped()), 1, 5, {})
    (folder / "wars" / "damaged").mkdir()
    (folder / "wars" / "damaged" / "war.json").write_text("{", "utf-8")
    return folder


def out(capsys: pytest.CaptureFixture[str], *tokens: str) -> str:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(list(tokens))
    captured = capsys.readouterr()
    assert ended.value.code == 0, captured.err
    return captured.out


@pytest.mark.parametrize("tokens", LISTS, ids=" ".join)
def test_no_id_is_cut_at_any_width(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    terminal: Callable[[int], None],
    place: Path,
    tokens: tuple[str, ...],
) -> None:
    monkeypatch.chdir(place)
    rows: list[dict[str, Any]] = json.loads(out(capsys, *tokens, "--json"))
    assert isinstance(rows, list)
    ids = [row[LISTS[tokens]] for row in rows]
    assert ids
    piped = out(capsys, *tokens)
    texts = {"piped": piped}
    for width in (40, 80):
        terminal(width)
        texts[str(width)] = out(capsys, *tokens)
    for width, text in texts.items():
        assert "…" not in text, width
        words = text.split()
        assert [one for one in ids if one not in words] == [], width
    # In a pipe every thing has one line.
    lines = piped.splitlines()
    assert all(sum(one in line.split() for line in lines) >= 1 for one in ids)


def test_every_command_called_list_is_tested() -> None:
    """A new list command shows up here, or fails."""
    from astrarium.cli import app

    named = {
        (name, sub)
        for name in app
        if not name.startswith("-")
        for sub in app[name]
        if sub in ("list", "scenarios", "tasks", "views", "runs")
    }
    assert named - {tokens[:2] for tokens in LISTS} == set()


def printed(width: int | None, rows: int = 1) -> list[str]:
    console = Console(width=width, force_terminal=width is not None, color_system=None, record=True)
    table = new_table("name", "figure", "summary", text=["summary"])
    for at in range(rows):
        table.add_row(
            f"name-of-twenty-chars-{at}", Text("1,234"), "a few words that may be wrapped"
        )
    with console.capture() as shown:
        print_table(console, table)
    return [line.rstrip() for line in shown.get().splitlines()]


def test_a_table_keeps_its_letters() -> None:
    whole = "name-of-twenty-chars-0   1,234  a few words that may be wrapped"
    assert printed(None)[1] == whole, "outside a terminal nothing is wrapped"
    assert printed(80)[1] == whole
    wrapped = printed(50)
    assert wrapped[1] == "name-of-twenty-chars-0   1,234  a few words that"
    assert wrapped[2].strip() == "may be wrapped"
    assert printed(30, rows=2)[3:] == [
        "name: name-of-twenty-chars-1",
        "  figure: 1,234",
        "  summary: a few words that may be wrapped",
    ]
