"""What every node of a town's configuration is made of: exact types, known words, no surprises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NoReturn, TypeVar

import pydantic

K = TypeVar("K")
V = TypeVar("V")


class Node(pydantic.BaseModel):
    """A mapping of the configuration: frozen, and without unknown keys."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class QuietNode(Node):
    """A node with keys that are no part of it until somebody sets them.

    A rule that is off by default then changes neither the id nor the transcripts of a town that
    does without it.
    """

    quiet: ClassVar[frozenset[str]] = frozenset()

    def _unsaid(self) -> set[str]:
        fields = type(self).model_fields
        return {name for name in self.quiet if getattr(self, name) == fields[name].default}

    @pydantic.model_serializer(mode="wrap")
    def _what_was_said(self, plain: pydantic.SerializerFunctionWrapHandler) -> dict[str, Any]:
        unsaid = self._unsaid()
        return {name: value for name, value in plain(self).items() if name not in unsaid}

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        unsaid = self._unsaid()
        return (one for one in super().__repr_args__() if one[0] not in unsaid)


class FrozenDict(dict[K, V]):
    """A dict that is only read, so that a config stays what its id says."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a configuration does not change; make another one")

    if not TYPE_CHECKING:  # to a type checker it is a dict like any other
        __setitem__ = __delitem__ = __ior__ = _refuse
        clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


# Exact types: a quoted number or a yes where a number belongs is a mistake in the file.
Count = Annotated[int, pydantic.Field(strict=True)]
Figure = Annotated[float, pydantic.Field(strict=True, allow_inf_nan=False)]
Flag = Annotated[bool, pydantic.Field(strict=True)]
Share = Annotated[float, pydantic.Field(strict=True, allow_inf_nan=False, ge=0, le=1)]
Coordinate = Annotated[int, pydantic.Field(strict=True, ge=0, le=127)]
Position = tuple[Coordinate, Coordinate]
"""East and south of the north-western corner."""
Name = Annotated[str, pydantic.Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_]+$")]
Table = Annotated[dict[K, V], pydantic.AfterValidator(FrozenDict)]

Need = Literal["hunger", "hygiene", "energy"]
Venue = Literal["home", "gym", "cafe", "grocer", "office", "park"]
PriceKey = Literal["meal_cost", "ingredients_cost", "shower_cost"]
Item = Literal["food_raw", "meal", "clothes_clean"]
Stock = Literal["meals", "raw_ingredients", "food_raw", "sleep_slots"]
"""What affordances use up of an object."""
Fitting = Literal[
    "meals", "raw_ingredients", "food_raw", "sleep_slots", "sleep_capacity", "power_on", "water_on"
]
"""What an object may hold or be connected to."""
Utility = Literal["power", "water"]
Switch = Literal["on", "off"]
Hook = Literal[
    "on_attempt_shower",
    "on_finish_shower",
    "on_no_power",
    "on_attempt_eat",
    "on_finish_eat",
    "on_attempt_cook",
    "on_finish_cook",
    "on_cook_fail",
    "on_attempt_sleep",
    "on_finish_sleep",
    "on_attempt_buy",
    "on_finish_buy",
]


def rising(pair: tuple[Any, Any]) -> tuple[Any, Any]:
    """Check that the least comes first."""
    if pair[0] > pair[1]:
        raise ValueError("must not fall: the least comes first")
    return pair
