"""Pictures: the same size for every world, changing with its state, and nothing else."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RenderCollection

from astrarium.adapters.gymnasium import WorldEnv, WorldVectorEnv
from astrarium.adapters.pettingzoo import WorldParallelEnv
from astrarium.adapters.rendering import HEIGHT, WIDTH
from astrarium.adapters.sb3 import WorldVecEnv

SHAPE = (HEIGHT, WIDTH, 3)
WORLDS = (
    *("prospector-v1", "prospector-v2", "tidebreak-v1", "townlet-v1"),
    *("lanterns-v1", "fieldseeker-v1", "esper-digits-impaired-v1"),
)


@pytest.mark.parametrize("world_id", WORLDS)
def test_every_world_has_a_picture_that_shows_its_state(world_id: str) -> None:
    films: list[list[Any]] = []
    for _ in range(2):
        env = WorldEnv(world_id, render_mode="rgb_array")
        _, info = env.reset(seed=3)
        env.action_space.seed(1)
        films.append([env.render()])
        for _ in range(8):
            masks = [info["action_mask"]] if "action_mask" in info else []
            *_, terminated, truncated, info = env.step(env.action_space.sample(*masks))
            films[-1].append(env.render())
            if terminated or truncated:
                break
        env.close()
    first, second = films
    for picture, again in zip(first, second, strict=True):
        assert picture.shape == SHAPE
        assert picture.dtype == np.uint8
        assert np.array_equal(picture, again)
    assert len({picture.tobytes() for picture in first}) > 1
    # Not a sheet of one colour, on the left where the world is drawn.
    assert len(np.unique(first[0][:, :480].reshape(-1, 3), axis=0)) > 4


def test_a_person_is_drawn_where_they_stand() -> None:
    env = WorldEnv("townlet-v1", agent="seat_2", render_mode="rgb_array")
    env.reset(seed=3)
    portrait = env.world.portrait(0)  # type: ignore[attr-defined]
    person = next(one for one in portrait["agents"].values() if one["seat"] == 2)
    scale = 480 / max(portrait["ground"]["size"])
    x, y = (int((part + 0.5) * scale) for part in person["position"])
    assert env.render()[y, x].tolist() == [0xA4, 0xE1, 0x7A]


def test_pictures_can_be_filmed_by_other_libraries() -> None:
    env = gymnasium.make("astrarium/Prospector-v2", render_mode="rgb_array")
    film = RenderCollection(env)
    film.reset(seed=1)
    film.step(0)
    assert [frame.shape for frame in film.render()] == [SHAPE] * 2
    batch = WorldVectorEnv("prospector-v2", 3, render_mode="rgb_array")
    batch.reset(seed=1)
    assert [frame.shape for frame in batch.render() or ()] == [SHAPE] * 3
    keepers = WorldParallelEnv("lanterns-v1", render_mode="rgb_array")
    keepers.reset(seed=1)
    assert keepers.render().shape == SHAPE
    vec = WorldVecEnv("prospector-v2", 2, render_mode="rgb_array")
    vec.reset()
    tiled = vec.render()
    assert tiled is not None
    assert tiled.shape[2] == 3
