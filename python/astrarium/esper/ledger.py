"""The accounts of one episode: what each step earned, and what must be remembered for the next."""

from __future__ import annotations

from dataclasses import dataclass

from astrarium.esper.attribution import Attribution
from astrarium.esper.contracts.actions import ActionOutcome
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import (
    ContributionRewardInputs,
    DripState,
    LossRewardInputs,
    RewardMode,
    RewardResult,
    SeedInfo,
)
from astrarium.esper.contracts.seeds import SeedStateReport
from astrarium.esper.contracts.stages import COOLING, LIVE, Stage
from astrarium.esper.masks import Reports
from astrarium.esper.rewards.configs import ModeConfig
from astrarium.esper.rewards.dispatcher import reward
from astrarium.esper.rewards.ending import rollback_result
from astrarium.esper.rewards.hindsight import Boost, scaffold_credits
from astrarium.esper.rewards.infos import alpha_delta_sq_sum, effective_seed_params, seed_info
from astrarium.esper.signals import TrainingSignals

CONTRIBUTING_POINTS = 1.0
"""A fossil that is worth less does not count as contributing."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A host after its validation, before its action."""

    attribution: Attribution
    val_loss: float
    signals: TrainingSignals
    reports: Reports
    epoch: int
    max_epochs: int
    host_params: int
    total_params: int


class Ledger:
    """Turns outcomes into rewards."""

    def __init__(self, mode: RewardMode, config: ModeConfig, gamma: float) -> None:
        self.mode: RewardMode = mode
        self.config, self.gamma = config, gamma
        self.baseline: float | None = None
        """The accuracy of the first epoch."""
        self.infos: dict[str, SeedInfo] = {}
        """By slot, as they stood a step ago."""
        self.credits: dict[str, float] = {}
        """Escrow accounts, by seed."""
        self.drips: tuple[DripState, ...] = ()
        self.boosts: dict[str, Boost] = {}
        """The most each seed was seen to add to another, by the one it helped."""
        self.total = 0.0
        self._last = 0.0
        """What the last decision earned."""

    def earn(self, outcome: ActionOutcome, before: Reports, standing: Standing) -> RewardResult:
        """The reward of one action, on the host as it stood before it."""
        if self.baseline is None:
            self.baseline = standing.attribution.accuracy
        infos = self._infos(before, standing)
        self._note_boosts(infos, standing)
        op = outcome.effective_op if outcome.action_success else Op.WAIT
        acted = infos.get(outcome.asked.slot_id) if op is not Op.WAIT else _oldest_live(infos)
        if op is Op.GERMINATE:
            acted = None
        lost = any(one is not None and self._is_newly_lost(one) for one in before)
        inputs = self._inputs(op, outcome, acted, infos, standing, lost)
        result = reward(self.mode, inputs, self.config)
        self._remember(op, acted, infos, result)
        return result

    def roll_back(self) -> RewardResult:
        """Return the penalty of a rollback, which takes the place of the last decision's reward."""
        penalty = rollback_result()
        self.total += penalty.reward - self._last
        self._last = penalty.reward
        return penalty

    def _is_newly_lost(self, report: SeedStateReport) -> bool:
        """Return whether the governor pruned this seed since the last decision."""
        before = self.infos.get(report.slot_id)
        if before is None or before.seed_id != report.seed_id:
            return False
        return before.stage in LIVE and _pruned_by_governor(report)

    def _inputs(
        self,
        op: Op,
        outcome: ActionOutcome,
        seed: SeedInfo | None,
        infos: dict[str, SeedInfo],
        standing: Standing,
        lost: bool,
    ) -> ContributionRewardInputs | LossRewardInputs:
        others = tuple(info for info in infos.values() if info is not seed)
        losses, accuracies = standing.signals.losses, standing.signals.accuracies
        if self.mode == "loss":
            return LossRewardInputs(
                op=op,
                action_success=outcome.action_success,
                seed=seed,
                others=others,
                val_loss=standing.val_loss,
                loss_delta=losses[-1] - losses[-2] if len(losses) > 1 else 0.0,
                epoch=standing.epoch,
                max_epochs=standing.max_epochs,
                host_params=standing.host_params,
                total_params=standing.total_params,
            )
        fossils = [one for one in standing.reports if one and one.stage is Stage.FOSSILIZED]
        worth = {one.seed_id: one.metrics.counterfactual_contribution or 0.0 for one in fossils}
        held = self.credits.get(seed.seed_id, 0.0) if seed else 0.0
        return ContributionRewardInputs(
            op=op,
            action_success=outcome.action_success,
            seed=seed,
            others=others,
            val_acc=standing.attribution.accuracy,
            acc_delta=accuracies[-1] - accuracies[-2] if len(accuracies) > 1 else 0.0,
            host_baseline_acc=self.baseline or 0.0,
            epoch=standing.epoch,
            max_epochs=standing.max_epochs,
            host_params=standing.host_params,
            total_params=standing.total_params,
            effective_seed_params=effective_seed_params(standing.reports, standing.host_params),
            alpha_delta_sq_sum=alpha_delta_sq_sum(standing.reports),
            committed_val_acc=standing.attribution.committed_accuracy,
            fossilized_seed_params=sum(one.metrics.seed_param_count for one in fossils),
            num_fossilized_seeds=len(fossils),
            num_contributing_fossilized=sum(one >= CONTRIBUTING_POINTS for one in worth.values()),
            n_active_seeds=sum(one is not None and one.stage in LIVE for one in standing.reports),
            stable_val_acc=standing.signals.stable_accuracy,
            escrow_credit_prev=held,
            escrow_credit_others=sum(self.credits.values()) - held,
            drips=self.drips,
            fossil_contributions=tuple(worth.get(drip.seed_id, 0.0) for drip in self.drips),
            auto_pruned=lost,
            hindsight_credit=self._hindsight(op, seed, standing.epoch),
        )

    def _infos(self, reports: Reports, standing: Standing) -> dict[str, SeedInfo]:
        total = standing.attribution.counterfactual_total if standing.attribution.slots else None
        return {
            report.slot_id: seed_info(
                report, self.infos.get(report.slot_id), total, _pruned_by_governor(report)
            )
            for report in reports
            if report is not None
        }

    def _note_boosts(self, infos: dict[str, SeedInfo], standing: Standing) -> None:
        """Which seed was seen to help which."""
        found = standing.attribution
        for at, row in enumerate(found.interactions):
            helped = infos.get(found.slots[at])
            for other, worth in enumerate(row):
                scaffold = infos.get(found.slots[other])
                if other == at or helped is None or scaffold is None or worth <= 0.0:
                    continue
                known = self.boosts.get(helped.seed_id)
                if known is None or worth > known.boost:
                    self.boosts[helped.seed_id] = Boost(scaffold.seed_id, worth, standing.epoch)

    def _hindsight(self, op: Op, seed: SeedInfo | None, epoch: int) -> float:
        if op is not Op.FOSSILIZE or seed is None or seed.seed_id not in self.boosts:
            return 0.0
        boosts = (self.boosts[seed.seed_id],)
        given = scaffold_credits(boosts, seed.total_improvement, epoch, self.gamma)
        return sum((one.credit for one in given), 0.0)

    def _remember(
        self, op: Op, seed: SeedInfo | None, infos: dict[str, SeedInfo], result: RewardResult
    ) -> None:
        self.infos = infos
        self.drips = result.drips
        self.total += result.reward
        self._last = result.reward
        if seed is not None and self.mode == "escrow":
            self.credits[seed.seed_id] = result.escrow_credit


def _oldest_live(infos: dict[str, SeedInfo]) -> SeedInfo | None:
    """The seed a step of waiting is about."""
    live = [info for info in infos.values() if info.stage in LIVE]
    return max(live, key=lambda info: info.seed_age_epochs, default=None)


def _pruned_by_governor(report: SeedStateReport) -> bool:
    return report.stage in COOLING and report.prune_reason not in (None, "policy")
