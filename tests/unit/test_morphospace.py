"""MorphoSpace from Python: what the crate tests is not tested again, only that it comes across."""

from __future__ import annotations

import numpy as np
import pytest

from astrarium.errors import ConfigError, ShapeError
from astrarium.morphospace import FIELDS, FOVEA_SHAPE, MorphoSpace, Shape


def sea(**settings: object) -> MorphoSpace:
    return MorphoSpace(4_000, 3_000, 125, **settings)  # pyright: ignore[reportArgumentType]


def test_a_fire_is_seen_by_every_question() -> None:
    space = sea()
    before = space.state_hash()
    space.fire((500, 500), 300, 1.0, layers=[0])
    space.step()
    assert space.state_hash() != before
    assert space.cells == (32, 24)
    assert 0 < space.active_tiles <= space.stored_tiles
    plane = space.plane("temperature")
    assert plane.shape == (24, 32)
    hottest = np.unravel_index(plane.argmax(), plane.shape)
    middle = [-2_000 + 125 * (hottest[1] + 0.5), -1_500 + 125 * (hottest[0] + 0.5)]
    assert np.hypot(middle[0] - 500, middle[1] - 500) < 300
    assert space.point("temperature", (middle[0], middle[1])) == plane.max()
    held = space.volume("temperature", Shape.disc((500, 500), 400))
    assert held.min <= held.value == held.mean <= held.max <= plane.max()
    assert held.count > 20
    assert held.variance > 0
    way, most = space.ray("smoke", (-1_900, 510), (1_900, 510))
    assert way > 0
    assert 0 < most <= 0.3
    view = np.zeros(FOVEA_SHAPE, np.float32)
    space.foveated((500, -500), np.pi / 2, view)
    assert view[0, 1, :, 0].argmax() == 0
    space.reset()
    assert (space.stored_tiles, space.state_hash()) == (0, before)


def test_planes_are_not_written_to() -> None:
    plane = sea().plane("depth")
    with pytest.raises(ValueError, match="read-only"):
        plane[0, 0] = 1.0


def test_ops_presets_and_layers_come_across() -> None:
    space = sea()
    everywhere = Shape.box((0, 0), (9_000, 9_000))
    space.stamp(everywhere, [("smoke", "set", 0.5), ("smoke", "lerp", 1.0, 0.5)], layers=[1])
    assert space.point("smoke", (0, 0), 0) == 0.0
    assert space.point("smoke", (0, 0), 1) == 0.75
    space.explosion((0, 0), 300, 1.0)
    space.ping((0, 0), 300, 0.9)
    space.wake((0, 0), 150)
    space.jam((0, 0), 300, 0.5)
    assert space.point("noise", (0, 0)) > 60
    assert space.point("sonar_return", (0, 0)) > 0.5
    assert space.point("jam", (0, 0)) > 0.2
    assert space.point("integrity", (0, 0)) < 0.5


def test_what_is_loaded_is_the_ambient_of_its_cells() -> None:
    space = sea(layers=2, fields={"noise": {"ambient": [40.0, 30.0], "decay_per_s": 0.0}})
    assert [space.point("noise", (0, 0), layer) for layer in (0, 1)] == [40.0, 30.0]
    rocks = np.zeros((24, 32), np.float32)
    rocks[5, 7] = 1.0
    space.load("occupancy", rocks, 1)
    assert (space.plane("occupancy", 1) == rocks).all()
    assert space.stored_tiles == 0


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_is_known_by_its_name(field: str) -> None:
    assert np.isfinite(sea().point(field, (0, 0)))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda s: s.point("warmth", (0, 0)), ConfigError, "temperature"),
        (lambda s: s.point("smoke", (0, float("nan"))), ConfigError, "finite"),
        (lambda s: s.point("smoke", (0, 0), 3), ConfigError, "the space has 3"),
        (lambda s: s.step(0.0), ConfigError, "above 0"),
        (lambda s: s.step(float("inf")), ConfigError, "dt is inf"),
        (lambda s: s.load("depth", np.zeros(7, np.float32)), ShapeError, "give 768"),
        (lambda s: s.load("smoke", np.full((24, 32), 2, np.float32)), ConfigError, "0 to 1"),
        (lambda s: s.foveated((0, 0), 0.0, np.zeros(5, np.float32)), ShapeError, "288"),
        (lambda s: s.stamp(Shape.disc((0, 0), 9), [("smoke", "boil", 1.0)]), ConfigError, "lerp"),
        (lambda s: s.stamp(Shape.disc((0, 0), 9), [], "cubic"), ConfigError, "linear"),
        (lambda s: s.fire((0, 0), -4.0, 1.0), ConfigError, "0 or more"),
        (lambda _: Shape.capsule((0, 0), (1, 1), float("nan")), ConfigError, "finite"),
        (lambda _: sea(edges="torus"), ConfigError, "zero_flux"),
        (lambda _: sea(layers=17), ConfigError, "1 to 16"),
        (lambda _: sea(fields={"smoke": {"colour": 1.0}}), ConfigError, "decay_per_s"),
        (lambda _: sea(fields={"smoke": {"spread_per_s": 9.0}}), ConfigError, "larger cells"),
        (lambda _: MorphoSpace(4_000, 4_000, 2.0), ConfigError, "at least 10"),
    ],
)
def test_what_cannot_be_is_refused_by_name_and_changes_nothing(
    call: object, error: type[Exception], words: str
) -> None:
    space = sea()
    before = space.state_hash()
    with pytest.raises(error, match=words):
        call(space)  # pyright: ignore[reportCallIssue]
    assert space.state_hash() == before
