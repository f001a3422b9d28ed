"""Every range of a town's configuration, at both ends and just outside."""

from typing import Any

import pydantic
import pytest

from astrarium import ConfigError
from astrarium.worlds import parse_config
from astrarium.worlds.townlet import TownletConfig
from astrarium.worlds.townlet.config.happenings import PerturbationSpec
from astrarium.worlds.townlet.config.manifest import AffordanceEntry, ObjectEntry
from astrarium.worlds.townlet.config.node import Node
from astrarium.worlds.townlet.config.work import Job

COUNTS = {
    "time.ticks_per_day": (100, 10_000),
    "env.max_ticks": (1, 100_000_000),
    "population.agents": (1, 64),
    "population.seats": (1, 64),
    "policy_runtime.option_commit_ticks": (0, 600),
    "features.weather.rain_step_ticks": (1, 10),
    "features.weather.exposure_ticks": (1, 1000),
    "features.spoilage.after_ticks": (1, 100_000),
    "features.drama.argument_ticks": (1, 100),
    "features.drama.argument_rest_ticks": (0, 10_000),
    "features.drama.spiral_failures": (1, 100),
    "features.drama.spiral_step_ticks": (1, 10),
    "rewards.clip.no_positive_within_death_ticks": (0, 200),
    "economy.stove_stock_replenish": (0, 100),
    "economy.stove_stock_interval": (1, 10_000),
    "economy.stove_stock_max": (0, 1000),
    "economy.fridge_restock": (0, 1000),
    "economy.shelf_restock": (0, 1000),
    "economy.restock_tod": (0, 9_999),
    "employment.grace_ticks": (0, 120),
    "employment.absent_cutoff": (0, 600),
    "employment.absence_slack": (0, 600),
    "employment.max_absent_shifts": (0, 20),
    "employment.attendance_window": (1, 14),
    "employment.daily_exit_cap": (0, 50),
    "employment.exit_queue_limit": (0, 100),
    "employment.exit_review_window": (1, 100_000),
    "queue_fairness.cooldown_ticks": (0, 600),
    "queue_fairness.ghost_step_after": (0, 100),
    "queue_fairness.reservation_timeout_ticks": (1, 1000),
    "queue_fairness.queue_timeout_ticks": (1, 5000),
    "queue_fairness.queue_nodes": (0, 16),
    "queue_fairness.blocker_cooldown_ticks": (0, 600),
    "conflict.rivalry.max_edges": (1, 6),
    "relationships.chat_cooldown_ticks": (0, 1000),
    "behavior.job_arrival_buffer": (0, 200),
    "lifecycle.max_exits_per_day": (0, 64),
    "lifecycle.exit_cooldown_ticks": (0, 10_000),
    "lifecycle.faint_ticks": (1, 1000),
    "lifecycle.eviction_days": (1, 30),
    "lifecycle.unemployment_days": (1, 30),
    "embedding_allocator.max_slots": (1, 256),
    "embedding_allocator.cooldown_ticks": (0, 10_000),
    "perturbations.max_concurrent_events": (0, 16),
    "perturbations.global_cooldown_ticks": (0, 100_000),
    "perturbations.per_agent_cooldown_ticks": (0, 100_000),
    "perturbations.grace_window_ticks": (0, 10_000),
    "perturbations.window_ticks": (1, 100_000),
    "perturbations.max_events_per_window": (0, 16),
}
FIGURES = {
    "population.needs.hunger": (0, 1),
    "population.needs.hygiene": (0, 1),
    "population.needs.energy": (0, 1),
    "population.wallet_in_rents": (0, 100),
    "features.weather.chances.sunny": (0, 1),
    "features.weather.chances.rainy": (0, 1),
    "features.weather.chances.cold": (0, 1),
    "features.weather.warmth_loss": (0, 0.1),
    "features.weather.warmth_gain": (0, 0.1),
    "features.weather.exposure_threshold": (0, 1),
    "features.drama.argument_rivalry": (0, 1),
    "features.drama.rage_rivalry": (0, 1),
    "rewards.survival_tick": (0, 0.01),
    "rewards.needs_weights.hunger": (0.5, 2),
    "rewards.needs_weights.hygiene": (0.2, 1),
    "rewards.needs_weights.energy": (0.4, 1.5),
    "rewards.needs_scale": (0, 1),
    "rewards.decay_rates.hunger": (0, 0.1),
    "rewards.decay_rates.hygiene": (0, 0.1),
    "rewards.decay_rates.energy": (0, 0.1),
    "rewards.wage_rate": (0, 0.05),
    "rewards.punctuality_bonus": (0, 0.1),
    "rewards.social.chat_base": (0, 0.1),
    "rewards.social.chat_scale": (0, 1),
    "rewards.social.avoidance": (0, 0.02),
    "rewards.faint_penalty": (-5, 0),
    "rewards.eviction_penalty": (-5, 0),
    "rewards.clip.clip_per_tick": (0.01, 1),
    "rewards.clip.clip_per_episode": (1, 200),
    "shaping.gamma": (0, 1),
    "economy.meal_cost": (0, 10),
    "economy.ingredients_cost": (0, 10),
    "economy.shower_cost": (0, 10),
    "economy.cook_energy_cost": (0, 1),
    "economy.cook_hygiene_cost": (0, 1),
    "economy.rent_per_day": (0, 100),
    "economy.wage_income": (0, 1),
    "economy.stipend_per_day": (0, 100),
    "employment.late_tick_penalty": (0, 1),
    "employment.absence_penalty": (0, 5),
    "queue_fairness.age_priority_weight": (0, 1),
    "conflict.rivalry.increment_per_conflict": (0, 1),
    "conflict.rivalry.decay_per_tick": (0, 1),
    "conflict.rivalry.min_value": (0, 1),
    "conflict.rivalry.max_value": (0, 1),
    "conflict.rivalry.avoid_threshold": (0, 1),
    "conflict.rivalry.eviction_threshold": (0, 1),
    "conflict.rivalry.ghost_step_boost": (0, 5),
    "conflict.rivalry.handover_boost": (0, 5),
    "conflict.rivalry.queue_length_boost": (0, 5),
    "relationships.decay_per_hour": (0, 1),
    "relationships.entry_threshold": (0, 2),
    "relationships.chat_success": (0, 1),
    "behavior.hunger_threshold": (0, 1),
    "behavior.hygiene_threshold": (0, 1),
    "behavior.energy_threshold": (0, 1),
    "behavior.urgent_threshold": (0, 1),
    "lifecycle.faint_threshold": (0, 1),
    "lifecycle.neglect_threshold": (0, 1),
    "lifecycle.neglect_share": (0, 1),
    "lifecycle.newcomer_job_chance": (0, 1),
    "embedding_allocator.reuse_warning_threshold": (0, 0.5),
}


def node_of(key: str) -> tuple[type[Node], str]:
    """The node that holds a setting, and the setting's own name."""
    node: Any = TownletConfig
    *path, name = key.split(".")
    for part in path:
        node = node.model_fields[part].annotation
    return node, name


def is_taken(node: type[pydantic.BaseModel], values: dict[str, Any]) -> bool:
    try:
        node.model_validate(values)
    except pydantic.ValidationError:
        return False
    return True


@pytest.mark.parametrize("key", COUNTS)
def test_a_count_stays_in_its_range(key: str) -> None:
    node, name = node_of(key)
    low, high = COUNTS[key]
    assert is_taken(node, {name: low})
    assert is_taken(node, {name: high})
    for value in (low - 1, high + 1, low + 0.5, float(low), str(low), True):
        assert not is_taken(node, {name: value}), value


@pytest.mark.parametrize("key", FIGURES)
def test_a_figure_stays_in_its_range(key: str) -> None:
    node, name = node_of(key)
    low, high = FIGURES[key]
    assert is_taken(node, {name: low})
    assert is_taken(node, {name: high})
    for value in (low - 1e-6, high + 1e-6, float("nan"), float("inf"), str(low), True):
        assert not is_taken(node, {name: value}), value


def leaves(model: type[pydantic.BaseModel], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
            found |= leaves(kind, f"{prefix}{name}.")
        else:
            found[prefix + name] = kind
    return found


def test_no_number_of_the_tree_is_without_a_tested_range() -> None:
    numbers = {key for key, kind in leaves(TownletConfig).items() if kind in (int, float)}
    windows = {"observations.hybrid.local_window", "observations.compact.map_window"}
    assert numbers - windows <= {*COUNTS, *FIGURES}


@pytest.mark.parametrize(
    ("node", "base", "good", "bad"),
    [
        ("world", {}, {"grid_size": [8, 128]}, {"grid_size": [7, 48]}),
        ("world", {}, {"bus_stop": [0, 127]}, {"bus_stop": [0, 128]}),
        ("lifecycle", {}, {"spawn_delay_ticks": [1, 10_000]}, {"spawn_delay_ticks": [0, 5]}),
        ("lifecycle", {}, {"spawn_delay_ticks": [7, 7]}, {"spawn_delay_ticks": [8, 7]}),
        ("lifecycle", {}, {"age_out_days": [10, 20]}, {"age_out_days": [20, 10]}),
        ("lifecycle", {}, {"nightly_reset": "home"}, {"nightly_reset": "always"}),
        ("lifecycle", {}, {"training_mode": "off"}, {"training_mode": False}),
        ("personalities", {}, {"distribution": {"stoic": 1}}, {"distribution": {"stoic": 0}}),
        ("personalities", {}, {"distribution": {"stoic": 2.5}}, {"distribution": {"stoic": -1}}),
        ("personalities", {}, {"overrides": {"a": "stoic"}}, {"overrides": {"a": "brave"}}),
        ("population", {}, {"names": ["alice"]}, {"names": ["alice#1"]}),
    ],
)
def test_pairs_words_and_tables_stay_in_theirs(
    node: str, base: dict[str, Any], good: dict[str, Any], bad: dict[str, Any]
) -> None:
    kind: Any = TownletConfig.model_fields[node].annotation
    assert is_taken(kind, base | good)
    assert not is_taken(kind, base | bad)


@pytest.mark.parametrize("side", [3, 5, 11, 31])
def test_windows_are_odd(side: int) -> None:
    hybrid, _ = node_of("observations.hybrid.local_window")
    compact, _ = node_of("observations.compact.map_window")
    assert is_taken(hybrid, {"local_window": side})
    assert is_taken(compact, {"map_window": side})
    for bad in (side + 1, 1, 33, -3):
        assert not is_taken(hybrid, {"local_window": bad})
        assert not is_taken(compact, {"map_window": bad})
    assert is_taken(compact, {"map_window": 0})
    assert not is_taken(hybrid, {"local_window": 0})


JOB = {"start_tick": 0, "end_tick": 100, "lateness_penalty": 0.1, "location": [3, 4]}
SPEC = {
    "kind": "price_spike",
    "prob_per_day": 0.5,
    "cooldown_ticks": 10,
    "duration": [5, 6],
    "targets": ["global"],
}
USE = {"id": "nap", "object_type": "bed", "duration": 10, "effects": {"energy": 0.1}}
THING = {"id": "bed_1", "object_type": "bed", "position": [1, 2]}


@pytest.mark.parametrize(
    ("node", "base", "changes"),
    [
        (Job, JOB, {"start_tick": -1}),
        (Job, JOB, {"end_tick": 10_001}),
        (Job, JOB, {"wage_rate": 1.1}),
        (Job, JOB, {"lateness_penalty": -0.1}),
        (Job, JOB, {"location": [1, 2, 3]}),
        (Job, JOB, {"location": [-1, 2]}),
        (Job, JOB, {"radius": 128}),
        (Job, JOB, {"capacity": 0}),
        (Job, JOB, {"grace_ticks": 121}),
        (Job, JOB, {"absent_cutoff": 601}),
        (Job, JOB, {"absence_slack": 601}),
        (Job, JOB, {"late_tick_penalty": 1.1}),
        (Job, JOB, {"absence_penalty": 5.1}),
        (PerturbationSpec, SPEC, {"kind": "flood"}),
        (PerturbationSpec, SPEC, {"prob_per_day": 1.1}),
        (PerturbationSpec, SPEC, {"cooldown_ticks": -1}),
        (PerturbationSpec, SPEC, {"duration": [0, 6]}),
        (PerturbationSpec, SPEC, {"duration": [7, 6]}),
        (PerturbationSpec, SPEC, {"magnitude": [0.4, 1]}),
        (PerturbationSpec, SPEC, {"magnitude": [1, 3.1]}),
        (PerturbationSpec, SPEC, {"magnitude": [2, 1]}),
        (PerturbationSpec, SPEC, {"max_participants": 1}),
        (PerturbationSpec, SPEC, {"max_participants": 9}),
        (PerturbationSpec, SPEC, {"targets": []}),
        (PerturbationSpec, SPEC, {"kind": "blackout"}),
        (PerturbationSpec, SPEC, {"kind": "blackout", "targets": [], "magnitude": [2, 2]}),
        (AffordanceEntry, USE, {"duration": 0}),
        (AffordanceEntry, USE, {"effects": {}}),
        (AffordanceEntry, USE, {"effects": {"thirst": 0.1}}),
        (AffordanceEntry, USE, {"effects": {"energy": float("nan")}}),
        (AffordanceEntry, USE, {"effects": {"energy": 1.5}}),
        (AffordanceEntry, USE, {"gains": {"gold": 1}}),
        (AffordanceEntry, USE, {"uses": {"meal": 0}}),
        (AffordanceEntry, USE, {"stock": {"power_on": 1}}),
        (AffordanceEntry, USE, {"cost": "rent_per_day"}),
        (AffordanceEntry, USE, {"instead_of_cost": "gold"}),
        (AffordanceEntry, USE, {"requires": ["gas"]}),
        (AffordanceEntry, USE, {"hooks": {"before": ["on_anything"]}}),
        (AffordanceEntry, USE, {"preconds": ["len(queue) > 1"]}),
        (ObjectEntry, THING, {"venue": "moon"}),
        (ObjectEntry, THING, {"stock": {"meals": -1}}),
        (ObjectEntry, THING, {"stock": {"gold": 1}}),
        (ObjectEntry, THING, {"id": ""}),
        (ObjectEntry, THING, {"id": "a bed"}),
    ],
)
def test_entries_refuse_what_they_cannot_mean(
    node: type[Node], base: dict[str, Any], changes: dict[str, Any]
) -> None:
    assert is_taken(node, base)
    assert not is_taken(node, base | changes)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"econmy": {}}, r"unknown key 'econmy'; did you mean 'economy'\?"),
        (
            {"economy": {"meal_csot": 1}},
            r"unknown key 'economy\.meal_csot'; did you mean 'meal_cost'\?",
        ),
        (
            {"rewards": {"decay_rates": {"hungr": 0.1}}},
            r"unknown key 'rewards\.decay_rates\.hungr'; did you mean 'hunger'\?",
        ),
        (
            {"jobs": {"grocer": {**JOB, "wage_rat": 1}}},
            r"unknown key 'jobs\.grocer\.wage_rat'; did you mean 'wage_rate'\?",
        ),
        (
            {"perturbations": {"specs": {"storm": {**SPEC, "durations": 1}}}},
            r"unknown key 'perturbations\.specs\.storm\.durations'; did you mean 'duration'\?",
        ),
        (
            {"affordances": {"objects": [THING], "affordances": [{**USE, "effect": {}}]}},
            r"unknown key 'affordances\.affordances\.nap\.effect'; did you mean 'effects'\?",
        ),
        (
            {"affordances": {"objects": [], "affordances": [{**USE, "effects": {"hungre": 1}}]}},
            r"unknown key 'affordances\.affordances\.nap\.effects\.hungre'; did you mean 'hunger'",
        ),
        (
            {"affordances": {"objects": [{**THING, "venue": "caffe"}], "affordances": []}},
            r"affordances\.objects\.bed_1\.venue is 'caffe': .*'cafe'.*did you mean 'cafe'\?",
        ),
        (
            {"features": {"stages": {"relationships": "C4"}}},
            r"features\.stages\.relationships is 'C4': .*'OFF', 'A', 'B', 'C1', 'C2', 'C3'",
        ),
        (
            {"jobs": {"grocer": {**JOB, "grace_ticks": 121}}},
            r"jobs\.grocer\.grace_ticks is 121: .*at most 120",
        ),
        ({"jobs": {"grocer": {"start_tick": 1}}}, r"jobs\.grocer\.end_tick is missing"),
        ({"world": {"grid_size": [48, 7]}}, r"world\.grid_size\.1 is 7: .*at least 8"),
    ],
)
def test_the_message_names_the_key_and_the_remedy(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        parse_config(TownletConfig, given, where="townlet-v1")
    assert str(caught.value).startswith("townlet-v1: ")
    assert len(str(caught.value)) < 1000, "the whole input is no message"
