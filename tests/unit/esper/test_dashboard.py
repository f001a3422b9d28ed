"""The dashboard as somebody sees and uses it, on a terminal that exists only here."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from console_cases import MadeRun
from textual.pilot import Pilot

from astrarium.cli import main
from astrarium.errors import AstrariumError
from astrarium.esper.console.app import Dashboard
from astrarium.esper.console.follow import RunFollower
from astrarium.esper.console.screens import Detail, Fatal
from astrarium.esper.contracts.errors import HappeningError
from astrarium.esper.contracts.happenings import decode
from astrarium.runs import RunFolder
from astrarium.runs.lock import RunLock

SMALL, LARGE = (80, 24), (160, 50)
Scene = Callable[[Pilot[Any]], Awaitable[None]]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder with a whole made run that says it is running."""
    metadata = {"run_id": tmp_path.name, "status": "running"}
    (tmp_path / "run_metadata.json").write_text(json.dumps(metadata))
    MadeRun().write(tmp_path)
    return tmp_path


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, folder: Path) -> None:
        lines = (folder / "world_events.jsonl").read_bytes().splitlines()
        self.last = datetime.fromisoformat(decode(lines[-1]).at)
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


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_first_look_shows_run_hosts_and_keys(run: Path, size: tuple[int, int]) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        text = on_screen(pilot)
        for word in ("digits_impaired", "ppo", "running", "round 4/4", "12 episodes", "epochs/s"):
            assert word in text
        for word in ("critical", "growth", "r1c1", "12/12", "×!!", "F1.0 con", "1 decisions"):
            assert word in text
        for key in ("Details", "Hosts", "1-8 Panel", "Quit"):
            assert key in text
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
            await pilot.pause()
            text = on_screen(pilot)
            assert word in text, key
            shown = [panel.id for panel in pilot.app.screen.query(".panel") if panel.display]
            assert len(shown) == 1, key
            assert f"[{key} " in text

    play(run, SMALL, scene)


def test_a_large_terminal_shows_all_panels_at_once(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        text = on_screen(pilot)
        assert [word for word in PANELS.values() if word not in text] == []

    play(run, LARGE, scene)


def test_another_size_is_another_layout(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        assert "course" not in on_screen(pilot)
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        assert "course" in on_screen(pilot)
        assert "explained variance" in on_screen(pilot)

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
        await pilot.pause()
        assert isinstance(pilot.app.screen, Detail)
        assert title in on_screen(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert "digits_impaired" in on_screen(pilot)

    play(run, size, scene)


def test_panels_of_one_host_follow_the_cursor(run: Path) -> None:
    async def scene(pilot: Pilot[Any]) -> None:
        assert "2 seeds of host 0" in on_screen(pilot)
        await pilot.press("down", "down")
        await pilot.pause()
        assert "2 seeds of host 2" in on_screen(pilot)
        assert "3 worth of host 2" in on_screen(pilot)

    play(run, LARGE, scene)


def test_news_are_shown_and_the_cursor_stays(run: Path) -> None:
    lines = MadeRun().lines()
    path = run / "world_events.jsonl"
    path.write_bytes(b"".join(lines[: len(lines) // 3]))

    async def scene(pilot: Pilot[Any]) -> None:
        assert "round 1/4" in on_screen(pilot)
        await pilot.press("down", "enter")
        path.write_bytes(b"".join(lines))
        pilot.app.poll()
        await pilot.pause()
        assert "host 1, episode 3, epoch 12" in on_screen(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert "round 4/4" in on_screen(pilot)
        assert "2 seeds of host 1" in on_screen(pilot)

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
            await pilot.pause()
            assert word in on_screen(pilot)

    play(run, size, scene, clock)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_first_error_is_the_end(run: Path, size: tuple[int, int]) -> None:
    path = run / "world_events.jsonl"
    count = len(path.read_bytes().splitlines())

    async def scene(pilot: Pilot[Any]) -> None:
        await pilot.press("enter")  # the page on top must not hide it
        with path.open("ab") as file:
            file.write(b'{"kind": "EPOCH_COMPLETE"}\n')
        pilot.app.poll()
        await pilot.pause()
        assert isinstance(pilot.app.screen, Fatal)
        text = on_screen(pilot)
        assert "cannot be shown any further" in text
        assert str(count + 1) in text
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
        assert "waiting for the first line" in on_screen(pilot)
        await pilot.press("1", "enter", "2", "enter", "h", "enter")
        assert "waiting for the first line" in on_screen(pilot)
        MadeRun().write(run)
        pilot.app.poll()
        await pilot.pause()
        assert "round 4/4" in on_screen(pilot)

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
    with (run / "world_events.jsonl").open("ab") as file:
        file.write(b"{}\n")
    code, _, err = command(capsys, str(run), "--once")
    assert code == 2
    assert "world_events.jsonl, line" in err


def test_watching_does_not_need_torch() -> None:
    code = "import sys, astrarium.esper.console.app; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
