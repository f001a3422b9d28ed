"""Controllers that do not learn: what they do when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest
from seed_reports import RULES, SLOTS, report

from astrarium.errors import SnapshotError
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import AlphaSpeed, Op
from astrarium.esper.contracts.seeds import AlphaMode, GradientHealth
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.controllers import (
    ControllerName,
    FixedSchedule,
    Planting,
    make_controller,
)
from astrarium.esper.host_view import Controller, HostView
from astrarium.esper.masks import Reports, action_problem, masks
from astrarium.esper.signals import TrainingSignals

STUCK = TrainingSignals(30, (1.0,), (50.0,), 50.0, plateau_epochs=3, stabilised=True)


def view(*reports: Any, epoch: int = 30, **changes: Any) -> HostView:
    given: Reports = (*reports, *[None] * (3 - len(reports)))
    rules = changes.pop("rules", RULES)
    base = HostView(
        rules=rules,
        execution_order=("r0c2", "r0c0", "r0c1"),
        reports=given,
        ready=(True,) * 3,
        signals=STUCK,
        masks=masks(rules, given, None),
        epoch=epoch,
        counterfactual_total=5.0,
        budget=None,
    )
    return replace(base, **changes)


def draws(epoch: int) -> np.random.Generator:
    return np.random.default_rng(epoch)


def make(name: ControllerName) -> Controller:
    return make_controller(name, "cnn", draws)


def test_the_heuristic_germinates_on_a_plateau_by_rotation() -> None:
    controller = make("heuristic")
    names = [controller.decide(view(epoch=epoch)).blueprint for epoch in range(30, 36)]
    assert names == ["conv_light", "conv_heavy", "attention", "norm", "depthwise", "conv_light"]
    assert controller.decide(view()).slot_id == "r0c0"


@pytest.mark.parametrize(
    "changes",
    [
        {"signals": replace(STUCK, stabilised=False)},
        {"signals": replace(STUCK, plateau_epochs=2)},
        {"epoch": 4},
    ],
)
def test_the_heuristic_waits_for_its_time(changes: dict[str, Any]) -> None:
    assert make("heuristic").decide(view(**changes)) == WAIT


def test_the_probe_goes_along_the_host_with_spatial_mixing_first() -> None:
    controller = make("heuristic_probe")
    assert controller.decide(view()) == ActionSpec(Op.GERMINATE, "r0c2", "depthwise")
    kept = report(Stage.FOSSILIZED, "r0c2")
    assert controller.decide(view(None, None, kept)) == ActionSpec(
        Op.GERMINATE, "r0c0", "conv_light"
    )


def test_the_rotation_skips_what_does_not_fit_the_host() -> None:
    words = replace(RULES, topology="transformer")
    controller = make("heuristic")
    names = [controller.decide(view(rules=words)).blueprint for _ in range(3)]
    assert names == ["attention", "norm", "attention"]
    probe = make_controller("heuristic_probe", "transformer", draws)
    names = [probe.decide(view(rules=words)).blueprint for _ in range(6)]
    assert names == ["attention", "lora", "mlp_small", "norm", "mlp", "attention"]


def changed(points: float, epochs: int) -> dict[str, Any]:
    return {"current_val_accuracy": 50.0 + points, "accuracy_at_stage_start": 50.0} | {
        "epochs_in_current_stage": epochs
    }


def worth(points: float | None) -> dict[str, Any]:
    return {"counterfactual_contribution": points}


def blended(points: float, epochs: int) -> dict[str, Any]:
    return worth(points) | {"epochs_in_current_stage": epochs}


def starved(epochs: int) -> dict[str, Any]:
    """Metrics of a seed whose gradients are zero."""
    nothing = GradientHealth(norm=0.0, health=0.5, vanishing=True, exploding=False)
    return changed(0, epochs) | {"gradients": nothing}


PRUNE = ActionSpec(Op.PRUNE, "r0c0", alpha_speed=AlphaSpeed.INSTANT)


@pytest.mark.parametrize(
    ("seed", "changes", "expected"),
    [
        (report(Stage.GERMINATED), {}, ActionSpec(Op.ADVANCE, "r0c0")),
        (report(Stage.TRAINING, metrics=changed(1, 12)), {}, ActionSpec(Op.ADVANCE, "r0c0")),
        (report(Stage.TRAINING, metrics=changed(1, 12)), {"ready": (False,) * 3}, WAIT),
        (report(Stage.TRAINING, metrics=changed(-9, 12)), {}, ActionSpec(Op.ADVANCE, "r0c0")),
        (report(Stage.TRAINING, metrics=starved(4)), {"ready": (False,) * 3}, WAIT),
        (report(Stage.TRAINING, metrics=starved(5)), {"ready": (False,) * 3}, PRUNE),
        (report(Stage.TRAINING, metrics=changed(1, 29)), {"ready": (False,) * 3}, WAIT),
        (report(Stage.TRAINING, metrics=changed(1, 30)), {"ready": (False,) * 3}, PRUNE),
        (report(Stage.TRAINING, metrics=changed(1, 30)), {}, ActionSpec(Op.ADVANCE, "r0c0")),
        (report(Stage.HOLDING, metrics=blended(0.6, 30)), {"ready": (False,) * 3}, PRUNE),
        (report(Stage.BLENDING, metrics=blended(-2.1, 5)), {}, PRUNE),
        (report(Stage.BLENDING, mode=AlphaMode.UP, metrics=blended(-2.1, 5)), {}, WAIT),
        (report(Stage.BLENDING, metrics=blended(-2.1, 4)), {"ready": (False,) * 3}, WAIT),
        (report(Stage.BLENDING, metrics=blended(-2.0, 9)), {"ready": (False,) * 3}, WAIT),
        (report(Stage.BLENDING, metrics=changed(-30.0, 9)), {}, ActionSpec(Op.ADVANCE, "r0c0")),
        (report(Stage.HOLDING, metrics=worth(None)), {}, WAIT),
        (report(Stage.HOLDING, metrics=worth(3.0)), {"counterfactual_total": None}, WAIT),
        (report(Stage.HOLDING, metrics=worth(3.0)), {"counterfactual_total": -0.1}, PRUNE),
        (report(Stage.HOLDING, metrics=worth(0.6)), {}, ActionSpec(Op.FOSSILIZE, "r0c0")),
        (report(Stage.HOLDING, metrics=worth(0.6)), {"ready": (False,) * 3}, WAIT),
        (report(Stage.HOLDING, metrics=worth(0.5)), {}, PRUNE),
        (report(Stage.HOLDING, metrics=worth(-4.0)), {}, PRUNE),
    ],
)
@pytest.mark.parametrize("name", ["heuristic", "heuristic_probe"])
def test_how_the_heuristic_cares_for_a_seed(
    name: ControllerName, seed: Any, changes: dict[str, Any], expected: ActionSpec
) -> None:
    assert make(name).decide(view(seed, **changes)) == expected


def test_after_a_prune_the_heuristic_rests_and_remembers() -> None:
    controller = make("heuristic")
    assert controller.decide(view(report(Stage.HOLDING, metrics=worth(0.0)))) == PRUNE
    assert controller.snapshot()["penalties"] == {"conv_light": 2.0}
    for epoch in range(31, 35):
        assert controller.decide(view(epoch=epoch)) == WAIT
    assert controller.snapshot()["penalties"] == {"conv_light": 0.125}
    assert controller.decide(view(epoch=35)).op is Op.GERMINATE
    assert controller.snapshot()["penalties"] == {}


def test_blueprints_that_keep_failing_are_skipped() -> None:
    controller = make("heuristic")
    controller.restore({"penalties": {"conv_light": 6.0}, "turn": 0, "last_prune": None})
    assert controller.decide(view()).blueprint == "conv_heavy"
    names = ("conv_light", "conv_heavy", "attention", "norm", "depthwise")
    controller.restore({"penalties": dict.fromkeys(names, 6.0), "turn": 0, "last_prune": None})
    assert controller.decide(view()) == WAIT


def test_no_growth_only_waits() -> None:
    assert make("none").decide(view()) == WAIT


def test_the_random_policy_does_everything_that_is_possible_and_nothing_else() -> None:
    controller = make("random_policy")
    reports: Reports = (report(Stage.HOLDING), report(Stage.FOSSILIZED, "r0c1"), None)
    seen = Counter[str]()
    for epoch in range(400):
        spec = controller.decide(view(*reports, epoch=epoch))
        assert action_problem(spec, RULES, reports, None) == ""
        seen[spec.op.name] += 1
    assert set(seen) == {"WAIT", "GERMINATE", "PRUNE", "FOSSILIZE", "SET_ALPHA_TARGET"}
    assert min(seen.values()) > 40


def test_random_growth_sows_one_time_in_five_and_keeps_what_grows() -> None:
    controller = make("random_growth")
    specs = [controller.decide(view(epoch=epoch)) for epoch in range(500)]
    sown = [spec for spec in specs if spec.op is Op.GERMINATE]
    assert 70 < len(sown) < 130
    assert {spec.slot_id for spec in sown} == set(SLOTS)
    assert len({spec.blueprint for spec in sown}) == 7
    assert controller.decide(view(report(Stage.TRAINING))) == ActionSpec(Op.ADVANCE, "r0c0")
    assert controller.decide(view(report(Stage.HOLDING))) == ActionSpec(Op.FOSSILIZE, "r0c0")
    waiting = view(report(Stage.TRAINING), ready=(False,) * 3)
    assert controller.decide(waiting) == WAIT


def test_draws_belong_to_the_epoch_not_to_the_controller() -> None:
    for name in ("random_policy", "random_growth"):
        first, second = make(name), make(name)
        for epoch in range(20):
            first.decide(view(epoch=epoch))
        assert first.decide(view(epoch=33)) == second.decide(view(epoch=33))


def test_a_schedule_is_carried_out_as_soon_as_it_can_be() -> None:
    plan = [Planting(20, "r0c1", "norm"), Planting(5, "r0c0", "conv_light")]
    controller = FixedSchedule(plan)
    assert controller.decide(view(epoch=4)) == WAIT
    assert controller.decide(view(epoch=5)) == ActionSpec(Op.GERMINATE, "r0c0", "conv_light")
    busy = report(Stage.TRAINING)
    assert controller.decide(view(busy, epoch=20)) == ActionSpec(Op.ADVANCE, "r0c0")
    later = view(report(Stage.HOLDING), epoch=27)
    assert controller.decide(later) == ActionSpec(Op.GERMINATE, "r0c1", "norm")
    assert controller.decide(later) == ActionSpec(Op.FOSSILIZE, "r0c0")


PLAN = (Planting(31, "r0c0", "norm"), Planting(34, "r0c1", "norm"))


@pytest.mark.parametrize(
    "new",
    [*(partial(make, name) for name in get_args(ControllerName)), partial(FixedSchedule, PLAN)],
)
def test_a_restored_controller_goes_on_as_the_other_would_have(
    new: Callable[[], Controller],
) -> None:
    first = new()
    for epoch in range(30, 33):
        first.decide(view(epoch=epoch))
    first.decide(view(report(Stage.HOLDING, metrics=worth(0.0)), epoch=33))
    second = new()
    second.restore(first.snapshot())
    for epoch in range(34, 44):
        assert first.decide(view(epoch=epoch)) == second.decide(view(epoch=epoch))


def test_snapshots_of_others_are_refused() -> None:
    with pytest.raises(SnapshotError, match="NoGrowth remembers nothing"):
        make("none").restore({"turn": 1})
    with pytest.raises(SnapshotError, match="planted: 3 is not a count up to 0"):
        FixedSchedule(()).restore({"planted": 3})
    with pytest.raises(ValueError, match="turns"):
        make("heuristic").restore({"turns": 1})
