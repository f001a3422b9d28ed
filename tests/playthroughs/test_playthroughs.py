"""Every committed transcript replays, line by line; every portable world has at least one."""

from pathlib import Path

import pytest

from astrarium import playthroughs, worlds

FOLDER = Path(__file__).parent
PORTABLE = [world_id for world_id in worlds.ids() if worlds.get(world_id).portable]
ALL = [
    (world_id, scenario.name)
    for world_id in PORTABLE
    for scenario in playthroughs.scenarios_of(worlds.get(world_id))
]


@pytest.mark.parametrize(("world_id", "name"), ALL, ids=lambda value: str(value))
def test_the_transcript_replays(world_id: str, name: str) -> None:
    entry = worlds.get(world_id)
    answer = playthroughs.verify(entry, playthroughs.find(entry, name), FOLDER)
    mint = f"astrarium playthrough mint {world_id} {name}"
    assert not answer.missing, f"{answer.path} does not exist: {mint}"
    assert not answer.difference, (
        f"\n{answer.difference}\n\nThis is a change of behaviour. If it is meant: {mint}"
    )


def test_every_portable_world_has_a_playthrough() -> None:
    without = [one for one in PORTABLE if not playthroughs.scenarios_of(worlds.get(one))]
    assert without == [], "declare a scenario for each in the scenarios.toml beside its face"


def test_every_transcript_belongs_to_a_scenario() -> None:
    known = {FOLDER / world_id for world_id in PORTABLE}
    folders = {path for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders - known == set()
    assert [path for one in PORTABLE for path in playthroughs.strays(worlds.get(one), FOLDER)] == []


def test_the_committed_folder_is_this_one() -> None:
    assert playthroughs.committed_folder() == FOLDER
