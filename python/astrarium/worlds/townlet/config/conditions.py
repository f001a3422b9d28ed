"""Preconditions of affordances, checked when they are read; the core compiles them.

Names, `.` and `[]` access, literals, lists, comparisons, `in`, `and`, `or`, `not`, a sign.
No calls and no arithmetic.
"""

from __future__ import annotations

import ast
from typing import Final, Literal

from astrarium.errors import did_you_mean

Kind = Literal["number", "truth", "text", "list"]
"""What a value is."""
NAMES: Final[dict[str, Kind]] = {
    "affordance_id": "text",
    "agent.id": "text",
    "agent.wallet": "number",
    "object.id": "text",
    "object.type": "text",
    "world.tick": "number",
    "world.tod": "number",
    "needs.hunger": "number",
    "needs.hygiene": "number",
    "needs.energy": "number",
    "inventory.food_raw": "number",
    "inventory.meal": "number",
    "inventory.clothes_clean": "number",
    "wallet": "number",
    "queue": "list",
    "queue_length": "number",
    "reservation_active": "truth",
    "reservation_holder": "text",
    "occupied": "truth",
    "power_on": "truth",
    "water_on": "truth",
    "meal_available": "truth",
    "stock_available": "truth",
    "stock.meals": "number",
    "stock.raw_ingredients": "number",
    "stock.food_raw": "number",
    "stock.sleep_slots": "number",
}
"""Everything that can be named, and what it is."""

LONGEST: Final = 1000
"""Characters an expression may have."""

_TRUTHS: Final = ("true", "false")
_ORDERS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_COMPARISONS: Final = (ast.Eq, ast.NotEq, *_ORDERS, ast.In, ast.NotIn)


def checked(text: str) -> str:
    """`text` itself, if it is an expression of the language; a `ValueError` says why not."""
    try:
        # The language is a part of Python's grammar; it is read here and never run.
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError("is no expression") from None
    if len(text.encode()) > LONGEST:
        raise ValueError(f"has more than {LONGEST} characters")
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
            _check(left)
            _check(right)
            _check_fit(left, operator, right)
        case ast.Compare():
            raise ValueError(f"{ast.unparse(node)!r} compares twice; join comparisons with `and`")
        case ast.List(elts=items):
            for item in items:
                _check(item)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            _check(operand)
            if _kind(operand) != "number":
                raise ValueError(f"{ast.unparse(operand)!r} is no number; a sign needs one")
        case ast.Constant(value=bool() | int() | float() | str()):
            pass
        case ast.Name() | ast.Attribute() | ast.Subscript():
            _check_name(node)
        case _:
            raise ValueError(
                f"{ast.unparse(node)!r} is not part of the language (names, literals, lists, "
                "comparisons, and, or, not)"
            )


def _check_fit(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> None:
    """Whether two values can be compared in this way."""
    if isinstance(operator, ast.In | ast.NotIn):
        if _kind(right) != "list":
            raise ValueError(f"{ast.unparse(right)!r} is no list; `in` needs one")
    elif isinstance(operator, _ORDERS):
        for side in (left, right):
            if _kind(side) != "number":
                hint = "; it has a queue_length" if _kind(side) == "list" else ""
                raise ValueError(
                    f"{ast.unparse(side)!r} is no number, and only they have an order{hint}"
                )


def _kind(node: ast.expr) -> Kind:
    """What the value of something checked is."""
    match node:
        case ast.Constant(value=str()):
            return "text"
        case ast.Constant(value=bool()):
            return "truth"
        case ast.Constant() | ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return "number"
        case ast.List():
            return "list"
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return NAMES.get(_path(node), "truth")
        case _:
            return "truth"


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
