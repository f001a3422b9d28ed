"""`astrarium bench duels`, as it is typed, for a policy that was trained on both sides."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_runs import small

from astrarium import cli
from astrarium.bench.report import read_json
from astrarium.train.training import start

DUEL = {"decision_ticks": 10, "fidelity": "F0", "side": "both"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on both sides that looked at its own checkpoints, and one of another world."""
    root = tmp_path_factory.mktemp("runs")
    short = {"root": str(root), "total_env_steps": 640, "window_env_steps": 320}
    world = {"id": "tidebreak-v1", "worlds": 2, "settings": DUEL}
    start(small({"world": world, "run": {**short, "id": "duel", "eval_episodes": 2}}))
    start(small({"run": {**short, "id": "lamps", "eval_episodes": 0}}))
    return root


def command(*tokens: str) -> int:
    with pytest.raises(SystemExit) as ended:
        cli.main(["bench", "duels", *tokens])
    code = ended.value.code
    assert isinstance(code, int)
    return code


def test_a_run_on_both_sides_meets_every_doctrine(runs: Path, tmp_path: Path) -> None:
    place, page = tmp_path / "report.json", tmp_path / "page.md"
    page.write_text("before\n<!-- tables of `astrarium bench duels` -->\n<!-- end of tables -->\n")
    asked = ("--root", str(runs), "--games-each", "2", "--seed", "31", "--threads", "1")
    code = command("duel", *asked, "--json", str(place), "--page", str(page), "--enforce")
    report = read_json(place)
    # The seed and the games that were played, not those usually played.
    assert report["config"]["seed"] == 31
    assert report["config"]["games"] == 2
    meetings = report["results"]["meetings"]
    ours = [one["opponent"] for one in meetings if one["player"] == report["config"]["player"]]
    assert ours == ["drifter", "pursuer", "line", "wolfpack"]
    assert len(meetings) == 4 + 4 * 3
    assert code == (0 if report["summary"]["pass"] else 2)
    assert "seeds from 31" in page.read_text()


def test_what_could_not_be_judged_is_refused(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for tokens, words in (
        (("duel", "--seed", "100004", "--games-each", "4"), "are not held out"),
        (("duel", "--games-each", "3"), "even number"),
        (("lamps",), "no world of two sides"),
    ):
        assert command(*tokens, "--root", str(runs)) == 2
        assert words in " ".join(capsys.readouterr().err.split())
