"""The samples of a task in three parts that share none."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.tasks.spec import TaskSpec

Labels = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Part:
    """Samples and what is to be said about them; nobody may write to either."""

    inputs: npt.NDArray[Any]
    """Images as float32, channels first, or int64 tokens."""
    labels: Labels
    """One per sample, or one per token."""

    def __post_init__(self) -> None:
        if len(self.inputs) != len(self.labels):
            raise DatasetError(f"{len(self.inputs)} samples have {len(self.labels)} labels")
        for array in (self.inputs, self.labels):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.labels)

    def thinned(self, every: int) -> Part:
        """The first of every so many samples."""
        return Part(self.inputs[::every].copy(), self.labels[::every].copy())


@dataclass(frozen=True, slots=True)
class Dataset:
    """Everything a task learns from and is measured on."""

    train: Part
    validation: Part
    """All that controllers, gates and rewards may see."""
    test: Part
    """Read once, at the end."""

    def thinned(self, every: int) -> Dataset:
        """With the first of every so many samples to learn from and to decide by."""
        if every == 1:
            return self
        return Dataset(self.train.thinned(every), self.validation.thinned(every), self.test)

    def digest(self) -> str:
        """The same for the same samples in the same parts and order."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (self.train, self.validation, self.test):
            for array in (part.inputs, part.labels):
                digest.update(f"{array.dtype.str}{array.shape}".encode())
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()


def check(data: Dataset, spec: TaskSpec) -> Dataset:
    """`data`, if it is what `spec` says it is."""
    for name in ("train", "validation", "test"):
        part: Part = getattr(data, name)
        if spec.split is not None and len(part) != getattr(spec.split, name):
            wanted = getattr(spec.split, name)
            raise DatasetError(
                f"{spec.name}: the {name} part has {len(part)} samples in place of {wanted}; "
                "give the whole data set"
            )
        if not len(part) or part.inputs.shape[1:] != spec.input_shape:
            raise DatasetError(
                f"{spec.name}: the {name} part is {part.inputs.shape}; "
                f"samples must be there and {spec.input_shape}"
            )
        highest, lowest = int(part.labels.max()), int(part.labels.min())
        if lowest < 0 or highest >= spec.classes:
            raise DatasetError(
                f"{spec.name}: labels of the {name} part run from {lowest} to {highest}; "
                f"there are {spec.classes} classes"
            )
    return data


def stratified(
    labels: Labels, pattern: tuple[int, ...], generator: np.random.Generator
) -> tuple[npt.NDArray[np.int64], ...]:
    """Which samples go to which part, every class in the same proportions.

    Sorted by class and shuffled within it, samples are dealt out as `pattern` says, over and over:
    `(0, 0, 0, 1, 2)` gives parts of 60, 20 and 20 %. No class is off by more than a round.
    """
    shuffled = generator.permutation(len(labels))
    by_class = shuffled[np.argsort(labels[shuffled], kind="stable")]
    part = np.resize(np.asarray(pattern), len(labels))
    return tuple(np.sort(by_class[part == one]) for one in range(max(pattern) + 1))
