"""A check of an expensive world takes a share of the work, and says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import pytest

from astrarium.check import sizing
from astrarium.check.sizing import largest_within, seconds_of_a_step, world_steps
from astrarium.check.subject import as_subject
from astrarium.cli import check as command
from astrarium.cli import main

SMALL = ("--config", "ticks_max=12")


def test_a_cheap_world_is_checked_as_a_whole() -> None:
    found = largest_within(60.0, 1e-6, 16, 400)
    assert (found.worlds, found.steps) == (16, 400)


@pytest.mark.parametrize("step_ms", [0.6, 2.0, 5.0, 25.0])
def test_a_share_fits_the_time_and_nothing_larger_would(step_ms: float) -> None:
    found = largest_within(60.0, step_ms / 1e3, 16, 400)
    assert found.seconds == world_steps(found.worlds, found.steps) * step_ms / 1e3 <= 60.0
    assert 4 <= found.worlds <= 16
    assert found.steps >= 8
    assert largest_within(60.0, step_ms / 2e3, 16, 400).seconds * 2 >= found.seconds


def test_the_smallest_check_is_made_whatever_it_takes() -> None:
    found = largest_within(60.0, 100.0, 16, 400)
    assert (found.worlds, found.steps) == (4, 8)
    assert found.seconds > 60.0


def test_a_step_is_timed_per_world() -> None:
    times: Iterator[float] = map(float, count(0, 4))
    subject = as_subject("lanterns-v1")
    # Two steps of four worlds between two looks at the clock that are four seconds apart.
    assert seconds_of_a_step(subject, 0, lambda: next(times)) == 0.5


def checked(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["check", "lanterns-v1", *SMALL, *tokens])
    captured = capsys.readouterr()
    assert ended.value.code == 0, captured.out + captured.err
    return " ".join(captured.out.split()), captured.err


def test_the_command_takes_a_share_of_a_dear_world_and_says_what_it_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizing, "seconds_of_a_step", lambda *_: 0.025)
    out, err = checked(capsys)
    assert "A share of the check: 4 worlds and 8 steps" in out
    assert "--whole takes 16 and 400, about 47 minutes" in out
    lines = [line for line in err.splitlines() if line.startswith("checking ")]
    assert lines[0] == "checking how much of the check fits a minute"
    assert [line[9] for line in lines[1:]] == list("1234567")


def test_more_is_checked_where_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[tuple[int, int]] = []
    real = command.check_world

    def noting(target: object, **given: object) -> object:
        sizes.append((given["worlds"], given["steps"]))  # type: ignore[arg-type]
        return real(target, **{**given, "worlds": 4, "steps": 8})  # type: ignore[arg-type]

    monkeypatch.setattr(sizing, "seconds_of_a_step", lambda *_: 0.025)
    monkeypatch.setattr(command, "check_world", noting)
    for tokens in (("--whole",), ("--steps", "30"), ("--worlds", "5")):
        assert "A share" not in checked(capsys, *tokens)[0]
    monkeypatch.setattr(sizing, "seconds_of_a_step", lambda *_: 1e-6)
    assert "A share" not in checked(capsys)[0]
    assert sizes == [(16, 400), (16, 30), (5, 400), (16, 400)]


def test_a_whole_check_of_another_size_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", "lanterns-v1", "--whole", "--steps", "9"])
    assert ended.value.code == 2
    assert re.search(r"--whole is 16\s+worlds", capsys.readouterr().err)
