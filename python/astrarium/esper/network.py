"""A network that grows: one way to change it, and the end of every epoch.

An epoch goes: train (`forward`, `backward`, `step`), validate (`forward` with `alphas`), `measure`,
decide, `apply`, `tick`.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor, nn

from astrarium.esper.blending import STYLES, Gate
from astrarium.esper.contracts.actions import ActionOutcome, ActionSpec, Blend
from astrarium.esper.contracts.errors import MeasurementError, MutationError
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.lifecycle import LifecycleEvent, ViolationRecorded
from astrarium.esper.contracts.seeds import EpochMeasurement, PruneReason
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.descent import Rates
from astrarium.esper.figures import check_measurement, observed
from astrarium.esper.hosts import RoutedHost
from astrarium.esper.lifecycle import NEXT, transition, why_not_germinate
from astrarium.esper.nursery import (
    facts_about,
    facts_of,
    new_gate,
    new_seed,
    planted_state,
    why_not_blueprint,
)
from astrarium.esper.seed_state import (
    Attach,
    Command,
    Effect,
    Emit,
    LifecycleRules,
    MakeOptimiser,
    ModuleFacts,
    Scene,
    SeedState,
    SetGate,
    Step,
    Tick,
)
from astrarium.esper.slot import Slot
from astrarium.esper.slotted import SlottedNetwork
from astrarium.train.streams import stream


@dataclass(frozen=True, slots=True)
class Planted:
    """A seed that is there from the beginning, as part of the host."""

    slot_id: str
    blueprint: str
    blend: Blend = Blend.ADD


@dataclass(frozen=True, slots=True)
class GrowthConfig:
    """How a network may grow and learn."""

    rules: LifecycleRules = field(default_factory=LifecycleRules)
    rates: Rates = field(default_factory=Rates)
    disabled: frozenset[str] = frozenset()
    """Slots that keep their place but are never used."""
    lift_fossil_isolation: bool = False
    """Whether layers before a fossil in a cnn learn through it."""
    planted: tuple[Planted, ...] = ()


@dataclass(frozen=True, slots=True)
class Clock:
    """Where a network stands; everything else it remembers is in its slots."""

    epoch: int = 0
    accuracy: float | None = None
    nominal: bool = True
    measured: bool = False
    """Since the last tick."""
    germinations: int = 0
    gates: int = 0


def _milliseconds() -> float:
    return time.perf_counter() * 1e3


class GrownNetwork(SlottedNetwork):
    """A host and what grows in it."""

    def __init__(
        self,
        host: RoutedHost,
        sample: Tensor,
        seed: int,
        config: GrowthConfig | None = None,
        now_ms: Callable[[], float] = _milliseconds,
    ) -> None:
        """`sample` is one row of input; whatever grows draws its weights from `seed`."""
        config = config or GrowthConfig()
        super().__init__(host, sample, config.rates, config.lift_fossil_isolation)
        self.config = config
        self.random_seed = seed
        self.clock = Clock()
        self._now_ms = now_ms
        if unknown := self.config.disabled - set(self.slot_ids):
            raise MutationError(f"disabled names {sorted(unknown)}; there are {self.slot_ids}")
        for planted in self.config.planted:
            self._plant(planted)

    def take_events(self) -> tuple[LifecycleEvent, ...]:
        """What happened since this was last asked."""
        events = tuple(self._events)
        self._events.clear()
        return events

    def measure(self, measured: EpochMeasurement) -> None:
        """Take in what an epoch and its validation told, before anything is decided."""
        check_measurement(measured, self.slot_ids)
        self.clock = replace(
            self.clock,
            epoch=measured.epoch,
            accuracy=measured.val_accuracy,
            nominal=measured.nominal,
            measured=True,
        )
        seeds = {seed.slot_id: seed for seed in measured.seeds}
        for slot_id in self.slot_ids:
            slot = self.slot(slot_id)
            slot.state = observed(slot.state, measured, seeds.get(slot_id))

    # torch's own `apply`, which maps a function over modules, is not wanted here.
    def apply(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        action: ActionSpec,
        *,
        action_id: str = "",
        initiator: str = "policy",
        prune_reason: PruneReason = "policy",
    ) -> ActionOutcome:
        """The one way to change a network. What is invalid or refused changes nothing."""

        def outcome(op: Op, refusal: str) -> ActionOutcome:
            return ActionOutcome(action_id, action, op, not refusal, refusal, initiator)

        if action.op is Op.WAIT:
            return outcome(Op.WAIT, "")
        slot = self.slot(action.slot_id)
        scene, candidate = self._scene(slot, facts_of(slot)), None
        if action.op is Op.GERMINATE:
            if refusal := why_not_blueprint(action.blueprint, slot.topology):
                return outcome(Op.WAIT, refusal)
            if not why_not_germinate(slot.state, scene):
                scene, candidate = self._with_candidate(slot, action, scene)
        decided = transition(slot.state, Command(action, initiator, prune_reason), scene)
        self._settle(slot, decided, candidate)
        return outcome(Op.WAIT if decided.refusal else action.op, decided.refusal)

    def would_move_on(self, slot_id: str) -> bool:
        """Whether the gates ahead of a seed would open now; nothing is changed or told."""
        slot = self.slot(slot_id)
        op = Op.FOSSILIZE if slot.state.stage is Stage.HOLDING else Op.ADVANCE
        if op is Op.ADVANCE and slot.state.stage not in NEXT:
            return False
        command = Command(ActionSpec(op, slot_id), "policy")
        return not transition(slot.state, command, self._scene(slot, facts_of(slot))).refusal

    def tick(self) -> None:
        """The end of an epoch, after its action: slots cool, amplitudes move."""
        if not self.clock.measured:
            raise MeasurementError("an epoch ends once, and not before `measure` was told of it")
        self.clock = replace(self.clock, measured=False)
        for slot_id in self.slot_ids:
            slot = self.slot(slot_id)
            stage = slot.state.stage
            if stage is Stage.DORMANT:
                continue
            asks = stage is Stage.RESETTING or (
                stage in NEXT and NEXT[stage][0] in self.config.rules.auto_forward
            )
            facts = facts_of(slot) if asks else ModuleFacts()
            self._settle(slot, transition(slot.state, Tick(), self._scene(slot, facts)), None)

    def record_violation(self, slot_id: str, violations: tuple[str, ...]) -> None:
        """Remember that a seed broke its promises; its gates will not open any more."""
        slot = self.slot(slot_id)
        figures = slot.state.figures
        counted = replace(figures, isolation_violations=figures.isolation_violations + 1)
        slot.state = replace(slot.state, metrics=counted)
        self._events.append(
            ViolationRecorded(slot_id, slot.state.seed_id, self.clock.epoch, violations)
        )

    def replant(self, state: SeedState, effects: tuple[Effect, ...]) -> None:
        """Put a slot into a remembered state; the weights are for the caller to fill in."""
        slot = self.slot(state.slot_id)
        seed = self._new_seed(slot, state.blueprint, state.blend) if Attach() in effects else None
        self._settle(slot, Step(state, effects), seed)

    def _settle(self, slot: Slot, decided: Step, candidate: nn.Module | None) -> None:
        """Carry a decision out: first what it asks of tensors, then the news of it."""
        slot_id, state, effects = slot.spec.slot_id, decided.state, decided.effects
        deeds = tuple(effect for effect in effects if not isinstance(effect, Emit))
        slot.settle(state, deeds, candidate, lambda: self._new_gate(slot))
        if any(isinstance(deed, Attach) for deed in deeds):
            self.clock = replace(self.clock, germinations=self.clock.germinations + 1)
        if deeds:
            self._recount(slot_id)
        if slot.seed is not None and state.metrics is not None:
            size = sum(parameter.numel() for parameter in slot.living())
            slot.state = replace(state, metrics=replace(state.metrics, seed_param_count=size))
        self._reroute()
        self._events += [effect.event for effect in effects if isinstance(effect, Emit)]

    def _scene(self, slot: Slot, facts: ModuleFacts) -> Scene:
        enabled = [name for name in self.slot_ids if name not in self.config.disabled]
        others = [name for name in enabled if name != slot.spec.slot_id]
        return Scene(
            epoch=self.clock.epoch,
            accuracy=self.clock.accuracy,
            nominal=self.clock.nominal,
            rules=self.config.rules,
            topology=self.host.topology,
            channels=slot.spec.channels,
            host_params=self.host_params,
            enabled=slot.spec.slot_id in enabled,
            other_stages=tuple(self.slot(name).state.stage for name in others),
            module=facts,
            next_seed_id=f"seed-{self.clock.germinations:03d}",
        )

    def _with_candidate(
        self, slot: Slot, action: ActionSpec, scene: Scene
    ) -> tuple[Scene, nn.Module]:
        """The seed that is to germinate, and the scene with it in view."""
        begun = self._now_ms()
        operator = STYLES[action.style][0] if action.blend is None else action.blend
        seed = self._new_seed(slot, action.blueprint, operator)
        facts = facts_about(slot, action.blueprint, seed)
        return replace(scene, module=replace(facts, attach_ms=self._now_ms() - begun)), seed

    def _plant(self, planted: Planted) -> None:
        slot = self.slot(planted.slot_id)
        if refusal := why_not_blueprint(planted.blueprint, slot.topology):
            raise MutationError(f"{planted.slot_id} cannot be planted: {refusal}")
        seed = self._new_seed(slot, planted.blueprint, planted.blend)
        scene = self._scene(slot, facts_about(slot, planted.blueprint, seed))
        state = planted_state(slot, planted.blueprint, planted.blend, scene)
        gate = (SetGate(True),) if planted.blend is Blend.GATE else ()
        self._settle(slot, Step(state, (Attach(), *gate, MakeOptimiser())), seed)

    def _new_seed(self, slot: Slot, blueprint: str, operator: Blend) -> nn.Module:
        generator = stream(self.random_seed, "germinate", self.clock.germinations)
        return new_seed(slot, blueprint, operator, generator, self._device)

    def _new_gate(self, slot: Slot) -> Gate:
        generator = stream(self.random_seed, "gate", self.clock.gates)
        self.clock = replace(self.clock, gates=self.clock.gates + 1)
        return new_gate(slot, generator, self._device)

    @property
    def _device(self) -> torch.device:
        return self.host_descent.flat.device
