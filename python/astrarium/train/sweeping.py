"""Sweeps: many trainings in search of better settings, shared by as many processes as wanted.

A study is a folder: a journal of what was tried and came out, and a run folder for every trial.
Whoever opens it goes on from there. One worker repeats its search exactly; several learn from
each other in the order in which they happen to finish.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import multiprocessing
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Final

from astrarium import atomic
from astrarium.errors import AstrariumError, ConfigError
from astrarium.extras import require_extra
from astrarium.runs.names import check_run_id
from astrarium.train.errors import SweepError
from astrarium.train.space import Space
from astrarium.train.study import ASKING, Duty, Standing, Stop, Tell, Worker, held

SPACE: Final = "space.json"
_AT_WORK: Final = "at-work.lock"
"""Held by everybody who works on the study."""
_POLL_SECONDS: Final = 0.5
_THREAD_SETTINGS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Sweep:
    """A study on the disk, opened or begun."""

    def __init__(self, space: Space, root: Path, name: str) -> None:
        require_extra("optuna", "sweep")
        self.space = space
        self.name = check_run_id(name)
        self.folder = root / name
        atomic.check_folder(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        with held(self.folder / ASKING):
            self._settle_space()

    def run(self, trials: int, workers: int, *, tell: Tell, stop: Stop) -> Standing:
        """Work until the study has this many trials or somebody says stop; where it stands then."""
        with _at_work(self.folder / _AT_WORK) as alone:
            seen = Worker(self.space, self.folder, Duty(0, trials, 0, ()))
            standing = seen.standing()
            tell(standing)
            left = [row.number for row in standing.rows if row.state == "running"] if alone else []
            begun = len(standing.rows)
            duties = [
                Duty(worker, trials, begun, tuple(left[worker::workers]))
                for worker in range(workers)
            ]
            if workers == 1:
                Worker(self.space, self.folder, duties[0]).work(tell, stop)
            else:
                _supervise(self.space, self.folder, duties, lambda: tell(seen.standing()), stop)
            standing = seen.standing()
            tell(standing)
            return standing

    def importances(self) -> dict[str, float]:
        """How much each parameter decides who is among the best; empty while that is unknown."""
        from optuna.importance import PedAnovaImportanceEvaluator, get_param_importances

        worker = Worker(self.space, self.folder, Duty(0, 0, 0, ()))
        if len(worker.standing().ranked) < 2:
            return {}
        with warnings.catch_warnings():
            # That it is experimental is no news to the reader of a table.
            warnings.simplefilter("ignore")
            return get_param_importances(worker.study, evaluator=PedAnovaImportanceEvaluator())

    def _settle_space(self) -> None:
        """Write the space beside the journal, or refuse one that differs from the study's."""
        path = self.folder / SPACE
        told = {
            "space": self.space.model_dump(mode="json", exclude={"trials"}),
            # A preset may change while its name stays.
            "base": self.space.base_config().model_dump(mode="json"),
        }
        ours = json.dumps(told, indent=2) + "\n"
        if not path.exists():
            atomic.write_text(path, ours)
        elif path.read_text("utf-8") != ours:
            raise ConfigError(
                f"{self.folder} is a study of another space (see {path}); its trials cannot be "
                "compared with these: give another --study, or the same space"
            )


def _supervise(
    space: Space, folder: Path, duties: Sequence[Duty], notice: Callable[[], None], stop: Stop
) -> None:
    """Spread the work over processes and watch them; asked to stop, pass it on and wait."""
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(
            target=_work, args=(space, folder, duty, os.getpid()), name=str(duty.worker)
        )
        for duty in duties
    ]
    told = False
    try:
        with _one_thread_each(), _deaf():
            for process in processes:
                process.start()
        while any(process.is_alive() for process in processes):
            if stop() and not told:
                told = True
                for process in processes:
                    process.terminate()
            notice()
            time.sleep(_POLL_SECONDS)
    except BaseException:
        for process in processes:
            if process.is_alive():
                process.kill()
        raise
    # One that was still waking up when it was told to stop had no manners yet.
    fine = (0, -signal.SIGTERM) if told else (0,)
    broken = [process.name for process in processes if process.exitcode not in fine]
    if broken:
        raise SweepError(
            f"workers {', '.join(broken)} broke off (see above); what they finished is in "
            f"{folder}, and the same command goes on from there"
        )


def _work(space: Space, folder: Path, duty: Duty, parent: int) -> None:
    """A worker's whole life, in a process of its own."""
    asked = False

    def ask(*_: object) -> None:
        nonlocal asked
        asked = True

    signal.signal(signal.SIGTERM, ask)
    try:
        with _at_work(folder / _AT_WORK):
            worker = Worker(space, folder, duty)
            worker.work(tell=lambda _: None, stop=lambda: asked or os.getppid() != parent)
    except (AstrariumError, OSError) as error:
        sys.stderr.write(f"worker {duty.worker}: {error}\n")
        sys.exit(1)


@contextlib.contextmanager
def _deaf() -> Generator[None]:
    """What is started here never hears Ctrl-C, which reaches every process of a terminal.

    The one that can count passes it on.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _one_thread_each() -> Generator[None]:
    """Libraries that count cores when they are loaded would all take every one."""
    before = {name: os.environ.get(name) for name in _THREAD_SETTINGS}
    os.environ.update({name: "1" for name, value in before.items() if value is None})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]


@contextlib.contextmanager
def _at_work(path: Path) -> Generator[bool]:
    """At work on the study until the end of the block; whether nobody else is."""
    with path.open("a") as file:
        alone = True
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            alone = False
        fcntl.flock(file, fcntl.LOCK_SH)
        yield alone
