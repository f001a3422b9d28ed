"""Trials in processes of their own: what one does to its process never reaches another."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Final

from astrarium.errors import AstrariumError
from astrarium.esper.contracts.errors import EsperError
from astrarium.esper.experiment.arms import ARMS
from astrarium.esper.experiment.journal import Journal
from astrarium.esper.experiment.plan import Plan, needed, next_trial
from astrarium.esper.experiment.trial import Kept, Outcome, Trial

_POLL_S: Final = 0.2


class CrewError(EsperError, RuntimeError):
    """A trial that broke off."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where an experiment stands."""

    running: dict[Trial, float]
    """How much of its budget each has spent."""
    ended: Outcome | None
    """The one that has just ended."""


@dataclass(frozen=True, slots=True)
class Share:
    """How much of its budget a trial has spent."""

    spent: float


Tell = Callable[[Progress], None]
Message = Share | Outcome | str
"""Of a process: how far it is, what came out, or why nothing did."""


@dataclass(slots=True)
class _Hand:
    """A process and the trial it runs."""

    trial: Trial
    process: SpawnProcess
    ear: Connection
    share: float = 0.0


def run_all(
    plan: Plan, journal: Journal, workers: int, commit: str, *, tell: Tell, stop: Callable[[], bool]
) -> bool:
    """Run what the journal does not have yet; whether the plan is finished now.

    Asked to stop, no further trial begins and those that run come to their end.
    """
    waiting = [trial for trial in plan.trials() if trial not in journal.finished]
    hands: list[_Hand] = []
    try:
        while (waiting and not stop()) or hands:
            while len(hands) < workers and not stop():
                trial = next_trial(waiting, journal.finished)
                if trial is None:
                    break
                waiting.remove(trial)
                hands.append(_begin(trial, journal, commit))
            ended = _listen(hands)
            if ended is not None:
                journal.add(ended)
            tell(Progress({hand.trial: hand.share for hand in hands}, ended))
    finally:
        for hand in hands:
            hand.process.kill()
    return not waiting


def _begin(trial: Trial, journal: Journal, commit: str) -> _Hand:
    before = needed(trial)
    planted = journal.finished[before].kept if before is not None else ()
    context = get_context("spawn")
    ear, mouth = context.Pipe(duplex=False)
    process = context.Process(
        target=_work, args=(trial, planted, commit, mouth, os.getpid()), name=trial.words()
    )
    # Ctrl-C reaches every process of a terminal; the one that can count passes it on.
    before_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before_mask)
    mouth.close()
    return _Hand(trial, process, ear)


def _listen(hands: list[_Hand]) -> Outcome | None:
    """Wait for news; one that ended leaves the list."""
    ready = connection.wait([hand.ear for hand in hands], _POLL_S)
    for hand in [hand for hand in hands if hand.ear in ready]:
        said = _hear(hand)
        if isinstance(said, Share):
            hand.share = said.spent
            continue
        hands.remove(hand)
        hand.ear.close()
        hand.process.join()
        if isinstance(said, str):
            raise CrewError(
                f"{hand.trial.words()}: {said}; what is finished stays in the journal, and the "
                "same command goes on from there"
            )
        return said
    return None


def _hear(hand: _Hand) -> Message:
    try:
        return hand.ear.recv()
    except EOFError:
        hand.process.join()
        return f"its process ended without a word (exit status {hand.process.exitcode})"


def _work(
    trial: Trial, planted: tuple[Kept, ...], commit: str, mouth: Connection, parent: int
) -> None:
    """A process's whole life."""
    import torch

    torch.set_num_threads(1)
    from astrarium.esper.experiment.running import decider, load_task, run_trial

    def notice(share: float) -> None:
        if os.getppid() != parent:
            # Nobody is left to tell.
            sys.exit(1)
        mouth.send(Share(share))

    try:
        data = load_task(trial.task)
        decide = decider(ARMS[trial.arm], data.spec.topology, trial.seed)
        mouth.send(run_trial(trial, data, decide, planted, commit=commit, notice=notice))
    except (AstrariumError, OSError) as error:
        mouth.send(str(error))
