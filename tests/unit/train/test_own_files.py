"""A run keeps what its files held: it resumes and replays without them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from astrarium.cli import main
from astrarium.runs import RunFolder
from astrarium.runs.replaying import verify
from astrarium.runs.replays import read
from astrarium.train import training
from astrarium.worlds.townlet.loading import load

SHORT = (
    *("--world.worlds", "4", "--policy.hidden", "8", "--ppo.rollout-steps", "8"),
    *("--ppo.minibatches", "1", "--ppo.epochs", "1", "--run.total-env-steps", "200"),
    *("--run.window-env-steps", "100", "--run.eval-episodes", "1", "--run.eval-steps-max", "4"),
    *("--algorithm", "random", "--quiet"),
)
SCENARIOS = Path(__file__).parents[3] / "crates" / "tidebreak" / "data" / "scenarios"


def train(*tokens: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["train", *tokens])
    assert isinstance(stopped.value.code, int)
    return stopped.value.code


def settings_of(run: RunFolder) -> dict[str, Any]:
    return json.loads((run.folder / "config.json").read_text())["world"]["settings"]


def test_a_run_of_an_own_scenario_needs_no_file_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((SCENARIOS / "duel.toml").read_text())
    root = ("--root", str(tmp_path / "runs"), "--run.id", "own")
    assert train("tidebreak-v1", "--scenario", str(path), *root, *SHORT) == 0
    text = path.read_text()
    path.unlink()
    run = RunFolder.open(tmp_path / "runs" / "own")
    settings = settings_of(run)
    assert (settings["scenario"], settings["scenario_text"]) == ("mine", text)
    entry = run.replay_index().entries[-1]
    replay = read(run.folder / entry.replay_path)
    assert replay.header["world_config"]["scenario_text"] == text
    assert verify(replay, entry).holds


def test_a_stopped_run_goes_on_without_the_file(tmp_path: Path) -> None:
    from small_runs import small

    path = tmp_path / "mine.toml"
    path.write_text((SCENARIOS / "duel.toml").read_text())
    world = {"id": "tidebreak-v1", "worlds": 2, "settings": {"scenario": path}}
    run = {"root": tmp_path, "total_env_steps": 200, "window_env_steps": 50, "eval_episodes": 0}
    config = small({"world": world, "run": run})
    assert config.world.settings["scenario"] == "mine"
    part = training.start(config, stop=lambda: True)
    path.write_text("edited")
    assert training.resume(part.folder).status == "completed"


def test_a_shipped_scenario_goes_by_its_name(tmp_path: Path) -> None:
    root = ("--root", str(tmp_path), "--run.id", "fog")
    assert train("tidebreak-v1", "--scenario", "duel_fog", *root, *SHORT) == 0
    assert settings_of(RunFolder.open(tmp_path / "fog"))["scenario"] == "duel_fog"


def test_a_town_comes_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "hamlet.yaml"
    path.write_text("label: hamlet\nseed: 3\npopulation:\n  agents: 5\n")
    root = ("--root", str(tmp_path / "runs"), "--run.id", "town")
    assert train("townlet-v1", "--scenario", str(path), *root, *SHORT) == 0
    settings = settings_of(RunFolder.open(tmp_path / "runs" / "town"))
    assert settings["population"]["agents"] == load(path).config.population.agents == 5


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("lanterns-v1", "--scenario", "x.toml"), "--scenario is not for lanterns-v1"),
        (("townlet-v1", "--tables", "."), "worlds that do: tidebreak-v1"),
        (("tidebreak-v1", "--scenario", "none.toml"), "cannot read none.toml"),
        (("tidebreak-v1", "--scenario", "duell"), "no scenario is called"),
        (("--resume", "latest", "--scenario", "duel"), "--resume goes on"),
    ],
)
def test_wrong_requests_say_why(
    tokens: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert train(*tokens) == 2
    printed = capsys.readouterr()
    assert words in (printed.out + printed.err).replace("\n", " ")
    assert not (tmp_path / "runs").exists()
