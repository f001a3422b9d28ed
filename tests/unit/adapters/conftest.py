"""A world written in Python with every kind of order, for what no built-in world has.

Its score is the sum of its orders, its episodes last four steps, and it begins by itself in none
of its modes but `same_step` and `disabled`, which is all the adapters ask of it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from astrarium.errors import EpisodeOverError
from astrarium.worlds import Autoreset, Layout, WorldConfig, WorldEntry, arguments, registry

STEPS = 4


@dataclass(frozen=True)
class Kind:
    """Which orders a scale takes."""

    heads: tuple[int, ...]
    controls: int


class ScaleConfig(WorldConfig):
    """No settings."""


class Scale:
    """Weighs the orders it is given; see the top of this file."""

    world_id = "scale"
    reveal_row = np.zeros((1, 0), np.float32)

    def __init__(self, kind: Kind, name: str, config: Any, n: int, autoreset: Autoreset) -> None:
        self.world_id, self.config, self.num_worlds, self.autoreset = name, config, n, autoreset
        self.layout = Layout(
            1, 2, 0.0, 100.0, kind.heads, kind.controls, ("weight",), ("steps",), ("heavy",)
        )
        for array, width, dtype in (
            ("obs", 2, np.float32),
            ("final_obs", 2, np.float32),
            ("mask", self.layout.num_choices, np.uint8),
            ("actions", len(kind.heads), np.int32),
            ("controls", kind.controls, np.float32),
            ("terms", 1, np.float32),
        ):
            setattr(self, array, np.zeros((n, 1, width), dtype))
        self.reward = self.terms.reshape(n, 1)
        for array, dtype in (("alive", np.uint8), ("events", np.uint32)):
            setattr(self, array, np.ones((n, 1), dtype))
        self.terminated, self.truncated = np.zeros((2, n, 1), np.uint8)
        self.stats = np.zeros((n, 1), np.float32)
        self.episode_seed, self.episode = np.zeros((2, n), np.uint64)
        self.mask[:] = 1

    def reset(self, seed: int | None = None) -> None:
        base = self.episode_seed + 1 if seed is None else np.full(self.num_worlds, seed)
        self.reset_with_seeds(base.astype(np.uint64))

    def reset_with_seeds(self, seeds: Any) -> None:
        self.episode_seed[:] = seeds
        self.stats[:] = self.obs[:] = self.terminated[:] = 0

    def step(self, actions: Any = None, controls: Any = None) -> None:
        if self.terminated.any() and self.autoreset == "disabled":
            raise EpisodeOverError("over")
        if actions is not None:
            shapes = arguments.shapes(self.actions)
            given = arguments.actions(actions, shapes)
            shapes[given.shape][...] = given
        if controls is not None:
            shapes = arguments.shapes(self.controls)
            given = arguments.controls(controls, shapes)
            shapes[given.shape][...] = given
        self.terms[:, :, 0] = self.actions.sum(-1) + self.controls.sum(-1)
        self.stats += 1
        self.obs[:, 0, 0] = self.stats[:, 0]
        self.terminated[:] = self.stats >= STEPS
        if self.autoreset == "same_step" and self.terminated.any():
            self.final_obs[:] = self.obs
            self.stats[:] = self.obs[:] = 0
            self.episode += 1
            self.episode_seed += 1

    def reveal(self) -> Any:
        return np.zeros((self.num_worlds, 0), np.float32)

    def close(self) -> None:
        pass


KINDS = {
    "one-head": Kind((3,), 0),
    "two-heads": Kind((3, 2), 0),
    "controls": Kind((), 2),
    "mixed": Kind((3, 2), 2),
    "nothing": Kind((), 0),
}


def entry_of(name: str, kind: Kind) -> WorldEntry:
    return WorldEntry(
        id=name,
        title="Scale",
        summary="Weighs orders.",
        config=ScaleConfig,
        make=lambda config, n, threads, autoreset: Scale(kind, name, config, n, autoreset),  # pyright: ignore
        action_names=tuple(tuple(str(i) for i in range(k)) for k in kind.heads),
        obs_names=("steps", "nothing"),
        agent_names=("pan",),
    )


@pytest.fixture
def scales(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The ids of the scales, by kind, known for the length of a test."""
    registry.ids()
    ids = {name: f"scale-{name}-v1" for name in KINDS}
    for name, kind in KINDS.items():
        monkeypatch.setitem(registry._known, ids[name], entry_of(ids[name], kind))
    return ids
