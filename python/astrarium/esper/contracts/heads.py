"""The one table of decisions: what each head chooses, and when it matters.

Heads of the policy, masks and causal relevance all come from `HEADS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Final


class Op(IntEnum):
    """What is done."""

    WAIT = 0
    GERMINATE = 1
    SET_ALPHA_TARGET = 2
    PRUNE = 3
    FOSSILIZE = 4
    ADVANCE = 5


class Style(IntEnum):
    """How a seed is blended in: an operator with the curve of its first ramp."""

    LINEAR_ADD = 0
    LINEAR_MULTIPLY = 1
    SIGMOID_ADD = 2
    GATED_GATE = 3


class Tempo(IntEnum):
    """How fast the first ramp is."""

    FAST = 0
    STANDARD = 1
    SLOW = 2


class AlphaTarget(IntEnum):
    """Where a ramp ends."""

    HALF = 0
    SEVENTY = 1
    FULL = 2


class AlphaSpeed(IntEnum):
    """How fast a later ramp is."""

    INSTANT = 0
    FAST = 1
    MEDIUM = 2
    SLOW = 3


class AlphaCurve(IntEnum):
    """The shape of a later ramp."""

    LINEAR = 0
    COSINE = 1
    SIGMOID_GENTLE = 2
    SIGMOID = 3
    SIGMOID_SHARP = 4


TEMPO_EPOCHS: Final = MappingProxyType({Tempo.FAST: 3, Tempo.STANDARD: 5, Tempo.SLOW: 8})
SPEED_EPOCHS: Final = MappingProxyType(
    {AlphaSpeed.INSTANT: 0, AlphaSpeed.FAST: 3, AlphaSpeed.MEDIUM: 5, AlphaSpeed.SLOW: 8}
)
TARGET_ALPHA: Final = MappingProxyType(
    {AlphaTarget.HALF: 0.5, AlphaTarget.SEVENTY: 0.7, AlphaTarget.FULL: 1.0}
)
BLUEPRINTS: Final = (
    "noop",
    "conv_light",
    "attention",
    "norm",
    "depthwise",
    "bottleneck",
    "conv_small",
    "conv_heavy",
    "lora",
    "lora_large",
    "mlp_small",
    "mlp",
    "flex_attention",
)
"""By their index, in actions and in embeddings."""
_CNN: Final = frozenset(
    {"conv_light", "attention", "norm", "depthwise", "bottleneck", "conv_small", "conv_heavy"}
)
_TRANSFORMER: Final = frozenset(
    {"attention", "norm", "lora", "lora_large", "mlp_small", "mlp", "flex_attention"}
)
TOPOLOGY_BLUEPRINTS: Final = MappingProxyType({"cnn": _CNN, "transformer": _TRANSFORMER})
"""What may be germinated in each kind of host; `noop` nowhere."""


@dataclass(frozen=True, slots=True)
class Head:
    """One decision of an action."""

    name: str
    choices: int
    """How many; 0 for the slots, of which there are as many as the host has."""
    ops: frozenset[Op]
    """The operations for which it matters."""


_ALL: Final = frozenset(Op)
_ANY_SLOT: Final = _ALL - {Op.WAIT}
_GROW: Final = frozenset({Op.GERMINATE})
_STYLED: Final = frozenset({Op.GERMINATE, Op.SET_ALPHA_TARGET})
_RAMPED: Final = frozenset({Op.SET_ALPHA_TARGET, Op.PRUNE})

HEADS: Final = (
    Head("slot", 0, _ANY_SLOT),
    Head("blueprint", len(BLUEPRINTS), _GROW),
    Head("style", len(Style), _STYLED),
    Head("tempo", len(Tempo), _GROW),
    Head("alpha_target", len(AlphaTarget), _STYLED),
    Head("alpha_speed", len(AlphaSpeed), _RAMPED),
    Head("alpha_curve", len(AlphaCurve), _RAMPED),
    Head("op", len(Op), _ALL),
)
"""In the order of an action."""

HEAD_NAMES: Final = tuple(head.name for head in HEADS)
SLOT_HEAD: Final = HEAD_NAMES.index("slot")
OP_HEAD: Final = HEAD_NAMES.index("op")


def head_sizes(slots: int) -> tuple[int, ...]:
    """Choices of every head for a host of so many slots."""
    return tuple(head.choices or slots for head in HEADS)


def relevant(op: Op) -> tuple[bool, ...]:
    """Which heads matter for `op`, in order."""
    return tuple(op in head.ops for head in HEADS)
