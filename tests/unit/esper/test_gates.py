"""Gates: every check by itself closes its gate, and figures never measured are never enough."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from astrarium.esper.contracts.seeds import AlphaMode, AlphaState, GradientHealth
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.gates import CHECKS, GateInputs, GateMode, GateName, evaluate, is_healthy

FINE = GradientHealth(0.5, 0.9, vanishing=False, exploding=False)
GOOD = GateInputs(
    stage=Stage.GERMINATED,
    seed_id="seed-000",
    blueprint="conv_light",
    attached=True,
    parameters_finite=True,
    interface_ok=True,
    layers_present=True,
    optimiser_present=True,
    prefetch_pending=False,
    attach_ms=3.0,
    attach_budget_ms=5.0,
    isolation_violations=0,
    epochs_in_stage=10,
    accuracy_gain=0.5,
    gradient_ratio=0.1,
    gradients=FINE,
    alpha=AlphaState(1.0, 1.0, 1.0),
    nominal=True,
    contribution=1.0,
    healthy=True,
    stability=0.95,
)
EMPTY = replace(GOOD, attached=False, optimiser_present=False)
ILL = GradientHealth(0.5, 0.6, vanishing=False, exploding=False)
WILD = GradientHealth(50.0, 0.8, vanishing=False, exploding=True)
RISING = AlphaState(0.5, 0.0, 1.0, AlphaMode.UP, steps_total=2, steps_done=1)

FAULTS: list[tuple[GateName, dict[str, Any], str, set[GateMode]]] = [
    ("G0", {"seed_id": ""}, "seed_id", {"strict", "permissive"}),
    ("G0", {"blueprint": ""}, "blueprint_id", {"strict", "permissive"}),
    ("G0", {"parameters_finite": False}, "parameters_finite", {"strict", "permissive"}),
    ("G1", {"stage": Stage.TRAINING}, "germinated", {"strict", "permissive"}),
    ("G1", {"attached": False}, "attached", {"strict", "permissive"}),
    ("G1", {"isolation_violations": 1}, "isolated", {"strict", "permissive"}),
    ("G2", {"accuracy_gain": 0.49}, "accuracy_gain", {"strict"}),
    ("G2", {"epochs_in_stage": 9}, "epochs_in_training", {"strict", "permissive"}),
    ("G2", {"gradient_ratio": None}, "gradient_ratio", {"strict"}),
    ("G2", {"gradient_ratio": 0.09}, "gradient_ratio", {"strict"}),
    ("G2", {"attach_ms": None}, "attach_latency", {"strict"}),
    ("G2", {"attach_ms": 5.1}, "attach_latency", {"strict"}),
    ("G2", {"gradients": None}, "gradient_health", {"permissive"}),
    ("G2", {"gradients": ILL}, "gradient_health", {"permissive"}),
    ("G2", {"gradients": WILD}, "no_exploding_gradients", {"permissive"}),
    ("G3", {"alpha": AlphaState(0.7, 0.7, 0.7)}, "alpha_target", {"strict", "permissive"}),
    ("G3", {"alpha": RISING}, "alpha_reached", {"strict", "permissive"}),
    ("G3", {"alpha": RISING}, "alpha_at_rest", {"strict", "permissive"}),
    ("G3", {"epochs_in_stage": 9}, "epochs_in_blending", {"strict"}),
    ("G3", {"interface_ok": False}, "interface", {"strict"}),
    ("G3", {"layers_present": False}, "layers_present", {"strict"}),
    ("G4", {"nominal": False}, "performance_nominal", {"strict"}),
    ("G4", {"isolation_violations": 1}, "isolated", {"strict", "permissive"}),
    ("G5", {"contribution": None}, "contribution_measured", {"strict", "permissive"}),
    ("G5", {"contribution": 0.99}, "contribution", {"strict"}),
    ("G5", {"healthy": False}, "healthy", {"strict", "permissive"}),
    ("G5", {"stability": 0.94}, "stability", {"strict"}),
    ("G5", {"stability": None}, "stability", {"strict"}),
    ("R0", {"attached": True}, "no_module", {"strict", "permissive"}),
    ("R0", {"optimiser_present": True}, "no_optimiser", {"strict", "permissive"}),
    ("R0", {"prefetch_pending": True}, "no_prefetch", {"strict", "permissive"}),
]
MODES: tuple[GateMode, GateMode] = ("strict", "permissive")


def good_for(gate: GateName) -> GateInputs:
    return EMPTY if gate == "R0" else GOOD


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("gate", CHECKS)
def test_a_gate_opens_when_everything_just_suffices(gate: GateName, mode: GateMode) -> None:
    result = evaluate(gate, mode, good_for(gate))
    assert result.passed
    assert result.checks_failed == ()
    assert result.checks_passed == tuple(check.name for check in CHECKS[gate][mode])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("gate", "fault", "check", "modes"), FAULTS)
def test_one_fault_closes_the_gate_in_the_modes_that_look(
    gate: GateName, fault: dict[str, Any], check: str, modes: set[GateMode], mode: GateMode
) -> None:
    result = evaluate(gate, mode, replace(good_for(gate), **fault))
    assert result.passed is (mode not in modes)
    if mode in modes:
        assert check in result.checks_failed
        assert check in result.message


def test_every_check_of_the_table_is_tried_above() -> None:
    tried = {(gate, mode, check) for gate, _, check, modes in FAULTS for mode in modes}
    table = {
        (g, m, c.name) for g, by_mode in CHECKS.items() for m, cs in by_mode.items() for c in cs
    }
    assert table == tried


def test_scores_are_the_published_ones() -> None:
    def score(gate: GateName, **figures: Any) -> float:
        return evaluate(gate, "strict", replace(GOOD, **figures)).score

    assert score("G2", accuracy_gain=2.5) == 0.5
    assert score("G2", accuracy_gain=9.0) == 1.0
    assert score("G2", accuracy_gain=-9.0) == 0.0
    assert score("G3", alpha=AlphaState(0.7, 0.7, 0.7)) == 0.7
    assert score("G5", contribution=4.0) == 0.4
    assert score("G5", contribution=None) == 0.0
    assert score("G0", seed_id="") == pytest.approx(2 / 3)


def test_a_seed_never_measured_is_not_healthy() -> None:
    assert [is_healthy(one) for one in (None, ILL, WILD, FINE)] == [False, False, False, True]
