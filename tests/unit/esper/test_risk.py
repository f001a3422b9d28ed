"""What speaks against an action, rule by rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from astrarium.esper.deadlines import Deadlines
from astrarium.esper.risk import ActionRisk, Response, RiskInputs, assess, gravest

CALM = RiskInputs(ActionRisk(), None, {}, 0, False, Deadlines())


def risky(
    policy: float | None = None, blueprint: float | None = None, q: bool = False
) -> RiskInputs:
    return replace(CALM, action=ActionRisk(policy, blueprint, q))


@pytest.mark.parametrize(
    ("given", "event", "response"),
    [
        (risky(policy=0.849), "", Response.NOTE),
        (risky(policy=0.85), "policy_risk", Response.DEGRADE),
        (risky(policy=0.98), "policy_risk", Response.PAUSE),
        (risky(blueprint=0.499), "", Response.NOTE),
        (risky(blueprint=0.5), "blueprint_risk", Response.WARN),
        (risky(blueprint=0.8), "bp_quarantine", Response.PAUSE),
        (risky(q=True), "bp_quarantine", Response.PAUSE),
        (replace(CALM, loss_rise=0.15), "", Response.NOTE),
        (replace(CALM, loss_rise=0.16), "loss_spike", Response.DEGRADE),
        (replace(CALM, loss_rise=-9.0), "", Response.NOTE),
        (replace(CALM, took_ms={"step": 120.0, "hook": 50.0}), "", Response.NOTE),
        (replace(CALM, took_ms={"step": 121.0}), "step_latency_high", Response.WARN),
        (replace(CALM, took_ms={"apply": 31.0}), "apply_latency_high", Response.WARN),
        (replace(CALM, took_ms={"finalize": 31.0}), "finalize_latency_high", Response.WARN),
        (replace(CALM, took_ms={"hook": 51.0}), "epoch_hook_latency_high", Response.WARN),
        (replace(CALM, violations=1), "isolation_violation", Response.PAUSE),
        (replace(CALM, recovering=True), "recovering", Response.DEGRADE),
    ],
)
def test_a_rule(given: RiskInputs, event: str, response: Response) -> None:
    findings = assess(given)
    assert [one.event for one in findings] == ([event] if event else [])
    assert gravest(findings) is response


def test_all_are_told_in_order_and_the_gravest_counts() -> None:
    given = replace(CALM, action=ActionRisk(0.9, 0.6), loss_rise=1.0, violations=2, recovering=True)
    findings = assess(given)
    events = ["policy_risk", "blueprint_risk", "loss_spike", "isolation_violation", "recovering"]
    assert [one.event for one in findings] == events
    assert gravest(findings) is Response.PAUSE


def test_longer_epochs_may_have_longer_hooks() -> None:
    given = replace(CALM, took_ms={"hook": 90.0}, deadlines=Deadlines(scale=2.0))
    assert assess(given) == ()
