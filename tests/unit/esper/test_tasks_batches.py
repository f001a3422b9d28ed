"""Batches: every sample once, in an order the seed and the epoch fix."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from astrarium.errors import CountError
from astrarium.esper.tasks.batches import (
    MIRRORED,
    PADDING,
    Batch,
    Preloaded,
    Shifts,
    draw_shifts,
    epoch_order,
    shifted,
)
from astrarium.esper.tasks.dataset import Part
from astrarium.train.streams import stream

CPU = torch.device("cpu")


def numbered(count: int, side: int = 6) -> Part:
    """Images that no two of are alike; each label is the image's number."""
    pixels = np.arange(count * 2 * side * side, dtype=np.float32) + 1
    return Part(pixels.reshape(count, 2, side, side), np.arange(count))


@given(st.integers(0, 2**64 - 1), st.integers(0, 1000), st.integers(1, 200))
def test_an_order_shows_every_sample_once(seed: int, epoch: int, samples: int) -> None:
    order = epoch_order(seed, epoch, samples)
    assert sorted(order) == list(range(samples))
    assert (order == epoch_order(seed, epoch, samples)).all()


def test_orders_differ_by_seed_and_epoch() -> None:
    orders = {epoch_order(seed, epoch, 50).tobytes() for seed in (1, 2) for epoch in (0, 1)}
    assert len(orders) == 4


def test_orders_and_shifts_are_the_same_on_every_machine() -> None:
    shifts = draw_shifts(stream(5, "test"), 100)
    digest = hashlib.blake2b(epoch_order(5, 3, 1000).astype("<i8").tobytes(), digest_size=8)
    for drawn in (shifts.down, shifts.right, shifts.mirror):
        digest.update(drawn.numpy().astype("<i8").tobytes())
    assert digest.hexdigest() == "52203ed7aef48087"


def epoch_of(data: Preloaded, size: int, seed: int, epoch: int, augment: bool) -> list[Batch]:
    return [data.gather(one) for one in data.recipes(size, seed, epoch, augment=augment)]


@pytest.mark.parametrize("augment", [False, True])
def test_an_epoch_pairs_every_sample_with_its_label(augment: bool) -> None:
    part = numbered(25)
    batches = epoch_of(Preloaded(part, CPU), 8, 1, 0, augment)
    assert [len(labels) for _, labels in batches] == [8, 8, 8, 1]
    labels = torch.cat([labels for _, labels in batches])
    assert labels.tolist() == epoch_order(1, 0, 25).tolist()
    images = torch.cat([images for images, _ in batches]).numpy()
    if not augment:
        assert (images == part.inputs[labels]).all()
    for image, label in zip(images, labels, strict=True):
        assert set(image[image != 0]) <= set(part.inputs[label].ravel())


def test_epochs_repeat_exactly_whatever_the_batch_size() -> None:
    data = Preloaded(numbered(25), CPU)
    small, large = (
        torch.cat([images for images, _ in epoch_of(data, size, 4, 9, True)]) for size in (3, 25)
    )
    assert torch.equal(small, large)


def test_measurements_read_samples_as_stored() -> None:
    part = numbered(10)
    found = list(Preloaded(part, CPU).in_order(4))
    assert torch.cat([labels for _, labels in found]).tolist() == list(range(10))
    assert (torch.cat([images for images, _ in found]).numpy() == part.inputs).all()


def test_training_cannot_change_the_data() -> None:
    part = numbered(4)
    Preloaded(part, CPU).inputs.zero_()
    assert part.inputs.all()


def test_a_batch_of_nothing_is_refused() -> None:
    with pytest.raises(CountError, match="size is 0"):
        Preloaded(numbered(4), CPU).recipes(0, 1, 0, augment=False)
    with pytest.raises(CountError, match="size is -1"):
        list(Preloaded(numbered(4), CPU).in_order(-1))


def test_shifting_agrees_with_cutting_each_image_by_hand() -> None:
    images = numbered(40).inputs
    shifts = draw_shifts(stream(2, "test"), 40)
    found = shifted(torch.tensor(images), shifts).numpy()
    border = ((0, 0), (PADDING, PADDING), (PADDING, PADDING))
    for index, image in enumerate(images):
        down, right = int(shifts.down[index]), int(shifts.right[index])
        cut = np.pad(image, border)[:, down : down + 6, right : right + 6]
        assert (found[index] == (cut[:, :, ::-1] if shifts.mirror[index] else cut)).all()


def test_the_middle_shift_leaves_images_in_place() -> None:
    images = torch.tensor(numbered(3).inputs)
    middle = torch.full((3,), PADDING)
    assert torch.equal(shifted(images, Shifts(middle, middle, torch.zeros(3).bool())), images)
    mirrored = shifted(images, Shifts(middle, middle, torch.ones(3).bool()))
    assert torch.equal(mirrored, images.flip(-1))


def test_shifts_reach_every_place_equally() -> None:
    shifts = draw_shifts(stream(3, "test"), 9000)
    for drawn in (shifts.down, shifts.right):
        counts = np.bincount(drawn.numpy())
        assert len(counts) == 2 * PADDING + 1
        assert counts.min() > 800
    assert abs(shifts.mirror.double().mean().item() - MIRRORED) < 0.03
