"""The two kinds of files CIFAR-10 comes in, read without trusting them."""

from __future__ import annotations

import io
import pickle
import zipfile
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from astrarium.errors import MissingPackageError
from astrarium.esper.contracts.errors import DatasetError
from astrarium.esper.tasks.dataset import Labels

SIDE: Final = 32
BATCHES: Final = tuple(f"data_batch_{number}" for number in range(1, 6))
TEST_BATCH: Final = "test_batch"
INNER_FOLDER: Final = "cifar-10-batches-py"
"""What the published archive unpacks to; the folder around it may be given as well."""

Images = npt.NDArray[np.uint8]
"""Samples, channels, rows, columns."""
Labelled = tuple[Images, Labels]

_DAMAGED = (
    OSError,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    ImportError,
    OverflowError,
    MemoryError,
    pickle.UnpicklingError,
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
)
"""What readers raise over bytes that are not what they should be."""


def read_batches(place: Path) -> tuple[Labelled, Labelled]:
    """Training and test images of a folder of python batches."""
    folder = place / INNER_FOLDER if (place / INNER_FOLDER).is_dir() else place
    if absent := [name for name in (*BATCHES, TEST_BATCH) if not (folder / name).is_file()]:
        raise DatasetError(f"{folder} lacks {', '.join(absent)}; unpack the whole archive there")
    train = [_read_batch(folder / name) for name in BATCHES]
    images = np.concatenate([one for one, _ in train])
    labels = np.concatenate([one for _, one in train])
    return (images, labels), _read_batch(folder / TEST_BATCH)


def read_packed(place: Path) -> tuple[Labelled, Labelled]:
    """Training and test images of a packed file.

    It holds, for `train` and `test`, the JPEG bytes of all images one after another, where each
    begins (and the last one ends), and their labels: `train_jpeg`, `train_offsets`, `train_labels`.
    """
    try:
        # Opened here, since the library leaves a file that is no archive open.
        with place.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
            arrays = {name: np.asarray(stored[name]) for name in stored.files}
        return _unpack(arrays, "train"), _unpack(arrays, "test")
    except DatasetError as error:
        raise DatasetError(f"{place}: {error}") from error
    except _DAMAGED as error:
        raise DatasetError(f"{place} is no whole packed CIFAR-10: {error!r}") from error


class _BatchUnpickler(pickle.Unpickler):
    """Knows arrays and plain values only: a pickle could otherwise run whatever it likes."""

    _ARRAY = np.zeros(1, np.uint8)
    _KNOWN: Final[Mapping[str, Any]] = {
        "multiarray._reconstruct": _ARRAY.__reduce__()[0],
        "numpy.ndarray": np.ndarray,
        "numpy.dtype": np.dtype,
    }

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        name = f"{module_name}.{global_name}".removeprefix("numpy.core.")
        known = self._KNOWN.get(name.removeprefix("numpy._core."))
        if known is not None:
            return known
        if name == "_codecs.encode":
            return _latin_bytes
        raise pickle.UnpicklingError(f"it asks for {name}, which no batch needs")


def _latin_bytes(text: str, encoding: str) -> bytes:
    """How Python 3 writes bytes in the protocol of Python 2."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"bytes are written as {encoding!r}")
    return text.encode("latin-1")


def _read_batch(file: Path) -> Labelled:
    try:
        with file.open("rb") as opened:
            batch = cast("dict[bytes, Any]", _BatchUnpickler(opened, encoding="bytes").load())
        pixels = np.asarray(batch[b"data"])
        labels = np.asarray(batch[b"labels"], np.int64)
        if pixels.dtype != np.uint8 or pixels.shape != (len(labels), 3 * SIDE * SIDE):
            raise ValueError(f"{len(labels)} labels for {pixels.dtype} pixels {pixels.shape}")
    except _DAMAGED as error:
        raise DatasetError(f"{file} is no whole batch of CIFAR-10: {error!r}") from error
    return pixels.reshape(-1, 3, SIDE, SIDE), labels


def _unpack(arrays: Mapping[str, npt.NDArray[Any]], part: str) -> Labelled:
    content, offsets, labels = (arrays[f"{part}_{name}"] for name in ("jpeg", "offsets", "labels"))
    if content.dtype != np.uint8 or content.ndim != 1 or offsets.shape != (len(labels) + 1,):
        raise DatasetError(f"{part}_jpeg, {part}_offsets and {part}_labels do not belong together")
    bounds = offsets.astype(np.int64)
    if bounds[0] != 0 or bounds[-1] != len(content) or (np.diff(bounds) <= 0).any():
        raise DatasetError(f"{part}_offsets must rise from 0 to the end of {part}_jpeg")
    images = np.empty((len(labels), 3, SIDE, SIDE), np.uint8)

    def decode(first: int) -> None:
        for index in range(first, min(first + 1000, len(labels))):
            jpeg = content[bounds[index] : bounds[index + 1]].tobytes()
            images[index] = _decode(jpeg, f"image {index} of {part}_jpeg")

    with ThreadPoolExecutor() as threads:
        list(threads.map(decode, range(0, len(labels), 1000)))
    return images, labels.astype(np.int64)


def _decode(jpeg: bytes, name: str) -> Images:
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            "Pillow is not installed: pip install 'astrarium[esper]'", name="PIL"
        ) from error
    try:
        # Other formats stay closed, and the size is known before anything is unpacked.
        with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as image:
            if image.size != (SIDE, SIDE):
                raise DatasetError(f"{name} is {image.size}, not {SIDE} by {SIDE}")
            return np.asarray(image.convert("RGB")).transpose(2, 0, 1)
    except DatasetError:
        raise
    except (OSError, ValueError, SyntaxError) as error:
        raise DatasetError(f"{name} is damaged: {error}") from error
