"""`astrarium bench` refuses before it measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from astrarium.bench import game, pages
from astrarium.cli import bench, main


@pytest.fixture(autouse=True)
def _nothing_is_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A call of any of these would be a TypeError."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench, "bench_worlds", None)
    monkeypatch.setattr(bench.matrix, "bench_matrix", None)
    monkeypatch.setattr(bench.floor, "bench_floor", None)
    monkeypatch.setattr(game, "measure", None)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        *((f"worlds --seconds={value}", "give a finite number above 0") for value in (0, -1)),
        ("worlds --seconds nan", "seconds is nan"),
        ("worlds --json /proc/b.json", "cannot write /proc/b.json: No such file"),
        ("worlds --json .", "cannot write .: Is a directory"),
        ("worlds --page absent.md", "cannot read absent.md"),
        ("matrix --seconds inf", "seconds is inf"),
        ("matrix --target 0", "target is 0"),
        ("matrix --require env_onli", "did you mean 'env_only'"),
        ("matrix --require zzz", "no mode or backend is called 'zzz' (known: env_only, trainer"),
        ("matrix --modes ppo", "no mode is called 'ppo' (known: env_only, trainer, trainer_eval)"),
        ("matrix --train-sizes 0", "train-sizes has 0; the least is 1"),
        ("matrix --minibatches 0", "minibatches has 0"),
        ("matrix --epochs 0", "epochs has 0"),
        ("matrix --ticks 0", "ticks has 0"),
        ("matrix --json /proc/b.json", "cannot write /proc/b.json"),
        ("floor matrix.json --json /proc/b.json", "cannot write /proc/b.json"),
        ("game --seed=-1 --episodes 2", "seed is -1; choose 0 to"),
        ("game --json /proc/b.json", "cannot write /proc/b.json"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(
    words: str, message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bench", *words.split()])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert message in told
    assert list(tmp_path.iterdir()) == []


def test_a_dirty_tree_is_refused_before_the_measurement(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "source_tree", lambda: tmp_path)
    monkeypatch.setattr("astrarium.machine._commit", lambda: "0123456789ab+dirty")
    page = tmp_path / "page.md"
    page.write_text(f"{pages.begin('game')}\n{pages.END}\n", "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["bench", "game", "--page", str(page)])
    assert ended.value.code == 2
    assert "commit first" in capsys.readouterr().err
