"""Batches for all hosts at once: one order, one gather, one augmentation, whatever the device.

What is drawn depends on the run's seed and the epoch alone, so hosts that are compared see the same
samples in the same order, and a resumed run goes on as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from astrarium.errors import CountError
from astrarium.esper.tasks.dataset import Part
from astrarium.train.streams import stream

PADDING: Final = 4
"""Pixels an image may be shifted by, each way."""
MIRRORED: Final = 0.5
"""How likely an image is mirrored."""

Batch = tuple[torch.Tensor, torch.Tensor]
"""Samples and their labels."""


def epoch_order(seed: int, epoch: int, samples: int) -> npt.NDArray[np.int64]:
    """In which order an epoch shows its samples, each once."""
    return stream(seed, "esper.data_order", epoch).permutation(samples)


@dataclass(frozen=True, slots=True)
class Shifts:
    """How each sample of an epoch is moved: one entry for each, in the order they are shown."""

    down: torch.Tensor
    """From 0 to twice the padding, which in the middle leaves the image in place."""
    right: torch.Tensor
    mirror: torch.Tensor


def epoch_shifts(seed: int, epoch: int, samples: int) -> Shifts:
    """How the images of an epoch are shifted and mirrored."""
    return draw_shifts(stream(seed, "esper.augmentation", epoch), samples)


def draw_shifts(generator: np.random.Generator, samples: int) -> Shifts:
    """Shifts for so many images, from `generator` alone."""
    places = generator.integers(2 * PADDING + 1, size=(2, samples))
    mirror = generator.random(samples) < MIRRORED
    return Shifts(*(torch.as_tensor(one) for one in (*places, mirror)))


def shifted(images: torch.Tensor, shifts: Shifts) -> torch.Tensor:
    """Images cut out of their padded selves; beyond the border lies 0, the mean of all images."""
    height, width = images.shape[-2:]
    padded = functional.pad(images, (PADDING,) * 4)
    across = torch.arange(width, device=images.device)
    across = torch.where(shifts.mirror[:, None], across.flip(0), across) + shifts.right[:, None]
    down = torch.arange(height, device=images.device) + shifts.down[:, None]
    planes = torch.arange(images.shape[0] * images.shape[1], device=images.device)
    first = planes.view(*images.shape[:2], 1, 1) * (padded.shape[2] * padded.shape[3])
    pixel = down[:, :, None] * padded.shape[3] + across[:, None, :]
    # One flat list of places: a gather by four lists is several times slower on a CPU.
    places = (first + pixel[:, None]).flatten()
    return padded.flatten().index_select(0, places).view_as(images)


class Preloaded:
    """One part of a data set, wholly on a device; batches are gathered there."""

    def __init__(self, part: Part, device: torch.device) -> None:
        # Copied once: tensors could be written to, and the arrays are shared.
        self.inputs = torch.tensor(part.inputs, device=device)
        self.labels = torch.tensor(part.labels, device=device)

    def __len__(self) -> int:
        return len(self.labels)

    def recipes(self, size: int, seed: int, epoch: int, *, augment: bool) -> Sequence[torch.Tensor]:
        """What `gather` makes the batches of an epoch of, on the device; the last may be smaller.

        A row names the samples; with `augment`, three more say how each is moved.
        """
        _check(size)
        rows = [torch.as_tensor(epoch_order(seed, epoch, len(self)))]
        if augment:
            shifts = epoch_shifts(seed, epoch, len(self))
            rows += [shifts.down, shifts.right, shifts.mirror.long()]
        return torch.split(torch.stack(rows).to(self.labels.device), size, dim=1)

    def gather(self, recipe: torch.Tensor) -> Batch:
        """The batch of a recipe."""
        inputs = self.inputs.index_select(0, recipe[0])
        if len(recipe) > 1:
            inputs = shifted(inputs, Shifts(recipe[1], recipe[2], recipe[3].bool()))
        return inputs, self.labels.index_select(0, recipe[0])

    def in_order(self, size: int) -> Iterator[Batch]:
        """Every sample once, as stored: what is measured is the same each time."""
        _check(size)
        for first in range(0, len(self), size):
            yield self.inputs[first : first + size], self.labels[first : first + size]


def _check(size: int) -> None:
    if size < 1:
        raise CountError(f"size is {size}; a batch has at least one sample")
