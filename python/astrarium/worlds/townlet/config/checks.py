"""What must hold between settings that are each allowed: nothing dangles, the money works out."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from astrarium.errors import did_you_mean
from astrarium.worlds.config import KeyPath
from astrarium.worlds.townlet.config.ground import STAGES
from astrarium.worlds.townlet.config.livability import livability_problems
from astrarium.worlds.townlet.config.node import PriceKey, Venue
from astrarium.worlds.townlet.config.places import place_problems

if TYPE_CHECKING:
    from astrarium.worlds.townlet.config.tree import TownletConfig

Found = tuple[KeyPath, str]
"""A key path and what is wrong there."""

WAGE_SHARES: Final = (1_100_000, 1_200_000)
"""What a day's wage may be of a day's basket, in millionths."""
MEALS_PER_DAY: Final = 3
SHOWERS_PER_DAY: Final = 2
MEAL_EFFECT: Final = 0.4
PRICE_TARGETS: Final = ("global", "market", "cafe", "grocer", *typing.get_args(PriceKey))


def problems(config: TownletConfig) -> list[Found]:
    """Everything that does not fit together. Livability is asked only of a town that is whole."""
    whole = [
        *_stage_problems(config),
        *_weather_problems(config),
        *_people_problems(config),
        *_day_problems(config),
        *_manifest_problems(config),
        *_target_problems(config),
        *place_problems(config),
    ]
    return whole or [
        *_basket_problems(config),
        *_punctuality_problems(config),
        *livability_problems(config),
    ]


def _stage_problems(config: TownletConfig) -> Iterator[Found]:
    stages = config.features.stages
    if STAGES.index(stages.social_rewards) > STAGES.index(stages.relationships):
        yield (
            ("features", "stages", "social_rewards"),
            f"is {stages.social_rewards!r}, but features.stages.relationships is "
            f"{stages.relationships!r}; they must agree: rewards need ties of that stage",
        )


def _weather_problems(config: TownletConfig) -> Iterator[Found]:
    weather = config.features.weather
    if weather.warmth and not weather.enabled:
        path = ("features", "weather", "warmth")
        yield path, "is true, but features.weather.enabled is not; without weather nobody freezes"


def _people_problems(config: TownletConfig) -> Iterator[Found]:
    people = config.population
    seats = people.agents if people.seats is None else people.seats
    if seats < people.agents:
        yield ("population", "seats"), f"is {seats}; {people.agents} residents need as many"
    if seats > config.embedding_allocator.max_slots:
        slots = config.embedding_allocator.max_slots
        yield ("embedding_allocator", "max_slots"), f"is {slots}; {seats} seats need as many"
    if len(people.names) > people.agents:
        yield ("population", "names"), f"are {len(people.names)} for {people.agents} residents"
    residents = resident_names(config)
    for twice in _repeated(residents):
        yield ("population", "names"), f"{twice!r} is given twice, or to a resident without a name"
    for agent in config.personalities.overrides:
        # Successors keep the name of the resident they replace, before the sign.
        if agent.split("#")[0] not in residents:
            close = did_you_mean(agent, residents)
            yield (
                ("personalities", "overrides", agent),
                f"is no resident{close} (residents: {', '.join(residents)})",
            )


def resident_names(config: TownletConfig) -> list[str]:
    """The ids of the first residents."""
    given = config.population.names
    rest = range(len(given) + 1, config.population.agents + 1)
    return [*given, *(f"resident_{number:02}" for number in rest)]


def _day_problems(config: TownletConfig) -> Iterator[Found]:
    day = config.time.ticks_per_day
    if config.economy.restock_tod >= day:
        found = config.economy.restock_tod
        yield ("economy", "restock_tod"), f"is {found}; a day ends after tick {day - 1}"
    for name, job in config.jobs.items():
        if not job.start_tick < job.end_tick <= day:
            yield (
                ("jobs", name),
                f"runs from {job.start_tick} to {job.end_tick}; "
                f"start_tick < end_tick <= {day} must hold",
            )
    rivalry = config.conflict.rivalry
    if rivalry.min_value > rivalry.max_value:
        yield (
            ("conflict", "rivalry", "min_value"),
            f"is {rivalry.min_value}, above max_value {rivalry.max_value}",
        )


def _manifest_problems(config: TownletConfig) -> Iterator[Found]:
    manifest = config.affordances
    kinds = sorted({entry.object_type for entry in manifest.objects})
    for name, entries in (("objects", manifest.objects), ("affordances", manifest.affordances)):
        first: dict[str, int] = {}
        for index, entry in enumerate(entries):
            if first.setdefault(entry.id, index) != index:
                words = f"the id {entry.id!r} is given twice; every entry needs one of its own"
                yield ("affordances", name, index, "id"), words
    for index, entry in enumerate(manifest.affordances):
        if entry.object_type is not None and entry.object_type not in kinds:
            yield (
                ("affordances", "affordances", index, "object_type"),
                _no_such(entry.object_type, "type of object in this town", kinds),
            )
    for kind in config.observations.compact.object_channels:
        if kind not in kinds:
            yield (
                ("observations", "compact", "object_channels"),
                _no_such(kind, "type of object in this town", kinds),
            )
    for twice in _repeated(config.observations.compact.object_channels):
        yield ("observations", "compact", "object_channels"), f"{twice!r} is given twice"


def _target_problems(config: TownletConfig) -> Iterator[Found]:
    objects = [entry.id for entry in config.affordances.objects]
    open_venues = {entry.venue for entry in config.affordances.objects}
    names: tuple[str, ...] = typing.get_args(Venue)
    venues = [venue for venue in names if venue in open_venues]
    known: dict[str, tuple[str, Iterable[str]]] = {
        "price_spike": ("price target", PRICE_TARGETS),
        "facility_closure": ("object of this town", objects),
        "arranged_meet": ("venue with an object in this town", venues),
    }
    for name, spec in config.perturbations.specs.items():
        for index, target in enumerate(spec.targets):
            what, allowed = known[spec.kind]
            if target not in allowed:
                path = ("perturbations", "specs", name, "targets", index)
                yield path, _no_such(target, what, allowed)


def _no_such(found: str, what: str, known: Iterable[str]) -> str:
    known = list(dict.fromkeys(known))
    allowed = ", ".join(known) or "none, there is none"
    return f"{found!r} is no {what}{did_you_mean(found, known)} (allowed: {allowed})"


def _repeated(names: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return [name for name in names if name in seen or seen.add(name)]


def _micro(amount: float) -> int:
    return round(amount * 1_000_000)


def basket(config: TownletConfig) -> int:
    """What a day costs, in millionths: rent, three meals, two showers."""
    economy = config.economy
    return (
        _micro(economy.rent_per_day)
        + MEALS_PER_DAY * _micro(economy.meal_cost)
        + SHOWERS_PER_DAY * _micro(economy.shower_cost)
    )


def _basket_problems(config: TownletConfig) -> Iterator[Found]:
    """Wages must leave a little of a day's basket, and only a little, or work is no question."""
    cost = basket(config)
    least, most = (cost * share / 1_000_000 for share in WAGE_SHARES)
    for name, job in config.jobs.items():
        rate = config.economy.wage_income if job.wage_rate is None else job.wage_rate
        wage = _micro(rate) * (job.end_tick - job.start_tick)
        if not least <= wage <= most:
            ticks = job.end_tick - job.start_tick
            path = _basket_key(config, name)
            whose = "" if path[0] == "jobs" else f"{name}: "
            yield (
                path,
                f"{whose}a day's wage of {wage / 1e6:g} ({rate:g} for {ticks} ticks) must lie in "
                f"{least / 1e6:g} to {most / 1e6:g}: 1.1 to 1.2 of economy.rent_per_day, three "
                "meal_cost and two shower_cost",
            )


def _basket_key(config: TownletConfig, job: str) -> KeyPath:
    """What somebody set of a wage and the basket it is held against: the job, or else a price."""
    if "jobs" not in config.model_fields_set:
        said = config.economy.model_fields_set
        for key in ("rent_per_day", "meal_cost", "shower_cost", "wage_income"):
            if key in said:
                return ("economy", key)
    return ("jobs", job, "wage_rate")


def _punctuality_problems(config: TownletConfig) -> Iterator[Found]:
    """An agent must not be paid to arrive hungry."""
    rewards = config.rewards
    between_meals = config.time.ticks_per_day / MEALS_PER_DAY
    cost = rewards.needs_scale * rewards.needs_weights.hunger * MEAL_EFFECT**2 * between_meals
    if 0 < rewards.punctuality_bonus >= cost:
        yield (
            ("rewards", "punctuality_bonus"),
            f"is {rewards.punctuality_bonus:g}; it must be below {cost:.4g}, what skipping one "
            "meal costs (raise rewards.needs_scale or lower the bonus)",
        )
