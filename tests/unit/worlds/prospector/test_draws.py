"""The random stream and single-precision arithmetic, against published values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium.worlds.prospector.reference import f32
from astrarium.worlds.prospector.reference.draws import Draws

ZERO, ONE = f32.ZERO, f32.ONE


def single(value: float) -> np.float32:
    return np.float32(value)


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (0, [1203932051, 3113183783, 2101201694, 4034269462, 2630041435, 3188618317]),
        (1, [2607537577, 204602440, 3466066159, 2183922644, 2487127282, 460709347]),
        (42, [2707161783, 2068313097, 3122475824, 2211639955, 3215226955, 3421331566]),
        (2**64 - 1, [290611831, 3872925298, 2937559226, 3497332769, 2805255608, 2907674464]),
    ],
)
def test_first_words_of_a_seed(seed: int, words: list[int]) -> None:
    draws = Draws(seed)
    assert [draws.next_u32() for _ in words] == words


REALS: dict[str, tuple[Callable[[Draws], np.float32], list[float]]] = {
    "unit": (Draws.unit, [0.63031024, 0.48156667, 0.72700804, 0.5149376]),
    "uniform": (
        lambda draws: draws.uniform(single(0.05), single(0.35)),
        [0.23909305, 0.19446999, 0.2681024],
    ),
    "exponential": (Draws.exponential, [0.46154314, 0.7307106, 0.31881773]),
    "normal": (
        lambda draws: draws.normal(ZERO, ONE),
        [-0.95433694, -0.79500633, 0.21960062],
    ),
    "beta32": (Draws.beta32, [0.61317813]),
}


@pytest.mark.parametrize(("draw", "expected"), REALS.values(), ids=REALS)
def test_draws_of_seed_42(draw: Callable[[Draws], np.float32], expected: list[float]) -> None:
    draws = Draws(42)
    values = [draw(draws) for _ in expected]
    assert values == [single(value) for value in expected]
    assert all(type(value) is np.float32 for value in values)


def test_dirichlet_of_seed_42() -> None:
    expected = [0.17146638, 0.27146393, 0.11844294, 0.24657258, 0.107568294, 0.08448589]
    shares = Draws(42).dirichlet6()
    assert shares.dtype == np.float32
    assert shares.tolist() == np.array(expected, dtype=np.float32).tolist()


WORDS: dict[str, tuple[Callable[[Draws], object], int]] = {
    "unit": (Draws.unit, 1),
    "integer, even of one value": (lambda draws: draws.integer(3, 4), 1),
    "uniform": (lambda draws: draws.uniform(ZERO, ONE), 1),
    "exponential": (Draws.exponential, 1),
    "normal": (lambda draws: draws.normal(ZERO, ONE), 2),
    "lognormal": (lambda draws: draws.lognormal(ZERO, ONE), 2),
    "beta32": (Draws.beta32, 5),
    "dirichlet6": (Draws.dirichlet6, 6),
}


@pytest.mark.parametrize(("draw", "words"), WORDS.values(), ids=WORDS)
def test_each_draw_consumes_its_number_of_words(
    draw: Callable[[Draws], object], words: int
) -> None:
    """One word more or less would shift everything drawn after it."""
    drawn, counted = Draws(7), Draws(7)
    draw(drawn)
    for _ in range(words):
        counted.next_u32()
    assert drawn.state == counted.state


class FixedWord(Draws):
    """A stream that repeats one word, to reach the ends of the range."""

    def __init__(self, word: int) -> None:
        super().__init__(0)
        self.word = word

    def next_u32(self) -> int:
        return getattr(self, "word", 0)


@pytest.mark.parametrize(
    ("word", "is_one"), [(2**32 - 128, True), (2**32 - 129, False), (2**32 - 1, True)]
)
def test_unit_reaches_one_only_for_the_top_128_words(word: int, is_one: bool) -> None:
    assert bool(FixedWord(word).unit() == ONE) is is_one


def test_a_zero_word_stays_finite() -> None:
    draws = FixedWord(0)
    assert draws.unit() == ZERO
    assert draws.exponential() == -f32.log(single(1e-8))
    assert np.isfinite(draws.normal(ZERO, ONE))


def test_degenerate_weights_fall_back() -> None:
    """A stream of ones makes every exponential zero; no share may become not-a-number."""
    assert FixedWord(2**32 - 1).beta32() == single(0.5)
    assert FixedWord(2**32 - 1).dirichlet6().tolist() == [ONE / single(6.0)] * 6


@given(seed=st.integers(0, 2**64 - 1), low=st.integers(-5, 5), span=st.integers(1, 40))
def test_integers_stay_in_their_range(seed: int, low: int, span: int) -> None:
    assert low <= Draws(seed).integer(low, low + span) < low + span


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f32.TAU, "0x1.921fb6p+2"),
        (single(0.35) - single(0.05), "0x1.333332p-2"),
        (single(160.0) * single(0.7), "0x1.cp+6"),
        (single(0.70) * single(100.0), "0x1.18p+6"),
        (ONE / single(31.0), "0x1.08421p-5"),
        (ONE / single(160.0), "0x1.99999ap-8"),
        (ONE / single(500.0), "0x1.0624dep-9"),
        (ONE / single(100.0), "0x1.47ae14p-7"),
        (f32.log1p(single(1e7)), "0x1.01e3b8p+4"),
    ],
)
def test_exact_constants(value: np.float32, expected: str) -> None:
    assert float(value) == float.fromhex(expected)


def test_a_rounded_span_differs_from_the_real_one() -> None:
    assert single(0.35) - single(0.05) != single(0.3)


def test_sums_run_first_to_last() -> None:
    """Each small term is lost against the large one; pairing them first would keep them."""
    terms = [single(2.0**24), ONE, ONE]
    assert f32.ordered_sum(terms) == single(2.0**24)
    assert f32.ordered_sum(reversed(terms)) == single(2.0**24 + 2)


@given(st.floats(-20, 20, width=32))
def test_math_functions_stay_single_and_close_to_double(x: float) -> None:
    argument = single(x)
    for function, exact in ((f32.exp, np.exp), (f32.sin, np.sin), (f32.cos, np.cos)):
        result = function(argument)
        assert type(result) is np.float32
        assert result == pytest.approx(float(exact(x)), rel=1e-6, abs=1e-7)
