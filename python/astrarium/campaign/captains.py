"""Who gives the orders in a war's battles: doctrines, and policies that were trained.

Battles of doctrines are fought natively, all of a day at once. Where a policy commands, every ship
chooses by its own observation, a second at a time; the same orders go to the arena, which keeps the
books of the battle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from astrarium import worlds
from astrarium.campaign.day import Controllers
from astrarium.campaign.policies import PREFIX, Policy
from astrarium.errors import ConfigError, did_you_mean
from astrarium.worlds.tidebreak import Arena, BattlePackage, BattleResult, simulate
from astrarium.worlds.tidebreak.config import TidebreakConfig
from astrarium.worlds.tidebreak.names import DOCTRINES, HELM_HEADS, ORDER_HEADS
from astrarium.worlds.tidebreak.players import CAPTAINS, LEVERS
from astrarium.worlds.vector import Actions, Floats, Layout, VectorWorld

WORLD: Final = "tidebreak-v1"
RUNS: Final = Path("runs")

Orders = tuple[Actions, Floats]
"""Of one second: (m, H) choices and (m, C) controls, ships as the world of battles counts them."""
Rows = npt.NDArray[np.intp]

_HELM: Final = len(HELM_HEADS)
_HEADS: Final = _HELM + len(ORDER_HEADS)
_REST: Final = (1, 2) + (0,) * len(ORDER_HEADS)
"""What a head does whose choice is not legal any more: stopped, amidships, nothing."""
_TURN: Final = np.float32(127.0)


def arena(
    packages: Sequence[BattlePackage], controllers: Sequence[Controllers]
) -> Sequence[BattleResult]:
    """Fight a day's battles under doctrines, on one core."""
    return simulate(packages, controllers, threads=1)


class Captains:
    """The captains of a war. Called with a day's battles, it fights them."""

    def __init__(self, root: Path = RUNS) -> None:
        """Policies are looked for in the run folders below `root`."""
        self._root = root
        self._policies: dict[str, Policy] = {}

    def settled(self, name: str) -> str:
        """The full name of a doctrine or of a policy, whose window becomes a number."""
        if name.startswith(PREFIX):
            return self._policy(name).name
        if name not in DOCTRINES:
            near = did_you_mean(name, DOCTRINES)
            raise ConfigError(
                f"doctrine {name!r} is not known{near} ({', '.join(DOCTRINES)}, or a trained "
                f"policy as {PREFIX}ID@WINDOW)"
            )
        return name

    def check(self, controllers: Controllers) -> None:
        """Refuse captains who cannot meet in one battle."""
        self._helm([self._policy(name) for name in controllers.values() if is_policy(name)])

    def __call__(
        self, packages: Sequence[BattlePackage], controllers: Sequence[Controllers]
    ) -> Sequence[BattleResult]:
        """Fight a day's battles: those of doctrines in one batch, those of policies one by one."""
        taught = [any(map(is_policy, each.values())) for each in controllers]
        scripted = [at for at, is_taught in enumerate(taught) if not is_taught]
        fought = arena([packages[at] for at in scripted], [controllers[at] for at in scripted])
        results = dict(zip(scripted, fought, strict=True))
        for at, package in enumerate(packages):
            if taught[at]:
                results[at] = outcome(package, self.orders(package, controllers[at]))
        return [results[at] for at in range(len(packages))]

    def config(self, package: BattlePackage, controllers: Controllers) -> TidebreakConfig:
        """The world of battles in which every ship of a package is an agent."""
        policies = [self._policy(name) for name in controllers.values() if is_policy(name)]
        return TidebreakConfig.model_validate(
            {
                "package": package.model_dump_json(),
                "side": "both",
                "fidelity": package.fidelity,
                "helm": self._helm(policies),
            }
        )

    def orders(self, package: BattlePackage, controllers: Controllers) -> Iterator[Orders]:
        """What every ship is told in each second, until the battle is over."""
        world = worlds.get(WORLD).make(self.config(package, controllers), 1, 1, "disabled")
        world.reset_with_seeds([package.seed])
        sides: list[tuple[Rows, _Commander]] = []
        first = 0
        for team in sorted(controllers):
            count = sum(ship.team_id == team for ship in package.ships)
            rows = np.arange(first, first + count)
            sides.append((rows, self._commander(controllers[team], world, rows)))
            first += count
        while (world.alive[0] != 0).any():
            actions, controls = np.zeros_like(world.actions[0]), np.zeros_like(world.controls[0])
            for rows, commander in sides:
                actions[rows], controls[rows] = commander()
            yield actions, controls
            world.actions[0], world.controls[0] = actions, controls
            world.step()
        world.close()

    def _commander(self, name: str, world: VectorWorld, rows: Rows) -> _Commander:
        if is_policy(name):
            return _Taught(self._policy(name), world, rows)
        return _Scripted(name, world, rows)

    def _policy(self, name: str) -> Policy:
        if name not in self._policies:
            policy = Policy.find(self._root, name)
            self._policies[name] = self._policies[policy.name] = policy
        return self._policies[name]

    def _helm(self, policies: Sequence[Policy]) -> str:
        """How the policies of a battle steer: there is one kind of helm in it."""
        helms = {policy.helm: policy.name for policy in policies}
        if len(helms) > 1:
            raise ConfigError(
                f"{helms['discrete']} steers by choices, {helms['continuous']} by controls; only "
                "policies with the same helm can fight each other"
            )
        return next(iter(helms), "discrete")


def is_policy(name: str) -> bool:
    """Whether a captain was trained."""
    return name.startswith(PREFIX)


def outcome(package: BattlePackage, orders: Iterator[Orders]) -> BattleResult:
    """What a battle comes to under these orders."""
    battle = Arena(package)
    teams = {ship.ship_id: ship.team_id for ship in package.ships}
    rows = sorted(range(len(battle.ships)), key=lambda row: (teams[battle.ships[row]], row))
    columns = np.zeros((len(rows), _HEADS), np.int16)
    for actions, controls in orders:
        columns[rows] = _columns(actions, controls)
        battle.step(columns)
    while not battle.done:  # whatever is still in the air, when nobody is left to be told anything
        battle.step()
    return battle.result()


class _Scripted:
    """A side under a doctrine: it decides every second."""

    def __init__(self, doctrine: str, world: VectorWorld, rows: Rows) -> None:
        self._follow = CAPTAINS[doctrine](world)
        self._world, self._rows = world, rows

    def __call__(self) -> Orders:
        actions = self._follow(self._world.obs, self._world.mask)
        return actions[0, self._rows], self._world.controls[0, self._rows].copy()


class _Taught:
    """A side under a policy: it decides as often as in training, and what is still legal stays."""

    def __init__(self, policy: Policy, world: VectorWorld, rows: Rows) -> None:
        self._player = policy.player(world.layout)
        self._every = policy.decision_ticks
        self._world, self._rows = world, rows
        self._second = 0
        self._kept: Orders = (world.actions[0, rows].copy(), world.controls[0, rows].copy())

    def __call__(self) -> Orders:
        decision, later = divmod(self._second, self._every)
        self._second += 1
        if later:
            legal = self._world.mask[0, self._rows]
            self._kept = (_trimmed(self._kept[0], legal, self._world.layout), self._kept[1])
        else:
            # It is asked for all ships, which costs little, and answers for its own.
            actions = self._player(self._world, decision)[0, self._rows]
            self._kept = (actions, self._world.controls[0, self._rows].copy())
        return self._kept


_Commander = _Scripted | _Taught


def _trimmed(actions: Actions, legal: npt.NDArray[np.uint8], layout: Layout) -> Actions:
    """Orders without what is not legal any more; without a target nobody fires."""
    left = actions.copy()
    first, rest = 0, _REST[-len(layout.heads) :]
    for head, choices in enumerate(layout.heads):
        chosen = first + left[:, head : head + 1]
        gone = np.take_along_axis(legal, chosen, axis=1)[:, 0] == 0
        left[gone, head] = rest[head]
        first += choices
    target = len(layout.heads) - len(ORDER_HEADS)
    left[left[:, target] == 0, target + 1 : target + 5] = 0
    return left


def _columns(actions: Actions, controls: Floats) -> npt.NDArray[np.int16]:
    """Orders as the arena takes them: the helm in -127..127, then a choice for each other head."""
    if controls.shape[1]:
        helm, rest = controls, actions
    else:
        helm = np.stack([LEVERS[lever][actions[:, lever]] for lever in range(_HELM)], axis=1)
        rest = actions[:, _HELM:]
    turned = helm.astype(np.float32) * _TURN
    # To the nearest, halves away from the middle, as the core rounds.
    whole = np.trunc(turned + np.copysign(np.float32(0.5), turned))
    return np.concatenate([whole, rest], axis=1).astype(np.int16)
