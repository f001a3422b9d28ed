"""Promise 4, what is seen: finite, inside the declared range, and always in the same place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from astrarium.check import legality
from astrarium.check.recording import step_with
from astrarium.check.report import Finding
from astrarium.check.trial import Trial
from astrarium.worlds import Layout, VectorWorld


def faults(trial: Trial) -> Iterator[Finding]:
    """Everything dishonest about what agents are shown."""
    yield from _addresses(trial)
    yield from _range(trial)
    yield from _mask_values(trial)
    yield from legality.faults(trial)


def notes(trial: Trial) -> Iterator[str]:
    """What this world does not let a check see."""
    yield from legality.notes(trial)


def array_faults(world: VectorWorld) -> Iterator[Finding]:
    """Arrays whose shape or dtype is not what the layout says."""
    for name, (shape, dtype) in _declared(world.layout, world.num_worlds).items():
        array: Any = getattr(world, name)
        given = (getattr(array, "shape", "no shape"), getattr(array, "dtype", type(array).__name__))
        if given != (shape, np.dtype(dtype)):
            yield Finding(
                4,
                f"{name} is {given[1]} {given[0]}; the layout makes it {np.dtype(dtype)} {shape}",
                "allocate it once with np.zeros(shape, dtype) and write into it",
            )


def _declared(layout: Layout, n: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    m = layout.agents
    one: tuple[int, ...] = (n, m)
    return {
        "obs": ((n, m, layout.obs_dim), np.float32),
        "final_obs": ((n, m, layout.obs_dim), np.float32),
        "mask": ((n, m, layout.num_choices), np.uint8),
        "alive": (one, np.uint8),
        "actions": ((n, m, len(layout.heads)), np.int32),
        "controls": ((n, m, layout.controls), np.float32),
        "reward": (one, np.float32),
        "terms": ((n, m, len(layout.terms)), np.float32),
        "terminated": (one, np.uint8),
        "truncated": (one, np.uint8),
        "events": (one, np.uint32),
        "stats": ((n, len(layout.stats)), np.float32),
        "episode_seed": ((n,), np.uint64),
        "episode": ((n,), np.uint64),
    }


def _addresses(trial: Trial) -> Iterator[Finding]:
    """Readers keep views of the arrays for as long as the batch lives."""
    world = trial.batch(2)
    names = list(_declared(world.layout, 2))
    before = {name: _address(getattr(world, name)) for name in names}
    step_with(world, trial.baseline.actions[0][:2], trial.baseline.controls[0][:2])
    saved = world.snapshot()
    world.reset()
    world.restore(saved)
    for name in names:
        if _address(getattr(world, name)) != before[name]:
            yield Finding(
                4,
                f"{name} moved to another address during step, reset or restore",
                f"write into it ({name}[...] = value) instead of assigning a new array",
            )


def _address(array: npt.NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _range(trial: Trial) -> Iterator[Finding]:
    layout = trial.layout
    for field in ("obs", "final_obs"):
        seen = trial.baseline.frames[field]
        if field == "final_obs":
            ended = trial.baseline.frames["terminated"] | trial.baseline.frames["truncated"]
            seen = np.where(ended[..., np.newaxis] != 0, seen, np.float32(layout.obs_low))
        # Written so that NaN counts as outside.
        wrong = np.argwhere(~((seen >= layout.obs_low) & (seen <= layout.obs_high)))
        if len(wrong):
            step, world, agent, index = (int(at) for at in wrong[0])
            name = _name_of(trial, index)
            yield Finding(
                4,
                f"step {step}, world {world}, agent {agent}: {field}[{index}]{name} is "
                f"{seen[step, world, agent, index]}, outside {layout.obs_low}..{layout.obs_high}",
                "scale and clip it in observe, or declare the range it really has",
            )


def _name_of(trial: Trial, index: int) -> str:
    entry = trial.subject.entry
    return f" ({entry.obs_names[index]})" if entry else ""


def _mask_values(trial: Trial) -> Iterator[Finding]:
    """Only 0 and 1, and for agents in play at least one choice of each head."""
    mask, alive = trial.baseline.frames["mask"], trial.baseline.frames["alive"]
    wrong = np.argwhere(mask > 1)
    if len(wrong):
        step, world, agent, index = (int(at) for at in wrong[0])
        yield Finding(
            4,
            f"step {step}, world {world}, agent {agent}: mask[{index}] is "
            f"{mask[step, world, agent, index]}",
            "write 1 for a legal choice and 0 for the others",
        )
    first = 0
    for head, size in enumerate(trial.layout.heads):
        none = ~mask[..., first : first + size].any(axis=-1) & (alive != 0)
        first += size
        wrong = np.argwhere(none)
        if len(wrong):
            step, world, agent = (int(at) for at in wrong[0])
            yield Finding(
                4,
                f"step {step}, world {world}, agent {agent}: head {head} has no legal choice",
                "keep one choice, such as waiting, legal for every agent in play",
            )
