"""The ship's controls in words: groups by intent, what each costs, and how to begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from astrarium.worlds.presentation import ActionGroup, Presentation
from astrarium.worlds.prospector import layout

_GOODS: Final = ("iron", "nickel", "water ice", "PGE", "rare isotopes", "volatiles")

GROUPS: Final = (
    ActionGroup("Navigation", tuple(range(layout.TRAVEL, layout.WIDE_SCAN))),
    ActionGroup("Scan and target", tuple(range(layout.WIDE_SCAN, layout.MINE_CONSERVATIVE))),
    ActionGroup("Mining and processing", tuple(range(layout.MINE_CONSERVATIVE, layout.COOLDOWN))),
    ActionGroup("Survival and maintenance", tuple(range(layout.COOLDOWN, layout.DOCK))),
    ActionGroup("Dock and trade", tuple(range(layout.DOCK, layout.N_ACTIONS))),
)

HOTKEYS: Final = {
    "1": layout.TRAVEL,
    "2": layout.TRAVEL + 1,
    "3": layout.TRAVEL + 2,
    "q": layout.WIDE_SCAN,
    "e": layout.FOCUSED_SCAN,
    "m": layout.MINE_STANDARD,
    "r": layout.REFINE,
    "h": layout.HOLD,
    "d": layout.DOCK,
}

LABELS: Final = (
    *(f"Travel lane {lane + 1}" for lane in range(layout.MAX_NEIGHBORS)),
    *("Hold", "Emergency burn", "Wide scan", "Focused scan", "Deep scan", "Listen for threats"),
    *(f"Select rock {rock + 1}" for rock in range(layout.MAX_ASTEROIDS)),
    *("Mine gently", "Mine", "Mine hard", "Stabilise rock", "Refine metals"),
    *("Cool down", "Mend tool", "Patch hull"),
    *(f"Jettison {good}" for good in _GOODS),
    "Dock",
    *(f"Sell {percent} % {good}" for good in _GOODS for percent in layout.SELL_BUCKETS),
    *("Buy fuel, small", "Buy fuel, medium", "Buy fuel, large"),
    *("Buy repair kit", "Buy stabiliser", "Buy decoy", "Overhaul", "Cash out"),
)

_GUIDANCE: Final = (
    "Fly along a lane to a cluster, scan, and select a rock with a good share of what sells.",
    "Mine it while you watch heat and tool: above 70 % heat the yield falls and rocks break.",
    "Cool down or patch up when risk rises; noise draws pirates, holding still lets it fade.",
    "Fly home, dock, sell in lots, mend and refuel, and cash out while you still have a ship.",
)


def _mining_hint(heat: float, wear: float, alert: float) -> str:
    return f"1 tick; heat +{heat:g}, tool -{wear:g}, alert +{alert:g}; rocks may break"


def _hints(
    mining: Sequence[tuple[float, float, float]], refine_yield: int
) -> tuple[str | None, ...]:
    """What each action costs; `mining` has heat, wear and alert by intensity."""
    lane = "Ticks and fuel as the lane shows; a full hold burns half as much again"
    sale = "1 tick; at the station only; a large lot lowers its own price"
    return (
        *(lane,) * layout.MAX_NEIGHBORS,
        "1 tick; heat -2.5, alert -3",
        "1 tick; fuel -18, alert +10; pirates find you hard to catch for 4 ticks",
        "3 ticks; fuel -5, alert +4; a rough look at every rock here",
        "2 ticks; fuel -4, alert +3; a better look at the selected rock",
        "4 ticks; fuel -8, alert +6; the best look at the selected rock",
        "2 ticks; tells how dangerous the lanes from here are",
        *("1 tick; scans and mining work on the selected rock",) * layout.MAX_ASTEROIDS,
        *(_mining_hint(*mode) for mode in mining),
        "2 ticks, 1 stabiliser; the selected rock breaks less easily for 6 ticks",
        f"2 ticks; fuel -4, heat +6, alert +3; 15 % of iron and nickel gives {refine_yield} % "
        "of that as isotopes",
        "2 ticks; fuel -2, heat -20, alert +1",
        "2 ticks, 1 repair kit; tool +25",
        "2 ticks, 1 repair kit; hull +20",
        *("1 tick; all of it is lost; alert -8",) * layout.N_COMMODITIES,
        "1 tick; at the station only; alert -20",
        *(sale,) * (layout.N_COMMODITIES * len(layout.SELL_BUCKETS)),
        "120 fuel for 60 credits; at the station only",
        "260 fuel for 120 credits; at the station only",
        "480 fuel for 210 credits; at the station only",
        "150 credits; at the station only; at most 12",
        "175 credits; at the station only; at most 12",
        "110 credits; at the station only; fools pirates once, most of the time",
        "3 ticks, 280 credits; hull and tool as new; at the station only",
        "Ends the episode; goods still aboard are worth nothing",
    )


def _presentation(mining: Sequence[tuple[float, float, float]], refine_yield: int) -> Presentation:
    return Presentation(
        scene="prospector",
        groups=GROUPS,
        labels=LABELS,
        hints=_hints(mining, refine_yield),
        hotkeys=HOTKEYS,
        guidance=_GUIDANCE,
    )


V1_PRESENTATION: Final = _presentation(((2, 0.8, 1.2), (4, 1.6, 2.2), (7, 2.8, 4.0)), 65)
V2_PRESENTATION: Final = _presentation(((3, 0.3, 0.6), (6, 0.6, 1.2), (10, 1.2, 2.4)), 30)
