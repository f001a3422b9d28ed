"""Each class of bad input has its error, which names the thing and the fix."""

import pickle
from collections.abc import Callable

import numpy as np
import pytest

import astrarium
from astrarium import _native, make_vec
from astrarium.worlds import VectorWorld

Call = Callable[[VectorWorld], object]

REFUSED: list[tuple[str, type[Exception], str, Call]] = [
    (
        "float actions",
        astrarium.ActionError,
        r"float64.*astype",
        lambda w: w.step(np.zeros((3, 2, 2))),
    ),
    ("bool actions", astrarium.ActionError, "bool", lambda w: w.step(np.zeros((3, 2, 2), bool))),
    ("text", astrarium.ActionError, "<U1", lambda w: w.step([[["a"] * 2] * 2] * 3)),
    ("huge", astrarium.ActionError, "object", lambda w: w.step([[[2**70] * 2] * 2] * 3)),
    ("ragged", astrarium.ActionError, "read as an array", lambda w: w.step([[1], [1, 2]])),
    (
        "shape",
        astrarium.ActionError,
        r"\(2, 2, 2\).*\(3, 2, 2\)",
        lambda w: w.step(np.zeros((2, 2, 2), int)),
    ),
    ("scalar", astrarium.ActionError, r"shape \(\)", lambda w: w.step(1)),
    (
        "controls",
        astrarium.ActionError,
        r"\(3, 2, 1\).*\(3, 2, 0\)",
        lambda w: w.step(None, np.zeros((3, 2, 1))),
    ),
    (
        "int controls",
        astrarium.ActionError,
        "int64",
        lambda w: w.step(None, np.zeros((3, 2, 0), int)),
    ),
    ("negative seed", astrarium.SeedError, "seed is -1; choose 0", lambda w: w.reset(-1)),
    ("large seed", astrarium.SeedError, "18446744073709551616", lambda w: w.reset(2**64)),
    ("float seed", astrarium.SeedError, r"1\.0 \(float\)", lambda w: w.reset(1.0)),  # type: ignore[arg-type]
    ("bool seed", astrarium.SeedError, "bool", lambda w: w.reset(True)),
    ("too few seeds", astrarium.SeedError, "2 entries.*3", lambda w: w.reset_with_seeds([1, 2])),
    (
        "negative seeds",
        astrarium.SeedError,
        r"seeds\[1\] is -5",
        lambda w: w.reset_with_seeds([1, -5, 2**63]),
    ),
    (
        "seed array",
        astrarium.SeedError,
        r"seeds\[2\] is -1",
        lambda w: w.reset_with_seeds(np.array([1, 2, -1])),
    ),
    ("float seeds", astrarium.SeedError, "float64", lambda w: w.reset_with_seeds(np.zeros(3))),
    (
        "2-d seeds",
        astrarium.SeedError,
        "one dimension",
        lambda w: w.reset_with_seeds(np.zeros((3, 1), int)),
    ),
    ("one seed", astrarium.SeedError, "per world", lambda w: w.reset_with_seeds(5)),
    ("seed text", astrarium.SeedError, "per world", lambda w: w.reset_with_seeds("123")),
    ("index", astrarium.WorldIndexError, "3 is outside.*0 to 2", lambda w: w.reset_worlds([0, 3])),
    ("negative index", astrarium.WorldIndexError, "-1 is outside", lambda w: w.reset_worlds([-1])),
    (
        "mask",
        astrarium.WorldIndexError,
        "flatnonzero",
        lambda w: w.reset_worlds([True, False, True]),
    ),
    ("float index", astrarium.WorldIndexError, "float64", lambda w: w.reset_worlds([0.0])),
    ("index count", astrarium.SeedError, "1 entries", lambda w: w.reset_worlds([0, 1], seeds=[5])),
    ("fork index", astrarium.WorldIndexError, "7 is outside", lambda w: w.fork([7])),
    ("empty fork", astrarium.CountError, "num_worlds is 0", lambda w: w.fork([])),
    ("fork threads", astrarium.CountError, "threads is 0", lambda w: w.fork([0], threads=0)),
    ("not bytes", astrarium.SnapshotError, "binary mode", lambda w: w.restore("text")),  # type: ignore[arg-type]
    ("empty", astrarium.SnapshotError, "cut short", lambda w: w.restore(b"")),
    ("noise", astrarium.SnapshotError, "not a snapshot", lambda w: w.restore(b"noise" * 20)),
]


@pytest.mark.parametrize(
    ("error", "words", "call"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_bad_input_is_named_and_changes_nothing(
    error: type[Exception], words: str, call: Call
) -> None:
    world = make_vec("lanterns-v1", 3, seed=2)
    world.step(np.full((3, 2, 2), (2, 0)))
    before = (world.digests().tolist(), world.obs.tobytes(), world.actions.tobytes())
    with pytest.raises(error, match=words) as caught:
        call(world)
    assert isinstance(caught.value, astrarium.AstrariumError)
    assert (world.digests().tolist(), world.obs.tobytes(), world.actions.tobytes()) == before


def test_refused_controls_leave_the_actions_unwritten() -> None:
    world = make_vec("lanterns-v1", 1)
    with pytest.raises(astrarium.ActionError):
        world.step(np.ones((1, 2, 2), np.int32), np.zeros((1, 2, 3), np.float32))
    assert not world.actions.any()


def test_snapshots_of_something_else_are_named() -> None:
    world = make_vec("lanterns-v1", 2)
    before = world.digests().tolist()
    for other, words in (
        (make_vec("prospector-v1", 2), "prospector-v1; this batch is lanterns-v1"),
        (make_vec("lanterns-v1", 2, ticks_max=9), "another config"),
        (make_vec("lanterns-v1", 3), "holds 3 worlds; this batch has 2"),
    ):
        with pytest.raises(astrarium.SnapshotError, match=words):
            world.restore(other.snapshot())
    assert world.digests().tolist() == before


@pytest.mark.parametrize("count", [0, -1, 2.0, True, "4", None, 2**20 + 1, 2**70])
def test_impossible_counts_are_refused(count: int) -> None:
    with pytest.raises(astrarium.CountError, match="num_worlds is"):
        make_vec("lanterns-v1", count)
    with pytest.raises(astrarium.CountError, match="threads is"):
        make_vec("lanterns-v1", 1, threads=count)


def test_an_unknown_autoreset_mode_is_refused_with_the_choices() -> None:
    with pytest.raises(astrarium.ConfigError, match=r"did you mean 'same_step'.*disabled"):
        make_vec("lanterns-v1", autoreset="same-step")  # type: ignore[arg-type]


def test_the_native_module_refuses_by_itself_too() -> None:
    """The face checks first, but the boundary does not rely on it."""
    config = '{"ticks_max": 5}'
    for error, arguments in (
        (astrarium.UnknownWorldError, ("lantern-v1", config, 1, 1, "same_step")),
        (astrarium.ConfigError, ("lanterns-v1", '{"tick_max": 5}', 1, 1, "same_step")),
        (astrarium.ConfigError, ("lanterns-v1", "not json", 1, 1, "same_step")),
        (astrarium.ConfigError, ("lanterns-v1", config, 1, 1, "sometimes")),
        (astrarium.CountError, ("lanterns-v1", config, 0, 1, "same_step")),
        (astrarium.CountError, ("lanterns-v1", config, 1, 257, "same_step")),
    ):
        with pytest.raises(error):
            _native.Batch(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (astrarium.UnknownWorldError, KeyError),
        (astrarium.ConfigError, ValueError),
        (astrarium.ActionError, ValueError),
        (astrarium.SeedError, ValueError),
        (astrarium.SnapshotError, ValueError),
        (astrarium.WorldIndexError, IndexError),
        (astrarium.EpisodeOverError, RuntimeError),
        (astrarium.WorldPanicError, RuntimeError),
        (astrarium.ConcurrentUseError, RuntimeError),
    ],
)
def test_errors_are_the_builtins_a_caller_expects_and_travel_between_processes(
    error: type[Exception], builtin: type[Exception]
) -> None:
    assert issubclass(error, builtin)
    copy = pickle.loads(pickle.dumps(error("the words")))
    assert (type(copy), str(copy)) == (error, "the words")
