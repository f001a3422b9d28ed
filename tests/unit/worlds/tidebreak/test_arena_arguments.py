"""What a caller may not pass to a single battle: a typed error that names it, and nothing moves."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from astrarium import _native
from astrarium.errors import (
    ActionError,
    AstrariumError,
    ConfigError,
    CountError,
    PackageError,
    SeedError,
    ShapeError,
    SnapshotError,
    WorldIndexError,
)
from astrarium.worlds.tidebreak import Arena, simulate

DUEL = _native.tidebreak_package("duel", 5)


def with_order(row: int, column: int, value: float, dtype: Any = np.int64) -> np.ndarray:
    orders = np.zeros((2, 11), dtype)
    orders[row, column] = value
    return orders


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        (with_order(1, 0, np.nan, np.float64), "dtype float64"),
        (with_order(0, 0, 1e9, np.float64), "dtype float64"),
        (with_order(0, 0, 128), r"orders\[0, 0\] is 128; throttle takes -127 to 127"),
        (with_order(1, 1, -128), r"orders\[1, 1\] is -128; rudder"),
        (with_order(1, 2, 17), r"orders\[1, 2\] is 17; target takes 0 to 16"),
        (with_order(1, 10, -1), r"damage_control takes 0 to 3"),
        (with_order(0, 0, 65_536), "throttle"),
        (with_order(0, 0, 2**40, np.uint64), "throttle"),
        (np.zeros((2, 11), np.bool_), "dtype bool"),
        (np.zeros(22, np.int16), r"shape \(22,\); give \(2, 11\)"),
        (np.zeros((2, 10), np.int16), "shape"),
        ([[1], [2, 3]], "cannot be read"),
        ("full ahead", "shape"),
    ],
)
def test_orders_that_are_none_are_refused_whole(orders: Any, words: str) -> None:
    arena = Arena(DUEL)
    before = arena.state_hash()
    with pytest.raises(ActionError, match=words):
        arena.step(orders)
    assert arena.state_hash() == before


def test_legal_orders_of_any_whole_type_are_one_and_the_same() -> None:
    hashes = set[int]()
    for dtype in (np.int8, np.int16, np.int64, np.uint8):
        arena = Arena(DUEL)
        orders = with_order(0, 0, 127, dtype)
        orders[1, 1] = 60
        arena.step(orders)
        arena.step(orders.tolist())
        hashes.add(arena.state_hash())
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda _: Arena(DUEL.decode()), PackageError, "package is a str"),
        (lambda _: Arena(json.loads(DUEL)), PackageError, "package is a dict"),
        (lambda _: Arena(DUEL, trace=300), ConfigError, "trace is 300"),
        (lambda _: Arena(DUEL, trace=-1), ConfigError, "trace is -1"),
        (lambda _: Arena(DUEL, trace="all"), ConfigError, "trace is 'all'"),
        (lambda _: Arena(DUEL, debug="no"), ConfigError, "debug is 'no'"),
        (lambda arena: arena.observe(-1), WorldIndexError, "0 to 1"),
        (lambda arena: arena.observe(2), WorldIndexError, "ship 2"),
        (lambda arena: arena.mask(-1), WorldIndexError, "0 to 1"),
        (lambda arena: arena.mask(0.0), WorldIndexError, r"ship 0\.0"),
        (lambda arena: arena.explain(-1), ConfigError, "event is -1"),
        (lambda arena: arena.explain("first"), ConfigError, "event is 'first'"),
        (lambda arena: arena.reset(seed=-1), SeedError, "seed is -1"),
        (lambda arena: arena.reset(seed=1.5), SeedError, "whole number"),
        (lambda arena: arena.restore(b"junk"), SnapshotError, "no snapshot"),
        (lambda arena: arena.restore("junk"), SnapshotError, "bytes"),
        (lambda arena: arena.simulate("line"), ConfigError, "by team id"),
        (lambda arena: arena.simulate({"blue": 3}), ConfigError, "by team id"),
        (lambda arena: arena.simulate({"green": "line"}), ConfigError, "green"),
        (lambda arena: arena.simulate({"blue": "admiral"}), ConfigError, "admiral"),
        (lambda _: simulate(DUEL), PackageError, "give a list"),  # type: ignore[arg-type]
        (lambda _: simulate([DUEL, None]), PackageError, r"packages\[1\]"),
        (lambda _: simulate([DUEL], [{}, {}]), CountError, "2 controllers"),
        (lambda _: simulate([DUEL], "line"), ConfigError, "by team id"),
        (lambda _: simulate([DUEL], [None]), ConfigError, r"controllers\[0\]"),
        (lambda _: simulate([DUEL], threads=0), CountError, "threads"),
    ],
)
def test_what_does_not_fit_is_named(call: Any, error: type[AstrariumError], words: str) -> None:
    arena = Arena(DUEL)
    before = arena.state_hash()
    with pytest.raises(error, match=words):
        call(arena)
    assert arena.state_hash() == before


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(718, np.float32),
        np.zeros((1, 719), np.float32),
        np.zeros(719, np.float64),
        np.zeros(1438, np.float32)[::2],
        np.frombuffer(bytes(719 * 4), np.float32),
        [0.0] * 719,
    ],
)
def test_an_observation_is_written_into_what_it_fits_only(out: Any) -> None:
    arena = Arena(DUEL)
    with pytest.raises(ShapeError, match=r"out .*\(719,\) and dtype float32"):
        arena.observe(0, out)


def test_a_mask_is_written_into_what_it_fits_only() -> None:
    arena = Arena(DUEL)
    with pytest.raises(ShapeError, match=r"\(53,\) and dtype uint8"):
        arena.mask(0, np.zeros(53, np.bool_))  # type: ignore[arg-type]
    legal = np.zeros(53, np.uint8)
    assert arena.mask(0, legal) is legal
    assert legal.any()
