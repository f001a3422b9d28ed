"""Growth that is killed at any call to the disk ends as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import traceback
from pathlib import Path
from typing import Any

import pytest
from faulty_disk import Disk
from little_hosts import TASK, little_data

from astrarium.cli import main
from astrarium.errors import ConfigError
from astrarium.esper import growing
from astrarium.esper.controllers import ControllerName
from astrarium.esper.entry import EsperConfig
from astrarium.esper.growing import Growth, grow, resume
from astrarium.esper.world import EsperWorld
from astrarium.runs import CheckpointError, NoCheckpointError, RunFolder, RunWriter, documents

EPOCHS = 33


@pytest.fixture(autouse=True)
def _on_little_data(monkeypatch: pytest.MonkeyPatch) -> None:
    def little(*given: Any, **options: Any) -> EsperWorld:
        return EsperWorld(*given, data=little_data(), **options)

    little_data()
    monkeypatch.setattr(growing, "EsperWorld", little)


def growth(controller: ControllerName = "heuristic_probe", epochs: int = EPOCHS) -> Growth:
    # Rewards of escrow remember most between epochs.
    config = EsperConfig(epochs=epochs, reward_mode="escrow")
    return Growth(TASK, controller, hosts=2, seed=5, config=config)


def story(folder: Path) -> dict[str, Any]:
    """Return everything a run did, without times and without how often it was interrupted."""
    run = RunFolder.open(folder)
    lives = ("run_resumed", "run_interrupted", "run_failed")
    return {
        "status": run.status(),
        "windows": run.windows(),
        "world_events": [{**one, "at": ""} for one in run.world_events()],
        "events": [{**one, "at": ""} for one in run.events() if one["kind"] not in lives],
        "checkpoints": [one.window_id for one in run.checkpoints()],
        "end": run.load_checkpoint(resumable=True).worlds,
        "controllers": run.load_checkpoint().state["controllers"],
    }


def life(home: Path, die_at: int | None) -> tuple[int, int]:
    """Grow or continue in a process of its own, killed ahead of a call to the disk.

    Return its exit code and how many calls it made.
    """
    told, calls = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            disk = Disk(pytest.MonkeyPatch())

            def die(call: int) -> None:
                if call == die_at:
                    os.kill(os.getpid(), signal.SIGKILL)

            with disk.watching(die):
                if (home / "run").exists():
                    resume(home / "run")
                else:
                    grow(growth(), home, "run")
            os.write(calls, str(disk.calls).encode())
        except NoCheckpointError:
            os._exit(2)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(calls)
    with os.fdopen(told) as counted:
        count = counted.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), int(count or 0)


def test_killed_at_random_moments_it_ends_as_if_never_stopped(tmp_path: Path) -> None:
    code, calls = life(tmp_path / "whole", None)
    assert code == 0
    whole = story(tmp_path / "whole" / "run")
    assert whole["checkpoints"] == [0, 1, 2]
    seed = random.randrange(1 << 32)
    draw = random.Random(seed)
    home, codes = tmp_path / "broken", list[int]()
    while not codes or codes[-1] != 0:
        last = len(codes) >= 4
        # The first life is to leave a checkpoint, now and then.
        span = range(calls // 2, calls) if not codes else range(calls // 2)
        code, _ = life(home, None if last else draw.choice(span))
        if code == 2:
            # Killed before its first checkpoint: there is nothing to continue.
            (home / "run").rename(home / f"early-{len(codes)}")
        else:
            assert code in (0, -signal.SIGKILL), f"seed {seed}: {codes}"
        codes.append(code)
    assert story(home / "run") == whole, f"seed {seed}: {codes}"
    assert -signal.SIGKILL in codes


@pytest.mark.parametrize("controller", ["heuristic", "random_growth"])
def test_a_run_that_was_asked_to_stop_continues_to_the_same_end(
    tmp_path: Path, controller: ControllerName
) -> None:
    _, whole = grow(growth(controller, 24), tmp_path, "whole")
    asked = iter([False] * 17 + [True])
    status, folder = grow(growth(controller, 24), tmp_path, "stopped", stop=lambda: next(asked))
    assert status == "interrupted"
    assert resume(folder)[0] == "completed"
    assert [one["was"] for one in RunFolder.open(folder).metadata()["resumes"]] == ["interrupted"]
    first, second = story(whole), story(folder)
    for told in (first, second):
        told["windows"] = [{**row, "run_id": ""} for row in told["windows"]]
        told["events"] = [{**one, "run_id": "", "config_hash": ""} for one in told["events"]]
    assert first == second


def test_what_cannot_be_continued_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, folder = grow(growth("none", 10), tmp_path, "done")

    def refusal(*tokens: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["esper", "grow", *tokens, "--root", str(tmp_path)])
        assert ended.value.code == 2
        return " ".join(capsys.readouterr().err.split())

    assert "is complete" in refusal("--resume", "done")
    assert "leave out all other options" in refusal("--resume", "done", "--epochs", "5")
    assert "leave out all other options" in refusal("digits_impaired", "--resume", "done")
    grow(growth("none", 20), tmp_path, "early", stop=lambda: True)
    assert "has no checkpoint to resume from" in refusal("--resume", "early")
    config = RunFolder.open(folder).config()
    del config["controller"]
    trained = Path("trained")
    folder.rename(trained)
    documents.write(trained / "config.json", config)
    state = documents.read(trained / "run_metadata.json", dict)
    documents.write(
        trained / "run_metadata.json", state | {"config_hash": documents.hash_of(config)}
    )
    with pytest.raises(ConfigError, match="astrarium train --resume"):
        growing.growth_of(RunFolder.open(trained))


def test_a_checkpoint_of_other_hosts_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = iter([False] * 12 + [True])
    _, folder = grow(growth("none"), tmp_path, "run", stop=lambda: next(asked))
    whole = RunWriter.resume

    def without_one(place: Path) -> Any:
        writer, checkpoint = whole(place)
        checkpoint.state["controllers"].pop()  # type: ignore[attr-defined]
        return writer, checkpoint

    monkeypatch.setattr(RunWriter, "resume", without_one)
    with pytest.raises(CheckpointError, match="1 controllers for 2 hosts"):
        resume(folder)
    assert RunFolder.open(folder).status() == "failed"
