"""The checker on a correct world, on worlds with one fault each, and on every native world."""

from pathlib import Path

import faulty
import numpy as np
import pytest
from counter_world import COUNTER, CounterWorld, entry_of

from astrarium import _native, playthroughs
from astrarium.check import Report, check_world
from astrarium.errors import ConfigError, CountError, UnknownWorldError

SMALL = {"worlds": 6, "steps": 90}


def words_of(report: Report) -> str:
    return "\n".join(f"{one.promise}: {one.fault}" for one in report.findings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The correct counter's transcripts, as a user's repository would keep them."""
    place = tmp_path_factory.mktemp("playthroughs")
    for scenario in playthroughs.scenarios_of(COUNTER):
        playthroughs.mint(COUNTER, scenario, place, "for the tests")
    return place


def test_a_correct_world_in_python_keeps_every_promise(folder: Path) -> None:
    report = check_world(COUNTER, folder=folder, **SMALL)
    assert report.ok, words_of(report)
    assert all(verdict.tested for verdict in report.verdicts)
    assert not any(verdict.notes for verdict in report.verdicts)


# Esper, whose steps train networks, is checked in its own tests on far fewer steps.
@pytest.mark.parametrize("world_id", _native.world_ids())
def test_every_native_world_keeps_every_promise(world_id: str) -> None:
    report = check_world(world_id, worlds=16, steps=300)
    assert report.ok, words_of(report)


@pytest.mark.parametrize(
    ("world", "promise", "words"),
    [
        (faulty.UsesItsPosition, 1, ["another position", "step ", "world ", "obs[0, 0]"]),
        (faulty.UsesAGlobalGenerator, 1, ["same run twice", "step ", "world "]),
        (faulty.SplitsTheBatchByThreads, 1, ["2 threads", "4 threads", "step ", "obs[0, 0]"]),
        (faulty.AddsSeedsUp, 2, ["runs 0 and 1 share seed", "episode ", "world "]),
        (faulty.ReportsAStaleSeed, 2, ["same seed", "rerun alone from its episode_seed"]),
        (faulty.IgnoresTheSeed, 2, ["8 different seeds gave the same digests"]),
        (faulty.ForgetsTheDrift, 3, ["snapshot of step", "restored into", "obs[0, 3]"]),
        (faulty.SharesStateWithForks, 3, ["changed its parent", "world 0"]),
        (faulty.SaysTooMuchIsLegal, 4, ["choice 2 (up) is legal by the mask", "ignored_order"]),
        (faulty.SaysTooLittleIsLegal, 4, ["choice 2 (up) is illegal by the mask", "does not fire"]),
        (faulty.MaskTellsTheSeed, 4, ["same observation but other masks", "entry 2"]),
        (faulty.LooksOutOfRange, 4, ["obs[1] (goal) is", "outside -1.0..1.0"]),
        (faulty.MovesItsArrays, 4, ["reward moved to another address"]),
        (faulty.HidesAPenalty, 5, ["reward is", "its terms sum to", "tick -0.01"]),
        (faulty.ChangedItsRules, 6, ["does not replay", "-# tick", "+# tick"]),
        (faulty.TakesAnyNumber, 7, ["actions of dtype float64 was accepted", "controls with NaN"]),
        (faulty.NoticesTooLate, 7, ["controls with NaN was refused, but had already changed"]),
        (faulty.BelievesAnySnapshot, 7, ["flipped was accepted", "restore of the first 0 of"]),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)
def test_a_faulty_world_is_caught_by_its_own_promise(
    world: type[CounterWorld], promise: int, words: list[str], folder: Path
) -> None:
    """Each fault is named under the promise it breaks. A broken rule may break others as well."""
    report = check_world(entry_of(world), folder=folder, **SMALL)
    own = "\n".join(finding.fault for finding in report.verdict(promise).findings)
    assert own, f"not caught; found instead:\n{words_of(report)}"
    for word in words:
        assert word in own
    assert all(finding.fix for finding in report.findings)


@pytest.mark.parametrize("promise", range(1, 8))
def test_every_promise_has_a_world_that_breaks_it(promise: int) -> None:
    found = [one for one in vars(faulty).values() if isinstance(one, type)]
    assert any((one.__doc__ or "").startswith(f"Promise {promise}:") for one in found)


def test_a_bare_factory_is_enough() -> None:
    report = check_world(CounterWorld, **SMALL)
    assert report.ok, words_of(report)
    assert not report.verdict(6).tested
    assert "bare factory" in report.verdict(6).notes[0]


def test_what_is_no_vector_world_is_told_what_it_lacks() -> None:
    class HalfAWorld(CounterWorld):
        digests = property()

    report = check_world(HalfAWorld, **SMALL)
    assert "HalfAWorld, which lacks digests" in words_of(report)


def test_an_array_of_another_dtype_is_named() -> None:
    class DoublePrecision(CounterWorld):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)
            self.obs = self.obs.astype(np.float64)

    report = check_world(DoublePrecision, **SMALL)
    assert "obs is float64 (6, 1, 4); the layout makes it float32" in words_of(report)
    assert not report.verdict(1).tested


def test_a_world_that_falls_over_still_gets_a_report() -> None:
    class Stumbles(CounterWorld):
        def snapshot(self) -> bytes:
            raise RuntimeError("no paper")

    report = check_world(Stumbles, **SMALL)
    assert "an ordinary call raised RuntimeError: no paper" in words_of(report)
    assert report.verdict(1).kept


def test_settings_reach_the_world() -> None:
    report = check_world("lanterns-v1", config={"ticks_max": 5}, worlds=4, steps=40)
    assert [verdict.promise for verdict in report.verdicts if not verdict.kept] == []
    with pytest.raises(ConfigError, match="ticks_max"):
        check_world("lanterns-v1", config={"tick_max": 5})


def test_bad_requests_are_refused() -> None:
    with pytest.raises(CountError, match="at least 4"):
        check_world("lanterns-v1", worlds=1)
    with pytest.raises(UnknownWorldError, match="lanterns-v1"):
        check_world("lantern-v1")
