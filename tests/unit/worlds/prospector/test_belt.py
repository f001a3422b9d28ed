"""World generation: the published worlds, and what holds in every world."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.reference import V1, ReferenceProspector
from astrarium.worlds.prospector.reference.belt import generate_belt, link, measure_hops
from astrarium.worlds.prospector.reference.draws import Draws
from astrarium.worlds.prospector.reference.f32 import ZERO
from astrarium.worlds.prospector.reference.state import Node, State

NO_ROCKS = replace(V1, asteroids_min=0, asteroids_end=1)
"""Rules for tests about lanes only: asteroids are most of the work of a reset."""


def fresh(seed: int) -> State:
    world = ReferenceProspector()
    world.reset(seed)
    return world.state


def singles(*values: float) -> list[np.float32]:
    return [np.float32(value) for value in values]


def test_nodes_of_seed_42() -> None:
    nodes = fresh(42).nodes
    assert [node.kind for node in nodes] == [0, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1]
    assert [node.hops for node in nodes] == [0, 1, 1, 2, 2, 2, 1, 1, 3, 2, 3, 2, 3, 1, 2, 3]
    assert [nodes[1].hazard, nodes[1].pirate] == singles(0.2681024, 0.17873439)


def test_station_lanes_of_seed_42() -> None:
    expected = [
        (1, 4, 46.99332, 0.25814724),
        (2, 3, 77.8599, 0.2940257),
        (7, 1, 60.362858, 0.18034038),
        (13, 7, 38.786026, 0.2735752),
        (6, 1, 89.615524, 0.26673433),
    ]
    lanes = fresh(42).nodes[0].lanes
    assert [(lane.to, lane.ticks) for lane in lanes] == [row[:2] for row in expected]
    assert [lane.fuel for lane in lanes] == singles(*(row[2] for row in expected))
    assert [lane.threat for lane in lanes] == singles(*(row[3] for row in expected))


def test_asteroids_of_seed_42() -> None:
    asteroids = fresh(42).nodes[1].asteroids
    assert len(asteroids) == 6
    first = asteroids[0]
    assert [first.richness, first.stability, first.scan_noise] == singles(
        1.7065743, 0.09993515, 0.0806334
    )


def test_market_of_seed_42() -> None:
    market = fresh(42).market
    assert list(market.inventory) == singles(
        57.912247, 62.748817, 58.985737, 71.99685, 59.732983, 70.28519
    )
    assert list(market.price) == singles(
        37.32882, 57.463715, 76.43968, 143.89098, 196.48831, 108.46375
    )
    assert list(market.previous_price) == list(market.price)
    assert not market.recent_sales.any()


@pytest.mark.parametrize(
    ("seed", "node_count", "rng_state"),
    [
        (0, 9, 1635779350944515025),
        (42, 16, 1103167390526664408),
        (2**64 - 1, 14, 14779347038504050595),
    ],
)
def test_generator_state_after_reset(seed: int, node_count: int, rng_state: int) -> None:
    world = ReferenceProspector()
    world.reset(seed)
    assert len(world.state.nodes) == node_count
    assert world.rng_state == rng_state


def test_seed_0_has_only_clusters_around_the_station() -> None:
    assert [node.kind for node in fresh(0).nodes] == [0] + [1] * 8


def test_a_node_whose_parent_is_full_stays_unreachable() -> None:
    """Kept from the first version: the tree edge is refused and nothing makes up for it."""
    nodes = generate_belt(NO_ROCKS, Draws(44))
    assert [i for i, node in enumerate(nodes) if node.hops == layout.HOPS_MAX] == [19]
    assert nodes[19].lanes == []


def _empty_nodes(count: int) -> list[Node]:
    return [Node(layout.NODE_CLUSTER, ZERO, ZERO) for _ in range(count)]


def test_linking_draws_nothing_when_it_cannot_link() -> None:
    draws, nodes = Draws(5), _empty_nodes(9)
    for other in range(1, 7):
        link(V1, draws, nodes, 0, other)
    state = draws.state
    link(V1, draws, nodes, 7, 0)
    link(V1, draws, nodes, 0, 8)
    link(V1, draws, nodes, 3, 0)
    assert draws.state == state
    assert [len(node.lanes) for node in nodes] == [6, 1, 1, 1, 1, 1, 1, 0, 0]


def test_hops_are_shortest_and_stop_where_lanes_do() -> None:
    draws, nodes = Draws(5), _empty_nodes(6)
    for u, v in ((0, 1), (1, 2), (2, 3), (3, 0)):
        link(V1, draws, nodes, u, v)
    measure_hops(nodes)
    assert [node.hops for node in nodes] == [0, 1, 2, 1, 31, 31]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_lanes_are_two_way_and_bounded(seed: int) -> None:
    nodes = generate_belt(NO_ROCKS, Draws(seed))
    assert 8 <= len(nodes) <= layout.MAX_NODES
    for index, node in enumerate(nodes):
        assert len({lane.to for lane in node.lanes}) == len(node.lanes) <= layout.MAX_NEIGHBORS
        for lane in node.lanes:
            back = next(other for other in nodes[lane.to].lanes if other.to == index)
            assert (back.ticks, back.fuel, back.threat) == (lane.ticks, lane.fuel, lane.threat)
            assert 1 <= lane.ticks <= 8
            assert 20 <= lane.fuel <= 112
            assert 0 <= lane.threat <= 1


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_asteroids_are_within_their_ranges(seed: int) -> None:
    station, *field = generate_belt(V1, Draws(seed))
    assert station.asteroids == []
    for node in field:
        assert 5 <= len(node.asteroids) <= layout.MAX_ASTEROIDS
        for asteroid in node.asteroids:
            assert asteroid.composition.sum() == pytest.approx(1.0, abs=1e-6)
            assert asteroid.composition_est.sum() == pytest.approx(1.0, abs=1e-6)
            assert np.float32(0.2) <= asteroid.richness <= 4
            assert 0 <= asteroid.stability <= 1
            assert (asteroid.stability_est, asteroid.depletion) == (0.5, 0.0)
            assert asteroid.confidence == np.float32(0.1)
