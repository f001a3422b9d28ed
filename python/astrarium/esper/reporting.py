"""What an episode tells: its epochs, decisions and endings as happenings."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

import msgspec

from astrarium.esper.contracts import anomalies as odd
from astrarium.esper.contracts import host_happenings as told
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.rewards import TERMS, RewardResult
from astrarium.esper.contracts.seeds import SeedStateReport
from astrarium.esper.contracts.stages import LIVE, Stage
from astrarium.esper.governor import Panic
from astrarium.esper.gradients import VANISHING_NORM
from astrarium.esper.ledger import CONTRIBUTING_POINTS
from astrarium.esper.masks import Reports, gradient_blocker
from astrarium.esper.seed_reporting import Cause, seed_news
from astrarium.esper.snapshots import topology_manifest

if TYPE_CHECKING:
    from astrarium.esper.episode import HostEpisode

STABILITY_EPOCHS = 3


class News:
    """What an episode has to tell: ready, or held back until its epoch has been decided on."""

    def __init__(self) -> None:
        self.held_back: list[Happening] = []
        self._ready: list[Happening] = []

    def release(self, last: list[Happening]) -> None:
        """Let out what was held back, with this at its end."""
        self._ready += [*self.held_back, *last]
        self.held_back = []

    def take(self) -> list[Happening]:
        """What has become ready since this was last asked."""
        news, self._ready = self._ready, []
        return news

    def replace_reward(self, paid: RewardResult, total: float) -> None:
        """Correct the reward of the last decision that was not taken yet.

        A rollback in the epoch after a decision changes what that decision is paid.
        """
        for at in range(len(self._ready) - 1, -1, -1):
            one = self._ready[at]
            if isinstance(one, told.LastAction):
                self._ready[at] = msgspec.structs.replace(
                    one, reward=paid.reward, reward_total=total, components=components_of(paid)
                )
                return


def components_of(paid: RewardResult) -> dict[str, float]:
    """Return the terms of a reward that are not 0, by name."""
    components = {name: getattr(paid.components, name) for name in TERMS}
    return {name: value for name, value in components.items() if value != 0.0}


def epoch_news(host: HostEpisode, before: Reports) -> list[Happening]:
    """An epoch that was trained and validated, and what is remarkable about it.

    `before` is how seeds stood before it.
    """
    news: list[Happening] = [_epoch(host)]
    validated, found = host.validated, host.attribution
    if validated is not None and found.slots:
        full = len(validated.rows) == 2 ** len(found.slots)
        news.append(
            told.CounterfactualMatrixComputed(
                epoch=host.epoch,
                slot_ids=found.slots,
                strategy="full_factorial" if full else "leave_one_out",
                configs=validated.rows,
                accuracies=validated.accuracies,
            )
        )
    if found.shapley and host.is_over:
        news.append(
            told.ShapleyComputed(
                epoch=host.epoch,
                slot_ids=found.slots,
                means=tuple(one.mean for one in found.shapley),
                stds=tuple(one.std for one in found.shapley),
                samples=found.shapley[0].samples,
            )
        )
    cause = Cause(host.epoch, before, host.reports(), None, initiator="governor")
    lost = seed_news(host.network.take_events(), cause)
    return [*news, *_gradients(host, before), *lost]


def _epoch(host: HostEpisode) -> told.EpochCompleted:
    found, network = host.attribution, host.network
    trained = host.trained
    assert trained is not None, "no epoch has been trained yet"
    unit = host.data.epoch_macs(network.host_macs, 1)
    budget = host.rules.budget_macs
    return told.EpochCompleted(
        epoch=host.epoch,
        val_accuracy=found.accuracy,
        val_loss=host.signals.val_loss,
        train_accuracy=trained.accuracy,
        train_loss=trained.loss,
        host_accuracy=found.accuracy - found.counterfactual_total,
        committed_accuracy=found.committed_accuracy,
        counterfactual_total=found.counterfactual_total if found.slots else None,
        host_params=network.host_params,
        total_params=network.total_params,
        param_ratio=network.total_params / network.host_params,
        spent_epochs=host.spent_macs / unit,
        budget_epochs=None if budget is None else budget / unit,
        plateau_epochs=host.signals.plateau_epochs,
        stabilised=host.signals.stabilised,
        seeds=tuple(_seen(host, one) for one in host.reports() if one is not None),
    )


def _seen(host: HostEpisode, report: SeedStateReport) -> told.SeedSeen:
    found, metrics = host.attribution, report.metrics
    worth = None
    if report.slot_id in found.slots:
        worth = found.contributions[found.slots.index(report.slot_id)]
    return told.SeedSeen(
        slot_id=report.slot_id,
        seed_id=report.seed_id,
        blueprint=report.blueprint_id,
        stage=report.stage.name,
        epochs_in_stage=metrics.epochs_in_current_stage,
        age_epochs=report.age_epochs,
        alpha=report.alpha.alpha,
        alpha_target=report.alpha.target,
        alpha_mode=report.alpha.mode.name,
        blend=report.blend.name,
        params=metrics.seed_param_count,
        contribution=worth,
        accuracy_without=None if worth is None else found.accuracy - worth,
        interaction_sum=metrics.interaction_sum,
        gradient_norm=None if metrics.gradients is None else finite(metrics.gradients.norm),
        gradient_health=None if metrics.gradients is None else metrics.gradients.health,
        isolation_violations=metrics.isolation_violations,
    )


def _gradients(host: HostEpisode, before: Reports) -> list[Happening]:
    news: list[Happening] = []
    reports = host.reports()
    for at, report in enumerate(reports):
        found = None if report is None else report.metrics.gradients
        if report is None or found is None:
            continue
        # A fossil that learns no more is done; of other seeds the first such epoch is enough.
        now, then = _has_vanished(report), _has_vanished(before[at], report.seed_id)
        if report.stage in LIVE and now and not then:
            news.append(
                odd.GradientVanished(
                    epoch=host.epoch,
                    slot_id=report.slot_id,
                    seed_id=report.seed_id,
                    norm=found.norm,
                    health=found.health,
                    blocked_by=gradient_blocker(host.growth_rules, reports, at),
                )
            )
        if found.exploding:
            news.append(
                odd.GradientPathologyDetected(
                    epoch=host.epoch,
                    slot_id=report.slot_id,
                    seed_id=report.seed_id,
                    norm=finite(found.norm),
                    health=found.health,
                )
            )
    return news


def _has_vanished(report: SeedStateReport | None, seed_id: str = "") -> bool:
    """Return whether all gradients of a seed are zero; `seed_id` must be its own where given.

    A single tensor may begin without a gradient, behind another that begins with zeros.
    """
    if report is None or report.metrics.gradients is None:
        return False
    return report.metrics.gradients.norm < VANISHING_NORM and seed_id in ("", report.seed_id)


def manifest_news(host: HostEpisode) -> told.TopologyManifestRecorded:
    """What a host consists of for good."""
    parts = tuple(
        told.ManifestPart(
            slot_id=one.slot_id,
            blueprint=one.blueprint_id,
            blend=one.blend.name,
            params=one.metrics.seed_param_count,
        )
        for one in _fossils(host.reports())
    )
    return told.TopologyManifestRecorded(
        epoch=host.epoch,
        manifest_hash=topology_manifest(host.network),
        host=host.data.spec.name,
        host_params=host.network.host_params,
        parts=parts,
    )


def _fossils(reports: Reports) -> list[SeedStateReport]:
    return [one for one in reports if one is not None and one.stage is Stage.FOSSILIZED]


def rollback_news(
    host: HostEpisode, panic: Panic, before: Reports, emptied: tuple[str, ...]
) -> list[Happening]:
    """A host that was put back, what went with it, and the end of its episode."""
    news: list[Happening] = []
    if panic.reason == "governor_nan":
        news.append(odd.NumericalInstabilityDetected(epoch=host.epoch))
    cause = Cause(host.epoch, before, host.reports(), None, initiator="governor")
    news += seed_news(host.network.take_events(), cause)
    news.append(
        odd.GovernorRollback(
            epoch=host.epoch,
            reason=panic.reason,
            loss=finite(panic.loss),
            threshold=finite(panic.threshold),
            panics=panic.panics,
            pruned_slots=emptied,
        )
    )
    if host.signals.accuracies:
        news.append(outcome_news(host, rolled_back=True, reward=host.ledger.total))
    return news


def outcome_news(host: HostEpisode, *, rolled_back: bool, reward: float) -> told.EpisodeOutcome:
    """What an episode came to."""
    network, reports = host.network, host.reports()
    fossils = _fossils(reports)
    worth = [one.metrics.counterfactual_contribution or 0.0 for one in fossils]
    inside = sum(one is not None and one.stage in LIVE for one in reports) + len(fossils)
    germinated = network.clock.germinations - len(host.rules.planted)
    accuracy = host.signals.val_accuracy
    return told.EpisodeOutcome(
        epoch=host.epoch,
        outcome_type="rolled_back" if rolled_back else "finished",
        episode_seed=host.seed,
        final_accuracy=accuracy,
        committed_accuracy=host.attribution.committed_accuracy,
        param_ratio=network.total_params / network.host_params,
        num_fossilized=len(fossils),
        num_contributing_fossilized=sum(one >= CONTRIBUTING_POINTS for one in worth),
        episode_reward=reward,
        stability_score=1.0
        - statistics.pstdev(host.signals.accuracies[-STABILITY_EPOCHS:]) / 100.0,
        reward_mode=host.rules.reward_mode,
        spent_epochs=host.spent_macs / host.data.epoch_macs(network.host_macs, 1),
        germinated=germinated,
        pruned=germinated + len(host.rules.planted) - inside,
        succeeded=accuracy >= told.SUCCESS_ACCURACY,
    )


def finite(value: float) -> float | None:
    """A figure, or nothing where it is not a number."""
    return value if math.isfinite(value) else None
