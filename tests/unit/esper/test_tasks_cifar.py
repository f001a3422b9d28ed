"""CIFAR-10 from files: both kinds, whole, tiny and damaged."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from astrarium.esper import tasks
from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.tasks import cifar, cifar_files, sources
from astrarium.train.streams import stream

VARIABLE = sources.VARIABLES["cifar"]
BATCH = 20


def flat_images(count: int, name: str) -> npt.NDArray[np.uint8]:
    """Images of one colour each, so that JPEG hardly changes them."""
    colours = stream(1, name).integers(30, 220, size=(count, 3, 1, 1))
    return np.broadcast_to(colours, (count, 3, 32, 32)).astype(np.uint8)


def batch_bytes(images: npt.NDArray[np.uint8], labels: Any) -> bytes:
    """A batch as Python 2 wrote it: byte keys, an old protocol."""
    return pickle.dumps({b"data": images.reshape(len(images), -1), b"labels": labels}, protocol=2)


def write_batches(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*cifar_files.BATCHES, cifar_files.TEST_BATCH):
        labels = [index % 10 for index in range(BATCH)]
        (folder / name).write_bytes(batch_bytes(flat_images(BATCH, name), labels))


def jpeg_bytes(image: npt.NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(image.transpose(1, 2, 0)).save(buffer, "JPEG", quality=95)
    return buffer.getvalue()


def packed_arrays(count: int = 100) -> dict[str, npt.NDArray[Any]]:
    arrays: dict[str, npt.NDArray[Any]] = {}
    for part, number in (("train", count), ("test", 20)):
        files = [jpeg_bytes(image) for image in flat_images(number, part)]
        arrays[f"{part}_jpeg"] = np.frombuffer(b"".join(files), np.uint8)
        arrays[f"{part}_offsets"] = np.cumsum([0, *map(len, files)])
        arrays[f"{part}_labels"] = (np.arange(number) % 10).astype(np.uint8)
    return arrays


def write_packed(file: Path, **changes: npt.NDArray[Any]) -> Path:
    np.savez(file, **{**packed_arrays(), **changes})
    return file


@pytest.mark.parametrize("inner", [".", cifar_files.INNER_FOLDER])
def test_python_batches_are_read_and_split_by_class(tmp_path: Path, inner: str) -> None:
    write_batches(tmp_path / inner)
    data = cifar.load(tmp_path)
    assert [len(part) for part in (data.train, data.validation, data.test)] == [90, 10, 20]
    assert np.bincount(data.validation.labels).tolist() == [1] * 10
    assert np.bincount(data.train.labels).tolist() == [9] * 10


def test_values_are_standardised_channel_by_channel(tmp_path: Path) -> None:
    write_batches(tmp_path)
    data = cifar.load(tmp_path)
    raw = flat_images(BATCH, cifar_files.TEST_BATCH) / 255
    mean, deviation = (np.reshape(one, (1, 3, 1, 1)) for one in (cifar.MEAN, cifar.DEVIATION))
    assert np.allclose(data.test.inputs, (raw - mean) / deviation, atol=1e-6)
    assert data.test.inputs.dtype == np.float32


def test_packed_images_are_unpacked(tmp_path: Path) -> None:
    (images, labels), (test_images, test_labels) = cifar_files.read_packed(
        write_packed(tmp_path / "packed.npz")
    )
    for found, name in ((images, "train"), (test_images, "test")):
        wanted = flat_images(len(found), name)
        assert np.abs(found.astype(int) - wanted).max() <= 3  # JPEG is not exact
    assert (labels == np.arange(100) % 10).all()
    assert (test_labels == np.arange(20) % 10).all()
    data = cifar.load(tmp_path / "packed.npz")
    assert [len(part) for part in (data.train, data.validation, data.test)] == [90, 10, 20]


def test_a_part_of_the_set_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    write_packed(tmp_path / "packed.npz")
    with pytest.raises(DatasetError, match="train part has 90 samples in place of 45000"):
        tasks.load("cifar_baseline", tmp_path / "packed.npz")


def test_the_split_is_always_the_same(tmp_path: Path) -> None:
    write_batches(tmp_path)
    assert cifar.load(tmp_path).digest() == cifar.load(tmp_path).digest()


def without_a_batch(folder: Path) -> None:
    (folder / "data_batch_3").unlink()


def truncated(folder: Path) -> None:
    file = folder / "data_batch_2"
    file.write_bytes(file.read_bytes()[:-100])


def emptied(folder: Path) -> None:
    (folder / "test_batch").write_bytes(b"")


def replaced(content: bytes) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / "data_batch_1").write_bytes(content)

    return damage


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (without_a_batch, "lacks data_batch_3"),
        (truncated, "data_batch_2 is no whole batch"),
        (emptied, "test_batch is no whole batch"),
        (replaced(b"not a pickle"), "data_batch_1 is no whole batch"),
        (replaced(pickle.dumps([1, 2])), "data_batch_1 is no whole batch"),
        (replaced(pickle.dumps({b"data": np.zeros((2, 3072), np.uint8)}, 2)), "labels"),
        (replaced(batch_bytes(flat_images(2, "x"), [1, 2, 3])), "3 labels"),
        (replaced(batch_bytes(flat_images(2, "x")[:, :, :8], [1, 2])), "2 labels for uint8"),
        (replaced(batch_bytes(flat_images(2, "x"), [1, "one"])), "no whole batch"),
        (replaced(batch_bytes(flat_images(2, "x"), [1, 10])), "from 0 to 9"),
    ],
)
def test_damaged_batches_are_refused(
    tmp_path: Path, damage: Callable[[Path], None], said: str
) -> None:
    write_batches(tmp_path)
    damage(tmp_path)
    with pytest.raises(DatasetError, match=said):
        cifar.load(tmp_path)


class Trap:
    """A pickle that would run something."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("sprung",)


def test_a_batch_cannot_run_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_batches(tmp_path)
    replaced(pickle.dumps({b"data": Trap()}, protocol=2))(tmp_path)
    with pytest.raises(DatasetError, match="which no batch needs"):
        cifar.load(tmp_path)
    assert not Path("sprung").exists()


LARGE = np.frombuffer(jpeg_bytes(np.zeros((3, 64, 64), np.uint8)), np.uint8)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"test_offsets": np.arange(20)}, "do not belong together"),
        ({"test_offsets": np.arange(21)}, "must rise from 0 to the end"),
        ({"test_offsets": packed_arrays()["test_offsets"][::-1]}, "must rise from 0 to the end"),
        ({"test_jpeg": np.zeros(4, np.float32)}, "do not belong together"),
        ({"test_jpeg": packed_arrays()["test_jpeg"] * 0}, "image 0 of test_jpeg is damaged"),
        ({"test_labels": np.full(20, 11)}, "from 0 to 9"),
        ({"test_labels": np.array([{}] * 20)}, "no whole packed"),
        (
            {
                "test_jpeg": LARGE,
                "test_offsets": np.array([0, len(LARGE)]),
                "test_labels": np.zeros(1, np.uint8),
            },
            "not 32 by 32",
        ),
    ],
)
def test_damaged_packed_files_are_refused(
    tmp_path: Path, changes: dict[str, npt.NDArray[Any]], said: str
) -> None:
    file = write_packed(tmp_path / "packed.npz", **changes)
    with pytest.raises(DatasetError, match=said):
        cifar.load(file)


def test_packed_files_cut_short_or_incomplete_are_refused(tmp_path: Path) -> None:
    file = write_packed(tmp_path / "packed.npz")
    whole = file.read_bytes()
    for content in (b"", b"not a zip", whole[: len(whole) // 2], whole[:-10]):
        file.write_bytes(content)
        with pytest.raises(DatasetError, match="no whole packed CIFAR-10"):
            cifar.load(file)
    np.savez(file, train_jpeg=np.zeros(3, np.uint8))
    with pytest.raises(DatasetError, match="train_offsets"):
        cifar.load(file)
    np.save(tmp_path / "bare.npy", np.zeros(3))
    with pytest.raises(DatasetError, match="no whole packed CIFAR-10"):
        cifar.load(tmp_path / "bare.npy")


@pytest.mark.skipif(
    VARIABLE not in os.environ, reason=f"users bring CIFAR-10: name it with {VARIABLE}"
)
def test_the_real_set_has_its_published_shape() -> None:
    data = tasks.load("cifar_baseline")
    assert [len(part) for part in (data.train, data.validation, data.test)] == [
        45_000,
        5_000,
        10_000,
    ]
    assert np.bincount(data.validation.labels).tolist() == [500] * 10
    pixels = data.train.inputs.astype(np.float64)
    assert np.abs(pixels.mean((0, 2, 3))).max() < 0.02
    assert np.abs(pixels.std((0, 2, 3)) - 1).max() < 0.02
    assert tasks.load("cifar_scale") is data, "tasks of one set share it"
