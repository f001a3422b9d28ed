"""What hosts learn: a table of tasks, and the data behind each."""

from __future__ import annotations

from dataclasses import astuple
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from astrarium.errors import ConfigError, did_you_mean
from astrarium.esper.tasks import cifar, copying, digits, noise, textures, tinystories
from astrarium.esper.tasks.dataset import Dataset, Part, check
from astrarium.esper.tasks.sources import place_of
from astrarium.esper.tasks.spec import (
    DataKind,
    Split,
    TaskSpec,
    Training,
)
from astrarium.esper.tasks.table import TASKS

T = TypeVar("T")

__all__ = [
    "Dataset",
    "Part",
    "Split",
    "TaskSpec",
    "Training",
    "experiment_task",
    "load",
    "task",
    "task_names",
]


def task_names() -> tuple[str, ...]:
    """Every task, in the order of the table."""
    return tuple(TASKS)


def task(name: str) -> TaskSpec:
    """The task of that name."""
    try:
        return TASKS[name]
    except KeyError:
        hint = did_you_mean(name, TASKS)
        known = ", ".join(TASKS)
        raise ConfigError(f"task is {name!r}, which is none of {known}{hint}") from None


def experiment_task(name: str) -> TaskSpec:
    """The task of that name, if a result on it means anything."""
    spec = task(name)
    if spec.timing_only:
        raise ConfigError(f"task is {name!r}, which holds noise for timing; choose one with data")
    return spec


def load(name: str, data: str | Path | None = None) -> Dataset:
    """The data of a task, read or generated once per process.

    `data` says where files that the user brings are; without it, an environment variable does.
    Data that is missing is an error, never replaced by something else.
    """
    spec = task(name)
    place = place_of(spec, data)
    where = None if place is None else place.resolve()
    return check(_loaded(spec.data, where, spec.split, spec.input_shape, spec.classes), spec)


@lru_cache(maxsize=2)
def _loaded(
    kind: DataKind,
    place: Path | None,
    split: Split | None,
    input_shape: tuple[int, ...],
    classes: int,
) -> Dataset:
    """Tasks of one kind share it: CIFAR-10 takes seconds to unpack and most of a gigabyte."""
    if kind == "digits":
        return digits.load()
    if kind == "cifar":
        return cifar.load(_given(place))
    if kind == "tinystories":
        return tinystories.load(_given(place), input_shape[0], classes)
    generated = {"textures": textures.load, "copying": copying.load, "noise": noise.load}
    return generated[kind](*astuple(_given(split)))


def _given(value: T | None) -> T:
    assert value is not None, "the table of tasks leaves out what this kind of data needs"
    return value
