"""Hosts under supervision, for tests: controllers that answer as told, time that passes as told."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from little_hosts import little_data
from pydantic import JsonValue

from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.heads import Op
from astrarium.esper.controllers import NoGrowth
from astrarium.esper.episode import EpisodeRules, HostEpisode
from astrarium.esper.host_view import Controller, HostView
from astrarium.esper.supervised import SupervisedHost, SupervisionRules

SOW = ActionSpec(Op.GERMINATE, "r0c0", "conv_light")


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Scripted:
    """A controller whose answers are functions; the last one is repeated."""

    def __init__(self, *answers: Callable[[], object]) -> None:
        self.answers, self.asked = list(answers), 0

    def decide(self, view: HostView) -> ActionSpec:
        self.asked += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer()  # type: ignore[return-value]

    def snapshot(self) -> dict[str, JsonValue]:
        return {}

    def restore(self, state: Mapping[str, JsonValue]) -> None:
        assert not state


def fails() -> object:
    raise ZeroDivisionError("a bug")


def waits() -> object:
    return WAIT


def sows() -> object:
    return SOW


def supervised(
    tmp_path: Path,
    controller: Controller | None = None,
    clock: Callable[[], float] | None = None,
    rules: SupervisionRules | None = None,
    **given: object,
) -> SupervisedHost:
    episode = HostEpisode(little_data(), EpisodeRules(max_epochs=1000), 3)
    return SupervisedHost(
        episode,
        controller or NoGrowth(),
        tmp_path / "full.snapshot",
        rules,
        now_s=clock or Clock(),
        **given,  # type: ignore[arg-type]
    )


def names(host: SupervisedHost) -> list[str]:
    return [event.name for event in host.news.take_events()]


def break_weights(host: SupervisedHost) -> None:
    with torch.no_grad():
        host.episode.network.host_descent.flat.fill_(math.nan)
