"""`affordances`: objects of the town and what can be done with them."""

from __future__ import annotations

from typing import Annotated

import pydantic
from pydantic import Field

from astrarium.worlds.townlet.config.conditions import checked
from astrarium.worlds.townlet.config.node import (
    Count,
    Fitting,
    Flag,
    Hook,
    Item,
    Name,
    Need,
    Node,
    Position,
    PriceKey,
    Stock,
    Table,
    Utility,
    Venue,
)

Amount = Annotated[int, Field(strict=True, ge=0, le=1000)]
Some = Annotated[int, Field(strict=True, ge=1, le=1000)]
Effect = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-1, le=1)]
Precondition = Annotated[str, Field(min_length=1, max_length=500), pydantic.AfterValidator(checked)]


class ObjectEntry(Node):
    """One object."""

    id: Name
    object_type: Name
    position: Position
    """Its tile, which it blocks."""
    venue: Venue | None = None
    stock: Table[Fitting, Amount] = Field(default={}, validate_default=True)
    """What it holds at first."""


class Hooks(Node):
    """Built-in happenings before the start, after the end, and on failure."""

    before: tuple[Hook, ...] = ()
    after: tuple[Hook, ...] = ()
    fail: tuple[Hook, ...] = ()


class AffordanceEntry(Node):
    """One thing that can be done."""

    id: Name
    object_type: Name | None = None
    """The type of object it needs; none if it is done anywhere."""
    duration: Count = Field(ge=1, le=10_000)
    effects: Table[Need, Effect] = Field(default={}, validate_default=True)
    """Change of needs when it is finished."""
    gains: Table[Item, Some] = Field(default={}, validate_default=True)
    """Things gained when it is finished."""
    uses: Table[Item, Some] = Field(default={}, validate_default=True)
    """Things of one's own used up at the start."""
    stock: Table[Stock, Some] = Field(default={}, validate_default=True)
    """Stock of the object used up at the start; a till sells from the shelf of its venue."""
    returns: Flag = False
    """Stock is given back at the end."""
    cost: PriceKey | None = None
    """The price paid at the start."""
    instead_of_cost: Item | None = None
    """A thing of one's own taken instead of the price; the stock is used up all the same."""
    preconds: tuple[Precondition, ...] = ()
    """Expressions that must hold at the start."""
    requires: tuple[Utility, ...] = ()
    """Utilities needed all along."""
    hooks: Hooks = Hooks()

    @pydantic.model_validator(mode="after")
    def _is_good_for_something(self) -> AffordanceEntry:
        if not self.effects and not self.gains:
            raise ValueError("needs effects or gains; without either it does nothing")
        return self


class Affordances(Node):
    """`affordances`: the manifest."""

    objects: tuple[ObjectEntry, ...] = Field(max_length=254)
    affordances: tuple[AffordanceEntry, ...] = Field(max_length=32)
