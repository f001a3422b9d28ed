"""What the floats a ship sees, the choices it has and its rewards are called."""

from __future__ import annotations

from typing import Final

CONTACTS: Final = 16
ALLIES: Final = 8
LAYERS: Final = ("surface", "submerged", "abyssal")
GROUPS: Final = ("gun", "torpedo", "missile", "special")
DOCTRINES: Final = ("drifter", "pursuer", "line", "wolfpack")
"""From the weakest to the strongest."""
TERMS: Final = 12
STATE_FLOATS: Final = 528
"""Of the hidden state: 32 ships of 16 true features, and 16 figures of the whole battle."""

HELM_HEADS: Final = (
    ("astern", "stop", "slow", "cruise", "full"),
    ("hard_starboard", "starboard", "amidships", "port", "hard_port"),
)
ORDER_HEADS: Final = (
    ("no_target", *(f"contact_{slot}" for slot in range(CONTACTS))),
    *(("hold_fire", f"fire_{group}") for group in GROUPS),
    ("hold_layer", "up", "down", "abort"),
    ("keep_emission", "silent", "passive", "active"),
    ("no_utility", "decoy", "ping", "jam", "board", "scuttle"),
    ("repair_hull", "repair_propulsion", "repair_weapons", "repair_sensors"),
)
COLUMNS: Final = (
    *("throttle", "rudder", "target"),
    *GROUPS,
    *("layer", "emission", "utility", "damage_control"),
)
"""What an order consists of: the two of the helm, then one for each head of `ORDER_HEADS`."""

_SELF: Final = (
    "x",
    "y",
    "sin_heading",
    "cos_heading",
    "surge",
    "sway",
    "yaw_rate",
    "throttle",
    "rudder",
    *LAYERS,
    "in_transition",
    "transition_progress",
    "transition_direction",
    "hp",
    "morale",
    "fit_crew",
    "fuel",
    "fatigue",
    "mobility_lost",
    "weapons_lost",
    "sensors_lost",
    "on_fire",
    "flooding",
    "surrendered",
    *(f"{group}_{what}" for group in GROUPS for what in ("ready", "ammo")),
    "silent",
    "passive",
    "active",
    "decoys",
    "own_level",
    "boarding",
)
_CONTACT: Final = (
    "valid",
    "sin_bearing",
    "cos_bearing",
    "range",
    "closing",
    "velocity_ahead",
    "velocity_port",
    "quality",
    "age",
    "uncertainty",
    *LAYERS,
    "size",
    "iff",
    "engageable",
)
_ALLY: Final = (
    "valid",
    "sin_bearing",
    "cos_bearing",
    "range",
    "velocity_ahead",
    "velocity_port",
    "layer",
    "hp",
    "size",
    "precious",
)
_ENVIRONMENT: Final = (
    "time_left",
    "current_ahead",
    "current_port",
    "sea_state",
    "visibility",
    "rain",
    "wind_ahead",
    "wind_port",
    "may_submerge",
    "may_dive_deep",
    "obstacle_range",
    "obstacle_sin",
    "obstacle_cos",
    "edge_distance",
    "storm_proximity",
    "own_value_share",
)
_SHELLS: Final = ("near", "middle", "far")
_SECTORS: Final = 8
_FIELDS: Final = ("temperature", "noise", "occupancy", "sonar_return")
OBJECTIVES: Final = (
    "destroy",
    "disable",
    "raid",
    "intercept",
    "protect",
    "screen",
    "capture",
    "evade",
    "shadow",
    "loiter",
    "scout",
    "deliver",
    "recover",
    "evacuate",
)
_POINT: Final = (
    "sin_bearing",
    "cos_bearing",
    "range",
    "sin_heading_off",
    "cos_heading_off",
    "speed_off",
)
_OBJECTIVE: Final = (
    *(f"is_{kind}" for kind in OBJECTIVES),
    "has_target",
    *(f"target_{part}" for part in _POINT),
    "has_asset",
    *(f"asset_{part}" for part in _POINT),
    "has_zone",
    *(f"zone_{part}" for part in ("sin_bearing", "cos_bearing", "distance", "radius")),
    "has_destination",
    *(f"destination_{part}" for part in ("sin_bearing", "cos_bearing", "range")),
    "priority",
    "time_left",
)

BLOCKS: Final = {
    "self": (40,),
    "contacts": (CONTACTS, len(_CONTACT)),
    "allies": (ALLIES, len(_ALLY)),
    "env": (16,),
    "field": (len(LAYERS), len(_SHELLS), _SECTORS, len(_FIELDS)),
    "objective": (39,),
}
"""The parts of an observation in order, and their shapes."""

OBS_NAMES: Final = (
    *(f"self_{name}" for name in _SELF),
    *(f"contact_{slot}_{name}" for slot in range(CONTACTS) for name in _CONTACT),
    *(f"ally_{slot}_{name}" for slot in range(ALLIES) for name in _ALLY),
    *(f"env_{name}" for name in _ENVIRONMENT),
    *(
        f"field_{layer}_{shell}_{sector}_{field}"
        for layer in LAYERS
        for shell in _SHELLS
        for sector in range(_SECTORS)
        for field in _FIELDS
    ),
    *(f"objective_{name}" for name in _OBJECTIVE),
)
