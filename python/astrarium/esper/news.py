"""What supervision counts and tells, and how bad it is; other processes read the worst of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from astrarium import atomic
from astrarium.esper import emergency
from astrarium.esper.contracts.errors import EsperError
from astrarium.esper.deadlines import Deadlines, Task
from astrarium.esper.emergency import Emergency, Level
from astrarium.esper.risk import Severity


class HaltError(EsperError, RuntimeError):
    """A host that must not be trained on before somebody has looked at it."""


@dataclass(frozen=True, slots=True)
class SupervisionEvent:
    """Something worth telling."""

    name: str
    severity: Severity
    epoch: int
    detail: str


class News:
    """Counters, events, times and the level of emergency of one host."""

    def __init__(self, deadlines: Deadlines, flag: Path | None, now_s: Callable[[], float]) -> None:
        """`flag` is a file that other processes read and write too."""
        self.deadlines = deadlines
        self.now_s = now_s
        self.epoch = 0
        self.counters: Counter[str] = Counter()
        self.took_ms: dict[Task, float] = {}
        self.emergency = Emergency()
        self._events: list[SupervisionEvent] = []
        self._flag = flag
        self._sent_s: tuple[float, ...] = ()

    def tell(self, name: str, severity: Severity, detail: str) -> None:
        """Something happened in the present epoch."""
        self._events.append(SupervisionEvent(name, severity, self.epoch, detail))

    def take_events(self) -> tuple[SupervisionEvent, ...]:
        """What happened since this was last asked."""
        events, self._events = tuple(self._events), []
        return events

    @contextmanager
    def timed(self, task: Task) -> Generator[None]:
        """How long the block took, kept under the task's name."""
        begun = self.now_s()
        try:
            yield
        finally:
            self.took_ms[task] = (self.now_s() - begun) * 1e3

    def missed(self, task: Task) -> bool:
        """Whether the task took too long; if so it is counted and told."""
        took = self.took_ms[task]
        if not self.deadlines.missed(task, took):
            return False
        self.counters[f"tolaria.{task}.deadline_exceeded_total"] += 1
        self.tell(f"tolaria.{task}_late", "warning", f"{took:.1f} ms")
        return True

    # Emergencies

    def rise_to(self, after: Emergency) -> None:
        """Take an emergency over; a higher level is told to everybody."""
        rose = after.level > self.emergency.level
        self.emergency = after
        if rose:
            self.tell(f"tolaria.emergency_l{after.level.value}", "critical", after.reason)
            self._write_flag()

    def reset(self) -> None:
        """Somebody has looked."""
        self.emergency = emergency.reset()
        self.tell("tolaria.emergency_reset", "info", "")
        self._write_flag()

    def stop_if_halted(self) -> None:
        """Refuse to go on at the highest level."""
        if self.emergency.level is Level.HALT:
            raise HaltError(
                f"the host was halted after epoch {self.epoch}: {self.emergency.reason}; "
                "find out why, then reset() its supervision"
            )

    def heed_flag(self) -> None:
        """Another process may halt this one; nothing less is taken over from it."""
        if self._flag is None or not self._flag.exists():
            return
        try:
            told, _ = emergency.read_flag(self._flag.read_bytes())
        except emergency.FlagError as error:
            self.tell("tolaria.emergency_flag_damaged", "warning", str(error))
            return
        if told.level is Level.HALT:
            self.rise_to(emergency.raised(self.emergency, Level.HALT, told.reason))

    def _write_flag(self) -> None:
        now = self.now_s()
        self._sent_s, allowed = emergency.may_broadcast(self._sent_s, now)
        if self._flag is not None and allowed:
            atomic.write_bytes(self._flag, emergency.flag_bytes(self.emergency, now))
