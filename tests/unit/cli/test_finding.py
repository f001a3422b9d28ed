"""What `latest` means to each command, and what is said of runs it cannot use."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from bot_runs import write_run

from astrarium.cli import finding, main
from astrarium.runs import RunFacts, RunNotFoundError, RunWriter
from astrarium.runs.metadata import Kind

Fail = Callable[[RunWriter], None]


def new_run(root: Path, run_id: str, kind: Kind = "training") -> RunWriter:
    facts = RunFacts("any", 10, 10, "prospector-v2", {}, "0123abc", (), kind=kind)
    return RunWriter.create(root, {"world": {"id": "prospector-v2"}}, facts, run_id)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A trained run, and newer ones of every other kind, failed, and damaged."""
    monkeypatch.chdir(tmp_path)
    runs = tmp_path / "runs"
    write_run(runs, "trained")
    new_run(runs, "failed").fail(RuntimeError("it broke"))
    for kind in ("human", "bot", "battle"):
        new_run(runs, kind, kind).finish()
    (runs / "damaged").mkdir()
    (runs / "damaged" / "run_metadata.json").write_text("{", "utf-8")
    return runs


def test_latest_is_fit_for_the_command(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for fit in (finding.LEARNING, finding.TRAINED, finding.REPLAYED):
        assert finding.find_run("latest", root, fit).run_id == "trained"
        words = capsys.readouterr().err
        assert "latest is trained; newer, but not " + fit.words in words
        assert "failed (failed)" in words
    with pytest.raises(RunNotFoundError, match="that is a run of Esper"):
        finding.find_run("latest", root, finding.GROWN)


def test_what_is_resumed_was_stopped(root: Path) -> None:
    with pytest.raises(RunNotFoundError, match=r"trained \(completed\)"):
        finding.find_run("latest", root, finding.RESUMABLE)


@pytest.mark.parametrize("kind", ["human", "bot", "battle"])
def test_a_run_of_another_kind_is_called_what_it_is(
    root: Path, capsys: pytest.CaptureFixture[str], kind: Kind
) -> None:
    words = finding.KIND_WORDS[kind]
    for command in (("evaluate", kind), ("train", "--resume", kind)):
        with pytest.raises(SystemExit) as ended:
            main([*command, "--root", str(root)])
        assert ended.value.code == 2
        assert f"error: {kind} is {words}; name a training run" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["runs", "show", kind])
    assert capsys.readouterr().out.split("kind", 1)[1].split()[0] == kind


def test_kinds_are_listed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["runs", "list", "--json"])
    kinds = {row["run_id"]: row["kind"] for row in json.loads(capsys.readouterr().out)}
    assert kinds == {
        "trained": "training",
        "failed": "training",
        "damaged": None,
        "human": "human",
        "bot": "bot",
        "battle": "battle",
    }


def garbage(*parts: str, content: bytes) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        place = folder.joinpath(*parts)
        place.write_bytes(content)

    return damage


def rewritten(**fields: object) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        place = folder / "run_metadata.json"
        place.write_text(json.dumps(json.loads(place.read_text("utf-8")) | fields), "utf-8")

    return damage


def replaced_by_a_folder(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).mkdir()

    return damage


ROW = b'{"window_id": 0, "env_steps_total": 1, "return_mean": "x", "profit_mean": []}\n'
DAMAGES = {
    "metadata is cut": garbage("run_metadata.json", content=b'{"run_id"'),
    "metadata is no text": garbage("run_metadata.json", content=b"\xff\xfe\x00"),
    "metadata is an array": garbage("run_metadata.json", content=b"[]"),
    "metadata is empty": garbage("run_metadata.json", content=b""),
    "ticks are words": rewritten(env_steps_total="many", target_env_steps=[]),
    "windows are words": rewritten(windows_emitted="many"),
    "times are numbers": rewritten(updated_at=3, started_at={}),
    "status is unknown": rewritten(status="odd"),
    "status is a list": rewritten(status=[]),
    "kind is unknown": rewritten(kind=["odd"]),
    "windows are cut": garbage("metrics", "windows.jsonl", content=b'{"window_id": 0'),
    "windows are no objects": garbage("metrics", "windows.jsonl", content=b"3\n"),
    "windows hold words": garbage("metrics", "windows.jsonl", content=ROW),
    "windows are no text": garbage("metrics", "windows.jsonl", content=b"\xff\n"),
    "events are no objects": garbage("events.jsonl", content=b"[]\n"),
    "the index is cut": garbage("replay_index.json", content=b"{"),
    "the index is a folder": replaced_by_a_folder("replay_index.json"),
    "the config is a folder": replaced_by_a_folder("config.json"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_folder_does_not_spoil_the_others(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[Path], None],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "runs", "good")
    damage(write_run(tmp_path / "runs", "spoiled").folder)
    commands = (
        *(("runs", "list"), ("runs", "list", "--json"), ("runs", "show", "good")),
        *(("runs", "compare", "good", "spoiled"), ("runs", "show", "spoiled")),
        *(("replay", "list"), ("replay", "list", "spoiled"), ("runs", "show", "gone")),
    )
    for command in commands:
        with pytest.raises(SystemExit) as ended:
            main(list(command))
        captured = capsys.readouterr()
        # A command about the damaged run may refuse it, in words; the others do not notice.
        expected = (0, 2) if "spoiled" in command else (2,) if "gone" in command else (0,)
        assert ended.value.code in expected, (command, captured.err)
        if "list" in command and command[0] == "runs":
            assert "good" in captured.out
            assert "spoiled" in captured.out
