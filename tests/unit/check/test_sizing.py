"""A check of an expensive world takes a share of the work, and says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import pytest

from astrarium.check import Finding, check_world, legality, sizing
from astrarium.check.legality import Place, Seen
from astrarium.check.sizing import PROBES, Cost, Sizes, cost_of, largest_within
from astrarium.check.subject import as_subject
from astrarium.check.trial import Trial
from astrarium.cli import check as command
from astrarium.cli import main
from astrarium.worlds import VectorWorld

SMALL = ("--config", "ticks_max=12")


WHOLE = Sizes(16, 400)
DEAR = Cost(0.025, choices=80)


def test_a_cheap_world_is_checked_as_a_whole() -> None:
    assert largest_within(60.0, Cost(1e-6, 80), WHOLE) == WHOLE


@pytest.mark.parametrize("step_ms", [0.6, 2.0, 5.0, 25.0])
@pytest.mark.parametrize("choices", [0, 10, 90])
def test_a_share_fits_the_time(step_ms: float, choices: int) -> None:
    cost = Cost(step_ms / 1e3, choices)
    found = largest_within(60.0, cost, WHOLE)
    assert cost.seconds(found.worlds, found.steps, found.probes) <= 60.0
    assert 4 <= found.worlds <= 16
    assert found.steps >= 8
    assert 1 <= found.probes <= PROBES
    assert cost.seconds(found.worlds, 2 * found.steps, found.probes) > 30.0


def test_the_smallest_check_is_made_whatever_it_takes() -> None:
    assert largest_within(60.0, Cost(100.0, 80), WHOLE) == Sizes(4, 8, probes=1)


def test_a_step_is_timed_per_world() -> None:
    times: Iterator[float] = map(float, count(0, 4))
    found = cost_of(as_subject("lanterns-v1"), 0, lambda: next(times))
    # Two steps of four worlds between two looks at the clock that are four seconds apart.
    assert found.step_seconds == 0.5
    assert found.choices > 4


@pytest.mark.parametrize("probes", [1, 3, 24, PROBES])
def test_choices_are_tried_from_no_more_states_than_asked(
    probes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[object] = []
    probe = legality._probe

    def noting(trial: Trial, world: VectorWorld, place: Place, seen: Seen) -> Iterator[Finding]:
        places.append(place)
        return probe(trial, world, place, seen)

    monkeypatch.setattr(legality, "_probe", noting)
    assert check_world("lanterns-v1", worlds=4, steps=48, probes=probes).ok
    assert len(places) == probes


def checked(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["check", "lanterns-v1", *SMALL, *tokens])
    captured = capsys.readouterr()
    assert ended.value.code == 0, captured.out + captured.err
    return " ".join(captured.out.split()), captured.err


def test_the_command_takes_a_share_of_a_dear_world_and_says_what_it_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizing, "cost_of", lambda *_: DEAR)
    out, err = checked(capsys)
    assert "A share of the check: 4 worlds and 8 steps" in out
    assert "--whole takes 16 and 400, about 50 minutes" in out
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

    monkeypatch.setattr(sizing, "cost_of", lambda *_: DEAR)
    monkeypatch.setattr(command, "check_world", noting)
    for tokens in (("--whole",), ("--steps", "30"), ("--worlds", "5")):
        assert "A share" not in checked(capsys, *tokens)[0]
    monkeypatch.setattr(sizing, "cost_of", lambda *_: Cost(1e-6, 80))
    assert "A share" not in checked(capsys)[0]
    assert sizes == [(16, 400), (16, 30), (5, 400), (16, 400)]


def test_a_whole_check_of_another_size_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", "lanterns-v1", "--whole", "--steps", "9"])
    assert ended.value.code == 2
    assert re.search(r"--whole is 16\s+worlds", capsys.readouterr().err)
