"""Lines in, snapshot out; nothing here reads a file, a clock or a terminal."""

from __future__ import annotations

from collections import defaultdict, deque
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from astrarium.esper.console import snapshot as kept
from astrarium.esper.console.snapshot import HostSeen, RewardHealth, Snapshot
from astrarium.esper.contracts import host_happenings as of_hosts
from astrarium.esper.contracts import round_happenings as of_rounds
from astrarium.esper.contracts.anomalies import RewardHackingSuspected
from astrarium.esper.contracts.errors import HappeningError
from astrarium.esper.contracts.happening import Happening, HostHappening
from astrarium.esper.contracts.happenings import kind_of, severity_of

_SPEED_EPOCHS: Final = 200
_SPEED_ROUNDS: Final = 10
"""Over which speeds are taken."""


class Aggregator:
    """Takes a run's happenings in their order and says at any time what there is to see."""

    def __init__(self) -> None:
        self._seen = Snapshot()
        self._moment = 0.0
        """Of the last line, in seconds."""
        self._epoch_moments: deque[float] = deque(maxlen=_SPEED_EPOCHS)
        self._round_moments: deque[float] = deque(maxlen=_SPEED_ROUNDS)
        self._steps: deque[tuple[dict[str, float], bool]] = deque(maxlen=kept.STEPS_JUDGED)

    def take(self, told: Happening) -> None:
        """One more line. What cannot be in such a run is a `HappeningError` and changes nothing."""
        moment, seen = _moment(told), self._seen
        if isinstance(told, of_rounds.TrainingStarted):
            seen = _begun(seen, told)
        elif seen.run is None:
            raise HappeningError(f"{kind_of(told)} comes before TRAINING_STARTED")
        elif isinstance(told, HostHappening):
            seen = _with_host_news(seen, told)
        else:
            seen = _with_round_news(seen, told)
        if told.view == "anomalies":
            severity = severity_of(told)
            count = seen.anomaly_counts.get(severity, 0) + 1
            seen = replace(
                seen,
                anomalies=(told, *seen.anomalies)[: kept.ANOMALIES_KEPT],
                anomaly_counts={**seen.anomaly_counts, severity: count},
            )
        self._remember(told, moment)
        self._seen = replace(seen, lines=seen.lines + 1, last_at=told.at)

    def _remember(self, told: Happening, moment: float) -> None:
        """What speeds and shares are taken from."""
        self._moment = moment
        match told:
            case of_rounds.TrainingStarted():
                # Whatever lay between was no work.
                self._epoch_moments.clear()
                self._round_moments.clear()
            case of_hosts.EpochCompleted():
                self._epoch_moments.append(moment)
            case of_rounds.BatchEpochCompleted():
                self._round_moments.append(moment)
            case of_hosts.LastAction():
                self._steps.append((told.components, self._seen.hosts[told.env].suspected))
            case _:
                pass

    def snapshot(self) -> Snapshot:
        """What there is to see now."""
        return replace(
            self._seen,
            epochs_per_second=_rate(self._epoch_moments),
            seconds_left=self._seconds_left(),
            health=self._health(),
        )

    def _seconds_left(self) -> float | None:
        run = self._seen.run
        if run is None:
            return None
        if run.max_rounds is None:
            # A script gives every host so many epochs, however many episodes they become.
            left, rate = run.max_epochs * run.n_envs - self._seen.epochs, _rate(self._epoch_moments)
            return max(0, left) / rate if rate else None
        rate = _rate(self._round_moments)
        if not rate:
            return None
        since = self._moment - self._round_moments[-1]
        return max(0.0, (run.max_rounds - self._seen.rounds) / rate - since)

    def _health(self) -> RewardHealth:
        sums, sizes = defaultdict[str, float](float), defaultdict[str, float](float)
        for components, _ in self._steps:
            for name, value in components.items():
                sums[name] += value
                sizes[name] += abs(value)
        steps, whole = len(self._steps), sum(sizes.values())
        largest = sorted(sizes, key=lambda name: (-sizes[name], name))
        shaping = sum(sizes[name] for name in kept.SHAPING)
        return RewardHealth(
            steps=steps,
            terms={name: sums[name] / steps for name in largest},
            shaping_share=shaping / whole if whole else None,
            gaming_share=sum(bad for _, bad in self._steps) / steps if steps else None,
        )


def _begun(seen: Snapshot, told: of_rounds.TrainingStarted) -> Snapshot:
    hosts = seen.hosts or tuple(HostSeen(env=env) for env in range(told.n_envs))
    if len(hosts) != told.n_envs:
        raise HappeningError(f"a run of {len(hosts)} hosts goes on with {told.n_envs}")
    return replace(seen, run=told, hosts=hosts)


def _with_host_news(seen: Snapshot, told: HostHappening) -> Snapshot:
    host = seen.host(told.env)
    if host is None:
        known = f"0 to {len(seen.hosts) - 1}"
        raise HappeningError(f"{kind_of(told)} is about host {told.env}; the run has hosts {known}")
    hosts = (*seen.hosts[: told.env], _host_after(host, told), *seen.hosts[told.env + 1 :])
    seen = replace(seen, hosts=hosts)
    if isinstance(told, of_hosts.EpochCompleted):
        return replace(seen, epochs=seen.epochs + 1)
    if isinstance(told, of_hosts.EpisodeOutcome):
        best = sorted([*seen.best, told], key=_place)[: kept.BEST_KEPT]
        return replace(seen, episodes=seen.episodes + 1, best=tuple(best))
    if told.view == "seed_lifecycle":
        return replace(seen, log=(told, *seen.log)[: kept.LOG_KEPT])
    return seen


def _place(one: of_hosts.EpisodeOutcome) -> tuple[float, float, int, int]:
    return -one.final_accuracy, one.param_ratio, one.episode, one.env


def _host_after(host: HostSeen, told: HostHappening) -> HostSeen:
    match told:
        case of_hosts.EpochCompleted():
            if host.epoch is None or host.epoch.episode != told.episode:
                host = replace(host, course=(), matrix=None)
            course = (*host.course, told.val_accuracy)[-kept.COURSE_KEPT :]
            return replace(host, epoch=told, course=course)
        case of_hosts.LastAction():
            decisions = (told, *host.decisions)[: kept.DECISIONS_KEPT]
            return replace(host, decisions=decisions, suspected=False)
        case of_hosts.CausalLog():
            return replace(host, stations=(*host.stations, told)[-kept.STATIONS_KEPT :])
        case of_hosts.CounterfactualMatrixComputed():
            return replace(host, matrix=told)
        case of_hosts.ShapleyComputed():
            return replace(host, shapley=told)
        case of_hosts.EpisodeOutcome():
            return replace(host, outcome=told, episodes=host.episodes + 1)
        case RewardHackingSuspected():
            return replace(host, suspected=True)
        case _:
            return host


def _with_round_news(seen: Snapshot, told: Happening) -> Snapshot:
    match told:
        case of_rounds.PpoUpdateCompleted():
            courses = {
                name: (*seen.policy_course.get(name, ()), getattr(told, name))[-kept.COURSE_KEPT :]
                for name in kept.POLICY_FIGURES
            }
            return replace(seen, policy=told, policy_course=courses)
        case of_rounds.BatchEpochCompleted():
            return replace(seen, round_over=told, rounds=seen.rounds + 1)
        case of_rounds.ActionDistribution():
            return replace(seen, choices=told)
        case _:
            return seen


def _moment(told: Happening) -> float:
    try:
        at = datetime.fromisoformat(told.at)
    except ValueError as error:
        raise HappeningError(f"{kind_of(told)} has no time in `at`: {error}") from error
    if at.tzinfo is None:
        raise HappeningError(f"{kind_of(told)} has a time without a zone: {told.at!r}")
    return at.timestamp()


def _rate(moments: deque[float]) -> float | None:
    """How many a second; None where the clock did not move."""
    if len(moments) < 2 or moments[-1] <= moments[0]:
        return None
    return (len(moments) - 1) / (moments[-1] - moments[0])
