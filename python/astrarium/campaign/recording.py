"""Battles of a war as replays, so that they can be watched.

A battle is fought once more in the world of battles, every ship commanded by the doctrine it had.
Doctrines choose as agents do, so it is the same battle to the bit; one that is not is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from astrarium import machine, worlds
from astrarium.campaign import battles
from astrarium.campaign.day import Battle
from astrarium.campaign.folder import WarFolderError
from astrarium.runs import Replay, RunFacts, RunWriter
from astrarium.train.recording import replay_of
from astrarium.worlds.tidebreak.config import TidebreakConfig
from astrarium.worlds.tidebreak.names import DOCTRINES
from astrarium.worlds.tidebreak.players import CAPTAINS
from astrarium.worlds.vector import Actions, Floats

WORLD: Final = "tidebreak-v1"
PLAYED_BY: Final = "doctrine"


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a battle was recorded."""

    run_id: str
    replay_id: str


def run_name(war: Path, battle: str) -> str:
    """The run that holds the replay of a battle: the observatory looks for it by this name."""
    return f"{war.absolute().name}-{battle}"


def record(war: Path, name: str, root: Path) -> Kept:
    """Fight a battle of a war's folder again and keep its replay as a run below `root`."""
    battle = battles.read(war, name)
    replay = replay_of_battle(battle)
    commit = str(asdict(machine.facts())["commit"])
    facts = RunFacts(
        trainer_backend=PLAYED_BY,
        target_env_steps=len(replay.frames),
        window_env_steps=max(1, len(replay.frames)),
        world=WORLD,
        machine=asdict(machine.facts()),
        commit=commit,
        info_metric_keys=(),
    )
    config: dict[str, Any] = {
        "world": {"id": WORLD, "settings": {"side": "both"}, "worlds": 1},
        "run": {"seed": battle.package.seed},
    }
    writer = RunWriter.create(root, config, facts, run_name(war, name))
    try:
        kept = writer.add_replay(
            replay,
            return_total=0.0,
            steps=len(replay.frames),
            profit=None,
            survival=None,
            terminated=True,
            truncated=False,
            played_by=PLAYED_BY,
        )
        writer.finish()
    except BaseException as error:
        writer.fail(error)
        raise
    return Kept(run_name(war, name), kept.replay_id)


def replay_of_battle(battle: Battle) -> Replay:
    """The battle as frames. Raises `WarFolderError` if it does not come out as it did."""
    package = battle.package
    config = TidebreakConfig.model_validate(
        {"package": package.model_dump_json(), "side": "both", "fidelity": package.fidelity}
    )
    orders = list(_orders(battle, config))
    entry = worlds.get(WORLD)
    told = {"name": PLAYED_BY, "controllers": dict(battle.controllers), "battle": battle.id}
    replay = replay_of(entry, config, package.seed, orders, about=told)
    if len(replay.frames) != battle.result.duration_s:
        raise WarFolderError(
            f"battle {battle.id!r} lasts {len(replay.frames)} s with this build, not "
            f"{battle.result.duration_s} s; record it with the build that fought it"
        )
    return replay


def _orders(battle: Battle, config: TidebreakConfig) -> Iterator[tuple[Actions, Floats]]:
    """What every ship is told in each tick, until the battle is over."""
    world = worlds.get(WORLD).make(config, 1, 1, "disabled")
    world.reset_with_seeds([battle.package.seed])
    players = {name: CAPTAINS[name](world) for name in DOCTRINES}
    teams = sorted({ship.team_id for ship in battle.package.ships})
    counts = [sum(ship.team_id == team for ship in battle.package.ships) for team in teams]
    followed = np.repeat([battle.controllers[team] for team in teams], counts)
    while (world.alive[0] != 0).any():
        choices = np.zeros_like(world.actions)
        for name in set(followed.tolist()):
            mine = followed == name
            choices[0, mine] = players[name](world.obs, world.mask)[0, mine]
        yield choices[0].copy(), world.controls[0].copy()
        world.step(choices)
    world.close()
