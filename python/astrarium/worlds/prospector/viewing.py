"""What a viewer is shown of the ship, and what its episodes are judged by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from astrarium.worlds.frames import plain_state
from astrarium.worlds.prospector.layout import AT_STATION
from astrarium.worlds.registry import Yardstick
from astrarium.worlds.vector import Floats

OUTCOMES: Final = {"profit_mean": "net_profit", "survival_rate": "survival"}
PEACEFUL_ENDINGS: Final = ("cash_out",)
YARDSTICKS: Final = (
    Yardstick("net_profit", at_least="greedy_miner"),
    Yardstick("survival", is_share=True, at_least="cautious_scanner"),
    Yardstick("profit_per_tick", at_least="market_timer"),
    Yardstick("overheat_ticks", higher_is_better=False),
    Yardstick("pirate_encounters", higher_is_better=False),
)
V1_YARDSTICKS: Final = (Yardstick("credits"), *YARDSTICKS)
"""Version 1 counts spending twice in `net_profit`; its credits are revenue less spending."""

_SHOWN: Final = ("time_remaining", "credits", "net_profit", "survival", "cargo_utilization_avg")


def frame_state(obs: Floats, stats: Mapping[str, float]) -> dict[str, Any]:
    """The observation, the figures a pilot looks at, and whether the ship lies at the station."""
    return {
        **plain_state(obs, stats),
        **{name: stats[name] for name in _SHOWN},
        "node_context": "station" if obs[0, AT_STATION] > 0.5 else "field",
    }
