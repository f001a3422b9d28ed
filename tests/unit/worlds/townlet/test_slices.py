"""A slice plays again exactly, from its file and in another process, and says where it does not."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

from astrarium import worlds
from astrarium.errors import CommandError, ConfigError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import slices
from astrarium.worlds.townlet.entry import ENTRY
from astrarium.worlds.townlet.slices import Recorder, Slice, SliceError


def town(seed: int = 4) -> NativeVectorWorld:
    world = worlds.make_vec("townlet-v1", 1, seed=seed, autoreset="disabled")
    assert isinstance(world, NativeVectorWorld)
    return world


def live(recorder: Recorder, ticks: int) -> None:
    citizens = ENTRY.oracles["citizens"](recorder.world)
    for _ in range(ticks):
        recorder.step(citizens(recorder.world.obs, recorder.world.mask))


@pytest.fixture(scope="module")
def recorded() -> Slice:
    world = town()
    citizens = ENTRY.oracles["citizens"](world)
    for _ in range(130):
        world.step(citizens(world.obs, world.mask))
    recorder = Recorder(world)
    live(recorder, 40)
    recorder.command("setneed", agent_id="resident_02", need="hygiene", value=0.2)
    recorder.command("kill", agent_id="resident_05")
    live(recorder, 100)
    with pytest.raises(CommandError):
        recorder.command("no_such_command")
    recorder.command(
        "perturbation_trigger",
        spec="blackout",
        starts_in=5,
        duration=50,
        target=None,
        magnitude=None,
    )
    live(recorder, 117)
    return recorder.slice()


def test_a_slice_holds_what_was_done_and_a_hash_every_hundred_ticks(recorded: Slice) -> None:
    assert recorded.tick == 130
    assert len(recorded.actions) == 257
    assert [(order.tick, order.name) for order in recorded.commands] == [
        (170, "setneed"),
        (170, "kill"),
        (270, "perturbation_trigger"),
    ]
    assert sorted(recorded.hashes) == [130, 200, 300, 387]
    assert all(0 <= value < 2**64 for value in recorded.hashes.values())


def test_it_plays_again(recorded: Slice) -> None:
    world = slices.replay(recorded)
    assert int(world.digests()[0]) == recorded.hashes[387]
    portrait = world.portrait(0)
    assert portrait is not None
    assert portrait["tick"] == 387
    assert "resident_05" not in portrait["agents"]


def test_another_process_plays_it_from_its_file(recorded: Slice, tmp_path: Path) -> None:
    path = tmp_path / "morning.json"
    slices.write(path, recorded)
    assert slices.read(path) == recorded
    program = (
        "import sys, pathlib; from astrarium.worlds.townlet import slices; "
        "world = slices.replay(slices.read(pathlib.Path(sys.argv[1]))); "
        "print(f'{int(world.digests()[0]):016x}')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, check=True, text=True
    )
    assert done.stdout.strip() == f"{recorded.hashes[387]:016x}"


@pytest.mark.parametrize("lost", ["kill", "setneed"])
def test_a_forgotten_command_is_noticed(recorded: Slice, lost: str) -> None:
    kept = tuple(order for order in recorded.commands if order.name != lost)
    with pytest.raises(SliceError, match=r"at tick 200 the state is [0-9a-f]{16}; recorded was"):
        slices.replay(dataclasses.replace(recorded, commands=kept))


def test_another_choice_is_noticed(recorded: Slice) -> None:
    actions = list(recorded.actions)
    at = next(at for at, row in enumerate(actions) if any(row))
    actions[at] = tuple(0 for _ in actions[at])
    with pytest.raises(SliceError, match="at tick"):
        slices.replay(dataclasses.replace(recorded, actions=tuple(actions)))


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("snapshot", "AAAA", "its hash differs"),
        ("snapshot", "not base64", "no slice of a town"),
        ("tick", -1, "tick: "),
        ("actions", [["a"]], "actions.0.0: "),
        ("hashes", {"130": "xyz"}, "no slice of a town"),
        ("schema_version", "2.0", "schema_version: "),
        ("surprise", 1, "surprise: "),
        ("config", {"tiem": {}}, "no slice of a town: tiem: "),
    ],
)
def test_a_damaged_file_is_refused(
    recorded: Slice, tmp_path: Path, key: str, value: object, words: str
) -> None:
    path = tmp_path / "slice.json"
    slices.write(path, recorded)
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
    with pytest.raises(SliceError, match=words):
        slices.read(path)


def test_what_is_no_file_or_no_single_town_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SliceError, match="cannot be read: No such file"):
        slices.read(tmp_path / "nothing.json")
    for world in (
        worlds.make_vec("townlet-v1", 2, autoreset="disabled"),
        worlds.make_vec("townlet-v1", 1),
        worlds.make_vec("lanterns-v1", 1, autoreset="disabled"),
    ):
        assert isinstance(world, NativeVectorWorld)
        with pytest.raises(ConfigError, match="a recorder takes one town"):
            Recorder(world)
