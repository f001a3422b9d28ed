"""Battles of a war as replays, so that they can be watched.

A battle is fought once more in the world of battles, every ship commanded by the captain it had.
Captains choose as agents do, so it is the same battle; the arena is given the same orders, and one
that does not come out as it did is refused.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from astrarium import machine, worlds
from astrarium.campaign import battles
from astrarium.campaign.captains import WORLD, Captains, is_policy, outcome
from astrarium.campaign.day import Battle
from astrarium.campaign.identity import fingerprint, told
from astrarium.campaign.shapes import WarFolderError
from astrarium.runs import Replay, RunFacts, RunWriter
from astrarium.train.recording import replay_of
from astrarium.worlds.tidebreak.result import BattleResult


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a battle was recorded."""

    run_id: str
    replay_id: str


def record(war: Path, name: str, root: Path) -> Kept:
    """Fight a battle of a war's folder again and keep its replay as a run below `root`."""
    battle = battles.read(war, name)
    captains = Captains(root)
    replay = replay_of_battle(battle, captains)
    player = "policy" if any(map(is_policy, battle.controllers.values())) else "doctrine"
    commit = str(asdict(machine.facts())["commit"])
    facts = RunFacts(
        trainer_backend=player,
        target_env_steps=len(replay.frames),
        window_env_steps=max(1, len(replay.frames)),
        world=WORLD,
        machine=asdict(machine.facts()),
        commit=commit,
        info_metric_keys=(),
        kind="battle",
    )
    config: dict[str, Any] = {
        "world": {
            "id": WORLD,
            "settings": {"side": "both", "helm": replay.header["world_config"]["helm"]},
            "worlds": 1,
        },
        "run": {"seed": battle.package.seed},
    }
    run_id = battles.run_name(war, name, fingerprint(battle.result))
    writer = RunWriter.create(root, config, facts, run_id)
    try:
        kept = writer.add_replay(
            replay,
            return_total=0.0,
            steps=len(replay.frames),
            profit=None,
            survival=None,
            terminated=True,
            truncated=False,
            played_by=player,
        )
        writer.finish()
    except BaseException as error:
        writer.fail(error)
        raise
    return Kept(run_id, kept.replay_id)


def replay_of_battle(battle: Battle, captains: Captains) -> Replay:
    """The battle as frames. Raises `WarFolderError` if it does not come out as it did."""
    package = battle.package
    orders = list(captains.orders(package, battle.controllers))
    _check(battle, outcome(package, iter(orders)))
    config = captains.config(package, battle.controllers)
    about = {
        "name": " against ".join(battle.controllers[team] for team in sorted(battle.controllers)),
        "controllers": dict(battle.controllers),
        "battle": battle.id,
    }
    return replay_of(worlds.get(WORLD), config, package.seed, orders, about=about)


def _check(battle: Battle, again: BattleResult) -> None:
    """Refuse a battle that differs in anything but who gave the orders and which build fought."""
    kept, now = told(battle.result), told(again)
    if kept == now:
        return
    part = next(name for name in kept if kept[name] != now.get(name))
    words = part.replace("_", " ")
    if part == "ships":
        pairs = zip(kept[part], now[part], strict=False)
        words = f"ship {next(was['ship_id'] for was, is_now in pairs if was != is_now)}"
    raise WarFolderError(
        f"battle {battle.id!r} comes out otherwise with this build ({words} differs); record it "
        "with the build that fought it"
    )
