"""Whether a town is well: alerts and figures, worked out from what it tells of every tick."""

from astrarium.worlds.townlet.stability.alerts import Level
from astrarium.worlds.townlet.stability.kpis import Kpi, throughput
from astrarium.worlds.townlet.stability.moments import (
    Citizen,
    Happening,
    Moment,
    Pay,
    Tie,
    Totals,
    look,
    moment_of,
)
from astrarium.worlds.townlet.stability.monitor import (
    Alert,
    Monitor,
    OrderError,
    Reading,
    readings,
)
from astrarium.worlds.townlet.stability.rules import Rules

__all__ = [
    "Alert",
    "Citizen",
    "Happening",
    "Kpi",
    "Level",
    "Moment",
    "Monitor",
    "OrderError",
    "Pay",
    "Reading",
    "Rules",
    "Tie",
    "Totals",
    "look",
    "moment_of",
    "readings",
    "throughput",
]
