"""JSON documents of a run: written whole and sealed, read with a limit on their size."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar, cast

import msgspec
import numpy as np
import numpy.typing as npt

from astrarium import atomic
from astrarium.runs import seals
from astrarium.runs.errors import DamagedRunError, RunNotFoundError

DOCUMENT_BYTES_MAX: Final = 64 << 20
"""No document of a run comes near this; a file that does is not one."""

_OPEN_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
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


def hash_of(content: Any) -> str:
    """Return a short hash of a document's content, the same in whatever order its keys stand."""
    text = json.dumps(msgspec.json.decode(encode(content)), sort_keys=True)
    return sha256(text.encode()).hexdigest()[:16]


def write(
    path: Path, content: Mapping[str, Any] | msgspec.Struct, *, compact: bool = False
) -> None:
    """Replace a document, sealed; indented for people unless `compact`."""
    text = encode(content)
    sealed = seals.seal_document(text if compact else msgspec.json.format(text, indent=2))
    atomic.write_bytes(path, sealed)


def read(path: Path, form: type[T]) -> T:
    """Return a sealed document as `form`. Raises errors that name the file and the field."""
    return _decoded(path, _opened(path, _content(path)), form)


def read_unsealed(path: Path, form: type[T]) -> T:
    """Return a document that another program may have written, which has no seal."""
    return _decoded(path, _content(path), form)


def read_changed(path: Path, form: type[T]) -> T:
    """Return a document whose content was changed on purpose: its seal is not checked."""
    return _decoded(path, seals.strip_document(_content(path))[0], form)


def open_plain(path: Path) -> BinaryIO:
    """Open a plain file for reading, and never wait for it; `OSError` where it is none."""
    handle = os.open(path, _OPEN_FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("not a plain file")
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _content(path: Path) -> bytes:
    try:
        with open_plain(path) as file:
            content = file.read(DOCUMENT_BYTES_MAX + 1)
    except FileNotFoundError as error:
        raise RunNotFoundError(f"there is no {path}") from error
    except OSError as error:
        raise DamagedRunError(f"cannot read {path}: {error.strerror or error}") from error
    if len(content) > DOCUMENT_BYTES_MAX:
        raise DamagedRunError(f"{path} is larger than {DOCUMENT_BYTES_MAX} bytes: not a document")
    return content


def _opened(path: Path, content: bytes) -> bytes:
    try:
        return seals.open_document(content)
    except seals.SealError as error:
        raise DamagedRunError(
            f"{path} is damaged, was edited, or was written before Astrarium sealed its files: "
            f"{error}; restore it from a copy, or make it again with this version"
        ) from error


def _decoded(path: Path, text: bytes, form: type[T]) -> T:
    try:
        return msgspec.json.decode(text, type=form)
    except (ValueError, RecursionError) as error:
        raise DamagedRunError(f"{path} is damaged: {error}; restore it from a copy") from error
