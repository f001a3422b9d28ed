"""One host, from its first weights to the end of its episode.

An epoch is four phases: train, validate, decide, commit. The first two are `proceed`; the decision
is made outside, by a controller or a policy, and `decide` carries it out and rewards it.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import math
from dataclasses import dataclass, field

from astrarium.esper.aggregation import Aggregation
from astrarium.esper.attribution import (
    INTERACTIONS_MAX,
    AlphaConfigurations,
    Attribution,
    configurations,
)
from astrarium.esper.building import build_host
from astrarium.esper.contracts.actions import (
    ActionOutcome,
    ActionSpec,
)
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.rewards import RewardMode, RewardResult
from astrarium.esper.contracts.seeds import EpochMeasurement, SeedMeasurement
from astrarium.esper.contracts.stages import ACTIVE, BLENDED, Stage
from astrarium.esper.decision_reporting import Decision, action_id, decision_news, station
from astrarium.esper.descent import Rates
from astrarium.esper.governor import Panic, VitalLimits, VitalSigns, examine, judge
from astrarium.esper.host_view import HostView
from astrarium.esper.isolation import IsolationMonitor
from astrarium.esper.launching import Launcher
from astrarium.esper.ledger import Ledger, Standing
from astrarium.esper.masks import Budget, GrowthRules, Masks, Reports, masks
from astrarium.esper.network import GrownNetwork, GrowthConfig, Planted
from astrarium.esper.phases import (
    Parting,
    TaskData,
    Trained,
    Validated,
    train_epoch,
    validate,
)
from astrarium.esper.reporting import News, epoch_news, outcome_news, rollback_news
from astrarium.esper.rewards.configs import CONFIGS, ModeConfig, SparseConfig
from astrarium.esper.seed_state import LifecycleRules
from astrarium.esper.signals import SignalSettings, TrainingSignals, beginning, update
from astrarium.esper.snapshots import Anchor, anchor, roll_back
from astrarium.esper.telling import observation_hash
from astrarium.train.streams import stream


@dataclass(frozen=True, slots=True)
class EpisodeRules:
    """What all episodes of a run have in common."""

    max_epochs: int = 60
    reward_mode: RewardMode = "shaped"
    reward: ModeConfig | None = None
    """The constants of the mode; its own unless told."""
    lifecycle: LifecycleRules = field(default_factory=LifecycleRules)
    seed_limit: int = 3
    disabled: frozenset[str] = frozenset()
    gamma: float = 0.995
    budget_macs: float | None = None
    """What may be computed in all; without it only epochs count."""
    strict_isolation: bool = False
    """Whether the first isolation violation stops the run; otherwise it is counted, and a seed
    that is not finite is pruned."""
    lift_fossil_isolation: bool = False
    """Whether layers before a fossil in a cnn learn through it."""
    planted: tuple[Planted, ...] = ()
    aggregation: Aggregation | None = None
    """Whether and how batches are parted; without it, a batch has one gradient."""

    def reward_config(self) -> ModeConfig:
        """The constants of the reward; shaping is neutral only with the learner's own discount."""
        config = CONFIGS[self.reward_mode]() if self.reward is None else self.reward
        if isinstance(config, SparseConfig):
            return config
        shaping = config.potential.model_copy(update={"gamma": self.gamma})
        return config.model_copy(update={"potential": shaping})


class HostEpisode:
    """A host that is trained, looked at and changed, epoch after epoch."""

    def __init__(
        self, data: TaskData, rules: EpisodeRules, seed: int, launcher: Launcher | None = None
    ) -> None:
        """Hosts that are to train at the same time need launchers of different numbers."""
        spec = data.spec
        self.launcher = launcher or Launcher(data.device, data.graphs)
        self.data, self.rules, self.seed = data, rules, seed
        host = build_host(spec.host, stream(seed, "esper.host"), data.device)
        training = spec.training
        growth = GrowthConfig(
            rules=rules.lifecycle,
            rates=Rates(
                host_lr=training.lr,
                seed_lr=training.lr,
                momentum=training.momentum,
                host_decay=training.weight_decay,
                clip=training.clip,
            ),
            disabled=rules.disabled,
            lift_fossil_isolation=rules.lift_fossil_isolation,
            planted=rules.planted,
        )
        # Nothing an episode remembers may come from a clock, or it could not be run again.
        self.network = GrownNetwork(host, data.train.inputs[:1], seed, growth, lambda: 0.0)
        self.growth_rules = GrowthRules(
            slots=self.network.slot_ids,
            enabled=tuple(slot not in rules.disabled for slot in self.network.slot_ids),
            topology=spec.topology,
            seed_limit=rules.seed_limit,
            advance_enabled=len(rules.lifecycle.auto_forward) < 3,
            min_prune_age=rules.lifecycle.min_prune_age,
            forward_order=self.network.host.execution_order(),
            lift_fossil_isolation=rules.lift_fossil_isolation,
        )
        self.settings = SignalSettings(
            plateau_gain=spec.plateau_points, stable_epochs=spec.stable_epochs
        )
        self.signals: TrainingSignals = beginning(self.settings)
        self.limits = VitalLimits(math.log(spec.classes), spec.loss_limit)
        self.vitals = VitalSigns()
        self.monitor = IsolationMonitor(rules.strict_isolation)
        self.ledger = Ledger(rules.reward_mode, rules.reward_config(), rules.gamma)
        self.epoch = 0
        self.spent_macs = 0.0
        self.trained: Trained | None = None
        self.validated: Validated | None = None
        self.last_op: Op | None = None
        self.last_success = False
        self.anchor: Anchor | None = None
        self.news = News()
        self._watched: tuple[ActionOutcome, str] | None = None
        """What was done before this epoch, and a hash of what it was done upon."""

    # Train and validate

    def proceed(self) -> Panic | None:
        """One epoch of training, its validation, and what follows from both.

        A panic means that the host was rolled back and the episode is over.
        """
        self.train()
        return self.judge()

    def train(self) -> None:
        """The first phase: every training sample once."""
        self.epoch += 1
        network, data, launcher = self.network, self.data, self.launcher
        with launcher.alone():
            self.trained = train_epoch(
                network, data, self.seed, self.epoch, self.monitor, launcher, self._parting()
            )

    def _parting(self) -> Parting | None:
        rules, last = self.rules.aggregation, self.trained and self.trained.aggregation
        return None if rules is None else Parting(rules, last.shares() if last else {})

    def judge(self) -> Panic | None:
        """The second phase: validate what was trained, and take it in or roll it back."""
        assert self.trained is not None, "there is nothing to validate before training"
        before, asked = self.reports(), self._asked()
        self.spent_macs += self._epoch_macs(len(asked.rows))
        with self.launcher.alone():
            validated = validate(self.network, self.data.validation, asked, self.launcher)
        self.vitals, panic = examine(self.vitals, validated.loss, self.limits)
        if panic is None or self.validated is None:
            # A rollback returns to the epoch before, and so do the figures of the host.
            self.validated = validated
        if panic is None:
            self._take_in(self.trained, validated)
            self.news.held_back += epoch_news(self, before)
            self.anchor = anchor(self.network)
        if self._watched is not None:
            self.news.held_back.append(station(self, "watch", *self._watched))
            self._watched = None
        if panic is not None:
            self.news.replace_reward(self.ledger.roll_back(), self.ledger.total)
            to = self.anchor
            emptied = () if to is None else roll_back(self.network, to, panic.reason)
            self.news.release(rollback_news(self, panic, before, emptied))
        return panic

    def _asked(self) -> AlphaConfigurations:
        states = self.network.states()
        active = [state.slot_id for state in states if state.stage in BLENDED]
        fossils = [state.slot_id for state in states if state.stage is Stage.FOSSILIZED]
        # Of so few seeds every combination is validated anyway.
        free = 0 < len(active) <= INTERACTIONS_MAX
        draws = stream(self.seed, "esper.shapley", self.epoch) if free else None
        return configurations(active, fossils, draws)

    def _take_in(self, trained: Trained, validated: Validated) -> None:
        found = validated.attribution
        self.signals = update(self.signals, validated.loss, found.accuracy, self.settings)
        places = {slot: at for at, slot in enumerate(found.slots)}
        seeds: list[SeedMeasurement] = []
        for state in self.network.states():
            slot = state.slot_id
            if state.stage not in ACTIVE:
                continue
            at, gradients = places.get(slot), trained.gradients.get(slot)
            seeds.append(
                SeedMeasurement(
                    slot,
                    contribution=None if at is None else found.contributions[at],
                    interaction_sum=0.0 if at is None else found.interaction_sums[at],
                    boost_received=0.0 if at is None else found.boosts[at],
                    gradients=None if gradients is None else gradients.health,
                    gradient_ratio=None if gradients is None else gradients.ratio,
                )
            )
        self.network.measure(EpochMeasurement(self.epoch, found.accuracy, tuple(seeds)))

    # Decide and commit

    def decide(
        self, spec: ActionSpec, initiator: str = "policy", *, illegal: bool = False
    ) -> tuple[ActionOutcome, RewardResult]:
        """Carry an action out if it may be, end the epoch, and say what it earned.

        `illegal` says that what was asked for cannot be written down as an action.
        """
        before = self.reports()
        legal = masks(self.growth_rules, before, self.budget())
        standing, ends = self._standing(before), self.is_over
        seen = observation_hash(self) if spec.op is not Op.WAIT else ""
        verdict = judge(spec, self.growth_rules, before, self.budget(), self.signals, illegal)
        asked = spec if verdict.approved else ActionSpec(Op.WAIT, "")
        name = action_id(self.epoch, spec)
        outcome = self.network.apply(asked, action_id=name, initiator=initiator)
        if not verdict.approved:
            outcome = ActionOutcome(name, spec, Op.WAIT, False, verdict.reason, initiator)
        by_action = self.network.take_events()
        self.network.tick()
        earned = self.ledger.earn(outcome, before, standing)
        self.last_op, self.last_success = spec.op, outcome.action_success
        by_itself = self.network.take_events()
        made = Decision(before, legal, verdict, outcome, earned, seen, by_action, by_itself)
        ending = [outcome_news(self, rolled_back=False, reward=self.ledger.total)] if ends else []
        self.news.release([*decision_news(self, made), *ending])
        self._watched = (outcome, seen) if seen and outcome.action_success else None
        return outcome, earned

    def take_news(self) -> list[Happening]:
        """What is to be told since this was last asked: whole epochs, each with its decision."""
        return self.news.take()

    def _standing(self, reports: Reports) -> Standing:
        assert self.validated is not None
        return Standing(
            attribution=self.validated.attribution,
            val_loss=self.validated.loss,
            signals=self.signals,
            reports=reports,
            epoch=self.epoch,
            max_epochs=self.epoch if self.is_over else self.rules.max_epochs,
            host_params=self.network.host_params,
            total_params=self.network.total_params,
        )

    # Looking

    @property
    def is_over(self) -> bool:
        """Whether there is no epoch after this one."""
        return self.epoch >= self.rules.max_epochs or self.is_spent

    @property
    def is_spent(self) -> bool:
        """Whether another epoch would cost more than is left."""
        budget = self.budget()
        return budget is not None and budget.left_macs < budget.epoch_macs

    @property
    def attribution(self) -> Attribution:
        """What the last validation said of every seed."""
        assert self.validated is not None, "no epoch has been trained yet"
        return self.validated.attribution

    def reports(self) -> Reports:
        """One for every slot, None where it is empty."""
        found = {report.slot_id: report for report in self.network.reports()}
        return tuple(found.get(slot) for slot in self.network.slot_ids)

    def budget(self) -> Budget | None:
        """What is left to be computed."""
        if self.rules.budget_macs is None:
            return None
        left = self.rules.budget_macs - self.spent_macs
        return Budget(left, self._epoch_macs(len(self._asked().rows)))

    def masks(self) -> Masks:
        """What can be done now."""
        return masks(self.growth_rules, self.reports(), self.budget())

    def view(self) -> HostView:
        """The host as a controller sees it."""
        reports, budget = self.reports(), self.budget()
        return HostView(
            rules=self.growth_rules,
            execution_order=self.network.host.execution_order(),
            reports=reports,
            ready=tuple(
                one is not None and self.network.would_move_on(one.slot_id) for one in reports
            ),
            signals=self.signals,
            masks=masks(self.growth_rules, reports, budget),
            epoch=self.epoch,
            counterfactual_total=self.attribution.counterfactual_total
            if self.attribution.slots
            else None,
            budget=budget,
        )

    def _epoch_macs(self, configurations_asked: int) -> float:
        return self.data.epoch_macs(self.network.macs, configurations_asked)
