"""A controller that can be late, wrong or broken without harm: then the host waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from astrarium.esper import breaker, conservative, emergency
from astrarium.esper.asking import Asking, LateAnswerError
from astrarium.esper.breaker import Breaker, BreakerLimits
from astrarium.esper.conservative import Cause, Conservative, ConservativeLimits
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.errors import EsperError
from astrarium.esper.contracts.heads import Op
from astrarium.esper.deadlines import Task
from astrarium.esper.emergency import Level
from astrarium.esper.host_view import Controller, HostView
from astrarium.esper.masks import action_problem
from astrarium.esper.news import News
from astrarium.esper.risk import ActionRisk, Finding, Response, RiskInputs, assess, gravest

KnownRisks = Callable[[ActionSpec], ActionRisk]
"""What is known of an action: by its policy, by those who examined its blueprint."""


@dataclass(frozen=True, slots=True)
class GuardLimits:
    """When a controller is no longer asked, and when no longer obeyed."""

    breaker: BreakerLimits = field(default_factory=BreakerLimits)
    conservative: ConservativeLimits = field(default_factory=ConservativeLimits)


class GuardedController:
    """Asks a controller through a breaker, and judges what it asks for."""

    def __init__(
        self, controller: Controller, limits: GuardLimits, known_risks: KnownRisks, news: News
    ) -> None:
        self.asking = Asking(controller, news.now_s)
        self.limits = limits
        self.breaker = Breaker()
        self.conservative = Conservative()
        self._known_risks, self._news = known_risks, news

    def decide(
        self, view: HostView, took_ms: dict[Task, float], violations: int
    ) -> tuple[ActionSpec, tuple[Finding, ...]]:
        """What is done: what the controller asks for, or nothing."""
        now = self._news.now_s()
        self.breaker = breaker.at(self.breaker, now, self.limits.breaker)
        if not breaker.allows(self.breaker):
            self._troubled("breaker")
            return WAIT, ()
        spec = self._ask(view)
        if spec is None:
            return WAIT, ()
        losses = view.signals.losses
        findings = assess(
            RiskInputs(
                action=ActionRisk() if spec.op is Op.WAIT else self._known_risks(spec),
                loss_rise=losses[-1] - losses[-2] if len(losses) > 1 else None,
                took_ms=took_ms,
                violations=violations,
                recovering=self.conservative.cause is not None,
                deadlines=self._news.deadlines,
            )
        )
        for finding in findings:
            self._news.tell(f"tamiyo.{finding.event}", finding.severity, f"{finding.value:g}")
        self._follow(findings)
        return (WAIT if gravest(findings) >= Response.DEGRADE else spec), findings

    def _follow(self, findings: tuple[Finding, ...]) -> None:
        """Enter conservative mode, or come nearer to leaving it."""
        if gravest(findings) is Response.PAUSE:
            self._troubled("risk")
        elif all(one.response <= Response.WARN or one.event == "recovering" for one in findings):
            self.conservative = conservative.went_well(
                self.conservative, self._news.now_s(), self.limits.conservative
            )

    def _ask(self, view: HostView) -> ActionSpec | None:
        """The controller's answer; None where there is none that could be carried out."""
        news = self._news
        try:
            with news.timed("controller"):
                spec = self.asking.ask(view, news.deadlines.limit_ms("controller") / 1e3)
            if not isinstance(spec, ActionSpec):
                raise EsperError(f"the controller answered {spec!r}, which is no action")
            if problem := action_problem(spec, view.rules, view.reports, view.budget):
                raise EsperError(f"the controller asked for {spec.op.name}: {problem}")
        except LateAnswerError as error:
            news.counters["tolaria.timeout.tamiyo_total"] += 1
            news.tell("tolaria.tamiyo_timeout", "warning", str(error))
            news.rise_to(emergency.raised(news.emergency, Level.NOTICE, "controller timeout"))
            self._troubled("timeout")
        except Exception as error:
            # Whatever a controller raises is its own trouble, not the host's.
            news.counters["tolaria.tamiyo_errors_total"] += 1
            news.tell("tolaria.tamiyo_error", "warning", f"{type(error).__name__}: {error}")
        else:
            self.breaker = breaker.succeeded(self.breaker, news.now_s(), self.limits.breaker)
            return spec
        self._failed()
        return None

    def _failed(self) -> None:
        news = self._news
        self.breaker = breaker.failed(self.breaker, news.now_s(), self.limits.breaker)
        if self.breaker.phase == "open":
            self._troubled("breaker")
            news.tell("tolaria.breaker_open", "critical", f"{self.breaker.failures} failures")
        news.rise_to(emergency.after_breaker(news.emergency, self.breaker.phase == "open"))

    def _troubled(self, cause: Cause) -> None:
        self.conservative = conservative.troubled(self.conservative, cause, self._news.now_s())

    def reset(self) -> None:
        """Somebody has looked: it is asked and obeyed again."""
        self.breaker, self.conservative = Breaker(), Conservative()
