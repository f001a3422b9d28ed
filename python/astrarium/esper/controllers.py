"""Controllers that do not learn: rules of thumb, and the controls they are measured against.

Each looks at one host once per epoch and names one action. Draws come from a stream named by the
epoch, so a controller keeps no generator state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from pydantic import JsonValue

from astrarium.errors import SnapshotError
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import BLUEPRINTS, HEAD_NAMES, OP_HEAD, Op
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.heuristic import (
    PROBE_CNN,
    PROBE_TRANSFORMER,
    ROTATION,
    Heuristic,
    HeuristicSettings,
)
from astrarium.esper.host_view import Controller, HostView, bring_up
from astrarium.esper.masks import decode

Draws = Callable[[int], np.random.Generator]
"""The random numbers of an epoch."""
ControllerName = Literal["heuristic", "heuristic_probe", "none", "random_policy", "random_growth"]

GROWTH_CHANCE: Final = 0.2
_BLUEPRINT_HEAD: Final = HEAD_NAMES.index("blueprint")


class Forgetful:
    """A controller that remembers nothing."""

    def snapshot(self) -> dict[str, JsonValue]:
        """Nothing."""
        return {}

    def restore(self, state: Mapping[str, JsonValue]) -> None:
        """Nothing to go on from."""
        if state:
            raise SnapshotError(f"{type(self).__name__} remembers nothing, not {sorted(state)}")


class NoGrowth(Forgetful):
    """The host alone."""

    def decide(self, view: HostView) -> ActionSpec:
        """Nothing."""
        return WAIT


class RandomPolicy(Forgetful):
    """Any possible operation, any legal values for it."""

    def __init__(self, draws: Draws) -> None:
        self.draws = draws

    def decide(self, view: HostView) -> ActionSpec:
        """The operation first, then a slot for it, then the rest."""
        generator = self.draws(view.epoch)
        op = pick(generator, view.masks.heads[OP_HEAD])
        slot = pick(generator, view.masks.slot_by_op[op])
        rest = [pick(generator, mask) for mask in view.masks.heads[1:-1]]
        return decode((slot, *rest, op), view.rules.slots)


class RandomGrowth(Forgetful):
    """Seeds of any kind, anywhere, at any time; whatever grows is kept."""

    def __init__(self, draws: Draws) -> None:
        self.draws = draws

    def decide(self, view: HostView) -> ActionSpec:
        """Bring up what there is; otherwise germinate one time in five."""
        spec = bring_up(view)
        if spec.op is not Op.WAIT or not view.masks.heads[OP_HEAD][Op.GERMINATE]:
            return spec
        generator = self.draws(view.epoch)
        if generator.random() >= GROWTH_CHANCE:
            return WAIT
        slot = pick(generator, view.masks.slot_by_op[Op.GERMINATE])
        blueprint = pick(generator, view.masks.heads[_BLUEPRINT_HEAD])
        return ActionSpec(Op.GERMINATE, view.rules.slots[slot], BLUEPRINTS[blueprint])


def pick(generator: np.random.Generator, mask: Sequence[bool]) -> int:
    """A legal choice, each as likely as any other."""
    return int(generator.choice([at for at, legal in enumerate(mask) if legal]))


@dataclass(frozen=True, slots=True)
class Planting:
    """One germination of a plan."""

    epoch: int
    slot_id: str
    blueprint: str


class FixedSchedule:
    """A plan carried out without looking; a planting that is not possible yet waits its turn."""

    def __init__(self, plan: Sequence[Planting]) -> None:
        self.plan = tuple(sorted(plan, key=lambda one: one.epoch))
        self.planted = 0

    def snapshot(self) -> dict[str, JsonValue]:
        """How much of the plan is done."""
        return {"planted": self.planted}

    def restore(self, state: Mapping[str, JsonValue]) -> None:
        """Go on from a snapshot."""
        planted = state["planted"]
        if not isinstance(planted, int) or not 0 <= planted <= len(self.plan):
            raise SnapshotError(f"planted: {planted!r} is not a count up to {len(self.plan)}")
        self.planted = planted

    def decide(self, view: HostView) -> ActionSpec:
        """The planting that is due, otherwise bring up what there is."""
        if self.planted < len(self.plan):
            due = self.plan[self.planted]
            at = view.rules.slots.index(due.slot_id)
            if due.epoch <= view.epoch and view.masks.allows(Op.GERMINATE, at):
                self.planted += 1
                return ActionSpec(Op.GERMINATE, due.slot_id, due.blueprint)
        return bring_up(view)


def make_controller(name: ControllerName, topology: Topology, draws: Draws) -> Controller:
    """A controller by its name."""
    limits = HeuristicSettings()
    probe = PROBE_CNN if topology == "cnn" else PROBE_TRANSFORMER
    makers: dict[ControllerName, Callable[[], Controller]] = {
        "heuristic": lambda: Heuristic(ROTATION, False, limits),
        "heuristic_probe": lambda: Heuristic(probe, True, limits),
        "none": NoGrowth,
        "random_policy": lambda: RandomPolicy(draws),
        "random_growth": lambda: RandomGrowth(draws),
    }
    return makers[name]()
