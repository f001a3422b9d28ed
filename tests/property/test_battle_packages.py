"""Whatever a stranger sends as a battle, it is fought or refused by the path of what is wrong."""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium import AstrariumError, WorldPanicError, _native, make_vec
from astrarium.cli import main
from astrarium.errors import PackageError
from astrarium.worlds.tidebreak import Arena, simulate
from astrarium.worlds.tidebreak.package import BattlePackage

SCENARIOS = ("duel_currents", "duel_islands", "convoy_escort", "submarine_ambush")
PATH = re.compile(r"[a-z_0-9A-Z.\[\]]+: .+", re.DOTALL)
NAN, ENDLESS = float("nan"), float("inf")
UNWRITTEN = ("1e400", "-1e400", "1e-400", "1E+999", "-1.5e310", "9" * 400, "-0", "1.0", "NaN")
"""Numbers as text: no value makes `json` write them so. Most are more than a float holds."""
STRANGE: list[Any] = [
    # An integer written as -0 is accepted by pydantic and refused natively: a known difference.
    *(f"as it is: {number}" for number in UNWRITTEN if number != "-0"),
    *(None, True, False, "", "x" * 1000, "\0", "blue", "blue_0", "red_0", "galleon", "arena.v2"),
    *("F3", "XL", "polygon", "grid", "abyssal", NAN, ENDLESS, -ENDLESS, 1e308, -1e308, 1e-308),
    *(-1, 0, 1, 0.5, -0.0, 255, 256, 65_536, 2**31, 2**32, 2**63, 2**64 - 1, 2**64, 10**30),
    *(1e6, -1e6, 200_000.0, 10_000.0, 60, [], {}, [[]], [1] * 5000, {"a": {"a": 1}}),
]
FACTORS = (0, -1, 0.1, 2, 10, 1000)

Place = tuple[str | int, ...]


@functools.cache
def drawn(scenario: str, seed: int) -> str:
    return json.dumps(json.loads(_native.tidebreak_package(scenario, seed)) | {"time_limit_s": 60})


def places(inside: Any, here: Place = ()) -> Iterator[Place]:
    """Every field and item, by its way from the top."""
    steps = inside.items() if isinstance(inside, dict) else enumerate(inside)
    for step, value in steps:
        yield (*here, step)
        if isinstance(value, dict | list):
            yield from places(value, (*here, step))


def at(document: Any, place: Place) -> Any:
    return functools.reduce(lambda inside, step: inside[step], place, document)


def mutate(document: Any, draw_: Callable[..., Any]) -> None:
    """One thing that a stranger could get wrong."""
    everywhere = list(places(document))
    place = draw_(st.sampled_from(everywhere))
    parent, step = at(document, place[:-1]), place[-1]
    value = parent[step]
    kind = draw_(st.sampled_from(["set", "drop", "twice", "of elsewhere", "scale", "unknown"]))
    if kind == "drop":
        del parent[step]
    elif kind == "unknown" and isinstance(parent, dict):
        parent["nobody_knows"] = copy.deepcopy(draw_(st.sampled_from(STRANGE)))
    elif kind == "twice" and isinstance(parent, list):
        parent.insert(step, copy.deepcopy(value))
    elif kind == "of elsewhere":
        parent[step] = copy.deepcopy(at(document, draw_(st.sampled_from(everywhere))))
    elif kind == "scale" and isinstance(value, int | float):
        parent[step] = type(value)(value * draw_(st.sampled_from(FACTORS)))
    else:
        parent[step] = copy.deepcopy(draw_(st.sampled_from(STRANGE)))


def written(document: Any) -> bytes:
    """The document, with numbers as they are."""
    return re.sub(r'"as it is: ([^"]+)"', r"\1", json.dumps(document)).encode()


@st.composite
def wrong_packages(draw_: st.DrawFn) -> bytes:
    scenario, seed = draw_(st.sampled_from(SCENARIOS)), draw_(st.integers(1, 5))
    document = json.loads(drawn(scenario, seed))
    for _ in range(draw_(st.integers(1, 4))):
        mutate(document, draw_)
    limit = document.get("time_limit_s")
    if isinstance(limit, int) and 60 < limit <= 7_200:
        document["time_limit_s"] = 60
    return written(document)


def refusal(call: Callable[[], object]) -> str | None:
    """What the call was refused with; anything but a typed refusal comes through."""
    try:
        call()
    except WorldPanicError:
        raise
    except AstrariumError as error:
        return str(error)
    return None


def stepped(text: bytes, side: str) -> None:
    world = make_vec("tidebreak-v1", 1, package=text.decode(), side=side, seed=1)
    for _ in range(3):
        world.step()


@settings(max_examples=300, deadline=None)
@given(wrong_packages(), st.sampled_from(["blue", "red", "both"]))
def test_a_battle_is_fought_or_refused_by_its_path(text: bytes, side: str) -> None:
    native = refusal(lambda: Arena(text))
    assert refusal(lambda: simulate([text])) == native
    assert native is None or PATH.fullmatch(native), native
    read = refusal(lambda: BattlePackage.read(text))
    assert (read is None) == (native is None), (read, native)
    assert read is None or PATH.fullmatch(read), read
    played = refusal(lambda: stepped(text, side))
    # A battle may be sound and yet have no agents on that side, or more sides than two.
    assert native is None or played is not None


@pytest.mark.parametrize("number", UNWRITTEN)
@pytest.mark.parametrize("known", [True, False])
def test_what_no_float_holds_is_refused_where_it_is_read(number: str, known: bool) -> None:
    document = json.loads(drawn("duel_currents", 1))
    document["map"]["daylight" if known else "nobody_knows"] = f"as it is: {number}"
    text = written(document)
    small = number in ("1e-400", "-0", "1.0")
    for call in (lambda: Arena(text), lambda: BattlePackage.read(text)):
        refused = refusal(call)
        assert (refused is None) == (small or not known), refused
        assert refused is None or refused.startswith("map.daylight: "), refused


@settings(max_examples=60, deadline=None)
@given(wrong_packages())
def test_the_command_tells_a_fault_and_does_not_fall(
    tmp_path_factory: pytest.TempPathFactory, text: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "battle.json"
    file.write_bytes(text)
    with pytest.raises(SystemExit) as ended:
        main(["tidebreak", "simulate", str(file)])
    refused = refusal(lambda: BattlePackage.read(text)) is not None
    assert ended.value.code == (2 if refused else 0)


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_noise_is_no_package_and_no_replay(noise: bytes) -> None:
    with pytest.raises(PackageError):
        Arena(noise)
    with pytest.raises(PackageError):
        BattlePackage.read(noise)
    for call in (_native.tidebreak_verify, _native.tidebreak_replay_package):
        assert refusal(functools.partial(call, noise)) is not None


def test_a_text_that_nests_without_end_is_refused(tmp_path: Path) -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    for call in (lambda: Arena(deep), lambda: BattlePackage.read(deep)):
        assert "recursion limit" in (refusal(call) or "")
    (tmp_path / "deep.json").write_bytes(deep)
    with pytest.raises(SystemExit) as ended:
        main(["tidebreak", "simulate", str(tmp_path / "deep.json")])
    assert ended.value.code == 2
