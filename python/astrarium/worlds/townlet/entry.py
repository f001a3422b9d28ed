"""Townlet's place in the registry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.presentation import Presentation
from astrarium.worlds.registry import Names, ReadySettings, Schooling, WorldEntry, Yardstick
from astrarium.worlds.townlet.capturing import CAPTURING
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.config.ground import Features, Observations
from astrarium.worlds.townlet.config.life import Population
from astrarium.worlds.townlet.config.rewards import Rewards
from astrarium.worlds.townlet.living import Living
from astrarium.worlds.townlet.loading import named
from astrarium.worlds.townlet.names import OPTIONS, PRIMITIVES, obs_names
from astrarium.worlds.townlet.players import citizens, idle, suicidal


@dataclass(frozen=True, slots=True)
class _Defaults:
    """What names depend on; the whole configuration would read files, which no import should."""

    features: Features
    observations: Observations


_SEATS: Final = Population().agents
LABELS: Final = (
    "Wait",
    "Get fed",
    "Get clean",
    "Go to work",
    "Shop for groceries",
    "Sleep",
    "Find company",
    "Go home",
)
"""The options as people call them."""
COUNTS: Final = (
    "ticks",
    *("exits", "faints", "evictions", "unemployed", "neglected", "aged_out", "killed"),
    *("hospitalised", "arrivals", "shifts", "missed_shifts", "late_starts", "late_help_events"),
    *("meals", "shower_complete_events", "sleep_complete_events"),
    *("chat_success_events", "chat_failure_events", "finished", "failed"),
    *("shared_meal_events", "shift_takeover_events", "utility_outage_events"),
    *("queue_conflict_events", "queue_conflict_intensity_sum"),
    *("ghost_steps", "rotations", "cooldown_refusals", "rent_missed", "invalid_actions"),
    *("decisions", "option_switches", "city_events", "forced_slot_reuse", "exits_withheld"),
    *("punctual_shifts", "lived_ticks", "well_ticks", "chat_quality_sum"),
    *("exposures", "arguments", "rage_quits", "spiral_days", "meals_spoiled"),
)
"""Figures that add up over an episode; the last ones are those of optional rules."""
RATIOS: Final = {
    "on_time_share": ("punctual_shifts", "shifts"),
    "well_share": ("well_ticks", "lived_ticks"),
    "chat_quality_mean": ("chat_quality_sum", "chat_success_events"),
}
"""Figures that two of those make, so that they can be told of a part of an episode."""


def _seats(count: int) -> tuple[str, ...]:
    return tuple(f"seat_{seat}" for seat in range(count))


def names_under(config: TownletConfig) -> Names:
    """What agents choose from, see and are called in a town of these settings."""
    population = config.population
    single = config.policy_runtime.action_mode == "primitive"
    return Names(
        action_names=(PRIMITIVES if single else OPTIONS,),
        obs_names=obs_names(config),
        agent_names=_seats(population.seats or population.agents),
    )


def _ready_settings(town: str) -> ReadySettings:
    found = named(town)
    return ReadySettings(found.config, found.seed)


ENTRY: Final = WorldEntry(
    id="townlet-v1",
    title="Townlet",
    summary="Residents with needs, jobs, queues and rivals share a small town.",
    config=TownletConfig,
    make=partial(NativeVectorWorld.make, "townlet-v1"),
    action_names=(OPTIONS,),
    obs_names=obs_names(_Defaults(Features(), Observations())),
    agent_names=_seats(_SEATS),
    person_names=tuple(f"citizen_{number:03d}" for number in range(256)),
    bots={"idle": idle, "suicidal": suicidal},
    oracles={"citizens": citizens},
    counts=COUNTS,
    ratios=RATIOS,
    day_steps=lambda config: config.time.ticks_per_day,
    outcomes={"on_time": "on_time_share", "well": "well_share", "exits": "exits"},
    yardsticks=(
        Yardstick("exits", higher_is_better=False),
        Yardstick("on_time_share"),
        Yardstick("well_share"),
    ),
    onlooker=Living,
    schooling=Schooling(
        teacher="citizens",
        captured=12,
        # How people are paid and by whom, and how much of a town there is yet. How fast needs fall
        # is a rule of the town, wherever it is written.
        stage_settings=(
            *(f"rewards.{name}" for name in Rewards.model_fields if name != "decay_rates"),
            "shaping",
            "employment",
            "jobs",
            "economy.stipend_per_day",
            "features.stages",
            "features.behavior",
            "perturbations.enabled",
        ),
    ),
    peaceful_endings=("age_out",),
    presentation=Presentation(scene="townlet", labels=LABELS),
    capturing=CAPTURING,
    names_under=names_under,
    ready_settings=_ready_settings,
)
