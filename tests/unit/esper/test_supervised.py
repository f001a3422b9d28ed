"""Hosts under supervision: controllers that fail, epochs that fail, and the way back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from little_hosts import little_data
from supervised_cases import (
    SOW,
    Clock,
    Scripted,
    break_weights,
    fails,
    names,
    sows,
    supervised,
    waits,
)

from astrarium.esper import emergency
from astrarium.esper.breaker import BreakerLimits
from astrarium.esper.conservative import ConservativeLimits
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.controllers import FixedSchedule, Planting
from astrarium.esper.deadlines import Deadlines
from astrarium.esper.emergency import Emergency, Level
from astrarium.esper.episode import HostEpisode
from astrarium.esper.episode_snapshots import pack
from astrarium.esper.guarded import GuardLimits
from astrarium.esper.host_view import HostView
from astrarium.esper.news import HaltError
from astrarium.esper.risk import ActionRisk
from astrarium.esper.supervised import SupervisedHost, SupervisionRules


def test_supervision_changes_nothing_while_all_goes_well(tmp_path: Path) -> None:
    plan = [Planting(1, "r0c0", "conv_light")]
    host = supervised(tmp_path, FixedSchedule(plan))
    alone, other = HostEpisode(little_data(), host.episode.rules, 3), FixedSchedule(plan)
    for _ in range(4):
        report = host.run_epoch()
        assert (report.failure, report.level) == ("", Level.NONE)
        assert alone.proceed() is None
        alone.decide(other.decide(alone.view()))
    assert pack(host.episode) == pack(alone)
    assert names(host) == []


# Controllers


def test_a_late_answer_is_discarded_and_the_epoch_goes_on(tmp_path: Path) -> None:
    clock = Clock()

    def late() -> object:
        clock.now_s += 3.0
        return SOW

    host = supervised(tmp_path, Scripted(late, waits), clock)
    report = host.run_epoch()
    assert report.failure == ""
    assert report.outcome is not None
    assert report.outcome.asked == WAIT
    assert report.level is Level.NOTICE
    assert host.metrics()["tolaria.timeout.tamiyo_total"] == 1.0
    assert "tolaria.tamiyo_timeout" in names(host)
    assert host.episode.network.states()[0].stage is Stage.DORMANT


def test_a_controller_forgets_what_it_answered_too_late(tmp_path: Path) -> None:
    """One that believes its planting was carried out would never plant again."""
    clock = Clock()

    class Slow(FixedSchedule):
        def decide(self, view: HostView) -> ActionSpec:
            clock.now_s += 3.0 if view.epoch == 1 else 0.0
            return super().decide(view)

    limits = GuardLimits(conservative=ConservativeLimits(cooldown_s=0.0, successes=1))
    controller = Slow([Planting(1, "r0c0", "conv_light")])
    host = supervised(tmp_path, controller, clock, SupervisionRules(controller=limits))
    host.run_epoch()
    assert controller.planted == 0
    host.run_epoch()  # still conservative: the planting is asked for, and held back
    host.run_epoch()
    assert controller.planted == 1


def test_a_controller_that_hangs_is_not_waited_for_twice(tmp_path: Path) -> None:
    released = threading.Event()

    def hangs() -> object:
        released.wait()
        return SOW

    controller = Scripted(hangs, waits)
    rules = SupervisionRules(deadlines=Deadlines(controller_ms=5.0))
    host = supervised(tmp_path, controller, rules=rules)
    for epoch in (1, 2):
        assert host.run_epoch().failure == ""
        assert host.episode.epoch == epoch
    assert host.guard.asking.busy
    assert (controller.asked, host.news.counters["tolaria.timeout.tamiyo_total"]) == (1, 2)
    released.set()
    assert host.guard.asking.settle(30.0)
    assert host.run_epoch().outcome is not None
    assert (controller.asked, host.news.counters["tolaria.timeout.tamiyo_total"]) == (2, 2)
    assert host.episode.network.states()[0].stage is Stage.DORMANT


@pytest.mark.parametrize(
    "answer",
    [
        fails,
        lambda: None,
        lambda: ActionSpec(Op.GERMINATE, "r9c9", "conv_light"),
        lambda: ActionSpec(Op.GERMINATE, "r0c0", "mlp"),
        lambda: ActionSpec(Op.FOSSILIZE, "r0c0"),
    ],
    ids=["raises", "no action", "no such slot", "no such blueprint", "nothing to fossilize"],
)
def test_the_breaker_opens_after_three_bad_answers_and_closes_again(
    tmp_path: Path, answer: Callable[[], object]
) -> None:
    clock, controller = Clock(), Scripted(answer, answer, answer, waits, sows)
    limits = GuardLimits(conservative=ConservativeLimits(cooldown_s=5.0, successes=2))
    host = supervised(tmp_path, controller, clock, SupervisionRules(controller=limits))
    for _ in range(3):
        assert host.run_epoch().failure == ""
    assert "tolaria.breaker_open" in names(host)
    assert host.news.emergency.level is Level.CONSERVATIVE
    assert host.metrics()["tolaria.breaker.open"] == 1.0
    host.run_epoch()
    assert controller.asked == 3
    clock.now_s += 30.0
    host.run_epoch()
    assert (controller.asked, host.guard.breaker.phase) == (4, "closed")
    host.run_epoch()  # asked, yet the mode is on
    assert host.episode.network.states()[0].stage is Stage.DORMANT
    clock.now_s += 5.0
    host.run_epoch()
    host.run_epoch()
    assert host.guard.conservative.cause is None
    assert host.episode.network.states()[0].stage is Stage.GERMINATED
    assert host.news.emergency.level is Level.CONSERVATIVE
    host.reset()
    assert host.news.emergency == Emergency()


def test_a_risky_action_is_held_back(tmp_path: Path) -> None:
    risks = {"r0c0": ActionRisk(policy=0.9), "r0c1": ActionRisk(quarantined=True)}
    controller = Scripted(sows, lambda: ActionSpec(Op.GERMINATE, "r0c1", "conv_light"), waits)
    host = supervised(tmp_path, controller, known_risks=lambda spec: risks[spec.slot_id])
    first = host.run_epoch()
    assert [one.event for one in first.findings] == ["policy_risk"]
    assert host.guard.conservative.cause is None
    second = host.run_epoch()
    assert [one.event for one in second.findings] == ["bp_quarantine"]
    assert host.guard.conservative.cause == "risk"
    told = {event.name: event.severity for event in host.news.take_events()}
    assert told["tamiyo.bp_quarantine"] == "critical"
    assert all(state.stage is Stage.DORMANT for state in host.episode.network.states())


def test_late_epochs_and_hooks_are_counted(tmp_path: Path) -> None:
    class Ticking(Clock):
        def __call__(self) -> float:
            self.now_s += 0.1
            return self.now_s

    host = supervised(tmp_path, clock=Ticking())
    host.run_epoch()
    assert {"tolaria.epoch_late", "tolaria.hook_late"} <= set(names(host))
    findings = {one.event for one in host.run_epoch().findings}
    assert {"epoch_hook_latency_high", "apply_latency_high"} <= findings
    assert host.news.counters["tolaria.hook.deadline_exceeded_total"] == 2


# Epochs


def test_a_loss_that_is_no_number_returns_to_the_last_good_epoch(tmp_path: Path) -> None:
    host = supervised(tmp_path)
    host.run_epoch()
    good = host.episode.network.host_descent.flat.clone()
    break_weights(host)
    report = host.run_epoch()
    assert report.failure.startswith("governor_nan")
    assert report.outcome is None
    assert torch.equal(host.episode.network.host_descent.flat, good)
    assert (host.episode.epoch, report.level) == (2, Level.ELEVATED)
    assert host.news.counters["tolaria.rollback.fast_total"] == 1
    assert host.run_epoch().failure == ""
    assert host.episode.epoch == 3
    assert host.news.emergency.failed_epochs == 0


def test_the_governor_prunes_what_was_growing(tmp_path: Path) -> None:
    host = supervised(tmp_path, Scripted(sows, waits))
    host.run_epoch()
    break_weights(host)
    host.run_epoch()
    assert host.episode.network.states()[0].stage is not Stage.GERMINATED
    assert host.run_epoch().failure == ""


def fail_next(host: SupervisedHost, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real, left = HostEpisode.train, [times]

    def train(episode: HostEpisode) -> None:
        real(episode)
        if left[0]:
            left[0] -= 1
            raise RuntimeError("out of memory")

    monkeypatch.setattr(HostEpisode, "train", train)


def test_a_phase_that_raises_leaves_no_trace_but_a_lost_epoch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = supervised(tmp_path, Scripted(sows, waits))
    host.run_epoch()
    before = host.episode.network.states()
    fail_next(host, 1, monkeypatch)
    assert host.run_epoch().failure == "RuntimeError: out of memory"
    assert host.episode.network.states() == before
    assert host.run_epoch().failure == ""
    assert host.episode.epoch == 3


def test_a_second_failure_goes_one_epoch_further_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = supervised(tmp_path, Scripted(waits, sows, waits))
    host.run_epoch()
    host.run_epoch()
    assert host.episode.network.states()[0].stage is Stage.GERMINATED
    fail_next(host, 2, monkeypatch)
    host.run_epoch()
    assert host.episode.network.states()[0].stage is Stage.GERMINATED
    host.run_epoch()
    assert host.episode.network.states()[0].stage is Stage.DORMANT


def test_three_failed_epochs_in_a_row_halt_until_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = supervised(tmp_path)
    host.run_epoch()
    fail_next(host, 3, monkeypatch)
    host.run_epoch()
    host.run_epoch()
    with pytest.raises(HaltError, match="3 epochs failed in a row"):
        host.run_epoch()
    epoch = host.episode.epoch
    with pytest.raises(HaltError, match="reset"):
        host.run_epoch()
    assert host.episode.epoch == epoch
    host.reset()
    assert host.run_epoch().failure == ""


def test_a_first_epoch_that_fails_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = supervised(tmp_path)
    fail_next(host, 1, monkeypatch)
    assert host.run_epoch().failure
    assert host.run_epoch().failure == ""
    assert host.episode.epoch == 2


@pytest.mark.parametrize("halts", [False, True])
def test_a_late_rollback_is_counted_and_may_halt(tmp_path: Path, halts: bool) -> None:
    deadlines = Deadlines(rollback_ms=1e-9)
    clock = Clock()
    host = supervised(
        tmp_path, clock=clock, rules=SupervisionRules(deadlines, late_rollback_halts=halts)
    )
    host.run_epoch()
    real = host.snapshots.load

    def slow(episode: HostEpisode) -> object:
        clock.now_s += 1.0
        return real(episode)

    host.snapshots.load = slow  # type: ignore[assignment, method-assign]
    break_weights(host)
    if halts:
        with pytest.raises(HaltError, match="rollback deadline missed"):
            host.run_epoch()
    else:
        assert host.run_epoch().level is Level.ELEVATED
    assert host.news.counters["tolaria.rollback.deadline_exceeded_total"] == 1


def test_grafting_that_raises_is_not_tried_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    rules = SupervisionRules(grafting=BreakerLimits(failures=2, open_s=60.0))
    host = supervised(tmp_path, Scripted(sows), clock, rules)
    real = HostEpisode.decide

    def decide(episode: HostEpisode, spec: ActionSpec, **given: object) -> object:
        if spec.op is Op.GERMINATE:
            raise RuntimeError("no kernel")
        return real(episode, spec, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(HostEpisode, "decide", decide)
    assert host.run_epoch().failure == host.run_epoch().failure == "RuntimeError: no kernel"
    assert host.run_epoch().failure == ""
    assert "kasmina.breaker_open" in names(host)
    monkeypatch.setattr(HostEpisode, "decide", real)
    clock.now_s += 60.0
    assert host.run_epoch().failure == ""
    assert host.episode.network.states()[0].stage is Stage.GERMINATED


# Other processes


def test_the_flag_tells_others_and_a_halt_of_theirs_is_obeyed(tmp_path: Path) -> None:
    flag = tmp_path / "emergency"
    host = supervised(tmp_path, Scripted(fails), flag=flag)
    for _ in range(3):
        host.run_epoch()
    told, _ = emergency.read_flag(flag.read_bytes())
    assert (told.level, told.reason) == (Level.CONSERVATIVE, "breaker open")
    flag.write_bytes(b"nonsense")
    assert host.run_epoch().failure == ""
    assert "tolaria.emergency_flag_damaged" in names(host)
    flag.write_bytes(emergency.flag_bytes(Emergency(Level.HALT, "fire"), 0.0))
    with pytest.raises(HaltError, match="fire"):
        host.run_epoch()
    host.reset()
    assert emergency.read_flag(flag.read_bytes())[0].level is Level.NONE
    assert host.run_epoch().failure == ""
