"""Runs as their files tell them, made up: every kind of line, in the order real runs write them."""

from __future__ import annotations

import functools
import random
import types
import typing
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from astrarium.esper.contracts import host_happenings as of_hosts
from astrarium.esper.contracts import round_happenings as of_rounds
from astrarium.esper.contracts import seed_happenings as of_seeds
from astrarium.esper.contracts.happening import Happening, HostHappening
from astrarium.esper.contracts.happenings import TABLE, encode
from astrarium.esper.contracts.heads import BLUEPRINTS
from astrarium.runs.moments import written
from astrarium.runs.seals import START, seal_line

BEGAN = datetime(2025, 3, 1, 12, 0, 0, tzinfo=UTC)
SLOTS = ("r0c0", "r0c1", "r0c2", "r1c0", "r1c1")
_STAGES = ("GERMINATED", "TRAINING", "BLENDING", "HOLDING", "FOSSILIZED")
_ODD = [one for one in TABLE.values() if one.view == "anomalies"]
_ODD_HOSTS = [one for one in _ODD if issubclass(one, HostHappening)]
_ODD_ROUNDS = [one for one in _ODD if not issubclass(one, HostHappening)]


def sealed(lines: Iterable[bytes]) -> bytes:
    """The lines of a journal that holds these objects."""
    content, seal = b"", START
    for line in lines:
        whole, seal = seal_line(line.rstrip(b"\n"), seal)
        content += whole
    return content


def make(kind: type[Any], **given: Any) -> Any:
    """One of a kind, with something of the right type wherever nothing is given."""
    return kind(**_anything(kind) | given)


@functools.cache
def _anything(kind: type[Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    needed = (field.name for field in msgspec.structs.fields(kind) if field.required)
    return {name: _any(hints[name], name) for name in needed}


def _any(wanted: Any, name: str) -> Any:
    origin, inner = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is typing.Literal:
        return inner[0]
    if origin in (typing.Union, types.UnionType):
        return None
    if origin is not None:
        return origin()
    return {int: 3, float: 0.5, bool: True, str: name}[wanted]


class MadeRun:
    """A run of some hosts over some rounds; `rounds=None` is one of a script, without any."""

    def __init__(
        self, *, hosts: int = 3, rounds: int | None = 4, epochs: int = 12, seed: int = 7
    ) -> None:
        self.hosts, self.rounds, self.epochs = hosts, rounds, epochs
        self._draws = random.Random(seed)
        self._seconds = 0.0
        self._round = 0

    def lines(self) -> list[bytes]:
        """The lines of its file."""
        return [msgspec.json.encode(encode(one)) + b"\n" for one in self.happenings()]

    def write(self, folder: Path, lines: int | None = None) -> Path:
        """Its file in a run folder, or the beginning of it."""
        path = folder / "world_events.jsonl"
        path.write_bytes(sealed(self.lines()[:lines]))
        return path

    def happenings(self) -> Iterator[Happening]:
        """Everything that happens, each at its time."""
        for one in self._story():
            self._seconds += 0.05
            at = written(BEGAN + timedelta(seconds=self._seconds))
            yield msgspec.structs.replace(one, at=at, round=self._round)

    def _story(self) -> Iterator[Happening]:
        yield make(
            of_rounds.TrainingStarted,
            task="digits_impaired",
            controller="heuristic_probe" if self.rounds is None else "ppo",
            n_envs=self.hosts,
            max_epochs=self.epochs,
            max_rounds=self.rounds,
            slots=tuple(make(of_rounds.SlotPlace, slot_id=slot) for slot in SLOTS),
        )
        for episode in range(self.rounds or 1):
            self._round = episode
            for epoch in range(1, self.epochs + 1):
                for env in range(self.hosts):
                    yield from self._epoch(env, episode, epoch)
            if self.rounds is not None:
                yield from self._round_tail(episode)

    def _epoch(self, env: int, episode: int, epoch: int) -> Iterator[Happening]:
        place: dict[str, Any] = {"env": env, "episode": episode, "epoch": epoch}
        seeds = self._seeds(env, epoch)
        accuracy = min(99.0, 20.0 + 5 * epoch + 3 * len(seeds) + self._draws.uniform(-2, 2))
        ratio = 1.0 + (0.4 + 2 * env) * len(seeds)
        yield make(
            of_hosts.EpochCompleted,
            **place,
            val_accuracy=accuracy,
            host_accuracy=accuracy - 4.0,
            committed_accuracy=accuracy - 2.0,
            param_ratio=ratio,
            spent_epochs=1.3 * epoch,
            budget_epochs=2.0 * self.epochs,
            seeds=seeds,
        )
        if seeds:
            yield self._matrix(place, [one.slot_id for one in seeds], accuracy)
        if epoch % 5 == 0:
            yield from self._oddities(place)
        yield from self._decision(place, seeds)
        if epoch == self.epochs:
            slots = tuple(one.slot_id for one in seeds)
            figures = tuple(self._draws.uniform(-1, 5) for _ in slots)
            yield make(
                of_hosts.ShapleyComputed, **place, slot_ids=slots, means=figures, stds=figures
            )
            yield make(
                of_hosts.EpisodeOutcome,
                **place,
                final_accuracy=accuracy,
                param_ratio=ratio,
                num_fossilized=len(seeds),
                episode_reward=self._draws.uniform(-2, 8),
                succeeded=accuracy > 80,
            )

    def _seeds(self, env: int, epoch: int) -> tuple[of_hosts.SeedSeen, ...]:
        there = SLOTS[: min(len(SLOTS), (epoch + env) // 4)]
        return tuple(
            make(
                of_hosts.SeedSeen,
                slot_id=slot,
                seed_id=f"seed-{at:03}",
                blueprint=BLUEPRINTS[1 + (at + env) % 7],
                stage=_STAGES[max(0, min(4, (epoch - 4 * at) // 2))],
                alpha=max(0.0, min(1.0, (epoch - 4 * at) / 8)),
                alpha_target=1.0,
                params=120 + 37 * at,
                contribution=self._draws.uniform(-1, 4),
            )
            for at, slot in enumerate(there)
        )

    def _matrix(self, place: dict[str, Any], slots: list[str], accuracy: float) -> Happening:
        configs = [tuple([True] * len(slots))]
        configs += [tuple(at != off for at in range(len(slots))) for off in range(len(slots))]
        lost = [0.0] + [self._draws.uniform(-1, 4) for _ in slots]
        return make(
            of_hosts.CounterfactualMatrixComputed,
            **place,
            slot_ids=tuple(slots),
            strategy="leave_one_out",
            configs=tuple(configs),
            accuracies=tuple(accuracy - one for one in lost),
        )

    def _decision(
        self, place: dict[str, Any], seeds: tuple[of_hosts.SeedSeen, ...]
    ) -> Iterator[Happening]:
        acts = place["epoch"] % 2 == 0 and bool(seeds)
        slot = seeds[-1].slot_id if acts else ""
        action = f"morph-b{place['episode']}-e{place['epoch']}-env{place['env']}-{slot or 'none'}"
        success = not acts or self._draws.random() < 0.7
        if acts:
            yield from self._life(place, slot, seeds[-1], action)
        yield make(
            of_hosts.LastAction,
            **place,
            action_id=action,
            op="ADVANCE" if acts else "WAIT",
            slot_id=slot,
            blueprint=None,
            success=success,
            reason="" if success else "the seed is too young",
            legal_ops=("WAIT", "ADVANCE", "PRUNE"),
            forced_heads=("tempo",),
            reward=self._draws.uniform(-0.5, 1),
            components={"bounded_attribution": 0.6, "pbrs_bonus": 0.2, "compute_rent": -0.1},
            probability=None if self.rounds is None else self._draws.random(),
            value=None if self.rounds is None else self._draws.uniform(-1, 1),
        )

    def _life(
        self, place: dict[str, Any], slot: str, seed: of_hosts.SeedSeen, action: str
    ) -> Iterator[Happening]:
        who = {**place, "slot_id": slot, "blueprint": seed.blueprint, "action_id": action}
        who_lives = {**who, "seed_id": seed.seed_id}
        yield make(of_hosts.CausalLog, **who, station="proposal")
        for kind in (of_seeds.SeedGerminated, of_seeds.SeedGateEvaluated):
            yield make(kind, **who_lives)
        yield make(
            of_seeds.SeedStageChanged, **who_lives, before="TRAINING", after="BLENDING", reason=""
        )
        kind = of_seeds.SeedPruned if place["epoch"] % 3 == 0 else of_seeds.SeedFossilized
        yield make(kind, **who_lives, age_epochs=9)
        yield make(of_hosts.TopologyManifestRecorded, **place)

    def _oddities(self, place: dict[str, Any]) -> Iterator[Happening]:
        yield make(self._draws.choice(_ODD_HOSTS), **place)

    def _round_tail(self, at: int) -> Iterator[Happening]:
        if at % 2:
            yield make(self._draws.choice(_ODD_ROUNDS))
        yield make(
            of_rounds.PpoUpdateCompleted,
            policy_loss=-0.01 * self._draws.random(),
            value_loss=1.0 / (at + 1),
            entropy=2.0 - 0.1 * at,
            approx_kl=0.01 * self._draws.random(),
            explained_variance=None if at == 0 else 0.2 * at,
            head_entropies={"order": 0.7, "blueprint": None},
            more={"ratio_max": 1.3},
        )
        yield make(of_rounds.BatchStats)
        yield make(of_rounds.BatchEpochCompleted, avg_accuracy=70.0 + at, rolling_accuracy=70.0)
        yield make(
            of_rounds.ActionDistribution, asked={"WAIT": 9, "ADVANCE": 6}, done={"ADVANCE": 4}
        )
