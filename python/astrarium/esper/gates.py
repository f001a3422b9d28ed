"""The gates between stages: one table of named checks, strict and permissive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from astrarium.esper.contracts.seeds import AlphaMode, AlphaState, GateResult, GradientHealth
from astrarium.esper.contracts.stages import Stage

GateName = Literal["G0", "G1", "G2", "G3", "G4", "G5", "R0"]
GateMode = Literal["strict", "permissive"]

GAIN_MIN: Final = 0.5
EPOCHS_MIN: Final = 10
GRADIENT_RATIO_MIN: Final = 0.10
GRADIENT_HEALTH_MIN: Final = 0.7
CONTRIBUTION_MIN: Final = 1.0
STABILITY_MIN: Final = 0.95
ALPHA_TOLERANCE: Final = 1e-6
_GAIN_FULL: Final = 5.0
_CONTRIBUTION_FULL: Final = 10.0


@dataclass(frozen=True, slots=True)
class GateInputs:
    """Everything a gate may look at. None means: not measured, which is never good enough."""

    stage: Stage
    seed_id: str
    blueprint: str
    attached: bool
    parameters_finite: bool
    interface_ok: bool
    layers_present: bool
    optimiser_present: bool
    prefetch_pending: bool
    attach_ms: float | None
    attach_budget_ms: float
    isolation_violations: int
    epochs_in_stage: int
    accuracy_gain: float
    """Since the stage began."""
    gradient_ratio: float | None
    gradients: GradientHealth | None
    alpha: AlphaState
    nominal: bool
    contribution: float | None
    healthy: bool
    stability: float | None


@dataclass(frozen=True, slots=True)
class Check:
    """One condition, by name."""

    name: str
    holds: Callable[[GateInputs], bool]


def is_healthy(gradients: GradientHealth | None) -> bool:
    """Whether the gradients of a seed were measured and are in order."""
    return (
        gradients is not None
        and gradients.health >= GRADIENT_HEALTH_MIN
        and not gradients.exploding
    )


def _at_least(value: float | None, limit: float) -> bool:
    return value is not None and value >= limit


def _fully_up(alpha: AlphaState) -> bool:
    return abs(alpha.target - 1.0) <= ALPHA_TOLERANCE


_SANITY = (
    Check("seed_id", lambda i: i.seed_id != ""),
    Check("blueprint_id", lambda i: i.blueprint != ""),
    Check("parameters_finite", lambda i: i.parameters_finite),
)
_TRAINING = (
    Check("germinated", lambda i: i.stage is Stage.GERMINATED),
    Check("attached", lambda i: i.attached),
    Check("isolated", lambda i: i.isolation_violations == 0),
)
_TRAINED = Check("epochs_in_training", lambda i: i.epochs_in_stage >= EPOCHS_MIN)
_BLENDING_STRICT = (
    Check("accuracy_gain", lambda i: i.accuracy_gain >= GAIN_MIN),
    _TRAINED,
    Check("gradient_ratio", lambda i: _at_least(i.gradient_ratio, GRADIENT_RATIO_MIN)),
    Check(
        "attach_latency",
        lambda i: i.attach_ms is not None and i.attach_ms <= i.attach_budget_ms,
    ),
)
_BLENDING_SAFE = (
    _TRAINED,
    Check(
        "gradient_health",
        lambda i: i.gradients is not None and i.gradients.health >= GRADIENT_HEALTH_MIN,
    ),
    Check("no_exploding_gradients", lambda i: i.gradients is None or not i.gradients.exploding),
)
_HOLDING_SAFE = (
    Check("alpha_target", lambda i: _fully_up(i.alpha)),
    Check("alpha_reached", lambda i: abs(i.alpha.alpha - i.alpha.target) <= ALPHA_TOLERANCE),
    Check("alpha_at_rest", lambda i: i.alpha.mode is AlphaMode.HOLD),
)
_HOLDING_STRICT = (
    *_HOLDING_SAFE,
    Check("epochs_in_blending", lambda i: i.epochs_in_stage >= EPOCHS_MIN),
    Check("interface", lambda i: i.interface_ok),
    Check("layers_present", lambda i: i.layers_present),
)
_ISOLATED = Check("isolated", lambda i: i.isolation_violations == 0)
_FOSSIL_SAFE = (
    Check("contribution_measured", lambda i: i.contribution is not None),
    Check("healthy", lambda i: i.healthy),
)
_FOSSIL_STRICT = (
    *_FOSSIL_SAFE,
    Check("contribution", lambda i: _at_least(i.contribution, CONTRIBUTION_MIN)),
    Check("stability", lambda i: _at_least(i.stability, STABILITY_MIN)),
)
_CLEAN = (
    Check("no_module", lambda i: not i.attached),
    Check("no_optimiser", lambda i: not i.optimiser_present),
    Check("no_prefetch", lambda i: not i.prefetch_pending),
)

_CHECKS: Final[dict[GateName, dict[GateMode, tuple[Check, ...]]]] = {
    "G0": {"strict": _SANITY, "permissive": _SANITY},
    "G1": {"strict": _TRAINING, "permissive": _TRAINING},
    "G2": {"strict": _BLENDING_STRICT, "permissive": _BLENDING_SAFE},
    "G3": {"strict": _HOLDING_STRICT, "permissive": _HOLDING_SAFE},
    "G4": {
        "strict": (Check("performance_nominal", lambda i: i.nominal), _ISOLATED),
        "permissive": (_ISOLATED,),
    },
    "G5": {"strict": _FOSSIL_STRICT, "permissive": _FOSSIL_SAFE},
    "R0": {"strict": _CLEAN, "permissive": _CLEAN},
}
CHECKS: Final = MappingProxyType(_CHECKS)
"""What each gate asks for in each mode."""

_SCORES: Final[dict[GateName, Callable[[GateInputs], float]]] = {
    "G2": lambda i: i.accuracy_gain / _GAIN_FULL,
    "G3": lambda i: i.alpha.alpha,
    "G5": lambda i: (i.contribution or 0.0) / _CONTRIBUTION_FULL,
}


def evaluate(gate: GateName, mode: GateMode, inputs: GateInputs) -> GateResult:
    """Ask a gate. Gates without a score of their own score the share of checks that hold."""
    checks = CHECKS[gate][mode]
    passed = tuple(check.name for check in checks if check.holds(inputs))
    failed = tuple(check.name for check in checks if check.name not in passed)
    score = _SCORES[gate](inputs) if gate in _SCORES else len(passed) / len(checks)
    message = f"{gate} {mode}: " + (f"lacks {', '.join(failed)}" if failed else "passed")
    return GateResult(gate, not failed, min(max(score, 0.0), 1.0), passed, failed, message)
