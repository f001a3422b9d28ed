"""`astrarium tidebreak` as a reader sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from astrarium.cli import main
from astrarium.worlds.tidebreak.result import BattleResult


def command(capsys: pytest.CaptureFixture[str], *tokens: object) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["tidebreak", *map(str, tokens)])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


@pytest.fixture
def fought(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A duel that was drawn and fought: package, result and replay in one folder."""
    package = tmp_path / "duel.json"
    assert command(capsys, "draw", "duel", package, "--seed", 4)[0] == 0
    replay, result = tmp_path / "duel.replay", tmp_path / "duel.result.json"
    code, out, err = command(
        capsys, "simulate", package, "--doctrine.blue", "pursuer", "--result", result,
        "--replay", replay,
    )  # fmt: skip
    assert code == 0, err
    assert "blue_0" in out
    return tmp_path


def test_a_fought_battle_leaves_a_result_and_a_replay_that_holds(
    fought: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = BattleResult.model_validate_json((fought / "duel.result.json").read_bytes())
    code, out, _ = command(capsys, "verify", fought / "duel.replay")
    assert code == 0
    assert result.replay.final_hash in out


def test_two_battles_are_told_where_they_part(
    fought: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = fought / "other.replay"
    package = fought / "duel.json"
    command(capsys, "simulate", package, "--doctrine.blue", "drifter", "--replay", other)
    code, out, _ = command(capsys, "diff", fought / "duel.replay", other)
    assert code == 1
    assert out.startswith("tick 1, table ")
    assert command(capsys, "diff", other, other)[0] == 0


def test_an_event_is_explained_from_its_root(
    fought: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = command(capsys, "explain", fought / "duel.replay")
    assert code == 0
    assert "battle ended" in out
    last = out.strip().splitlines()[-1].split()[0]
    assert last in command(capsys, "explain", fought / "duel.replay", last)[1]
    for wrong in (-1, 2**64, 2**24 - 1):
        code, _, err = command(capsys, "explain", fought / "duel.replay", wrong)
        assert code == 2
        assert "event" in err


def test_a_bad_package_and_a_cut_replay_are_refused_with_the_reason(
    fought: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = json.loads((fought / "duel.json").read_text())
    package["ships"][1]["hull_class"] = "galleon"
    (fought / "duel.json").write_text(json.dumps(package))
    code, _, err = command(capsys, "simulate", fought / "duel.json")
    assert code == 2
    assert "ships[1].hull_class" in err
    replay = fought / "duel.replay"
    replay.write_bytes(replay.read_bytes()[:-9])
    code, _, err = command(capsys, "verify", replay)
    assert code == 2
    assert "cut off or changed" in err


def test_scenarios_are_listed_with_what_they_are_about(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = command(capsys, "scenarios")
    assert code == 0
    assert "fleet_action" in out
    code, _, err = command(capsys, "draw", "regatta", "nowhere.json")
    assert code == 2
    assert "regatta" in err
