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


class Heads(spaces.MultiDiscrete):
    """Several discrete heads; `sample` takes a flat mask, the choices of all heads side by side."""

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[Any]:
        """Draw a choice of each head, from the legal ones where there is a mask."""
        return super().sample(self._by_head(mask), self._by_head(probability))

    def _by_head(self, flat: Any) -> Any:
        if not isinstance(flat, np.ndarray):
            return flat  # nothing, or Gymnasium's own tuple of arrays
        mask = cast("npt.NDArray[Any]", flat)
        sizes: list[int] = self.nvec.tolist()
        if mask.shape != (sum(sizes),):
            raise ActionError(f"the mask has shape {mask.shape}; this space takes ({sum(sizes)},)")
        return tuple(np.split(mask, np.cumsum(sizes)[:-1]))


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
    return Heads(np.array(layout.heads))


def _controls(layout: Layout) -> spaces.Space[Any] | None:
    return spaces.Box(-1.0, 1.0, (layout.controls,), np.float32) if layout.controls else None


def mask_space(layout: Layout) -> spaces.Space[Any]:
    """Return the space of an action mask: the choices of all heads side by side."""
    return spaces.MultiBinary(layout.num_choices)


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
