"""Seeds in training must not touch their host: verified on real batches, not assumed.

Overlap statistics cannot show a leak, since host and seed share no parameters. What shows one is
the host itself: its output and its gradients, with and without the seed.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from astrarium.esper.contracts.actions import ActionSpec
from astrarium.esper.contracts.errors import IsolationError
from astrarium.esper.contracts.heads import AlphaSpeed, Op
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.network import GrownNetwork

PROBE_STRIDE: Final = 50
"""Steps of a seed's training from one probe to the next."""
PROBE_ROWS: Final = 8
GRADIENT_TOLERANCE: Final = 1e-6
OVERLAP_COORDINATES: Final = 256

Loss = Callable[[Tensor, Tensor], Tensor]
"""From logits and targets."""


@dataclass(frozen=True, slots=True)
class IsolationReport:
    """What one probe of one seed found."""

    slot_id: str
    forward_identical: bool
    """The output is the same without the seed, bit for bit."""
    gradient_gap: float
    """Largest difference of the host's gradients without the seed, relative to the largest."""
    disjoint: bool
    """No memory is moved by two optimisers."""
    finite: bool
    overlap_dot: float
    """Of some coordinates of both gradients; says little, and proves nothing."""
    host_norm: float
    seed_norm: float

    @property
    def violations(self) -> tuple[str, ...]:
        """The promises that were broken, by name."""
        broken = {
            "forward_identity": not self.forward_identical,
            "gradient_identity": not self.gradient_gap <= GRADIENT_TOLERANCE,
            "disjoint_parameters": not self.disjoint,
            "finite_seed": not self.finite,
        }
        return tuple(name for name, is_broken in broken.items() if is_broken)


def probe(network: GrownNetwork, slot_id: str, x: Tensor, y: Tensor, loss: Loss) -> IsolationReport:
    """Try a seed in TRAINING on a few rows. Nothing of the network moves."""
    rows, targets = x[:PROBE_ROWS], y[:PROBE_ROWS]
    slot, seen = network.slot(slot_id), list[Tensor]()
    assert slot.seed is not None, f"{slot_id} has no seed to probe"
    host = network.host_descent.parameters
    hook = slot.seed.register_forward_hook(lambda _m, _i, output: seen.append(output.detach()))
    was_training = network.training
    # Batch norms must not remember the probe, and a dropout would part the two passes.
    network.eval()
    try:
        with torch.enable_grad():
            with_seed = network(rows)
            slopes = _slopes(loss(with_seed, targets), (*host, *slot.living()))
            without = network(rows, without=slot_id)
            slopes_without = _slopes(loss(without, targets), host)
    finally:
        network.train(was_training)
        hook.remove()
    host_slopes, seed_slopes = slopes[: len(host)], slopes[len(host) :]
    dot, host_norm, seed_norm = _overlap(host_slopes, seed_slopes)
    return IsolationReport(
        slot_id=slot_id,
        forward_identical=_same_bits(with_seed.detach(), without.detach()),
        gradient_gap=_gap(host_slopes, slopes_without),
        disjoint=disjoint(network),
        finite=all(bool(torch.isfinite(output).all()) for output in seen),
        overlap_dot=dot,
        host_norm=host_norm,
        seed_norm=seed_norm,
    )


def _slopes(loss: Tensor, parameters: Sequence[Tensor]) -> list[Tensor]:
    found = torch.autograd.grad(loss, parameters, allow_unused=True)
    return [
        torch.zeros_like(parameter) if slope is None else slope
        for parameter, slope in zip(parameters, found, strict=True)
    ]


def _same_bits(one: Tensor, other: Tensor) -> bool:
    return torch.equal(one.contiguous().view(torch.uint8), other.contiguous().view(torch.uint8))


def _gap(one: Sequence[Tensor], other: Sequence[Tensor]) -> float:
    """Largest difference, relative to the largest slope; not a number where one is not finite."""
    first = torch.cat([slope.reshape(-1) for slope in one])
    second = torch.cat([slope.reshape(-1) for slope in other])
    largest = max(float(second.abs().max()), torch.finfo(second.dtype).tiny)
    return float((first - second).abs().max()) / largest


def disjoint(network: GrownNetwork) -> bool:
    """Whether every parameter lies in the memory of one optimiser, and of one only."""
    owners: dict[int, str] = {}
    for name, descent in network.optimisers.items():
        home = descent.flat.untyped_storage().data_ptr()
        for parameter in descent.parameters:
            at_home = parameter.untyped_storage().data_ptr() == home
            if not at_home or owners.setdefault(id(parameter), name) != name:
                return False
    return True


def _overlap(host: Sequence[Tensor], seed: Sequence[Tensor]) -> tuple[float, float, float]:
    """Dot product of some coordinates of both, and the norms of those."""
    first = torch.cat([slope.reshape(-1) for slope in host])
    second = torch.cat([slope.reshape(-1) for slope in seed])
    count = min(OVERLAP_COORDINATES, len(first), len(second))
    first, second = first[:: len(first) // count][:count], second[:: len(second) // count][:count]
    norms = torch.linalg.vector_norm(first), torch.linalg.vector_norm(second)
    return float(first @ second), float(norms[0]), float(norms[1])


class IsolationMonitor:
    """Probes seeds in training every so often, and acts on what it finds."""

    def __init__(self, strict: bool) -> None:
        """`strict` monitors stop the run at the first violation."""
        self.strict = strict
        self.violations = 0
        self.latest: dict[str, IsolationReport] = {}

    def due(self, network: GrownNetwork, steps_per_epoch: int) -> frozenset[int]:
        """The steps of an epoch before which a seed is probed."""
        done = [
            state.figures.epochs_in_current_stage * steps_per_epoch
            for state in network.states()
            if state.stage is Stage.TRAINING
        ]
        steps = range(steps_per_epoch)
        return frozenset(step for step in steps if any(not (n + step) % PROBE_STRIDE for n in done))

    def check(
        self,
        network: GrownNetwork,
        x: Tensor,
        y: Tensor,
        loss: Loss,
        step: int,
        steps_per_epoch: int,
    ) -> None:
        """Before training step number `step` of an epoch: probe each seed whose turn it is."""
        for state in network.states():
            if state.stage is not Stage.TRAINING:
                continue
            steps = state.figures.epochs_in_current_stage * steps_per_epoch + step
            if steps % PROBE_STRIDE == 0:
                report = probe(network, state.slot_id, x, y, loss)
                self.latest[state.slot_id] = report
                if report.violations:
                    self._violated(network, report)

    def _violated(self, network: GrownNetwork, report: IsolationReport) -> None:
        self.violations += 1
        network.record_violation(report.slot_id, report.violations)
        if not report.finite:
            prune = ActionSpec(Op.PRUNE, report.slot_id, alpha_speed=AlphaSpeed.INSTANT)
            network.apply(prune, initiator="governor", prune_reason="governor_nan")
        if self.strict:
            broken = ", ".join(report.violations)
            raise IsolationError(
                f"the seed in {report.slot_id} touches its host: {broken} (gradients differ by "
                f"{report.gradient_gap:.3g}); with strict_isolation=false the run counts "
                "violations and continues"
            )
