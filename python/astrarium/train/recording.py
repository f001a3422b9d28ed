"""Episodes recorded as replays, of any player a ladder can play.

All episodes are played side by side first, and only their orders are kept. The chosen ones are
then played again alone, with those same orders, while their frames are taken: a world's course
depends on its seed and its orders only, so this is the same episode, as its return proves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from astrarium import __version__
from astrarium.runs.errors import ReplayError
from astrarium.runs.replaying import config_hash, return_of
from astrarium.runs.replays import FORMAT, Replay
from astrarium.worlds import VectorWorld, WorldConfig, WorldEntry, ladder, parse_config
from astrarium.worlds.frames import Camera
from astrarium.worlds.vector import Actions, Floats

WINDOW_STRIDE: Final = 1000
"""Evaluation seeds between the first episodes of two windows."""
_DECIMALS: Final = 6

Choice = Callable[[ladder.Record], Sequence[int]]
"""From all episodes to the indices of those to be recorded."""


class Thoughts(Protocol):
    """What a policy made of the observations of its last call."""

    @property
    def value(self) -> Floats:
        """(n, m): the return it expects."""
        ...

    @property
    def probabilities(self) -> Floats:
        """(n, m, K): of each choice, heads side by side."""
        ...


@runtime_checkable
class Thinking(Protocol):
    """A policy that can say what it thought."""

    @property
    def thoughts(self) -> Thoughts | None:
        """Of the last call; None where it does not keep them."""
        ...


@dataclass(frozen=True, slots=True)
class Recorded:
    """One episode that was recorded."""

    replay: Replay
    episode: Mapping[str, Any]
    """Its row of the ladder: seed, steps, return_total, endings and every final stat."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Episodes that were played, and those of them that were recorded."""

    record: ladder.Record
    kept: Sequence[Recorded]


def best(record: ladder.Record) -> Sequence[int]:
    """The episode with the highest return, the first one on ties."""
    return [int(np.argmax(record.columns["return_total"]))]


def every(record: ladder.Record) -> Sequence[int]:
    """All episodes."""
    return range(len(record))


def window_seed(run_seed: int, offset: int, window_id: int) -> int:
    """The seed of the first episode played with the checkpoint of a window."""
    return run_seed + offset + WINDOW_STRIDE * window_id


def record(
    entry: WorldEntry,
    name: str,
    policy: ladder.Policy,
    rules: ladder.Rules,
    config: WorldConfig | None = None,
    *,
    choice: Choice = best,
    about: Mapping[str, Any] | None = None,
    commit: str = "none",
    progress: ladder.Progress | None = None,
) -> Recording:
    """Play `rules.episodes` episodes and record those of `choice`.

    `about` goes into the replays' headers as what is known of the policy, besides its `name`;
    `commit` says from which source this program was built. A policy whose `thoughts` are not None
    is asked again for what it thought of each frame.
    """
    settings = parse_config(entry.config, config, where=entry.id)
    orders = _Orders()
    played = ladder.play(entry, name, policy, rules, settings, progress, orders.note)
    thinker = policy if _thoughts_of(policy) is not None else None
    rows = played.rows()
    kept: list[Recorded] = []
    for index in choice(played):
        row = {key: value for key, value in rows[index].items() if key != "bot"}
        replay = replay_of(
            entry,
            settings,
            row["seed"],
            orders.of(index),
            about={"name": name, **(about or {})},
            commit=commit,
            thinker=thinker,
        )
        _check_return(entry, row, return_of(replay.frames))
        kept.append(Recorded(replay, row))
    return Recording(played, kept)


def replay_of(
    entry: WorldEntry,
    config: WorldConfig,
    seed: int,
    orders: Iterable[tuple[Actions, Floats]],
    *,
    about: Mapping[str, Any],
    commit: str = "none",
    thinker: ladder.Policy | None = None,
) -> Replay:
    """The episode of `seed` played alone with these orders, actions and controls of each step.

    `about` says who played; a `thinker` is asked what it thought of each frame.
    """
    header = _header(entry, config, seed, about, commit)
    return Replay(header, _frames(entry, config, seed, orders, thinker))


class _Orders:
    """Every order given while a batch is played, by episode."""

    def __init__(self) -> None:
        self._steps: list[tuple[ladder.Places, Actions, Floats]] = []

    def note(self, world: VectorWorld, episodes: ladder.Places, places: ladder.Places) -> None:
        """Remember the orders of one step; copies, since the batch reuses its arrays."""
        self._steps.append((episodes, world.actions[places], world.controls[places]))

    def of(self, episode: int) -> Iterator[tuple[Actions, Floats]]:
        """The orders of one episode, step by step."""
        for episodes, actions, controls in self._steps:
            # Episodes stay in order while the batch shrinks.
            at = int(np.searchsorted(episodes, episode))
            if at == len(episodes) or episodes[at] != episode:
                return
            yield actions[at], controls[at]


def _header(
    entry: WorldEntry, config: WorldConfig, seed: int, policy: Mapping[str, Any], commit: str
) -> dict[str, Any]:
    layout = entry.make(config, 1, 1, "disabled").layout
    entry = entry.under(config)
    return {
        "kind": "header",
        "format": FORMAT,
        "world": entry.id,
        "world_config": config.model_dump(mode="json"),
        "config_hash": config_hash(config),
        **({"implementation": "reference"} if entry.is_reference else {}),
        "build": {"version": __version__, "commit": commit},
        "seed": seed,
        "policy": dict(policy),
        "action_names": [list(names) for names in entry.action_names],
        "obs_names": list(entry.obs_names),
        "terms": list(layout.terms),
        "events": list(layout.events),
        "agents": list(entry.agent_names),
    }


def _frames(
    entry: WorldEntry,
    config: WorldConfig,
    seed: int,
    orders: Iterable[tuple[Actions, Floats]],
    thinker: ladder.Policy | None,
) -> list[dict[str, Any]]:
    """The episode of `seed`, played with these orders."""
    world = entry.make(config, 1, 1, "disabled")
    world.reset_with_seeds([seed])
    camera = Camera(entry, world, by_changes=True)
    frames: list[dict[str, Any]] = []
    for step, (actions, controls) in enumerate(orders):
        thoughts = None
        if thinker is not None:
            thinker(world, step)
            thoughts = _thoughts(thinker, world, actions)
        world.actions[0] = actions
        world.controls[0] = controls
        world.step()
        frames.append({**camera.frame(), "policy": thoughts})
    world.close()
    return frames


def _thoughts_of(policy: object) -> Thoughts | None:
    return policy.thoughts if isinstance(policy, Thinking) else None


def _thoughts(thinker: ladder.Policy, world: VectorWorld, actions: Actions) -> Any:
    """What the policy thought of each agent; None for those not in play."""
    thoughts = _thoughts_of(thinker)
    if thoughts is None:
        return None
    each = [
        _thought(value, chances, chosen.tolist(), world.layout.heads) if alive else None
        for value, chances, chosen, alive in zip(
            thoughts.value[0].tolist(),
            thoughts.probabilities[0],
            actions,
            world.alive[0].tolist(),
            strict=True,
        )
    ]
    return each[0] if len(each) == 1 else each


def _thought(
    value: float, chances: npt.NDArray[np.float32], chosen: list[int], heads: Sequence[int]
) -> dict[str, Any]:
    first, likely = 0, 1.0
    by_head: list[list[float]] = []
    for choice, count in zip(chosen, heads, strict=True):
        head = np.round(chances[first : first + count].astype(np.float64), _DECIMALS).tolist()
        likely *= head[choice] if 0 <= choice < count else 0.0
        by_head.append(head)
        first += count
    return {
        "value": round(value, _DECIMALS),
        "probability": round(likely, _DECIMALS),
        "probabilities": by_head,
    }


def _check_return(entry: WorldEntry, row: Mapping[str, Any], total: float) -> None:
    if total != row["return_total"]:
        raise ReplayError(
            f"the episode of seed {row['seed']} returned {row['return_total']} in its batch and "
            f"{total} alone, with the same orders: {entry.id} does not keep its promise of being "
            f"exact; try `astrarium check {entry.id}`"
        )
