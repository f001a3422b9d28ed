"""A host with its slots as one network: how it runs, learns and is counted.

What changes it is in `network`.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from torch import Tensor, nn

from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.errors import MutationError
from astrarium.esper.contracts.lifecycle import BlendRejected, LifecycleEvent
from astrarium.esper.contracts.seeds import SeedStateReport
from astrarium.esper.contracts.stages import BLENDED, Stage
from astrarium.esper.descent import Descent, Rates
from astrarium.esper.figures import amplitude, report_of
from astrarium.esper.fused_pass import Amplitudes, fused_forward
from astrarium.esper.hosts import RoutedHost
from astrarium.esper.macs import forward_macs, host_costs
from astrarium.esper.seed_state import SeedState
from astrarium.esper.slot import Slot
from astrarium.esper.weights import parameter_count


class SlottedNetwork(nn.Module):
    """A host with a slot at each of its places."""

    def __init__(self, host: RoutedHost, sample: Tensor, rates: Rates, lift: bool) -> None:
        """`sample` is one row of input, to count by."""
        super().__init__()
        self.host = host
        self.slots = nn.ModuleDict(
            {s.slot_id: Slot(s, host.topology, rates, lift) for s in host.injection_specs()}
        )
        self._by_id = {name: slot for name, slot in self.slots.items() if isinstance(slot, Slot)}
        self.slot_ids = tuple(self._by_id)
        """In the order of actions."""
        self.host_descent = Descent(
            tuple(host.parameters()), rates.host_lr, rates.momentum, rates.host_decay, rates.clip
        )
        self.host_params = parameter_count(host)
        self.host_macs, self._feature_shapes = host_costs(host, sample)
        if self.host_descent.flat.is_cuda:
            felt = self.host_descent.flat.new_zeros(len(self.slot_ids))
            for slot, amplitude_there in zip(self._by_id.values(), felt, strict=True):
                slot.feel(amplitude_there)
        self._seed_macs: dict[str, int] = {}
        self._route: tuple[tuple[str, Slot], ...] = ()
        self._needs_logits: str | None = None
        self._events: list[LifecycleEvent] = []

    def slot(self, slot_id: str) -> Slot:
        """A slot by its id."""
        try:
            return self._by_id[slot_id]
        except KeyError:
            known = ", ".join(self._by_id)
            raise MutationError(f"this host has no slot {slot_id!r}, only {known}") from None

    def states(self) -> tuple[SeedState, ...]:
        """Of every slot, in the order of actions."""
        return tuple(slot.state for slot in self._by_id.values())

    def amplitudes(self) -> Amplitudes:
        """How much the host feels of each slot, in the order of actions."""
        return tuple(amplitude(slot.state) for slot in self._by_id.values())

    def reports(self) -> tuple[SeedStateReport, ...]:
        """Every slot that is not empty, in the order of actions."""
        order = self.host.execution_order()
        felt = [amplitude(self._by_id[slot_id].state) for slot_id in order]
        places = {slot_id: place for place, slot_id in enumerate(order)}
        return tuple(
            report_of(state, sum(felt[: places[name]]), sum(felt[places[name] + 1 :]))
            for name, state in ((name, slot.state) for name, slot in self._by_id.items())
            if state.stage is not Stage.DORMANT
        )

    @property
    def seed_params(self) -> int:
        """Parameters of all seeds and their gates."""
        return sum(p.numel() for slot in self._by_id.values() for p in slot.living())

    @property
    def total_params(self) -> int:
        """Parameters of host and seeds."""
        return self.host_params + self.seed_params

    @property
    def macs(self) -> int:
        """Multiply-accumulates of one sample on its way forward through host and seeds."""
        return self.host_macs + sum(self._seed_macs.values())

    @property
    def optimisers(self) -> Mapping[str, Descent]:
        """The host's, called `host`, and that of every seed, by its slot."""
        found = {name: slot.descent for name, slot in self._by_id.items()}
        seeds = {name: descent for name, descent in found.items() if descent is not None}
        return {"host": self.host_descent, **seeds}

    def learning(self) -> Mapping[str, Descent]:
        """The optimisers whose parameters get a gradient at present, the host's first."""
        return {
            name: descent
            for name, descent in self.optimisers.items()
            if name == "host" or self._by_id[name].learns
        }

    def structure(self) -> Hashable:
        """What decides, besides numbers, how the network runs and learns."""
        return self, tuple(slot.structure for _, slot in self._route)

    def forward(
        self,
        x: Tensor,
        alphas: Sequence[Amplitudes] | None = None,
        logits: Tensor | None = None,
        without: str | None = None,
    ) -> Tensor:
        """Logits; with `alphas`, those of every configuration, side by side in a new first axis.

        A configuration gives every slot, in the order of actions, an amplitude in place of its
        own. `without` leaves one slot out, as if it were empty. `logits` are what confidence
        gates judge by.
        """
        if logits is None and self._needs_logits is not None:
            self._events.append(BlendRejected(self._needs_logits, "confidence_gate_missing_logits"))
            raise MutationError(
                f"{self._needs_logits} blends by confidence; give `logits` to judge by"
            )
        if alphas is not None:
            return self._fused(x, alphas, logits)
        previous = None
        for slot_id, slot in self._route:
            if slot_id != without:
                x = slot(self.host.forward_to_segment(slot_id, x, previous), logits)
                previous = slot_id
        return self.host(x) if previous is None else self.host.forward_from_segment(previous, x)

    def _fused(self, x: Tensor, alphas: Sequence[Amplitudes], logits: Tensor | None) -> Tensor:
        if self.training:
            raise MutationError("configurations are compared in eval mode: batch norms mix rows")
        if not alphas:
            raise MutationError("alphas is empty; give at least one configuration")
        route = [(name, slot) for name, slot in self._route if slot.state.stage in BLENDED]
        columns = [self.slot_ids.index(name) for name, _ in route]
        silent = [place for place in range(len(self.slot_ids)) if place not in columns]
        for row in alphas:
            if len(row) != len(self.slot_ids) or any(row[place] != 0.0 for place in silent):
                raise MutationError(
                    f"amplitudes {row} do not fit slots {self.slot_ids}: one for each, and 0 where "
                    "no seed is blended"
                )
        rows = tuple(tuple(row[column] for column in columns) for row in alphas)
        return fused_forward(self.host, route, x, rows, logits)

    def step(self) -> None:
        """Follow the gradients of the last backward passes, and forget them."""
        self.host_descent.step()
        for _, slot in self._route:
            if slot.descent is not None and slot.learns:
                slot.descent.step(slot.pace)

    def _reroute(self) -> None:
        """Look again which slots features pass, after a change."""
        slots = [(name, self._by_id[name]) for name in self.host.execution_order()]
        self._route = tuple((name, slot) for name, slot in slots if slot.runs)
        confident = (
            name
            for name, slot in self._route
            if slot.state.blend is Blend.CONFIDENCE and slot.state.stage in BLENDED
        )
        self._needs_logits = next(confident, None)

    def _recount(self, slot_id: str) -> None:
        """Count what the seed in a slot costs, after it came, changed or went."""
        slot = self._by_id[slot_id]
        seed, gate = slot.seed, slot.gate
        if seed is None:
            self._seed_macs.pop(slot_id, None)
            return
        features = self.host_descent.flat.new_zeros(self._feature_shapes[slot_id])
        macs = forward_macs(seed, lambda: seed(features))
        if gate is not None:
            macs += forward_macs(gate, lambda: gate(features))
        self._seed_macs[slot_id] = macs
