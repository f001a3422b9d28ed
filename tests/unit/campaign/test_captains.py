"""Captains: doctrines give the orders they would give natively, and policies command fleets."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astrarium import _native
from astrarium.campaign import battles, recording, warring
from astrarium.campaign.captains import Captains, arena, outcome
from astrarium.campaign.folder import WarFolder, read_summary
from astrarium.campaign.plan import Plan
from astrarium.errors import ConfigError
from astrarium.runs import NoCheckpointError, RunFolder, RunNotFoundError
from astrarium.train import training
from astrarium.worlds.tidebreak import BattlePackage

sys.path.insert(0, str(Path(__file__).parents[1] / "train"))
from small_runs import small

DUEL = {"scenario": "duel", "fidelity": "F0", "decision_ticks": 3}
_PING = 2
TAUGHT = {"blue": "run:steady@1", "red": "pursuer"}


def trained(root: Path, run_id: str, settings: dict[str, Any] | None, **policy: Any) -> None:
    """A policy that has seen next to nothing, which is enough to command."""
    world = {"world": {"id": "tidebreak-v1", "settings": settings, "worlds": 2}}
    run = {"id": run_id, "root": root, "seed": 1, "total_env_steps": 200, "window_env_steps": 100}
    chosen: Any = [world] if settings is not None else []
    config = small(*chosen, {"policy": policy}, {"run": run | {"eval_episodes": 0, "threads": 1}})
    training.start(config)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Policies that steer by choices, by controls, ship by ship, and one of another world."""
    root = tmp_path_factory.mktemp("runs")
    trained(root, "steady", DUEL)
    trained(root, "helm", DUEL | {"helm": "continuous", "decision_ticks": 1})
    trained(root, "both", DUEL | {"side": "both"}, groups={"one": (0,), "two": (1,)})
    trained(root, "lamps", None)
    return root


def battle(scenario: str, seed: int = 9) -> BattlePackage:
    return BattlePackage.model_validate_json(_native.tidebreak_package(scenario, seed))


@pytest.mark.parametrize("scenario", ["duel", "skirmish", "convoy_escort"])
def test_orders_from_outside_make_the_battle_that_doctrines_make_inside(scenario: str) -> None:
    package, sides = battle(scenario), {"blue": "wolfpack", "red": "line"}
    (inside,) = arena([package], [sides])
    outside = outcome(package, Captains().orders(package, sides))
    assert outside.ships == inside.ships
    assert outside.replay.final_hash == inside.replay.final_hash
    assert outside.duration_s == inside.duration_s


def test_controls_and_choices_of_the_helm_arrive_alike(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Doctrines put their choices into controls where a policy on the other side has those."""
    package, captains = battle("duel"), Captains(runs)
    sides = {"blue": "run:helm", "red": "line"}
    assert captains.config(package, sides).helm == "continuous"
    assert outcome(package, captains.orders(package, sides)) == outcome(
        package, captains.orders(package, sides)
    )
    doctrines = {"blue": "pursuer", "red": "line"}
    chosen = outcome(package, captains.orders(package, doctrines))
    monkeypatch.setattr(captains, "_helm", lambda policies: "continuous")
    assert outcome(package, captains.orders(package, doctrines)).ships == chosen.ships


def test_a_days_battles_come_back_in_their_order_whoever_fights_them(runs: Path) -> None:
    captains = Captains(runs)
    packages = [battle("duel", seed) for seed in (3, 4, 5)]
    sides = [{"blue": "line", "red": "pursuer"}, TAUGHT, {"blue": "pursuer", "red": "line"}]
    results = captains(packages, sides)
    assert [result.seed for result in results] == [3, 4, 5]
    assert results[0] == arena(packages[:1], sides[:1])[0]
    assert results[2] == arena(packages[2:], sides[2:])[0]
    assert results[1] == captains([packages[1]], [TAUGHT])[0]
    (scripted,) = arena([packages[1]], [sides[0]])
    assert results[1].replay.final_hash != scripted.replay.final_hash


def test_a_policy_decides_as_often_as_it_learned_to(runs: Path) -> None:
    package = battle("duel")
    orders = np.array([actions[0] for actions, _ in Captains(runs).orders(package, TAUGHT)])
    # Both are legal in every second: the helm, and a ping while the sonar works.
    chosen = np.column_stack((orders[:, :2], orders[:, 9] == _PING))
    decided = np.flatnonzero((chosen[1:] != chosen[:-1]).any(axis=1)) + 1
    assert decided.size > 0, "it never changed an order"
    assert not (decided % 3).any()


def test_a_name_says_which_policy_is_meant(runs: Path) -> None:
    captains = Captains(runs)
    last = RunFolder.find(runs, "steady").checkpoints()[-1].window_id
    assert captains.settled("run:steady") == f"run:steady@{last}"
    assert captains.settled("run:steady@latest") == f"run:steady@{last}"
    assert captains.settled("run:steady@0") == "run:steady@0"
    assert captains.settled("wolfpack") == "wolfpack"


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("lin", ConfigError, "did you mean 'line'"),
        ("run:steadi", RunNotFoundError, "steadi"),
        ("run:steady@99", NoCheckpointError, "window 99"),
        ("run:steady@first", ConfigError, "'first' is no window"),
        ("run:lamps", ConfigError, "plays lanterns-v1"),
        ("run:both", ConfigError, "one policy for all ships"),
    ],
)
def test_a_captain_who_cannot_command_is_refused_by_name(
    runs: Path, name: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Captains(runs).settled(name)


def test_two_kinds_of_helm_do_not_meet(runs: Path) -> None:
    with pytest.raises(ConfigError, match=r"run:steady@\d+ steers by choices, run:helm@\d+ by"):
        Captains(runs).check({"accord": "run:steady", "dominion": "run:helm"})


def test_a_war_with_a_policy_is_taken_up_refought_and_recorded(
    runs: Path, plan: Plan, tmp_path: Path
) -> None:
    captains = Captains(runs)
    doctrines = {"accord": captains.settled("run:steady")}
    # So much is at stake that somebody fights before long.
    rules = plan.model_copy(update={"opening": plan.opening.model_copy(update={"disposition": -1})})
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    warring.wage(warring.new_war(whole, rules, 3, 45, doctrines), captains)
    folder = warring.new_war(stopped, rules, 3, 45, doctrines)
    warring.wage(folder, captains, stop=lambda: folder.war.day >= 25)
    warring.wage(WarFolder.open(stopped), Captains(runs))
    for name in ("log.jsonl", "days.jsonl", "war.json", "state.json"):
        assert (whole / name).read_bytes() == (stopped / name).read_bytes(), name
    summary = read_summary(whole)
    assert summary["doctrines"] == {"accord": doctrines["accord"], "dominion": "line"}
    kept = battles.read(whole, summary["battles"][0]["id"])
    assert kept.controllers["accord"] == doctrines["accord"]
    assert battles.refight(kept, captains)
    recorded = recording.record(whole, kept.id, runs)
    replay = RunFolder.find(runs, recorded.run_id).replay(recorded.replay_id)
    assert len(replay.frames) == kept.result.duration_s
    assert replay.header["policy"]["controllers"] == kept.controllers


def test_a_war_of_doctrines_needs_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys, json\n"
        "from astrarium.cli import main\n"
        "try: main(['campaign', 'run', '--days', '3', '--out', sys.argv[1]])\n"
        "except SystemExit as ended: assert ended.code == 0\n"
        "print(json.dumps('torch' in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "war")],
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) is False


def test_the_last_second_of_orders_is_that_of_the_battle(runs: Path) -> None:
    package = battle("skirmish")
    orders = list(Captains(runs).orders(package, TAUGHT))
    result = outcome(package, iter(orders))
    assert len(orders) == result.duration_s
    assert all(np.isfinite(controls).all() for _, controls in orders)
