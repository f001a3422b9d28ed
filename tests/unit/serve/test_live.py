"""News of the runs: each once, to everybody who keeps up."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from grown_runs import epoch_lines, new_grown_run, tell
from served_runs import add_replay, add_window, long_replay, new_run, write_run

from astrarium.runs import names
from astrarium.serve import live as module
from astrarium.serve.catalogue import Catalogue
from astrarium.serve.live import RESET, Listener, Live


@pytest.fixture
def live(tmp_path: Path) -> Live:
    catalogue = Catalogue(tmp_path, 0.01)
    catalogue.sweep()
    return Live(catalogue, 0.01)


def told(live: Live) -> list[tuple[str, dict]]:
    return [(name, json.loads(content)) for name, content in live._look()]


def test_what_happens_to_a_run_is_told_in_order(tmp_path: Path, live: Live) -> None:
    writer = new_run(tmp_path)
    assert [name for name, _ in told(live)] == ["run"]
    assert told(live) == []
    add_window(writer, 0)
    replay_id = add_replay(writer, long_replay(3))
    news = told(live)
    assert [name for name, _ in news] == ["run", "window", "replay"]
    assert news[0][1]["windows_emitted"] == 1
    assert news[1][1]["run_id"] == "run"
    assert news[1][1]["window"]["window_id"] == 0
    assert news[2][1]["replay"]["replay_id"] == replay_id
    add_window(writer, 1)
    assert [one["window"]["window_id"] for name, one in told(live) if name == "window"] == [1]
    writer.finish()
    ((name, row),) = told(live)
    assert (name, row["status"]) == ("run", "completed")
    shutil.rmtree(tmp_path / "run")
    assert told(live) == [("gone", {"run_id": "run"})]


def test_windows_written_before_the_watcher_came_are_not_told_again(tmp_path: Path) -> None:
    writer = new_run(tmp_path)
    for window_id in range(3):
        add_window(writer, window_id)
    catalogue = Catalogue(tmp_path, 0.01)
    catalogue.sweep()
    live = Live(catalogue, 0.01)
    add_window(writer, 3)
    windows = [one["window"]["window_id"] for name, one in told(live) if name == "window"]
    assert windows == [3]
    writer.finish()


def test_a_page_that_comes_back_gets_what_it_missed(live: Live) -> None:
    for number in range(5):
        live._publish("gone", b'{"run_id":"%d"}' % number)
    epoch = live._epoch
    missed = b"".join(live._welcome(f"{epoch}-3"))
    assert missed.count(b"event: gone") == 2
    assert f"id: {epoch}-5".encode() in missed
    assert b"event" not in b"".join(live._welcome(f"{epoch}-5"))
    assert b"event" not in b"".join(live._welcome(None))


@pytest.mark.parametrize("last", ["", "x", "other-3", "{epoch}-9", "{epoch}-x", "{epoch}--1"])
def test_a_page_from_elsewhere_is_told_to_start_over(live: Live, last: str) -> None:
    live._publish("gone", b"{}")
    assert live._welcome(last.format(epoch=live._epoch))[0].startswith(RESET)


def test_events_beyond_the_history_are_a_reset(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(module.HISTORY_MAX + 10):
        live._publish("gone", b"{}")
    assert live._welcome(f"{live._epoch}-3")[0].startswith(RESET)
    assert not live._welcome(f"{live._epoch}-10")[0].startswith(RESET)


def test_a_page_that_does_not_keep_up_is_dropped_with_a_reset() -> None:
    listener = Listener()
    for _ in range(module.QUEUE_MAX + 50):
        listener.tell(b"event")
    assert listener.lost
    assert [listener.queue.get_nowait() for _ in range(2)] == [RESET, None]
    assert listener.queue.empty()


def test_a_listener_leaves_nothing_behind(tmp_path: Path, live: Live) -> None:
    async def story() -> None:
        await live.start()
        assert live.watching
        news = live.listen(None)
        assert (await anext(news)).startswith(b"id: ")
        write_run(tmp_path, "run", windows=1, frames=3)
        first = await asyncio.wait_for(anext(news), 30)
        assert b"event: run\n" in first
        assert b"\n\n" in first
        await news.aclose()
        assert not live._listeners
        await live.stop()
        assert not live.watching

    asyncio.run(story())


def test_a_run_that_grows_is_told_while_it_runs(tmp_path: Path, live: Live) -> None:
    writer = new_grown_run(tmp_path, content=epoch_lines(1))
    size = (tmp_path / "grown" / names.WORLD_EVENTS).stat().st_size
    assert ("growth", {"run_id": "grown", "bytes": size}) in told(live)
    assert told(live) == []
    tell(tmp_path / "grown", epoch_lines(2))
    assert [name for name, _ in told(live)] == ["growth"]
    writer.finish()
    tell(tmp_path / "grown", epoch_lines(3))
    assert [name for name, _ in told(live)] == ["run"]
