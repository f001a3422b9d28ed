"""A host under supervision: nothing a controller does stalls it, and no failed epoch is kept.

An epoch is four phases: train, validate, decide, commit. Each is timed, the controller is asked
through a breaker and for so long only, and whatever fails returns the host to the last good epoch.
A failed epoch counts as one: the host goes on with the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from astrarium.errors import SnapshotError
from astrarium.esper import breaker, emergency
from astrarium.esper.breaker import GRAFTING_LIMITS, Breaker, BreakerLimits
from astrarium.esper.contracts.actions import WAIT, ActionOutcome, ActionSpec
from astrarium.esper.contracts.heads import Op
from astrarium.esper.deadlines import Deadlines, Task
from astrarium.esper.emergency import Level
from astrarium.esper.episode import HostEpisode
from astrarium.esper.governor import Panic
from astrarium.esper.guarded import GuardedController, GuardLimits, KnownRisks
from astrarium.esper.host_view import Controller
from astrarium.esper.news import News
from astrarium.esper.risk import ActionRisk, Finding
from astrarium.esper.rollback import FAST_BYTES, Snapshots
from astrarium.esper.snapshots import roll_back


@dataclass(frozen=True, slots=True)
class SupervisionRules:
    """How a host is watched over."""

    deadlines: Deadlines = field(default_factory=Deadlines)
    controller: GuardLimits = field(default_factory=GuardLimits)
    grafting: BreakerLimits = GRAFTING_LIMITS
    """Of what is done to the host, whoever asked for it."""
    late_rollback_halts: bool = False
    fast_bytes: int = FAST_BYTES


@dataclass(frozen=True, slots=True)
class SupervisedEpoch:
    """What became of an epoch."""

    epoch: int
    failure: str
    """Why it was rolled back; empty when it went well."""
    outcome: ActionOutcome | None
    """None where it failed."""
    findings: tuple[Finding, ...]
    took_ms: dict[Task, float]
    level: Level


class SupervisedHost:
    """A host episode and its controller, watched over."""

    def __init__(
        self,
        episode: HostEpisode,
        controller: Controller,
        file: Path,
        rules: SupervisionRules | None = None,
        *,
        known_risks: KnownRisks = lambda _: ActionRisk(),
        flag: Path | None = None,
        now_s: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Full snapshots go to `file`; `flag` is what other processes read and write."""
        self.episode = episode
        self.rules = rules or SupervisionRules()
        self.news = News(self.rules.deadlines, flag, now_s)
        self.guard = GuardedController(controller, self.rules.controller, known_risks, self.news)
        self.grafting = Breaker()
        self.snapshots = Snapshots(file, self.rules.fast_bytes)
        self._violations = 0

    def run_epoch(self) -> SupervisedEpoch:
        """Train, validate, decide and commit. What must stop raises a `HaltError`."""
        news, before = self.news, self.news.took_ms
        news.heed_flag()
        news.stop_if_halted()
        news.epoch, news.took_ms = self.episode.epoch + 1, {}
        news.counters["tolaria.epochs_total"] += 1
        try:
            with news.timed("epoch"):
                with news.timed("step"):
                    self.episode.train()
                panic = self.episode.judge()
            if panic is None:
                return self._finish(before)
            failure = f"{panic.reason}: the loss is {panic.loss:g}"
        except Exception as error:
            # Whatever a phase raises, the host must not stay half changed.
            panic, failure = None, f"{type(error).__name__}: {error}"
        return self._fail(failure, panic)

    def _finish(self, before: dict[Task, float]) -> SupervisedEpoch:
        """Decide and commit, once training and validation went well."""
        news, data = self.news, self.episode.data
        news.took_ms["step"] /= -(-len(data.train) // data.spec.training.batch)
        news.missed("epoch")
        violations = self.episode.monitor.violations - self._violations
        self._violations += violations
        with news.timed("hook"):
            # The hook of this epoch is not over, so its rules look at the last one's.
            took: dict[Task, float] = {**before, "step": news.took_ms["step"]}
            spec, findings = self.guard.decide(self.episode.view(), took, violations)
            with news.timed("apply"):
                outcome = self._commit(spec)
            with news.timed("finalize"):
                self.snapshots.take(self.episode)
        news.missed("hook")
        parts = self.episode.trained and self.episode.trained.aggregation
        for warning in parts.warnings if parts else ():
            news.tell(f"tolaria.{warning.event}", "warning", f"{warning.source} {warning.value:g}")
        news.rise_to(emergency.after_epoch(news.emergency, failed=False))
        return self._report("", outcome, findings)

    def _commit(self, spec: ActionSpec) -> ActionOutcome:
        now, limits = self.news.now_s(), self.rules.grafting
        self.grafting = breaker.at(self.grafting, now, limits)
        if spec.op is not Op.WAIT and not breaker.allows(self.grafting):
            self.news.tell("kasmina.breaker_open", "warning", f"{spec.op.name} was not tried")
            spec = WAIT
        try:
            outcome, _ = self.episode.decide(spec)
        except Exception:
            self.grafting = breaker.failed(self.grafting, now, limits)
            raise
        if spec.op is not Op.WAIT:
            self.grafting = breaker.succeeded(self.grafting, now, limits)
        return outcome

    def _fail(self, failure: str, panic: Panic | None) -> SupervisedEpoch:
        news = self.news
        news.counters["tolaria.epochs_failed_total"] += 1
        news.tell("tolaria.epoch_failed", "critical", failure)
        news.rise_to(emergency.raised(news.emergency, Level.ELEVATED, "an epoch failed"))
        if news.emergency.failed_epochs and self.snapshots.newest is not None:
            # What it went on from has failed before; perhaps the fault is in there.
            self.snapshots.forget(self.snapshots.newest)
        spent = self.episode.spent_macs
        with news.timed("rollback"):
            self._return(panic)
        self.episode.epoch, self.episode.spent_macs = news.epoch, spent
        late = news.missed("rollback")
        halts = self.rules.late_rollback_halts
        news.rise_to(emergency.after_rollback(news.emergency, late, halts))
        news.rise_to(emergency.after_epoch(news.emergency, failed=True))
        news.stop_if_halted()
        return self._report(failure, None, ())

    def _return(self, panic: Panic | None) -> None:
        """Go back to the last good epoch, or to the first weights where there is none yet."""
        news = self.news
        if self.snapshots.newest is None:
            old = self.episode
            self.episode, self._violations = HostEpisode(old.data, old.rules, old.seed), 0
            return
        try:
            tier = self.snapshots.load(self.episode)
        except SnapshotError as error:
            news.rise_to(emergency.raised(news.emergency, Level.HALT, f"no way back: {error}"))
            news.stop_if_halted()
            raise
        news.counters[f"tolaria.rollback.{tier}_total"] += 1
        news.tell("tolaria.rollback", "warning", tier)
        if panic is not None and self.episode.anchor is not None:
            roll_back(self.episode.network, self.episode.anchor, panic.reason)

    def _report(
        self, failure: str, outcome: ActionOutcome | None, findings: tuple[Finding, ...]
    ) -> SupervisedEpoch:
        news = self.news
        took, level = dict(news.took_ms), news.emergency.level
        return SupervisedEpoch(news.epoch, failure, outcome, findings, took, level)

    def reset(self) -> None:
        """Somebody has looked: levels, breakers and conservative mode begin anew."""
        self.grafting = Breaker()
        self.guard.reset()
        self.news.reset()

    def metrics(self) -> dict[str, float]:
        """Counters, and where everything stands, under their published names."""
        news, trained = self.news, self.episode.trained
        parts = trained.aggregation.published() if trained and trained.aggregation else {}
        return {
            **parts,
            **{name: float(count) for name, count in news.counters.items()},
            **{f"tolaria.{task}.latency_ms": took for task, took in news.took_ms.items()},
            "tolaria.emergency.level": float(news.emergency.level),
            "tolaria.breaker.open": float(self.guard.breaker.phase == "open"),
            "tolaria.mode.conservative": float(self.guard.conservative.cause is not None),
        }
