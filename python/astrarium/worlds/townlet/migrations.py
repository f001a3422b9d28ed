"""Snapshots of a town whose settings became others: steps from one `config_id` to the next.

A step is a function on the document of a snapshot, without its checksum: it changes `settings`
and whatever else has to go with them. A step that changes rules has to bring core bytes that fit
those; bytes that do not are refused when the town is revived.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pydantic

from astrarium.worlds.townlet.reloading import config_id
from astrarium.worlds.townlet.snapshots import (
    Settings,
    TownSnapshot,
    TownSnapshotError,
    validated,
)

Document = dict[str, Any]


class MigrationError(TownSnapshotError):
    """A step that cannot be registered, or that does not lead where it says."""


@dataclass(frozen=True, slots=True)
class Step:
    """From one `config_id` to another."""

    source: str
    target: str
    change: Callable[[Document], Document]
    """Gets a document of its own to change; what it returns goes on."""

    @property
    def id(self) -> str:
        """How it is remembered in the snapshots it was applied to."""
        return f"{self.source}->{self.target}"


@dataclass(slots=True)
class Registry:
    """All steps there are."""

    _steps: list[Step] = field(default_factory=list[Step])

    def register(self, step: Step) -> None:
        """Add a step. Raises a `MigrationError` for one that leads back or is there already."""
        if step.source == step.target:
            raise MigrationError(f"{step.id} changes nothing; a step leads to another config_id")
        if any(step.id == known.id for known in self._steps):
            raise MigrationError(f"{step.id} is registered already; there is one way for each step")
        if (back := self.chain(step.target, step.source)) is not None:
            way = ", ".join(one.id for one in back)
            raise MigrationError(f"{step.id} closes a circle with {way}; leave one of them out")
        self._steps.append(step)

    def chain(self, source: str, target: str) -> tuple[Step, ...] | None:
        """The fewest steps that lead there, of several such ways the one registered first."""
        ways: dict[str, tuple[Step, ...]] = {source: ()}
        waiting = deque([source])
        while waiting and target not in ways:
            here = waiting.popleft()
            for step in self._steps:
                if step.source == here and step.target not in ways:
                    ways[step.target] = (*ways[here], step)
                    waiting.append(step.target)
        return ways.get(target)


def migrated(snapshot: TownSnapshot, chain: Sequence[Step]) -> TownSnapshot:
    """The snapshot after all steps, which it remembers. Raises a `MigrationError`."""
    for step in chain:
        snapshot = _applied(snapshot, step)
    return snapshot


def _applied(snapshot: TownSnapshot, step: Step) -> TownSnapshot:
    if snapshot.config_id != step.source:
        raise MigrationError(f"{step.id} is no step for a snapshot of {snapshot.config_id}")
    try:
        document = step.change(json.loads(snapshot.model_dump_json()))
        settings = Settings.model_validate(document["settings"])
        name = config_id(settings.rules, label=settings.label, seed=settings.seed)
        if name != step.target:
            raise MigrationError(f"{step.id} left settings of {name}; mend the step")
        document["config_id"] = document["identity"]["config_id"] = name
        document["python"]["migrations"] = [*snapshot.python.migrations, step.id]
        return validated(document)
    except MigrationError:
        raise
    except (pydantic.ValidationError, TownSnapshotError) as error:
        raise MigrationError(f"{step.id} left a document that is no snapshot: {error}") from error
    except Exception as error:  # a step is somebody's code: whatever it raises, it failed
        raise MigrationError(f"{step.id} failed: {error!r}") from error
