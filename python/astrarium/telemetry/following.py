"""Sinks kept up to date from the files of a run, by threads the trainer never waits for.

The files are the queue: however slow a sink is, nothing is held in memory for it and nobody waits.
Each sink has a thread of its own, so one that hangs holds up no other, and a bookmark in
`sinks/<name>.json`, so one that is late goes on where it stopped, in this process or the next.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from astrarium import atomic
from astrarium.errors import ConfigError
from astrarium.runs import DamagedRunError, RunNotFoundError, documents
from astrarium.telemetry.events import Event
from astrarium.telemetry.journals import Bookmark, Journals, Row
from astrarium.telemetry.sinks import FOLDER, Sink

_POLL_SECONDS: Final = 0.25
_SAVE_SECONDS: Final = 5.0
"""At most this much is told twice after a crash."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SinkReport:
    """What became of a sink: the lines it did not get, and why."""

    sink: str
    windows_missed: int
    events_missed: int
    error: str | None

    def __str__(self) -> str:
        missed = f"{self.windows_missed:,} windows and {self.events_missed:,} events"
        if self.error is None:
            return f"{self.sink}: complete"
        return f"{self.sink}: {self.error}; it did not get {missed}"


class Follower:
    """Passes every window and event of a run to some sinks, from now until it is closed."""

    def __init__(self, run_folder: Path, sinks: Sequence[Sink]) -> None:
        names = [sink.name for sink in sinks]
        if len(set(names)) < len(names):
            raise ConfigError(f"two sinks have the same name: {', '.join(names)}")
        self._tails = [_Tail(run_folder, sink) for sink in sinks]

    @property
    def failures(self) -> dict[str, str]:
        """The sinks that were dropped so far, and why."""
        return {tail.name: tail.failure for tail in self._tails if tail.failure is not None}

    def close(self, timeout: float = 60.0) -> tuple[SinkReport, ...]:
        """Let every sink catch up and close; leave behind those not done after `timeout` seconds.

        Says of each sink what it missed. That stays in the files: the next follower of this run
        delivers it.
        """
        deadline = time.monotonic() + timeout
        for tail in self._tails:
            tail.finish()
        reports = tuple(
            tail.report(max(0.0, deadline - time.monotonic()), timeout) for tail in self._tails
        )
        for report in reports:
            # One that was dropped has been spoken of already.
            if report.error is not None and report.sink not in self.failures:
                _log.warning("%s", report)
        return reports


def feed(run_folder: Path, sink: Sink) -> None:
    """Pass everything there is of a run to a sink, here and now, and close it."""
    for item in Journals(run_folder).read():
        _pass_on(item, sink)
    sink.close()


def _pass_on(item: Row | Event, sink: Sink) -> None:
    if isinstance(item, dict):
        sink.window(item)
    else:
        sink.event(item)


class _Tail:
    """One sink, its thread, and how far it got."""

    def __init__(self, run_folder: Path, sink: Sink) -> None:
        self.name = sink.name
        self.failure: str | None = None
        self._sink = sink
        self._folder = run_folder
        self._bookmark_path = run_folder / FOLDER / f"{sink.name}.json"
        self._saved = _bookmark_at(self._bookmark_path)
        self._journals = Journals(run_folder, self._saved)
        self._finishing = threading.Event()
        self._abandoned = threading.Event()
        self._thread = threading.Thread(
            target=self._follow, name=f"astrarium-sink-{sink.name}", daemon=True
        )
        self._thread.start()

    def finish(self) -> None:
        """Ask for one last round."""
        self._finishing.set()

    def report(self, wait: float, timeout: float) -> SinkReport:
        """What became of it after at most `wait` more seconds."""
        self._thread.join(wait)
        error = self.failure
        if self._thread.is_alive():
            self._abandoned.set()
            error = f"still busy after {timeout:g} s"
        missed = (0, 0) if error is None else self._journals.left()
        return SinkReport(self.name, *missed, error)

    def _follow(self) -> None:
        try:
            last_round = False
            while not last_round:
                last_round = self._finishing.is_set()
                self._catch_up()
                if not last_round:
                    self._finishing.wait(_POLL_SECONDS)
            self._sink.close()
        except BaseException as error:  # a library that wants to end the process ends only its sink
            self.failure = f"{type(error).__name__}: {error}"
            if not self._abandoned.is_set():
                _log.warning("sink %s is dropped, the run goes on: %s", self.name, self.failure)
                with contextlib.suppress(BaseException):
                    self._save()
                    self._sink.close()

    def _catch_up(self) -> None:
        began = time.monotonic()
        for item in self._journals.read():
            if self._abandoned.is_set():
                # A later follower may be at work on the same bookmark by now.
                raise RuntimeError("left behind")
            _pass_on(item, self._sink)
            if time.monotonic() - began > _SAVE_SECONDS:
                self._save()
                began = time.monotonic()
        self._save()

    def _save(self) -> None:
        bookmark = self._journals.bookmark
        # A run that was deleted must not come back as a folder with a bookmark in it.
        if bookmark == self._saved or self._abandoned.is_set() or not self._folder.is_dir():
            return
        try:
            documents.write(self._bookmark_path, bookmark)
        except atomic.WriteError:
            if self._folder.is_dir():
                raise
        self._saved = bookmark


def _bookmark_at(path: Path) -> Bookmark:
    try:
        return documents.read(path, Bookmark)
    except RunNotFoundError:
        return Bookmark()
    except DamagedRunError as error:
        _log.warning("the sink gets everything again: %s", error)
        return Bookmark()
