"""One forward pass for several configurations of amplitudes, sharing what they have in common.

Configurations that agree up to a slot have the same features there. They part at the first slot
where they differ, so the layers before it run once for all of them.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from astrarium.esper.hosts import RoutedHost
from astrarium.esper.slot import Slot

Amplitudes = tuple[float, ...]
"""One for every slot."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How configurations part."""

    slots: tuple[tuple[tuple[int, float], ...], ...]
    """For every slot on the way, the groups behind it: which one each continues, its amplitude."""
    rows: tuple[int, ...]
    """For every configuration, the group it ends in."""


@lru_cache(maxsize=256)
def plan(configurations: tuple[Amplitudes, ...]) -> Plan:
    """The groups behind every slot, in the order of the configurations they first appear in."""
    groups: list[Amplitudes] = [()]
    slots: list[tuple[tuple[int, float], ...]] = []
    for column in range(len(configurations[0])):
        places = {group: place for place, group in enumerate(groups)}
        groups = list(dict.fromkeys(row[: column + 1] for row in configurations))
        slots.append(tuple((places[group[:-1]], group[-1]) for group in groups))
    places = {group: place for place, group in enumerate(groups)}
    return Plan(tuple(slots), tuple(places[row] for row in configurations))


def fused_forward(
    host: RoutedHost,
    route: Sequence[tuple[str, Slot]],
    x: Tensor,
    configurations: tuple[Amplitudes, ...],
    logits: Tensor | None = None,
) -> Tensor:
    """Logits (configurations, rows, ...); a configuration names every amplitude on the way."""
    batch, previous = x.shape[0], None
    parted = plan(configurations)
    for (slot_id, slot), groups in zip(route, parted.slots, strict=True):
        x = host.forward_to_segment(slot_id, x, previous)
        x = slot.forward_groups(x, batch, groups, logits)
        previous = slot_id
    found = host.forward(x) if previous is None else host.forward_from_segment(previous, x)
    found = found.view(-1, batch, *found.shape[1:])
    if parted.rows == tuple(range(found.shape[0])):
        return found
    return torch.stack([found[row] for row in parted.rows])
