"""What can be done to a host now, and the way between numbers and actions.

Only what is physically impossible is masked; when to do what is for the controller to learn. The
masks and the check at execution ask the same rules, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from astrarium.esper.contracts.actions import WAIT, ActionSpec, Blend
from astrarium.esper.contracts.errors import MaskError, MutationError
from astrarium.esper.contracts.heads import (
    BLUEPRINTS,
    HEAD_NAMES,
    OP_HEAD,
    SLOT_HEAD,
    TOPOLOGY_BLUEPRINTS,
    AlphaCurve,
    AlphaSpeed,
    AlphaTarget,
    Op,
    Style,
    Tempo,
    head_sizes,
    relevant,
)
from astrarium.esper.contracts.seeds import AlphaMode, SeedStateReport, Topology
from astrarium.esper.contracts.stages import BLENDED, BLOCKING, COOLING, LIVE, Stage

MIN_PRUNE_AGE: Final = 5
SETTLING_EPOCHS: Final = 20
SETTLING_COST: Final = 1.5
Reports = tuple[SeedStateReport | None, ...]
"""One for every slot in the order of actions; None where a slot is empty. A slot that cools down
after a prune is not empty."""


@dataclass(frozen=True, slots=True)
class GrowthRules:
    """What may be done in a run, whatever the state of a host."""

    slots: tuple[str, ...]
    """In the order of actions."""
    enabled: tuple[bool, ...]
    topology: Topology
    seed_limit: int
    """The most seeds at a time, fossils included."""
    advance_enabled: bool = True
    """Off in runs where every gate opens by itself."""
    min_prune_age: int = MIN_PRUNE_AGE
    forward_order: tuple[str, ...] = ()
    """The slots in the order in which features pass them; `slots` unless given."""
    lift_fossil_isolation: bool = False
    """Whether layers before a fossil in a cnn learn through it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What may still be computed, in multiply-accumulates."""

    left_macs: float
    epoch_macs: float
    """The cost of an epoch as the host is now."""

    def lets_a_seed_settle(self) -> bool:
        """Whether enough is left for a new seed to come to anything."""
        return self.left_macs >= SETTLING_EPOCHS * SETTLING_COST * self.epoch_macs


@dataclass(frozen=True, slots=True)
class Masks:
    """Legal choices of every head, and of the slot for every operation."""

    heads: tuple[tuple[bool, ...], ...]
    """In the order of an action."""
    slot_by_op: tuple[tuple[bool, ...], ...]
    """By operation; a row without any belongs to an operation that is impossible."""

    def allows(self, op: Op, slot: int) -> bool:
        """Whether `op` is possible in the slot of this index."""
        return self.slot_by_op[op][slot]


def masks(rules: GrowthRules, reports: Reports, budget: Budget | None) -> Masks:
    """Everything that is possible now. Without a budget, compute is no matter."""
    growth = germination_problem(rules, reports, budget)
    by_op = tuple(
        tuple(_slot_problem(op, rules, reports, at, growth) == "" for at in range(len(reports)))
        for op in Op
    )
    ops = tuple(any(row) or op is Op.WAIT for op, row in zip(Op, by_op, strict=True))
    styled = ops[Op.GERMINATE] or ops[Op.SET_ALPHA_TARGET]
    legal = {
        "slot": tuple(any(row[at] for row in by_op) for at in range(len(reports))),
        "blueprint": tuple(name in TOPOLOGY_BLUEPRINTS[rules.topology] for name in BLUEPRINTS),
        "style": tuple(styled or style is Style.SIGMOID_ADD for style in Style),
        "tempo": (True,) * len(Tempo),
        "alpha_target": tuple(styled or one is AlphaTarget.FULL for one in AlphaTarget),
        "alpha_speed": (True,) * len(AlphaSpeed),
        "alpha_curve": (True,) * len(AlphaCurve),
        "op": ops,
    }
    for name, choices in legal.items():
        if not any(choices):
            raise MaskError(f"the head {name!r} has no legal choice; enable at least one slot")
    return Masks(tuple(legal[name] for name in HEAD_NAMES), by_op)


def gradient_blocker(rules: GrowthRules, reports: Reports, at: int) -> str:
    """Return the first slot behind slot `at` through which no gradient flows back; empty if none.

    A cnn seed learns on features cut off from the host. At alpha 1 with ADD the output is the
    seed's alone, so the layers and seeds before it get a gradient of exactly zero. A seed on its
    way to alpha 1 counts as well: it arrives before a new seed could finish TRAINING.
    """
    if rules.topology != "cnn":
        return ""
    order = rules.forward_order or rules.slots
    by_slot = dict(zip(rules.slots, reports, strict=True))
    behind = order[order.index(rules.slots[at]) + 1 :]
    return next((slot for slot in behind if _blocks_gradient(rules, by_slot[slot])), "")


def _blocks_gradient(rules: GrowthRules, report: SeedStateReport | None) -> bool:
    if report is None or report.stage not in BLENDED or report.blend is not Blend.ADD:
        return False
    lifted = rules.lift_fossil_isolation and report.stage is Stage.FOSSILIZED
    return report.alpha.target == 1.0 and not lifted


def germination_problem(rules: GrowthRules, reports: Reports, budget: Budget | None) -> str:
    """Why no slot may germinate now, whichever it is; empty when one may."""
    if budget is not None and not budget.lets_a_seed_settle():
        return "what is left of the budget is too little for a seed to settle"
    stages = [report.stage if report else Stage.DORMANT for report in reports]
    if sum(stage in LIVE or stage is Stage.FOSSILIZED for stage in stages) >= rules.seed_limit:
        return f"the host holds as many seeds as it may, {rules.seed_limit}"
    pairs = zip(rules.slots, stages, rules.enabled, strict=True)
    blocking = [f"{slot} is {stage.name}" for slot, stage, on in pairs if on and stage in BLOCKING]
    return f"one seed after the other: {blocking[0]}" if blocking else ""


def _slot_problem(op: Op, rules: GrowthRules, reports: Reports, at: int, growth: str) -> str:
    """Why `op` cannot be done in one slot."""
    slot, report = rules.slots[at], reports[at]
    if not rules.enabled[at]:
        return f"the slot {slot} is disabled"
    if op is Op.WAIT:
        return ""
    if op is Op.GERMINATE:
        if report is not None:
            return f"{slot} is not empty but {report.stage.name}"
        return growth or _gradient_problem(rules, reports, at)
    if report is None or report.stage in COOLING:
        return f"there is no seed in {slot}"
    if op is Op.ADVANCE and not rules.advance_enabled:
        return "seeds of this run advance by themselves"
    if report.stage not in _STAGES[op]:
        wanted = ", ".join(stage.name for stage in sorted(_STAGES[op]))
        return f"{op.name} needs a seed in {wanted}; the one in {slot} is in {report.stage.name}"
    return _timing_problem(op, rules, report)


def _gradient_problem(rules: GrowthRules, reports: Reports, at: int) -> str:
    blocker = gradient_blocker(rules, reports, at)
    if not blocker:
        return ""
    return (
        f"a seed in {rules.slots[at]} could not learn: no gradient flows back through the seed "
        f"in {blocker} at alpha 1; use a slot behind it, or lift_fossil_isolation"
    )


_STAGES: Final = {
    Op.ADVANCE: frozenset({Stage.GERMINATED, Stage.TRAINING, Stage.BLENDING}),
    Op.FOSSILIZE: frozenset({Stage.HOLDING}),
    Op.PRUNE: LIVE,
    Op.SET_ALPHA_TARGET: frozenset({Stage.BLENDING, Stage.HOLDING}),
}


def _timing_problem(op: Op, rules: GrowthRules, report: SeedStateReport) -> str:
    if op is Op.PRUNE and report.age_epochs < rules.min_prune_age:
        return f"a seed is pruned after {rules.min_prune_age} epochs, not {report.age_epochs}"
    if op in (Op.PRUNE, Op.SET_ALPHA_TARGET) and report.alpha.mode is not AlphaMode.HOLD:
        return f"the amplitude in {report.slot_id} is on its way {report.alpha.mode.name}"
    return ""


def action_problem(
    spec: ActionSpec, rules: GrowthRules, reports: Reports, budget: Budget | None
) -> str:
    """Why an action cannot be carried out; empty when it can."""
    if spec.op is Op.WAIT:
        return ""
    if spec.slot_id not in rules.slots:
        return f"there is no slot {spec.slot_id!r}; there are {', '.join(rules.slots)}"
    known = TOPOLOGY_BLUEPRINTS[rules.topology]
    if spec.op is Op.GERMINATE and spec.blueprint not in known:
        return f"{spec.blueprint!r} is no blueprint for a {rules.topology}"
    growth = germination_problem(rules, reports, budget)
    return _slot_problem(spec.op, rules, reports, rules.slots.index(spec.slot_id), growth)


def forced_heads(given: Masks) -> tuple[str, ...]:
    """Which heads had no choice."""
    pairs = zip(HEAD_NAMES, given.heads, strict=True)
    return tuple(name for name, choices in pairs if sum(choices) <= 1)


def decode(indices: Sequence[int], slots: Sequence[str]) -> ActionSpec:
    """An action from the choices of the heads; choices that do not matter are left out."""
    sizes = head_sizes(len(slots))
    if len(indices) != len(sizes):
        raise MutationError(f"an action has {len(sizes)} choices, not {len(indices)}")
    for name, index, size in zip(HEAD_NAMES, indices, sizes, strict=True):
        if not 0 <= index < size:
            raise MutationError(f"{name}: choice {index} is outside 0 to {size - 1}")
    op = Op(indices[OP_HEAD])
    if op is Op.WAIT:
        return WAIT
    _, blueprint, style, tempo, target, speed, curve, _ = indices
    chosen = {
        "blueprint": BLUEPRINTS[blueprint],
        "style": Style(style),
        "tempo": Tempo(tempo),
        "alpha_target": AlphaTarget(target),
        "alpha_speed": AlphaSpeed(speed),
        "alpha_curve": AlphaCurve(curve),
    }
    matters = dict(zip(HEAD_NAMES, relevant(op), strict=True))
    kept = {name: value for name, value in chosen.items() if matters[name]}
    return ActionSpec(op, slots[indices[SLOT_HEAD]], **kept)  # pyright: ignore[reportArgumentType]


def encode(spec: ActionSpec, slots: Sequence[str]) -> tuple[int, ...]:
    """The choices of the heads for an action; 0 for a slot or a blueprint it does not have."""
    return (
        slots.index(spec.slot_id) if spec.slot_id else 0,
        BLUEPRINTS.index(spec.blueprint) if spec.blueprint else 0,
        spec.style,
        spec.tempo,
        spec.alpha_target,
        spec.alpha_speed,
        spec.alpha_curve,
        spec.op,
    )
