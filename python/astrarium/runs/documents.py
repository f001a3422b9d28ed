"""JSON documents of a run: written whole, read with a limit on their size."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import msgspec
import numpy as np
import numpy.typing as npt

from astrarium import atomic
from astrarium.runs.errors import DamagedRunError, RunNotFoundError

DOCUMENT_BYTES_MAX: Final = 64 << 20
"""No document of a run comes near this; a file that does is not one."""

T = TypeVar("T")


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's."""
    if isinstance(value, np.generic | np.ndarray):
        return cast("npt.NDArray[Any]", value).tolist()
    raise TypeError(f"a {type(value).__name__} has no form in JSON; give plain values")


_encoder: Final = msgspec.json.Encoder(enc_hook=_plain)


def encode(value: Any) -> bytes:
    """Compact JSON in the order given; a number that is not finite becomes null."""
    return _encoder.encode(value)


def write(path: Path, content: Mapping[str, Any] | msgspec.Struct) -> None:
    """Replace a document, in a form that people can read too."""
    atomic.write_bytes(path, msgspec.json.format(encode(content), indent=2) + b"\n")


def read(path: Path, form: type[T]) -> T:
    """A document as `form`. Raises errors that name the file and the field."""
    try:
        with path.open("rb") as file:
            content = file.read(DOCUMENT_BYTES_MAX + 1)
    except FileNotFoundError as error:
        raise RunNotFoundError(f"there is no {path}") from error
    except OSError as error:
        raise DamagedRunError(f"cannot read {path}: {error.strerror or error}") from error
    if len(content) > DOCUMENT_BYTES_MAX:
        raise DamagedRunError(f"{path} is larger than {DOCUMENT_BYTES_MAX} bytes: not a document")
    try:
        return msgspec.json.decode(content, type=form)
    except (ValueError, RecursionError) as error:
        raise DamagedRunError(f"{path} is damaged: {error}; restore it from a copy") from error
