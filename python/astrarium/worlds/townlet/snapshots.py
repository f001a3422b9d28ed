"""A town as a file: everything it needs to go on to the bit, in one JSON document.

The core's bytes hold whatever can change the future, hot nodes that were reloaded included. Beside
them stand the settings the town was founded with, since only a batch made with exactly those takes
the bytes; so a town resumes although its file was edited since. What watches over it comes along.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, Final

import msgspec
import pydantic
from pydantic import Field

from astrarium import __version__
from astrarium.errors import ConfigError, SnapshotError
from astrarium.worlds.config import problems_of
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.config.node import Name, Share
from astrarium.worlds.townlet.config.watching import Snapshots, Stability
from astrarium.worlds.townlet.loading import LABEL, SEED_MAX, LoadedTown
from astrarium.worlds.townlet.reloading import changes, config_id
from astrarium.worlds.townlet.stability import Monitor, Rules

SCHEMA: Final = (2, 0)
_WORLD: Final = "townlet-v1"
_POLICY_HASH: Final = r"^([0-9a-f]{40}|[0-9a-f]{64}|[A-Za-z0-9+/]{26,86}={0,2})$"


class TownSnapshotError(SnapshotError):
    """A snapshot of a town that cannot be read or resumed; names the field and the fix."""


class _Stored(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class Policy(_Stored):
    """Who decides in the town; nothing is known of scripted citizens."""

    policy_hash: Annotated[str, Field(pattern=_POLICY_HASH)] | None = None
    """40 or 64 hex digits, or base64."""
    policy_artifact: str | None = None
    anneal_ratio: Share | None = None


class Identity(Policy):
    """Which town this is, and what it was run by."""

    config_id: str
    observation_variant: str
    core_version: str


class Settings(_Stored):
    """What the town was founded with, and how it is watched."""

    label: Annotated[str, Field(pattern=f"^{LABEL.pattern}$")]
    seed: Annotated[int, Field(strict=True, ge=0, le=SEED_MAX)]
    rules: TownletConfig
    stability: Stability
    snapshot: Snapshots


class Blob(_Stored):
    """Bytes of the core."""

    base64: str
    sha256: str


class Watch(_Stored):
    """A monitor: what it judges by, which may have been reloaded, and what it remembers."""

    rules: Rules
    memory: dict[str, pydantic.JsonValue]


class Beside(_Stored):
    """What the core knows nothing of, as it is stored."""

    monitor: Watch | None = None
    migrations: tuple[str, ...] = ()
    sections: dict[Name, pydantic.JsonValue] = {}
    """By name, what whoever runs the town wants to find again."""


class TownSnapshot(_Stored):
    """A moment of one town."""

    schema_version: str
    config_id: str
    identity: Identity
    tick: Annotated[int, Field(strict=True, ge=0)]
    created_at: str
    failure: str | None = None
    """What went wrong in the tick that followed, if it was taken for that."""
    settings: Settings
    core: Blob
    python: Beside

    @property
    def town(self) -> LoadedTown:
        """The town as it was founded."""
        own = self.settings
        return LoadedTown(own.label, own.seed, own.rules, own.stability, own.snapshot, ())

    def revived(self) -> NativeVectorWorld:
        """The town in a batch of its own. Raises a `TownSnapshotError` if the core refuses."""
        world = NativeVectorWorld.make(_WORLD, self.settings.rules, autoreset="disabled")
        try:
            world.restore(base64.b64decode(self.core.base64, validate=True))
        except SnapshotError as error:
            raise TownSnapshotError(
                f"core: {error}; the bytes do not fit the settings or this version of the core"
            ) from None
        if (found := tick_of(world)) != self.tick:
            raise TownSnapshotError(
                f"tick is {self.tick}, but the core is at {found}; take an undamaged copy"
            )
        return world

    def company(self) -> Company:
        """What goes with the town, as it was. Raises a `TownSnapshotError` for a bad monitor."""
        known = Policy(**self.identity.model_dump(include=set(Policy.model_fields)))
        return Company(known, self._monitor(), self.python.sections, self.python.migrations)

    def _monitor(self) -> Monitor | None:
        if (kept := self.python.monitor) is None:
            return None
        monitor = Monitor(kept.rules)
        try:
            monitor.restore(msgspec.json.encode(kept.memory))
        except msgspec.DecodeError as error:
            raise TownSnapshotError(
                f"python.monitor.memory: {error}; take an undamaged copy"
            ) from None
        return monitor


@dataclass(frozen=True, slots=True)
class Company:
    """What goes with a town while it runs and is saved with it."""

    policy: Policy = field(default_factory=Policy)
    monitor: Monitor | None = None
    sections: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Plain values by name, for whoever runs the town."""
    migrations: tuple[str, ...] = ()
    """Steps that carried the town to its present settings."""


def take(
    world: NativeVectorWorld,
    town: LoadedTown,
    *,
    at: datetime,
    index: int = 0,
    company: Company | None = None,
) -> TownSnapshot:
    """A town of a batch as it is now; `town` gives its name and seed and how it is watched.

    Raises a `ConfigError` for a batch that was made with settings of another town.
    """
    founded = world.config
    if not isinstance(founded, TownletConfig):
        raise ConfigError(f"{world.world_id} is no town; give a batch of {_WORLD}")
    known = _foundation(_Founding(founded, town))
    company = company or Company()
    core = (world if world.num_worlds == 1 else world.fork([index])).snapshot()
    identity = Identity(
        **company.policy.model_dump(),
        config_id=known.config_id,
        observation_variant=founded.features.systems.observations,
        core_version=__version__,
    )
    return TownSnapshot(
        schema_version=".".join(map(str, SCHEMA)),
        config_id=known.config_id,
        identity=identity,
        tick=tick_of(world, index),
        created_at=at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        settings=known.settings,
        core=Blob(base64=base64.b64encode(core).decode(), sha256=hashlib.sha256(core).hexdigest()),
        python=_beside(company),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Founding:
    """A batch's settings and a town, known by which objects they are: both are frozen."""

    config: TownletConfig
    town: LoadedTown

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Founding):
            return NotImplemented
        return other.config is self.config and other.town is self.town

    def __hash__(self) -> int:
        return hash((id(self.config), id(self.town)))


@dataclass(frozen=True, slots=True)
class _Foundation:
    """What every snapshot of a town says alike."""

    config_id: str
    settings: Settings


@lru_cache(maxsize=16)
def _foundation(founding: _Founding) -> _Foundation:
    """Checked once for a town: that takes longer than all the rest of a snapshot."""
    founded, town = founding.config, founding.town
    found = () if founded is town.config else changes(founded, town.config)
    if different := [change.key for change in found if change.reload == "restart"]:
        raise ConfigError(
            f"the batch was made with another {', '.join(different[:5])} than the town "
            f"{town.label!r} has; save it as the town it was made from"
        )
    settings = Settings(
        label=town.label,
        seed=town.seed,
        rules=founded,
        stability=town.stability,
        snapshot=town.snapshot,
    )
    return _Foundation(town.config_id, settings)


def _beside(company: Company) -> Beside:
    watch = None
    if company.monitor is not None:
        memory = msgspec.json.decode(company.monitor.snapshot())
        # Just read as JSON: there is nothing to find wrong with it.
        watch = Watch.model_construct(rules=company.monitor.rules, memory=memory)
    try:
        return Beside(monitor=watch, migrations=company.migrations, sections=dict(company.sections))
    except pydantic.ValidationError as error:
        raise ConfigError(_first_problem(error, Beside, None) + "; give plain values") from None


def tick_of(world: NativeVectorWorld, index: int = 0) -> int:
    """The tick a town is at."""
    return int(world.block(index, "clock")["tick"])


def validated(document: dict[str, Any]) -> TownSnapshot:
    """A document without its checksum as a snapshot that agrees with itself."""
    try:
        snapshot = TownSnapshot.model_validate(document)
    except pydantic.ValidationError as error:
        raise TownSnapshotError(_first_problem(error, TownSnapshot, document)) from None
    try:
        core = base64.b64decode(snapshot.core.base64, validate=True)
    except binascii.Error as error:
        raise TownSnapshotError(f"core.base64: {error}; take an undamaged copy") from None
    if hashlib.sha256(core).hexdigest() != snapshot.core.sha256:
        raise TownSnapshotError(
            "core.sha256: the bytes are not those that were written; take an undamaged copy"
        )
    own = snapshot.settings
    name = config_id(own.rules, label=own.label, seed=own.seed)
    for key, given in (
        ("config_id", snapshot.config_id),
        ("identity.config_id", snapshot.identity.config_id),
    ):
        if given != name:
            raise TownSnapshotError(f"{key} is {given!r}, but the settings are those of {name}")
    return snapshot


def _first_problem(
    error: pydantic.ValidationError, model: type[pydantic.BaseModel], given: Any
) -> str:
    return next(problems_of(model, error, given)).words
