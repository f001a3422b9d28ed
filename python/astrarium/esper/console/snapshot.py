"""What there is to see of a run at one moment: the contract of everything that shows runs.

It is made of the happenings themselves wherever one of them says it all, and can be written as
JSON. How much is kept is bounded by the constants here, however long a run is.
"""

from __future__ import annotations

from typing import Final

import msgspec

from astrarium.esper.contracts import host_happenings as of_hosts
from astrarium.esper.contracts import round_happenings as of_rounds
from astrarium.esper.contracts.happening import Happening, HostHappening, Severity

COURSE_KEPT: Final = 60
"""Epochs, or rounds, of a figure over time."""
DECISIONS_KEPT: Final = 12
STATIONS_KEPT: Final = 48
"""Both of one host."""
LOG_KEPT: Final = 100
ANOMALIES_KEPT: Final = 50
BEST_KEPT: Final = 10
STEPS_JUDGED: Final = 512
"""Decisions whose rewards are looked over."""

SHAPING: Final = ("pbrs_bonus", "action_shaping")
"""Terms of a reward that steer, and are not what is wanted."""
POLICY_FIGURES: Final = (
    *("policy_loss", "value_loss", "entropy", "approx_kl"),
    *("clip_fraction", "explained_variance", "grad_norm"),
)
"""Those of an update that are followed over rounds."""


class HostSeen(msgspec.Struct, frozen=True, kw_only=True):
    """One host. What was never told of it is None or empty."""

    env: int
    epoch: of_hosts.EpochCompleted | None = None
    """Its last one."""
    course: tuple[float, ...] = ()
    """Accuracies of the last epochs of its episode."""
    decisions: tuple[of_hosts.LastAction, ...] = ()
    """Newest first."""
    stations: tuple[of_hosts.CausalLog, ...] = ()
    """What became of actions, oldest first."""
    matrix: of_hosts.CounterfactualMatrixComputed | None = None
    """The last of its episode."""
    shapley: of_hosts.ShapleyComputed | None = None
    """Of the last episode that had seeds."""
    outcome: of_hosts.EpisodeOutcome | None = None
    """Of its last whole episode."""
    episodes: int = 0
    """That are over."""
    suspected: bool = False
    """Whether a seed looks better than it is since the last decision."""

    @property
    def trend(self) -> int:
        """1 where the accuracy rises, -1 where it falls, 0 where it stands or is too new."""
        change = self.course[-1] - self.course[-6:][0] if self.course else 0.0
        return 0 if abs(change) < 0.5 else (1 if change > 0 else -1)


class RewardHealth(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the reward of the last decisions rewards what is wanted."""

    steps: int = 0
    """Decisions looked at."""
    terms: dict[str, float] = {}
    """The mean of each term, the largest first."""
    shaping_share: float | None = None
    """Of the size of all terms; None where there was no reward at all."""
    gaming_share: float | None = None
    """Of decisions before which a seed was suspected; None without decisions."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to see."""

    lines: int = 0
    """Taken in so far."""
    run: of_rounds.TrainingStarted | None = None
    """None only before the first line."""
    last_at: str = ""
    """When the last line was written."""
    rounds: int = 0
    """That are over."""
    episodes: int = 0
    """That are over, in all hosts."""
    epochs: int = 0
    """Told so far, in all hosts."""
    epochs_per_second: float | None = None
    seconds_left: float | None = None
    """As of `last_at`; None where it cannot be said."""
    hosts: tuple[HostSeen, ...] = ()
    best: tuple[of_hosts.EpisodeOutcome, ...] = ()
    """By accuracy, the smaller and earlier first where that is equal."""
    policy: of_rounds.PpoUpdateCompleted | None = None
    policy_course: dict[str, tuple[float | None, ...]] = {}
    """`POLICY_FIGURES` over the last rounds."""
    round_over: of_rounds.BatchEpochCompleted | None = None
    choices: of_rounds.ActionDistribution | None = None
    log: tuple[HostHappening, ...] = ()
    """Lives of seeds, newest first."""
    anomalies: tuple[Happening, ...] = ()
    """Newest first."""
    anomaly_counts: dict[Severity, int] = {}
    health: RewardHealth = RewardHealth()

    def host(self, env: int) -> HostSeen | None:
        """The host of this number."""
        return self.hosts[env] if 0 <= env < len(self.hosts) else None
