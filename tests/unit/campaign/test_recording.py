"""A battle of a war becomes a replay of the same battle."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astrarium import _native
from astrarium.campaign import battles, recording
from astrarium.campaign.identity import fingerprint
from astrarium.campaign.shapes import WarFolderError
from astrarium.runs import RunFolder, documents
from astrarium.worlds.frames import whole_frames
from astrarium.worlds.tidebreak import simulate
from astrarium.worlds.tidebreak.package import BattlePackage

BATTLE = "d010-r1"
SIDES = {"blue": "pursuer", "red": "line"}


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A war's folder with one battle: a duel between two doctrines."""
    folder = tmp_path_factory.mktemp("wars") / "seed-1"
    (folder / "battles").mkdir(parents=True)
    package = BattlePackage.model_validate_json(_native.tidebreak_package("duel", 9))
    (result,) = simulate([package], [SIDES])
    kept = {
        "id": BATTLE,
        "controllers": SIDES,
        "package": package.model_dump(mode="json"),
        "result": result.model_dump(mode="json"),
    }
    documents.write(folder / "battles" / f"{BATTLE}.json", kept)
    return folder


def test_it_is_the_same_battle(war: Path, tmp_path: Path) -> None:
    kept = recording.record(war, BATTLE, tmp_path)
    result = battles.read(war, BATTLE).result
    assert kept.run_id == f"seed-1-d010-r1-{fingerprint(result)}"
    replay = RunFolder(tmp_path / kept.run_id).replay(kept.replay_id)
    result = json.loads((war / "battles" / f"{BATTLE}.json").read_text("utf-8"))["result"]
    assert len(replay.frames) == result["duration_s"]
    last = list(whole_frames(replay.frames))[-1]["render_state"]
    assert last["outcome"].get("winner") == result["winner_team_id"]
    hits = {ship["ship_id"]: ship["final_state"]["hp"] for ship in result["ships"]}
    shares = {ship["name"]: ship["hp"] for ship in last["ships"].values()}
    assert hits.keys() == shares.keys()
    assert {name for name, hp in hits.items() if hp <= 0} == {
        name for name, share in shares.items() if share <= 0
    }


def test_battles_share_a_fingerprint_only_if_they_are_the_same(war: Path) -> None:
    battle = battles.read(war, BATTLE)
    same = fingerprint(battle.result)
    build = battle.result.model_copy(update={"build_id": "another"})
    assert fingerprint(build) == same, "a build that comes to the same has fought the same battle"
    (other_captains,) = simulate([battle.package], [{"blue": "line", "red": "wolfpack"}])
    later = battle.package.model_copy(update={"seed": battle.package.seed + 1})
    (other_seed,) = simulate([later], [SIDES])
    prints = {same, fingerprint(other_captains), fingerprint(other_seed)}
    assert len(prints) == 3
    ended = battle.result.model_copy(update={"package_hash": "f" * 16})
    assert fingerprint(ended) != same, "it began otherwise"


def longer(result: dict[str, Any]) -> None:
    result["duration_s"] += 1


def won_by_the_other(result: dict[str, Any]) -> None:
    result["winner_team_id"] = "red" if result["winner_team_id"] == "blue" else "blue"


def saved(result: dict[str, Any]) -> None:
    ship = result["ships"][0]
    ship["fate"] = "DESTROYED" if ship["fate"] != "DESTROYED" else "OPERATIONAL"


def scratched(result: dict[str, Any]) -> None:
    result["ships"][1]["final_state"]["hp"] += 0.5


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (longer, "duration s"),
        (won_by_the_other, "winner team id"),
        (saved, "ship blue_0"),
        (scratched, "ship red_0"),
    ],
)
def test_a_battle_that_comes_out_otherwise_is_refused(
    war: Path, tmp_path: Path, tamper: Callable[[dict[str, Any]], None], words: str
) -> None:
    other = tmp_path / "seed-2"
    (other / "battles").mkdir(parents=True)
    kept = documents.read(war / "battles" / f"{BATTLE}.json", dict[str, Any])
    tamper(kept["result"])
    documents.write(other / "battles" / f"{BATTLE}.json", kept)
    with pytest.raises(WarFolderError, match=rf"{words}.*record it with the build that fought it"):
        recording.record(other, BATTLE, tmp_path / "runs")
    assert not (tmp_path / "runs").exists(), "nothing is kept of it"


def test_a_battle_that_is_not_there_is_named(war: Path, tmp_path: Path) -> None:
    with pytest.raises(WarFolderError, match="d010-r2"):
        recording.record(war, "d010-r2", tmp_path)
