"""A state as plain values and back, to the bit: what snapshots and digests are made of."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Final, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from astrarium.worlds.prospector import layout

from .draws import Draws
from .f32 import Vector
from .rules import Rules
from .state import State

_LISTS_MAX: Final = layout.MAX_NODES
_WORD_END: Final = 1 << 64


def plain(state: State) -> Any:
    """Return a state as nested lists of integers, floats by their bits; its rules are left out."""
    return _plain(state)


def restored(document: Any, rules: Rules) -> State:
    """Return the state that `plain` wrote. Raises a ValueError for anything else."""
    try:
        state = _restored(State, document, rules)
    except (TypeError, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"is no state of Prospector: {error}") from error
    _check(state)
    return state


def _plain(value: Any) -> Any:
    if isinstance(value, Draws):
        return value.state
    if isinstance(value, np.generic | np.ndarray):
        return np.asarray(value, np.float32).view(np.uint32).tolist()
    if isinstance(value, list):
        return [_plain(one) for one in cast("list[Any]", value)]
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return [_plain(getattr(value, field.name)) for field in fields if field.name != "rules"]
    return value


def _restored(kind: Any, document: Any, rules: Rules) -> Any:
    """Return the value of type `kind` that `document` stands for."""
    if kind is Draws:
        draws = Draws(0)
        draws.state = _whole(document, _WORD_END)
        return draws
    if kind is np.float32:
        return np.uint32(_whole(document, 1 << 32)).view(np.float32)
    if kind == Vector:
        return np.array([_whole(one, 1 << 32) for one in document], np.uint32).view(np.float32)
    if dataclasses.is_dataclass(kind):
        return _record(kind, document, rules)
    if get_origin(kind) is list:
        if not isinstance(document, list) or len(document) > _LISTS_MAX:  # pyright: ignore[reportUnknownArgumentType]
            raise ValueError(f"a list has more than {_LISTS_MAX} entries")
        return [_restored(get_args(kind)[0], one, rules) for one in document]  # pyright: ignore[reportUnknownVariableType]
    if get_origin(kind) in (Union, types.UnionType) and document is None:
        return None
    if kind is bool:
        return bool(_whole(int(document), 2))
    return _whole(document, _WORD_END)


def _record(kind: Any, document: Any, rules: Rules) -> Any:
    hints = get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind) if field.name != "rules"]
    if len(document) != len(names):
        raise ValueError(f"{kind.__name__} has {len(document)} values; it needs {len(names)}")
    values = {
        name: _restored(hints[name], one, rules) for name, one in zip(names, document, strict=True)
    }
    return kind(rules=rules, **values) if kind is State else kind(**values)


def _whole(value: Any, end: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < end:
        raise ValueError(f"{value!r} is not a whole number from 0 to {end - 1}")
    return value


def _check(state: State) -> None:
    """Refuse a state that points at what it does not have."""
    nodes = len(state.nodes)
    if not 0 <= state.ship.node < nodes:
        raise ValueError(f"the ship is at node {state.ship.node} of {nodes}")
    for node in state.nodes:
        if len(node.lanes) > layout.MAX_NEIGHBORS or len(node.asteroids) > layout.MAX_ASTEROIDS:
            raise ValueError("a node has too many lanes or asteroids")
        if any(lane.to >= nodes for lane in node.lanes):
            raise ValueError(f"a lane leads past node {nodes - 1}")
    slot = state.ship.selected
    if slot is not None and slot >= len(state.here().asteroids):
        raise ValueError(f"asteroid {slot} is selected and does not exist")
    if len(state.ship.stabilize_ticks) != layout.MAX_ASTEROIDS:
        raise ValueError(f"stabilize_ticks has {len(state.ship.stabilize_ticks)} entries")
    market = state.market
    vectors = [getattr(market, field.name) for field in dataclasses.fields(market)]
    if any(len(vector) != layout.N_COMMODITIES for vector in (state.ship.cargo, *vectors)):
        raise ValueError(f"a vector has not {layout.N_COMMODITIES} entries")
