"""One host as a controller sees it, and what every controller can do with that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.seeds import SeedStateReport
from astrarium.esper.contracts.stages import LIVE, Stage
from astrarium.esper.masks import Budget, GrowthRules, Masks, Reports
from astrarium.esper.signals import TrainingSignals


@dataclass(frozen=True, slots=True)
class HostView:
    """One host after its validation, as a controller sees it."""

    rules: GrowthRules
    execution_order: tuple[str, ...]
    """The slots in forward order."""
    reports: Reports
    ready: tuple[bool, ...]
    """For every slot, whether the gate ahead of its seed would open."""
    signals: TrainingSignals
    masks: Masks
    epoch: int
    counterfactual_total: float | None
    budget: Budget | None

    def seeds(self) -> list[tuple[int, SeedStateReport]]:
        """Seeds about which something can be decided, with the index of their slots."""
        found = enumerate(self.reports)
        return [(at, one) for at, one in found if one is not None and one.stage in LIVE]


class Controller(Protocol):
    """Whoever decides what is done to a host."""

    def decide(self, view: HostView) -> ActionSpec:
        """The action of this epoch."""
        ...

    def snapshot(self) -> dict[str, JsonValue]:
        """All it remembers."""
        ...

    def restore(self, state: Mapping[str, JsonValue]) -> None:
        """Go on from a snapshot."""
        ...


def move_on(view: HostView, at: int, op: Op) -> ActionSpec:
    """`op` in the slot of this index if it is possible and its gate would open."""
    if view.masks.allows(op, at) and view.ready[at]:
        return ActionSpec(op, view.rules.slots[at])
    return WAIT


def bring_up(view: HostView) -> ActionSpec:
    """Take the first seed that can go further one step further, up to the fossil."""
    for at, report in view.seeds():
        op = Op.FOSSILIZE if report.stage is Stage.HOLDING else Op.ADVANCE
        spec = move_on(view, at, op)
        if spec.op is not Op.WAIT:
            return spec
    return WAIT
