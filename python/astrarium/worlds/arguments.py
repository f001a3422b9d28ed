"""What a caller may pass to a world, checked before anything is changed.

For any `VectorWorld`, native or written in Python: each function returns the value in the one
form the world keeps, or raises an error that names the argument and the remedy.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, Final, TypeVar, cast, get_args

import numpy as np
import numpy.typing as npt

from astrarium.errors import (
    ActionError,
    ConfigError,
    CountError,
    SeedError,
    SnapshotError,
    WorldIndexError,
    did_you_mean,
)
from astrarium.worlds.vector import Actions, Autoreset, Floats, Words

SEED_MAX: Final = 2**64 - 1

_INT32: Final = np.dtype(np.int32)
# As arrays: NumPy takes a microsecond less over them than over Python's integers.
_INT32_MIN: Final = np.array(-(2**31))
_INT32_MAX: Final = np.array(2**31 - 1)
_INT32_MAX_UNSIGNED: Final = _INT32_MAX.astype(np.uint64)
_SCALAR = TypeVar("_SCALAR", bound=np.generic)


def count(name: str, given: object, most: int = 2**32 - 1) -> int:
    """A number of worlds or threads, from 1 to `most`."""
    number = _whole(given)
    if number is None or not 1 <= number <= most:
        raise CountError(f"{name} is {given!r}; give a whole number from 1 to {most:,}")
    return number


def autoreset(given: object) -> Autoreset:
    """One of the three autoreset modes."""
    modes = get_args(Autoreset)
    if given not in modes:
        raise ConfigError(
            f"autoreset is {given!r}{did_you_mean(str(given), modes)} (allowed: {', '.join(modes)})"
        )
    return cast("Autoreset", given)


def seed(given: object, name: str = "seed") -> int:
    """One seed: a whole number from 0 to 2**64 - 1."""
    number = _whole(given)
    if number is None:
        raise SeedError(
            f"{name} is {given!r} ({type(given).__name__}); give a whole number, such as 7"
        )
    if not 0 <= number <= SEED_MAX:
        raise SeedError(f"{name} is {number}; choose 0 to 2**64 - 1")
    return number


def seeds(given: npt.ArrayLike) -> Words:
    """A list of seeds."""
    if isinstance(given, np.ndarray):
        return _seed_array(cast("npt.NDArray[Any]", given))
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise SeedError(f"seeds is {given!r}; give one whole number per world")
    # One by one: NumPy would turn a list that mixes large and negative numbers into floats.
    items = cast("Iterable[object]", given)
    return np.array([seed(item, f"seeds[{at}]") for at, item in enumerate(items)], np.uint64)


def _seed_array(given: npt.NDArray[Any]) -> Words:
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise SeedError(
            f"seeds has dtype {given.dtype} and shape {given.shape}; "
            "give one whole number per world, in one dimension"
        )
    if given.dtype.kind == "i" and given.size and given.min() < 0:
        raise SeedError(f"seeds[{given.argmin()}] is {given.min()}; choose 0 to 2**64 - 1")
    return given.astype(np.uint64)


def indices(given: npt.ArrayLike, num_worlds: int) -> npt.NDArray[np.uint32]:
    """A list of worlds of the batch; a negative index does not count from the end."""
    array = _array(given, "indices", WorldIndexError)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        hint = "np.flatnonzero(mask)" if array.dtype.kind == "b" else "a list such as [0, 2]"
        raise WorldIndexError(
            f"indices has dtype {array.dtype} and shape {array.shape}; "
            f"give whole numbers in one dimension: {hint}"
        )
    outside = array[(array < 0) | (array >= num_worlds)]
    if outside.size:
        raise WorldIndexError(
            f"world index {outside[0]} is outside this batch of {num_worlds}; "
            f"choose 0 to {num_worlds - 1}"
        )
    return array.astype(np.uint32)


def shapes(array: npt.NDArray[_SCALAR]) -> dict[tuple[int, ...], npt.NDArray[_SCALAR]]:
    """Views of an (n, m, width) array under each shape that leaves out sizes of 1."""
    n, m, width = array.shape
    accepted: list[tuple[int, ...]] = [(n, m, width)]
    if m == 1:
        accepted.append((n, width))
    if width == 1:
        accepted.append((n, m))
    if m == 1 and width == 1:
        accepted.append((n,))
    return {shape: array.reshape(shape) for shape in accepted}


def actions(given: npt.ArrayLike, accepted: dict[tuple[int, ...], Actions]) -> npt.NDArray[Any]:
    """Actions that fit one of the `accepted` shapes and can be copied into int32 as they are.

    Wider integers are clipped, so that an index out of range stays out of range.
    """
    array = given if type(given) is np.ndarray else _array(given, "actions", ActionError)
    if array.shape not in accepted:
        raise _misfit("actions", array.shape, accepted)
    dtype = array.dtype
    if dtype == _INT32:
        return array
    kind = dtype.kind
    if kind == "i":
        # `np.clip` does the same four times slower.
        return np.minimum(np.maximum(array, _INT32_MIN), _INT32_MAX)
    if kind != "u":
        raise ActionError(
            f"actions has dtype {dtype}; give integers, such as actions.astype(np.int32)"
        )
    return np.minimum(array, _INT32_MAX_UNSIGNED)


def controls(given: npt.ArrayLike, accepted: dict[tuple[int, ...], Floats]) -> Floats:
    """Controls that fit one of the `accepted` shapes, finite, as float32."""
    array = given if type(given) is np.ndarray else _array(given, "controls", ActionError)
    if array.shape not in accepted:
        raise _misfit("controls", array.shape, accepted)
    if array.dtype.kind != "f":
        raise ActionError(
            f"controls has dtype {array.dtype}; give floats, such as controls.astype(np.float32)"
        )
    with np.errstate(over="ignore"):
        single = array.astype(np.float32, copy=False)
    finite = np.isfinite(single)
    if not finite.all():
        at = tuple(int(index) for index in np.argwhere(~finite)[0])
        raise ActionError(f"controls{list(at)} is {array[at]}; clip or replace it before stepping")
    return single


def snapshot(given: object) -> bytes:
    """The bytes of a snapshot."""
    if isinstance(given, bytes):
        return given
    if isinstance(given, bytearray | memoryview):
        return bytes(cast("bytearray", given))
    raise SnapshotError(
        f"a snapshot is bytes, not {type(given).__name__}; read files in binary mode"
    )


def _whole(given: object) -> int | None:
    if isinstance(given, bool | np.bool_):
        return None
    try:
        return operator.index(cast("Any", given))
    except TypeError:
        return None


def _array(given: npt.ArrayLike, name: str, refuse: type[Exception]) -> npt.NDArray[Any]:
    try:
        return np.asarray(given)
    except Exception as error:
        raise refuse(f"{name} cannot be read as an array: {error}") from error


def _misfit(name: str, shape: tuple[int, ...], accepted: Iterable[tuple[int, ...]]) -> ActionError:
    wanted = " or ".join(str(one) for one in accepted)
    return ActionError(f"{name} has shape {shape}; this batch takes {wanted}")
