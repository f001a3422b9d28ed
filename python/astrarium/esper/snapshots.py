"""A network as bytes and back, to the last bit; and the lighter anchor a rollback returns to."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from astrarium.errors import SnapshotError
from astrarium.esper.contracts.actions import ActionSpec, Blend
from astrarium.esper.contracts.heads import AlphaSpeed, Op
from astrarium.esper.contracts.seeds import AlphaMode, PruneReason
from astrarium.esper.contracts.stages import ACTIVE, LIVE, Stage
from astrarium.esper.network import Clock, GrownNetwork
from astrarium.esper.seed_state import (
    Attach,
    Detach,
    Effect,
    FreezeSeed,
    MakeOptimiser,
    SeedState,
    SetGate,
)

SNAPSHOT_VERSION: Final = 1


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    host: str
    random_seed: int
    clock: Clock
    states: tuple[SeedState, ...]
    tensors: bytes


@dataclass(frozen=True, slots=True)
class Remembered:
    """Everything the future of a network depends on, in the memory of the machine."""

    host: str
    random_seed: int
    clock: Clock
    states: tuple[SeedState, ...]
    tensors: Mapping[str, Tensor]

    @property
    def size_bytes(self) -> int:
        """What the tensors take."""
        return sum(tensor.nbytes for tensor in self.tensors.values())


def remember(network: GrownNetwork) -> Remembered:
    """A copy that needs no encoding, so taking one costs no more than moving the weights."""
    tensors = {
        name: tensor.to("cpu", copy=True, memory_format=torch.contiguous_format)
        for name, tensor in _tensors(network).items()
    }
    return Remembered(
        host_fingerprint(network), network.random_seed, network.clock, network.states(), tensors
    )


def recall(network: GrownNetwork, kept: Remembered) -> None:
    """Put a network of the same host back where it was remembered."""
    if kept.host != host_fingerprint(network):
        raise SnapshotError("the snapshot is of another host; build the one it was taken from")
    try:
        _restore(network, kept)
    except (KeyError, RuntimeError) as error:
        raise SnapshotError(f"the snapshot lacks a tensor or has another shape: {error}") from error


def _tensors(network: GrownNetwork) -> dict[str, Tensor]:
    tensors = {
        "host.flat": network.host_descent.flat,
        "host.momentum": network.host_descent.momentum,
    }
    for name, buffer in network.host.named_buffers():
        tensors[f"host.buffer.{name}"] = buffer
    for slot_id, descent in network.optimisers.items():
        if slot_id != "host":
            tensors[f"{slot_id}.flat"] = descent.flat
            tensors[f"{slot_id}.momentum"] = descent.momentum
    return tensors


def snapshot(network: GrownNetwork) -> bytes:
    """Everything the future of a network depends on, between two epochs."""
    tensors = _tensors(network)
    document = _Document(
        version=SNAPSHOT_VERSION,
        host=host_fingerprint(network),
        random_seed=network.random_seed,
        clock=network.clock,
        states=network.states(),
        tensors=save({name: tensor.cpu().contiguous() for name, tensor in tensors.items()}),
    )
    return msgspec.msgpack.encode(document)


def restore(network: GrownNetwork, content: bytes) -> None:
    """Put a network of the same host back where a snapshot was taken."""
    try:
        document = msgspec.msgpack.decode(content, type=_Document)
        tensors = load(document.tensors)
    except (msgspec.MsgspecError, SafetensorError) as error:
        raise SnapshotError(f"these bytes are no snapshot of a network: {error}") from error
    if document.version != SNAPSHOT_VERSION:
        raise SnapshotError(
            f"the snapshot has version {document.version}; this reads {SNAPSHOT_VERSION}"
        )
    recall(
        network,
        Remembered(document.host, document.random_seed, document.clock, document.states, tensors),
    )


@torch.no_grad()
def _restore(network: GrownNetwork, kept: Remembered) -> None:
    tensors = kept.tensors
    network.host_descent.flat.copy_(tensors["host.flat"])
    network.host_descent.momentum.copy_(tensors["host.momentum"])
    network.host_descent.grad.zero_()
    for name, buffer in network.host.named_buffers():
        buffer.copy_(tensors[f"host.buffer.{name}"])
    network.random_seed = kept.random_seed
    for state in kept.states:
        network.replant(state, _effects(state))
        descent = network.slot(state.slot_id).descent
        if descent is not None:
            descent.flat.copy_(tensors[f"{state.slot_id}.flat"])
            descent.momentum.copy_(tensors[f"{state.slot_id}.momentum"])
    network.clock = kept.clock
    network.take_events()


def _effects(state: SeedState) -> tuple[Effect, ...]:
    """What must be done to an emptied slot to hold what this state says it holds."""
    if state.stage not in ACTIVE | {Stage.GERMINATED}:
        return (Detach(),)
    gate = (SetGate(True),) if state.blend is Blend.GATE else ()
    frozen = FreezeSeed(state.alpha.mode is AlphaMode.DOWN)
    return (Detach(), Attach(), *gate, MakeOptimiser(), frozen)


def host_fingerprint(network: GrownNetwork) -> str:
    """A hash of the host's shape."""
    shapes = [(name, tuple(p.shape)) for name, p in network.host.named_parameters()]
    return _hashed([network.host.topology, network.slot_ids, shapes])


def topology_manifest(network: GrownNetwork) -> str:
    """A hash of what a network has become: its host, and what sits where, joined how."""
    seeds = [
        (state.slot_id, state.blueprint, state.blend.name, state.stage.name, state.alpha_vec)
        for state in network.states()
        if state.stage in ACTIVE | LIVE
    ]
    return _hashed([host_fingerprint(network), seeds])


def _hashed(content: object) -> str:
    text = json.dumps(content, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Anchor:
    """Host and fossils at a good moment, in the memory of the machine."""

    epoch: int
    tensors: Mapping[str, Tensor]


def anchor(network: GrownNetwork) -> Anchor:
    """What a rollback would return to."""
    sources = {
        f"{slot_id}.flat": descent.flat
        for slot_id, descent in network.optimisers.items()
        if slot_id == "host" or network.slot(slot_id).state.stage is Stage.FOSSILIZED
    }
    sources |= {f"host.buffer.{name}": buffer for name, buffer in network.host.named_buffers()}
    on_device = any(source.is_cuda for source in sources.values())
    kept: dict[str, Tensor] = {}
    for name, source in sources.items():
        kept[name] = torch.empty(source.shape, dtype=source.dtype, pin_memory=on_device)
        kept[name].copy_(source, non_blocking=True)
    if on_device:
        torch.cuda.current_stream().synchronize()
    return Anchor(network.clock.epoch, kept)


@torch.no_grad()
def roll_back(
    network: GrownNetwork, to: Anchor, reason: PruneReason = "governor_rollback"
) -> tuple[str, ...]:
    """Return to an anchor: live seeds are pruned, whatever optimisers remember is forgotten.

    A seed that became a fossil after the anchor keeps its weights. The slots that were emptied are
    returned.
    """
    live = [state.slot_id for state in network.states() if state.stage in LIVE]
    for slot_id in live:
        prune = ActionSpec(Op.PRUNE, slot_id, alpha_speed=AlphaSpeed.INSTANT)
        network.apply(prune, initiator="governor", prune_reason=reason)
    targets = {f"{name}.flat": descent.flat for name, descent in network.optimisers.items()}
    targets |= {f"host.buffer.{name}": buffer for name, buffer in network.host.named_buffers()}
    newer = targets.keys() - to.tensors.keys()
    lost = to.tensors.keys() - targets.keys()
    if lost or any(name.startswith("host.") for name in newer):
        raise SnapshotError(f"the anchor is of another network: {sorted(lost | newer)} differ")
    for name, kept in to.tensors.items():
        targets[name].copy_(kept)
    for descent in network.optimisers.values():
        descent.forget()
    return tuple(live)
