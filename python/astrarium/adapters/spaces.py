"""A world's layout as Gymnasium spaces, and the actions of those spaces as a world's orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from astrarium.adapters.errors import UnsupportedWorldError, explain_missing
from astrarium.errors import ActionError
from astrarium.worlds import Layout
from astrarium.worlds.vector import Floats

try:
    from gymnasium import spaces
except ModuleNotFoundError as error:
    explain_missing(error, "gym", "gymnasium")

Mask = npt.NDArray[np.int8] | tuple[npt.NDArray[np.int8], ...]
"""Legal choices of one agent, in the form that the `sample` of its action space takes."""


def observation_space(layout: Layout) -> spaces.Space[Floats]:
    """What one agent may see."""
    box = spaces.Box(layout.obs_low, layout.obs_high, (layout.obs_dim,), np.float32)
    return cast("spaces.Space[Floats]", box)


def action_space(layout: Layout) -> spaces.Space[Any]:
    """What one agent may order.

    One head is `Discrete`, several are `MultiDiscrete`, controls a `Box`; a world with both has a
    `Dict` of the two.
    """
    both = {"actions": _choices(layout), "controls": _controls(layout)}
    parts = {name: space for name, space in both.items() if space is not None}
    if not parts:
        raise UnsupportedWorldError("a world without heads and controls has no action space")
    if len(parts) == 1:
        return next(iter(parts.values()))
    return cast("spaces.Space[Any]", spaces.Dict(parts))


def flat_action_space(layout: Layout, library: str) -> spaces.Space[Any]:
    """The same for a library that has no mixed actions."""
    if layout.heads and layout.controls:
        raise UnsupportedWorldError(
            f"this world mixes {len(layout.heads)} heads with {layout.controls} controls and "
            f"{library} has no such action space; use astrarium.adapters.gymnasium"
        )
    return action_space(layout)


def _choices(layout: Layout) -> spaces.Space[Any] | None:
    if not layout.heads:
        return None
    if len(layout.heads) == 1:
        return spaces.Discrete(layout.heads[0])
    return spaces.MultiDiscrete(np.array(layout.heads))


def _controls(layout: Layout) -> spaces.Space[Any] | None:
    return spaces.Box(-1.0, 1.0, (layout.controls,), np.float32) if layout.controls else None


def mask_space(layout: Layout) -> spaces.Space[Any]:
    """The space of `mask_of`."""
    parts = [spaces.MultiBinary(choices) for choices in layout.heads]
    return parts[0] if len(parts) == 1 else cast("spaces.Space[Any]", spaces.Tuple(parts))


def mask_of(layout: Layout, row: npt.NDArray[np.uint8]) -> Mask:
    """One agent's row of the mask: an array for one head, a tuple of arrays for several."""
    # Gymnasium samples from int8 alone.
    copied = row.astype(np.int8)
    if len(layout.heads) == 1:
        return copied
    # Plain slices: `np.split` takes as long as a whole tick of a small world.
    parts: list[npt.NDArray[np.int8]] = []
    first = 0
    for choices in layout.heads:
        parts.append(copied[first : first + choices])
        first += choices
    return tuple(parts)


def orders_of(layout: Layout, given: Any) -> tuple[Any, Any]:
    """Actions of a batch as the two arguments of `VectorWorld.step`."""
    if not layout.controls:
        return _present(given), None
    if not layout.heads:
        return None, _present(given)
    if not isinstance(given, Mapping):
        raise ActionError(
            f"actions is a {type(given).__name__}; give a dict with 'actions' and 'controls'"
        )
    parts = cast("Mapping[str, Any]", given)
    if sorted(parts) != ["actions", "controls"]:
        raise ActionError(f"actions has the keys {sorted(parts)}; give 'actions' and 'controls'")
    return _present(parts["actions"]), _present(parts["controls"])


def _present(orders: Any) -> Any:
    # To the world None means the orders it holds already, which nobody means here.
    if orders is None:
        raise ActionError("actions is None; give an action of the action space")
    return orders


def row_of(layout: Layout, given: Any) -> Any:
    """One agent's action as a batch of one."""
    if isinstance(given, Mapping) and layout.heads and layout.controls:
        return {name: [part] for name, part in cast("Mapping[str, Any]", given).items()}
    return [given]
