"""Preconditions of affordances, checked when they are read; the core compiles them.

Names, `.` and `[]` access, literals, lists, comparisons, `in`, `and`, `or`, `not`, a sign.
No calls and no arithmetic.
"""

from __future__ import annotations

import ast
from typing import Final

from astrarium.errors import did_you_mean

NAMES: Final = (
    "affordance_id",
    "agent.id",
    "agent.wallet",
    "object.id",
    "object.type",
    "world.tick",
    "world.tod",
    "needs.hunger",
    "needs.hygiene",
    "needs.energy",
    "inventory.food_raw",
    "inventory.meal",
    "inventory.clothes_clean",
    "wallet",
    "queue",
    "queue_length",
    "reservation_active",
    "reservation_holder",
    "occupied",
    "power_on",
    "water_on",
    "meal_available",
    "stock_available",
    "stock.meals",
    "stock.raw_ingredients",
    "stock.food_raw",
    "stock.sleep_slots",
)
"""Everything that can be named."""

_TRUTHS: Final = ("true", "false")
_COMPARISONS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)


def checked(text: str) -> str:
    """`text` itself, if it is an expression of the language; a `ValueError` says why not."""
    try:
        # The language is a part of Python's grammar; it is read here and never run.
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError("is no expression") from None
    _check(tree.body)
    return text


def _check(node: ast.expr) -> None:
    match node:
        case ast.BoolOp(values=values):
            for value in values:
                _check(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            _check(operand)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            if not isinstance(operator, _COMPARISONS):
                raise ValueError(f"{ast.unparse(node)!r} compares in a way the language has not")
            if isinstance(operator, ast.In | ast.NotIn) and not isinstance(right, ast.List):
                raise ValueError(f"{ast.unparse(right)!r} is no list; `in` needs one")
            _check(left)
            _check(right)
        case ast.Compare():
            raise ValueError(f"{ast.unparse(node)!r} compares twice; join comparisons with `and`")
        case ast.List(elts=items):
            for item in items:
                _check(item)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float())):
            pass
        case ast.Constant(value=bool() | int() | float() | str()):
            pass
        case ast.Name() | ast.Attribute() | ast.Subscript():
            _check_name(node)
        case _:
            raise ValueError(
                f"{ast.unparse(node)!r} is not part of the language (names, literals, lists, "
                "comparisons, and, or, not)"
            )


def _check_name(node: ast.expr) -> None:
    path = _path(node)
    if path not in NAMES and path not in _TRUTHS:
        raise ValueError(
            f"there is no name {path!r}{did_you_mean(path, NAMES)} (known: {', '.join(NAMES)})"
        )


def _path(node: ast.expr) -> str:
    """`needs['hunger']` and `needs.hunger` as `needs.hunger`."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{_path(owner)}.{name}"
        case ast.Subscript(value=owner, slice=ast.Constant(value=str(name))):
            return f"{_path(owner)}.{name}"
        case _:
            return ast.unparse(node)
