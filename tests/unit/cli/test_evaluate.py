"""`astrarium evaluate` as a reader sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bot_runs import play_bots, write_run

from astrarium.bench.report import read_json
from astrarium.cli import main

QUICK = ("--episodes", "12", "--threads", "1")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs in which bots play: `miner`, `timer`, and one of another world."""
    root = tmp_path_factory.mktemp("runs")
    settings = {"time_max": 60}
    for name, bots in (
        ("miner", ("market_timer", "greedy_miner")),
        ("timer", ("greedy_miner", "market_timer")),
    ):
        write_run(root, name, settings=settings, bots=bots, replays=False)
    lamps = ("random_legal", "nearest_dark_lamp")
    write_run(root, "lamps", world="lanterns-v1", bots=lamps, replays=False)
    return root


@pytest.fixture
def root(written: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of those runs, with checkpoints that can be loaded without torch."""
    play_bots(monkeypatch)
    return written


def command(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", *tokens])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def shown(capsys: pytest.CaptureFixture[str], root: Path, *tokens: str) -> str:
    code, out, err = command(capsys, *tokens, "--root", str(root), *QUICK)
    assert code == 0, err
    return out


@pytest.mark.parametrize("width", ["80", "140"])
def test_the_page_fits_and_nothing_is_cut(
    capsys: pytest.CaptureFixture[str], terminal: Callable[[int], None], root: Path, width: str
) -> None:
    terminal(int(width))
    text = shown(capsys, root, "miner")
    assert text.startswith("miner@1 (likeliest actions) on Prospector v2\n12 episodes each, seeds")
    for words in ("random_legal", "hauler", "planner *", "a ceiling", "less the others"):
        assert words in text
    assert "net_profit at least greedy_miner's" in text
    assert "…" not in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= int(width)
    assert ("pirate_encounters" in text) == (width == "140")


def test_a_policy_equals_the_bot_it_is(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    text = shown(capsys, root, "miner", "--versus", "greedy_miner")
    row = next(line for line in text.splitlines() if "+0.00 (+0.00 to +0.00)" in line)
    assert row.startswith("greedy_miner")


def test_several_runs_are_compared(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    text = shown(capsys, root, "miner", "timer", "--versus", "none", "--sampled")
    assert "miner@1 less the others" in text
    assert "timer@1 less the others" not in text, "the pair is compared once"
    assert "mean return across 2 runs" in text
    assert "miner@1 (sampled actions), timer@1 (sampled actions) on" in text


def test_windows_are_chosen(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    for window, name in (("0", "miner@0"), ("best", "miner@0"), ("latest", "miner@1")):
        assert name in shown(capsys, root, "miner", "--versus", "none", "--window", window)


def test_runs_are_found_by_path_and_as_the_latest(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    assert "lamps@1 (likeliest actions) on Lanterns" in shown(capsys, root, "latest")
    assert "timer@1" in shown(capsys, Path("nowhere"), str(root / "timer"), "--versus", "none")


def test_reports_hold_everything(
    capsys: pytest.CaptureFixture[str], root: Path, tmp_path: Path
) -> None:
    json, page = tmp_path / "out" / "report.json", tmp_path / "page.md"
    places = ("--json", str(json), "--markdown", str(page))
    text = shown(capsys, root, "miner", "--versus", "greedy_miner", *places, "--per-seed")
    assert str(json) in text
    report = read_json(json)
    assert {"generated_at", "run_id", "config", "summary", "results", "artifacts"} <= set(report)
    assert set(report["summary"]) == {"pass", "reasons"}
    assert report["config"]["runs"][0]["run_id"] == "miner"
    assert report["config"]["episodes"] == 12
    assert report["artifacts"]["markdown"] == str(page)
    assert len(report["results"]["episodes"]["miner@1"]) == 12
    assert "## Return by seed" in page.read_text()


def test_enforced_expectations_decide_the_status(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    here = ("--root", str(root), *QUICK)
    code, out, _ = command(capsys, "miner", "--versus", "greedy_miner", "--enforce", *here)
    assert (code, "yes" in out) == (0, True)
    losing = ("timer", "--versus", "greedy_miner", "--enforce", "--seed", "20", *here)
    code, out, _ = command(capsys, *losing)
    assert (code, " no" in out) == (2, True)
    code, _, err = command(capsys, "lamps", "--enforce", *here)
    assert code == 2
    assert "nothing to judge by" in err


def test_seeds_a_run_has_used_itself_are_not_called_held_out(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    versus = ("--versus", "none")
    assert "not held out" not in shown(capsys, root, "miner", *versus)
    assert "not held out" in shown(capsys, root, "miner", *versus, "--seed", "100000")


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("minor",), "did you mean 'miner'?"),
        (("miner", "--window", "9"), "no checkpoint of window 9 (there are: 0, 1)"),
        (("miner", "--window", "last"), "give its number, 'latest' or 'best'"),
        (("miner", "--versus", "haulier"), "did you mean 'hauler'?"),
        (("miner", "--versus", ""), "has no bot called ''"),
        (("miner", "lamps"), "compare runs of one world"),
        (("miner", "miner"), "miner@1 is named twice"),
        (("miner", "--episodes", "0"), "episodes"),
        (("miner", "--seed", "-1"), "seed"),
        (("miner", "--json", "."), "cannot write"),
        (("miner", "--markdown", "."), "cannot write"),
        (("latest", "--root", "nowhere"), "there is no run in nowhere"),
    ],
)
def test_bad_input_is_refused_with_advice(
    capsys: pytest.CaptureFixture[str], root: Path, tokens: tuple[str, ...], words: str
) -> None:
    where = () if "--root" in tokens else ("--root", str(root))
    code, out, err = command(capsys, *tokens, *where)
    assert code == 2
    assert words in " ".join(err.split())
    assert out == "", "refused before anything is played"


def test_help_explains_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    text = capsys.readouterr().out
    for option in ("--episodes", "--window", "--sampled", "--versus", "--per-seed", "--enforce"):
        assert option in text
    assert "--greedy" in text
    assert "--no-sampled" not in text
