"""`astrarium tour`: trained, judged and ready to be looked at, in one go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astrarium.bench.report import read_json
from astrarium.cli import main
from astrarium.runs import RunFolder

SMALL = (
    *("--world.worlds", "16", "--policy.hidden", "16", "--ppo.rollout-steps", "16"),
    *("--run.total-env-steps", "2000", "--run.window-env-steps", "600"),
    *("--run.eval-episodes", "2", "--run.threads", "1", "--episodes", "8"),
)
LANTERNS = ("lanterns-v1", "--world.settings.ticks-max", "20")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def command(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["tour", *tokens])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def test_a_policy_is_trained_drawn_judged_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = command(capsys, *LANTERNS, *SMALL, "--run.id", "mine")
    assert (code, err) == (0, "")
    parts = ("Lanterns", "window   2", "return_mean", "random_legal", "best replay: replay-")
    places = [out.index(part) for part in parts]
    assert places == sorted(places)
    assert "astrarium replay show mine best" in out.split("best replay")[1]
    assert RunFolder.open(Path("runs/mine")).status() == "completed"


def test_the_same_seed_gives_the_same_tables(capsys: pytest.CaptureFixture[str]) -> None:
    reports = []
    for name in ("one", "two"):
        report = Path(f"{name}.json")
        tokens = (*LANTERNS, *SMALL, "--run.id", name, "--json", str(report))
        assert command(capsys, *tokens)[0] == 0
        reports.append(read_json(report)["results"]["players"])
    first, second = reports
    assert first.pop("one@3")["digest"] == second.pop("two@3")["digest"]


def test_several_seeds_are_several_runs_compared(capsys: pytest.CaptureFixture[str]) -> None:
    tokens = (*LANTERNS, *SMALL, "--run.id", "mine", "--run.seed", "4", "--seeds", "2")
    code, _, err = command(capsys, *tokens, "--markdown", "page.md")
    assert code == 0, err
    for seed in (4, 5):
        assert RunFolder.open(Path(f"runs/mine-{seed}")).config()["run"]["seed"] == seed
    page = Path("page.md").read_text()
    assert "Across runs" in page
    assert "mine-4@3" in page


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("--seeds", "0"), "seeds"),
        (("--episodes", "0"), "episodes"),
        (("nowhere-v1",), "nowhere-v1"),
        (("--json", "/proc/x.json"), "/proc/x.json"),
        (("--ppo.clipp", "1"), "Did you mean --ppo.clip?"),
    ],
)
def test_bad_input_is_refused_before_anything_is_trained(
    capsys: pytest.CaptureFixture[str], tokens: tuple[str, ...], words: str
) -> None:
    code, _, err = command(capsys, *tokens)
    assert code == 2
    assert words in " ".join(err.split())
    assert not Path("runs").exists()
