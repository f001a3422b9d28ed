"""What a batch promises, through the face everything else uses."""

import numpy as np
import pytest

from astrarium import EpisodeOverError, _native, make_vec
from astrarium._native import episode_seed
from astrarium.worlds import VectorWorld

# Those that step in microseconds: a step of an Esper world trains a network, and some need data
# that users bring. Their own tests keep them small.
WORLDS = _native.world_ids()
OUTPUTS = (
    "obs",
    "final_obs",
    "mask",
    "alive",
    "reward",
    "terms",
    "terminated",
    "truncated",
    "events",
    "stats",
    "episode_seed",
    "episode",
)


def legal_actions(world: VectorWorld, rng: np.random.Generator) -> np.ndarray:
    """A random legal choice for every head, the same for equal masks and generators."""
    if not world.layout.heads:
        # Controls rest at 0 here; `astrarium check` moves them.
        return np.zeros((*world.alive.shape, 0), np.int32)
    start, chosen = 0, []
    for size in world.layout.heads:
        legal = world.mask[:, :, start : start + size]
        chosen.append(np.argmax(legal * rng.random(legal.shape), axis=-1))
        start += size
    return np.stack(chosen, axis=-1)


def arrays_of(world: VectorWorld) -> dict[str, np.ndarray]:
    return {name: getattr(world, name).copy() for name in OUTPUTS}


def assert_same(left: dict[str, np.ndarray], right: dict[str, np.ndarray]) -> None:
    for name, array in left.items():
        np.testing.assert_array_equal(array, right[name], err_msg=name)


@pytest.mark.parametrize("world_id", WORLDS)
def test_shapes_and_dtypes_follow_the_layout(world_id: str) -> None:
    world = make_vec(world_id, 3)
    layout, n, m = world.layout, 3, world.layout.agents
    shapes = {
        "obs": ((n, m, layout.obs_dim), np.float32),
        "final_obs": ((n, m, layout.obs_dim), np.float32),
        "mask": ((n, m, layout.num_choices), np.uint8),
        "alive": ((n, m), np.uint8),
        "actions": ((n, m, len(layout.heads)), np.int32),
        "controls": ((n, m, layout.controls), np.float32),
        "reward": ((n, m), np.float32),
        "terms": ((n, m, len(layout.terms)), np.float32),
        "terminated": ((n, m), np.uint8),
        "truncated": ((n, m), np.uint8),
        "events": ((n, m), np.uint32),
        "stats": ((n, len(layout.stats)), np.float32),
        "episode_seed": ((n,), np.uint64),
        "episode": ((n,), np.uint64),
    }
    assert isinstance(world, VectorWorld)
    assert world.num_worlds == n
    for name, (shape, dtype) in shapes.items():
        array = getattr(world, name)
        assert (array.shape, array.dtype) == (shape, np.dtype(dtype)), name
        assert array.flags.c_contiguous, name


@pytest.mark.parametrize("world_id", WORLDS)
@pytest.mark.parametrize("threads", [2, 4])
def test_digests_and_arrays_are_the_same_for_any_number_of_threads(
    world_id: str, threads: int
) -> None:
    """7 worlds do not divide evenly, so shares differ in size."""
    alone, shared = make_vec(world_id, 7, seed=3), make_vec(world_id, 7, seed=3, threads=threads)
    rng = np.random.default_rng(1)
    for _ in range(300):
        actions = legal_actions(alone, rng)
        alone.step(actions)
        shared.step(actions)
        np.testing.assert_array_equal(alone.digests(), shared.digests())
    assert_same(arrays_of(alone), arrays_of(shared))


@pytest.mark.parametrize("world_id", WORLDS)
@pytest.mark.parametrize(("size", "place"), [(2, 0), (5, 4), (8, 3)])
def test_a_world_is_the_same_in_any_batch_and_place(world_id: str, size: int, place: int) -> None:
    seeds = np.arange(size, dtype=np.uint64) + 1000
    crowd, single = make_vec(world_id, size, threads=2), make_vec(world_id, 1)
    crowd.reset_with_seeds(seeds)
    single.reset_with_seeds(seeds[place : place + 1])
    rng = np.random.default_rng(2)
    for _ in range(300):
        actions = legal_actions(crowd, rng)
        crowd.step(actions)
        single.step(actions[place : place + 1])
        assert crowd.digests()[place] == single.digests()[0]
    for name, array in arrays_of(single).items():
        np.testing.assert_array_equal(array[0], getattr(crowd, name)[place], err_msg=name)


@pytest.mark.parametrize("world_id", WORLDS)
def test_going_on_from_a_snapshot_equals_never_stopping(world_id: str) -> None:
    whole, resumed = make_vec(world_id, 4, seed=8), make_vec(world_id, 4, seed=9, threads=2)
    rng = np.random.default_rng(3)
    for _ in range(150):
        whole.step(legal_actions(whole, rng))
    saved = whole.snapshot()
    resumed.restore(saved)
    assert resumed.snapshot() == saved
    np.testing.assert_array_equal(whole.obs, resumed.obs)
    np.testing.assert_array_equal(whole.mask, resumed.mask)
    for _ in range(150):
        actions = legal_actions(whole, rng)
        whole.step(actions)
        resumed.step(actions)
    np.testing.assert_array_equal(whole.digests(), resumed.digests())
    assert whole.snapshot() == resumed.snapshot()


@pytest.mark.parametrize("world_id", WORLDS)
def test_a_fork_goes_its_own_way_from_the_same_place(world_id: str) -> None:
    whole = make_vec(world_id, 3, seed=4)
    rng = np.random.default_rng(4)
    for _ in range(50):
        whole.step(legal_actions(whole, rng))
    fork = whole.fork([2, 0, 2], threads=2)
    before = whole.digests()
    np.testing.assert_array_equal(fork.digests(), before[[2, 0, 2]])
    np.testing.assert_array_equal(fork.obs, whole.obs[[2, 0, 2]])
    fork.step(legal_actions(fork, rng))
    np.testing.assert_array_equal(whole.digests(), before)


def test_an_episode_reruns_alone_from_run_seed_world_and_number() -> None:
    run = make_vec("lanterns-v1", 3, seed=21, ticks_max=5)
    for _ in range(12):
        run.step(np.full((3, 2, 2), (2, 0)))
    assert run.episode.tolist() == [2, 2, 2]
    assert run.episode_seed.tolist() == [episode_seed(21, lane, 2) for lane in range(3)]
    alone = make_vec("lanterns-v1", 1, ticks_max=5)
    alone.reset_with_seeds(run.episode_seed[1:2])
    for _ in range(2):
        alone.step(np.full((1, 2, 2), (2, 0)))
    assert alone.digests()[0] == run.digests()[1]


def test_reset_without_a_seed_begins_the_next_episode_everywhere() -> None:
    world = make_vec("lanterns-v1", 2, seed=6)
    world.reset()
    assert world.episode.tolist() == [1, 1]
    assert world.episode_seed.tolist() == [episode_seed(6, 0, 1), episode_seed(6, 1, 1)]
    world.reset(6)
    assert world.episode.tolist() == [0, 0]


def test_reset_worlds_touches_only_the_chosen() -> None:
    world = make_vec("lanterns-v1", 3, seed=1)
    world.step()
    before = world.digests()
    world.reset_worlds([1])
    world.reset_worlds(np.array([2]), seeds=[2**64 - 1])
    assert world.episode.tolist() == [0, 1, 0]
    assert world.episode_seed[2] == 2**64 - 1
    assert (world.digests() == before).tolist() == [True, False, False]
    world.reset_worlds([])


def test_same_step_shows_the_next_episode_and_keeps_the_last_observation() -> None:
    world = make_vec("lanterns-v1", 2, ticks_max=3)
    for _ in range(3):
        world.step(np.full((2, 2, 2), (2, 0)))
    assert world.truncated.tolist() == [[1, 1], [1, 1]]
    assert world.terminated.sum() == 0
    assert world.episode.tolist() == [1, 1]
    np.testing.assert_array_equal(world.final_obs[:, :, 4], 0.0)
    np.testing.assert_array_equal(world.obs[:, :, 4], 1.0)
    np.testing.assert_array_equal(world.stats[:, 0], 3.0)


def test_next_step_waits_one_step_and_ignores_its_orders() -> None:
    world = make_vec("lanterns-v1", 1, ticks_max=2, autoreset="next_step")
    world.step(np.full((1, 2, 2), (2, 0)))
    world.step()
    np.testing.assert_array_equal(world.obs, world.final_obs)
    assert world.episode.tolist() == [0]
    world.step(np.full((1, 2, 2), 99))
    assert world.episode.tolist() == [1]
    assert world.truncated.sum() == world.events.sum() == 0
    np.testing.assert_array_equal(world.obs[:, :, 4], 1.0)


def test_disabled_refuses_until_the_ended_world_is_reset() -> None:
    world = make_vec("lanterns-v1", 2, ticks_max=2, autoreset="disabled")
    world.step()
    world.reset_worlds([1])
    world.step()
    before = world.digests()
    with pytest.raises(EpisodeOverError, match=r"world 0 .*reset_worlds\(\[0\]\)"):
        world.step()
    np.testing.assert_array_equal(world.digests(), before)
    world.reset_worlds([0])
    world.step()


def test_a_keeper_may_be_lost_while_the_other_goes_on() -> None:
    """Keeper 0 walks away and runs dry; keeper 1 stays at the depot and never does."""
    world = make_vec("lanterns-v1", 1, ticks_max=100)
    there_and_back = [(2, 0)] * 8 + [(0, 0), (2, 0)] * 8
    for move in there_and_back:
        world.step(np.array([[move, (1, 0)]]))
        if world.terminated[0, 0]:
            break
    assert world.terminated.tolist() == [[1, 0]]
    assert world.alive.tolist() == [[0, 1]]
    assert world.terms[0, 0].tolist() == [0.0, -1.0]
    assert world.reward[0, 0] == -1.0
    np.testing.assert_array_equal(world.final_obs[0, 0], world.obs[0, 0])
    assert world.episode[0] == 0
    world.step(np.array([[(2, 1), (1, 0)]]))
    assert world.terminated.tolist() == [[0, 0]]
    assert world.events[0, 0] == 0


@pytest.mark.parametrize("world_id", WORLDS)
def test_observations_rewards_and_masks_keep_their_word(world_id: str) -> None:
    world = make_vec(world_id, 8, seed=12)
    layout = world.layout
    rng = np.random.default_rng(5)
    for _ in range(300):
        world.step(legal_actions(world, rng))
        assert np.isfinite(world.obs).all()
        assert world.obs.min() >= layout.obs_low
        assert world.obs.max() <= layout.obs_high
        summed = world.terms.sum(axis=-1, dtype=np.float64)
        # A world may sum more exactly than its terms are written.
        rounding = np.finfo(np.float32).eps * np.abs(world.terms).sum(axis=-1)
        assert (np.abs(summed - world.reward) <= rounding).all()
        start = 0
        for size in layout.heads:
            assert world.mask[:, :, start : start + size].any(axis=-1).all()
            start += size
