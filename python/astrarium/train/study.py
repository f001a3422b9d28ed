"""A study as one process sees it: the journal, what was tried, and what to try next."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from astrarium.train.space import Space
from astrarium.train.trials import Attempt, run_name

if TYPE_CHECKING:
    from optuna.storages import JournalStorage
    from optuna.study import Study
    from optuna.trial import FrozenTrial, Trial

JOURNAL: Final = "journal.jsonl"
ASKING: Final = "asking.lock"
"""Held by whoever begins a trial, so that their number is exact."""


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A trial as a reader sees it."""

    number: int
    state: str
    """`running`, `complete`, `pruned` or `fail`."""
    value: float | None
    """The objective; of a pruned trial its last window."""
    parameters: dict[str, Any]
    windows: int
    """Whole windows trained."""
    seconds: float | None
    run: Path
    error: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a study stands."""

    rows: Sequence[TrialRow]
    """Every trial begun, by number."""
    target: int

    @property
    def finished(self) -> list[TrialRow]:
        """Trials that came to an end, however."""
        return [row for row in self.rows if row.state != "running"]

    @property
    def ranked(self) -> list[TrialRow]:
        """Trials with a value, best first."""
        judged = [row for row in self.rows if row.state == "complete" and row.value is not None]
        return sorted(judged, key=lambda row: (-(row.value or 0.0), row.number))


Tell = Callable[[Standing], None]
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Duty:
    """What one worker is to do."""

    worker: int
    trials: int
    """Of the whole study."""
    begun: int
    """Trials there were before this session."""
    left: tuple[int, ...]
    """Trials that nobody works on any more, to go on with first."""


class Worker:
    """One process's view of the study."""

    def __init__(self, space: Space, folder: Path, duty: Duty) -> None:
        import optuna
        from optuna.pruners import MedianPruner
        from optuna.samplers import TPESampler
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._space, self._folder, self._duty = space, folder, duty
        self._storage: JournalStorage = JournalStorage(JournalFileBackend(str(folder / JOURNAL)))
        seed = _seed(space.seed, duty.worker, duty.begun)
        self.study: Study = optuna.create_study(
            storage=self._storage,
            sampler=TPESampler(seed=seed, multivariate=True, constant_liar=True),
            pruner=MedianPruner(
                n_startup_trials=space.pruning.startup_trials,
                n_warmup_steps=space.pruning.warmup_windows,
            ),
            study_name=folder.name,
            direction="maximize",
            load_if_exists=True,
        )

    def work(self, tell: Tell, stop: Stop) -> None:
        """Take up what was left, then new trials, until there are enough."""
        for number in self._duty.left:
            if stop() or not self._carry_out(self._taken_up(number), tell, stop):
                return
        while not stop() and (trial := self._next()) is not None:
            if not self._carry_out(trial, tell, stop):
                return

    def standing(self) -> Standing:
        """Every trial begun so far."""
        rows: list[TrialRow] = []
        for one in self._begun():
            duration = one.duration
            values = one.values
            rows.append(
                TrialRow(
                    number=one.number,
                    state=one.state.name.lower(),
                    value=values[0] if values else None,
                    parameters=self._space.decoded(one.params),
                    windows=one.user_attrs.get("windows", 0),
                    seconds=None if duration is None else duration.total_seconds(),
                    run=self._folder / run_name(one.number),
                    error=one.user_attrs.get("error"),
                )
            )
        return Standing(rows, self._duty.trials)

    def _carry_out(self, trial: Trial, tell: Tell, stop: Stop) -> bool:
        def notice() -> None:
            tell(self.standing())

        attempt = Attempt(self._space, self._folder, self.study, trial, stop, notice)
        done = attempt.carry_out()
        notice()
        return done

    def _next(self) -> Trial | None:
        with held(self._folder / ASKING):
            if len(self._begun()) >= self._duty.trials:
                return None
            return self.study.ask()

    def _begun(self) -> list[FrozenTrial]:
        """Trials by number; not those that somebody put in line and nobody has begun."""
        from optuna.trial import TrialState

        trials = self.study.get_trials(deepcopy=False)
        return [one for one in trials if one.state != TrialState.WAITING]

    def _taken_up(self, number: int) -> Trial:
        from optuna.trial import Trial

        study_id = self._storage.get_study_id_from_name(self.study.study_name)
        trial_id = self._storage.get_trial_id_from_study_id_trial_number(study_id, number)
        return Trial(self.study, trial_id)


def _seed(seed: int, worker: int, begun: int) -> int:
    """Of a worker's draws: it never draws the same again when the study goes on."""
    digest = hashlib.blake2b(f"{seed}:{worker}:{begun}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little")


@contextlib.contextmanager
def held(path: Path) -> Generator[None]:
    """Nobody else holds this file meanwhile."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
