"""Who takes part in an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from astrarium.errors import ConfigError, did_you_mean
from astrarium.esper.controllers import ControllerName


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to spend the budget."""

    name: str
    summary: str
    controller: ControllerName | Literal["learned"]
    topology_of: str = ""
    """The arm whose last topology this one has from the start, for the same seed."""


_ROWS: Final = (
    Arm("host_only", "the host alone, trained for the whole budget", "none"),
    Arm("random_policy", "any possible operation with any values", "random_policy"),
    Arm("random_growth", "any seed, anywhere, at any time; all are kept", "random_growth"),
    Arm("heuristic", "rules of thumb with the documented rotation", "heuristic"),
    Arm(
        "heuristic_probe",
        "the same rules, spatial and cheap blueprints first",
        "heuristic_probe",
    ),
    Arm(
        "static_final",
        "what heuristic_probe ended with, trained from scratch",
        "none",
        topology_of="heuristic_probe",
    ),
    Arm("ppo", "a learnt policy's likeliest choices, on seeds it has never seen", "learned"),
)
ARMS: Final = MappingProxyType({arm.name: arm for arm in _ROWS})
"""By name, in the order of every table."""


def chosen_arms(names: Sequence[str]) -> tuple[Arm, ...]:
    """The arms of these names, in the order of the table."""
    for name in names:
        if name not in ARMS:
            hint = did_you_mean(name, ARMS)
            raise ConfigError(f"arms has {name!r}, which is none of {', '.join(ARMS)}{hint}")
    for name in names:
        needed = ARMS[name].topology_of
        if needed and needed not in names:
            raise ConfigError(f"arms has {name!r}, which trains what {needed!r} grew; add that arm")
    return tuple(arm for arm in ARMS.values() if arm.name in names)
