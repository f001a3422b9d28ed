"""The data of the tasks that need none: always the same bits, fairly split, as hard as meant."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from astrarium.esper import tasks
from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.tasks import copying, digits, textures, tinystories
from astrarium.esper.tasks.dataset import Dataset, stratified
from astrarium.train.streams import stream

# Whoever changes one of these changes every result ever reported on the task.
DIGESTS = {
    "digits_impaired": "02ca53fd6de1a80c65b42ccbf1bac470",
    "digits_baseline": "02ca53fd6de1a80c65b42ccbf1bac470",
    "textures_impaired": "8bd525a0356b098c8fd88da964c502fd",
    "copy_lm": "e6dd6590aadd4fddca70113bd5ac081d",
    "noise": "57b50f157e8dc8ac02f534b978aedcb0",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_the_data_is_always_the_same(name: str) -> None:
    assert tasks.load(name).digest() == DIGESTS[name]


@pytest.mark.parametrize("name", DIGESTS)
def test_no_sample_is_in_two_parts(name: str) -> None:
    data = tasks.load(name)
    parts = [{row.tobytes() for row in part.inputs} for part in (data.train, data.test)]
    parts.append({row.tobytes() for row in data.validation.inputs})
    assert len(set.union(*parts)) == sum(map(len, parts))


def test_a_digest_sees_every_part() -> None:
    data = tasks.load("digits_impaired")
    assert Dataset(data.train, data.test, data.validation).digest() != data.digest()


def test_thinned_data_is_part_of_the_whole_and_the_test_part_stays() -> None:
    whole = tasks.load("digits_impaired")
    thin = whole.thinned(4)
    np.testing.assert_array_equal(thin.train.inputs, whole.train.inputs[::4])
    np.testing.assert_array_equal(thin.validation.labels, whole.validation.labels[::4])
    assert thin.test is whole.test
    assert whole.thinned(1) is whole


def test_every_sample_is_dealt_once_and_every_class_fairly() -> None:
    labels = stream(7, "test").integers(6, size=1000)
    parts = stratified(labels, digits.DEALING, stream(7, "deal"))
    assert sorted(np.concatenate(parts)) == list(range(1000))
    for part, share in zip(parts, (0.6, 0.2, 0.2), strict=True):
        found, whole = np.bincount(labels[part]), np.bincount(labels)
        assert np.abs(found - share * whole).max() <= 2


def test_digits_are_split_by_class_and_standardised_by_the_training_part() -> None:
    data = tasks.load("digits_impaired")
    whole = np.concatenate([part.labels for part in (data.train, data.validation, data.test)])
    assert len(whole) == 1797
    for part, share in ((data.train, 0.6), (data.validation, 0.2), (data.test, 0.2)):
        assert np.abs(np.bincount(part.labels) - share * np.bincount(whole)).max() <= 2
    pixels = data.train.inputs.astype(np.float64)
    assert (abs(pixels.mean()), pixels.std()) == pytest.approx((0, 1), abs=1e-6)
    assert data.train.inputs.dtype == np.float32


def linear_accuracy(
    train: tuple[npt.NDArray[Any], npt.NDArray[Any]],
    test: tuple[npt.NDArray[Any], npt.NDArray[Any]],
) -> float:
    """What a linear classifier reads out of features."""
    linear = importlib.import_module("sklearn.linear_model")
    mean, deviation = train[0].mean(0), train[0].std(0)
    model = linear.LogisticRegression(max_iter=300)
    model.fit((train[0] - mean) / deviation, train[1])
    return 100 * float(model.score((test[0] - mean) / deviation, test[1]))


def pixel_statistics(images: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What can be known of an image without knowing which pixels are neighbours."""
    flat = images.reshape(len(images), 3, -1).astype(np.float64)
    levels = np.sort(flat.mean(1), axis=1)[:, ::16]
    return np.hstack([flat.mean(2), flat.std(2), (flat**3).mean(2), levels])


def neighbour_products(images: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """How alike pixels are to those a step or two away."""
    grey = images.mean(1).astype(np.float64)
    steps = [(0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (2, 0), (2, 2), (2, -2)]
    products = [(grey * np.roll(grey, step, (1, 2))).mean((1, 2)) for step in steps]
    return np.stack(products, 1) / (grey**2).mean((1, 2))[:, None]


def test_textures_hide_from_pixels_and_show_to_neighbourhoods() -> None:
    data = tasks.load("textures_impaired")
    found = {
        look: linear_accuracy(
            (look(data.train.inputs), data.train.labels),
            (look(data.test.inputs), data.test.labels),
        )
        for look in (pixel_statistics, neighbour_products)
    }
    assert found[pixel_statistics] < 20  # of eight classes, 12.5 % are guessed
    assert found[neighbour_products] > 80


def test_texture_classes_are_equally_frequent_and_seeds_matter() -> None:
    part = textures.generate(stream(1, "test"), 80)
    assert np.bincount(part.labels).tolist() == [10] * 8
    same, other = (textures.generate(stream(seed, "test"), 80) for seed in (1, 2))
    assert (same.inputs == part.inputs).all()
    assert (other.inputs != part.inputs).any()


def test_the_second_half_of_a_sequence_repeats_the_first() -> None:
    data = tasks.load("copy_lm")
    half = copying.LENGTH // 2
    for part in (data.train, data.validation, data.test):
        tokens = np.hstack([part.inputs, part.labels[:, -1:]])
        assert (tokens[:, half:] == tokens[:, :half]).all()
        assert (part.inputs[:, 1:] == part.labels[:, :-1]).all()
        assert part.inputs.dtype == part.labels.dtype == np.int64


def test_sequences_follow_the_chain_they_are_drawn_from() -> None:
    rows = np.eye(copying.VOCABULARY)[[*range(1, copying.VOCABULARY), 0]]
    tokens = copying.generate(stream(3, "test"), rows, 50)
    first = tokens[:, : copying.LENGTH // 2]
    assert ((first[:, 1:] - first[:, :-1]) % copying.VOCABULARY == 1).all()


def test_stories_are_windows_of_the_users_file(tmp_path: Path) -> None:
    file = tmp_path / "stories.npy"
    np.save(file, np.arange(161, dtype=np.uint16))
    data = tinystories.load(file, context=8, vocabulary=200)
    assert [len(part) for part in (data.train, data.validation, data.test)] == [12, 4, 4]
    whole = np.concatenate([p.inputs for p in (data.train, data.validation, data.test)])
    assert (whole.ravel() == np.arange(160)).all()
    assert (data.test.labels == data.test.inputs + 1).all()


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros((4, 4), np.int64), "one row of whole numbers"),
        (np.zeros(400), "one row of whole numbers"),
        (np.full(400, 200), "from 0 to 199"),
        (np.full(400, -1), "from 0 to 199"),
        (np.zeros(100, np.int64), "too few"),
    ],
)
def test_files_without_stories_are_refused(
    array: npt.NDArray[Any], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "stories.npy"
    np.save(file, array)
    with pytest.raises(DatasetError, match=said):
        tinystories.load(file, context=8, vocabulary=200)


@pytest.mark.parametrize("content", [b"", b"once upon a time", b"\x93NUMPY\x01\x00\x76\x00{"])
def test_damaged_stories_are_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "stories.npy"
    file.write_bytes(content)
    with pytest.raises(DatasetError, match=r"no \.npy of token numbers"):
        tinystories.load(file, context=8, vocabulary=200)
