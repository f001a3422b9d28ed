"""The life of a seed as a pure function: state and happening in, state and effects out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from astrarium.esper import alpha as ramps
from astrarium.esper.blending import STYLES, check_alpha_vec
from astrarium.esper.contracts.actions import ActionSpec, Blend
from astrarium.esper.contracts.errors import MutationError
from astrarium.esper.contracts.heads import (
    SPEED_EPOCHS,
    TARGET_ALPHA,
    TEMPO_EPOCHS,
    Op,
)
from astrarium.esper.contracts.seeds import AlphaMode, RampCurve
from astrarium.esper.contracts.stages import BLOCKING, LIVE, Stage
from astrarium.esper.figures import first_metrics
from astrarium.esper.gates import GateName
from astrarium.esper.passages import ask, enter
from astrarium.esper.seed_state import (
    EMBARGO_EPOCHS,
    Attach,
    Command,
    Detach,
    Effect,
    Emit,
    FreezeSeed,
    MakeOptimiser,
    Scene,
    SeedState,
    SetGate,
    Step,
    Tick,
)

_NEXT: Final[dict[Stage, tuple[GateName, Stage]]] = {
    Stage.GERMINATED: ("G1", Stage.TRAINING),
    Stage.TRAINING: ("G2", Stage.BLENDING),
    Stage.BLENDING: ("G3", Stage.HOLDING),
}
NEXT: Final = MappingProxyType(_NEXT)
"""What ADVANCE leads to, and the gate before it."""


def transition(state: SeedState, happening: Command | Tick, scene: Scene) -> Step:
    """What becomes of a slot. Whatever is refused changes nothing."""
    if isinstance(happening, Tick):
        return _tick(state, scene)
    op = happening.action.op
    if op is Op.WAIT:
        return Step(state)
    if not scene.enabled:
        return Step(state, refusal=f"slot {state.slot_id} is disabled")
    return _OPERATIONS[op](state, happening, scene)


def why_not_germinate(state: SeedState, scene: Scene) -> str:
    """Why nothing can germinate in this slot now; empty if something can."""
    occupied = sum(stage is not Stage.DORMANT for stage in scene.other_stages)
    if not scene.rules.grafting:
        return "grafting is switched off"
    if state.stage is not Stage.DORMANT:
        return f"slot {state.slot_id} is not empty but {state.stage.name}"
    if occupied >= scene.rules.seeds_max:
        return f"{occupied} of {scene.rules.seeds_max} seeds are in place"
    if any(stage in BLOCKING for stage in scene.other_stages):
        return "another slot is still growing or cooling"
    if scene.accuracy is None:
        return "nothing has been measured yet"
    return ""


def why_not_prune(state: SeedState, governor: bool, min_age: int) -> str:
    """Why the seed in this slot cannot be pruned now; empty if it can."""
    if state.stage not in LIVE:
        return f"slot {state.slot_id} holds nothing to prune but is {state.stage.name}"
    if governor:
        return ""
    if state.figures.epochs_total < min_age:
        return f"the seed is {state.figures.epochs_total} epochs old, not {min_age}"
    return _on_its_way(state)


def _on_its_way(state: SeedState) -> str:
    return "" if state.alpha.mode is AlphaMode.HOLD else "its amplitude is on its way"


def _germinate(state: SeedState, command: Command, scene: Scene) -> Step:
    action = command.action
    if refusal := why_not_germinate(state, scene):
        return Step(state, refusal=refusal)
    operator, refusal = _operator(action, command.initiator, scene.channels)
    if refusal:
        return Step(state, refusal=refusal)
    seed = replace(
        state,
        seed_id=scene.next_seed_id,
        blueprint=action.blueprint,
        germinated_epoch=scene.epoch,
        blend=operator,
        alpha_vec=action.alpha_vec,
        alpha_bounds=action.alpha_bounds,
        tempo_epochs=TEMPO_EPOCHS[action.tempo],
        first_target=TARGET_ALPHA[action.alpha_target],
        first_curve=STYLES[action.style][1],
        attach_ms=scene.module.attach_ms,
        metrics=first_metrics(scene),
    )
    verdict, asked = ask("G0", seed, scene, commanded=True)
    if not verdict.passed:
        return Step(state, (asked,), verdict.message)
    seed, told = enter(seed, Stage.GERMINATED, scene, "germinate")
    gate = (SetGate(True),) if operator is Blend.GATE else ()
    return Step(seed, (asked, Attach(), *gate, MakeOptimiser(), told))


def _advance(state: SeedState, command: Command, scene: Scene) -> Step:
    del command
    if state.stage not in NEXT:
        return Step(state, refusal=f"nothing in {state.stage.name} can be advanced")
    return _through_gate(state, scene, commanded=True)


def _through_gate(state: SeedState, scene: Scene, *, commanded: bool) -> Step:
    gate, stage = NEXT[state.stage]
    verdict, asked = ask(gate, state, scene, commanded=commanded)
    if not verdict.passed:
        return Step(state, (asked,), verdict.message)
    state, told = enter(state, stage, scene, "advance" if commanded else "tick")
    if stage is Stage.BLENDING:
        ramp = ramps.retarget(
            state.alpha, state.first_target, state.tempo_epochs, state.first_curve
        )
        figures = replace(state.figures, accuracy_at_blending_start=scene.accuracy)
        state = replace(state, alpha=ramp, metrics=figures)
    elif stage is Stage.HOLDING:
        state = replace(state, alpha=ramps.settled(state.alpha, 1.0))
    return Step(state, (asked, told))


def _set_alpha_target(state: SeedState, command: Command, scene: Scene) -> Step:
    action = command.action
    if state.stage not in (Stage.BLENDING, Stage.HOLDING):
        return Step(state, refusal=f"a seed in {state.stage.name} has no amplitude to set")
    if refusal := _on_its_way(state):
        return Step(state, refusal=refusal)
    operator, refusal = _operator(action, command.initiator, scene.channels)
    if refusal:
        return Step(state, refusal=refusal)
    target = TARGET_ALPHA[action.alpha_target]
    effects: list[Effect] = []
    had_gate = state.blend is Blend.GATE
    state = replace(
        state, blend=operator, alpha_vec=action.alpha_vec, alpha_bounds=action.alpha_bounds
    )
    if had_gate is not (operator is Blend.GATE):
        effects += [SetGate(not had_gate), MakeOptimiser()]
    if state.stage is Stage.HOLDING and target < 1.0:
        state, told = enter(state, Stage.BLENDING, scene, "set_alpha_target")
        effects.append(told)
    return _ramped(state, action, target, tuple(effects))


def _ramped(
    state: SeedState, action: ActionSpec, target: float, effects: tuple[Effect, ...]
) -> Step:
    """Send the amplitude to `target`, as fast and on the curve the action says."""
    curve, steepness = ramps.CURVES[action.alpha_curve]
    if state.blend is Blend.GATE:
        curve = RampCurve.LINEAR
    epochs = SPEED_EPOCHS[action.alpha_speed]
    ramp = ramps.retarget(state.alpha, target, epochs, curve, steepness)
    if ramp.mode is AlphaMode.DOWN:
        effects = (*effects, FreezeSeed(True))
    return Step(replace(state, alpha=ramp), effects)


def _prune(state: SeedState, command: Command, scene: Scene) -> Step:
    governor = command.initiator == "governor"
    if governor is (command.prune_reason == "policy"):
        raise MutationError(
            f"{command.initiator} cannot prune because of {command.prune_reason!r}; automatic "
            "reasons are the governor's, and only those"
        )
    if refusal := why_not_prune(state, governor, scene.rules.min_prune_age):
        return Step(state, refusal=refusal)
    state = replace(state, prune_reason=command.prune_reason)
    at_once = governor or SPEED_EPOCHS[command.action.alpha_speed] == 0
    if at_once or state.alpha.alpha == 0.0:
        return _removed(state, scene)
    effects: tuple[Effect, ...] = ()
    if state.stage is Stage.HOLDING:
        state, told = enter(state, Stage.BLENDING, scene, "prune")
        effects = (told,)
    return _ramped(state, command.action, 0.0, effects)


def _removed(state: SeedState, scene: Scene) -> Step:
    """Let the seed go; it is gone before anybody hears of it."""
    assert state.prune_reason is not None
    state, told = enter(state, Stage.PRUNED, scene, state.prune_reason)
    figures = replace(state.figures, seed_param_count=0)
    state = replace(state, alpha=ramps.settled(state.alpha, 0.0), metrics=figures)
    return Step(state, (Detach(), told))


def _fossilize(state: SeedState, command: Command, scene: Scene) -> Step:
    del command
    if state.stage is not Stage.HOLDING:
        return Step(state, refusal=f"only a seed in HOLDING can be kept, not in {state.stage.name}")
    impact, impact_told = ask("G4", state, scene, commanded=True)
    worth, worth_told = ask("G5", state, scene, commanded=True)
    if not (impact.passed and worth.passed):
        refusing = worth if impact.passed else impact
        return Step(state, (impact_told, worth_told), refusing.message)
    state, told = enter(state, Stage.FOSSILIZED, scene, "fossilize")
    return Step(state, (impact_told, worth_told, MakeOptimiser(), told))


_Operation = Callable[[SeedState, Command, Scene], Step]
_OPERATIONS: Final[dict[Op, _Operation]] = {
    Op.GERMINATE: _germinate,
    Op.SET_ALPHA_TARGET: _set_alpha_target,
    Op.PRUNE: _prune,
    Op.FOSSILIZE: _fossilize,
    Op.ADVANCE: _advance,
}


def _tick(state: SeedState, scene: Scene) -> Step:
    """The end of an epoch: cooling goes on, gates may open by themselves, amplitudes move."""
    ended = _ended(state, scene)
    alpha = ended.state.alpha.alpha
    velocity = alpha - ended.state.alpha_at_tick
    moved = replace(ended.state, alpha_velocity=velocity, alpha_at_tick=alpha)
    return Step(moved, ended.effects)


def _ended(state: SeedState, scene: Scene) -> Step:
    match state.stage:
        case Stage.PRUNED:
            return _told(*enter(state, Stage.EMBARGOED, scene, "tick"))
        case Stage.EMBARGOED:
            if state.figures.epochs_in_current_stage < EMBARGO_EPOCHS:
                return Step(state)
            return _told(*enter(state, Stage.RESETTING, scene, "tick"))
        case Stage.RESETTING:
            verdict, asked = ask("R0", state, scene, commanded=False)
            if not verdict.passed:
                return Step(state, (asked,))
            state, told = enter(state, Stage.DORMANT, scene, "tick")
            return Step(SeedState(state.slot_id, history=state.history), (asked, told))
        case _:
            pass
    effects: tuple[Effect, ...] = ()
    if state.stage in NEXT and NEXT[state.stage][0] in scene.rules.auto_forward:
        forward = _through_gate(state, scene, commanded=False)
        state, effects = forward.state, forward.effects
    if state.stage is not Stage.BLENDING:
        return Step(state, effects)
    return _one_step_further(state, scene, effects)


def _one_step_further(state: SeedState, scene: Scene, effects: tuple[Effect, ...]) -> Step:
    before = state.alpha
    after = ramps.step(before)
    state = replace(state, alpha=after)
    if before.mode is AlphaMode.DOWN and after.mode is AlphaMode.HOLD:
        if state.prune_reason is not None:
            removed = _removed(state, scene)
            return Step(removed.state, (*effects, *removed.effects))
        effects = (*effects, FreezeSeed(False))
    return Step(state, effects)


def _told(state: SeedState, told: Emit) -> Step:
    return Step(state, (told,))


def _operator(action: ActionSpec, initiator: str, channels: int) -> tuple[Blend, str]:
    """The operator an action asks for, and why it may not."""
    operator = STYLES[action.style][0] if action.blend is None else action.blend
    if action.blend is not None and initiator != "command":
        return operator, f"only commands name an operator of their own, not {initiator}"
    if operator is Blend.CHANNEL:
        check_alpha_vec(action.alpha_vec, channels)
    low, high = action.alpha_bounds
    if not 0.0 <= low <= high <= 1.0:
        raise MutationError(f"alpha_bounds is {action.alpha_bounds}; it rises between 0 and 1")
    return operator, ""
