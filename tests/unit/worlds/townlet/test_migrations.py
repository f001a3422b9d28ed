"""Snapshots follow their town to other settings: by the shortest way, each step remembered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from played_towns import kept

from astrarium.worlds.townlet import LoadedTown, load
from astrarium.worlds.townlet.migrations import MigrationError, Registry, Step, migrated
from astrarium.worlds.townlet.resuming import OtherTownError, resume
from astrarium.worlds.townlet.snapshot_files import read, write

OLD = load("kitchen_breakfast")


def called(label: str) -> LoadedTown:
    """The town under another name, and so with another id."""
    return replace(OLD, label=label)


def renaming(source: str, target: str) -> Step:
    def change(document: dict[str, Any]) -> dict[str, Any]:
        document["settings"]["label"] = target
        return document

    return Step(called(source).config_id, called(target).config_id, change)


def registry(*ways: tuple[str, str]) -> Registry:
    found = Registry()
    for source, target in ways:
        found.register(renaming(source, target))
    return found


WAYS = registry(
    (OLD.label, "a"), ("a", "b"), ("b", "new"), (OLD.label, "short"), ("short", "new"), ("b", "c")
)


def willing(town: LoadedTown) -> LoadedTown:
    migrations = town.snapshot.migrations.model_copy(update={"auto_apply": True})
    return replace(town, snapshot=town.snapshot.model_copy(update={"migrations": migrations}))


def test_two_steps_are_taken_rather_than_three() -> None:
    chain = WAYS.chain(OLD.config_id, called("new").config_id)
    assert chain is not None
    assert [step.target.split("-")[0] for step in chain] == ["short", "new"]
    assert WAYS.chain(called("new").config_id, OLD.config_id) is None
    assert WAYS.chain(OLD.config_id, OLD.config_id) == ()


def test_of_equally_short_ways_the_first_registered_is_taken() -> None:
    ways = registry((OLD.label, "x"), (OLD.label, "w"), ("w", "new"), ("x", "new"))
    chain = ways.chain(OLD.config_id, called("new").config_id)
    assert chain is not None
    assert chain[0].target == called("x").config_id


def test_a_migrated_town_goes_on_and_remembers_its_steps(tmp_path: Path) -> None:
    path = tmp_path / "town.json"
    write(path, kept())
    data = path.read_bytes()
    new = willing(called("new"))
    resumed = resume(path, new, registry=WAYS)
    ids = [called(label).config_id for label in (OLD.label, "short", "new")]
    assert resumed.company.migrations == (f"{ids[0]}->{ids[1]}", f"{ids[1]}->{ids[2]}")
    assert resumed.town.config_id == new.config_id
    assert resumed.world.digests() == kept().revived().digests()
    assert path.read_bytes() == data, "the file stays what it was"
    chain = WAYS.chain(ids[0], ids[2])
    assert chain is not None
    write(tmp_path / "new.json", migrated(kept(), chain))
    assert read(tmp_path / "new.json").python.migrations == resumed.company.migrations
    assert resume(tmp_path / "new.json", new).company.migrations == resumed.company.migrations


def test_nothing_is_migrated_unless_the_settings_say_so(tmp_path: Path) -> None:
    path = tmp_path / "town.json"
    write(path, kept())
    with pytest.raises(OtherTownError, match=r"snapshot[.]migrations[.]auto_apply"):
        resume(path, called("new"), registry=WAYS)
    with pytest.raises(OtherTownError, match="different: label;"):
        resume(path, willing(called("new")), registry=WAYS, strict=True)
    with pytest.raises(OtherTownError, match="undo the change"):
        resume(path, willing(called("elsewhere")), registry=WAYS)


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        ([("a", "a")], "changes nothing"),
        ([("a", "b"), ("a", "b")], "registered already"),
        ([("a", "b"), ("b", "a")], "closes a circle with a-"),
        ([("a", "b"), ("b", "c"), ("c", "a")], "closes a circle with a-"),
    ],
)
def test_a_registry_has_no_circles(ways: list[tuple[str, str]], words: str) -> None:
    with pytest.raises(MigrationError, match=words):
        registry(*ways)


def _raising(document: dict[str, Any]) -> dict[str, Any]:
    raise RuntimeError("no such field")


def _without_tick(document: dict[str, Any]) -> dict[str, Any]:
    document["settings"]["label"] = "new"
    del document["tick"]
    return document


def _unchanged(document: dict[str, Any]) -> dict[str, Any]:
    return document


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_raising, "failed: RuntimeError.*no such field"),
        (_without_tick, "left a document that is no snapshot: tick is missing"),
        (_unchanged, "left settings of kitchen_breakfast-"),
    ],
)
def test_a_step_that_does_not_lead_where_it_says_is_named(change: Any, words: str) -> None:
    step = Step(OLD.config_id, called("new").config_id, change)
    with pytest.raises(MigrationError, match=f"{step.id} {words}"):
        migrated(kept(), [step])


def test_a_step_for_another_town_is_not_applied() -> None:
    with pytest.raises(MigrationError, match="is no step for a snapshot of kitchen_breakfast-"):
        migrated(kept(), [renaming("a", "b")])
