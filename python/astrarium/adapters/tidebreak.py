"""Tidebreak as a Gymnasium environment of one ship, and as a PettingZoo one of two fleets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, cast

import numpy as np
import numpy.typing as npt

from astrarium import _native
from astrarium.adapters import infos
from astrarium.adapters.errors import explain_missing, refuses_closed
from astrarium.adapters.gymnasium import WorldEnv
from astrarium.adapters.pettingzoo import WorldParallelEnv
from astrarium.errors import ActionError, ConfigError
from astrarium.worlds.tidebreak.names import (
    BLOCKS,
    COLUMNS,
    HELM_HEADS,
    ORDER_HEADS,
    STATE_FLOATS,
)
from astrarium.worlds.tidebreak.scenarios import draw
from astrarium.worlds.tidebreak.units import Units
from astrarium.worlds.vector import Floats

try:
    from gymnasium import spaces
except ModuleNotFoundError as error:
    explain_missing(error, "gym", "gymnasium")

__all__ = [
    "ActionForm",
    "ObsForm",
    "ObsMode",
    "TidebreakEnv",
    "TidebreakParallelEnv",
    "block_space",
    "split_blocks",
]

WORLD_ID: Final = "tidebreak-v1"
ActionForm = Literal["hybrid", "discrete", "flat"]
ObsForm = Literal["dict", "flat"]
ObsMode = Literal["scaled", "raw"]

_HELM_SIZES: Final = tuple(map(len, HELM_HEADS))
_ORDER_SIZES: Final = tuple(map(len, ORDER_HEADS))
_HEAD_SIZES: Final = (*_HELM_SIZES, *_ORDER_SIZES)
_THROTTLES: Final = np.array([-1.0, 0.0, 0.33, 0.67, 1.0], np.float32)
"""Lever positions of the throttle's five choices; the lever's astern half is 0 to -0.3."""
_RUDDERS: Final = np.array([-1.0, -0.5, 0.0, 0.5, 1.0], np.float32)
_SIZES: Final = [int(np.prod(shape)) for shape in BLOCKS.values()]
_OBS_SIZE: Final = sum(_SIZES)
_PLACES: Final = tuple(
    (name, last - size, last, shape)
    for (name, shape), size, last in zip(
        BLOCKS.items(), _SIZES, itertools.accumulate(_SIZES), strict=True
    )
)
"""Where each block of an observation begins and ends, worked out once: every step asks."""

Helm = npt.NDArray[np.float32]
Choices = npt.NDArray[np.int32]
Orders = tuple[Helm, Choices]
"""Throttle and rudder in -1..1, and a choice for each of the other nine heads."""


def block_space() -> spaces.Dict:
    """An observation by its parts."""
    return spaces.Dict(
        {name: spaces.Box(-1.0, 1.0, shape, np.float32) for name, shape in BLOCKS.items()}
    )


def raw_space(units: Units) -> spaces.Dict:
    """The same in the units of the world."""
    low, high = split_blocks(units.low), split_blocks(units.high)
    return spaces.Dict({name: spaces.Box(low[name], high[name]) for name in BLOCKS})


def split_blocks(row: Floats) -> dict[str, Floats]:
    """One observation by its parts; these are views of `row`."""
    return {name: row[first:last].reshape(shape) for name, first, last, shape in _PLACES}


def joined_blocks(parts: Mapping[str, npt.ArrayLike]) -> Floats:
    """The parts of an observation side by side, as `split_blocks` takes them."""
    return np.concatenate([np.asarray(parts[name], np.float32).ravel() for name in BLOCKS])


def hybrid_space() -> spaces.Dict:
    """A continuous helm and nine heads."""
    return spaces.Dict(
        {
            "helm": spaces.Box(-1.0, 1.0, (2,), np.float32),
            "orders": spaces.MultiDiscrete(np.array(_ORDER_SIZES)),
        }
    )


def discrete_space() -> spaces.MultiDiscrete:
    """Eleven heads; the first two are the helm in five steps each."""
    return spaces.MultiDiscrete(np.array(_HEAD_SIZES))


def flat_space() -> spaces.Box:
    """Eleven numbers in -1..1."""
    return spaces.Box(-1.0, 1.0, (len(_HEAD_SIZES),), np.float32)


def from_hybrid(action: Any) -> Orders:
    """A `helm` and `orders`."""
    if not isinstance(action, Mapping) or sorted(action) != ["helm", "orders"]:  # pyright: ignore[reportUnknownArgumentType]
        raise ActionError(
            "a hybrid action is a dict with 'helm' (2 floats) and 'orders' (9 choices)"
        )
    parts = cast("Mapping[str, Any]", action)
    return _helm(parts["helm"]), _whole(parts["orders"], len(_ORDER_SIZES))


def from_discrete(action: Any) -> Orders:
    """Eleven choices. One outside its head counts as the nearest, as in the arena."""
    choices = _whole(action, len(_HEAD_SIZES))
    throttle, rudder = np.clip(choices[:2], 0, 4)
    return np.array([_THROTTLES[throttle], _RUDDERS[rudder]], np.float32), choices[2:]


def from_flat(action: Any) -> Orders:
    """Eleven numbers: the helm as it is, a head of two at 0 or more, others in equal bins."""
    values = np.asarray(action, np.float32)
    if values.shape != (len(_HEAD_SIZES),):
        raise ActionError(f"a flat action has shape {values.shape}; give 11 numbers in -1..1")
    for name, value in zip(COLUMNS, values.tolist(), strict=True):
        if not math.isfinite(value):
            raise ActionError(f"{name} of a flat action is {value}; give a finite number in -1..1")
    sizes = np.array(_ORDER_SIZES)
    bins = np.floor((values[2:].astype(np.float64) + 1.0) / 2.0 * sizes)
    return _helm(values[:2]), np.clip(bins, 0, sizes - 1).astype(np.int32)


FORMS: Final[Mapping[str, tuple[Callable[[], spaces.Space[Any]], Callable[[Any], Orders]]]] = {
    "hybrid": (hybrid_space, from_hybrid),
    "discrete": (discrete_space, from_discrete),
    "flat": (flat_space, from_flat),
}
"""What each form of action looks like, and how it is read."""


def _helm(given: Any) -> Helm:
    helm = np.asarray(given, np.float32)
    if helm.shape != (2,) or not np.isfinite(helm).all():
        raise ActionError("the helm is throttle and rudder: two finite numbers in -1..1")
    return helm


def _whole(given: Any, count: int) -> Choices:
    choices = np.asarray(given)
    if choices.shape != (count,) or choices.dtype.kind not in "iu":
        raise ActionError(
            f"the choices have shape {choices.shape} and dtype {choices.dtype}; "
            f"give {count} whole numbers"
        )
    return np.clip(choices, -1, 1 << 16).astype(np.int32)


class TidebreakEnv(WorldEnv):
    """One ship of one battle; doctrines command the others.

    `action` is `hybrid` (a dict of `helm` and `orders`), `discrete` (eleven heads) or `flat`
    (eleven numbers), `obs` a dict of the parts of an observation or all of it in a row, `obs_mode`
    `scaled` into -1..1 or `raw`, in metres, seconds and the like (`worlds.tidebreak.units`).
    `reward` are the weights of the twelve terms; `info["terms"]` has the terms, weighted, whose sum
    the reward is. For the rest see `WorldEnv`.
    """

    def __init__(
        self,
        scenario: str = "duel",
        *,
        side: Literal["blue", "red"] = "blue",
        ship: int = 0,
        opponent: str = "line",
        allies: str = "line",
        action: ActionForm = "hybrid",
        obs: ObsForm = "dict",
        obs_mode: ObsMode = "scaled",
        reward: Sequence[float] | None = None,
        decision_ticks: int = 1,
        fidelity: str = "F1",
        render_mode: str | None = None,
    ) -> None:
        if action not in FORMS:
            raise ConfigError(f"action is {action!r} (allowed: {', '.join(map(repr, FORMS))})")
        if obs not in ("dict", "flat"):
            raise ConfigError(f"obs is {obs!r} (allowed: 'dict', 'flat')")
        if obs_mode not in ("scaled", "raw"):
            raise ConfigError(f"obs_mode is {obs_mode!r} (allowed: 'scaled', 'raw')")
        settings: dict[str, Any] = {
            "scenario": scenario,
            "side": side,
            "ship": ship,
            "opponent": opponent,
            "allies": allies,
            "decision_ticks": decision_ticks,
            "fidelity": fidelity,
            "helm": "continuous",
        }
        if reward is not None:
            settings["weights"] = tuple(reward)
        super().__init__(WORLD_ID, render_mode=render_mode, config=settings)
        space, self._read = FORMS[action]
        self.action_space = space()
        self._form: Final = action
        self._by_parts: Final = obs == "dict"
        self._units: Final = _units(scenario, side, ship) if obs_mode == "raw" else None
        if self._units is not None:
            units = self._units
            seen = raw_space(units) if self._by_parts else spaces.Box(units.low, units.high)
            self.observation_space = cast("spaces.Space[Any]", seen)
        elif self._by_parts:
            self.observation_space = cast("spaces.Space[Any]", block_space())

    @refuses_closed
    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Advance by one decision."""
        helm, choices = self._read(action)
        answer = self._advance(choices[np.newaxis, np.newaxis], helm[np.newaxis, np.newaxis])
        answer[-1]["terms"] = self.world.terms[0, 0].copy()
        return answer

    def action_masks(self) -> infos.Bools:
        """The legal choices of all heads side by side: 43 without the helm, 53 with it."""
        orders = super().action_masks()
        if self._form != "discrete":
            return orders
        return np.concatenate([np.ones(sum(_HELM_SIZES), np.bool_), orders])

    def _seen(self) -> Any:
        row = super()._seen()
        if self._units is not None:
            row = self._units.raw(row)
        return split_blocks(row) if self._by_parts else row


def _units(scenario: str, side: str, ship: int) -> Units:
    """Those of an agent: ships and map are the same in every battle of a scenario."""
    blue, _ = _native.tidebreak_fleets(scenario)
    return Units.of(draw(scenario, 1), ship if side == "blue" else blue + ship)


class TidebreakParallelEnv(WorldParallelEnv):
    """Two fleets, every ship an agent: `blue_0`, `blue_1`, ..., `red_0`, ...

    `state()` is the true state in 528 floats, for critics in training only; see `WorldParallelEnv`
    for the rest. `settings` are those of `tidebreak-v1`.
    """

    def __init__(
        self, scenario: str = "duel", *, render_mode: str | None = None, **settings: Any
    ) -> None:
        fields: dict[str, Any] = {"scenario": scenario, "side": "both", **settings}
        super().__init__(WORLD_ID, render_mode=render_mode, config=fields)
        self.state_space = spaces.Box(-1.0, 1.0, (STATE_FLOATS,), np.float32)

    @refuses_closed
    def state(self) -> Floats:
        """The 32 most valuable ships as they are, and 16 figures of the whole battle."""
        return self.world.reveal()[0, :STATE_FLOATS].copy()
