"""One trial of a sweep: an ordinary training run that is watched, perhaps given up, and judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from astrarium import atomic
from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.runs.names import METADATA
from astrarium.train.config import TrainConfig
from astrarium.train.contenders import contender
from astrarium.train.errors import NonFiniteError, UnlearnableWorldError
from astrarium.train.evaluate import evaluate
from astrarium.train.space import Space
from astrarium.train.training import Outcome, Progress, resume, start
from astrarium.worlds import ladder

if TYPE_CHECKING:
    from optuna.study import Study
    from optuna.trial import Trial

Stop = Callable[[], bool]
"""Asked after every window."""
Notice = Callable[[], None]
"""Told after every window."""


def run_name(number: int) -> str:
    """The id of a trial's run."""
    return f"trial-{number:04d}"


@dataclass
class Attempt:
    """A trial in progress."""

    space: Space
    folder: Path
    """Of the study."""
    study: Study
    trial: Trial
    stop: Stop
    notice: Notice

    def __post_init__(self) -> None:
        self._pruned = False
        self._reported = max(_windows_reported(self.study, self.trial.number), default=-1)

    def carry_out(self) -> bool:
        """Train, judge, and tell the study; False if it was asked to stop before the end.

        The trial then stays as it is, and a later attempt goes on from its last checkpoint.
        """
        from optuna.trial import TrialState

        try:
            outcome = self._train()
            if outcome is not None and outcome.status == "interrupted":
                if self._pruned:
                    self.study.tell(self.trial, state=TrialState.PRUNED)
                return self._pruned
            value = self._value()
        except (NonFiniteError, ConfigError, UnlearnableWorldError) as error:
            # The fault of these settings; others may do better.
            self.trial.set_user_attr("error", str(error))
            self.study.tell(self.trial, state=TrialState.FAIL)
            return True
        self.study.tell(self.trial, value)
        return True

    @property
    def _place(self) -> Path:
        return self.folder / run_name(self.trial.number)

    def _config(self) -> TrainConfig:
        number = self.trial.number
        values = self.space.suggest(self.trial)
        return self.space.config(values, self.folder, number, run_name(number))

    def _train(self) -> Outcome | None:
        """Train to the end or until given up; None if an earlier attempt had reached the end."""
        config = self._config()
        if (self._place / METADATA).is_file():
            run = RunFolder.open(self._place)
            if run.status() == "completed":
                return None
            if any(one.resumable for one in run.checkpoints()):
                return resume(self._place, tell=self._tell, stop=self._is_over)
            # Killed in its first window: there is nothing to go on from.
            atomic.remove_folder(self._place)
        return start(config, tell=self._tell, stop=self._is_over)

    def _tell(self, progress: Progress) -> None:
        for row in progress.closed:
            if row["window_complete"]:
                self.trial.set_user_attr("windows", row["window_id"] + 1)
            figure = row.get(self.space.pruning.metric)
            # A study takes each window once, and this one may be played again after a stop.
            new = row["window_complete"] and row["window_id"] > self._reported
            if new and figure is not None:
                self._reported = row["window_id"]
                self.trial.report(figure, self._reported)
        if progress.closed:
            self.notice()

    def _is_over(self) -> bool:
        self._pruned = self.space.pruning.metric != "none" and self.trial.should_prune()
        return self._pruned or self.stop()

    def _value(self) -> float:
        objective = self.space.objective
        run = RunFolder.open(self._place)
        if objective.kind == "last_window":
            returns = [
                row["return_mean"]
                for row in run.windows()
                if row["window_complete"] and row["return_mean"] is not None
            ]
            if not returns:
                raise ConfigError(
                    "no episode ended in a whole window; raise run.total_env_steps or "
                    "run.window_env_steps, or judge by objective.kind = 'evaluation'"
                )
            return float(returns[-1])
        policy = contender(run, greedy=objective.greedy)
        rules = ladder.Rules(episodes=objective.episodes, seed=objective.seed)
        played = evaluate([policy], rules, versus=())
        return float(played.records[policy.name].columns["return_total"].mean())


def _windows_reported(study: Study, number: int) -> list[int]:
    return list(study.get_trials(deepcopy=False)[number].intermediate_values)
