"""Arrays and world snapshots as the bytes of files, and back within limits on their size.

The libraries are part of the `train` extra and imported on use: reading windows and replays needs
neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.errors import MissingPackageError
from astrarium.runs.errors import CheckpointError

FILE_BYTES_MAX: Final = 4 << 30
"""Of one file of a checkpoint, packed or not."""
_ZSTD_LEVEL: Final = 3
"""Level 6 takes three times as long to save 2 % of a batch of Prospector."""

Arrays = Mapping[str, npt.NDArray[Any]]


def pack_arrays(arrays: Arrays) -> bytes:
    """Named arrays in the safetensors format, which holds no code."""
    save, _ = _safetensors()
    # The library writes the memory of an array as it lies, whatever its strides say.
    return save({name: np.asarray(array, order="C") for name, array in arrays.items()})


def unpack_arrays(place: Path, content: bytes) -> dict[str, npt.NDArray[Any]]:
    """What `pack_arrays` packed; `place` is where it was found, for the error."""
    _, load = _safetensors()
    try:
        return load(content)
    except Exception as error:  # the library's own error is not a class of its public face
        raise CheckpointError(f"{place} holds no arrays: {error}; load another one") from error


def pack_worlds(snapshot: bytes) -> bytes:
    """A snapshot, compressed."""
    return _zstandard().ZstdCompressor(level=_ZSTD_LEVEL).compress(snapshot)


def unpack_worlds(place: Path, content: bytes, size: int) -> bytes:
    """What `pack_worlds` packed, which must have had `size` bytes."""
    zstandard = _zstandard()
    try:
        told = zstandard.get_frame_parameters(content).content_size
        if told != size or size > FILE_BYTES_MAX:
            raise CheckpointError(
                f"{place} unpacks to {told} bytes in place of {size}; load another checkpoint"
            )
        return zstandard.ZstdDecompressor().decompress(content)
    except zstandard.ZstdError as error:
        raise CheckpointError(f"{place} does not unpack: {error}; load another one") from error


def _safetensors() -> tuple[Any, Any]:
    try:
        from safetensors.numpy import load, save
    except ModuleNotFoundError as error:
        raise _missing("safetensors") from error
    return save, load


def _zstandard() -> Any:
    try:
        import zstandard
    except ModuleNotFoundError as error:
        raise _missing("zstandard") from error
    return zstandard


def _missing(package: str) -> MissingPackageError:
    return MissingPackageError(
        f"{package} is not installed: pip install 'astrarium[train]'", name=package
    )
