"""What captures of a town's citizens must show: not only days on which all goes well."""

from __future__ import annotations

from typing import Any, Final

from astrarium.worlds.capturing import Capturing, Label
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.reloading import config_id

_LABEL: Final = "townlet"
_HARDER_DRAWS: Final = "capture more or longer episodes, or a larger share of hard times"
_REQUIRED: Final = {
    "low_money": f"people begin poor in hard times; {_HARDER_DRAWS}",
    "utility_outage": f"the city cuts power or water in hard times; {_HARDER_DRAWS}",
    "price_spike": f"the city raises prices in hard times; {_HARDER_DRAWS}",
    "queue_conflict": "people must want the same thing at once; capture more or longer episodes",
    "job_late": f"people begin tired in hard times, and sleep into their shift; {_HARDER_DRAWS}",
}


def _often(**more: Any) -> dict[str, Any]:
    return {"prob_per_day": 1.0, "cooldown_ticks": 0, **more}


_HARD_TIMES: Final[dict[str, Any]] = {
    # Who begins in need looks after itself first, and an employer without grace calls that late.
    "population": {
        "wallet_in_rents": 0.5,
        "needs": {"hunger": 0.35, "hygiene": 0.35, "energy": 0.3},
    },
    "employment": {"grace_ticks": 0},
    "perturbations": {
        "enabled": True,
        "max_events_per_window": 4,
        "global_cooldown_ticks": 0,
        "specs": {"price_spike": _often(), "blackout": _often(), "outage": _often()},
    },
}


def label(config: TownletConfig) -> Label:
    """By what a snapshot of such a town needs; the seeds of captures stand beside it."""
    return Label(config_id(config, label=_LABEL, seed=0), config.features.systems.observations)


CAPTURING: Final = Capturing(_REQUIRED, _HARD_TIMES, label)
