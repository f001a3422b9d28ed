"""Rules of thumb: when to germinate what, when to give a seed up, when to keep it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import pydantic
from pydantic import Field, JsonValue

from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import BLUEPRINTS, HEAD_NAMES, AlphaSpeed, Op
from astrarium.esper.contracts.seeds import SeedStateReport
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.host_view import HostView, move_on

ROTATION: Final = ("conv_light", "conv_heavy", "attention", "norm", "depthwise")
# Spatial mixing first, then what costs least to compute.
PROBE_CNN: Final = (
    *("depthwise", "conv_light", "bottleneck", "attention"),
    *("conv_heavy", "norm", "conv_small"),
)
PROBE_TRANSFORMER: Final = ("attention", "lora", "mlp_small", "norm", "mlp")
_BLUEPRINT_HEAD: Final = HEAD_NAMES.index("blueprint")


class HeuristicSettings(pydantic.BaseModel):
    """The thresholds of the heuristic."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    epoch_min: int = 5
    plateau_epochs: int = 3
    rest_epochs: int = 5
    """Between a prune and the next germination."""
    prune_epochs: int = 5
    patience_epochs: int = 30
    """In one stage, after which a seed that cannot move on is given up."""
    prune_contribution: float = -2.0
    """Points a seed that blends is worth, below which it is given up."""
    prune_penalty: float = 2.0
    penalty_limit: float = 3.0
    penalty_decay: float = 0.5
    penalty_gone: float = 0.1
    harm_contribution: float = 0.1
    keep_contribution: float = 0.5


class HeuristicState(pydantic.BaseModel):
    """What the heuristic remembers."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    penalties: dict[str, Annotated[float, Field(ge=0.0)]] = {}
    """Of blueprints whose seeds were pruned."""
    turn: int = 0
    """Place in the rotation."""
    last_prune: int | None = None


class Heuristic:
    """Germinate on a plateau, prune what gets worse, keep what contributes."""

    def __init__(
        self, rotation: Sequence[str], in_forward_order: bool, settings: HeuristicSettings
    ) -> None:
        self.rotation = tuple(rotation)
        self.in_forward_order = in_forward_order
        self.settings = settings
        self.state = HeuristicState()

    def snapshot(self) -> dict[str, JsonValue]:
        """Penalties, the place in the rotation, and the last prune."""
        return self.state.model_dump()

    def restore(self, state: Mapping[str, JsonValue]) -> None:
        """Go on from a snapshot."""
        self.state = HeuristicState.model_validate(dict(state))

    def decide(self, view: HostView) -> ActionSpec:
        """Care for the seeds there are; where there are none, consider a new one."""
        self._forgive()
        seeds = view.seeds()
        for at, report in seeds:
            spec = self._care(view, at, report)
            if spec.op is Op.WAIT and self._is_stuck(report):
                spec = self._prune(view, at, report)
            if spec.op is not Op.WAIT:
                return spec
        return WAIT if seeds else self._germinate(view)

    def _forgive(self) -> None:
        """Let penalties fade."""
        faded = {n: p * self.settings.penalty_decay for n, p in self.state.penalties.items()}
        left = {name: p for name, p in faded.items() if p >= self.settings.penalty_gone}
        self.state = self.state.model_copy(update={"penalties": left})

    def _care(self, view: HostView, at: int, report: SeedStateReport) -> ActionSpec:
        if report.stage is Stage.HOLDING:
            return self._judge(view, at, report)
        figures, limits = report.metrics, self.settings
        worth = figures.counterfactual_contribution
        tried = figures.epochs_in_current_stage >= limits.prune_epochs
        # With and without the seed on the same weights: the host's accuracy alone moves by ten
        # points between two epochs, and before the seed blends that is not its doing at all.
        harms = worth is not None and worth < limits.prune_contribution
        if report.stage is Stage.BLENDING and tried and harms:
            return self._prune(view, at, report)
        return move_on(view, at, Op.ADVANCE)

    def _is_stuck(self, report: SeedStateReport) -> bool:
        """Return whether waiting any longer for this seed is in vain.

        A seed in TRAINING without gradients learns nothing. Any other seed gets its time.
        """
        epochs, gradients = report.metrics.epochs_in_current_stage, report.metrics.gradients
        vanished = gradients is not None and gradients.vanishing
        starved = report.stage is Stage.TRAINING and vanished
        limits = self.settings
        return epochs >= (limits.prune_epochs if starved else limits.patience_epochs)

    def _judge(self, view: HostView, at: int, report: SeedStateReport) -> ActionSpec:
        """A seed at full amplitude is kept or let go, once it is known what it is worth."""
        worth, total = report.metrics.counterfactual_contribution, view.counterfactual_total
        if worth is None or total is None:
            return WAIT
        limits = self.settings
        harmful = worth > limits.harm_contribution and total < 0.0
        if not harmful and worth > limits.keep_contribution:
            return move_on(view, at, Op.FOSSILIZE)
        # A host needs a few epochs to get used to a seed at full amplitude.
        tried = report.metrics.epochs_in_current_stage >= limits.prune_epochs
        return self._prune(view, at, report) if tried else WAIT

    def _prune(self, view: HostView, at: int, report: SeedStateReport) -> ActionSpec:
        if not view.masks.allows(Op.PRUNE, at):
            return WAIT
        name, penalties = report.blueprint_id, dict(self.state.penalties)
        penalties[name] = penalties.get(name, 0.0) + self.settings.prune_penalty
        update = {"penalties": penalties, "last_prune": view.epoch}
        self.state = self.state.model_copy(update=update)
        return ActionSpec(Op.PRUNE, view.rules.slots[at], alpha_speed=AlphaSpeed.INSTANT)

    def _germinate(self, view: HostView) -> ActionSpec:
        limits, signals, last = self.settings, view.signals, self.state.last_prune
        rested = last is None or view.epoch - last >= limits.rest_epochs
        stuck = signals.stabilised and signals.plateau_epochs >= limits.plateau_epochs
        slot = self._next_slot(view)
        if not (rested and stuck and view.epoch >= limits.epoch_min and slot):
            return WAIT
        blueprint = self._next_blueprint(view)
        return ActionSpec(Op.GERMINATE, slot, blueprint) if blueprint else WAIT

    def _next_slot(self, view: HostView) -> str:
        slots = view.rules.slots
        order = view.execution_order if self.in_forward_order else slots
        legal = (s for s in order if view.masks.allows(Op.GERMINATE, slots.index(s)))
        return next(legal, "")

    def _next_blueprint(self, view: HostView) -> str:
        """The next of the rotation that fits the host and has not failed too often of late."""
        fits = view.masks.heads[_BLUEPRINT_HEAD]
        for ahead in range(len(self.rotation)):
            name = self.rotation[(self.state.turn + ahead) % len(self.rotation)]
            failed = self.state.penalties.get(name, 0.0) >= self.settings.penalty_limit
            if fits[BLUEPRINTS.index(name)] and not failed:
                update = {"turn": (self.state.turn + ahead + 1) % len(self.rotation)}
                self.state = self.state.model_copy(update=update)
                return name
        return ""
