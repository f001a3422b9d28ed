"""Sinks are kept up to date, and whatever they do, nobody waits for them."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astrarium.errors import ConfigError
from astrarium.runs import Checkpoint, RunFacts, RunWriter
from astrarium.telemetry import Follower, Sink, feed
from astrarium.telemetry.events import Event, RunCompleted, RunResumed, WindowClosed

PROMPT = 5.0
"""Seconds that count as not having waited for a sink that sleeps forever."""


class Notebook:
    """A sink that notes what it is told."""

    def __init__(self, name: str = "notebook") -> None:
        self.name = name
        self.windows: list[int] = []
        self.events: list[Event] = []
        self.closed = 0

    def window(self, row: Mapping[str, Any]) -> None:
        self.windows.append(row["window_id"])

    def event(self, event: Event) -> None:
        self.events.append(event)

    def close(self) -> None:
        self.closed += 1


class Sleeper(Notebook):
    """A sink that falls asleep on its second window, until it is woken."""

    def __init__(self) -> None:
        super().__init__("sleeper")
        self.alarm = threading.Event()
        self.asleep = threading.Event()

    def window(self, row: Mapping[str, Any]) -> None:
        if row["window_id"] == 1:
            self.asleep.set()
            self.alarm.wait()
        super().window(row)


class Breaker(Notebook):
    """A sink that raises on its second window."""

    def __init__(self, error: BaseException) -> None:
        super().__init__("breaker")
        self._error = error

    def window(self, row: Mapping[str, Any]) -> None:
        if row["window_id"] == 1:
            raise self._error
        super().window(row)


def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


@pytest.fixture
def sleeper() -> Iterator[Sleeper]:
    sink = Sleeper()
    yield sink
    sink.alarm.set()


def test_a_sink_gets_everything_in_order_and_is_closed_once(run: Any) -> None:
    notebook = Notebook()
    follower = Follower(run.folder, [notebook])
    for window_id in range(20):
        run.window(window_id)
    run.event(RunCompleted(20_000))
    (report,) = follower.close()
    assert notebook.windows == list(range(20))
    assert notebook.events[-1] == RunCompleted(20_000)
    assert notebook.closed == 1
    assert (report.sink, report.windows_missed, report.events_missed) == ("notebook", 0, 0)
    assert report.error is None
    assert str(report) == "notebook: complete"


def test_a_sink_is_kept_up_to_date_while_the_run_goes_on(run: Any) -> None:
    notebook = Notebook()
    follower = Follower(run.folder, [notebook])
    run.window(0)
    until(lambda: notebook.windows == [0])
    run.window(1)
    until(lambda: notebook.windows == [0, 1])
    follower.close()


def test_a_sink_that_sleeps_forever_holds_up_nobody(
    run: Any, sleeper: Sleeper, caplog: pytest.LogCaptureFixture
) -> None:
    notebook = Notebook()
    began = time.monotonic()
    follower = Follower(run.folder, [sleeper, notebook])
    for window_id in range(5):
        run.window(window_id)
    assert time.monotonic() - began < PROMPT
    until(sleeper.asleep.is_set)
    with caplog.at_level(logging.WARNING):
        asleep, awake = follower.close(timeout=0.3)
    assert time.monotonic() - began < 2 * PROMPT
    assert notebook.windows == list(range(5))
    assert awake.error is None
    # Windows 1 to 4; of the events, all from the one that tells of window 1.
    assert (asleep.windows_missed, asleep.events_missed) == (4, 4)
    assert asleep.error == "still busy after 0.3 s"
    assert "sleeper: still busy after 0.3 s; it did not get 4 windows" in caplog.text


def test_a_sink_left_behind_stays_silent_when_it_wakes(run: Any, sleeper: Sleeper) -> None:
    follower = Follower(run.folder, [sleeper])
    for window_id in range(3):
        run.window(window_id)
    until(sleeper.asleep.is_set)
    follower.close(timeout=0.0)
    threads = [one for one in threading.enumerate() if one.name == "astrarium-sink-sleeper"]
    sleeper.alarm.set()
    for thread in threads:
        thread.join(10)
    assert sleeper.windows == [0, 1]
    assert sleeper.closed == 0
    # The next follower begins before what the sleeper may not have dealt with.
    later = Notebook("sleeper")
    Follower(run.folder, [later]).close()
    assert later.windows[-2:] == [1, 2]


@pytest.mark.parametrize("error", [ValueError("full"), SystemExit(3), KeyboardInterrupt()])
def test_a_sink_that_raises_is_dropped_with_one_warning(
    run: Any, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    breaker, notebook = Breaker(error), Notebook()
    with caplog.at_level(logging.WARNING):
        follower = Follower(run.folder, [breaker, notebook])
        run.window(0)
        until(lambda: breaker.events)
        run.window(1)
        until(lambda: follower.failures)
        run.window(2)
        run.window(3)
        assert follower.failures == {"breaker": f"{type(error).__name__}: {error}"}
        broken, whole = follower.close()
        assert len(caplog.records) == 1
    assert "sink breaker is dropped, the run goes on" in caplog.text
    assert (breaker.windows, breaker.closed) == ([0], 1)
    assert (broken.windows_missed, broken.events_missed) == (3, 3)
    assert broken.error == follower.failures["breaker"]
    assert notebook.windows == [0, 1, 2, 3]
    assert whole.error is None


def test_a_sink_that_cannot_be_closed_says_so(run: Any) -> None:
    class Sticky(Notebook):
        def close(self) -> None:
            raise OSError("stuck")

    run.window(0)
    (report,) = Follower(run.folder, [Sticky()]).close()
    assert report.error == "OSError: stuck"
    assert report.windows_missed == 0


def test_the_next_follower_goes_on_where_the_last_one_stopped(run: Any) -> None:
    run.window(0)
    first = Notebook()
    Follower(run.folder, [first]).close()
    run.window(1)
    second, newcomer = Notebook(), Notebook("newcomer")
    Follower(run.folder, [second, newcomer]).close()
    assert (first.windows, second.windows, newcomer.windows) == ([0], [1], [0, 1])


def test_after_a_rollback_the_new_windows_come_again(run: Any) -> None:
    run.window(0)
    checkpoint = run.sizes()
    run.window(1)
    run.window(2)
    Follower(run.folder, [Notebook()]).close()
    run.cut(checkpoint)
    run.event(RunResumed(window_id=0, update=0))
    run.window(1)
    notebook = Notebook()
    Follower(run.folder, [notebook]).close()
    assert notebook.windows == [1]
    assert notebook.events[0] == RunResumed(0, 0)


def test_a_run_resumed_by_its_writer_is_told_from_its_checkpoint_on(tmp_path: Path) -> None:
    facts = RunFacts("ppo", 10_000, 1_000, "lanterns-v1", {}, "0badcafe", ())
    writer = RunWriter.create(tmp_path, {}, facts, "real")

    def window(window_id: int, seconds: float) -> None:
        steps = dict.fromkeys(("env_steps_start", "env_steps_end", "env_steps_in_window"), 0)
        counts = {"window_id": window_id, "env_steps_total": window_id, "episodes_completed": 0}
        # No two lives of a run take equally long; that is how a row is known to be another.
        row = {**counts, **steps, "window_complete": True, "wall_seconds": seconds}
        writer.append_window(row)
        writer.append_event(WindowClosed(window_id, window_id))

    for window_id in range(3):
        window(window_id, 1.25)
        if window_id == 1:
            arrays = {"weights": np.zeros(1, np.float32)}
            state = {"policy_arch": "none", "obs_shape": [1], "heads": [2]}
            writer.save_checkpoint(Checkpoint(1, 1, arrays, arrays, b"worlds", state))
    writer.pause()
    before = Notebook()
    Follower(writer.folder, [before]).close()
    writer, checkpoint = RunWriter.resume(writer.folder)
    after = Notebook()
    follower = Follower(writer.folder, [after])
    writer.append_event(RunResumed(checkpoint.window_id, 0))
    for window_id in (2, 3):
        window(window_id, 1.5)
    writer.finish()
    follower.close()
    assert before.windows == [0, 1, 2]
    assert after.windows == [2, 3]
    assert after.events[0] == RunResumed(1, 0)


def test_a_damaged_bookmark_means_starting_over(run: Any, caplog: pytest.LogCaptureFixture) -> None:
    run.window(0)
    Follower(run.folder, [Notebook()]).close()
    bookmark = run.folder / "sinks" / "notebook.json"
    assert json.loads(bookmark.read_text())["windows"]["offset"] == run.sizes()[0]
    bookmark.write_text('{"windows": "nonsense"}')
    notebook = Notebook()
    Follower(run.folder, [notebook]).close()
    assert notebook.windows == [0]
    assert f"{bookmark} is damaged" in caplog.text


def test_a_run_that_is_deleted_stays_deleted(run: Any, tmp_path: Path) -> None:
    notebook = Notebook()
    follower = Follower(run.folder, [notebook])
    run.window(0)
    until((run.folder / "sinks" / "notebook.json").exists)
    run.folder.rename(tmp_path / "elsewhere")
    (report,) = follower.close()
    assert not run.folder.exists()
    assert report.error is None


def test_two_sinks_of_one_name_are_refused(run: Any) -> None:
    with pytest.raises(ConfigError, match="same name"):
        Follower(run.folder, [Notebook(), Notebook()])


def test_a_follower_without_sinks_does_nothing(run: Any) -> None:
    assert Follower(run.folder, []).close() == ()


def test_a_finished_run_can_be_fed_to_a_sink(run: Any) -> None:
    run.window(0)
    run.window(1)
    notebook: Sink = Notebook()
    feed(run.folder, notebook)
    assert isinstance(notebook, Notebook)
    assert (notebook.windows, notebook.closed) == ([0, 1], 1)
    assert not (run.folder / "sinks").exists()
