"""A slot does what the lifecycle decided, and puts host and seed together on the way forward."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUntypedBaseClass=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from astrarium.esper.blending import Gate, Ingredients, blend, channel_shares, confidence_of
from astrarium.esper.contracts.actions import Blend
from astrarium.esper.contracts.seeds import AlphaMode, InjectionSpec, Topology
from astrarium.esper.contracts.stages import ACTIVE, BLENDED, Stage
from astrarium.esper.descent import Descent, Rates
from astrarium.esper.seed_state import (
    Attach,
    Detach,
    Effect,
    FreezeSeed,
    MakeOptimiser,
    SeedState,
    SetGate,
)


class _StraightThrough(torch.autograd.Function):
    """The host's features as they are; what flows back goes to the host and to the seed.

    The sum `h + (s - s)` would do the same for finite seeds. This passes on not even the bits of a
    seed that is not finite, and keeps the sign of zeros.
    """

    @staticmethod
    def forward(ctx: Any, host: Tensor, seed: Tensor) -> Tensor:
        return host.view_as(host)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor]:
        return grads[0], grads[0]


class Slot(nn.Module):
    """A place in a host: empty, or with a seed and perhaps a gate, and their optimiser."""

    def __init__(self, spec: InjectionSpec, topology: Topology, rates: Rates, lift: bool) -> None:
        """With `lift` a fossil's gradient reaches the layers before it."""
        super().__init__()
        self.spec = spec
        self.topology: Topology = topology
        self.rates = rates
        self.lift = lift
        self.state = SeedState(spec.slot_id)
        self.seed: nn.Module | None = None
        self.gate: Gate | None = None
        self.descent: Descent | None = None
        self._channels: Tensor | None = None
        self._felt: Tensor | None = None

    @property
    def runs(self) -> bool:
        """Whether features pass a seed here."""
        return self.state.stage in ACTIVE

    @property
    def learns(self) -> bool:
        """Whether the seed gets a gradient that it should follow."""
        stage, alpha = self.state.stage, self.state.alpha
        if stage is Stage.TRAINING:
            return True
        return stage in BLENDED and alpha.alpha > 0.0 and alpha.mode is not AlphaMode.DOWN

    @property
    def pace(self) -> float:
        """The share of its rate at which the seed learns.

        While it trains, its output is not felt, so its gradient never tells it to stop: at the
        whole rate it runs far past what helps, and does harm when it blends.
        """
        return self.rates.unseen_share if self.state.stage is Stage.TRAINING else 1.0

    @property
    def structure(self) -> Hashable:
        """What the way through here depends on besides weights and the amplitude's value."""
        state = self.state
        if state.stage is not Stage.TRAINING and state.alpha.alpha == 0.0:
            return self.spec.slot_id
        frozen = not all(parameter.requires_grad for parameter in self.living())
        isolated = state.stage is Stage.TRAINING, state.stage is Stage.FOSSILIZED and self.lift
        parts = self.seed, self.gate, self.descent
        return (
            self.spec.slot_id,
            parts,
            isolated,
            state.blend,
            state.alpha_bounds,
            frozen,
            self.learns,
        )

    def feel(self, amplitude: Tensor) -> None:
        """Blend by `amplitude`, a number on the device, which is kept up to date from now on.

        Recorded work reads it there, so that a ramp needs no other recording.
        """
        self._felt = amplitude.fill_(self.state.alpha.alpha)

    def living(self) -> tuple[nn.Parameter, ...]:
        """The parameters here: of the seed, then of its gate."""
        parts = (part for part in (self.seed, self.gate) if part is not None)
        return tuple(parameter for part in parts for parameter in part.parameters())

    def settle(
        self,
        state: SeedState,
        effects: Sequence[Effect],
        candidate: nn.Module | None,
        make_gate: Callable[[], Gate],
    ) -> None:
        """Take over a state, and do what comes with it."""
        for effect in effects:
            match effect:
                case Attach():
                    assert candidate is not None, "nothing to attach"
                    self.seed = candidate
                case SetGate(present):
                    self.gate = make_gate() if present else None
                case MakeOptimiser():
                    self.descent = self._new_descent()
                case FreezeSeed(frozen):
                    for parameter in self.living():
                        parameter.requires_grad_(not frozen)
                case Detach():
                    self.seed = self.gate = self.descent = None
                case _:
                    pass
        if state.blend is Blend.CHANNEL and state.alpha_vec != self.state.alpha_vec:
            shares = channel_shares(state.alpha_vec, self.spec.channels, self.topology)
            if self._channels is None:
                self._channels = shares.to(next(iter(self.living()), shares).device)
            else:
                self._channels.copy_(shares)
        self.state = state
        if self._felt is not None:
            self._felt.fill_(state.alpha.alpha)

    def _new_descent(self) -> Descent:
        rates = self.rates
        return Descent(self.living(), rates.seed_lr, rates.momentum, 0.0, rates.clip)

    def forward(self, host: Tensor, logits: Tensor | None = None) -> Tensor:
        """Features behind the slot."""
        state = self.state
        if state.stage is Stage.TRAINING:
            if not torch.is_grad_enabled():
                return host
            assert self.seed is not None
            return _StraightThrough.apply(host, self.seed(self.seed_input(host)))
        if state.alpha.alpha == 0.0:
            return host
        return blend(state.blend, self._amplitude(), self.ingredients(host, logits))

    def forward_groups(
        self,
        host: Tensor,
        batch: int,
        groups: Sequence[tuple[int, float]],
        logits: Tensor | None = None,
    ) -> Tensor:
        """Features behind the slot of several groups of rows, each with an amplitude of its own.

        A group is named by the group before the slot that it continues, and its amplitude. The
        seed runs once for every group before the slot, however many continue it.
        """
        begins = [before * batch for before, _ in groups]
        if all(alpha == 0.0 for _, alpha in groups):
            if len(groups) * batch == host.shape[0]:
                return host
            return torch.cat([host[begin : begin + batch] for begin in begins])
        parts = self.ingredients(host, logits)
        own = self.state.alpha.alpha
        mixed = [
            blend(
                self.state.blend,
                self._amplitude() if alpha == own else alpha,
                _rows(parts, begin, begin + batch),
            )
            for begin, (_, alpha) in zip(begins, groups, strict=True)
        ]
        return torch.cat(mixed)

    def _amplitude(self) -> float | Tensor:
        return self.state.alpha.alpha if self._felt is None else self._felt

    def seed_input(self, host: Tensor) -> Tensor:
        """What the seed sees: cut off from the host, unless the host is to learn with it."""
        stage = self.state.stage
        lifted = self.lift and stage is Stage.FOSSILIZED
        if stage in BLENDED and (self.topology == "transformer" or lifted):
            return host
        return host.contiguous().detach()

    def ingredients(self, host: Tensor, logits: Tensor | None) -> Ingredients:
        """Everything to blend."""
        assert self.seed is not None, f"{self.spec.slot_id} has no seed to run"
        seen = self.seed_input(host)
        parts = Ingredients(host, self.seed(seen), seen)
        match self.state.blend:
            case Blend.GATE:
                assert self.gate is not None
                return replace(parts, gate=self.gate(seen))
            case Blend.CHANNEL:
                return replace(parts, channels=self._channels)
            case Blend.CONFIDENCE:
                sure = None if logits is None else confidence_of(logits, host.dim())
                return replace(parts, confidence=sure, bounds=self.state.alpha_bounds)
            case _:
                return parts


def _rows(parts: Ingredients, begin: int, end: int) -> Ingredients:
    """The ingredients of some rows; what holds for every group stays whole."""
    return replace(
        parts,
        host=parts.host[begin:end],
        seed=parts.seed[begin:end],
        seed_input=parts.seed_input[begin:end],
        gate=None if parts.gate is None else parts.gate[begin:end],
    )
