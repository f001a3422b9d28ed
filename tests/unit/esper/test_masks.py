"""What is possible when, and actions to numbers and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seed_reports import RULES, SLOTS, report

from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.errors import MaskError, MutationError
from astrarium.esper.contracts.heads import (
    BLUEPRINTS,
    HEAD_NAMES,
    AlphaCurve,
    AlphaSpeed,
    AlphaTarget,
    Op,
    Style,
    Tempo,
    head_sizes,
)
from astrarium.esper.contracts.seeds import AlphaMode
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.masks import (
    Budget,
    GrowthRules,
    Masks,
    Reports,
    action_problem,
    decode,
    encode,
    forced_heads,
    masks,
)

EMPTY: Reports = (None, None, None)


def ops(given_masks: Masks) -> set[str]:
    return {op.name for op in Op if given_masks.heads[7][op]}


def head(given_masks: Masks, name: str) -> tuple[bool, ...]:
    return given_masks.heads[HEAD_NAMES.index(name)]


def test_an_empty_host_can_germinate_anywhere() -> None:
    found = masks(RULES, EMPTY, None)
    assert ops(found) == {"WAIT", "GERMINATE"}
    assert found.slot_by_op[Op.GERMINATE] == (True, True, True)
    assert found.slot_by_op[Op.PRUNE] == (False, False, False)
    assert head(found, "style") == (True,) * 4
    assert head(found, "alpha_target") == (True,) * 3


@pytest.mark.parametrize(
    ("stage", "mode", "age", "expected"),
    [
        (Stage.GERMINATED, AlphaMode.HOLD, 1, "WAIT ADVANCE"),
        (Stage.GERMINATED, AlphaMode.HOLD, 5, "WAIT ADVANCE PRUNE"),
        (Stage.TRAINING, AlphaMode.HOLD, 4, "WAIT ADVANCE"),
        (Stage.TRAINING, AlphaMode.HOLD, 5, "WAIT ADVANCE PRUNE"),
        (Stage.BLENDING, AlphaMode.UP, 20, "WAIT ADVANCE GERMINATE"),
        (Stage.BLENDING, AlphaMode.DOWN, 20, "WAIT ADVANCE GERMINATE"),
        (Stage.BLENDING, AlphaMode.HOLD, 20, "WAIT ADVANCE GERMINATE PRUNE SET_ALPHA_TARGET"),
        (Stage.HOLDING, AlphaMode.HOLD, 20, "WAIT FOSSILIZE GERMINATE PRUNE SET_ALPHA_TARGET"),
        (Stage.FOSSILIZED, AlphaMode.HOLD, 20, "WAIT GERMINATE"),
        (Stage.PRUNED, AlphaMode.HOLD, 20, "WAIT"),
        (Stage.EMBARGOED, AlphaMode.HOLD, 20, "WAIT"),
        (Stage.RESETTING, AlphaMode.HOLD, 20, "WAIT"),
    ],
)
def test_what_a_seed_in_each_stage_allows(
    stage: Stage, mode: AlphaMode, age: int, expected: str
) -> None:
    found = masks(RULES, (report(stage, mode=mode, age=age), None, None), None)
    assert ops(found) == set(expected.split())
    if "GERMINATE" in expected:
        assert found.slot_by_op[Op.GERMINATE] == (False, True, True)
    for op in set(expected.split()) - {"WAIT", "GERMINATE"}:
        assert found.slot_by_op[Op[op]] == (True, False, False)


def test_a_disabled_slot_is_never_chosen_but_keeps_its_index() -> None:
    rules = replace(RULES, enabled=(False, True, True))
    held = report(Stage.HOLDING)
    found = masks(rules, (held, None, None), None)
    assert ops(found) == {"WAIT", "GERMINATE"}
    assert head(found, "slot") == (False, True, True)
    # Nor does it hold the others up.
    blocked = masks(rules, (report(Stage.TRAINING), None, None), None)
    assert ops(blocked) == {"WAIT", "GERMINATE"}


def test_the_seed_limit_counts_fossils() -> None:
    reports = (report(Stage.FOSSILIZED), report(Stage.HOLDING, "r0c1"), None)
    assert "GERMINATE" in ops(masks(RULES, reports, None))
    assert "GERMINATE" not in ops(masks(replace(RULES, seed_limit=2), reports, None))


def test_a_seed_needs_budget_to_settle() -> None:
    """Twenty epochs at one and a half times the present cost."""
    assert "GERMINATE" in ops(masks(RULES, EMPTY, Budget(300.0, 10.0)))
    assert "GERMINATE" not in ops(masks(RULES, EMPTY, Budget(299.9, 10.0)))


def test_advance_can_be_disabled() -> None:
    rules = replace(RULES, advance_enabled=False)
    assert "ADVANCE" not in ops(masks(rules, (report(Stage.TRAINING), None, None), None))


def test_blueprints_follow_the_topology() -> None:
    cnn = head(masks(RULES, EMPTY, None), "blueprint")
    assert [BLUEPRINTS[at] for at, legal in enumerate(cnn) if legal] == list(BLUEPRINTS[1:8])
    words = head(masks(replace(RULES, topology="transformer"), EMPTY, None), "blueprint")
    names = [BLUEPRINTS[at] for at, legal in enumerate(words) if legal]
    assert names == ["attention", "norm", *BLUEPRINTS[8:]]


def test_styles_are_fixed_where_none_could_be_used() -> None:
    found = masks(RULES, (report(Stage.TRAINING), None, None), None)
    assert head(found, "style") == (False, False, True, False)
    assert head(found, "alpha_target") == (False, False, True)
    assert head(found, "tempo") == (True,) * 3
    assert forced_heads(found) == ("style", "alpha_target")


def test_a_host_without_an_enabled_slot_is_broken() -> None:
    with pytest.raises(MaskError, match="'slot' has no legal choice"):
        masks(replace(RULES, enabled=(False, False, False)), EMPTY, None)


def test_decoding_keeps_what_matters() -> None:
    indices = (1, 4, 3, 2, 0, 1, 4)
    assert decode((*indices, Op.WAIT), SLOTS) == WAIT
    assert decode((*indices, Op.GERMINATE), SLOTS) == ActionSpec(
        Op.GERMINATE, "r0c1", "depthwise", Style.GATED_GATE, Tempo.SLOW, AlphaTarget.HALF
    )
    assert decode((*indices, Op.PRUNE), SLOTS) == ActionSpec(
        Op.PRUNE, "r0c1", alpha_speed=AlphaSpeed.FAST, alpha_curve=AlphaCurve.SIGMOID_SHARP
    )
    assert decode((*indices, Op.FOSSILIZE), SLOTS) == ActionSpec(Op.FOSSILIZE, "r0c1")
    retarget = decode((*indices, Op.SET_ALPHA_TARGET), SLOTS)
    assert (retarget.style, retarget.alpha_target) == (Style.GATED_GATE, AlphaTarget.HALF)
    assert (retarget.tempo, retarget.blueprint) == (Tempo.STANDARD, "")


@given(st.tuples(*(st.integers(0, size - 1) for size in head_sizes(3))))
def test_actions_survive_the_way_through_numbers(indices: tuple[int, ...]) -> None:
    spec = decode(indices, SLOTS)
    assert decode(encode(spec, SLOTS), SLOTS) == spec


def test_numbers_outside_a_head_are_named() -> None:
    with pytest.raises(MutationError, match="style: choice 4 is outside 0 to 3"):
        decode((0, 0, 4, 0, 0, 0, 0, 0), SLOTS)
    with pytest.raises(MutationError, match="8 choices, not 2"):
        decode((0, 0), SLOTS)


STAGES_OF_A_SLOT = st.none() | st.sampled_from([s for s in Stage if s > Stage.DORMANT])


@st.composite
def states(draw: st.DrawFn) -> tuple[GrowthRules, Reports, Budget | None]:
    enabled = draw(st.tuples(*[st.booleans()] * 3).filter(any))
    rules = replace(
        RULES,
        enabled=enabled,
        topology=draw(st.sampled_from(["cnn", "transformer"])),
        seed_limit=draw(st.integers(0, 3)),
        advance_enabled=draw(st.booleans()),
    )
    reports = tuple(
        report(
            stage,
            slot,
            draw(st.sampled_from(AlphaMode)),
            draw(st.integers(0, 10)),
        )
        if (stage := draw(STAGES_OF_A_SLOT))
        else None
        for slot in SLOTS
    )
    budget = draw(st.none() | st.builds(Budget, st.floats(0, 100), st.floats(1, 5)))
    return rules, reports, budget


@given(states(), st.tuples(*(st.integers(0, size - 1) for size in head_sizes(3))))
def test_masks_and_execution_agree(
    state: tuple[GrowthRules, Reports, Budget | None], indices: tuple[int, ...]
) -> None:
    found = masks(*state)
    spec = decode(indices, SLOTS)
    possible = spec.op is Op.WAIT or (
        found.heads[7][spec.op]
        and found.allows(spec.op, indices[0])
        and (spec.op is not Op.GERMINATE or head(found, "blueprint")[indices[1]])
    )
    assert (action_problem(spec, *state) == "") == possible


@given(states())
def test_an_operation_is_possible_where_some_slot_allows_it(
    state: tuple[GrowthRules, Reports, Budget | None],
) -> None:
    found = masks(*state)
    for op in Op:
        assert found.heads[7][op] == any(found.slot_by_op[op])
    assert all(any(choices) for choices in found.heads)


@pytest.mark.parametrize(
    ("spec", "match"),
    [
        (ActionSpec(Op.ADVANCE, "r9c9"), "no slot 'r9c9'; there are r0c0"),
        (ActionSpec(Op.GERMINATE, "r0c1", "lora"), "'lora' is no blueprint for a cnn"),
        (ActionSpec(Op.GERMINATE, "r0c1", "noop"), "'noop' is no blueprint"),
        (ActionSpec(Op.GERMINATE, "r0c0", "norm"), "r0c0 is not empty but HOLDING"),
        (ActionSpec(Op.ADVANCE, "r0c0"), "ADVANCE needs a seed in GERMINATED, TRAINING, BLENDING"),
        (ActionSpec(Op.FOSSILIZE, "r0c1"), "no seed in r0c1"),
        (ActionSpec(Op.PRUNE, "r0c2"), "after 5 epochs, not 3"),
        (ActionSpec(Op.SET_ALPHA_TARGET, "r0c2"), "the amplitude in r0c2 is on its way UP"),
    ],
)
def test_a_refusal_says_why(spec: ActionSpec, match: str) -> None:
    young = report(Stage.BLENDING, "r0c2", AlphaMode.UP, age=3)
    assert match in action_problem(spec, RULES, (report(Stage.HOLDING), None, young), None)
