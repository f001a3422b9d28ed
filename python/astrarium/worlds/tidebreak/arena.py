"""One battle, stepped or fought to its end; and whole lists of battles at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium import _native
from astrarium.morphospace import MorphoSpace
from astrarium.worlds import arguments
from astrarium.worlds.tidebreak import arena_arguments
from astrarium.worlds.tidebreak.arena_arguments import Package
from astrarium.worlds.tidebreak.names import OBS_NAMES
from astrarium.worlds.tidebreak.result import BattleResult
from astrarium.worlds.vector import Flags, Floats

Controllers = Mapping[str, str]
"""Doctrines by team id. A team that is not named fights as its package says, else as the line."""

CHOICES: Final = 53
EVENT: Final = np.dtype(
    [
        ("id", "<u8"),
        ("cause", "<u8"),
        ("trace", "<u8"),
        ("kind", "u1"),
        ("source", "<u4"),
        ("target", "<u4"),
        ("x", "<f4"),
        ("y", "<f4"),
        ("value", "<f4"),
        ("plugin", "u1"),
    ]
)
"""One event. The tick is `id >> 24`; `source` and `target` are 2**32 - 1 where there is nobody."""
KINDS: Final = (
    "order",
    "fired",
    "hit",
    "missed",
    "intercepted",
    "damaged",
    "part_lost",
    "fire_started",
    "fire_out",
    "flooding_started",
    "flooding_stopped",
    "disabled",
    "destroyed",
    "scuttled",
    "surrendered",
    "captured",
    "exited",
    "transition_began",
    "transition_ended",
    "transition_botched",
    "collided",
    "grounded",
    "detected",
    "track_lost",
    "pinged",
    "decoy_dropped",
    "mine_laid",
    "squadron_launched",
    "squadron_recovered",
    "squadron_lost",
    "lightning",
    "weather_damage",
    "objective_met",
    "objective_failed",
    "battle_ended",
    "order_rejected",
    "proposed",
)
"""What the numbers in `kind` mean."""
ENDINGS: Final = (None, "annihilation", "objective", "time_limit")
"""How a battle ended, by number and in the words of `BattleResult.ended_by`."""

Events = npt.NDArray[np.void]


class Arena:
    """One battle of one package.

    `trace` 0 only counts events, 1 keeps them, 2 keeps every proposal too; nothing else depends on
    it. `debug` allows `debug_truth`, `fields`, `events`, `explain`, and the `result` of a battle
    that goes on: what no captain may see.
    """

    def __init__(self, package: Package, *, trace: int = 0, debug: bool = False) -> None:
        self._arena: Final = _native.Arena(
            arena_arguments.package_json(package),
            arena_arguments.trace(trace),
            arena_arguments.flag("debug", debug),
        )
        self.ships: Final = tuple(ship for ship, _ in self._arena.ships)
        """Ids by row: what `observe`, `mask` and the rows of orders count by."""
        self.teams: Final = tuple(self._arena.teams)

    def reset(self, seed: int | None = None) -> None:
        """Begin anew, with the package's own seed or as the package with another."""
        self._arena.reset(None if seed is None else arguments.seed(seed))

    @property
    def tick(self) -> int:
        """Seconds fought."""
        return self._arena.status()[0]

    @property
    def time(self) -> float:
        """The same as a float."""
        return float(self.tick)

    @property
    def done(self) -> bool:
        """Whether the battle has ended."""
        return self._arena.status()[1] != 0

    @property
    def outcome(self) -> tuple[str | None, str | None]:
        """How it ended, in one of the words of `ENDINGS`, and the winner's id, if any."""
        _, ended_by, winner = self._arena.status()
        return ENDINGS[ended_by], self.teams[winner] if winner < len(self.teams) else None

    def step(self, orders: npt.ArrayLike | None = None) -> None:
        """One second: a row of eleven whole numbers for every ship, the helm in -127..127.

        The others are choices of their heads. Orders of another shape or type, or with a number out
        of its range, are an `ActionError`. Without orders every hull keeps its helm and holds its
        fire.
        """
        rows = None if orders is None else arena_arguments.orders(orders, len(self.ships))
        self._arena.step(rows)

    def observe(self, ship: int, out: Floats | None = None) -> Floats:
        """What a ship sees: 719 floats, into `out` where given."""
        row, size = arena_arguments.ship(ship, len(self.ships)), len(OBS_NAMES)
        seen = arena_arguments.to_fill(out, size, np.float32)
        self._arena.observe(row, seen)
        return seen

    def mask(self, ship: int, out: Flags | None = None) -> Flags:
        """What a ship may do: 53 flags, into `out` where given."""
        row = arena_arguments.ship(ship, len(self.ships))
        legal = arena_arguments.to_fill(out, CHOICES, np.uint8)
        self._arena.mask(row, legal)
        return legal

    def simulate(self, controllers: Controllers) -> BattleResult:
        """Fight on to the end under doctrines."""
        captains = arena_arguments.controllers(controllers)
        return BattleResult.model_validate_json(self._arena.simulate(captains))

    def result(self) -> BattleResult:
        """What a battle that has ended led to.

        With `debug=True` also how one stands that goes on: then `ended_by` is `running`. Others are
        refused that, since it tells what became of every ship.
        """
        return BattleResult.model_validate_json(self._arena.result())

    def state_hash(self) -> int:
        """XXH64 over the whole state."""
        return self._arena.state_hash()

    def snapshot(self) -> bytes:
        """The whole state, and the orders that led there, so that replays go on too."""
        return self._arena.snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Go on from a snapshot of a battle of this package."""
        self._arena.restore(arguments.snapshot(snapshot))

    def replay(self) -> bytes:
        """Package, orders and hashes of what was fought since the last reset."""
        return self._arena.replay()

    def events(self) -> Events:
        """Events kept since the last call.

        They tell who did what and where, noticed or not, so they are refused as `debug_truth` is.
        """
        return np.frombuffer(self._arena.events(), EVENT)

    @property
    def overflow(self) -> int:
        """Events that were lost because newer ones took their place before `events` was called."""
        return self._arena.overflow()

    def explain(self, event: int) -> Events:
        """The events that led to one that is still kept, the root first; refused as those are."""
        return np.frombuffer(self._arena.explain(arena_arguments.event(event)), EVENT)

    @property
    def fields(self) -> MorphoSpace:
        """The fields as they are now: a copy, of which nothing reaches the battle.

        Blasts, fires and pings give everybody away, so it is refused as `debug_truth` is.
        """
        return self._arena.fields()

    def debug_truth(self) -> dict[str, Any]:
        """Everything as it really is. Refused unless the arena was made with `debug=True`."""
        return json.loads(self._arena.debug_truth())


def simulate(
    packages: Sequence[Package],
    controllers: Controllers | Sequence[Controllers] | None = None,
    *,
    threads: int = 1,
) -> list[BattleResult]:
    """Fight every battle to its end under doctrines.

    `controllers` are the same for all, or one mapping each; results come in the order of packages
    and do not depend on the number of threads.
    """
    read = arena_arguments.packages(packages)
    each = arena_arguments.controllers_for_each(controllers, len(read))
    count = arguments.count("threads", threads, _native.THREADS_MAX)
    results = _native.simulate_batch(read, each, count)
    return [BattleResult.model_validate_json(one) for one in results]
