"""Both journals as one story, whenever and however often they are read."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.runs import DamagedRunError, documents, metadata, seals
from astrarium.runs.journal import JournalEnd
from astrarium.telemetry.events import RunCompleted, RunResumed, RunStarted, WindowClosed
from astrarium.telemetry.journals import Bookmark, Journals


def told(journals: Journals) -> list[str]:
    """What is read now, in short: windows as their number, events as their kind."""
    return [in_short(item) for item in journals.read()]


def in_short(item: Any) -> str:
    if isinstance(item, dict):
        return f"window {item['window_id']}"
    if isinstance(item, WindowClosed):
        return f"closed {item.window_id}"
    number = getattr(item, "update", None)
    return type(item).__name__ if number is None else f"{type(item).__name__} {number}"


def write_story(run: Any) -> None:
    run.event(RunStarted("run-1", "w-v1", 7, "abc"))
    run.update(1, 600)
    run.window(0)
    run.update(2, 1200)
    run.window(1)
    run.event(RunCompleted(2000))


STORY = [
    *("RunStarted", "UpdateFinished 1", "window 0", "closed 0"),
    *("UpdateFinished 2", "window 1", "closed 1", "RunCompleted"),
]


def test_rows_stand_where_their_events_tell_of_them(run: Any) -> None:
    write_story(run)
    journals = Journals(run.folder)
    assert told(journals) == STORY
    assert told(journals) == []


def test_a_reader_who_follows_along_is_told_the_same_story(run: Any) -> None:
    journals, heard = Journals(run.folder), list[str]()
    append = run.append

    def append_and_read(path: Any, row: Any) -> None:
        append(path, row)
        heard.extend(told(journals))

    run.append = append_and_read
    write_story(run)
    assert heard == STORY


def test_a_window_closed_while_reading_comes_before_the_event_that_tells_of_it(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the questions for rows and for events, a whole window is written."""
    journals = Journals(run.folder)
    lines = journals._events.lines

    def late() -> Any:
        run.window(0)
        return lines()

    monkeypatch.setattr(journals._events, "lines", late)
    assert told(journals) == ["window 0", "closed 0"]


def test_a_row_without_an_event_comes_last(run: Any) -> None:
    run.append(run.windows, {"window_id": 0, "env_steps_total": 10})
    run.update(1, 20)
    assert told(Journals(run.folder)) == ["UpdateFinished 1", "window 0"]


def test_reading_goes_on_at_a_bookmark(run: Any) -> None:
    write_story(run)
    for stop in range(len(STORY)):
        journals = Journals(run.folder)
        reading = journals.read()
        heard = [in_short(next(reading)) for _ in range(stop)]
        # The last one handed out may not have been dealt with: it comes again.
        later = Journals(run.folder, journals.bookmark)
        assert heard[:-1] + told(later) == STORY


def test_a_torn_line_is_left_until_it_is_whole(run: Any) -> None:
    run.window(0)
    before = run.windows.read_bytes()
    run.append(run.windows, {"window_id": 1, "env_steps_total": 7})
    whole = run.windows.read_bytes()
    run.windows.write_bytes(whole[: len(before) + 20])
    journals = Journals(run.folder)
    assert told(journals) == ["window 0", "closed 0"]
    run.windows.write_bytes(whole)
    assert told(journals) == ["window 1"]


def test_lines_that_say_nothing_are_skipped(run: Any, caplog: pytest.LogCaptureFixture) -> None:
    run.window(0)
    for path in (run.windows, run.events):
        run.append(path, {"no": "window"})
        run.append(path, {"kind": 7})
    run.append(run.events, {"kind": "of_a_newer_version"})
    run.window(1)
    with caplog.at_level(logging.WARNING):
        heard = told(Journals(run.folder))
    assert heard == ["window 0", "closed 0", "window 1", "closed 1"]
    assert len(caplog.records) == 4  # a newer version's event is nothing to warn of


def test_a_line_that_is_not_as_it_was_sealed_is_named(run: Any) -> None:
    run.window(0)
    run.window(1)
    whole = run.windows.read_bytes()
    run.windows.write_bytes(whole.replace(b'"window_id": 1', b'"window_id": 3'))
    journals = Journals(run.folder)
    heard: list[str] = []
    with pytest.raises(DamagedRunError, match=r"windows\.jsonl:2 is damaged: its seal does not"):
        heard.extend(map(in_short, journals.read()))
    assert heard == ["window 0"]


def test_rows_that_the_metadata_counts_must_be_there(run: Any) -> None:
    run.window(0)
    first = run.windows.stat().st_size
    run.window(1)
    end = JournalEnd(2, run.windows.stat().st_size, "")
    state = metadata.read(run.folder) | {"journals": {"metrics/windows.jsonl": end}}
    documents.write(run.folder / "run_metadata.json", state)
    assert len(told(Journals(run.folder))) == 4
    run.windows.write_bytes(run.windows.read_bytes()[:first])
    with pytest.raises(DamagedRunError, match="it lacks the last 1 of 2 rows"):
        told(Journals(run.folder))


def test_a_file_that_is_cut_while_it_is_read_is_not_damaged(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A resume may put other lines in the place of those that were read ahead."""
    run.window(0)
    sizes = run.sizes()
    run.window(1)
    reader = Journals(run.folder)._windows
    lines = reader.lines()
    next(lines)
    read_again = reader._read_again

    def late(*given: Any) -> Any:
        run.cut(sizes)
        run.window(1, wall_seconds=2.0)
        return read_again(*given)

    monkeypatch.setattr(reader, "_read_again", late)
    monkeypatch.setattr(seals, "open_line", fails_once(seals.open_line))
    assert [msgspec.json.decode(line)["wall_seconds"] for line in lines] == [2.0]


def fails_once(call: Callable[..., Any]) -> Callable[..., Any]:
    """The call, refused the first time."""
    refused: list[int] = []

    def wrapped(*given: Any) -> Any:
        if not refused:
            refused.append(1)
            raise seals.SealError("torn")
        return call(*given)

    return wrapped


def test_no_journals_are_an_empty_story(run: Any) -> None:
    run.windows.unlink()
    run.events.unlink()
    assert told(Journals(run.folder)) == []


def test_after_a_cut_only_what_is_new_comes_again(run: Any) -> None:
    run.update(1, 600)
    run.window(0)
    checkpoint = run.sizes()
    run.update(2, 1200)
    run.window(1)
    run.window(2)
    journals = Journals(run.folder)
    told(journals)

    run.cut(checkpoint)
    run.event(RunResumed(window_id=0, update=1, at="later"))
    run.update(2, 1200)
    run.window(1)
    again = ["RunResumed 1", "UpdateFinished 2", "window 1", "closed 1"]
    assert told(Journals(run.folder, journals.bookmark)) == again
    assert told(journals) == again
    assert told(journals) == []


def test_a_cut_is_seen_before_anything_new_is_written(run: Any) -> None:
    """The reader starts with the process that resumes, sooner than its first event."""
    run.window(0)
    checkpoint = run.sizes()
    run.window(1)
    journals = Journals(run.folder)
    told(journals)
    run.cut(checkpoint)
    assert told(journals) == []
    run.event(RunResumed(window_id=0, update=0))
    run.window(1)
    assert told(journals) == ["RunResumed 0", "window 1", "closed 1"]


def test_a_cut_is_seen_after_the_journals_have_outgrown_it(run: Any) -> None:
    run.window(0)
    checkpoint = run.sizes()
    run.window(1)
    journals = Journals(run.folder)
    told(journals)
    run.cut(checkpoint)
    run.event(RunResumed(window_id=0, update=0))
    for window_id in (1, 2, 3):
        run.window(window_id, wall_seconds=0.25)
    heard = told(journals)
    assert heard[:3] == ["RunResumed 0", "window 1", "closed 1"]
    assert heard[-1] == "closed 3"
    assert "window 0" not in heard


def test_two_cuts_in_a_row_go_back_to_the_first(run: Any) -> None:
    run.window(0)
    first = run.sizes()
    run.window(1)
    run.window(2)
    journals = Journals(run.folder)
    told(journals)
    run.cut(first)
    run.event(RunResumed(window_id=0, update=0, at="1"))
    run.window(1, wall_seconds=1.0)
    second = run.sizes()
    run.window(2, wall_seconds=1.0)
    run.cut(second)
    run.event(RunResumed(window_id=1, update=0, at="2"))
    run.window(2, wall_seconds=2.0)
    assert [one for one in told(journals) if one.startswith("window")] == ["window 1", "window 2"]


def test_a_resumption_that_was_seen_is_not_gone_back_to(run: Any) -> None:
    run.window(0)
    first = run.sizes()
    run.window(1)
    run.cut(first)
    run.event(RunResumed(window_id=0, update=0, at="1"))
    run.window(1)
    second = run.sizes()
    run.window(2)
    journals = Journals(run.folder)
    told(journals)
    run.cut(second)
    run.event(RunResumed(window_id=1, update=5, at="2"))
    run.window(2, wall_seconds=2.0)
    assert told(journals) == ["RunResumed 5", "window 2", "closed 2"]


def test_another_run_in_the_same_place_is_read_from_its_start(run: Any) -> None:
    run.window(0)
    journals = Journals(run.folder)
    told(journals)
    run.cut((0, 0))
    for window_id in range(3):
        run.window(window_id, of="another run")
    assert [one for one in told(journals) if one.startswith("window")] == [
        f"window {window_id}" for window_id in range(3)
    ]


def test_what_lies_ahead_is_counted(run: Any) -> None:
    write_story(run)
    journals = Journals(run.folder)
    assert journals.left() == (2, 6)
    told(journals)
    assert journals.left() == (0, 0)


STEPS = st.lists(st.sampled_from(["window", "update", "checkpoint", "resume", "read", "restart"]))


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_every_window_that_stands_was_told_last_as_it_stands(
    steps: list[str], new_run: Callable[[], Any]
) -> None:
    """Whatever is written, cut and read in between, the reader ends with what the files say."""
    run = new_run()
    journals, heard = Journals(run.folder), dict[int, Any]()
    checkpoint, windows, resumptions = (0, 0, (0, 0)), 0, 0
    for at, step in enumerate([*steps, "read"]):
        match step:
            case "window":
                run.window(windows, wall_seconds=float(at))
                windows += 1
            case "update":
                run.update(at, 10)
            case "checkpoint":
                checkpoint = (windows - 1, windows, run.sizes())
            case "resume":
                if checkpoint[1] == 0:
                    continue  # a run without a checkpoint cannot be resumed
                windows = checkpoint[1]
                run.cut(checkpoint[2])
                resumptions += 1
                run.event(RunResumed(checkpoint[0], at, at=str(resumptions)))
            case "restart":
                journals = Journals(run.folder, journals.bookmark)
            case _:
                for item in journals.read():
                    if isinstance(item, dict):
                        heard = {k: v for k, v in heard.items() if k < item["window_id"]}
                        heard[item["window_id"]] = item["wall_seconds"]
    standing = {
        item["window_id"]: item["wall_seconds"]
        for item in Journals(run.folder).read()
        if isinstance(item, dict)
    }
    assert {k: heard.get(k) for k in standing} == standing


def test_a_bookmark_keeps_its_resumptions(run: Any) -> None:
    run.event(RunResumed(0, 0, at="then"))
    journals = Journals(run.folder, Bookmark())
    told(journals)
    assert journals.bookmark.resumptions == ["then"]
