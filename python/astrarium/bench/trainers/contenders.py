"""Who is compared, and how one of them takes a turn: alone, in a process of its own.

A process of its own means that thread pools, allocators and warm caches of one contender are not
another's. It may use so many cores and no more: the system holds it to them, and the libraries
are told.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Literal

from astrarium.bench.trainers import homes
from astrarium.bench.trainers.contract import Answer, ContractError, Task, parse_answer
from astrarium.bench.trainers.ours import AS_PUFFERLIB
from astrarium.errors import AstrariumError, ConfigError, did_you_mean

Role = Literal["ours", "peer", "aside", "limit"]
"""A peer does the same work as ours; one aside does other work; a limit trains nothing."""

TURN_S_MAX: Final = 900.0
_ENDING_S_MAX: Final = 20.0
_THREAD_SETTINGS: Final = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "RAYON_NUM_THREADS",
)


class TurnError(AstrariumError, RuntimeError):
    """A contender that gave no answer."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A program that answers a task."""

    name: str
    title: str
    role: Role
    module: str = ""
    """Of this package, run by this interpreter; or else:"""
    script: str = ""
    """A file under `tools/peers`."""
    home: str = ""
    """Whose interpreter runs the script; this one where it is empty."""
    variant: str = ""

    def command(self) -> list[str]:
        """How to start it, less the task. Raises `UnavailableError` where it is not installed."""
        if self.module:
            return [sys.executable, "-m", "astrarium.bench.trainers", self.module]
        script = homes.checkout() / "tools" / "peers" / self.script
        python = homes.interpreter(self.home) if self.home else Path(sys.executable)
        return [str(python), str(script)]


CONTENDERS: Final = (
    Contender("ours", "Astrarium", "ours", module="ours"),
    Contender("plain", "plain torch loop", "peer", module="plain"),
    Contender("sb3", "Stable-Baselines3", "peer", script="sb3_speed.py"),
    Contender("pufferlib", "PufferLib", "peer", script="pufferlib_speed.py", home="pufferlib"),
    Contender("rllib", "RLlib", "peer", script="rllib_speed.py", home="rllib"),
    Contender(
        "sample-factory",
        "Sample Factory",
        "peer",
        script="sample_factory_speed.py",
        home="sample_factory",
    ),
    Contender(
        "ours-as-pufferlib",
        "Astrarium, PufferLib's defaults",
        "aside",
        module="ours",
        variant=AS_PUFFERLIB,
    ),
    Contender(
        "pufferlib-defaults",
        "PufferLib, its own defaults",
        "aside",
        script="pufferlib_speed.py",
        home="pufferlib",
        variant="defaults",
    ),
    Contender("bare", "bare forward and backward", "limit", module="limits", variant="bare"),
    Contender("gemm", "matrix products alone", "limit", module="limits", variant="gemm"),
)
NAMES: Final = tuple(one.name for one in CONTENDERS)


def chosen(names: Iterable[str]) -> tuple[Contender, ...]:
    """The contenders called `names`, in their usual order."""
    wanted = set(names)
    for name in sorted(wanted - set(NAMES)):
        raise ConfigError(
            f"no contender is called {name!r}{did_you_mean(name, NAMES)} "
            f"(known: {', '.join(NAMES)})"
        )
    return tuple(one for one in CONTENDERS if one.name in wanted)


def take_turn(contender: Contender, task: Task, folder: Path) -> Answer:
    """Let one contender do one task in `folder`, on as many cores as the task has threads."""
    given = json.dumps(asdict(replace(task, variant=contender.variant)))
    environment = {
        **os.environ,
        **dict.fromkeys(_THREAD_SETTINGS, str(task.threads)),
        "CUDA_VISIBLE_DEVICES": "",
    }
    if contender.home:
        environment["PYTHONPATH"] = str(homes.checkout() / "python")
    with _on_cores(task.threads):
        process = subprocess.Popen(
            [*contender.command(), given],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    try:
        told, complaints = process.communicate(timeout=TURN_S_MAX)
    except subprocess.TimeoutExpired:
        _end(process)
        raise TurnError(f"no answer within {TURN_S_MAX:.0f} s") from None
    except BaseException:
        _end(process)
        raise
    return answer_of(process.returncode, told, complaints, task)


def answer_of(status: int, told: str, complaints: str, task: Task) -> Answer:
    """The answer in what a contender printed, or a `TurnError` with what it complained of."""
    lines = told.splitlines()
    if status != 0 or not lines:
        last = [line.strip() for line in complaints.splitlines() if line.strip()]
        raise TurnError(last[-1][:300] if last else f"it ended with status {status}, silently")
    try:
        answer = parse_answer(lines[-1])
    except ContractError as error:
        raise TurnError(str(error)) from error
    if sys.platform == "linux" and answer.cores != task.threads:
        raise TurnError(f"it could use {answer.cores} cores; the task is for {task.threads}")
    return answer


@contextlib.contextmanager
def _on_cores(count: int) -> Generator[None]:
    """Processes started inside may use `count` cores only, from their first instruction on."""
    if sys.platform != "linux":
        yield
        return
    allowed = os.sched_getaffinity(0)
    if count > len(allowed):
        raise ConfigError(f"cores is {count}; this process may use {len(allowed)}")
    # The last ones: the first is where most systems handle their interrupts.
    os.sched_setaffinity(0, sorted(allowed)[-count:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _end(process: subprocess.Popen[str]) -> None:
    """Ask the process and what it started to end, then insist."""
    for way in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, way)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_ENDING_S_MAX)
            return
