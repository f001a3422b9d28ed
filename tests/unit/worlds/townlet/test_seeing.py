"""What agents see is what the index says it is, in every variant and layout."""

import math
from typing import Any

import numpy as np
import pytest

from astrarium import worlds
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import TownletConfig
from astrarium.worlds.townlet.entry import ENTRY
from astrarium.worlds.townlet.names import OPTIONS, obs_names
from astrarium.worlds.townlet.seeing import Seeing

VARIANTS = ("hybrid", "full", "compact")
SHIFTS = {
    "pre": "shift_pre",
    "await": "shift_pre",
    "ontime": "shift_on_time",
    "late": "shift_late",
    "absent": "shift_absent",
    "post": "shift_post",
}


def config_of(
    variant: str = "hybrid",
    layout: str = "extended",
    *,
    targets: bool = True,
    traits: bool = False,
    channels: tuple[str, ...] = (),
) -> TownletConfig:
    return TownletConfig.model_validate(
        {
            "features": {
                "systems": {"observations": variant},
                "observations": {"personality_channels": traits},
            },
            "observations": {
                "layout": layout,
                "include_targets": targets,
                "compact": {"object_channels": list(channels)},
            },
        }
    )


def town(config: TownletConfig) -> NativeVectorWorld:
    world = worlds.make_vec("townlet-v1", 1, seed=6, autoreset="disabled", config=config)
    assert isinstance(world, NativeVectorWorld)
    return world


@pytest.mark.parametrize(
    ("layout", "targets", "traits", "width"),
    [
        ("extended", True, False, 120),
        ("extended", True, True, 123),
        ("core", False, False, 81),
        ("core", False, True, 84),
        ("core", True, False, 93),
        ("core", True, True, 96),
    ],
)
@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_are_as_long_as_their_names(
    variant: str, layout: str, targets: bool, traits: bool, width: int
) -> None:
    config = config_of(variant, layout, targets=targets, traits=traits)
    seeing = Seeing.of(config)
    assert len(seeing.feature_names) == len(set(seeing.feature_names)) == width
    world = town(config)
    assert world.layout.obs_dim == seeing.map_size + width == len(obs_names(config))
    for name, place in seeing.feature_index.items():
        assert seeing.feature_names[place] == name


@pytest.mark.parametrize(
    ("variant", "channels", "shape"),
    [
        ("hybrid", (), (4, 11, 11)),
        ("full", (), (6, 11, 11)),
        ("compact", (), (5, 7, 7)),
        ("compact", ("bed", "shower", "till"), (8, 7, 7)),
    ],
)
def test_maps_have_the_channels_that_are_told(
    variant: str, channels: tuple[str, ...], shape: tuple[int, int, int]
) -> None:
    seeing = Seeing.of(config_of(variant, channels=channels))
    assert seeing.map_shape == shape
    common = ["self", "agents", "objects", "reservations"]
    further = {
        "hybrid": [],
        "full": ["path_dx", "path_dy"],
        "compact": [*(f"object:{kind}" for kind in channels), "walkable"],
    }
    assert list(seeing.map_channels) == common + further[variant]
    told = seeing.metadata()
    assert told["map_shape"] == list(shape)
    assert told["variant"] == variant
    assert bool(told["compact"]) == (variant == "compact")


def test_blocks_stand_where_the_guide_puts_them() -> None:
    extended = Seeing.of(config_of()).feature_index
    assert extended["fridge_dx"] == 33
    assert extended["work_dist"] == 53
    assert extended["social_slot0_d0"] == 54
    assert extended["social_rivalry_max"] == 101
    assert extended["has_job"] == 102
    assert extended["option_GoHome"] == 119
    core = Seeing.of(config_of(layout="core", targets=False)).feature_index
    assert core["social_slot0_d0"] == 33
    assert core["social_rivalry_max"] == 80
    landmarks = Seeing.of(config_of()).landmark_slices
    assert list(landmarks) == ["fridge", "stove", "bed", "shower", "till", "home", "work"]
    assert landmarks["shower"] == (42, 45)
    assert list(Seeing.of(config_of(layout="core")).landmark_slices) == [
        "fridge",
        "stove",
        "bed",
        "shower",
    ]
    assert Seeing.of(config_of(targets=False)).landmark_slices == {}


def check_agent(agent: dict[str, Any], town_now: dict[str, Any], seen: dict[str, float]) -> None:
    """One agent's features beside the town as it is from the inside."""
    for need, value in agent["needs"].items():
        assert seen[f"need_{need}"] == pytest.approx(value, abs=1e-6)
    assert seen["wallet"] == pytest.approx(min(agent["wallet"] / 10, 1), abs=1e-6)
    job = agent["job"]
    assert seen["lateness_counter"] == pytest.approx(min(job["lateness_counter"] / 10, 1))
    assert seen["attendance_ratio"] == pytest.approx(job["attendance_ratio"], abs=1e-6)
    assert seen["wages_withheld"] == pytest.approx(min(job["wages_withheld"] / 5, 1), abs=1e-6)
    shifts = {name: seen[name] for name in SHIFTS.values()}
    assert shifts == {name: float(name == SHIFTS[job["shift_state"]]) for name in shifts}
    angle = 2 * math.pi * town_now["tod"] / 1000
    assert seen["time_sin"] == pytest.approx(math.sin(angle), abs=1e-6)
    assert seen["time_cos"] == pytest.approx(math.cos(angle), abs=1e-6)
    assert seen["embedding_slot_norm"] == agent["slot"] / 64
    assert seen["reservation_active"] == ("holding" in agent)
    assert seen["in_queue"] == ("waiting" in agent)
    assert seen["rivalry_max"] == pytest.approx(
        max((tie["rivalry"] for tie in agent["ties"].values()), default=0), abs=1e-6
    )
    assert seen["has_job"] == ("job_id" in job)
    for item in (name.removeprefix("inventory_") for name in seen if "inventory_" in name):
        count = agent["inventory"].get(item, 0)
        assert seen[f"inventory_{item}"] == pytest.approx(min(count / 5, 1))
    assert seen["power_on"] == town_now["utilities"]["power"]
    assert seen["water_on"] == town_now["utilities"]["water"]
    assert seen["exit_pending"] == (job["exit_pending"] or ("leaving" in agent))
    options = {name: seen[f"option_{name}"] for name in OPTIONS}
    assert options == {name: float(name == agent["option"]) for name in OPTIONS}


@pytest.mark.parametrize("variant", VARIANTS)
def test_features_say_what_the_town_is(variant: str) -> None:
    config = config_of(variant)
    world, seeing = town(config), Seeing.of(config)
    citizens = ENTRY.oracles["citizens"](world)
    held = waited = 0
    for tick in range(700):
        if tick == 300:
            world.command(
                0,
                "perturbation_trigger",
                spec="blackout",
                starts_in=0,
                duration=20,
                target=None,
                magnitude=None,
            )
        world.step(citizens(world.obs, world.mask))
        if tick % 5:
            continue
        portrait = world.portrait(0)
        assert portrait is not None
        for agent in portrait["agents"].values():
            features = world.obs[0, agent["seat"], seeing.map_size :].tolist()
            seen = dict(zip(seeing.feature_names, features, strict=True))
            check_agent(agent, portrait, seen)
            held += seen["reservation_active"]
            waited += seen["in_queue"]
    assert held > 0
    assert waited > 0


SIGNED = ("_dx", "_dy", "_d8", "_d9", "time_sin", "time_cos", "social_trust", "personality_")


@pytest.mark.parametrize("layout", ["extended", "core"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_features_stay_in_their_ranges(variant: str, layout: str) -> None:
    config = config_of(variant, layout, traits=True)
    world, seeing = town(config), Seeing.of(config)
    signed = np.array([any(mark in name for mark in SIGNED) for name in seeing.feature_names])
    generator = np.random.default_rng(3)
    for _ in range(600):
        legal = world.mask[0] * generator.random(world.mask[0].shape)
        world.step(legal.argmax(-1).astype(np.int32).reshape(1, 8, 1))
        features = world.obs[0, :, seeing.map_size :]
        assert (np.abs(features) <= 1).all()
        assert (features[:, ~signed] >= 0).all()
        away = features[:, [seeing.feature_index["bed_dx"], seeing.feature_index["bed_dy"]]]
        assert (np.hypot(*away.T) <= 1 + 1e-6).all()


def test_every_variant_tells_the_same_features() -> None:
    """Only what is counted over the window may differ."""
    configs = [config_of(variant) for variant in VARIANTS]
    towns = [town(config) for config in configs]
    citizens = ENTRY.oracles["citizens"](towns[0])
    window = [29, 30, 31, 32]
    for _ in range(300):
        actions = citizens(towns[0].obs, towns[0].mask)
        rows = []
        for world, config in zip(towns, configs, strict=True):
            world.step(actions)
            rows.append(np.delete(world.obs[0, :, Seeing.of(config).map_size :], window, axis=1))
        assert np.array_equal(rows[0], rows[1])
        assert np.array_equal(rows[0], rows[2])


@pytest.mark.parametrize("layout", ["extended", "core"])
def test_hours_tell_when_the_own_shift_begins_and_ends(layout: str) -> None:
    config = config_of("compact", layout)
    plain = Seeing.of(config).feature_names
    told = config.model_copy(
        update={"observations": config.observations.model_copy(update={"include_hours": True})}
    )
    names = Seeing.of(told).feature_names
    assert names == (*plain, "shift_starts_in", "shift_ends_in")
    world = town(told)
    assert world.layout.obs_dim == len(obs_names(told))
    follow = ENTRY.oracles["citizens"](world)
    for tick in range(900):
        for one in world.portrait(0)["agents"].values():
            job = config.jobs[one["job"]["job_id"]]
            left = [(at - tick) / 200 for at in (job.start_tick, job.end_tick)]
            seen = world.obs[0, one["seat"], -2:]
            np.testing.assert_allclose(seen, np.clip(left, -1, 1), atol=1e-6)
        world.step(follow(world.obs, world.mask))
