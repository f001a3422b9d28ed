"""The hidden row tells the truth: the reference's own state, bit for bit."""

import numpy as np
import pytest

from astrarium.worlds import make_vec
from astrarium.worlds.prospector import hidden, layout
from astrarium.worlds.prospector.reference import ReferenceProspector

SEEDS = (0, 42, 2**64 - 1)
# Listen, go, choose, look, mine: what is hidden must follow what is done.
ACTIONS = (11, 0, 12, 10, 29, 30, 30, 1, 0, 13, 28)


def expected(world: ReferenceProspector) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    nodes = np.zeros((layout.MAX_NODES, hidden.NODE_WIDTH), dtype=np.float32)
    lanes = np.zeros((layout.MAX_NODES, layout.MAX_NEIGHBORS, hidden.LANE_WIDTH), dtype=np.float32)
    rocks = np.zeros((layout.MAX_NODES, layout.MAX_ASTEROIDS, hidden.ROCK_WIDTH), dtype=np.float32)
    lanes[..., hidden.LANE_TO] = -1
    for index, node in enumerate(world.state.nodes):
        nodes[index] = (node.kind, node.hazard, node.pirate, node.hops)
        for slot, lane in enumerate(node.lanes):
            lanes[index, slot] = (lane.to, lane.ticks, lane.fuel, lane.threat)
        for slot, rock in enumerate(node.asteroids):
            rocks[index, slot, hidden.ROCK_PRESENT] = 1
            rocks[index, slot, hidden.ROCK_COMPOSITION] = rock.composition
            rocks[index, slot, hidden.ROCK_RICHNESS] = rock.richness
            rocks[index, slot, hidden.ROCK_STABILITY] = rock.stability
            rocks[index, slot, hidden.ROCK_DEPLETION] = rock.depletion
    return nodes, lanes, rocks


def test_hidden_rows_equal_the_references_state_along_an_episode() -> None:
    native = make_vec("prospector-v1", len(SEEDS))
    native.reset_with_seeds(SEEDS)
    references = [ReferenceProspector() for _ in SEEDS]
    for world, seed in zip(references, SEEDS, strict=True):
        world.reset(seed)
    for action in ACTIONS:
        seen = hidden.parse(native.reveal())
        for index, world in enumerate(references):
            nodes, lanes, rocks = expected(world)
            used = len(world.state.nodes)
            assert int(seen.generator[index]) == world.rng_state
            assert np.array_equal(seen.nodes[index, :used], nodes[:used])
            assert (seen.nodes[index, used:, hidden.NODE_KIND] == -1).all()
            assert np.array_equal(seen.lanes[index, :used], lanes[:used])
            assert np.array_equal(seen.rocks[index], rocks)
            assert not world.step(action).terminated
        native.step([action] * len(SEEDS))


def test_the_row_is_as_long_as_the_world_says() -> None:
    for version in ("prospector-v1", "prospector-v2"):
        world = make_vec(version, 1)
        assert world.layout.hidden == hidden.HIDDEN_DIM
        assert world.reveal().shape == (1, hidden.HIDDEN_DIM)


def test_parts_are_views_of_the_rows() -> None:
    rows = make_vec("prospector-v1", 2).reveal()
    seen = hidden.parse(rows)
    for part in (seen.nodes, seen.lanes, seen.rocks):
        assert np.shares_memory(part, rows)


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros(hidden.HIDDEN_DIM, dtype=np.float32),
        np.zeros((1, hidden.HIDDEN_DIM - 1), dtype=np.float32),
        np.zeros((1, hidden.HIDDEN_DIM)),
    ],
)
def test_other_arrays_are_refused(rows: np.ndarray) -> None:
    with pytest.raises(ValueError, match="reveal"):
        hidden.parse(rows)
