"""How others would have done: every bot and the best policy on the episode a person played."""

from __future__ import annotations

import importlib.util
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from astrarium.errors import AstrariumError
from astrarium.runs import RunFolder, names
from astrarium.runs.replaying import config_hash
from astrarium.serve.catalogue import Catalogue, Known
from astrarium.serve.paths import plain_file, plain_tree
from astrarium.worlds import WorldConfig, WorldEntry, ladder

Kind = Literal["bot", "oracle", "policy"]

_REMEMBERED: Final = 256
_log: Final = logging.getLogger(__name__)


class _TimeUpError(Exception):
    """The other players take longer than anybody would wait."""


class Outcomes:
    """Plays episodes for comparison, and remembers what came of them. For any thread."""

    def __init__(self, catalogue: Catalogue, seconds_max: float) -> None:
        self._catalogue = catalogue
        self._seconds_max = seconds_max
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._useless: dict[str, bytes] = {}
        """Runs whose policy could not be loaded, as they were then."""
        self._remembered: OrderedDict[tuple[Any, ...], dict[str, Any]] = OrderedDict()

    def players(self, entry: WorldEntry, config: WorldConfig, seed: int) -> list[dict[str, Any]]:
        """Every player that came to an end in time, with what its episode came to."""
        deadline = time.monotonic() + self._seconds_max
        found: list[dict[str, Any]] = []
        for name, kind, policy in self._all(entry):
            key = (entry.id, config_hash(config), seed, name)
            with self._lock:
                outcome = self._remembered.get(key)
            if outcome is None:
                try:
                    outcome = self._played(entry, name, policy, config, seed, deadline)
                except _TimeUpError:
                    continue
                except AstrariumError as error:
                    _log.warning("%s cannot play %s: %s", name, entry.id, error)
                    continue
                self._remember(key, outcome)
            found.append({"name": name, "kind": kind, "outcome": outcome})
        return found

    def start(self) -> None:
        """Allow episodes to be played."""
        self._stopped.clear()

    def stop(self) -> None:
        """End the episodes that are being played."""
        self._stopped.set()

    def _played(
        self,
        entry: WorldEntry,
        name: str,
        policy: ladder.Policy,
        config: WorldConfig,
        seed: int,
        deadline: float,
    ) -> dict[str, Any]:
        def in_time(_: str, ended: int, steps: int) -> None:
            del ended, steps
            if time.monotonic() > deadline or self._stopped.is_set():
                raise _TimeUpError

        record = ladder.play(entry, name, policy, ladder.Rules(1, seed), config, in_time)
        (row,) = record.rows()
        own = {"bot", "seed", "steps", "dt_total", "return_total", "terminated", "truncated"}
        own |= {"guard_truncated", "invalid_actions", "invalid_action_rate"}
        stats: Mapping[str, Any] = {key: value for key, value in row.items() if key not in own}
        return {
            "return_total": row["return_total"],
            "steps": row["steps"],
            "ticks": row["dt_total"],
            "stats": stats,
        }

    def _remember(self, key: tuple[Any, ...], outcome: dict[str, Any]) -> None:
        with self._lock:
            self._remembered[key] = outcome
            if len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)

    def _all(self, entry: WorldEntry) -> Iterator[tuple[str, Kind, ladder.Policy]]:
        everyone = ladder.policies(entry)
        for name in everyone:
            if name not in entry.oracles:
                yield name, "bot", everyone[name]
        yield from self._learnt(entry)
        # Last, since planning takes longest and time may be up.
        for name in entry.oracles:
            yield name, "oracle" if name in entry.sees_hidden else "bot", everyone[name]

    def _learnt(self, entry: WorldEntry) -> Iterator[tuple[str, Kind, ladder.Policy]]:
        best = self._best_run(entry)
        if best is None or importlib.util.find_spec("torch") is None:
            return
        if self._useless.get(best.row.run_id) == best.encoded:
            return  # said in the log once
        try:
            plain_tree(best.folder, names.CHECKPOINTS)
            plain_file(best.folder, names.CONFIG)
            # Brings torch, which only this needs.
            from astrarium.train.contenders import contender

            found = contender(RunFolder.open(best.folder), "best")
        except AstrariumError as error:
            _log.warning("the policy of %s cannot be loaded: %s", best.row.run_id, error)
            if len(self._useless) >= _REMEMBERED:
                self._useless.clear()
            self._useless[best.row.run_id] = best.encoded
            return
        yield found.name, "policy", found.policy

    def _best_run(self, entry: WorldEntry) -> Known | None:
        """The trained run of this world with the best replay."""
        runs = [
            one
            for one in self._catalogue.runs()
            if one.row.world == entry.id
            and one.row.kind == "training"
            and one.row.checkpoints_written
            and one.row.best_replay is not None
        ]
        return max(runs, key=_best_return, default=None)


def _best_return(run: Known) -> float:
    best = run.row.best_replay
    return float("-inf") if best is None else best.return_total
