"""A batch in parts: each part's gradient apart, then all of them as one.

The host follows what its parts agree on. A seed follows the mean of all parts, or, where every part
belongs to a seed, its own part alone.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import torch
from torch import Tensor

from astrarium.esper.aggregation import Aggregation, Plan, Source, plan
from astrarium.esper.aggregation_metrics import AggregationReport, epoch_report
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.descent import Descent
from astrarium.esper.network import GrownNetwork
from astrarium.train.streams import stream

Loss = Callable[[Tensor, Tensor], Tensor]


class GradientSources:
    """The backward passes of one epoch."""

    def __init__(self, rules: Aggregation, seed: int, epoch: int) -> None:
        self.rules = rules
        self._plans: list[Plan] = []
        self._generator = stream(seed, "esper.aggregation", epoch)
        self._layers: dict[str, dict[str, Tensor]] = {}

    def backward(
        self, network: GrownNetwork, x: Tensor, y: Tensor, loss_of: Loss, *, look: bool
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Leave one gradient in every optimiser; the outputs, their labels and the mean loss.

        `look` asks for the norms of all tensors, which `report` then tells.
        """
        learning = network.learning()
        sources = self._sources(network, learning, len(y))
        # Dealt like cards, so that a batch in any order gives all parts a bit of everything.
        parts = [(x[at :: len(sources)], y[at :: len(sources)]) for at in range(len(sources))]
        host = learning["host"]
        stack = host.flat.new_empty((len(sources), host.flat.numel()))
        kept = {
            name: torch.zeros_like(one.grad) for name, one in learning.items() if name != "host"
        }
        outputs, total = list[Tensor](), torch.zeros((), device=y.device)
        for at, (source, (rows, labels)) in enumerate(zip(sources, parts, strict=True)):
            outputs.append(network(rows))
            loss = loss_of(outputs[-1], labels)
            loss.backward()
            total += loss.detach() * (len(labels) / len(y))
            stack[at] = host.grad
            for name, gathered in kept.items():
                if source.name not in kept:
                    gathered += learning[name].grad / len(sources)
                elif source.name == name:
                    gathered += learning[name].grad
            for descent in learning.values():
                descent.grad.zero_()
        for name, gathered in kept.items():
            learning[name].grad.copy_(gathered)
        host.grad.copy_(self._combined(stack, sources))
        if look:
            self._layers = _norms(network, learning)
        return torch.cat(outputs).detach(), torch.cat([labels for _, labels in parts]), total

    def _sources(
        self, network: GrownNetwork, learning: Mapping[str, Descent], rows: int
    ) -> list[Source]:
        """One for every part; parts have two rows or more, since batch norms compare rows."""
        sizes = {name: one.flat.numel() for name, one in learning.items()}
        whole = sum(sizes.values())
        slots = [name for name in learning if name != "host"]
        if self.rules.sources == "micro_batches" or not slots or rows < 2 * len(slots):
            asked = self.rules.micro_batches if self.rules.sources == "micro_batches" else 1
            count = max(1, min(asked, rows // 2))
            # Nobody's part weighs as much as a settled seed's: all of it.
            return [Source(f"micro-{at}", Stage.HOLDING, 1.0, whole) for at in range(count)]
        states = {state.slot_id: state for state in network.states()}
        found = [(slot, states[slot], sizes["host"] + sizes[slot]) for slot in slots]
        return [
            Source(slot, state.stage, state.alpha.alpha, size, size / whole)
            for slot, state, size in found
        ]

    def _combined(self, stack: Tensor, sources: list[Source]) -> Tensor:
        """The host's gradient, planned from the products of all with each other."""
        wide = stack.double()
        products = (wide @ wide.T).cpu().numpy()
        if not np.isfinite(products).all():
            # A broken gradient is passed on: the governor sees what becomes of it, and rolls back.
            return stack.mean(dim=0)
        projecting = self._generator if self.rules.conflict_projection else None
        found = plan(products, sources, self.rules.combining, projecting)
        self._plans.append(found)
        weights = torch.as_tensor(found.coefficients, dtype=stack.dtype, device=stack.device)
        return weights @ stack

    def report(self, shares_before: Mapping[str, float]) -> AggregationReport:
        """The figures of the epoch."""
        layers = {
            owner: dict(zip(norms, torch.stack(list(norms.values())).tolist(), strict=True))
            for owner, norms in self._layers.items()
        }
        return epoch_report(self._plans, shares_before, layers)


def _norms(network: GrownNetwork, learning: Mapping[str, Descent]) -> dict[str, dict[str, Tensor]]:
    """Of every tensor's gradient, by its owner and its name."""
    names = {id(parameter): name for name, parameter in network.named_parameters()}
    return {
        owner: {
            names[id(parameter)]: torch.linalg.vector_norm(parameter.grad)
            for parameter in descent.parameters
            if parameter.grad is not None
        }
        for owner, descent in learning.items()
    }
