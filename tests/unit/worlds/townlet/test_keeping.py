"""Autosaves come when due and the last are kept; paths stay inside; a failed tick never was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from played_towns import AT, begun, kept, lived, tick

from astrarium.errors import ConfigError
from astrarium.worlds.townlet import load
from astrarium.worlds.townlet.config.watching import Snapshots
from astrarium.worlds.townlet.keeping import (
    Autosave,
    OutsideError,
    Shelf,
    step_or_roll_back,
)
from astrarium.worlds.townlet.resuming import resume
from astrarium.worlds.townlet.snapshot_files import read, write
from astrarium.worlds.townlet.snapshots import take

TOWN = load("kitchen_breakfast")


def shelf(base: Path, **given: Any) -> Shelf:
    return Shelf(Snapshots.model_validate(given), base)


def test_a_town_is_saved_when_due_and_the_last_are_kept(tmp_path: Path) -> None:
    own = shelf(tmp_path, autosave={"cadence_ticks": 100, "retain": 2})
    world, monitor = begun(TOWN)
    autosave, saved = Autosave(own, since=0), list[int]()
    (tmp_path / "snapshots").mkdir()
    other = tmp_path / "snapshots" / f"autosave-{TOWN.config_id}x-000001-tick-5.json"
    other.write_text("of somebody else")
    for done in range(1, 351):
        lived(world, monitor, 1)
        if autosave.tell(done, lambda: take(world, TOWN, at=AT)):
            saved.append(done)
    assert saved == [100, 200, 300]
    names = sorted(path.name for path in own.root.iterdir())
    stem = f"autosave-{TOWN.config_id}"
    assert names == [f"{stem}-000002-tick-200.json", f"{stem}-000003-tick-300.json", other.name]
    assert resume(own.root / names[1], TOWN).tick == 300


def test_a_town_that_begins_again_does_not_lose_its_newest_autosave(tmp_path: Path) -> None:
    own = shelf(tmp_path, autosave={"cadence_ticks": 100, "retain": 1})
    late, early = kept(60), kept(20)
    own.autosave(late)
    path = own.autosave(early)
    assert [one.name for one in own.root.iterdir()] == [path.name]
    assert read(path) == early


@pytest.mark.parametrize(
    ("cadence", "told", "due"),
    [
        ("off", [100, 1000], []),
        (100, [99, 100, 101, 199, 205, 410, 499], [100, 205, 410]),
    ],
)
def test_a_multiple_that_was_passed_is_due(
    tmp_path: Path, cadence: Any, told: list[int], due: list[int]
) -> None:
    own = shelf(tmp_path, autosave={"cadence_ticks": cadence})
    autosave = Autosave(own, since=50)
    assert [one for one in told if autosave.tell(one, lambda: kept(1))] == due


def test_a_resumed_town_is_saved_at_the_same_ticks(tmp_path: Path) -> None:
    own = shelf(tmp_path, autosave={"cadence_ticks": 100})
    assert Autosave(own, since=130).tell(199, lambda: kept(1)) is None
    assert Autosave(own, since=100).tell(101, lambda: kept(1)) is None
    assert Autosave(own, since=199).tell(200, lambda: kept(1)) is not None


def test_a_towns_file_says_where_and_how_often(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("seed: 3\nsnapshot: {autosave: {cadence_ticks: 500}}\n")
    often = load(path)
    assert often.snapshot.autosave.cadence_ticks == 500
    path.write_text("seed: 3\nsnapshot: {autosave: {cadence_ticks: off}}\n")
    never = load(path)
    assert never.snapshot == Snapshots()
    assert never.config_id == often.config_id
    (change,) = often.changes(never)
    assert (change.key, change.reload) == ("snapshot.autosave.cadence_ticks", "hot")
    path.write_text("seed: 3\nsnapshot: {autosave: {cadence_ticks: 99}}\n")
    with pytest.raises(ConfigError, match=r"snapshot[.]autosave[.]cadence_ticks is 99: .*100"):
        load(path)


@pytest.mark.parametrize("path", ["../town.json", "a/../../town.json", "/etc/town.json", "a\0b"])
def test_a_path_that_leads_out_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutsideError, match="snapshot path"):
        shelf(tmp_path).place(path)


def test_links_are_followed_before_they_are_judged(tmp_path: Path) -> None:
    inside, outside = tmp_path / "snapshots", tmp_path / "elsewhere"
    inside.mkdir()
    outside.mkdir()
    (inside / "way_out").symlink_to(outside)
    (inside / "town.json").symlink_to(outside / "town.json")
    (inside / "circle").symlink_to(inside / "circle")
    own = shelf(tmp_path)
    for path in ("way_out/town.json", "town.json"):
        with pytest.raises(OutsideError, match=r"elsewhere.*guardrails[.]allowed_paths"):
            own.place(path)
    allowing = shelf(tmp_path, guardrails={"allowed_paths": ["elsewhere"]})
    assert allowing.place("way_out/town.json") == outside.resolve() / "town.json"
    assert allowing.place(outside / "town.json") == outside.resolve() / "town.json"
    assert own.place("deep/town.json") == inside.resolve() / "deep" / "town.json"
    with pytest.raises(OutsideError):
        allowing.place(tmp_path / "elsewhere2" / "town.json")


def test_a_failed_tick_never_was(tmp_path: Path) -> None:
    world, monitor = begun(TOWN)
    twin, twins_monitor = begun(TOWN)
    lived(world, monitor, 60)
    lived(twin, twins_monitor, 60)
    resident = min(world.portrait(0)["agents"])  # type: ignore[index]
    for one in (world, twin):
        one.command(0, "setneed", agent_id=resident, need="hunger", value=0.3)
    own = shelf(tmp_path, capture_on_failure=True)

    def failing() -> None:
        lived(world, monitor, 1)
        raise ZeroDivisionError("a sink broke")

    failure = step_or_roll_back(
        world,
        failing,
        monitor=monitor,
        capture=lambda error: own.capture(take(world, TOWN, at=AT), error),
    )
    assert failure is not None
    path = own.root / f"failure-{TOWN.config_id}-tick-60.json"
    assert failure.event() == {
        "event": "loop_failure",
        "tick": 60,
        "error": "ZeroDivisionError: a sink broke",
        "snapshot": str(path),
        "uncaptured": None,
    }
    assert world.digests() == twin.digests()
    captured = resume(path, TOWN)
    assert read(path).failure == "ZeroDivisionError: a sink broke"
    assert captured.world.digests() == twin.digests()
    assert step_or_roll_back(world, lambda: None) is None
    assert lived(world, monitor, 30) == lived(twin, twins_monitor, 30), "the command waited too"


def test_failures_are_not_captured_unless_asked_for_and_told_in_any_case(tmp_path: Path) -> None:
    world, _ = begun(TOWN)

    def failing() -> None:
        tick(world)
        raise ValueError("bad")

    quiet = shelf(tmp_path)
    failure = step_or_roll_back(
        world, failing, capture=lambda error: quiet.capture(take(world, TOWN, at=AT), error)
    )
    assert failure is not None
    assert (failure.tick, failure.snapshot, failure.uncaptured) == (0, None, None)
    assert not quiet.root.exists()
    (tmp_path / "file").write_text("")
    full = shelf(tmp_path, capture_on_failure=True, storage={"root": "file/inside"})
    failure = step_or_roll_back(
        world, failing, capture=lambda error: full.capture(take(world, TOWN, at=AT), error)
    )
    assert failure is not None
    assert failure.error == "ValueError: bad"
    assert failure.uncaptured is not None
    assert failure.uncaptured.startswith("WriteError: cannot write")


def test_an_unwritable_autosave_leaves_the_others(tmp_path: Path) -> None:
    own = shelf(tmp_path, autosave={"cadence_ticks": 100, "retain": 1})
    first = own.autosave(kept(1))
    blocked = own.root / f"autosave-{TOWN.config_id}-000002-tick-2.json"
    blocked.mkdir()
    with pytest.raises(OSError, match="cannot write"):
        own.autosave(kept(2))
    assert first.exists()
    write(own.place("by_hand.json"), kept(1))
    assert (own.root / "by_hand.json").exists()
