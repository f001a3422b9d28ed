"""A slice of a town's life that can be played again: a snapshot, and what was done from there on.

Every `HASH_EVERY` ticks, and where the slice ends, the 64-bit hash of the whole state is noted, so
that a slice that plays differently somewhere else says where it first does.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pydantic

from astrarium.atomic import write_text
from astrarium.errors import ConfigError, SnapshotError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.snapshots import tick_of

HASH_EVERY: Final = 100
_WORLD: Final = "townlet-v1"


class SliceError(SnapshotError):
    """A slice that cannot be read, or that does not play as it was recorded."""


@dataclass(frozen=True, slots=True)
class Order:
    """A command, and the tick at whose end it waited."""

    tick: int
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Slice:
    """Some ticks of one town."""

    config: TownletConfig
    tick: int
    """Of the snapshot."""
    snapshot: bytes
    actions: tuple[tuple[int, ...], ...]
    """One choice per seat, tick after tick."""
    commands: tuple[Order, ...]
    hashes: dict[int, int]
    """Of the state, by tick."""


@dataclass(slots=True)
class Recorder:
    """A town whose steps and commands are written down. Drive it through this, not beside it."""

    world: NativeVectorWorld
    """One town that does not begin again by itself."""
    _snapshot: bytes = field(init=False)
    _first: int = field(init=False)
    _actions: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]], init=False)
    _commands: list[Order] = field(default_factory=list[Order], init=False)
    _hashes: dict[int, int] = field(default_factory=dict[int, int], init=False)

    def __post_init__(self) -> None:
        world = self.world
        if (world.world_id, world.num_worlds, world.autoreset) != (_WORLD, 1, "disabled"):
            raise ConfigError(
                f"a recorder takes one town: make_vec({_WORLD!r}, 1, autoreset='disabled')"
            )
        self._snapshot = world.snapshot()
        self._first = tick_of(world)
        self._hashes[self._first] = _hash_of(world)

    def command(self, name: str, **arguments: Any) -> None:
        """Queue a command, as `NativeVectorWorld.command`; one that is refused leaves no trace."""
        self.world.command(0, name, **arguments)
        self._commands.append(Order(self._first + len(self._actions), name, arguments))

    def step(self, actions: npt.ArrayLike) -> None:
        """Advance by a tick."""
        self.world.step(actions)
        self._actions.append(tuple(int(choice) for choice in self.world.actions.ravel()))
        tick = self._first + len(self._actions)
        if tick % HASH_EVERY == 0:
            self._hashes[tick] = _hash_of(self.world)

    def slice(self) -> Slice:
        """Everything since the recorder was made."""
        config = self.world.config
        assert isinstance(config, TownletConfig)
        last = self._first + len(self._actions)
        hashes = self._hashes | {last: _hash_of(self.world)}
        return Slice(
            config,
            self._first,
            self._snapshot,
            tuple(self._actions),
            tuple(self._commands),
            hashes,
        )


def replay(recorded: Slice) -> NativeVectorWorld:
    """Play a slice again; the town at its end.

    Raises a `SliceError` at the first noted tick whose state is not the one that was recorded.
    """
    world = NativeVectorWorld.make(_WORLD, recorded.config, 1, 1, "disabled")
    world.restore(recorded.snapshot)
    _compare(recorded, recorded.tick, world)
    waiting = list(recorded.commands)
    for tick, actions in enumerate(recorded.actions, recorded.tick):
        while waiting and waiting[0].tick == tick:
            order = waiting.pop(0)
            world.command(0, order.name, **order.arguments)
        world.step(np.asarray(actions, np.int32).reshape(1, -1, 1))
        _compare(recorded, tick + 1, world)
    return world


def _compare(recorded: Slice, tick: int, world: NativeVectorWorld) -> None:
    noted = recorded.hashes.get(tick)
    found = _hash_of(world) if noted is not None else None
    if noted is not None and found != noted:
        raise SliceError(f"at tick {tick} the state is {found:016x}; recorded was {noted:016x}")


def _hash_of(world: NativeVectorWorld) -> int:
    return int(world.digests()[0])


class _Command(pydantic.BaseModel):
    """An order as it is stored."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True)
    tick: int = pydantic.Field(ge=0)
    name: str
    arguments: dict[str, Any]


class _Stored(pydantic.BaseModel):
    """A slice as it is stored."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True)
    schema_version: str = pydantic.Field(pattern=r"^1[.]")
    config: dict[str, Any]
    tick: int = pydantic.Field(ge=0)
    snapshot: str
    snapshot_sha256: str
    actions: list[list[int]]
    commands: list[_Command]
    hashes: dict[str, str]


def write(path: Path, recorded: Slice) -> None:
    """Store a slice as one JSON document."""
    stored = _Stored(
        schema_version="1.0",
        config=recorded.config.model_dump(mode="json"),
        tick=recorded.tick,
        snapshot=base64.b64encode(recorded.snapshot).decode(),
        snapshot_sha256=hashlib.sha256(recorded.snapshot).hexdigest(),
        actions=[list(row) for row in recorded.actions],
        commands=[
            _Command(tick=one.tick, name=one.name, arguments=one.arguments)
            for one in recorded.commands
        ],
        hashes={str(tick): f"{value:016x}" for tick, value in sorted(recorded.hashes.items())},
    )
    write_text(path, stored.model_dump_json(indent=None) + "\n")


def read(path: Path) -> Slice:
    """A slice that `write` stored. Raises a `SliceError` that says what is wrong with the file."""
    try:
        stored = _Stored.model_validate(json.loads(path.read_bytes()))
        snapshot = base64.b64decode(stored.snapshot, validate=True)
        hashes = {int(tick): int(value, 16) for tick, value in stored.hashes.items()}
        config = TownletConfig.model_validate(stored.config)
    except OSError as error:
        raise SliceError(f"{path} cannot be read: {error.strerror or error}") from None
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise SliceError(f"{path} is no slice of a town: {where}: {first['msg']}") from None
    except (ValueError, binascii.Error) as error:
        raise SliceError(f"{path} is no slice of a town: {error}") from None
    if hashlib.sha256(snapshot).hexdigest() != stored.snapshot_sha256:
        raise SliceError(f"{path}: the snapshot is not the one that was written; its hash differs")
    commands = tuple(Order(one.tick, one.name, one.arguments) for one in stored.commands)
    actions = tuple(tuple(row) for row in stored.actions)
    return Slice(config, stored.tick, snapshot, actions, commands, hashes)
