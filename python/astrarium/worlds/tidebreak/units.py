"""An observation in the units of the world: metres, seconds, m/s, radians, tonnes, dB, people.

What a ship sees is scaled into -1..1. Whoever knows the ship and the map knows every scale, so the
way back needs nothing that the ship cannot see; and what was cut off at the end of its scale stays
there, so that the raw form tells no more than the scaled one.

What has no unit stays as it is: shares (morale, progress, hit points of friends), sines, cosines,
flags, sizes, IFF. Temperatures of the fields are kelvins off the ambient.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from astrarium import _native
from astrarium.worlds.tidebreak import arena_arguments
from astrarium.worlds.tidebreak.arena_arguments import Package
from astrarium.worlds.tidebreak.names import CONTACTS, GROUPS, LAYERS, OBS_NAMES
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.vector import Floats

RANGE_M: Final = 20_000.0
SPEED_M_S: Final = 50.0
TEMPERATURE_K: Final = 10_000.0
_NEAR_M: Final = 5_000.0
_FAINT_K: Final = 50.0
"""How far off the ambient a temperature is that shows as a half."""

_MOTION: Final = {"velocity_ahead": SPEED_M_S, "velocity_port": SPEED_M_S}
_SCALES: Final[Mapping[str, Mapping[str, float]]] = {
    "self": {"sway": 10.0, "own_level": 150.0},
    "contact": {"range": RANGE_M, "closing": SPEED_M_S, "quality": 3.0, "age": 90.0, **_MOTION},
    "ally": {"range": RANGE_M, "layer": 2.0, **_MOTION},
    "env": {
        "current_ahead": 3.0,
        "current_port": 3.0,
        "sea_state": 9.0,
        "visibility": 20_000.0,
        "rain": 3.0,
        "wind_ahead": 30.0,
        "wind_port": 30.0,
        "obstacle_range": _NEAR_M,
        "edge_distance": _NEAR_M,
    },
    "objective": {
        **{f"{what}_range": RANGE_M for what in ("target", "asset", "destination")},
        **{f"{what}_speed_off": SPEED_M_S for what in ("target", "asset")},
        "zone_distance": RANGE_M,
        "zone_radius": RANGE_M,
    },
    "field": {},
}
"""What 1 stands for, by block and name, where it is the same for every ship."""
_FIELD_TOPS: Final = {"noise": 200.0, "occupancy": 1.0, "sonar_return": 1.0}
"""What 1 stands for in the fields; -1 stands for 0."""

Figures = npt.NDArray[np.float64]


def _scale(name: str) -> float:
    block, _, what = name.partition("_")
    # Contacts and friends are numbered.
    return _SCALES[block].get(what.partition("_")[2] if what[0].isdigit() else what, 1.0)


def _places(*names: str) -> list[int]:
    return [OBS_NAMES.index(name) for name in names]


_SHARED: Final[Figures] = np.array([_scale(name) for name in OBS_NAMES])
_LAYER: Final = _places(*(f"self_{layer}" for layer in LAYERS))
_SURGE: Final = OBS_NAMES.index("self_surge")
_RANGE: Final = _places(*(f"contact_{slot}_range" for slot in range(CONTACTS)))
_UNCERTAINTY: Final = _places(*(f"contact_{slot}_uncertainty" for slot in range(CONTACTS)))
_TEMPERATURE: Final = [at for at, name in enumerate(OBS_NAMES) if name.endswith("_temperature")]


class Units:
    """What the figures stand for that one ship of one battle sees."""

    def __init__(self, offsets: Figures, scales: Figures, speeds: Figures) -> None:
        self._offsets: Final = offsets
        self._scales: Final = scales
        self._speeds: Final = speeds
        ends = [offsets + end * scales for end in (-1.0, 1.0)]
        self.low: Final[Floats] = _rounded(ends[0])
        """The least that `raw` gives, by figure."""
        self.high: Final[Floats] = _rounded(ends[1])
        """The most that `raw` gives, by figure."""

    @classmethod
    def of(cls, package: Package, ship: int) -> Self:
        """Those of a ship, by its row in the battle."""
        settled = _native.tidebreak_settled(arena_arguments.package_json(package))
        battle = BattlePackage.model_validate_json(settled)
        row = arena_arguments.ship(ship, len(battle.ships))
        speeds, turn_rate, hp, fuel_t, rounds = _native.tidebreak_wholes(settled)[row]
        own, bounds, limit = battle.ships[row], battle.map.bounds, float(battle.time_limit_s)
        wholes = {
            "self_x": (bounds.max_x - bounds.min_x) / 2.0,
            "self_y": (bounds.max_y - bounds.min_y) / 2.0,
            "self_surge": max(speeds),
            "self_yaw_rate": turn_rate,
            "self_hp": hp,
            "self_fit_crew": own.crew.fit,
            "self_fuel": fuel_t,
            "self_decoys": own.decoys,
            "env_time_left": limit,
            "objective_time_left": limit,
            **{f"self_{group}_ammo": left for group, left in zip(GROUPS, rounds, strict=True)},
        }
        scales, offsets = _SHARED.copy(), np.zeros(len(OBS_NAMES))
        scales[_places(*wholes)] = list(wholes.values())
        offsets[_places("self_x", "self_y")] = (
            (bounds.max_x + bounds.min_x) / 2.0,
            (bounds.max_y + bounds.min_y) / 2.0,
        )
        for name, top in _FIELD_TOPS.items():
            here = [at for at, whole in enumerate(OBS_NAMES) if whole.endswith(f"_{name}")]
            scales[here] = offsets[here] = top / 2.0
        scales[_UNCERTAINTY], scales[_TEMPERATURE] = RANGE_M, TEMPERATURE_K
        return cls(offsets, scales, np.array(speeds))

    def raw(self, seen: Floats) -> Floats:
        """The figures of an observation in their units."""
        figures = seen.astype(np.float64)
        told = self._offsets + figures * self._scales
        told[_SURGE] = figures[_SURGE] * (self._speeds @ figures[_LAYER])
        told[_UNCERTAINTY] = figures[_UNCERTAINTY] * np.maximum(told[_RANGE], 1.0)
        heat = figures[_TEMPERATURE]
        # Nothing is hotter than the field's range, whose end would stand for infinity.
        told[_TEMPERATURE] = _FAINT_K * heat / np.maximum(1.0 - np.abs(heat), 1e-3)
        return np.clip(_rounded(told), self.low, self.high)


def _rounded(figures: Figures) -> Floats:
    return figures.astype(np.float32)
