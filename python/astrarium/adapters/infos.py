"""What a step returns besides its reward: masks, seeds, reward terms, events, statistics."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.worlds import Layout, VectorWorld

Bools = npt.NDArray[np.bool_]
Produced = dict[str, npt.NDArray[Any]]
"""Reward terms, events and stats, each of shape (n, names)."""


def info_of(world: VectorWorld, index: int, agent: int, *, stepped: bool) -> dict[str, Any]:
    """Return the info of one agent by name. What a step produces is in it only after a step."""
    layout = world.layout
    info = _standing(world, index, agent)
    if stepped:
        happened = int(world.events[index, agent])
        info["reward_terms"] = dict(
            zip(layout.terms, world.terms[index, agent].tolist(), strict=True)
        )
        info["events"] = {name: bool(happened >> bit & 1) for bit, name in enumerate(layout.events)}
        info["stats"] = dict(zip(layout.stats, world.stats[index].tolist(), strict=True))
    return info


def plain_info_of(world: VectorWorld, index: int, agent: int, *, stepped: bool) -> dict[str, Any]:
    """Return the same as arrays in the layout's order, with zeros where there was no step.

    Keys and shapes never change, so a library can store infos in tensors.
    """
    layout = world.layout
    info = _standing(world, index, agent)
    bits = np.arange(len(layout.events), dtype=np.uint32)
    info["reward_terms"] = world.terms[index, agent].copy()
    info["events"] = (world.events[index, agent] >> bits & np.uint32(1)).astype(np.bool_)
    info["stats"] = world.stats[index].copy()
    if not stepped:
        for name in ("reward_terms", "events", "stats"):
            info[name][...] = 0
    return info


def _standing(world: VectorWorld, index: int, agent: int) -> dict[str, Any]:
    # An array of no dimensions: seeds use all 64 bits, which neither Gymnasium nor torch can
    # collect from Python's integers, and torch takes no scalar of NumPy's unsigned type.
    info: dict[str, Any] = {"episode_seed": np.array(world.episode_seed[index], np.uint64)}
    if world.layout.heads:
        # Gymnasium samples from int8 alone.
        info["action_mask"] = world.mask[index, agent].astype(np.int8)
    return info


class BatchInfos:
    """The same for a whole batch of one-agent worlds, nested and masked as Gymnasium does it.

    Every key `x` comes with `_x`, which is True for the worlds that have it. No call does work
    per world.
    """

    def __init__(self, world: VectorWorld) -> None:
        layout, n = world.layout, world.num_worlds
        self._bits: Final = 1 << np.arange(len(layout.events), dtype=np.uint32)
        self._terms: Final = world.terms.reshape(n, len(layout.terms))
        self._events: Final = world.events.reshape(n, 1)
        self._stats: Final = world.stats
        self._names: Final = _names(layout)

    def of_all(self, blank: npt.NDArray[np.intp]) -> Produced:
        """What the last step produced, in new arrays; zero for the worlds `blank`."""
        produced = {
            "reward_terms": self._terms.copy(),
            "events": self._happened(self._events),
            "stats": self._stats.copy(),
        }
        if blank.size:
            for rows in produced.values():
                rows[blank] = 0
        return produced

    def of_some(self, at: npt.NDArray[np.intp]) -> Produced:
        """What the last step produced for the worlds `at`; zero for the others."""
        some = {
            "reward_terms": self._terms[at],
            "events": self._happened(self._events[at]),
            "stats": self._stats[at],
        }
        # Few worlds end in a step: filling their rows is cheaper than blanking all the others.
        produced: Produced = {}
        for group, rows in some.items():
            produced[group] = np.zeros((len(self._stats), rows.shape[1]), rows.dtype)
            produced[group][at] = rows
        return produced

    def named(self, produced: Produced, where: Bools) -> dict[str, Any]:
        """`produced` by name, which the worlds of `where` have."""
        infos: dict[str, Any] = {}
        for group, rows in produced.items():
            names, masks = self._names[group]
            infos[group] = {**dict(zip(names, rows.T, strict=True)), **dict.fromkeys(masks, where)}
            infos[f"_{group}"] = where
        return infos

    def _happened(self, events: npt.NDArray[np.uint32]) -> Bools:
        return (events & self._bits) != 0


def _names(layout: Layout) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    groups = {"reward_terms": layout.terms, "events": layout.events, "stats": layout.stats}
    return {group: (names, tuple(f"_{x}" for x in names)) for group, names in groups.items()}
