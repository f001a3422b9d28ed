"""What grafting knows of a host: a row of steps with slots between them.

Everything that grafts relies on `Host` alone. A concrete host only lists its steps and says after
which of them a slot lies; the routing is the same for all.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from astrarium.errors import did_you_mean
from astrarium.esper.contracts.errors import RoutingError
from astrarium.esper.contracts.seeds import InjectionSpec, Topology


class Host(Protocol):
    """A network with places for seeds. Its shape never changes once it is made."""

    @property
    def topology(self) -> Topology:
        """Which seeds fit."""
        ...

    @property
    def segment_channels(self) -> Mapping[str, int]:
        """The width of the features at each slot."""
        ...

    def injection_specs(self) -> tuple[InjectionSpec, ...]:
        """Its slots in the order of actions: row by row."""
        ...

    def execution_order(self) -> tuple[str, ...]:
        """Its slots in the order features pass them."""
        ...

    def forward(self, x: Tensor) -> Tensor:
        """Logits of the host alone."""
        ...

    def forward_to_segment(
        self, segment: str, x: Tensor, from_segment: str | None = None
    ) -> Tensor:
        """Features at a slot, from the input or from the features at an earlier slot."""
        ...

    def forward_from_segment(self, segment: str, x: Tensor) -> Tensor:
        """Logits from the features at a slot."""
        ...


class RoutedHost(nn.Module):
    """A row of steps; a slot lies after some of them."""

    def __init__(
        self,
        topology: Topology,
        steps: Sequence[nn.Module],
        specs: Sequence[InjectionSpec],
        after_step: Mapping[str, int],
    ) -> None:
        super().__init__()
        self._topology: Topology = topology
        self.steps = nn.ModuleList(steps)
        self._specs = tuple(sorted(specs, key=lambda spec: (spec.row, spec.col)))
        self._order = tuple(s.slot_id for s in sorted(specs, key=lambda spec: spec.order))
        self._channels = MappingProxyType({s.slot_id: s.channels for s in self._specs})
        # The first step that runs behind each slot.
        self._behind = {slot_id: step + 1 for slot_id, step in after_step.items()}
        self._row = tuple(steps)

    @property
    def topology(self) -> Topology:
        """Which seeds fit."""
        return self._topology

    @property
    def segment_channels(self) -> Mapping[str, int]:
        """The width of the features at each slot."""
        return self._channels

    def injection_specs(self) -> tuple[InjectionSpec, ...]:
        """Its slots in the order of actions: row by row."""
        return self._specs

    def execution_order(self) -> tuple[str, ...]:
        """Its slots in the order features pass them."""
        return self._order

    def forward(self, x: Tensor) -> Tensor:
        """Logits of the host alone."""
        return self._run(x, 0, len(self._row))

    def forward_to_segment(
        self, segment: str, x: Tensor, from_segment: str | None = None
    ) -> Tensor:
        """Features at a slot, from the input or from the features at an earlier slot."""
        begin = 0 if from_segment is None else self._place(from_segment)
        end = self._place(segment)
        if end <= begin:
            raise RoutingError(
                f"features at {from_segment} cannot be taken to {segment}, which does not lie "
                f"behind; the slots in order are {', '.join(self._order)}"
            )
        return self._run(x, begin, end)

    def forward_from_segment(self, segment: str, x: Tensor) -> Tensor:
        """Logits from the features at a slot."""
        return self._run(x, self._place(segment), len(self._row))

    def reseed(self, generator: np.random.Generator) -> torch.Generator | None:
        """Draw the random numbers of training from `generator`; what draws them, if anything."""
        return None

    def _place(self, segment: str) -> int:
        try:
            return self._behind[segment]
        except KeyError:
            raise RoutingError(
                f"this host has no slot {segment!r}, only {', '.join(self._order)}"
                + did_you_mean(segment, self._order)
            ) from None

    def _run(self, x: Tensor, begin: int, end: int) -> Tensor:
        for step in self._row[begin:end]:
            x = step(x)
        return x
