"""Names of what agents see and choose, in the order of the core."""

from __future__ import annotations

from typing import Final, Protocol

from astrarium.worlds.townlet.config.ground import Features, Observations

OPTIONS: Final = (
    "Wait",
    "GetFed",
    "GetClean",
    "GoToWork",
    "ShopGroceries",
    "Sleep",
    "Socialise",
    "GoHome",
)

PRIMITIVES: Final = (
    "wait",
    *(f"move_{way}" for way in ("north", "east", "south", "west")),
    *(f"request_{nearest}" for nearest in range(4)),
    *(f"start_{which}" for which in range(4)),
    "release",
    *(f"talk_{neighbour}" for neighbour in range(4)),
    "buy",
    "use_item",
    "sleep",
    "equip",
)

WINDOW_FEATURES: Final = (
    "neighbor_agent_ratio",
    "neighbor_object_ratio",
    "reserved_tile_ratio",
    "nearest_agent_distance",
)
"""What is told of the surroundings in four numbers."""
_BASE: Final = (
    "need_hunger",
    "need_hygiene",
    "need_energy",
    "wallet",
    "lateness_counter",
    "on_shift",
    "time_sin",
    "time_cos",
    "attendance_ratio",
    "wages_withheld",
    "shift_pre",
    "shift_on_time",
    "shift_late",
    "shift_absent",
    "shift_post",
    "embedding_slot_norm",
    "ctx_reset_flag",
    "episode_progress",
    "rivalry_max",
    "rivalry_avoid_count",
    "last_action_id_hash",
    "last_action_success",
    "last_action_duration",
    "reservation_active",
    "in_queue",
    "path_hint_north",
    "path_hint_south",
    "path_hint_east",
    "path_hint_west",
    *WINDOW_FEATURES,
)
TARGETS: Final = ("fridge", "stove", "bed", "shower", "till", "home", "work")
TRAITS: Final = ("extroversion", "forgiveness", "ambition")
SOCIAL_SLOTS: Final = 4
"""Others that are shown: the best friends, then the worst rivals."""
SLOT_PARTS: Final = 11
"""Floats of one of them: eight that tell it apart, then trust, familiarity and rivalry."""
SOCIAL_TOTALS: Final = (
    "social_trust_mean",
    "social_trust_max",
    "social_rivalry_mean",
    "social_rivalry_max",
)
_STATUS: Final = (
    "has_job",
    "inventory_meal",
    "inventory_food_raw",
    "inventory_clothes_clean",
    "power_on",
    "water_on",
    "price_index",
    "rent_due_norm",
    "exit_pending",
    "option_commit_norm",
)
HOURS: Final = ("shift_starts_in", "shift_ends_in")
WEATHER: Final = ("weather_rainy", "weather_cold", "need_warmth", "held_up")


class SeeingNodes(Protocol):
    """The nodes of a configuration that say what agents see."""

    @property
    def features(self) -> Features:
        """What is switched on."""
        ...

    @property
    def observations(self) -> Observations:
        """How it is laid out."""
        ...


def map_channels(config: SeeingNodes) -> tuple[str, ...]:
    """Channels of the map, in order."""
    common = ("self", "agents", "objects", "reservations")
    variant = config.features.systems.observations
    if variant == "full":
        return (*common, "path_dx", "path_dy")
    if variant == "compact":
        kinds = (f"object:{kind}" for kind in config.observations.compact.object_channels)
        return (*common, *kinds, "walkable")
    return common


def map_window(config: SeeingNodes) -> int:
    """Side of the map; 0 where there is none."""
    if config.features.systems.observations == "compact":
        return config.observations.compact.map_window
    return config.observations.hybrid.local_window


def feature_names(config: SeeingNodes) -> tuple[str, ...]:
    """Features after the map, in order."""
    extended = config.observations.layout == "extended"
    names = list(_BASE)
    if config.observations.include_targets:
        for target in TARGETS if extended else TARGETS[:4]:
            names += [f"{target}_dx", f"{target}_dy", f"{target}_dist"]
    if config.features.observations.personality_channels:
        names += [f"personality_{trait}" for trait in TRAITS]
    names += [
        f"social_slot{slot}_d{part}" for slot in range(SOCIAL_SLOTS) for part in range(SLOT_PARTS)
    ]
    names += SOCIAL_TOTALS
    if extended:
        names += [*_STATUS, *(f"option_{name}" for name in OPTIONS)]
    if config.observations.include_hours:
        names += HOURS
    if config.observations.include_weather:
        names += WEATHER
    return tuple(names)


def obs_names(config: SeeingNodes) -> tuple[str, ...]:
    """Every float of an agent's observation: the map, channel by channel, then the features."""
    side = range(map_window(config))
    cells = (f"{channel}_{y}_{x}" for channel in map_channels(config) for y in side for x in side)
    return (*cells, *feature_names(config))
