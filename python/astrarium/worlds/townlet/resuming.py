"""A town goes on: from a snapshot, as the town it was, under the settings that were in force.

Hot settings of its file may have been edited meanwhile. Resuming leaves them alone, so that it is
exact; `adopt` then puts them in force the way an operator would, with the command `config_reload`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from astrarium.errors import CommandError, ConfigError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.config.watching import Snapshots
from astrarium.worlds.townlet.loading import LoadedTown
from astrarium.worlds.townlet.migrations import Registry, migrated
from astrarium.worlds.townlet.reloading import RELOAD_CLASSES, changes
from astrarium.worlds.townlet.snapshot_files import read
from astrarium.worlds.townlet.snapshots import Company, TownSnapshot, TownSnapshotError

_KEYS_SHOWN: Final = 5


class OtherTownError(TownSnapshotError):
    """A snapshot whose `config_id` is not that of the town."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A town that goes on."""

    world: NativeVectorWorld
    """A batch of its own that does not begin again by itself; nobody watches it yet."""
    town: LoadedTown
    """As it was founded; its files are not known."""
    company: Company
    """What went with it, to go on with and to be saved again."""
    tick: int


def resume(
    path: Path,
    expected: LoadedTown | None = None,
    *,
    registry: Registry | None = None,
    strict: bool = False,
) -> Resumed:
    """Resume a snapshot: as whatever town it is, or only as `expected`.

    `expected.snapshot` says what is accepted: whether a chain of `registry` is applied to one with
    another `config_id`, and whether such a one may go on as it is. `strict` accepts neither.
    Raises a `TownSnapshotError`.
    """
    accepted = Snapshots() if expected is None else expected.snapshot
    snapshot = read(path, allow_downgrade=accepted.guardrails.allow_downgrade and not strict)
    try:
        if expected is not None and snapshot.config_id != expected.config_id:
            snapshot = _of_another(snapshot, expected, registry or Registry(), strict)
        return Resumed(snapshot.revived(), snapshot.town, snapshot.company(), snapshot.tick)
    except TownSnapshotError as error:
        raise type(error)(f"{path}: {error}") from None


def _of_another(
    snapshot: TownSnapshot, expected: LoadedTown, registry: Registry, strict: bool
) -> TownSnapshot:
    chain = registry.chain(snapshot.config_id, expected.config_id)
    if chain and expected.snapshot.migrations.auto_apply and not strict:
        return migrated(snapshot, chain)
    if not expected.snapshot.guardrails.require_exact_config and not strict:
        return snapshot
    found = [one for one in snapshot.town.changes(expected) if one.reload == "restart"]
    keys = ", ".join(one.key for one in found[:_KEYS_SHOWN])
    more = f" and {len(found) - _KEYS_SHOWN} more" if len(found) > _KEYS_SHOWN else ""
    fix = "undo the change, or resume the snapshot without naming a town"
    if chain:
        fix = "allow the migrations there are with snapshot.migrations.auto_apply"
    raise OtherTownError(
        f"config_id is {snapshot.config_id}, that of the town {expected.config_id}; "
        f"different: {keys}{more}; {fix}"
    )


def outdated(world: NativeVectorWorld, config: TownletConfig, index: int = 0) -> tuple[str, ...]:
    """The hot nodes in force in a town that are not as in `config`.

    A copy of the town tries them, so it is the core that says what is in force, and what does not
    fit is known before. Raises a `ConfigError` for settings that need a new town or are refused.
    """
    assert isinstance(world.config, TownletConfig)
    kinds = changes(world.config, config)
    if needed := [change.key for change in kinds if change.reload == "restart"]:
        raise ConfigError(f"{', '.join(needed[:_KEYS_SHOWN])}: needs a new town to change")
    trial = world.fork([index])
    trial.watch(0)
    try:
        for node, document in _hot_nodes(config):
            trial.command(0, "config_reload", node=node, document=document)
    except CommandError as error:
        raise ConfigError(str(error)) from None
    trial.step()
    # Of each node the last word: commands that waited before these came first.
    told = {event["node"]: event for event in trial.happenings(0) if "node" in event}
    for node, event in told.items():
        if event["event"] == "config_reload_rejected":
            raise ConfigError(f"{node}: {'; '.join(event['reasons'])}")
    return tuple(
        node for node, event in told.items() if event["old_checksum"] != event["new_checksum"]
    )


def adopt(world: NativeVectorWorld, config: TownletConfig, index: int = 0) -> tuple[str, ...]:
    """Queue a `config_reload` for every hot node that is not as in `config`; tells which.

    Raises as `outdated` does, with nothing queued.
    """
    nodes = outdated(world, config, index)
    documents = dict(_hot_nodes(config))
    for node in nodes:
        world.command(index, "config_reload", node=node, document=documents[node])
    return nodes


def _hot_nodes(config: TownletConfig) -> Iterator[tuple[str, str]]:
    """Every node that can be reloaded, as JSON."""
    for key, kind in RELOAD_CLASSES.items():
        if kind == "hot":
            node: Any = config.model_dump(mode="json")
            for part in key.split("."):
                node = node[part]
            yield key, json.dumps(node)
