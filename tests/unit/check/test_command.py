"""`astrarium check`, from the words typed to the exit status."""

from pathlib import Path

import pytest

from astrarium.cli import main

SMALL = ("--worlds", "4", "--steps", "60")


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["check", *words])
    return int(caught.value.code or 0)


def test_a_registered_world_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("lanterns-v1", *SMALL, "--config", "ticks_max=30") == 0
    assert capsys.readouterr().out.count("✓") == 7


def test_a_users_own_factory_is_imported_and_its_fault_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run("faulty:HidesAPenalty", *SMALL) == 1
    out = capsys.readouterr().out
    assert "✗ 5 step " in out
    assert "its terms sum to" in out
    assert "fix compute the reward as the sum of the terms" in out
    assert "– 6 a bare factory has no scenarios" in out


@pytest.mark.parametrize(
    ("body", "words"),
    [("1 / 0", "raises ZeroDivisionError"), ("raise SystemExit(0)", "raises SystemExit: 0")],
)
def test_a_module_that_breaks_while_imported_is_named(
    body: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "broken_on_import.py").write_text(body + "\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert run("broken_on_import:x") == 2
    assert f"broken_on_import {words}" in capsys.readouterr().err


def test_a_users_entry_is_checked_with_its_own_transcripts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run("counter_world:COUNTER", *SMALL, "--playthroughs", str(tmp_path)) == 1
    assert "random_legal.txt does not exist" in capsys.readouterr().out.replace("\n", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["lantern-v1"], "did you mean 'lanterns-v1'"),
        (["no_such_module:make"], "no_such_module:make cannot be imported"),
        ([":"], "write package.module:name"),
        (["counter_world:"], "write package.module:name"),
        (["..foo:x"], "write package.module:name"),
        (["counter_world:TOP"], "counter_world:TOP is a int"),
        (["lanterns-v1", "--config", "ticks_max"], "write key=value"),
        (["lanterns-v1", "--config", "tick_max=3"], "did you mean 'ticks_max'"),
        (["counter_world:CounterWorld", "--config", "ticks_max=3"], "needs a registered world"),
        (["lanterns-v1", "--worlds", "1"], "at least 4"),
    ],
)
def test_impossible_requests_exit_with_2_and_say_why(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 2
    assert message in capsys.readouterr().err
