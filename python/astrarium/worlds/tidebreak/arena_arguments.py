"""What a caller may pass to a single battle, checked before anything is changed.

Like `astrarium.worlds.arguments`, which does so for batches: each function returns the value in the
one form the arena takes, or raises an error that names the argument and the remedy.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np
import numpy.typing as npt

from astrarium.errors import (
    ActionError,
    ConfigError,
    CountError,
    PackageError,
    ShapeError,
    WorldIndexError,
)
from astrarium.worlds.tidebreak.names import COLUMNS, HELM_HEADS, ORDER_HEADS
from astrarium.worlds.tidebreak.package import BattlePackage

Package = BattlePackage | bytes
"""A battle as a model, or as the JSON of one."""

HELM_MAX: Final = 127
"""A lever hard over: columns 0 and 1 of orders are throttle and rudder in -127..127."""
TRACES: Final = "0 (counts), 1 (events) or 2 (proposals)"

_LEAST: Final = np.array([-HELM_MAX] * len(HELM_HEADS) + [0] * len(ORDER_HEADS))
_MOST: Final = np.array([HELM_MAX] * len(HELM_HEADS) + [len(head) - 1 for head in ORDER_HEADS])

_SCALAR = TypeVar("_SCALAR", bound=np.generic)


def package_json(given: object, name: str = "package") -> bytes:
    """The JSON of a package."""
    if isinstance(given, BattlePackage):
        return given.json_bytes()
    if isinstance(given, bytes):
        return given
    raise PackageError(
        f"{name} is a {type(given).__name__}; give a BattlePackage, or its JSON as bytes"
    )


def trace(given: object) -> int:
    """How much a battle remembers."""
    number = _whole(given)
    if number is None or not 0 <= number <= 2:
        raise ConfigError(f"trace is {given!r}; give {TRACES}")
    return number


def flag(name: str, given: object) -> bool:
    """Yes or no."""
    if not isinstance(given, bool):
        raise ConfigError(f"{name} is {given!r}; give True or False")
    return given


def ship(given: object, ships: int) -> int:
    """The row of a ship; a negative one does not count from the end."""
    number = _whole(given)
    if number is None or not 0 <= number < ships:
        raise WorldIndexError(
            f"ship {given!r} is none of the {ships} of this battle; give a row, 0 to {ships - 1}"
        )
    return number


def event(given: object) -> int:
    """The id of an event."""
    number = _whole(given)
    if number is None or not 0 <= number < 2**64:
        raise ConfigError(f"event is {given!r}; give the id of an event, as `events` tells it")
    return number


def controllers(given: object, name: str = "controllers") -> dict[str, str]:
    """Doctrines by team id."""
    if isinstance(given, Mapping):
        pairs = dict(cast("Mapping[Any, Any]", given))
        if all(isinstance(word, str) for pair in pairs.items() for word in pair):
            return pairs
    raise ConfigError(f'{name} is {given!r}; give doctrines by team id, such as {{"blue": "line"}}')


def packages(given: object) -> list[bytes]:
    """The JSON of a list of packages."""
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise PackageError(f"packages is a {type(given).__name__}; give a list of packages")
    each = cast("Sequence[object]", given)
    return [package_json(one, f"packages[{at}]") for at, one in enumerate(each)]


def controllers_for_each(given: object, battles: int) -> list[dict[str, str]]:
    """Doctrines by team id: the same for all battles, or one mapping each."""
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        return [controllers({} if given is None else given)] * battles
    listed = cast("Sequence[object]", given)
    each = [controllers(one, f"controllers[{at}]") for at, one in enumerate(listed)]
    if len(each) != battles:
        raise CountError(f"{len(each)} controllers for {battles} packages; give one each")
    return each


def orders(given: npt.ArrayLike, ships: int) -> npt.NDArray[np.int16]:
    """A row of eleven whole numbers for every ship, each within its column's range."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ActionError(f"orders cannot be read as an array: {error}") from error
    if array.shape != (ships, len(COLUMNS)):
        raise ActionError(
            f"orders has shape {array.shape}; give ({ships}, {len(COLUMNS)}): a row for every ship"
        )
    if array.dtype.kind not in "iu":
        raise ActionError(
            f"orders has dtype {array.dtype}; give whole numbers, such as orders.astype(np.int16)"
        )
    wrong = (array < _LEAST) | (array > _MOST)
    if wrong.any():
        row, column = (int(at) for at in np.argwhere(wrong)[0])
        raise ActionError(
            f"orders[{row}, {column}] is {array[row, column]}; {COLUMNS[column]} takes "
            f"{_LEAST[column]} to {_MOST[column]}"
        )
    return np.ascontiguousarray(array, np.int16)


def to_fill(given: object, size: int, dtype: type[_SCALAR]) -> npt.NDArray[_SCALAR]:
    """The array `out` of `size` elements to write into; a new one where none was given."""
    if given is None:
        return np.zeros(size, dtype)
    wanted = f"give a writable C-ordered array of shape ({size},) and dtype {np.dtype(dtype)}"
    if not isinstance(given, np.ndarray):
        raise ShapeError(f"out is a {type(given).__name__}; {wanted}")
    array = cast("npt.NDArray[_SCALAR]", given)
    if array.shape != (size,) or array.dtype != np.dtype(dtype):
        raise ShapeError(f"out has shape {array.shape} and dtype {array.dtype}; {wanted}")
    if not (array.flags.writeable and array.flags.c_contiguous):
        raise ShapeError(f"out is not writable or not in one piece; {wanted}")
    return array


def _whole(given: object) -> int | None:
    if isinstance(given, bool | np.bool_):
        return None
    try:
        return operator.index(cast("Any", given))
    except TypeError:
        return None
