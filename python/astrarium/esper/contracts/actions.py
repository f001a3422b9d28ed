"""An action on its way: proposed, checked, carried out, rewarded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from astrarium.esper.contracts.heads import (
    AlphaCurve,
    AlphaSpeed,
    AlphaTarget,
    Op,
    Style,
    Tempo,
)


class Blend(IntEnum):
    """How seed and host are put together."""

    ADD = 1
    MULTIPLY = 2
    GATE = 3
    RESIDUAL = 4
    CHANNEL = 5
    CONFIDENCE = 6


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """The one way to change a host: what is asked for, fully spelled out.

    `epochs`, `curve` and so on follow from the heads; whoever carries a command across a wire
    sends this and nothing else.
    """

    op: Op
    slot_id: str
    """Where; the empty text for WAIT."""
    blueprint: str = ""
    """What is germinated; the empty text for every other operation."""
    style: Style = Style.SIGMOID_ADD
    tempo: Tempo = Tempo.STANDARD
    alpha_target: AlphaTarget = AlphaTarget.FULL
    alpha_speed: AlphaSpeed = AlphaSpeed.MEDIUM
    alpha_curve: AlphaCurve = AlphaCurve.LINEAR
    blend: Blend | None = None
    """The operator, where it is not the style's; for commands only."""
    alpha_vec: tuple[float, ...] = ()
    """A share for every channel, under CHANNEL."""
    alpha_bounds: tuple[float, float] = (0.0, 1.0)
    """Least and largest amplitude, under CONFIDENCE."""


WAIT = ActionSpec(Op.WAIT, "")


@dataclass(frozen=True, slots=True)
class HealthSnapshot:
    """What a verdict was based on."""

    loss: float
    accuracy: float
    active_seeds: int


@dataclass(frozen=True, slots=True)
class LifecycleMutationVerdict:
    """Whether a mutation may happen, and if not, why."""

    approved: bool
    reason: str
    """Empty when approved."""
    blocked_factor: str
    """The one thing that blocked it, by name; empty when approved."""
    health_snapshot: HealthSnapshot


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """What became of an action."""

    action_id: str
    asked: ActionSpec
    effective_op: Op
    """The operation that happened: WAIT where the one asked for did not."""
    action_success: bool
    reason: str
    """Why it did not happen; empty when it did."""
    initiator: str
    """`policy`, `heuristic`, `governor` or `command`."""
