"""Trials spread over processes, one thread each.

A trial draws from streams named by its own seed, so it does not matter which process runs it, nor
what that process ran before.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import connection, get_context, resource_tracker
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
    """A process, and the trial it runs if it is not idle."""

    process: SpawnProcess
    line: Connection
    trial: Trial | None = None
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
        while (waiting and not stop()) or _busy(hands):
            while not stop() and (trial := next_trial(waiting, journal.finished)):
                hand = _free(hands, workers)
                if hand is None:
                    break
                waiting.remove(trial)
                hand.trial, hand.share = trial, 0.0
                policy = plan.policy_of(trial.task) if trial.policy else None
                hand.line.send((trial, _planted(trial, journal), policy, commit))
            ended = _listen(_busy(hands))
            if ended is not None:
                journal.add(ended)
            tell(Progress({hand.trial: hand.share for hand in hands if hand.trial}, ended))
    finally:
        for hand in hands:
            hand.process.kill()
            hand.process.join()
            hand.line.close()
    return not waiting


def _busy(hands: list[_Hand]) -> list[_Hand]:
    return [hand for hand in hands if hand.trial is not None]


def _free(hands: list[_Hand], workers: int) -> _Hand | None:
    """One that is idle, or one more where there may be."""
    for hand in hands:
        if hand.trial is None:
            return hand
    if len(hands) == workers:
        return None
    hands.append(_new_hand(len(hands)))
    return hands[-1]


def _new_hand(number: int) -> _Hand:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, os.getpid()), name=f"worker {number}")
    # Ctrl-C reaches every process of a terminal; the one that can count passes it on.
    # Multiprocessing unblocks signals when it starts its tracker, so that is started first.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return _Hand(process, ours)


def _planted(trial: Trial, journal: Journal) -> tuple[Kept, ...]:
    before = needed(trial)
    return () if before is None else journal.finished[before].kept


def _listen(busy: list[_Hand]) -> Outcome | None:
    """Wait for news; what has ended, if anything did."""
    ready = connection.wait([hand.line for hand in busy], _POLL_S)
    for hand in busy:
        if hand.line not in ready:
            continue
        said = _hear(hand)
        if isinstance(said, Share):
            hand.share = said.spent
            continue
        if isinstance(said, str):
            words = hand.trial.words() if hand.trial else ""
            raise CrewError(
                f"{words}: {said}; what is finished stays in the journal, and the same command "
                "goes on from there"
            )
        hand.trial = None
        return said
    return None


def _hear(hand: _Hand) -> Message:
    try:
        return hand.line.recv()
    except EOFError:
        hand.process.join()
        return f"its process ended without a word (exit status {hand.process.exitcode})"


def _work(line: Connection, parent: int) -> None:
    """A process's whole life: trials, one after the other."""
    import torch

    torch.set_num_threads(1)
    from astrarium.esper.experiment.running import decider, load_task, run_trial

    def notice(share: float) -> None:
        if os.getppid() != parent:
            # Nobody is left to tell.
            sys.exit(1)
        line.send(Share(share))

    while True:
        trial, planted, policy, commit = line.recv()
        try:
            data = load_task(trial.task, trial.device)
            decide = decider(ARMS[trial.arm], data.spec.topology, trial.seed, policy)
            line.send(run_trial(trial, data, decide, planted, commit=commit, notice=notice))
        except (AstrariumError, OSError) as error:
            line.send(str(error))
