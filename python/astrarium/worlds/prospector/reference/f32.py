"""Single-precision arithmetic for the reference.

The rules are exact to the bit, so every helper takes and returns `np.float32`, and the
transcendental functions are the C library's own single-precision ones: numpy's may be vectorised
with different last bits. Where that library is missing, the double result is rounded to single,
which agrees to about 1e-6 over long episodes but not to the bit.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable, Iterable
from typing import Final, cast

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]

ZERO: Final = np.float32(0.0)
ONE: Final = np.float32(1.0)
TAU: Final = np.float32(2.0) * np.float32(math.pi)


def _load_libm() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:
        return None


_LIBM: Final = _load_libm()

USES_LIBM: Final = _LIBM is not None
"""Whether results are bit-exact here, rather than rounded from double."""


def _single(name: str, arity: int, in_double: Callable[..., float]) -> Callable[..., float]:
    """The C library's `name`, or the double version when there is no such library."""
    if _LIBM is None:
        return in_double
    function = _LIBM[name]
    function.argtypes = [ctypes.c_float] * arity
    function.restype = ctypes.c_float
    return cast("Callable[..., float]", function)


def _exp_in_double(x: float) -> float:
    """Python raises where C answers infinity."""
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


_exp = _single("expf", 1, _exp_in_double)
_log = _single("logf", 1, math.log)
_log1p = _single("log1pf", 1, math.log1p)
_sin = _single("sinf", 1, math.sin)
_cos = _single("cosf", 1, math.cos)
_pow = _single("powf", 2, math.pow)


def exp(x: np.float32) -> np.float32:
    """e to the x."""
    return np.float32(_exp(float(x)))


def log(x: np.float32) -> np.float32:
    """Natural logarithm."""
    return np.float32(_log(float(x)))


def log1p(x: np.float32) -> np.float32:
    """Natural logarithm of 1 + x."""
    return np.float32(_log1p(float(x)))


def sin(x: np.float32) -> np.float32:
    """Sine of radians."""
    return np.float32(_sin(float(x)))


def cos(x: np.float32) -> np.float32:
    """Cosine of radians."""
    return np.float32(_cos(float(x)))


def power(base: np.float32, exponent: np.float32) -> np.float32:
    """`base` to the `exponent`, also for whole exponents: repeated products round otherwise."""
    return np.float32(_pow(float(base), float(exponent)))


def sqrt(x: np.float32) -> np.float32:
    """Square root; IEEE rounds it correctly everywhere, so numpy's is as good as any."""
    return np.float32(np.sqrt(x))


def clamp(x: np.float32, low: np.float32, high: np.float32) -> np.float32:
    """`x`, or the limit it passes."""
    if x < low:
        return low
    return high if x > high else x


def clamp01(x: np.float32) -> np.float32:
    """`x`, kept between 0 and 1."""
    return clamp(x, ZERO, ONE)


def sigmoid(x: np.float32) -> np.float32:
    """Log-odds to a chance."""
    return ONE / (ONE + exp(-x))


def ordered_sum(values: Iterable[np.float32]) -> np.float32:
    """Add from zero, first to last. numpy's own sum pairs entries and rounds differently."""
    total = ZERO
    for value in values:
        total = total + value
    return total


def normalised(values: Vector, floor: np.float32) -> Vector:
    """Raise entries to `floor`, then divide by their sum, so that they are shares of one."""
    raised: Vector = np.maximum(values, floor)
    return raised / ordered_sum(raised)
