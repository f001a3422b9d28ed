"""Settings that are each allowed must also go together."""

import copy
import pickle
from typing import Any

import pytest

from astrarium import ConfigError
from astrarium.worlds import parse_config
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import TownletConfig
from astrarium.worlds.townlet.config.livability import typical_day

Settings = dict[str, Any]


def default() -> Settings:
    return TownletConfig().model_dump(mode="json")


def changed(key: str, value: Any) -> Settings:
    """The default town with one setting changed; numbers in the key are places in lists."""
    settings = default()
    node: Any = settings
    *path, name = key.split(".")
    for part in path:
        node = node[int(part) if part.isdigit() else part]
    node[int(name) if name.isdigit() else name] = value
    return settings


def refusal(settings: Settings) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_config(TownletConfig, settings)
    return str(caught.value)


def test_the_default_town_is_whole() -> None:
    assert parse_config(TownletConfig, default()) == TownletConfig()


def test_needs_given_in_part_leave_the_others_half_met() -> None:
    def needs(population: Settings) -> dict[str, float]:
        config = parse_config(TownletConfig, {"population": population})
        return config.population.needs.model_dump()

    assert needs({"agents": 3}) == {"hunger": 0.8, "hygiene": 0.8, "energy": 0.8}
    assert needs({"needs": {"hunger": 0.3}}) == {"hunger": 0.3, "hygiene": 0.5, "energy": 0.5}


STAGES = ("OFF", "A", "B", "C1", "C2", "C3")


@pytest.mark.parametrize("relationships", STAGES)
@pytest.mark.parametrize("rewards", ["OFF", "C1", "C2", "C3"])
def test_rewards_and_ties_agree_on_the_stage(relationships: str, rewards: str) -> None:
    stages = {"relationships": relationships, "social_rewards": rewards}
    settings = {"features": {"stages": stages}}
    if STAGES.index(rewards) <= STAGES.index(relationships):
        assert parse_config(TownletConfig, settings).features.stages.social_rewards == rewards
    else:
        words = refusal(settings)
        assert words.startswith("features.stages.social_rewards: ")
        assert f"features.stages.relationships is '{relationships}'" in words


@pytest.mark.parametrize("stage", ["A", "B"])
def test_unrewarded_stages_are_no_stage_of_rewards(stage: str) -> None:
    refusal({"features": {"stages": {"relationships": "C3", "social_rewards": stage}}})


@pytest.mark.parametrize("hidden", [1.00, 1.09, 1.21, 1.5])
def test_wages_outside_the_basket_rule_are_refused(hidden: float) -> None:
    words = refusal(changed("jobs.clerk.wage_rate", 3.1 * hidden / 180))
    assert words.startswith("jobs.clerk.wage_rate: a day's wage of ")
    assert "3.41 to 3.72" in words
    assert "grocer" not in words


@pytest.mark.parametrize("share", [1.10001, 1.15, 1.19999])
def test_wages_inside_the_basket_rule_are_taken(share: float) -> None:
    parse_config(TownletConfig, changed("jobs.clerk.wage_rate", 3.1 * share / 180))


@pytest.mark.parametrize("key", ["meal_cost", "shower_cost", "rent_per_day"])
def test_a_price_moves_the_basket_of_every_job(key: str) -> None:
    words = refusal(changed(f"economy.{key}", 3.0))
    assert all(f"jobs.{job}.wage_rate" in words for job in ("grocer", "barista", "clerk"))


def test_a_job_without_a_wage_takes_the_fallback() -> None:
    settings = changed("jobs.clerk.wage_rate", None)
    assert parse_config(TownletConfig, settings).jobs["clerk"].wage_rate is None
    settings["economy"]["wage_income"] = 0.03
    assert "jobs.clerk.wage_rate" in refusal(settings)


def test_nobody_is_paid_to_arrive_hungry() -> None:
    # Skipping a meal costs 0.4 squared times a third of a day, times the scale of the needs.
    parse_config(TownletConfig, changed("rewards.needs_scale", 0.00094))
    words = refusal(changed("rewards.needs_scale", 0.00093))
    assert words.startswith("rewards.punctuality_bonus: is 0.05; it must be below 0.0496")
    settings = changed("rewards.needs_scale", 0.0)
    settings["rewards"]["punctuality_bonus"] = 0.0
    parse_config(TownletConfig, settings)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("population.seats", 7, "population.seats: is 7; 8 residents need as many"),
        ("embedding_allocator.max_slots", 7, "embedding_allocator.max_slots: is 7; 8 seats"),
        ("population.names", ["a"] * 2, "population.names: 'a' is given twice"),
        ("population.names", ["resident_02"], "population.names: 'resident_02' is given twice"),
        ("population.names", list("abcdefghi"), "population.names: are 9 for 8 residents"),
        (
            "personalities.overrides",
            {"resident_1": "stoic"},
            "personalities.overrides.resident_1: is no resident; did you mean 'resident_01'?",
        ),
        ("economy.restock_tod", 1000, "economy.restock_tod: is 1000; a day ends after tick 999"),
        ("jobs.clerk.end_tick", 600, "jobs.clerk: runs from 600 to 600"),
        ("jobs.clerk.end_tick", 1001, "jobs.clerk: runs from 600 to 1001"),
        ("conflict.rivalry.max_value", 0.0, ""),
        ("jobs.clerk.location", [48, 0], "jobs.clerk.location: (48, 0) is outside the grid"),
        ("world.bus_stop", [4, 4], "world.bus_stop: (4, 4) is no free tile"),
        ("world.bus_stop", [48, 4], "world.bus_stop: (48, 4) is no free tile"),
        (
            "affordances.objects.0.position",
            [48, 4],
            "affordances.objects.bed_1.position: bed_1 at (48, 4) is outside the grid of 48 by 48",
        ),
        (
            "affordances.objects.1.position",
            [4, 4],
            "affordances.objects.bed_2.position: bed_2 at (4, 4) is taken by 'bed_1'",
        ),
        (
            "affordances.objects.1.id",
            "bed_1",
            "affordances.objects.bed_1.id: the id 'bed_1' is given twice",
        ),
        (
            "affordances.affordances.1.id",
            "use_shower",
            "affordances.affordances.use_shower.id: the id 'use_shower' is given twice",
        ),
        (
            "affordances.affordances.0.object_type",
            "showr",
            "affordances.affordances.use_shower.object_type: 'showr' is no type of object in this "
            "town; did you mean 'shower'?",
        ),
        (
            "observations.compact.object_channels",
            ["frige"],
            "observations.compact.object_channels: 'frige' is no type of object in this town; did "
            "you mean 'fridge'?",
        ),
        ("observations.compact.object_channels", ["bed", "bed"], "'bed' is given twice"),
        (
            "perturbations.specs.price_spike.targets",
            ["cafe", "markt"],
            "perturbations.specs.price_spike.targets.1: 'markt' is no price target; did you mean "
            "'market'?",
        ),
        ("perturbations.specs.price_spike.targets", ["gym"], "'gym' is no price target"),
        ("perturbations.specs.arranged_meet.targets", ["moon"], "'moon' is no venue"),
        (
            "perturbations.specs.facility_closure.targets",
            ["shower_3"],
            "'shower_3' is no object of this town; did you mean 'shower_",
        ),
    ],
)
def test_what_dangles_is_named(key: str, value: Any, words: str) -> None:
    if not words:  # the empty range of one value is still a range
        assert parse_config(TownletConfig, changed(key, value))
    else:
        assert words in refusal(changed(key, value))


def test_rivalry_has_a_least_below_its_most() -> None:
    rivalry = {"min_value": 0.5, "max_value": 0.4}
    words = refusal({"conflict": {"rivalry": rivalry}})
    assert words == "conflict.rivalry.min_value: is 0.5, above max_value 0.4"


@pytest.mark.parametrize("target", ["global", "market", "cafe", "grocer", "shower_cost"])
def test_every_price_target_resolves(target: str) -> None:
    parse_config(TownletConfig, changed("perturbations.specs.price_spike.targets", [target]))


def test_every_problem_is_told_at_once() -> None:
    settings = changed("economy.restock_tod", 5000)
    settings["world"]["bus_stop"] = [4, 4]
    assert len(refusal(settings).splitlines()) == 2


def walled(*blocked: tuple[int, int], symbol: str = "#") -> list[str]:
    return ["".join(symbol if (x, y) in blocked else "." for x in range(48)) for y in range(48)]


def test_walls_are_respected() -> None:
    assert parse_config(TownletConfig, changed("world.layout", walled((9, 9))))
    around_bed = ((4, 3), (3, 4), (5, 4), (4, 5))
    for blocked, words in (
        (
            ((4, 4),),
            "affordances.objects.bed_1.position: bed_1 at (4, 4) is blocked by world.layout",
        ),
        (((1, 24),), "world.bus_stop: (1, 24) is no free tile"),
        (
            around_bed,
            "affordances.objects.bed_1.position: bed_1 at (4, 4) has no side that can be reached",
        ),
    ):
        assert words in refusal(changed("world.layout", walled(*blocked)))
    far = tuple((x, y) for x in range(31, 36) for y in range(22, 27))
    ring = tuple(tile for tile in far if tile[0] in (31, 35) or tile[1] in (22, 26))
    assert "jobs.grocer.location: (33, 24) cannot be reached from world.bus_stop" in refusal(
        changed("world.layout", walled(*ring))
    )
    jobs = default()["jobs"]
    jobs["grocer"]["radius"] = 0
    assert "jobs.grocer.location: nothing within 0 of (33, 24) can be reached" in refusal(
        changed("world.layout", walled((33, 24))) | {"jobs": jobs}
    )


@pytest.mark.parametrize(
    ("blocked", "home"),
    [
        # The tile south of the bed, behind three walls; the bed itself has three open sides.
        (((3, 5), (5, 5), (4, 6)), "(4, 5)"),
        # That one is a wall, so home is the next free tile, and sealed as well.
        (((4, 5), (3, 3), (5, 3), (4, 2)), "(4, 3)"),
    ],
)
def test_a_home_nobody_can_get_to_is_named_by_its_bed(
    blocked: tuple[tuple[int, int], ...], home: str
) -> None:
    words = refusal(changed("world.layout", walled(*blocked)))
    assert words.startswith("affordances.objects.bed_1.position: the home of bed_1 is the tile ")
    assert f"{home}, which cannot be reached from world.bus_stop" in words
    open_way = walled(*blocked[:-1])
    parsed = parse_config(TownletConfig, changed("world.layout", open_way))
    assert NativeVectorWorld.make("townlet-v1", parsed, 1).num_worlds == 1


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        (["..."], "world.layout: has 1 rows of [3] tiles; must be 48 rows of 48"),
        (walled((9, 9), symbol="?"), "world.layout: has ['?']; tiles are . + = q # C T"),
    ],
)
def test_a_layout_is_whole_and_made_of_tiles(layout: list[str], words: str) -> None:
    assert refusal(changed("world.layout", layout)) == words


HARSH = {"hunger": 0.010, "hygiene": 0.005, "energy": 0.008}


def test_a_default_day_leaves_time() -> None:
    day = typical_day(TownletConfig())
    shares = {one.need: one.share for one in day.upkeep}
    assert shares == pytest.approx({"hunger": 0.045, "hygiene": 0.06, "energy": 0.175})
    assert day.work == pytest.approx(0.16)
    assert 0.1 < day.walking < 0.25
    assert day.total < 0.65


def test_a_town_nobody_can_live_in_is_refused_with_the_sums() -> None:
    words = refusal({"rewards": {"decay_rates": HARSH}})
    assert words.startswith("rewards.decay_rates: nobody can live: a day would need ")
    assert "upkeep 2.71" in words
    assert "energy 2.00 at 0.008 a tick, hunger 0.38 at 0.01 a tick, hygiene 0.33" in words
    assert "features.allow_unlivable" in words


def test_it_is_taken_on_request_and_stays_so() -> None:
    settings = {"rewards": {"decay_rates": HARSH}, "features": {"allow_unlivable": True}}
    config = parse_config(TownletConfig, settings)
    assert TownletConfig.model_validate_json(config.model_dump_json()) == config
    assert TownletConfig.model_validate(config.model_dump()) == config
    assert "allow_unlivable" not in TownletConfig().model_dump_json()


def test_a_need_that_nothing_restores_is_refused() -> None:
    settings = default()
    manifest = settings["affordances"]
    manifest["affordances"] = [
        {**entry, "effects": {k: v for k, v in entry["effects"].items() if k != "energy"}}
        for entry in manifest["affordances"]
        if not entry["id"].startswith("rest_")
    ]
    words = refusal(settings)
    assert words.startswith("rewards.decay_rates.energy: nobody can live: energy falls by 0.0007")
    settings["rewards"]["decay_rates"]["energy"] = 0.0
    parse_config(TownletConfig, settings)


def test_one_rate_alone_can_make_it_impossible() -> None:
    words = refusal(changed("rewards.decay_rates.hygiene", 0.02))
    assert "(hygiene 1.33 at 0.02 a tick, " in words


def test_a_config_is_frozen_to_the_bottom() -> None:
    config = TownletConfig()
    with pytest.raises(TypeError, match="does not change"):
        config.jobs["spy"] = config.jobs["clerk"]
    with pytest.raises(TypeError, match="does not change"):
        config.affordances.objects[0].stock.update(meals=3)
    with pytest.raises(TypeError, match="does not change"):
        del config.perturbations.specs["blackout"]
    for twin in (copy.deepcopy(config), pickle.loads(pickle.dumps(config))):
        assert twin == config
        with pytest.raises(TypeError, match="does not change"):
            twin.jobs.clear()
