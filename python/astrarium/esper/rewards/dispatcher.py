"""One table of terms per mode, and the one way to a reward."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Generic, Protocol, TypeVar

from astrarium.esper.contracts.errors import MeasurementError, RewardError
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import (
    ContributionRewardInputs,
    DripState,
    LossRewardInputs,
    RewardComponents,
    RewardMode,
    RewardResult,
)
from astrarium.esper.rewards import acting, costs, credit, drip, ending, loss, potential
from astrarium.esper.rewards.configs import (
    BasicConfig,
    BasicPlusConfig,
    EscrowConfig,
    GainConfig,
    LossConfig,
    MinimalConfig,
    ModeConfig,
    ShapedConfig,
    SimplifiedConfig,
    SparseConfig,
)

RewardInputs = ContributionRewardInputs | LossRewardInputs
I = TypeVar("I", ContributionRewardInputs, LossRewardInputs)  # noqa: E741
C = TypeVar("C", bound=ModeConfig)


def _no_credit(inputs: RewardInputs, config: ModeConfig) -> float:
    return 0.0


def _no_drips(inputs: RewardInputs, config: ModeConfig) -> tuple[DripState, ...]:
    return ()


class Evaluation(Protocol):
    """How a mode turns any inputs into a reward, or refuses them."""

    def __call__(self, inputs: RewardInputs, config: ModeConfig) -> RewardResult:
        """Check and add up."""
        ...


@dataclass(frozen=True, slots=True)
class Mode(Generic[I, C]):
    """What a reward mode consists of."""

    name: RewardMode
    inputs: type[I]
    config: type[C]
    terms: Mapping[str, Callable[[I, C], float]]
    needs: tuple[str, ...] = ()
    """Inputs that may be None elsewhere but not here."""
    credit: Callable[[I, C], float] = _no_credit
    drips: Callable[[I, C], tuple[DripState, ...]] = _no_drips

    def __call__(self, inputs: RewardInputs, config: ModeConfig) -> RewardResult:
        """Check what was given, work out every term, add them up in order."""
        if not isinstance(inputs, self.inputs):
            raise self._refusal("inputs", f"{self.inputs.__name__}, not {type(inputs).__name__}")
        if not isinstance(config, self.config):
            raise self._refusal("config", f"a {self.config.__name__}, not {type(config).__name__}")
        for name in self.needs:
            if getattr(inputs, name) is None:
                raise self._refusal(name, "a value, not None")
        if inputs.seed is None and inputs.op not in (Op.WAIT, Op.GERMINATE):
            raise self._refusal("seed", f"the seed of {inputs.op.name}, not None")
        parts = RewardComponents(**{n: term(inputs, config) for n, term in self.terms.items()})
        total = parts.total()
        if not math.isfinite(total):
            raise MeasurementError(f"the {self.name} reward is {total}; its terms are {parts}")
        return RewardResult(total, parts, self.credit(inputs, config), self.drips(inputs, config))

    def _refusal(self, field: str, wanted: str) -> RewardError:
        return RewardError(f"{field}: the reward mode {self.name!r} needs {wanted}")


def _same_drips(inputs: ContributionRewardInputs) -> None:
    if len(inputs.drips) != len(inputs.fossil_contributions):
        raise RewardError(
            f"fossil_contributions: {len(inputs.fossil_contributions)} given for"
            f" {len(inputs.drips)} drips; give one for each, in order"
        )


def _drips_after(
    inputs: ContributionRewardInputs, config: BasicPlusConfig
) -> tuple[DripState, ...]:
    return drip.drips_after(inputs, config)


def _drip(inputs: ContributionRewardInputs, config: BasicPlusConfig) -> float:
    _same_drips(inputs)
    return drip.drip(inputs, config)


def _hindsight(inputs: ContributionRewardInputs, config: ShapedConfig) -> float:
    return inputs.hindsight_credit


_ALL_BUT_ATTRIBUTION: Final[
    dict[str, Callable[[ContributionRewardInputs, ShapedConfig], float]]
] = {
    "pbrs_bonus": potential.pbrs_steps,
    "synergy_bonus": credit.synergy_bonus,
    "compute_rent": costs.compute_rent,
    "alpha_shock": costs.alpha_shock,
    "occupancy_rent": costs.occupancy_rent,
    "fossilized_rent": costs.fossilized_rent,
    "blending_warning": costs.blending_warning,
    "holding_warning": costs.holding_warning,
    "action_shaping": acting.action_shaping,
    "fossilize_bonus": acting.fossilize_bonus,
    "germination_clawback": ending.germination_clawback,
    "auto_prune_penalty": ending.auto_prune_penalty,
    "hindsight_credit": _hindsight,
    "terminal_bonus": ending.shaped_terminal,
}

SHAPED: Final = Mode(
    "shaped",
    ContributionRewardInputs,
    ShapedConfig,
    {
        "bounded_attribution": credit.bounded_attribution,
        "ratio_penalty": credit.ratio_penalty,
        **_ALL_BUT_ATTRIBUTION,
    },
)
ESCROW: Final = Mode(
    "escrow",
    ContributionRewardInputs,
    EscrowConfig,
    {
        "escrow_delta": credit.escrow_delta,
        "escrow_forfeit": credit.escrow_forfeit,
        **_ALL_BUT_ATTRIBUTION,
    },
    credit=credit.escrow_credit,
)
SIMPLIFIED: Final = Mode(
    "simplified",
    ContributionRewardInputs,
    SimplifiedConfig,
    {
        "pbrs_bonus": potential.pbrs_whole,
        "action_shaping": acting.action_cost,
        "terminal_bonus": ending.simplified_terminal,
    },
)
BASIC: Final = Mode(
    "basic",
    ContributionRewardInputs,
    BasicConfig,
    {
        "pbrs_bonus": potential.pbrs_whole,
        "compute_rent": costs.flat_rent,
        "fossilize_bonus": acting.basic_bonus,
        "terminal_bonus": ending.basic_terminal,
    },
)
BASIC_PLUS: Final = Mode(
    "basic_plus",
    ContributionRewardInputs,
    BasicPlusConfig,
    {
        "pbrs_bonus": potential.pbrs_whole,
        "compute_rent": costs.flat_rent,
        "fossilize_bonus": acting.immediate_bonus,
        "drip": _drip,
        "terminal_bonus": ending.basic_terminal,
    },
    drips=_drips_after,
)
SPARSE: Final = Mode(
    "sparse",
    ContributionRewardInputs,
    SparseConfig,
    {"terminal_bonus": ending.sparse_terminal},
    needs=("committed_val_acc",),
)
MINIMAL: Final = Mode(
    "minimal",
    ContributionRewardInputs,
    MinimalConfig,
    {"action_shaping": acting.young_prune_cost, "terminal_bonus": ending.sparse_terminal},
    needs=("committed_val_acc",),
)
GAIN: Final = Mode(
    "gain",
    ContributionRewardInputs,
    GainConfig,
    {
        "accuracy_gain": credit.accuracy_gain,
        "pbrs_bonus": potential.pbrs_whole,
        "terminal_bonus": ending.uncommitted_accuracy,
    },
    needs=("committed_val_acc",),
)
LOSS: Final = Mode(
    "loss",
    LossRewardInputs,
    LossConfig,
    {
        "loss_progress": loss.loss_progress,
        "pbrs_bonus": loss.loss_pbrs,
        "compute_rent": loss.growth_rent,
        "terminal_bonus": loss.loss_terminal,
    },
)
_MODES: Final[dict[RewardMode, Evaluation]] = {
    "shaped": SHAPED,
    "simplified": SIMPLIFIED,
    "basic": BASIC,
    "basic_plus": BASIC_PLUS,
    "sparse": SPARSE,
    "minimal": MINIMAL,
    "escrow": ESCROW,
    "gain": GAIN,
    "loss": LOSS,
}
MODES: Final = MappingProxyType(_MODES)


def reward(mode: RewardMode, inputs: RewardInputs, config: ModeConfig) -> RewardResult:
    """The reward of one step, with the terms it is the sum of."""
    return MODES[mode](inputs, config)
