"""The reference and the native core agree to the bit: a quick part of the matrix, and all of it."""

from itertools import chain

import numpy as np
import pytest

from astrarium.parity import Case, CaseResult, cases, run_case
from astrarium.parity.prospector import PAIR
from astrarium.parity.suites import SUITES
from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.reference.f32 import USES_LIBM
from astrarium.worlds.vector import Floats

pytestmark = pytest.mark.skipif(not USES_LIBM, reason="bits only agree with one math library")


def assert_equal(result: CaseResult) -> None:
    assert result.bundle is None, (str(result.case), result.bundle.mismatch)
    assert result.steps == result.case.steps


@pytest.mark.parametrize("suite", SUITES)
def test_quick_part_of_the_matrix_agrees(suite: str) -> None:
    for case in cases(suite, seeds=3, time_max=(2000.0,), steps=250):
        assert_equal(run_case(PAIR, case))


@pytest.mark.long
@pytest.mark.parametrize("time_max", [2000.0, 8000.0])
@pytest.mark.parametrize("suite", SUITES)
def test_whole_matrix_agrees(suite: str, time_max: float) -> None:
    for case in cases(suite, time_max=(time_max,)):
        assert_equal(run_case(PAIR, case))


def test_seeds_at_both_ends_agree_and_wrap() -> None:
    """The seed after the last is 0; a seed that passed through a float would lose its low bits."""
    for seed in (2**64 - 1, 2**53 + 1):
        result = run_case(PAIR, Case("C", seed, 2000.0, 20))
        assert_equal(result)
        assert result.episodes == 2


def test_episodes_cut_off_by_time_agree() -> None:
    """In the matrix ships never live long enough to run out of time."""
    for time_max in (1.0, 1.5, 40.0):
        result = run_case(PAIR, Case("G", 3, time_max, 200))
        assert_equal(result)
        assert result.episodes > 3


def test_overheating_ships_agree() -> None:
    """No suite overheats: it takes a captain who mines hard and never waits."""
    hottest: list[float] = []

    def reckless(step: int, obs: Floats) -> int:
        hottest.append(float(obs[layout.HEAT]))
        if obs[layout.AT_STATION] > 0:
            return layout.TRAVEL
        if obs[layout.MINING_ACTIVE] > 0:
            return layout.MINE_AGGRESSIVE
        rocks = obs[layout.ASTEROIDS].reshape(layout.MAX_ASTEROIDS, layout.ASTEROID_STRIDE)
        left = (rocks[:, layout.ASTEROID_VALID] > 0) & (rocks[:, layout.ASTEROID_DEPLETION] < 1)
        return layout.SELECT + int(left.argmax()) if left.any() else layout.TRAVEL

    assert_equal(run_case(PAIR, Case("A", 0, 2000.0, 1500), player=reckless))
    assert max(hottest) == 1.0


def test_the_default_matrix_has_140_cases_of_all_suites() -> None:
    assert len(cases()) == 140
    assert len(cases("ABC")) == 60
    assert {case.suite for case in cases()} == set("ABCDEFG")
    assert {(case.seed, case.time_max, case.steps) for case in cases()} == {
        (seed, time_max, 2000) for seed in range(10) for time_max in (2000.0, 8000.0)
    }


def actions_of(suite: str, seed: int, steps: int) -> list[int]:
    player = Case(suite, seed, 2000.0, steps).player()
    return [player(step, np.zeros(0, dtype=np.float32)) for step in range(steps)]


def test_suites_a_to_c_play_the_published_actions() -> None:
    drawn = np.random.default_rng(7 + 1000).integers(-5, 75, size=500)
    assert actions_of("A", 7, 500) == drawn.tolist()
    assert min(drawn) == -5
    assert max(drawn) == 74
    loop = [43, 61, 67, 28, 29, 30, 10, 9, 7, 33, 200, -3, 255, 6, 42, 68]
    assert actions_of("B", 0, 33) == [*loop, *loop, 43]
    loop = [8, 11, 12, 29, 33, 6, 0, 42, 45, 32, 35, 7, 6, 68]
    assert actions_of("C", 0, 29) == [*loop, *loop, 8]


def test_suite_g_travels_mines_and_sells_but_never_cashes_out() -> None:
    played: list[int] = []
    case = Case("G", 0, 2000.0, 600)
    inner = case.player()

    def player(step: int, obs: Floats) -> int:
        played.append(inner(step, obs))
        return played[-1]

    assert_equal(run_case(PAIR, case, player=player))
    kinds = {
        "travel": range(6),
        "mine": (28, 29, 30),
        "sell": range(43, 61),
        "buy": range(61, 68),
        "scan": (8, 9, 10),
    }
    counts = {kind: sum(action in group for action in played) for kind, group in kinds.items()}
    assert min(counts.values()) >= 15, counts
    assert layout.CASH_OUT not in played
    assert set(played) <= set(chain(range(layout.CASH_OUT)))
