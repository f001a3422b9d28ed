"""The dashboard as somebody sees and uses it, on a terminal that exists only here."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from console_cases import MadeRun, sealed
from textual.pilot import Pilot

from astrarium.cli import main
from astrarium.errors import AstrariumError
from astrarium.esper.console.app import Dashboard
from astrarium.esper.console.follow import RunFollower
from astrarium.esper.console.screens import Detail, Fatal
from astrarium.esper.contracts.errors import HappeningError
from astrarium.esper.contracts.happenings import decode
from astrarium.runs import RunFolder, documents
from astrarium.runs.journal import Journal, end_of
from astrarium.runs.lock import RunLock
from astrarium.runs.seals import open_line, seal_of

SMALL, LARGE = (80, 24), (160, 50)
Scene = Callable[[Pilot[Any]], Awaitable[None]]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder with a whole made run that says it is running."""
    state = {"format": 2, "run_id": tmp_path.name, "status": "running", "journals": {}}
    documents.write(tmp_path / "run_metadata.json", state)
    MadeRun().write(tmp_path)
    return tmp_path


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, folder: Path) -> None:
        lines = (folder / "world_events.jsonl").read_bytes().splitlines(keepends=True)
        self.last = datetime.fromisoformat(decode(open_line(lines[-1], seal_of(lines[-2]))).at)
        self.seconds = 0.0

    def __call__(self) -> datetime:
        return self.last + timedelta(seconds=self.seconds)


def play(
    folder: Path, size: tuple[int, int], scene: Scene, clock: Clock | None = None
) -> AstrariumError | OSError | None:
    """Let a scene happen on a dashboard; what the dashboard ended with."""
    lock = RunLock(folder)
    app = Dashboard(RunFollower(RunFolder.open(folder)), clock or Clock(folder))

    async def played() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await scene(pilot)

    try:
        asyncio.run(played())
    finally:
        lock.release()
    return app.return_value


def on_screen(pilot: Pilot[Any]) -> str:
    """What is to be read, line by line."""
    svg = pilot.app.export_screenshot(simplify=True)
    lines = re.findall(r'<text[^>]*? y="([\d.]+)"[^>]*>([^<]*)</text>', svg)
    rows: dict[str, str] = {}
    for y, text in lines:
        rows[y] = rows.get(y, "") + text.replace("&#160;", " ").replace("&gt;", ">")
    return "\n".join(rows.values())


async def read(pilot: Pilot[Any], *expected: str) -> str:
    """What is to be read once all of this is: parts of a screen are drawn a moment later."""
    for _ in range(100):
        text = on_screen(pilot)
        missing = [word for word in expected if word not in text]
        if not missing:
            return text
        await pilot.pause(0.05)
    raise AssertionError(f"{missing} cannot be read in\n{text}")


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_first_look_shows_run_hosts_and_keys(run: Path, size: tuple[int, int]) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        head = ("digits_impaired", "ppo", "running", "round 4/4", "12 episodes", "epochs/s")
        table = ("critical", "growth", "r1c1", "12/12", "×!!", "F1.0 con", "1 decisions")
        text = await read(pilot, *head, *table, "Details", "Hosts", "1-8 Panel", "Quit")
        assert "STALE" not in text
        assert "QUIET" not in text

    play(run, size, scene)


PANELS = {
    "1": "asked for",
    "2": "blueprint",
    "3": "on average (Shapley)",
    "4": "explained variance",
    "5": "healthy is",
    "6": "useful",
    "7": "Stage TRAINING",
    "8": "(debug)",
}


def test_a_small_terminal_shows_one_panel_at_a_time(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        for key, word in PANELS.items():
            await pilot.press(key)
            await read(pilot, word, f"[{key} ")
            shown = [panel.id for panel in pilot.app.screen.query(".panel") if panel.display]
            assert len(shown) == 1, key

    play(run, SMALL, scene)


def test_a_large_terminal_shows_all_panels_at_once(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await read(pilot, *PANELS.values())

    play(run, LARGE, scene)


def test_another_size_is_another_layout(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        assert "course" not in on_screen(pilot)
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        await read(pilot, "course", "explained variance")

    play(run, SMALL, scene)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize(
    ("keys", "title"),
    [
        (("down", "enter"), "host 1, episode 3, epoch 12"),
        (("down", "2", "down", "enter"), "host 1, slot r0c1"),
        (("1", "down", "down", "enter"), "host 2, episode 3, epoch 12: ADVANCE"),
    ],
)
def test_enter_shows_all_about_a_host_a_seed_or_a_decision(
    run: Path, size: tuple[int, int], keys: tuple[str, ...], title: str
) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await pilot.press(*keys)
        await read(pilot, title)
        assert isinstance(pilot.app.screen, Detail)
        await pilot.press("escape")
        await read(pilot, "digits_impaired")

    play(run, size, scene)


def test_panels_of_one_host_follow_the_cursor(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await read(pilot, "2 seeds of host 0")
        await pilot.press("down", "down")
        await read(pilot, "2 seeds of host 2")
        await read(pilot, "3 worth of host 2")

    play(run, LARGE, scene)


def test_news_are_shown_and_the_cursor_stays(run: Path) -> None:
    lines = MadeRun().lines()
    path = run / "world_events.jsonl"
    path.write_bytes(sealed(lines[: len(lines) // 3]))

    async def scene(pilot: Pilot[Any]) -> None:
        await read(pilot, "round 1/4")
        await pilot.press("down", "enter")
        path.write_bytes(sealed(lines))
        pilot.app.poll()
        await read(pilot, "host 1, episode 3, epoch 12")
        await pilot.press("escape")
        await read(pilot, "round 4/4")
        await read(pilot, "2 seeds of host 1")

    play(run, LARGE, scene)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_run_without_news_is_called_quiet_and_then_stale(
    run: Path, size: tuple[int, int]
) -> None:
    clock = Clock(run)

    async def scene(pilot: Pilot[Any]) -> None:
        for seconds, word in (
            (2.0, "QUIET: no news for 0:00:02"),
            (61.0, "STALE: no news for 0:0"),
        ):
            clock.seconds = seconds
            pilot.app.poll()
            await read(pilot, word)

    play(run, size, scene, clock)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_first_error_is_the_end(run: Path, size: tuple[int, int]) -> None:
    path = run / "world_events.jsonl"
    count = len(path.read_bytes().splitlines())

    async def scene(pilot: Pilot[Any]) -> None:
        await pilot.press("enter")  # the page on top must not hide it
        log = Journal(path, end_of(path))
        log.append({"kind": "EPOCH_COMPLETE"})
        log.close()
        pilot.app.poll()
        await read(pilot, "cannot be shown any further", str(count + 1))
        assert isinstance(pilot.app.screen, Fatal)
        path.write_bytes(b"")
        pilot.app.poll()
        await pilot.pause()
        assert isinstance(pilot.app.screen, Fatal)
        await pilot.press("q")

    error = play(run, size, scene)
    assert isinstance(error, HappeningError)
    assert f"world_events.jsonl, line {count + 1}: no world event" in str(error)


def test_a_run_that_is_deleted_meanwhile_is_the_end_too(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        shutil.rmtree(run)
        pilot.app.poll()
        await pilot.pause()
        assert isinstance(pilot.app.screen, Fatal)
        await pilot.press("enter")

    assert run.name in str(play(run, SMALL, scene))


def test_q_leaves_without_an_error(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        await pilot.press("q")

    assert play(run, SMALL, scene) is None


def test_before_the_first_line_it_waits(run: Path) -> None:
    clock = Clock(run)
    (run / "world_events.jsonl").unlink()

    async def scene(pilot: Pilot[Any]) -> None:
        await read(pilot, "waiting for the first line")
        await pilot.press("1", "enter", "2", "enter", "h", "enter")
        await read(pilot, "waiting for the first line")
        MadeRun().write(run)
        pilot.app.poll()
        await read(pilot, "round 4/4")

    play(run, SMALL, scene, clock)


def command(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["esper", "watch", *tokens])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def test_once_prints_what_there_is_to_see(capsys: pytest.CaptureFixture[str], run: Path) -> None:
    code, out, err = command(capsys, str(run), "--once")
    assert (code, err) == (0, "")
    for word in (
        "digits_impaired · ppo",
        "round 4/4",
        "hosts",
        "policy",
        "healthy is",
        "anomalies",
    ):
        assert word in out
    assert "\x1b" not in out


def test_what_is_no_terminal_is_told_what_to_do(
    capsys: pytest.CaptureFixture[str], run: Path
) -> None:
    code, out, err = command(capsys, str(run))
    assert (code, out) == (2, "")
    assert "--once" in err


def test_once_fails_on_a_line_it_does_not_know(
    capsys: pytest.CaptureFixture[str], run: Path
) -> None:
    place = run / "world_events.jsonl"
    log = Journal(place, end_of(place))
    log.append({})
    log.close()
    code, _, err = command(capsys, str(run), "--once")
    assert code == 2
    assert "world_events.jsonl, line" in err


def test_watching_does_not_need_torch() -> None:
    code = "import sys, astrarium.esper.console.app; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
