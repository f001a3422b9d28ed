"""What a decision tells: what was asked, judged, done and earned, as happenings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from astrarium.esper.contracts import anomalies as odd
from astrarium.esper.contracts import host_happenings as told
from astrarium.esper.contracts.actions import ActionOutcome, ActionSpec, LifecycleMutationVerdict
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.heads import HEADS, Op
from astrarium.esper.contracts.lifecycle import LifecycleEvent
from astrarium.esper.contracts.rewards import RewardResult
from astrarium.esper.contracts.stages import LIVE
from astrarium.esper.masks import Masks, Reports, forced_heads
from astrarium.esper.reporting import components_of, finite, manifest_news
from astrarium.esper.rewards.suspicion import suspicions
from astrarium.esper.seed_reporting import Cause, seed_news

if TYPE_CHECKING:
    from astrarium.esper.episode import HostEpisode

Station = Literal["proposal", "verdict", "mutation", "watch"]


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything about one decision that is told of it."""

    before: Reports
    legal: Masks
    verdict: LifecycleMutationVerdict
    outcome: ActionOutcome
    earned: RewardResult
    observation_hash: str
    """Empty for WAIT, which changes nothing."""
    by_action: tuple[LifecycleEvent, ...]
    by_itself: tuple[LifecycleEvent, ...]
    """What the end of the epoch did to seeds."""


def decision_news(host: HostEpisode, made: Decision) -> list[Happening]:
    """A decision from its proposal to what it earned."""
    outcome, news = made.outcome, list[Happening]()
    acts = bool(made.observation_hash)
    if acts:
        news.append(station(host, "proposal", outcome, made.observation_hash))
        news.append(station(host, "verdict", outcome, made.observation_hash, made.verdict))
    total = host.attribution.counterfactual_total if host.attribution.slots else None
    by_itself = Cause(host.epoch, made.before, host.reports(), total)
    caused = replace(by_itself, action_id=outcome.action_id, initiator=outcome.initiator)
    news += seed_news(made.by_action, caused)
    if acts and made.verdict.approved:
        news.append(station(host, "mutation", outcome, made.observation_hash))
    news += seed_news(made.by_itself, by_itself)
    if outcome.action_success and outcome.effective_op is Op.FOSSILIZE:
        news.append(manifest_news(host))
    return [*news, *action_news(host, made.legal, outcome, made.earned)]


def action_news(
    host: HostEpisode, legal: Masks, outcome: ActionOutcome, earned: RewardResult
) -> list[Happening]:
    """What was decided and what it earned, and seeds that look better than they are."""
    spec = outcome.asked
    chosen = {head.name: spec.op in head.ops for head in HEADS}
    action = told.LastAction(
        epoch=host.epoch,
        action_id=outcome.action_id,
        initiator=outcome.initiator,
        op=spec.op.name,
        slot_id=spec.slot_id,
        blueprint=spec.blueprint if chosen["blueprint"] else None,
        style=spec.style.name if chosen["style"] else None,
        tempo=spec.tempo.name if chosen["tempo"] else None,
        alpha_target=spec.alpha_target.name if chosen["alpha_target"] else None,
        alpha_speed=spec.alpha_speed.name if chosen["alpha_speed"] else None,
        alpha_curve=spec.alpha_curve.name if chosen["alpha_curve"] else None,
        success=outcome.action_success,
        effective_op=outcome.effective_op.name,
        reason=outcome.reason,
        legal_ops=tuple(op.name for op in Op if op is Op.WAIT or any(legal.slot_by_op[op])),
        forced_heads=forced_heads(legal),
        reward=earned.reward,
        reward_total=host.ledger.total,
        components=components_of(earned),
    )
    suspects = [
        odd.RewardHackingSuspected(
            epoch=host.epoch,
            slot_id=one.slot_id,
            seed_id=one.seed_id,
            pattern=one.pattern,
            contribution=one.contribution,
            counterfactual_total=one.counterfactual_total,
            severity=one.severity,
        )
        for info in host.ledger.infos.values()
        if info.stage in LIVE
        for one in suspicions(info)
    ]
    return [*suspects, action]


def station(
    host: HostEpisode,
    name: Station,
    outcome: ActionOutcome,
    seen: str,
    verdict: LifecycleMutationVerdict | None = None,
) -> told.CausalLog:
    """One station of an action on its way."""
    spec = outcome.asked
    approved = None if name == "proposal" else outcome.action_success
    reason, factor = ("" if name == "proposal" else outcome.reason), ""
    if verdict is not None:
        approved, reason, factor = verdict.approved, verdict.reason, verdict.blocked_factor
    return told.CausalLog(
        epoch=host.epoch,
        action_id=outcome.action_id,
        station=name,
        op=spec.op.name,
        slot_id=spec.slot_id,
        blueprint=spec.blueprint,
        initiator=outcome.initiator,
        observation_hash=seen,
        approved=approved,
        reason=reason,
        blocked_factor=factor,
        val_accuracy=finite(host.attribution.accuracy),
        val_loss=None if host.validated is None else finite(host.validated.loss),
    )


def action_id(epoch: int, spec: ActionSpec) -> str:
    """The name of an action; round and host are filled in by those who know them."""
    where = spec.slot_id or "none"
    return f"morph-b{{round}}-e{epoch}-env{{env}}-{where}-op{int(spec.op)}"
