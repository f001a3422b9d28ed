"""The constants of every reward mode, each in one frozen place.

Costs and penalties are written as what they take away, so every figure here is at least 0.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Annotated, Final, Literal

import pydantic
from pydantic import Field

from astrarium.esper.contracts.rewards import RewardMode
from astrarium.esper.contracts.stages import Stage

Amount = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Above = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]
Epochs = Annotated[int, Field(ge=0)]

STAGE_POTENTIAL: Final = MappingProxyType(
    {
        Stage.GERMINATED: 1.0,
        Stage.TRAINING: 2.0,
        Stage.BLENDING: 3.5,
        Stage.HOLDING: 5.5,
        Stage.FOSSILIZED: 6.0,
    }
)
"""How far along a seed is; 0 in every stage not named."""


class RewardSection(pydantic.BaseModel):
    """Constants that are never changed while a run lasts."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class PotentialConfig(RewardSection):
    """Shaping by potential, the only shaping that leaves the best policy as it is."""

    gamma: Annotated[float, Field(gt=0.0, le=1.0)] = 0.995
    """Must be the learner's own discount, or shaping is no longer neutral."""
    weight: Amount = 0.3
    epoch_step: Amount = 0.3
    """Potential gained per epoch within a stage."""
    epoch_max: Amount = 2.0


class ContributionConfig(RewardSection):
    """What the contribution family shares."""

    potential: PotentialConfig = PotentialConfig()
    disable_pbrs: bool = False
    disable_terminal_reward: bool = False
    disable_anti_gaming: bool = False
    disable_timing_discount: bool = False


class ShapedConfig(ContributionConfig):
    """Attribution, shaping, rents, warnings and a price for every action."""

    formula: Literal["harmonic", "min", "geometric"] = "harmonic"
    """How progress bounds a contribution that exceeds it."""
    unknown_progress_share: Share = 0.5
    unmeasured_share: Share = 0.3
    """Of the gain in stage, while a blended seed has no counterfactual yet."""
    regression_steepness: Amount = 3.0
    timing_floor: Share = 0.4
    """Discount of a seed germinated at epoch 0."""
    timing_epochs: Annotated[int, Field(ge=1)] = 10
    """Germination epoch from which nothing is discounted."""

    ratio_contribution_min: Amount = 1.0
    ratio_total_min: Above = 0.1
    ratio_limit: Above = 5.0
    ratio_slope: Amount = 0.1
    ratio_penalty_max: Amount = 0.3
    ratio_contribution_full: Above = 10.0
    synergy_max: Amount = 0.1
    synergy_scale: Amount = 0.5

    rent_weight: Amount = 0.5
    rent_max: Amount = 1.5
    host_params_min: Annotated[int, Field(ge=1)] = 200
    """Smaller hosts count as this large, or any seed would ruin them."""
    shock_weight: Amount = 0.1958
    shock_max: Amount = 1.0
    occupancy_free: Epochs = 1
    occupancy_rent: Amount = 0.01
    fossil_rent: Amount = 0.002
    blending_warning: Amount = 0.1
    holding_warning: Amount = 0.1
    holding_grace_epochs: Epochs = 2
    warning_step: Amount = 0.05
    warning_max: Amount = 0.3

    germinate_cost: Amount = 0.15
    germinate_occupied_cost: Amount = 0.3
    advance_training_cost: Amount = 0.1
    retarget_cost: Amount = 0.005

    fossilize_cost: Amount = 0.01
    fossilize_contribution_min: Amount = 1.0
    fossilize_base: Amount = 0.5
    fossilize_per_point: Amount = 0.1
    fossilize_terminal: Amount = 3.0 * math.tanh(1.0 / 3.0)
    fossilize_idle_cost: Amount = 0.2
    fossilize_harm_cost: Amount = 0.5
    fossilize_harm_per_point: Amount = 0.2
    fossilize_harm_max: Amount = 1.0
    fossilize_ransom_cost: Amount = 0.3
    fossilize_invalid_cost: Amount = 1.0
    holding_epochs_full: Annotated[int, Field(ge=1)] = 5
    """Epochs of holding after which the whole bonus is paid."""

    prune_cost: Amount = 0.005
    prune_harmful_below: Amount = 0.5
    """A contribution further below 0 than this is harm beyond doubt."""
    prune_harmful_bonus: Amount = 0.15
    prune_hasty_epochs: Epochs = 3
    prune_hasty_cost: Amount = 0.1
    prune_doubtful_bonus: Amount = 0.1
    prune_useful_cost: Amount = 0.3
    prune_useful_per_point: Amount = 0.05
    prune_useful_max: Amount = 0.9
    prune_young_epochs: Epochs = 5
    prune_young_per_epoch: Amount = 0.3
    prune_fossil_cost: Amount = 1.0

    auto_prune_cost: Amount = 0.2
    terminal_per_point: Amount = 0.05


class EscrowConfig(ShapedConfig):
    """Shaped, but attribution is credit that must be kept to be earned."""

    formula: Literal["harmonic", "min", "geometric"] = "geometric"
    escrow_step_max: Above = 2.0


class SimplifiedConfig(ContributionConfig):
    """Potential, a price per action, and the end."""

    action_cost: Amount = 0.01
    terminal_accuracy: Amount = 3.0
    terminal_per_fossil: Amount = 2.0


class BasicConfig(ContributionConfig):
    """Potential, rent, a bonus for committing, and the gain at the end."""

    rent_weight: Amount = 0.1
    rent_params: Above = 500_000.0
    fossilize_contribution_min: Amount = 1.0
    fossilize_base: Amount = 0.3
    fossilize_per_point: Amount = 0.5
    fossilize_harm_contribution: Amount = 0.1
    fossilize_harm_cost: Amount = 0.5
    fossilize_idle_cost: Amount = 0.2
    holding_epochs_full: Annotated[int, Field(ge=1)] = 5
    terminal_gain: Amount = 5.0


class BasicPlusConfig(BasicConfig):
    """Basic, but most of the bonus is paid while the fossil proves itself."""

    drip_share: Share = 0.7
    drip_epochs_min: Annotated[int, Field(ge=1)] = 5
    drip_loss_max: Amount = 0.05
    drip_gain_max: Amount = 0.1


class SparseConfig(RewardSection):
    """What is committed at the end, and nothing before it."""

    disable_terminal_reward: bool = False
    rent_weight: Amount = 0.1
    rent_params: Above = 500_000.0
    limit: Above = 1.0


class MinimalConfig(SparseConfig):
    """Sparse, with a price for giving up on a seed too early."""

    prune_young_epochs: Epochs = 5
    prune_young_cost: Amount = 0.1


class GainConfig(ContributionConfig):
    """Every point of accuracy, when it is gained, as long as it is committed in the end."""

    per_point: Amount = 0.3
    """Much more than the potential of a fossil is worth, or a count of fossils would be grown."""


class LossConfig(RewardSection):
    """The loss family; the defaults are those for images."""

    potential: PotentialConfig = PotentialConfig()
    disable_pbrs: bool = False
    disable_terminal_reward: bool = False
    progress_weight: Amount = 5.0
    sigma: Above = 0.05
    progress_max: Above = 5.0
    """In standard deviations."""
    worsening_share: Share = 0.5
    rent_weight: Amount = 0.05
    rent_max: Amount = 5.0
    rent_grace_epochs: Epochs = 3
    pbrs_share: Amount = 0.1
    baseline: float = 2.3
    target: float = 0.3

    @pydantic.model_validator(mode="after")
    def _target_below_baseline(self) -> LossConfig:
        if not self.target < self.baseline:
            raise ValueError(f"target {self.target} must lie below baseline {self.baseline}")
        return self


LANGUAGE_LOSS: Final = LossConfig(sigma=0.15, rent_weight=0.01, baseline=10.8, target=3.5)

ModeConfig = (
    ShapedConfig
    | SimplifiedConfig
    | BasicConfig
    | SparseConfig
    | EscrowConfig
    | GainConfig
    | LossConfig
)
_CONFIGS: Final[dict[RewardMode, type[ModeConfig]]] = {
    "shaped": ShapedConfig,
    "simplified": SimplifiedConfig,
    "basic": BasicConfig,
    "basic_plus": BasicPlusConfig,
    "sparse": SparseConfig,
    "minimal": MinimalConfig,
    "escrow": EscrowConfig,
    "gain": GainConfig,
    "loss": LossConfig,
}
CONFIGS: Final = MappingProxyType(_CONFIGS)
"""The config of each mode."""
