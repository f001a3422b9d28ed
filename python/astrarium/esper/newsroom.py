"""The news of a batch: what its hosts told in a step, and rounds made up of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from astrarium.esper.budget import host_epoch_macs
from astrarium.esper.building import build_host
from astrarium.esper.contracts.happening import Happening
from astrarium.esper.contracts.happenings import decode, encode, placed
from astrarium.esper.contracts.host_happenings import LastAction
from astrarium.esper.contracts.round_happenings import SlotPlace, TrainingStarted
from astrarium.esper.entry import world_id
from astrarium.esper.episode import EpisodeRules
from astrarium.esper.phases import TaskData
from astrarium.esper.rounds import RoundsSoFar, Tally
from astrarium.train.streams import stream
from astrarium.worlds.news import Figures, RunBeginning
from astrarium.worlds.vector import Floats


class _Told(msgspec.Struct, frozen=True, array_like=True):
    episode: int
    news: list[dict[str, Any]]


def packed_news(news: Sequence[Happening], episode: int) -> bytes:
    """What one host told in a step, on its way from the process that trains it."""
    return msgspec.msgpack.encode(_Told(episode, [encode(one) for one in news]))


class Newsroom:
    """See `astrarium.worlds.news.Newsroom`."""

    def __init__(self, data: TaskData, rules: EpisodeRules, hosts: int) -> None:
        self.rounds = RoundsSoFar()
        self._data, self._rules, self._hosts = data, rules, hosts
        self._heard: Sequence[bytes] = ()
        self._choices: tuple[Floats, Floats] | None = None
        self._tally = Tally()
        self._news: list[Happening] = []

    def hear(self, told: Sequence[bytes]) -> None:
        """What every host told in a step, in their order."""
        self._heard, self._choices = told, None

    def go_on_from(self, rounds: RoundsSoFar) -> None:
        """As if the rounds so far had been this batch's own."""
        self.rounds, self._tally = rounds, Tally()
        self._heard, self._choices, self._news = (), None, []

    def begin(self, run: RunBeginning) -> None:
        """A run begins."""
        spec, rules = self._data.spec, self._rules
        budget = rules.budget_macs
        host = build_host(spec.host, stream(0, "esper.newsroom"), self._data.device)
        order = {slot: at for at, slot in enumerate(spec.host.slot_ids)}
        self._news.append(
            TrainingStarted(
                task=spec.name,
                world=world_id(spec.name),
                controller=run.controller,
                n_envs=self._hosts,
                max_epochs=rules.max_epochs,
                max_rounds=run.rounds,
                seed=run.seed,
                topology=spec.topology,
                classes=spec.classes,
                host_params=spec.host.parameters,
                slots=tuple(
                    SlotPlace(
                        slot_id=one.slot_id,
                        row=one.row,
                        col=one.col,
                        order=one.order,
                        position=one.position,
                        surface=one.surface.name,
                        channels=one.channels,
                    )
                    for one in sorted(host.injection_specs(), key=lambda one: order[one.slot_id])
                ),
                seed_limit=rules.seed_limit,
                gates=rules.lifecycle.gates,
                reward_mode=rules.reward_mode,
                budget_epochs=None if budget is None else budget / host_epoch_macs(self._data),
                device=str(self._data.device),
                lr=run.learning_rate,
                clip_ratio=run.clip,
                entropy_coef=run.entropy_coef,
            )
        )

    def note_choices(self, probability: Floats, value: Floats) -> None:
        """How likely the orders of the last step were, and what was expected, for each host."""
        self._choices = (probability, value)

    def close_round(self, policy: str, figures: Figures) -> None:
        """The policy learned from the steps since the round before."""
        self._settle()
        tail, self.rounds = self._tally.close(self.rounds, policy, figures, self._hosts)
        self._news += tail
        self._tally = Tally()

    def take(self) -> list[dict[str, Any]]:
        """What is new, in order."""
        self._settle()
        news, self._news = self._news, []
        return [encode(one) for one in news]

    def _settle(self) -> None:
        """Put what was heard into its place in the run."""
        for env, told in enumerate(self._heard):
            if not told:
                continue
            host = msgspec.msgpack.decode(told, type=_Told)
            for one in host.news:
                place = {"round": self.rounds.closed, "env": env, "episode": host.episode}
                happening = self._with_choice(placed(decode(one), **place), env)
                self._tally.count(happening)
                self._news.append(happening)
        self._heard = ()

    def _with_choice(self, happening: Happening, env: int) -> Happening:
        if self._choices is None or not isinstance(happening, LastAction):
            return happening
        probability, value = (float(one[env]) for one in self._choices)
        return msgspec.structs.replace(happening, probability=probability, value=value)
